"""What is said of items that fit others better than those that they are paired with: of texts that order pairs
(`misplaced_remark`), of documents (`exchanged_remark`); and which references that rows bring with them are those of
other rows (`moved_rows`).
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from fstmetrics.engine.search import COUNTS_ONLY, search
from fstmetrics.engine.sides import are_texts
from fstmetrics.engine.unlike_sides import FEWEST_ITEMS, LEAST, MATCHING
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.metrics.wer import WER
from fstmetrics.support.names import listed
from fstmetrics.text.normalisation import Normalisation

# Of items in another order so many are looked at, the first; errors of how many words in a hundred are a ground for it.
SHIFTED, MANY = 200_000, 30
# So many are compared in one call.
TOGETHER = 1 << 13
# Fewer texts that are another item's reference tell nothing; in another order, chance leaves one text with its own.
OTHERS, SURELY = 5, 3
# Documents that are looked at, the first; errors of which other references may have three quarters, as translations.
DOCUMENTS, MANY_ERRORS = 100, 100
# Items of which a shift may have more than half of the errors, as translations have.
STRETCH = 20


def misplaced_remark(
    hypotheses: Sequence[Any],
    references: Sequence[Any],
    normalisation: Normalisation,
    totals: Totals | None = None,
) -> str:
    """What to say of texts that are paired by order; empty where there is no ground.

    A stretch of items is named where they have more than half of all errors, and with the references one further, or
    one before, at most half of them; of many items, at most three quarters. Of texts in another order, it is said how
    many are the reference of another item, word for word, among references that there are once.

    Args:
        hypotheses, references: texts of each item; of others nothing is said.
        normalisation: what was done to them.
        totals: of words, of all items, where they were counted: nothing is looked at where most match.

    >>> texts = ["the cat sat", "a dog ran", "it is so", "we go home", "good day sir", "see you"]
    >>> misplaced_remark([texts[0], *texts[2:], ""], texts, Normalisation())
    'hypotheses 2 to 5 fit the references of items 3 to 6, 0 errors in place of 12: is a hypothesis missing before 2?'
    """
    if (
        len(hypotheses) < FEWEST_ITEMS
        or normalisation.normaliser is not None
        or (totals and _mostly_match(totals))
    ):
        return ""
    hypotheses, references = hypotheses[:SHIFTED], references[:SHIFTED]
    if not (are_texts(hypotheses) and are_texts(references)):
        return ""
    if 2 * len({*references}) < len(references):  # as yes and no: each fits many
        return ""
    rules = replace(normalisation, unit="word")
    counts = _counts(hypotheses, references, rules)
    if _mostly_match(Totals(0, *counts.sum(axis=0).tolist())):
        return ""
    own = counts[:, 1:].sum(axis=1)
    for shift in (1, -1):
        sides = (hypotheses[:-1], references[1:]) if shift > 0 else (hypotheses[1:], references[:-1])
        paired = own[:-1] if shift > 0 else own[1:]
        shifted = _counts(*sides, rules)[:, 1:].sum(axis=1)
        if remark := _stretch_remark(paired, shifted, int(own.sum()), shift):
            return remark
    return _order_remark(hypotheses, references)


def exchanged_remark(
    names: Sequence[str], hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]]
) -> str:
    """What to say of documents that have the words of another's references; empty where there is no ground.

    Errors are counted whatever the order of words: those of the longer side that are not on the other. Documents are
    named that have more words of other references, and fewer errors with them, and whose others are such, too: in all
    at most half, of many errors three quarters; or in all half of their words, and hardly one of their own references.
    Documents with a tenth of errors at most are not looked at.

    Args:
        names: of the documents.
        hypotheses, references: the words of each document.

    >>> texts = [["the", "cat", "sat"], ["a", "dog", "ran"]]
    >>> exchanged_remark(["d0", "d1"], texts, texts[::-1])
    'd0, d1 have the words of the references of d1, d0: 0 errors in place of 6, in any order of words'
    """
    ours, theirs = ([Counter(words) for words in side[:DOCUMENTS]] for side in (hypotheses, references))
    moved: dict[int, int] = {}
    counts: dict[int, tuple[int, ...]] = {}
    for place, words in enumerate(ours):
        own, errors = _shared(words, theirs[place])
        if 10 * errors > max(words.total(), theirs[place].total()):
            found = [_shared(words, other) for other in theirs]
            best = min(range(len(found)), key=lambda other: found[other][1])
            if found[best][0] > own:
                moved[place] = best
                counts[place] = (words.total(), own, errors, *found[best])
    moved = {place: best for place, best in moved.items() if best in moved and place in moved.values()}
    sums = np.array([(0,) * 5, *map(counts.__getitem__, moved)]).sum(axis=0)
    size, own, before, other, after = sums.tolist()
    fit = after <= (0.75 if before >= MANY_ERRORS else 0.5) * before
    if not moved or (after and before < LEAST) or not (fit or MATCHING * own <= size <= 2 * other):
        return ""
    whose, others = (listed([names[place] for place in side]) for side in (moved, moved.values()))
    return (
        f"{whose} have the words of the references of {others}: {after} errors in place of {before}, in any order of "
        "words"
    )


def _shared(words: Counter[str], others: Counter[str]) -> tuple[int, int]:
    """How many words two texts share, and how many of the longer one they do not."""
    shared = (words & others).total()
    return shared, max(words.total(), others.total()) - shared


class Moved(NamedTuple):
    """Rows whose own references are those of other rows.

    Attributes:
        rows: how many they are.
        told: how many rows tell whether they are.
        first: one of them, counted from 0, and the row that has its reference.
        are_same: whether there are no other texts.
    """

    rows: int
    told: int
    first: tuple[int, int]
    are_same: bool

    @property
    def are_most(self) -> bool:
        """Whether more are moved than not."""
        return 2 * self.rows > self.told

    @property
    def is_order(self) -> bool:
        """Whether the rows are in another order, if order pairs them."""
        return self.are_same or self.are_most


def moved_rows(own: Sequence[str], references: Sequence[str]) -> Moved | None:
    """The rows whose own references are those of other rows; None where there are none.

    Where both have the same texts, that is any row with another text. Otherwise texts that both have once tell it:
    references that are corrected, or another translator's, say nothing of the order. Letters and digits make a text.

    Args:
        own: the reference that each row brings with it.
        references: those that it is paired with, as many.

    >>> moved_rows(["c", "b", "a"], ["a", "b", "c"]), moved_rows(["a.", "d"], ["A", "b"])
    (Moved(rows=2, told=3, first=(0, 2), are_same=True), None)
    """
    if own == references or (ours := [*map(letters, own)]) == (theirs := [*map(letters, references)]):
        return None
    of_ours, of_theirs = Counter(ours), Counter(theirs)
    are_same = of_ours == of_theirs
    places = {text: row for row, text in enumerate(theirs) if are_same or of_theirs[text] == 1}
    told = [row for row, text in enumerate(ours) if text in places and (are_same or of_ours[text] == 1)]
    moved = [row for row in told if ours[row] != theirs[row]]
    if not moved:
        return None
    return Moved(len(moved), len(told), (moved[0], places[ours[moved[0]]]), are_same)


def letters(text: str) -> str:
    """The letters and digits of a text, or all of it where it has none."""
    folded = unicodedata.normalize("NFC", text).casefold()
    return "".join(filter(str.isalnum, folded)) or folded.strip()


def _mostly_match(totals: Totals) -> bool:
    """Whether there are too few errors to look."""
    errors = totals.substitutions + totals.insertions + totals.deletions
    return errors < LEAST or 100 * errors < MANY * totals.path_length


def _counts(hypotheses: Sequence[str], references: Sequence[str], normalisation: Normalisation) -> Any:
    """Matches, S, I and D of each item, shape [items, 4]: results of some items are in memory at a time."""
    return np.concatenate([
        search(None, hypotheses[at : at + TOGETHER], references[at : at + TOGETHER], WER(),
               normalisation=normalisation, options=COUNTS_ONLY).table()[:, 1:5]
        for at in range(0, len(hypotheses), TOGETHER)
    ])  # fmt: skip


def _stretch_remark(own: Any, shifted: Any, every: int, shift: int) -> str:
    """The remark on the stretch of hypotheses that gain most from other references; empty where it is too little."""
    sums = np.concatenate([[0], np.cumsum(own - shifted)])
    end = int(np.argmax(sums - np.minimum.accumulate(sums)))
    begin = int(np.argmin(sums[: end + 1]))
    before, after = int(own[begin:end].sum()), int(shifted[begin:end].sum())
    most = 0.75 if end - begin >= STRETCH else 0.5
    if end - begin < FEWEST_ITEMS or before < LEAST or after > most * before or 2 * before <= every:
        return ""
    first = begin + 1 + (shift < 0)
    last = first + end - begin - 1
    what = f"missing before {first}" if shift > 0 else f"too many before {first}"
    fitting = f"{first + shift} to {last + shift}, {after} errors in place of {before}"
    return f"hypotheses {first} to {last} fit the references of items {fitting}: is a hypothesis {what}?"


def _order_remark(hypotheses: Sequence[str], references: Sequence[str]) -> str:
    """The remark on hypotheses that are references of other items; empty where few are."""
    hypotheses, references = ([" ".join(text.split()) for text in side] for side in (hypotheses, references))
    once = {text for text, times in Counter(references).items() if times == 1 and text}
    told = [(h, r) for h, r in zip(hypotheses, references, strict=True) if h in once]
    own = sum(h == r for h, r in told)
    if own * len(references) > SURELY * len(
        told
    ):  # more than chance has of another order: errors may make others
        told = [(h, r) for h, r in told if len(h.split()) >= FEWEST_ITEMS]
        own = sum(h == r for h, r in told)
    other = len(told) - own
    if other < OTHERS or other <= own:
        return ""
    return (
        f"{other} hypotheses are word for word the reference of another item, and {own} that of their own: do both "
        "sides have their items in the same order?"
    )
