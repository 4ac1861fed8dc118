"""How often each row of numbers has come: `RowCounts`; `row_keys`, an integer for each row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]

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
        self._rows = [np.zeros((0, width), dtype=np.int32)]
        self._counts = [np.zeros(0, dtype=np.int64)]

    def add(self, rows: npt.NDArray[Any], counts: Integers) -> None:
        """Add different rows."""
        if not sum(map(len, self._counts)):
            self._rows, self._counts = [], []
        self._rows.append(rows.astype(np.int32))
        self._counts.append(counts)
        if sum(map(len, self._counts[1:])) > max(FEW, len(self._counts[0]) // 4):
            self.total()

    def total(self) -> tuple[npt.NDArray[np.int32], Integers]:
        """The different rows, and how often each has come."""
        if len(self._rows) > 1:
            rows, self._rows = np.concatenate(self._rows), []
            counts, self._counts = np.concatenate(self._counts), []
            keys = row_keys(rows, int(rows.max(initial=0)) + 1)
            order = np.argsort(keys, kind="stable")
            keys = keys[order]
            begins = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])[: len(keys)])
            del keys
            times = np.add.reduceat(counts[order], begins) if len(begins) else counts
            self._rows, self._counts = [rows[order[begins]]], [times]
        return self._rows[0], self._counts[0]


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
