"""N-grams of the references that hypotheses lack: `missing_ngrams`, for all items of a run at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics.analysis.record_table import RecordTable
from fstmetrics.analysis.row_counts import row_keys

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    Mask = npt.NDArray[np.bool_]

# N-grams are counted up to this order.
MAX_ORDER = 4


class Ngrams(NamedTuple):
    """N-grams of one order and how often each is missing.

    Attributes:
        words: numbers of their words, shape [n-grams, order].
        counts: shape [n-grams].
    """

    words: Integers
    counts: Integers


class _Side(NamedTuple):
    """The words of one side of all items, one after the other.

    Attributes:
        words: their numbers.
        items: the item of each.
        left: how many words of its item follow each.
        run: how many matches begin with each in a row: n-grams within such a run are on both sides.
    """

    words: Integers
    items: Integers
    left: Integers
    run: Integers


def missing_ngrams(table: RecordTable, max_order: int = MAX_ORDER) -> dict[int, Ngrams]:
    """By order up to `max_order`, the n-grams of the closest paths that the hypotheses, in their own order, lack.

    An n-gram that a hypothesis has once and its reference twice is missing once. Only n-grams at errors are looked at:
    those that lie within a run of matches are as often on either side. Time: that of sorting them.
    """
    if not max_order:
        return {}
    sides = [_side(table, side) for side in ("reference", "hypothesis")]
    return {order: _missing(sides, order, len(table.words)) for order in range(1, max_order + 1)}


def _side(table: RecordTable, name: str) -> _Side:
    wrong = table.errors > 0
    # What is under a wildcard counts nowhere.
    kept = wrong[table.items] & ~table.has("*")
    items, letters = table.items[kept], table.letters[kept]
    run = _runs(letters == ord("="), items)
    present = letters != ord("I" if name == "reference" else "D")
    words = getattr(table, name)[kept][present].astype(np.int64)
    items, run = items[present], run[present]
    moved = table.counts["moves"] > 0
    if moved.any():
        # Matches in another order are no runs; and n-grams are those of the order in which the words were given.
        run[moved[items]] = 0
        if name == "hypothesis":
            for item in np.flatnonzero(moved).tolist():
                begin, end = np.searchsorted(items, (item, item + 1))
                words[begin:end] = table.words.numbers(table.special[item].hypothesis)
    ends = np.searchsorted(items, items, side="right")
    return _Side(words, items, ends - np.arange(len(items)), run)


def _runs(match: Mask, items: Integers) -> Integers:
    """How many matches of the same item begin at each operation in a row."""
    places = np.arange(len(match))
    ends = np.searchsorted(items, items, side="right")
    wrong = np.where(match, len(match), places)
    following = np.minimum.accumulate(wrong[::-1])[::-1] if len(wrong) else wrong
    runs: Integers = np.minimum(following, ends) - places
    return runs


def _missing(sides: list[_Side], order: int, vocabulary: int) -> Ngrams:
    grams, items, signs = [], [], []
    for side, more in zip(sides, (1, -1), strict=True):
        first = np.flatnonzero((side.run < order) & (side.left >= order))
        grams.append(np.stack([side.words[first + i] for i in range(order)], axis=1))
        items.append(side.items[first])
        signs.append(np.full(len(first), more))
    words, item, sign = np.concatenate(grams), np.concatenate(items), np.concatenate(signs)
    if not len(words):
        return Ngrams(words, sign)
    _, example, number = np.unique(row_keys(words, vocabulary), return_index=True, return_inverse=True)
    # By item and n-gram: how much more often the reference has it.
    key = item * len(example) + number
    sorted_ = np.argsort(key, kind="stable")
    begins = np.flatnonzero(np.diff(key[sorted_], prepend=-1))
    lacking = np.maximum(np.add.reduceat(sign[sorted_], begins), 0)
    counts = np.zeros(len(example), dtype=np.int64)
    np.add.at(counts, number[sorted_[begins]], lacking)
    found = counts > 0
    return Ngrams(words[example[found]], counts[found])
