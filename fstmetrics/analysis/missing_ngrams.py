"""N-grams of the references that hypotheses lack: `missing_ngrams`, for all items of a run at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics.analysis.record_table import RecordTable, narrow

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.analysis.record_table import Narrow

    Integers = npt.NDArray[np.int64]
    Numbers = npt.NDArray[np.int32]
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
    items: Numbers
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


def _runs(match: Mask, items: Numbers) -> Integers:
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
    key = item.astype(np.int64) * len(example) + number
    sorted_ = np.argsort(key, kind="stable")
    begins = np.flatnonzero(np.diff(key[sorted_], prepend=-1))
    lacking = np.maximum(np.add.reduceat(sign[sorted_], begins), 0)
    counts = np.zeros(len(example), dtype=np.int64)
    np.add.at(counts, number[sorted_[begins]], lacking)
    found = counts > 0
    return Ngrams(words[example[found]], counts[found])


# Bits of an integer that keys of rows may have.
BITS = 62
# Fewer rows than this wait until there are more to be added up.
FEW = 1 << 16


class RowCounts:
    """Rows of numbers from 0, each with how often it has come, in parts.

    Args:
        width: numbers of a row.

    >>> counts = RowCounts(2)
    >>> counts.add(np.array([[0, 1], [2, 0]]), np.array([1, 4]))
    >>> counts.add(np.array([[0, 1]]), np.array([2]))
    >>> rows, times = counts.total()
    >>> rows.tolist(), times.tolist()
    ([[0, 1], [2, 0]], [3, 4])
    """

    def __init__(self, width: int) -> None:
        self._rows: list[Narrow] = [np.zeros((0, width), dtype=np.uint8)]
        self._counts: list[Narrow] = [np.zeros(0, dtype=np.uint8)]

    def add(self, rows: npt.NDArray[Any], counts: Integers) -> None:
        """Add different rows."""
        self._rows.append(_narrow(rows))
        self._counts.append(_narrow(counts))
        if sum(map(len, self._counts[1:])) > max(FEW, len(self._counts[0]) // 4):
            self.total()

    def total(self) -> tuple[Narrow, Narrow]:
        """The different rows, and how often each has come, in types without a sign."""
        if len(self._rows) > 1:
            rows, self._rows = np.concatenate(self._rows), []
            counts, self._counts = np.concatenate(self._counts), []
            keys = row_keys(rows, int(rows.max(initial=0)) + 1)
            order = np.argsort(keys, kind="stable")
            keys = keys[order]
            begins = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])[: len(keys)])
            del keys
            counts = counts[order]
            times = np.add.reduceat(counts, begins, dtype=np.int64) if len(begins) else counts
            self._rows, self._counts = [rows[order[begins]]], [_narrow(times)]
        return self._rows[0], self._counts[0]


def _narrow(numbers: npt.NDArray[Any]) -> Narrow:
    return narrow(numbers, int(numbers.max(initial=0)))


def row_keys(rows: npt.NDArray[Any], different: int) -> Integers:
    """An integer a row, the same for the same rows only.

    Args:
        rows: shape [rows, numbers].
        different: the numbers are below this.
    """
    width = rows.shape[1]
    bits = max(different - 1, 1).bit_length()
    if width * bits <= BITS:
        keys = rows[:, 0].astype(np.int64)
        for i in range(1, width):
            keys = keys << bits | rows[:, i]
        return keys
    # Numbers for either half first.
    left, right = (
        np.unique(row_keys(half, different), return_inverse=True)[1]
        for half in (rows[:, : width // 2], rows[:, width // 2 :])
    )
    return left << 31 | right
