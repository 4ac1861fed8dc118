"""What is said where items are paired by order and match other items better than their own: `misplaced_remark`.

A line that is lost or added on one side moves all that follow, and no count tells where another one makes up for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from fstmetrics.engine.batch import Batch
from fstmetrics.engine.search import COUNTS_ONLY, search
from fstmetrics.engine.sides import are_texts
from fstmetrics.engine.unlike_spellings import FEWEST_ITEMS, LEAST
from fstmetrics.metrics.base import Totals
from fstmetrics.metrics.wer import WER
from fstmetrics.text.normalisation import Normalisation

# Items that are looked at, the first ones; and of how many words in a hundred errors are a ground to look.
MOST, MANY = 200_000, 30
# Fewer texts that are another item's reference tell nothing.
OTHERS = 5


def misplaced_remark(
    hypotheses: Sequence[Any],
    references: Sequence[Any],
    normalisation: Normalisation,
    totals: Totals | None = None,
) -> str:
    """What to say of texts that are paired by order; empty where there is no ground.

    A stretch of items is named where they have at most half the errors with the references one further, or one before,
    and more than half of all errors. Of texts in another order, it is said how many are the reference of another item,
    word for word, among references that there are once.

    Args:
        hypotheses, references: texts of each item; of others nothing is said.
        normalisation: what was done to them.
        totals: of words, of all items, where they were counted: nothing is looked at where most match.

    >>> texts = ["the cat sat", "a dog ran", "it is so", "we go home", "good day sir", "see you"]
    >>> misplaced_remark([texts[0], *texts[2:], ""], texts, Normalisation())
    'hypotheses 2 to 5 have 0 errors with the references one further, and 12 with their own: is one lost before?'
    """
    if len(hypotheses) < FEWEST_ITEMS or normalisation.normaliser is not None or (totals and _match(totals)):
        return ""
    hypotheses, references = hypotheses[:MOST], references[:MOST]
    if not (are_texts(hypotheses) and are_texts(references)):
        return ""
    rules = replace(normalisation, unit="word")
    found = _found(hypotheses, references, rules)
    if _match(found.sum()):
        return ""
    own = _errors(found)
    for shift in (1, -1):
        sides = (hypotheses[:-1], references[1:]) if shift > 0 else (hypotheses[1:], references[:-1])
        paired = own[:-1] if shift > 0 else own[1:]
        if remark := _stretch(paired, _errors(_found(*sides, rules)), int(own.sum()), shift):
            return remark
    return _order(hypotheses, references)


def _match(totals: Totals) -> bool:
    """Whether there are too few errors to look."""
    errors = totals.substitutions + totals.insertions + totals.deletions
    return errors < LEAST or 100 * errors < MANY * totals.path_length


def _found(hypotheses: Sequence[str], references: Sequence[str], normalisation: Normalisation) -> Batch:
    return search(None, hypotheses, references, WER(), normalisation=normalisation, options=COUNTS_ONLY)


def _errors(found: Batch) -> Any:
    """Edits of each item."""
    return found.table()[:, 2:5].sum(axis=1)


def _stretch(own: Any, shifted: Any, every: int, shift: int) -> str:
    """The remark on the stretch of hypotheses that gain most from other references; empty where it is too little."""
    sums = np.concatenate([[0], np.cumsum(own - shifted)])
    end = int(np.argmax(sums - np.minimum.accumulate(sums)))
    begin = int(np.argmin(sums[: end + 1]))
    before, after = int(own[begin:end].sum()), int(shifted[begin:end].sum())
    if end - begin < FEWEST_ITEMS or before < LEAST or 2 * after > before or 2 * before <= every:
        return ""
    first = begin + 1 + (shift < 0)
    where, what = ("one further", "lost") if shift > 0 else ("one before", "added")
    return (
        f"hypotheses {first} to {first + end - begin - 1} have {after} errors with the references {where}, and "
        f"{before} with their own: is one {what} before?"
    )


def _order(hypotheses: Sequence[str], references: Sequence[str]) -> str:
    """The remark on hypotheses that are references of other items; empty where few are."""
    hypotheses, references = ([" ".join(text.split()) for text in side] for side in (hypotheses, references))
    once = {text for text, times in Counter(references).items() if times == 1 and text}
    told = [(h, r) for h, r in zip(hypotheses, references, strict=True) if h in once]
    own = sum(h == r for h, r in told)
    other = len(told) - own
    if other < OTHERS or other <= own:
        return ""
    return (
        f"{other} hypotheses are word for word the reference of another item, and {own} that of their own: do both "
        "sides have their items in the same order?"
    )
