"""`--biasing`: the lists of words of a run's items, checked against them: `biasing_of`, `refuse_other_ids`."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fstmetrics.engine.word_classes import CLASSES, Biasing, classes_of
from fstmetrics.io.word_lists import WordLists, read_word_lists
from fstmetrics.metrics.corpus_metric import name_of
from fstmetrics.scoring.sums import Series, Term, Terms
from fstmetrics.support.arguments import shortened
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.names import listed
from fstmetrics.support.printable import counted
from fstmetrics.text.normalisation import is_punctuation

if TYPE_CHECKING:
    from fstmetrics.engine.results import Result
    from fstmetrics.metrics import CorpusMetric
    from fstmetrics.scoring.request import Request
    from fstmetrics.text.normalisation import Normalisation

# What metrics count errors of words, one an edit.
METRICS = ("wer", "sclite")
# A sign between letters that parts words in lists.
SEVERAL = re.compile(r"[^\W\d][,;|][^\W\d]")
LISTED, OTHERS = (Series(name) for name in CLASSES)
# What tables by field have beside.
BESIDE = {"b": LISTED, "u": OTHERS}


def biasing_of(request: Request) -> Biasing:
    """The lists of the file that a request names, their words normalised as the texts are.

    An entry of which nothing is left counts on neither side, and is left out.

    Raises:
        FstmetricsError: as of `read_word_lists`; an entry that is, or becomes, several words; units that are no words.
    """
    normalisation = request.normalisation
    if (unit := normalisation.unit) != "word":
        given = f"--unit {unit}" if request.unit != "word" else f"--profile {request.profile}"
        raise FstmetricsError(
            f"--biasing counts words, and {given} cuts others; leave one of them out, or count terms in that unit: "
            f"fstmetrics errors REF HYP --terms FILE {given}"
        )
    found = read_word_lists(str(request.biasing), request.fields)
    changed: dict[str, str] = {}
    for owner, words in [(None, found.words)] if found.by_id is None else found.by_id.items():
        for word in words:
            if word not in changed:
                changed[word] = _word(found, owner, word, normalisation)
    by_id = None
    if found.by_id is not None:
        by_id = {id: frozenset(map(changed.__getitem__, words)) - {""} for id, words in found.by_id.items()}
    whole = frozenset(changed[word] for word in found.words) - {""}
    if by_id is None and not whole:
        raise InputError("no word of the list is left after normalisation", found.path)
    return Biasing(_label(found), found.path, by_id, whole)


def _word(lists: WordLists, owner: str | None, word: str, normalisation: Normalisation) -> str:
    """The word that an entry becomes; empty where nothing is left of it."""
    words = normalisation.words(word)
    if len(words) > 1:
        of = "" if owner is None else f"the list of {owner}: "
        becomes = "is" if len(word.split()) > 1 else "becomes"
        raise InputError(
            f"{of}{shortened(word)} {becomes} {len(words)} words, {' '.join(words)!r:.80}; B-WER is of single words: "
            "list each that counts by itself",
            lists.path,
        )
    return words[0] if words else ""


def _label(lists: WordLists) -> str:
    """The name of the file, and what tells other lists of that name."""
    found = lists.words if lists.by_id is None else sorted((id, *words) for id, words in lists.by_id.items())
    return f"{os.path.basename(lists.path)},{hashlib.sha256(repr(found).encode()).hexdigest()[:8]}"


def refuse_metrics(metrics: Sequence[CorpusMetric]) -> None:
    """Raise an FstmetricsError for metrics of which none counts errors of words."""
    if not any(metric.name in METRICS and metric.unit is None for metric in metrics):
        names = ",".join(name_of(metric.name, metric.unit or "word") for metric in metrics)
        raise FstmetricsError(
            f"--biasing is for the metrics {' and '.join(METRICS)}, which count errors of words, not for {names}"
        )


def refuse_other_ids(biasing: Biasing, ids: Iterable[str | None], missing: str) -> None:
    """Raise an FstmetricsError for an item without a list, or a list without an item.

    Args:
        biasing: the lists.
        ids: of all items.
        missing: what is done with an id that one side lacks; lists without an item are no fault where it is left out.
    """
    if biasing.by_id is None:
        return
    known = set()
    for id in ids:
        biasing.of(id)
        known.add(id)
    if missing == "error" and (unknown := [id for id in biasing.by_id if id not in known]):
        have = "a list" if len(unknown) == 1 else "lists"
        raise InputError(
            f"has {have} for {listed(unknown)}, and there is no such item; --missing skip leaves lists of other items "
            "out",
            biasing.path,
        )


def unheard_remark(lists: Biasing, normalisation: Normalisation) -> str:
    """What to say where no word of the lists is on either side: it may be written otherwise there, or be several.

    Args:
        lists: the lists.
        normalisation: what was done to them and to the texts.
    """
    options = {
        "--lowercase": normalisation.lowercase, "--normalise-unicode nfc": normalisation.unicode != "as-is"
    }  # fmt: skip
    wanted = [option for option, given in options.items() if not given and normalisation.normaliser is None]
    every = sorted(lists.words.union(*(lists.by_id or {}).values()))
    if several := next((word for word in every if SEVERAL.search(word)), ""):
        hint = f"; {shortened(several)} counts as one word: list each word in a line of its own"
    else:
        hint = f"; if it is written otherwise there, {' or '.join(wanted)} may find it" if wanted else ""
    return f"{lists.path}: no word of the list is in any reference or hypothesis{hint}"


def other_case_remark(lists: Biasing, texts: Iterable[str], where: str, normalisation: Normalisation) -> str:
    """What to say of words of the lists that texts have in another case only; empty where there are none.

    Args:
        lists: the words, normalised.
        texts: of references and hypotheses, as they are written.
        where: which items they are of, if not of all.
        normalisation: what is done to them.
    """
    if normalisation.lowercase or normalisation.normaliser is not None:
        return ""
    there = {word for text in texts for word in normalisation.words(text)}
    folded = {word.lower() for word in there}
    words = lists.words.union(*(lists.by_id or {}).values()) - there
    if not (other := sorted(word for word in words if word.lower() in folded)):
        return ""
    are = "is" if len(other) == 1 else "are"
    return (
        f"{lists.path}: {counted(len(other), 'word')} of the list {are} in references or hypotheses{where} in another "
        f"case only, which counts among the others: {listed(other)}; --lowercase takes both cases as one"
    )


def other_marks_remark(lists: Biasing, texts: Iterable[str], where: str, normalisation: Normalisation) -> str:
    """What to say of words of texts that are words of the lists but for punctuation; arguments as of the above."""
    if normalisation.remove_punctuation or normalisation.normaliser is not None:
        return ""
    words = lists.words.union(*(lists.by_id or {}).values())
    bare = {*map(_bare, words)} - {""}
    there = {word for text in texts for word in normalisation.words(text)} - words
    if not (other := sorted(word for word in there if _bare(word) in bare)):
        return ""
    are, count = ("is", "counts") if len(other) == 1 else ("are", "count")
    return (
        f"{lists.path}: {counted(len(other), 'word')} in references or hypotheses{where} {are} of the list but for "
        f"punctuation, and {count} among the others: {listed(other)}; --remove-punctuation takes both as one"
    )


def _bare(word: str) -> str:
    return "".join(character for character in word if not is_punctuation(character))


def class_terms(result: Result, words: frozenset[str]) -> Terms:
    """What an item adds to the sums of both classes."""
    return [
        Term(series, totals)
        for series, totals in zip((LISTED, OTHERS), classes_of(result, words), strict=True)
    ]
