"""Errors on the words of each class, on the same closest path.

- Words of a list and all others: B-WER and U-WER [Le et al. 2021]. `Biasing` has the lists of the items, `class_totals`
  counts one result, `class_numbers` names the counts for programs.
- Han characters and words of other scripts beside them (the unit `mixed`): `script_totals`. Code switching between
  Chinese and English is scored so: Han characters and words together, and each of them apart.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from fstmetrics.metrics.path_metric import COUNTS, Totals
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import number

if TYPE_CHECKING:
    from fstmetrics.engine.results import AlignedPair, Result

Class = TypeVar("Class", bound=Hashable)
# The classes of words: those of the list, and the others.
CLASSES = ("b", "u")
_OPERATIONS = ("matches", "substitutions", "insertions", "deletions")
NO_WORD: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Biasing:
    """Which words are in the list of an item, normalised.

    Attributes:
        label: what settings call the lists.
        path: the file that they are from, for messages.
        by_id: the words of each item's list; None where there is one for all.
        words: those of the list for all.
    """

    label: str
    path: str
    by_id: Mapping[str, frozenset[str]] | None = None
    words: frozenset[str] = NO_WORD

    def of(self, id: str | None) -> frozenset[str]:
        """The words of an item's list.

        Raises:
            FstmetricsError: there is a list for each id, and none for this one.
        """
        if self.by_id is None:
            return self.words
        if id is None:
            raise FstmetricsError(
                f"{self.path} has a list for each id, and the items have no ids: give files with ids, or one list "
                "for all"
            )
        if id not in self.by_id:
            raise FstmetricsError(f"{self.path} has no list for item {id}; an empty list is []")
        return self.by_id[id]


def class_totals(alignment: Sequence[AlignedPair], words: Set[str]) -> tuple[Totals, Totals]:
    """What happened to words of a list, and to the others; together they are all edits and words of the alignment.

    Substitutions and deletions count where their reference word belongs, insertions where the inserted word does. An
    edit costs 1, and a class is divided by its reference words: the score under `WER` is its error rate.

    >>> from fstmetrics import score
    >>> [result] = score(["tell anna the the hour"], ["tell hannah the hour"])
    >>> [(each.edits, each.path_length) for each in class_totals(result.alignment, {"hannah"})]
    [(1, 1), (1, 3)]
    """
    found = totals_by(alignment, words.__contains__)
    return found.get(True, Totals()), found.get(False, Totals())


def totals_by(alignment: Sequence[AlignedPair], class_of: Callable[[str], Class]) -> dict[Class, Totals]:
    """What happened to the words of each class that a word is in, in the order in which classes come."""
    counts: dict[Class, dict[str, int]] = {}
    for pair in alignment:
        if pair.op in "=SID":
            own = class_of(str(pair.hypothesis if pair.op == "I" else pair.reference))
            counts.setdefault(own, dict.fromkeys("=SID", 0))[pair.op] += 1
    return {own: totals_of(each) for own, each in counts.items()}


def totals_of(counts: Mapping[str, int]) -> Totals:
    """Totals of how many operations there are of each kind, by their signs."""
    matches, substitutions, insertions, deletions = (counts[op] for op in "=SID")
    edits, words = substitutions + insertions + deletions, matches + substitutions + deletions
    return Totals(edits, matches, substitutions, insertions, deletions, 0, words)


def classes_of(result: Result, words: Set[str]) -> tuple[Totals, Totals]:
    """The same of a result.

    Raises:
        FstmetricsError: its score is no count of these edits, as where rewriting costs something.
    """
    found = class_totals(result.alignment, words)
    both = found[0] + found[1]
    whole = result.totals
    if both.edits != result.numerator or both[1:5] != whole[1:5] or both.denominator != whole.denominator:
        raise FstmetricsError(
            "--biasing counts edits of words, and the score of this item has other parts, as grammars that cost "
            "something and --optional-words correct have: leave them out"
        )
    return found


def rate(totals: Totals) -> float | None:
    """Edits per reference word of a class; None where there is no word to divide by."""
    return totals.edits / totals.path_length if totals.path_length else None


def class_numbers(listed: Totals, others: Totals) -> dict[str, Any]:
    """Rates and counts of both classes, by the names of records and of the JSON summary."""
    rates = {f"{name}_wer": rate(each) for name, each in zip(CLASSES, (listed, others), strict=True)}
    return rates | {
        "biasing": {name: class_counts(each) for name, each in zip(CLASSES, (listed, others), strict=True)}
    }


def class_counts(totals: Totals) -> dict[str, int]:
    """The counts of a class by their names."""
    return {name: getattr(totals, name) for name in COUNTS if name != "moves"}


def class_text(listed: Totals, others: Totals) -> str:
    """Rates and counts of both classes in a line."""
    parts = []
    for name, each in (("B-WER", listed), ("U-WER", others)):
        found = rate(each)
        parts.append(f"{name} {'-' if found is None else number(found)} ({each.edits} / {each.path_length})")
    return ", ".join(parts)


def totals_of_record(fields: Mapping[str, Any]) -> tuple[Totals, Totals] | None:
    """Both classes as the record of an item has them; None where it has none.

    Raises:
        FstmetricsError: they are not as `class_record` makes them.
    """
    if "biasing" not in fields:
        return None
    try:
        found = [[fields["biasing"][name][count] for count in _OPERATIONS] for name in CLASSES]
    except (LookupError, TypeError):
        found = []
    if not found or not all(type(n) is int and n >= 0 for counts in found for n in counts):
        raise FstmetricsError(
            f"item {fields.get('id')}: its record has other counts of biasing than score writes"
        )
    listed, others = (totals_of(dict(zip("=SID", counts, strict=True))) for counts in found)
    return listed, others


def class_record(result: Result, words: Set[str]) -> dict[str, Any]:
    """What the record of an item has beside: rates and counts, and the words of the list that are on either side."""
    found = class_numbers(*classes_of(result, words))
    there = words & {*result.hypothesis, *result.closest}
    found["biasing"]["words"] = sorted(there)
    return found


# Scripts by the first word of their characters' names in Unicode; Japanese has both forms of kana.
NAMES = {
    "CJK": "Han", "IDEOGRAPHIC": "Han", "KANGXI": "Han", "HIRAGANA": "Kana", "KATAKANA": "Kana",
    "KATAKANA-HIRAGANA": "Kana", "HALFWIDTH": "Kana",
}  # fmt: skip
# Digits, marks and what else has no script.
OTHER = "other"


@lru_cache(maxsize=2**16)
def script_of(unit: str) -> str:
    """The script of a character or word: that of its first letter.

    >>> [script_of(unit) for unit in ("我", "iPhone", "カメラ", "です", "3G", "42", "서울", "５G")]
    ['Han', 'Latin', 'Kana', 'Kana', 'Latin', 'other', 'Hangul', 'Latin']
    """
    for character in unit:
        if character.isalpha() or character == "〇":
            name = unicodedata.name(unicodedata.normalize("NFKC", character)[0], OTHER).split()[0]
            return NAMES.get(name, name.capitalize())
    return OTHER


def script_totals(alignment: Sequence[AlignedPair]) -> dict[str, Totals]:
    """What happened to the units of each script; together they are all edits and units of the alignment.

    Substitutions and deletions count where their reference unit belongs, insertions where the inserted unit does.

    >>> from fstmetrics import Normalisation, score
    >>> [result] = score(["我买phone"], ["我要买iPhone"], normalisation=Normalisation(unit="mixed"))
    >>> {name: (each.edits, each.path_length) for name, each in script_totals(result.alignment).items()}
    {'Han': (1, 3), 'Latin': (1, 1)}
    """
    return totals_by(alignment, script_of)


def script_numbers(scripts: Mapping[str, Totals]) -> dict[str, Any]:
    """Rates and counts of each script, as the JSON summary has them."""
    return {name: {"score": rate(each), **class_counts(each)} for name, each in scripts.items()}
