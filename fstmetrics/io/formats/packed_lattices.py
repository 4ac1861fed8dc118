"""Packed lattices: batches of lattices in one Arrow file that is read by mapping it; reading and writing.

docs/packed.md describes the columns; `packed_file` has the layout. What a lattice has comes back bit for bit: states,
arcs and final states in their order, both costs, words, scales, times of states or durations of arcs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

import numpy as np

from fstmetrics._native import Automaton, LatticeColumn, PackedColumns, PackedReader, TextColumn, Vocabulary
from fstmetrics.data.lattice import Lattice, Scales
from fstmetrics.data.symbols import EPSILON_WORDS, SymbolTable
from fstmetrics.data.times import Durations, Times, TimeUnit
from fstmetrics.io.arcs import INTEGER
from fstmetrics.io.blocks import Block
from fstmetrics.io.items import WIDEST, Deferred, Format, IndexedPlace, Item, Place, ReadOptions, check_item
from fstmetrics.io.lattice_batches import items_of_blocks, text_labels
from fstmetrics.io.packed_file import Columns, Content, DamagedError, PackedFile, PackedFileWriter, strings
from fstmetrics.io.window import checksum_of, let_go, part_of
from fstmetrics.io.writing import Carries, WriteOptions, Writer
from fstmetrics.io.written_words import check_characters, read_symbols
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.file_bytes import FileState, state_of
from fstmetrics.support.limits import MOST, limits
from fstmetrics.support.source import File, Source

# A batch is written when its lattices have so many arcs and states, or are so many.
BATCH_SIZE, BATCH_ROWS = 1 << 18, 1 << 13
# Lattices that are read together have about so many arcs and states.
PART_SIZE = 1 << 17
# Values a lattice of arrays that are no lists.
PER_ROW = {"states": 1, "start": 1, "numbered": 1, "scales.item": 3}
UNITS: Mapping[str, TimeUnit | None] = {"": None, "seconds": "seconds", "frames": "frames"}
FIRST_NOT_ASCII = 0x80
FAULT = "packed lattices that cannot be read"
AGAIN = "pack the lattices again"


class PackedWriter:
    """The bytes of a file of lattices, piece by piece: `begin`, what is added, `end`."""

    def __init__(self) -> None:
        self._file = PackedFileWriter()
        self._columns = PackedColumns()

    def begin(self) -> bytes:
        """What comes first."""
        return self._file.begin() + self._file.words(self._columns.take_words())

    def add(self, id: str, lattice: Lattice) -> bytes:
        """Add a lattice under an id; returns a batch, if it is full now.

        Raises:
            FstmetricsError: a word or id with a character that no text has.
        """
        check_characters("id", id)
        times, scales = lattice.times, lattice.scales
        self._columns.add(
            id, lattice.automaton, lattice.symbols.words, (scales.lm, scales.acoustic, scales.word_penalty),
            times.of_state if isinstance(times, Times) else None,
            times.of_arc if isinstance(times, Durations) else None,
            "" if times is None else times.unit, lattice.numbered,
        )  # fmt: skip
        return self._batch() if self._is_full else b""

    def add_column(self, column: LatticeColumn, ids: Sequence[str] | None = None) -> Iterator[bytes]:
        """Add the lattices of a column, none of them damaged, in one call of the engine for each batch.

        Args:
            column: the lattices.
            ids: under which they are added; None: their own.

        Yields:
            The batches that are full.

        Raises:
            FstmetricsError: as of `add`.
        """
        for id in () if ids is None else ids:
            check_characters("id", id)
        begin = 0
        while begin < len(column):
            rest = None if ids is None else list(ids[begin:])
            begin = self._columns.add_column(column, begin, len(column), rest, BATCH_SIZE, BATCH_ROWS)
            if self._is_full:
                yield self._batch()

    def end(self) -> bytes:
        """What comes last."""
        last = self._batch() if len(self._columns) else b""
        return last + self._file.end()

    @property
    def _is_full(self) -> bool:
        return self._columns.size >= BATCH_SIZE or len(self._columns) >= BATCH_ROWS

    def _batch(self) -> bytes:
        new = self._columns.take_words()
        for word in new:
            check_characters("word", word)
        rows = len(self._columns)
        return (self._file.words(new) if new else b"") + self._file.batch(self._columns.take(), rows)


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """A file of lattices, batch by batch.

    Raises:
        FstmetricsError: a word or id with a character that no text has.
    """
    yield from write_blocks(Block.of([item]) for item in items)


def write_blocks(blocks: Iterator[Block]) -> Iterator[bytes]:
    """The same of blocks, whose columns of lattices have ids and no faults."""
    writer = PackedWriter()
    yield writer.begin()
    for block in blocks:
        if isinstance(block.values, LatticeColumn):
            yield from writer.add_column(block.values, [id or "" for id in block.ids or ()])
            continue
        for item in block:
            if piece := writer.add(item.id or "", item.value):
                yield piece
    yield writer.end()


def packed_columns(column: LatticeColumn) -> dict[str, Any]:
    """The lattices of a column, none of them damaged, as arrays, with their words as `entries`; see `column_of`."""
    columns = PackedColumns()
    columns.add_column(column, 0, len(column), None, MOST, MOST)
    return {**strings(columns.take_words(), "entries"), **columns.take()}


@dataclass(frozen=True, slots=True)
class _Rows:
    """The lattices of a batch."""

    columns: Columns
    words: Sequence[str]

    def parts(self) -> Iterator[_Rows]:
        """The same in parts that searches have room for in the caches of a processor."""
        sizes = np.diff(self.columns["arcs.offsets"]).astype(np.int64) + self.columns["states"].clip(0)
        number = np.cumsum(sizes) // PART_SIZE
        ends = [*(np.flatnonzero(np.diff(number)) + 1).tolist(), len(sizes)]
        for begin, end in pairwise([0, *ends]):
            yield _Rows(
                {name: _rows_of(name, each, begin, end) for name, each in self.columns.items()}, self.words
            )

    def text(self, path: str, row: int) -> str:
        """A string of a column; UnicodeDecodeError where it is none."""
        begin, end = self.columns[f"{path}.offsets"][row : row + 2].tolist()
        return bytes(self.columns[f"{path}.bytes"][begin:end]).decode()

    def _items(self, path: str, row: int, within: str = "item", width: int = 1) -> Any:
        begin, end = self.columns[f"{path}.offsets"][row : row + 2].tolist()
        return self.columns[f"{path}.{within}"][begin * width : end * width]

    def lattice(self, row: int) -> Lattice:
        """One of them. Raises ValueError or FstmetricsError for what no lattice has."""
        numbers = self._items("words", row).tolist()
        if numbers[:1] != [0] or not all(0 <= number < len(self.words) for number in numbers):
            raise ValueError("a word without a number")
        sources, destinations, labels = (
            self._items("arcs", row, f"item.{name}") for name in ("source", "destination", "label")
        )
        finals = self._items("finals", row)
        costs = [self._costs("arc_costs", row, sources.size), self._costs("final_costs", row, finals.size)]
        automaton = Automaton(
            int(self.columns["states"][row]), int(self.columns["start"][row]),
            sources, labels, destinations, finals, *costs,
        )  # fmt: skip
        if not (np.diff(sources) >= 0).all() or automaton.min_label < 0:
            raise ValueError("arcs out of order")
        return Lattice(
            automaton, SymbolTable([self.words[number] for number in numbers[1:]]), id=self.text("id", row),
            scales=Scales(*self.columns["scales.item"][3 * row : 3 * row + 3].tolist()),
            times=self._times(row), numbered=bool(self.columns["numbered"][row]),
        )  # fmt: skip

    def _costs(self, path: str, row: int, count: int) -> Any:
        costs = self._items(path, row, "item.item", 2).reshape(-1, 2)
        if len(costs) not in (0, count) or not np.isfinite(costs).all():
            raise ValueError("costs that are no numbers")
        return costs if len(costs) else None

    def _times(self, row: int) -> Times | Durations | None:
        unit = self.text("time_unit", row)
        of_state, of_arc = self._items("state_times", row), self._items("arc_durations", row)
        if unit not in UNITS:
            raise ValueError(f"times in {unit!r}")
        known = UNITS[unit]
        if known is None:
            return None
        return Times(of_state.copy(), known) if of_state.size else Durations(of_arc.copy(), known)


def _rows_of(name: str, values: Any, begin: int, end: int) -> Any:
    """What an array of a batch has of some rows: lists lie where their offsets say."""
    if name.startswith("entries."):
        return values
    if name.endswith(".offsets"):
        return values[begin : end + 1]
    return values[begin * PER_ROW[name] : end * PER_ROW[name]] if name in PER_ROW else values


def _rows(data: memoryview, path: str) -> Iterator[_Rows]:
    """The batches of a file. Raises InputError where the file is damaged."""
    words: list[str] = []
    with _faults(path):
        for begin, columns in PackedFile(data).parts():
            let_go(data, begin)
            words += _words(columns)
            yield _Rows(columns, words)


def _words(columns: Columns) -> list[str]:
    """The words that are new with a batch."""
    content = bytes(columns["entries.bytes"])
    return [content[begin:end].decode() for begin, end in pairwise(columns["entries.offsets"].tolist())]


def _opened(data: Content, path: str) -> PackedFile:
    """The file, its footer read. Raises InputError where that is damaged."""
    with _faults(path):
        return PackedFile(data)


@contextmanager
def _faults(path: str) -> Iterator[None]:
    """Name the file where it is damaged."""
    try:
        yield
    except (DamagedError, UnicodeDecodeError) as error:
        problem = str(error) if isinstance(error, DamagedError) else "a word is not UTF-8"
        advice = "" if problem.endswith("install a later one") else f"; {AGAIN}"
        raise InputError(f"{FAULT}: {problem}{advice}", path) from None


def _columns(data: memoryview, path: str, options: ReadOptions) -> Iterator[tuple[LatticeColumn, _Rows]]:
    """The lattices, some of a batch at a time; damaged are those that `_Rows` alone can make, or that nothing can."""
    labels = text_labels(options, True) if options.symbols else None
    reader = PackedReader(options.vocabulary, limits().states, labels)
    for rows in _rows(data, path):
        reader.add_words(rows.columns["entries.offsets"].astype(np.int32), rows.columns["entries.bytes"])
        for part in rows.parts():
            column = LatticeColumn(options.vocabulary)
            reader.read(dict(part.columns), column)
            yield column, part


def lattices_of(columns: Columns, vocabulary: Vocabulary) -> tuple[Sequence[Any], dict[int, str]]:
    """The lattices of arrays that another library has read, and what is wrong with those that are damaged.

    Args:
        columns: as of `PackedFile`, with the words of the dictionary as `entries`. Offsets never fall, and lengths fit.
        vocabulary: the words of the run.
    """
    offsets, rows = columns["entries.offsets"], _Rows(columns, _words(columns))
    reader = PackedReader(vocabulary, limits().states)
    reader.add_words(offsets, columns["entries.bytes"])
    column = LatticeColumn(vocabulary)
    reader.read(dict(columns), column)
    longest = int(np.diff(offsets).max(initial=0))
    apart = range(len(column)) if longest > limits().label else sorted({*column.damaged, *_large(rows)})
    if not apart:
        return column, {}
    values: list[Any] = [None if row in column.damaged else column[row] for row in range(len(column))]
    faults: dict[int, str] = {}
    for row in apart:
        try:
            item = _item(rows, row, rows.text("id", row), "a batch")
            check_item(item, "a batch")
            values[row] = item.given
        except FstmetricsError as error:
            faults[row] = str(error)
    return values, faults


def column_of(columns: Columns) -> LatticeColumn:
    """The lattices of `packed_columns`, which were within the limits, in one column."""
    column = LatticeColumn(Vocabulary())
    reader = PackedReader(column.vocabulary, limits().states)
    reader.add_words(columns["entries.offsets"].astype(np.int32), columns["entries.bytes"])
    reader.read(dict(columns), column)
    if column.damaged:
        raise FstmetricsError(f"{FAULT}: lattice {column.damaged[0]}")
    return column


def _read(
    data: memoryview, path: str, options: ReadOptions
) -> Iterator[tuple[LatticeColumn, _Rows, Sequence[int]]]:
    """The lattices, batch by batch, and which of them go by the one way that says which lattice is beyond a limit."""
    table = read_symbols(options.symbols).values() if options.symbols else ()
    longest = WIDEST * max(map(len, table), default=0)
    for column, rows in _columns(data, path, options):
        longest = max(longest, int(np.diff(rows.columns["entries.offsets"]).max(initial=0)))
        are_long = longest > limits().label
        yield column, rows, range(len(column)) if are_long else sorted({*column.damaged, *_large(rows)})


def _id(rows: _Rows, row: int, path: str) -> str:
    try:
        return rows.text("id", row)
    except UnicodeDecodeError:
        raise InputError(f"{FAULT}: an id is not UTF-8; {AGAIN}", path) from None


def _blocks(file: File, options: ReadOptions) -> Iterator[Block]:
    """The lattices in native columns, a batch of the file at a time.

    What may be damaged or beyond a limit is a block of its own, whose value is read when it is asked for.
    """
    return file.unchanged(_blocks_of(file.mapped(), file.path, options))


def _blocks_of(data: memoryview, path: str, options: ReadOptions) -> Iterator[Block]:
    for column, rows, alone in _read(data, path, options):
        begin = 0
        for end in (*alone, len(column)):
            if begin < end:
                ids, fault = _ids(rows, begin, end, path)
                if ids:
                    yield Block(ids, column if len(ids) == len(column) else column[begin : begin + len(ids)])
                if fault:
                    raise fault
            if end < len(column):
                id = _id(rows, end, path)
                yield Block.of([Item(id, Deferred(partial(_item, rows, end, id, path, options.symbols)))])
            begin = end + 1


def _large(rows: _Rows) -> list[int]:
    """Lattices that have an id or more arcs than the limits allow."""
    bounds, columns = limits(), rows.columns
    arcs, ids = (np.diff(columns[f"{name}.offsets"]) for name in ("arcs", "id"))
    return np.flatnonzero((arcs > bounds.arcs) | (ids > bounds.label)).tolist()


def _ids(rows: _Rows, begin: int, end: int, path: str) -> tuple[TextColumn | list[str], InputError | None]:
    """The ids of some lattices up to the first one that is damaged, and what is wrong with that."""
    offsets, content = rows.columns["id.offsets"][begin : end + 1], rows.columns["id.bytes"]
    if content[offsets[0] : offsets[-1]].max(initial=0) < FIRST_NOT_ASCII:
        return TextColumn.of_buffers(offsets, content), None
    ids: list[str] = []
    try:
        for row in range(begin, end):
            ids.append(_id(rows, row, path))
    except InputError as error:
        return ids, error
    return TextColumn(ids), None


def _item(rows: _Rows, row: int, id: str, path: str, symbols: str | None = None) -> Item:
    states = int(rows.columns["states"][row])
    limits().check("states", states, f"lattice {id[:40]!r} has", "states", path)
    try:
        lattice = rows.lattice(row)
    except (ValueError, FstmetricsError) as error:
        raise InputError(f"{FAULT}: lattice {id[:40]!r}: {error}; {AGAIN}", path) from None
    return Item(id, _named(lattice, symbols, path) if symbols and lattice.numbered else lattice)


def _named(lattice: Lattice, symbols: str, path: str) -> Lattice:
    """A lattice of numbers with the words of a symbol table. Raises InputError for a number that it lacks."""
    table, old = {**read_symbols(symbols), 0: ""}, lattice.automaton
    keys = [int(word) if INTEGER.fullmatch(word) else -1 for word in lattice.symbols.words[1:]]
    if missing := [key for key in keys if key < 0 or key not in table]:
        raise InputError(
            f"lattice {lattice.id[:40]!r}: label {min(missing)} is not in the symbol table {symbols}", path
        )
    words = ("" if word in EPSILON_WORDS else word for word in map(table.__getitem__, keys))
    names, label_of = SymbolTable.intern(("", *words))
    costs = (old.arc_costs, old.final_costs) if old.has_costs else (None, None)
    automaton = Automaton(
        old.num_states, old.start, old.sources, label_of[old.labels], old.destinations, old.finals, *costs
    )
    return Lattice(automaton, names, id=lattice.id, scales=lattice.scales, times=lattice.times)


def _has_numbers(file: File) -> bool:
    """Whether a symbol table may name words of a file: some are numbers, or there are none at all."""
    has_words = False
    for rows in _rows(file.mapped(), file.path):
        if rows.columns["numbered"].any():
            return True
        has_words = has_words or bool((np.diff(rows.columns["words.offsets"]) > 1).any())
    return not has_words


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the lattices of a file; their ids are those that they had.

    Raises:
        InputError: cut off, damaged, a checksum that is wrong, or a later version.
    """
    for item in items_of_blocks(_blocks_of(memoryview(source.data), source.path, options), options):
        yield item.loaded()


def _find(file: File, options: ReadOptions) -> Iterator[Item]:
    """The lattices of a file, read when they are asked for; errors as of `read`."""
    return file.unchanged(items_of_blocks(_blocks_of(file.mapped(), file.path, options), options))


# What an index says of a lattice: its row in the batch whose bytes are its place, and which file has the words.
SETTLED = re.compile(r"row (\d{1,9}) of (\d{1,18}) bytes, footer ([0-9a-f]{16})")


def _places(file: File, options: ReadOptions) -> Iterator[Place]:
    """Where the lattices lie: the batch of each. Raises InputError as `read` does."""
    data = file.mapped()
    whole = _opened(data, file.path)
    sizes, begins = whole.sizes(), iter(sorted(whole.sizes()))
    for rows in _rows(data, file.path):
        begin = next(begins)
        for row in range(len(rows.columns["states"])):
            settled = f"row {row} of {len(data)} bytes, footer {whole.checksum}"
            yield Place(_id(rows, row, file.path), begin, sizes[begin], settled)


def _read_place(place: IndexedPlace, options: ReadOptions) -> Item:
    """One lattice. Raises InputError where the file has changed, or is damaged there."""
    match = SETTLED.fullmatch(place.settled or "")
    if match is None:
        raise InputError(
            f"`settled` is not that of an index of packed lattices: {place.settled!r}", place.path
        )
    row, size, footer = int(match[1]), int(match[2]), match[3]
    state = state_of(place.path)
    rows, bytes_there, checksum = _batch_at(place.path, state, place.offset, size, footer)
    if place.length != bytes_there or place.checksum not in (None, checksum):
        raise InputError(f"has changed: the batch at offset {place.offset} differs", place.path)
    if row >= len(rows.columns["states"]):
        raise InputError(f"has no row {row} in the batch at offset {place.offset}", place.path)
    return _item(rows, row, _id(rows, row, place.path), place.path, options.symbols)


@lru_cache(maxsize=2)  # items of a batch are asked for one after the other
def _batch_at(
    path: str, state: FileState | None, begin: int, size: int, footer: str
) -> tuple[_Rows, int, str]:
    """A batch with all words up to it, its size and checksum, of a file of this size and footer."""
    if state is not None and state.size != size:
        raise InputError(f"has changed: it has {state.size} bytes, and had {size}", path)
    data = _Remote(path, size)
    whole = _opened(data, path)
    length = whole.sizes().get(begin)
    if whole.checksum != footer or length is None:
        raise InputError("has changed: its footer differs", path)
    with _faults(path):
        [(_, columns)] = whole.parts(only=begin)
        rows = _Rows(columns, _words(columns))
    return rows, length, checksum_of(data[begin : begin + length])


class _Remote:
    """A file whose parts are read where they are looked at."""

    def __init__(self, path: str, size: int) -> None:
        self._path, self._size = path, size

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, part: slice) -> memoryview:
        begin, end, _ = part.indices(self._size)
        limits().check("bytes", end - begin, "a part takes", "bytes", self._path)
        return memoryview(part_of(self._path, begin, end - begin))


WRITER = Writer(
    "packed",
    (".packed",),
    Carries("lattice", several=True, ids=True, costs="apart", scales=True, times=True, as_they_are=True),
    write,
    write_blocks,
)
FORMAT = Format(
    "packed",
    "Packed lattices of fstmetrics, an Arrow file",
    read,
    writers=(WRITER,),
    find=_find,
    blocks=_blocks,
    places=_places,
    read_place=_read_place,
    takes_symbols=True,
    has_numbers=_has_numbers,
)
