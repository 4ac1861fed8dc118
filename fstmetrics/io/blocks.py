"""Items of one side: `Item`, one of them; `Deferred`, a value that is read later; `Block`, many of them in columns.

A format that has many items in memory at once gives blocks whose columns are native: no Python object is made of an
item until somebody looks at it. A block of Python items is one, too, so that there is one way for all.

Blocks of lattices are put `together` to be searched, and read on a thread of their own while those before them are
worked on: `read_ahead`.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol, overload

import numpy as np
import numpy.typing as npt

from fstmetrics._native import FieldRows, LatticeColumn, Stop, StoredLines, TextColumn
from fstmetrics.data.fields import NO_FIELDS, Fields
from fstmetrics.data.transcripts import TranscriptColumn
from fstmetrics.support.equal_rows import EqualRows
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    from fstmetrics.data.segments import Segment, TimedWords


@dataclass(frozen=True, slots=True)
class Item:
    """One hypothesis or reference.

    Attributes:
        id: what pairs with the other side; None where the file has no ids and order decides.
        given: a Transcript, Texts, TimedWords, a Lattice, a Network, an NBest, or Deferred; None where the text is all.
        text: the line as written, where the value is plain text: tokenizers want it whole.
        segment: when it was spoken, where the file says so.
        left_out: what the file says of it and no value here has room for ("times"), where the caller wants to know.
        fields: what else the file says of it, by name: its speaker, its duration.
        timed: its words with times, where it is all of a recording and the file says so; or which times are missing.
    """

    id: str | None
    given: Any = None
    text: str | None = None
    segment: Segment | None = None
    left_out: tuple[str, ...] = ()
    fields: Fields = NO_FIELDS
    timed: TimedWords | str | None = field(default=None, repr=False)

    @property
    def value(self) -> Any:
        """What was given, or the words of the text: a tuple of them would take ten times the memory."""
        return tuple(self.text.split()) if self.given is None and self.text is not None else self.given

    @property
    def scored(self) -> Any:
        """What was given, or the text as it was written."""
        return self.given if self.text is None else self.text

    @property
    def is_rest(self) -> bool:
        """Whether this stands for the rest of a file that cannot be told apart any more; it has no id then."""
        return isinstance(self.given, Deferred) and self.given.is_rest

    def loaded(self) -> Item:
        """The same with its value, which is read now if it was left for later; errors as of reading."""
        return self.given.item() if isinstance(self.given, Deferred) else self


class Group(Protocol):
    """What reads the values of many items at once; those that it is equal for belong together."""

    def column(self, places: Sequence[Any]) -> LatticeColumn | None:
        """The lattices at these places; None where they are read one by one, which says what is wrong with one."""


@dataclass(frozen=True, slots=True)
class Deferred:
    """The value of an item that is read when its turn comes.

    Attributes:
        item: reads it, and raises what reading raises.
        is_rest: whether it stands for whatever follows in a file that cannot be told apart any more.
        group: what reads it together with others, where there is such a thing.
        place: where that finds it.
    """

    item: Callable[[], Item]
    is_rest: bool = False
    group: Group | None = None
    place: Any = None

    @classmethod
    def raising(cls, error: FstmetricsError) -> Deferred:
        """One that cannot be read."""
        return cls(partial(_fail, error))

    @classmethod
    def of_rest(cls, error: FstmetricsError) -> Deferred:
        """What stands for the rest of a file, and says why there is no more of it."""
        return cls(partial(_fail, error), True)


def _fail(error: FstmetricsError) -> Item:
    raise error


Sequence.register(TextColumn)
Sequence.register(LatticeColumn)


def lattices_of(values: Sequence[Any]) -> LatticeColumn | None:
    """The lattices of deferred values that one group reads; None where they are read one by one."""
    first = values[0] if values else None
    if not isinstance(first, Deferred) or first.group is None:
        return None
    group = first.group
    if not all(isinstance(v, Deferred) and v.group == group and not v.is_rest for v in values):
        return None
    try:
        return group.column([value.place for value in values])
    except (FstmetricsError, MemoryError):
        return None


class StoredFields(EqualRows[Fields]):
    """The fields of the item of every line of a table, read when they are asked for. Parts of them are in memory.

    Args:
        lines: the lines.
        names: those that items have.
    """

    __slots__ = ("_lines", "_names")

    def __init__(self, lines: StoredLines, names: list[str]) -> None:
        self._lines, self._names = lines, names

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, index: int) -> Fields: ...
    @overload
    def __getitem__(self, index: slice) -> FieldRows: ...
    def __getitem__(self, index: int | slice) -> Fields | FieldRows:
        if isinstance(index, slice):
            begin, end, step = index.indices(len(self))
            rows = self._lines.fields(begin, max(begin, end))
            return rows if step == 1 else rows[::step]
        place = range(len(self))[index]
        return self._lines.fields(place, place + 1)[0]

    def __iter__(self) -> Iterator[Fields]:
        return map(self.__getitem__, range(len(self)))

    def names(self) -> list[str]:
        """Those that items have."""
        return self._names

    def taken(self, numbers: npt.NDArray[np.int64]) -> StoredFields:
        """Those of the items with these numbers; of -1, none."""
        return StoredFields(self._lines.taken(numbers), self._names)


# A value an item; of native columns (text, lattices) no Python object is made before somebody looks.
Column = Sequence[Any]


class Block(EqualRows[Item]):
    """Items in columns.

    Args:
        ids: of each; None where no item has one.
        values: what is scored of each: texts as they were written, or what `Item.given` may be.
        fields: of each; None where no item has any.
        faults: why items cannot be read, by their place in the block; what `values` has there is not looked at.

    Attributes:
        is_native: whether no Python object is made of an item before somebody looks.

    >>> block = Block(["u1", "u2"], TextColumn(["the cat", "a dog"]))
    >>> block[1], block[:1][0].text
    (Item(id='u2', given=None, text='a dog', segment=None, left_out=(), fields={}), 'the cat')
    """

    __slots__ = ("_items", "faults", "fields", "ids", "is_native", "values")

    def __init__(
        self,
        ids: Sequence[str | None] | None,
        values: Column,
        fields: Sequence[Fields] | None = None,
        faults: Mapping[int, FstmetricsError] | None = None,
    ) -> None:
        self.ids, self.values, self.fields = ids, values, fields
        self.faults = faults or {}
        self.is_native = not isinstance(values, list)
        self._items: Sequence[Item] | None = None

    @classmethod
    def of(cls, items: Sequence[Item]) -> Block:
        """A block of items as they are."""
        if isinstance(items, Block):
            return items
        ids = [item.id for item in items]
        fields = [item.fields for item in items]
        block = cls(
            ids if any(id is not None for id in ids) else None,
            [item.scored for item in items],
            fields if any(fields) else None,
        )
        block._items = items
        return block

    @property
    def is_text(self) -> bool:
        """Whether all are texts, of which no Python object is made before somebody looks."""
        return isinstance(self.values, TextColumn)

    @property
    def has_ids(self) -> bool:
        """Whether all items have ids."""
        if isinstance(self.ids, TextColumn):
            return True
        return not len(self) or (self.ids is not None and None not in self.ids)

    @property
    def is_in_columns(self) -> bool:
        """Whether ids, texts and fields, if there are any, are native columns."""
        are_native = isinstance(self.values, TextColumn | TranscriptColumn) and isinstance(
            self.ids, TextColumn
        )
        return are_native and not self.faults and isinstance(self.fields, FieldRows | StoredFields | None)

    def taken(self, numbers: npt.NDArray[np.int64]) -> Block:
        """Of such columns the items with these numbers; of -1, an empty one."""
        assert isinstance(self.ids, TextColumn)
        assert isinstance(self.values, TextColumn | TranscriptColumn)
        assert isinstance(self.fields, FieldRows | StoredFields | None)
        fields = None if self.fields is None else self.fields.taken(numbers)
        return Block(self.ids.taken(numbers), self.values.taken(numbers), fields)

    def __len__(self) -> int:
        return len(self.values)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Block: ...
    def __getitem__(self, index: int | slice) -> Item | Block:
        if isinstance(index, slice):
            return self._part(index)
        return self._item(range(len(self))[index])

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items) if self._items is not None else map(self._item, range(len(self)))

    def _item(self, place: int) -> Item:
        if self._items is not None:
            return self._items[place]
        id = self.ids[place] if self.ids is not None else None
        fields = self.fields[place] if self.fields is not None else NO_FIELDS
        if place in self.faults:
            return Item(id, Deferred.raising(self.faults[place]), fields=fields)
        value = self.values[place]
        return (
            Item(id, None, value, fields=fields) if isinstance(value, str) else Item(id, value, fields=fields)
        )

    def _part(self, part: slice) -> Block:
        places = range(len(self))[part]
        faults = self.faults and {n: self.faults[p] for n, p in enumerate(places) if p in self.faults}
        block = Block(
            None if self.ids is None else self.ids[part],
            self.values[part],
            None if self.fields is None else self.fields[part],
            faults,
        )
        block._items = None if self._items is None else self._items[part]
        return block


# Lattices are searched together until they have so many states and arcs.
TOGETHER = 1 << 15


def together(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks in order; of lattices, small ones are put together: a call for each would take longer than the search.

    Raises:
        FstmetricsError: what the blocks raise, behind all that came before.
    """
    waiting: list[tuple[TextColumn, LatticeColumn]] = []
    failure: FstmetricsError | None = None
    each = iter(blocks)
    while True:
        try:
            block = next(each, None)
        except FstmetricsError as error:
            block, failure = None, error
        columns = None if block is None else _joinable(block)
        if waiting and (columns is None or columns[1].vocabulary is not waiting[0][1].vocabulary):
            yield _joined(waiting)
            waiting = []
        if failure:
            raise failure
        if block is None:
            return
        if columns is None:
            yield block
            continue
        waiting.append(columns)
        if sum(lattices.weight for _, lattices in waiting) >= TOGETHER:
            yield _joined(waiting)
            waiting = []


def _joinable(block: Block) -> tuple[TextColumn, LatticeColumn] | None:
    """The ids and lattices of a block that has nothing else."""
    if not isinstance(block.values, LatticeColumn) or not isinstance(block.ids, TextColumn):
        return None
    return None if block.faults or block.fields is not None else (block.ids, block.values)


def _joined(columns: Sequence[tuple[TextColumn, LatticeColumn]]) -> Block:
    ids, values = zip(*columns, strict=True)
    return (
        Block(*columns[0])
        if len(columns) == 1
        else Block(TextColumn.of_parts(ids), LatticeColumn.joined(values))
    )


def read_ahead(blocks: Iterator[Block]) -> Iterator[Block]:
    """The blocks in order, read one ahead; what reading raises comes in its place.

    Whoever does not come to the end closes the generator, or Python does at its own end: the thread stops then.

    >>> list(read_ahead(iter([Block(["u1"], [1])])))[0].ids
    ['u1']
    """
    ahead = _Ahead(blocks)
    atexit.register(ahead.stop)
    try:
        while (block := ahead.next()) is not None:
            yield block
    finally:
        ahead.stop()
        atexit.unregister(ahead.stop)


class _Ahead:
    """A thread that reads a block whenever one has been taken."""

    def __init__(self, blocks: Iterator[Block]) -> None:
        self._blocks = blocks
        self._stop = Stop()
        self._wanted: SimpleQueue[bool] = SimpleQueue()
        self._read: SimpleQueue[Block | BaseException | None] = SimpleQueue()
        self._wanted.put(True)
        self._thread = Thread(target=self._work, name="reading ahead", daemon=True)
        self._thread.start()

    def next(self) -> Block | None:
        """The next block, None at the end. Raises what reading raised."""
        found = self._read.get()
        if isinstance(found, BaseException):
            raise found
        self._wanted.put(True)
        return found

    def stop(self) -> None:
        """End the thread, and what it is reading."""
        self._stop.set()
        self._wanted.put(False)
        self._thread.join()

    def _work(self) -> None:
        self._stop.heed()
        while self._wanted.get():
            try:
                found = next(self._blocks, None)
            except BaseException as error:  # all of it is for whoever waits
                self._read.put(error)
                return
            self._read.put(found)
            if found is None:
                return
