"""Systems side by side: what one gets right that another does not. `beside` compares two, `RightWords` several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.analysis.record_table import RecordTable, parts_of
from fstmetrics.engine.reference_digests import other_digest
from fstmetrics.engine.signatures import rules_of_one, rules_of_words
from fstmetrics.support.arguments import shortened
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class WordRow:
    """A reference word that one system has right where the other has not.

    Attributes:
        word: the reference word.
        first, second: how often only the first, only the second system has it right.
        instead: what the system that is more often wrong here has most often in its place; "" is nothing, which a
            word as frequent goes before.
        instead_count: how often; 0 where the closest paths of that system never hold the word in error.
    """

    word: str
    first: int
    second: int
    instead: str
    instead_count: int


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item's errors in both systems: edits, moves and what rewrites cost."""

    id: str
    first: float
    second: float


@dataclass(frozen=True, slots=True)
class KindRow:
    """A kind of error, and how often it happens to either system.

    Attributes:
        op: `S`, `I` or `D`.
        reference, hypothesis: the words; None where that side has none.
        first, second: how often.
    """

    op: str
    reference: str | None
    hypothesis: str | None
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Beside:
    """Two systems on the same items.

    Attributes:
        items: items with different numbers of errors, the largest differences first.
        words: words that only one of the two has right, the largest differences first.
        kinds: kinds of errors that are not as frequent in both, the largest differences first.
        better, worse, equal: items in which the first system has fewer, more, as many errors.
    """

    items: tuple[ItemRow, ...]
    words: tuple[WordRow, ...]
    kinds: tuple[KindRow, ...]
    better: int
    worse: int
    equal: int


def unlike_remark(systems: Mapping[str, RecordTable]) -> str:
    """What is said of systems that were scored by different rules, with the signature of each; empty where they were
    not.

    Args:
        systems: the records of each, by its name.
    """
    signatures = {name: table.signature or "(no signature)" for name, table in systems.items()}
    if len({*signatures.values()}) < 2:
        return ""
    which = "two" if len(systems) == 2 else "systems"
    return (
        f"the {which} were not scored alike: {'; '.join(f'{name}: {of}' for name, of in signatures.items())}"
    )


def beside(first: RecordTable, second: RecordTable) -> Beside:
    """Put two systems side by side.

    A word is right where it is a match on the system's closest path.

    Args:
        first, second: the records of either, with one vocabulary.

    Raises:
        FstmetricsError: the systems were not scored on the same items.
    """
    place = places(first, second)
    if first.ids != second.ids:
        second = second.chosen(place)
    mine, theirs = (np.round(table.numerators, 12) for table in (first, second))  # costs add up in any order
    rows = [
        ItemRow(id, one, two)
        for id, one, two in zip(first.ids, mine.tolist(), theirs.tolist(), strict=True)
        if one != two
    ]
    return Beside(
        tuple(sorted(rows, key=lambda r: (-abs(r.first - r.second), r.id))),
        tuple(RightWords([first, second]).rows(0, 1)),
        tuple(_kind_rows(first, second)),
        int(np.count_nonzero(mine < theirs)),
        int(np.count_nonzero(mine > theirs)),
        int(np.count_nonzero(mine == theirs)),
    )


def places(
    first: RecordTable, second: RecordTable, name: str = "the first system", other: str = "the second system"
) -> Integers:
    """Where each item of the first system is in the second.

    Args:
        first, second: the records of either, with one vocabulary.
        name, other: the names of the systems.

    Raises:
        FstmetricsError: the systems were not scored on the same items, or not against the same references, as far as
            records tell; it has their names.
    """
    found = _places(first, second, name, other)
    if (rules := rules_of_one(first.signature)) and rules == rules_of_one(second.signature):
        in_order = second if first.ids == second.ids else second.chosen(found)
        _refuse_other_references(first, in_order, name, other)
    alike = rules_of_words(first.signature) == rules_of_words(second.signature)
    if alike and (place := other_digest(first.reference_digest, second.reference_digest[found])) is not None:
        raise FstmetricsError(
            f"the references of {first.ids[place]} have other words in {name} than in {other}: score both against the "
            "same references; without ids, in the same order"
        )
    return found


def _refuse_other_references(first: RecordTable, second: RecordTable, name: str, other: str) -> None:
    """Raise an FstmetricsError for the first item whose reference has other words in the other system."""
    mine, theirs = first.closest, second.closest
    ends, others = first.closest_starts[1:], second.closest_starts[1:]
    if np.array_equal(ends, others) and np.array_equal(mine, theirs):
        return
    common = min(len(mine), len(theirs))
    word = next(iter(np.flatnonzero(mine[:common] != theirs[:common])), common)
    item = int(np.flatnonzero((ends != others) | (ends > word))[0])
    one, two = (shortened(" ".join(table.sides(item)[0])) for table in (first, second))
    raise FstmetricsError(
        f"the reference of {first.ids[item]} is {one} in {name}, and {two} in {other}: score both against the same "
        "references; without ids, in the same order"
    )


def _places(first: RecordTable, second: RecordTable, name: str, other: str) -> Integers:
    if first.ids == second.ids:
        return np.arange(len(first.ids))
    numbers = ({id: i for i, id in enumerate(table.ids)} for table in (first, second))
    mine, theirs = numbers
    for ours, others, who in ((mine, theirs, other), (theirs, mine, name)):
        if lacking := [id for id in ours if id not in others]:
            raise FstmetricsError(
                f"{who} has no record for {listed(lacking)}; both must be scored on the same items"
            )
    return np.array([theirs[id] for id in first.ids], dtype=np.int64)


class RightWords:
    """Which reference words each of several systems has right: matches on its closest paths.

    Args:
        tables: of each system, with one vocabulary, of the same items in the same order.
    """

    def __init__(self, tables: Sequence[RecordTable]) -> None:
        self._words = list(tables[0].words)
        self._ranks = tables[0].words.ranks()
        self._tables = tables
        self._instead: dict[int, dict[int, tuple[int, int]]] = {}
        # Of each pair of systems, how often only the first, only the second has each word right.
        shape = (2, len(self._words))
        self._only = {pair: np.zeros(shape, dtype=np.int64) for pair in combinations(range(len(tables)), 2)}
        for parts in parts_of(*tables):
            self._add(parts)

    def _add(self, parts: Sequence[RecordTable]) -> None:
        """Count what some of the items have right."""
        size, keys = len(self._words), []
        for part in parts:
            items = np.repeat(np.arange(len(part)), part.counts["path_length"])
            right = part.letters[part.has("=SD")] == ord("=")
            keys.append(items[right] * size + part.closest[right])
        # By item and word: how often each system has it right.
        known, numbers = np.unique(np.concatenate(keys), return_inverse=True)
        ends = np.cumsum([len(own) for own in keys])[:-1]
        counts = [np.bincount(own, minlength=len(known)) for own in np.split(numbers.reshape(-1), ends)]
        words = known % max(size, 1)
        for (first, second), sums in self._only.items():
            more = counts[first] - counts[second]
            np.add.at(sums[0], words, np.maximum(more, 0))
            np.add.at(sums[1], words, np.maximum(-more, 0))

    def rows(self, first: int, second: int) -> list[WordRow]:
        """The words that only one of two has right, the largest differences first.

        How often is counted item by item: the difference of matches, as the closest paths of two systems may differ.

        Args:
            first, second: their numbers, the smaller one first.
        """
        words, counts = self._words, self._only[first, second]
        instead = [self._instead_of(first), self._instead_of(second)]
        rows = []
        for n in np.flatnonzero(counts[0] + counts[1]).tolist():
            one, two = int(counts[0][n]), int(counts[1][n])
            other, often = instead[one >= two].get(n, (-1, 0))
            rows.append(WordRow(words[n], one, two, words[other] if other >= 0 else "", often))
        return sorted(rows, key=lambda r: (-abs(r.first - r.second), -max(r.first, r.second), r.word))

    def _instead_of(self, system: int) -> dict[int, tuple[int, int]]:
        if system not in self._instead:
            self._instead[system] = _instead(self._tables[system], self._ranks)
        return self._instead[system]


def _instead(table: RecordTable, ranks: Numbers) -> dict[int, tuple[int, int]]:
    """Of reference words, what a system has most often in their place, and how often; of equals words come before
    nothing."""
    reference, hypothesis, counts = table.kinds
    lacks = ranks[hypothesis] == 0
    order = np.lexsort((ranks[hypothesis], lacks, -counts))
    known, first = np.unique(reference[order], return_index=True)
    best = order[first[known >= 0]]
    rows = zip(hypothesis[best].tolist(), counts[best].tolist(), strict=True)
    return dict(zip(reference[best].tolist(), rows, strict=True))


def kinds_of(tables: Sequence[RecordTable]) -> tuple[Numbers, Numbers, Integers]:
    """Kinds of errors: the words of either side, -1 for none; how often in each system, shape [systems, kinds]."""
    kinds = [table.kinds for table in tables]
    keys = [(r.astype(np.int64) + 1) << 32 | h.astype(np.int64) + 1 for r, h, _ in kinds]
    known = np.unique(np.concatenate(keys))
    often = np.zeros((len(kinds), len(known)), dtype=np.int64)
    for side, (key, (_, _, counts)) in enumerate(zip(keys, kinds, strict=True)):
        often[side, np.searchsorted(known, key)] = counts
    return (known >> 32).astype(np.int32) - 1, known.astype(np.int32) - 1, often


def _kind_rows(first: RecordTable, second: RecordTable) -> list[KindRow]:
    words: Sequence[str | None] = [*first.words, None]
    reference, hypothesis, often = kinds_of([first, second])
    other = often[0] != often[1]
    reference, hypothesis, often = reference[other], hypothesis[other], often[:, other]
    ops = np.where(reference < 0, 1, np.where(hypothesis < 0, 2, 0))
    ranks = first.words.ranks()
    order = np.lexsort(
        (ranks[hypothesis], ranks[reference], ops, -often.max(axis=0), -np.abs(often[0] - often[1]))
    )
    columns = (column[order].tolist() for column in (ops, reference, hypothesis, *often))
    return [
        KindRow("SID"[op], words[r], words[h], one, two) for op, r, h, one, two in zip(*columns, strict=True)
    ]
