"""The statistics of items as narrow as they are: `ItemTable`, in memory or in a temporary file; `TableWriter` makes it.

Whole numbers take the bytes that the largest of them needs, mostly one, and are floating-point numbers only as parts of
a table are asked for. Tables together take no more memory than `Room` has; the others are in files, which have no name,
so that they are gone with the process, however it ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import limits

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus_metric import Table

    Rows = npt.NDArray[Any]
    Places = Sequence[int] | npt.NDArray[np.int64] | npt.NDArray[np.bool_]

# Rows that are looked at at a time.
PART = 1 << 16
# Statistics have this part of the bytes that a file in memory may have (the limit `bytes`).
SHARE = 64
# Whole numbers up to here are exact; sums of a table are where they are below a part of it, as no weight of an item is
# larger than this part on average.
EXACT, MEAN_WEIGHT = 2**53, 16


class Extent(NamedTuple):
    """How large the numbers of a table are.

    Attributes:
        is_whole: whether all are whole numbers, whose sums by weight are exact.
        largest: the largest absolute value; not a number if a value is none.
    """

    is_whole: bool
    largest: float


class ItemTable:
    """Numbers of items, shape [items, columns]; does not change.

    Args:
        rows: all of them.
        room: the memory that tables made of it may take; None: what the limits leave.

    Attributes:
        width: how many columns there are.

    >>> table = ItemTable(np.array([[1, 5], [0, 7]]))
    >>> len(table), table.width, table.sums.tolist(), table.part(1, 2).tolist()
    (2, 2, [1.0, 12.0], [[0.0, 7.0]])
    """

    def __init__(self, rows: Rows | FiledRows, room: Room | None = None) -> None:
        self._rows, self.room = rows, room
        self.width = int(rows.shape[1])

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def is_filed(self) -> bool:
        """Whether it is in a file."""
        return isinstance(self._rows, FiledRows)

    def raw(self, begin: int, end: int) -> Rows:
        """Some rows as they are kept: they are not to be computed with, as narrow integers overflow."""
        return self._rows[begin:end]

    def part(self, begin: int, end: int) -> Table:
        """Some rows."""
        return self.raw(begin, end).astype(np.float64, copy=False)

    def parts(self) -> Iterator[Table]:
        """All rows, some at a time."""
        return (self.part(begin, begin + PART) for begin in range(0, len(self), PART))

    @property
    def values(self) -> Table:
        """All rows."""
        return self.part(0, len(self))

    def taken(self, places: Places) -> ItemTable:
        """The rows at some places, in ascending order; or a table of as many truth values."""
        wanted = np.asarray(places)
        if wanted.dtype == np.bool_:
            wanted = np.flatnonzero(wanted)
        if not isinstance(self._rows, FiledRows):
            return ItemTable(self._rows[wanted.astype(np.int64)], self.room)
        writer = TableWriter(self.width, self.room)
        for begin in range(0, len(self), PART):
            first, last = np.searchsorted(wanted, [begin, begin + PART])
            if first < last:
                writer.add(self.part(begin, begin + PART)[wanted[first:last] - begin])
        return writer.table()

    @cached_property
    def sums(self) -> Table:
        """Of each column, shape [columns]."""
        if self._rows.dtype.kind == "f":
            return np.array([self._exact_sum(column) for column in range(self.width)])
        found = np.zeros(self.width, dtype=np.int64)
        for begin in range(0, len(self), PART):
            found += self.raw(begin, begin + PART).sum(axis=0, dtype=np.int64)
        return found.astype(np.float64)

    def _exact_sum(self, column: int) -> float:
        """The same in any order of the rows, unless it is beyond all doubles."""
        try:
            return math.fsum(chain.from_iterable(part[:, column].tolist() for part in self.parts()))
        except (OverflowError, ValueError):  # infinite
            return float(sum(float(part[:, column].sum()) for part in self.parts()))

    @cached_property
    def extent(self) -> Extent:
        """How large the numbers are."""
        whole, largest = True, 0.0
        for begin in range(0, len(self), PART):
            rows = self.raw(begin, begin + PART)
            whole = whole and _are_whole(rows)
            largest = max(largest, float(np.abs(rows.astype(np.float64, copy=False)).max(initial=0)))
        return Extent(whole and MEAN_WEIGHT * largest * max(len(self), 1) < EXACT, largest)


class FiledRows:
    """Rows of one type in a file without a name."""

    def __init__(self, width: int, dtype: np.dtype[Any]) -> None:
        import tempfile  # takes as long to import as all of this

        self.shape, self.dtype = (0, width), dtype
        self._bytes = dtype.itemsize * width
        with _kept_somewhere():
            self._file: IO[bytes] = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115

    def __len__(self) -> int:
        return self.shape[0]

    def add(self, rows: Rows) -> None:
        """Write more."""
        data = np.ascontiguousarray(rows, dtype=self.dtype).reshape(-1).view(np.uint8).data
        with _kept_somewhere():
            self._file.seek(self._bytes * len(self))
            while data:
                data = data[self._file.write(data) :]
        self.shape = len(self) + len(rows), self.shape[1]

    def __getitem__(self, index: slice) -> Rows:
        begin, end, _ = index.indices(len(self))
        rows = np.empty((max(end - begin, 0), self.shape[1]), dtype=self.dtype)
        rest = rows.reshape(-1).view(np.uint8).data
        with _kept_somewhere():
            self._file.seek(self._bytes * begin)
            while rest:
                count = self._file.readinto(rest)  # type: ignore[attr-defined]
                if not count:
                    raise OSError("it ends too soon")
                rest = rest[count:]
        return rows


@contextmanager
def _kept_somewhere() -> Iterator[None]:
    """Says what is the matter where a temporary file cannot be written or read."""
    try:
        yield
    except OSError as error:
        import tempfile

        raise FstmetricsError(
            f"statistics of items are kept in a temporary file in {tempfile.gettempdir()}, and that failed: "
            f"{error.strerror or error}; TMPDIR=FOLDER names another folder"
        ) from None


class Room:
    """The memory that tables may take together.

    Args:
        size: bytes; None: what the limits leave for statistics.
    """

    def __init__(self, size: int | None = None) -> None:
        self.left = limits().bytes // SHARE if size is None else size


class TableWriter:
    """Makes a table of rows that come one after the other.

    Args:
        width: how many columns there are.
        room: the memory that it may take, with others.

    >>> writer = TableWriter(2)
    >>> writer.add(np.array([[1.0, 2.0]]))
    >>> writer.add(np.array([[-300.0, 0.0]]))
    >>> writer.table().values.tolist(), writer.table().raw(0, 1).dtype
    ([[1.0, 2.0], [-300.0, 0.0]], dtype('int16'))
    """

    def __init__(self, width: int, room: Room | None = None) -> None:
        self._width, self._room = width, room or Room()
        self._dtype: np.dtype[Any] | None = None
        self._held: list[Rows] = []
        self._filed: FiledRows | None = None

    def add(self, rows: Table) -> None:
        """Add some."""
        narrow = narrowed(rows)
        dtype = narrow.dtype if self._dtype is None else np.result_type(self._dtype, narrow.dtype)
        self._dtype = dtype
        if self._filed is not None:
            if dtype != (before := self._filed).dtype:
                self._filed = FiledRows(self._width, dtype)
                for begin in range(0, len(before), PART):
                    self._filed.add(before[begin : begin + PART])
            self._filed.add(narrow)
            return
        self._held.append(narrow)
        self._room.left -= narrow.nbytes
        if self._room.left < 0:
            self._filed = FiledRows(self._width, dtype)
            for held in self._held:
                self._filed.add(held)
                self._room.left += held.nbytes
            self._held = []

    def table(self) -> ItemTable:
        """All of them."""
        if self._filed is not None:
            return ItemTable(self._filed, self._room)
        if self._dtype is None:
            return ItemTable(np.zeros((0, self._width)), self._room)
        if len(self._held) > 1:
            self._held = [np.concatenate(self._held, dtype=self._dtype)]
        return ItemTable(self._held[0].astype(self._dtype, copy=False), self._room)


def beside(tables: Sequence[ItemTable]) -> ItemTable:
    """The columns of tables of the same items side by side.

    >>> beside([ItemTable(np.array([[1], [2]])), ItemTable(np.array([[3], [4]]))]).values.tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    writer = TableWriter(sum(table.width for table in tables), tables[0].room)
    for parts in zip(*(table.parts() for table in tables), strict=True):
        writer.add(np.concatenate(parts, axis=1))
    return writer.table()


def narrowed(rows: Table) -> Rows:
    """The same values in the fewest bytes that hold each of them exactly."""
    if not _are_whole(rows) or (np.signbit(rows) & (rows == 0)).any():
        return np.array(rows, dtype=np.float64)
    low, high = int(rows.min(initial=0)), int(rows.max(initial=0))
    if max(-low, high) >= EXACT:
        return np.array(rows, dtype=np.float64)
    return rows.astype(np.min_scalar_type(min(low, -high - 1) if low < 0 else high))


def _are_whole(rows: Rows) -> bool:
    """Whether all are integers."""
    return rows.dtype.kind in "iu" or bool((np.isfinite(rows) & (rows == np.rint(rows))).all())
