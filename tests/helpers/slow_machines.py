"""Binary machines of OpenFst read slowly, a number at a time: the referee of the native reader.

`kaldi`, `single` and `far_list` give the items of a file in order, and raise InputError where the formats' own readers
do, with the same message; `far_entry` gives one of an archive.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from slow_arcs import ArcTable

from fstmetrics.data.lattice import Lattice
from fstmetrics.io.arcs import Labels, Numbers, shown, words_of
from fstmetrics.io.formats.k2_machines import dense
from fstmetrics.io.formats.openfst_binary import INPUT_SYMBOLS, MAGIC, OUTPUT_SYMBOLS, SYMBOLS_MAGIC
from fstmetrics.io.items import Item, ReadOptions
from fstmetrics.io.written_words import read_symbols
from fstmetrics.support.errors import InputError
from fstmetrics.support.source import Source

ALIGNED = 4
COMPACT_STATE_SIZE, COMPACT_ARC_SIZE = 20, 24
CONST_ARC_TYPES = ("standard", "log", "log64")
ARC_TYPES = ("standard", "log", "log64", "lattice4", "compactlattice44")
WEIGHTS = {"standard": "f", "log": "f", "log64": "d", "lattice4": "ff", "compactlattice44": "ff"}
NO_START = -1
MAX_KEY = 4096


class Cursor:
    """A position in a file's bytes that never runs past the end."""

    def __init__(self, source: Source, at: int = 0) -> None:
        self.source = source
        self.data = source.data
        self.at = at

    def error(self, message: str, at: int | None = None) -> InputError:
        """An error here, or at another byte."""
        return self.source.error(message, byte=self.at if at is None else at)

    def take(self, size: int, what: str) -> int:
        """Move past `size` bytes and return where they begin; InputError if there are not as many."""
        begin = self.at
        if size < 0 or size > len(self.data) - begin:
            raise self.error(f"{what} would take {size} bytes, but {len(self.data) - begin} are left")
        self.at += size
        return begin

    def unpack(self, layout: struct.Struct, what: str) -> tuple[int | float, ...]:
        """Numbers in a layout."""
        return layout.unpack_from(self.data, self.take(layout.size, what))

    def integer(self, code: str, what: str) -> int:
        """One integer of a struct code."""
        return int(self.unpack(struct.Struct("<" + code), what)[0])

    def string(self, what: str) -> str:
        """An int32 length and that many bytes of UTF-8."""
        size = self.integer("i", f"the length of {what}")
        begin = self.take(size, what)
        try:
            return self.data[begin : self.at].decode()
        except UnicodeDecodeError:
            raise self.error(f"{what} is not UTF-8", begin) from None

    def integer_at(self, place: int) -> int:
        """The int64 at a byte."""
        return int(struct.unpack_from("<q", self.data, place)[0])


@dataclass(frozen=True, slots=True)
class BinaryFst:
    """One machine: arcs, the output label that each of their labels stands for, symbol tables.

    The output labels of an acceptor are the same as its inputs. Its states lie from byte `begin` to byte `end`.
    """

    table: ArcTable
    keys: list[int]
    input_symbols: dict[int, str] | None
    output_symbols: dict[int, str] | None
    arc_type: str
    begin: int
    end: int

    def own_symbols(self, source: Source) -> dict[int, str] | None:
        """The machine's own words of its outputs; the table of a transducer's inputs says nothing of them."""
        if self.output_symbols:
            return self.output_symbols
        return None if has_other_inputs(source, self) else self.input_symbols

    def lattice(self, source: Source, symbols: Mapping[int, str] | None, table: str, id: str) -> Lattice:
        """The machine as a lattice; its words are the digits of its labels where there is no table.

        Args:
            source: the file.
            symbols: words of the labels.
            table: what to call them in messages.
            id: the lattice's id.

        Raises:
            InputError: a label that the table lacks, or as of `ArcTable.lattice`.
        """
        words = words_of(self.keys, self.table.labels, symbols, table, self.table.fail(source))
        return self.table.lattice(source, words, id=id, numbered=symbols is None and any(words))


def read_fst(cursor: Cursor) -> BinaryFst:
    """Read the machine that begins at the cursor.

    Raises:
        InputError: not such a machine, cut off, or of a type that is not read; with the byte.
    """
    kind, arc_type, version, flags = _kind(cursor)
    cursor.take(8, "the properties")
    start, states, arcs = (cursor.integer("q", what) for what in ("the start", "the states", "the arcs"))
    symbols = [_symbols(cursor) if flags & flag else None for flag in (INPUT_SYMBOLS, OUTPUT_SYMBOLS)]
    # Every state takes more than a byte, so a greater number of them is a damaged one.
    if not 0 <= states <= len(cursor.data) - cursor.at:
        left = len(cursor.data) - cursor.at
        raise cursor.error(f"the header says {states} states, but {left} bytes are left")
    if not NO_START <= start < states:
        raise cursor.error(f"the start is state {start}, but there are {states} states")
    states_begin = cursor.at
    if kind == "const":
        table = _const_states(cursor, states, arc_type, arcs, version == 1 or bool(flags & ALIGNED))
    else:
        table = _vector_states(cursor, states, arc_type)
    table.start, table.num_states, table.unit = max(start, 0), states, "byte"
    if start == NO_START:  # OpenFst's way of having no path, whatever states there are
        table.finals, table.final_places = table.finals[:0], table.final_places[:0]
        table.final_costs = table.final_costs[:0]
    keys, table.labels = dense(table.labels)
    return BinaryFst(table, keys, symbols[0], symbols[1], arc_type, states_begin, cursor.at)


def _kind(cursor: Cursor) -> tuple[str, str, int, int]:
    """How a machine begins: its type, its arcs' type, version, flags."""
    begin = cursor.at
    if not cursor.data.startswith(MAGIC, begin):
        raise cursor.error("expected an OpenFst machine, which begins with the bytes d6 fd b2 7e")
    cursor.at += len(MAGIC)
    kind, arc_type = cursor.string("the machine type"), cursor.string("the arc type")
    if kind not in ("vector", "const"):
        raise cursor.error(
            f"machines of type {shown(kind)} are not read; convert it: fstconvert --fst_type=vector", begin
        )
    if arc_type not in ARC_TYPES:
        raise cursor.error(
            f"arcs of type {shown(arc_type)} are not read, only {', '.join(ARC_TYPES)}; convert it: fstmap "
            "--map_type=to_std",
            begin,
        )
    return kind, arc_type, cursor.integer("i", "the version"), cursor.integer("i", "the flags")


def has_other_inputs(source: Source, fst: BinaryFst) -> bool:
    """Whether some arc has an input label that is not its output label."""
    table = fst.table
    return bool((_integers(source, table.places) != np.array(fst.keys, dtype=np.int32)[table.labels]).any())


def has_transition_ids(source: Source, fst: BinaryFst) -> bool:
    """Whether a lattice of Kaldi's has transition ids.

    They are the input labels of a lattice, and strings after the weights of a compact one.
    """
    arcs = fst.table.places
    if fst.arc_type != "compactlattice44":
        return bool(_integers(source, arcs).any())
    without = COMPACT_STATE_SIZE * (fst.table.num_states or 0) + COMPACT_ARC_SIZE * arcs.size
    return fst.end - fst.begin > without


def _integers(source: Source, places: Numbers) -> Labels:
    """The int32 at each of these bytes."""
    data = np.frombuffer(source.data, dtype=np.uint8)
    return np.ascontiguousarray(data[places[:, None] + np.arange(4)]).view("<i4").reshape(-1)


class Columns:
    """States and arcs as they come."""

    def __init__(self) -> None:
        self.arcs: list[tuple[int, int, int, int]] = []
        self.costs: list[tuple[float, float]] = []
        self.finals: list[tuple[int, int]] = []
        self.final_costs: list[tuple[float, float]] = []
        self.frames: list[int] = []

    def add_final(self, state: int, place: int, cost: tuple[float, ...]) -> None:
        if any(number != math.inf for number in cost):
            self.finals.append((state, place))
            self.final_costs.append((cost[0], cost[1] if len(cost) > 1 else 0.0))

    def add_arc(self, state: int, next: int, label: int, place: int, cost: tuple[float, ...]) -> None:
        self.arcs.append((state, next, label, place))
        self.costs.append((cost[0], cost[1] if len(cost) > 1 else 0.0))

    def table(self) -> ArcTable:
        arcs = np.array(self.arcs, dtype=np.int64).reshape(-1, 4)
        finals = np.array(self.finals, dtype=np.int64).reshape(-1, 2)
        return ArcTable(
            arcs[:, 0], arcs[:, 1], arcs[:, 2].astype(np.int32), np.array(self.costs).reshape(-1, 2), arcs[:, 3],
            finals[:, 0], np.array(self.final_costs).reshape(-1, 2), finals[:, 1],
            frames=np.array(self.frames, dtype=np.int32) if self.frames else None,
        )  # fmt: skip


def _many(cursor: Cursor, count: int, size: int, what: str) -> int:
    """Move past so many things of a size."""
    left = len(cursor.data) - cursor.at
    if count < 0 or count * size > left:
        times = "" if count == 1 else f"{count} x "
        raise cursor.error(f"{what} would take {times}{size} bytes, but {left} are left")
    cursor.at += count * size
    return cursor.at - count * size


def _vector_states(cursor: Cursor, states: int, arc_type: str) -> ArcTable:
    columns, weight = Columns(), struct.Struct("<" + WEIGHTS[arc_type])
    is_compact, width = arc_type == "compactlattice44", weight.size
    for state in range(states):
        place = _many(cursor, 1, width + (4 if is_compact else 8), f"state {state}")
        cost = weight.unpack_from(cursor.data, place)
        (count,) = struct.unpack_from("<i" if is_compact else "<q", cursor.data, place + width)
        if is_compact:
            _many(cursor, count, 4, f"the transition ids of state {state}")
            at = _many(cursor, 1, 8, f"the number of arcs of state {state}")
            (count,) = struct.unpack_from("<q", cursor.data, at)
            if count < 0:
                raise cursor.error(f"state {state} has {count} arcs")
        columns.add_final(state, place, cost)
        size = 12 + width
        begin = cursor.at if is_compact else _many(cursor, count, size, f"the {count} arcs of state {state}")
        for index in range(count):
            arc, ids = begin + index * size, 0
            if is_compact:
                arc = _many(cursor, 1, 20, f"an arc of state {state}")
                (ids,) = struct.unpack_from("<i", cursor.data, arc + 16)
                _many(cursor, ids, 4, f"the transition ids of an arc of state {state}")
                next_place = _many(cursor, 1, 4, f"an arc of state {state}")
            else:
                next_place = arc + 8 + width
            inp, label = struct.unpack_from("<ii", cursor.data, arc)
            (next,) = struct.unpack_from("<i", cursor.data, next_place)
            columns.add_arc(state, next, label, arc, weight.unpack_from(cursor.data, arc + 8))
            if len(WEIGHTS[arc_type]) == 2:
                columns.frames.append(ids if is_compact else int(inp != 0))
    return columns.table()


def _const_states(cursor: Cursor, states: int, arc_type: str, arcs: int, aligned: bool) -> ArcTable:
    if arc_type not in CONST_ARC_TYPES:
        raise cursor.error(
            f"const machines with arcs of type {shown(arc_type)} are not read, only {', '.join(CONST_ARC_TYPES)}; "
            "convert it: fstconvert --fst_type=vector"
        )
    columns, weight = Columns(), struct.Struct("<" + WEIGHTS[arc_type])

    def align() -> None:
        over = (cursor.source.byte + cursor.at) % 16
        if aligned and over:
            _many(cursor, 16 - over, 1, "the padding")

    align()
    heads = _many(cursor, states, weight.size + 16, "the states")
    align()
    size = 12 + weight.size + (4 if weight.size == 8 else 0)
    first, seen = _many(cursor, arcs, size, "the arcs"), 0
    for state in range(states):
        place = heads + state * (weight.size + 16)
        begin, count = struct.unpack_from("<II", cursor.data, place + weight.size)
        if begin != seen or begin + count > arcs:
            raise cursor.error(f"the arcs of state {state} are out of place", place)
        columns.add_final(state, place, weight.unpack_from(cursor.data, place))
        for arc in range(first + seen * size, first + (seen + count) * size, size):
            _, label = struct.unpack_from("<ii", cursor.data, arc)
            (next,) = struct.unpack_from("<i", cursor.data, arc + 8 + weight.size)
            columns.add_arc(state, next, label, arc, weight.unpack_from(cursor.data, arc + 8))
        seen += count
    return columns.table()


def _symbols(cursor: Cursor) -> dict[int, str]:
    if cursor.integer("i", "a symbol table") != SYMBOLS_MAGIC:
        raise cursor.error("expected a symbol table", cursor.at - 4)
    cursor.string("the symbol table's name")
    cursor.take(8, "the symbol table's next key")
    size = cursor.integer("q", "the symbol table's size")
    # A symbol takes at least its length and its key.
    if not 0 <= size <= (len(cursor.data) - cursor.at) // 12:
        left = len(cursor.data) - cursor.at
        raise cursor.error(f"the header says {size} symbols, but {left} bytes are left", cursor.at - 8)
    words, texts = {}, []
    for _ in range(size):
        (length,) = struct.unpack_from("<i", cursor.data, _many(cursor, 1, 4, "the length of a symbol"))
        place = _many(cursor, length, 1, "a symbol")
        texts.append((cursor.integer_at(_many(cursor, 1, 8, "a symbol's key")), place, length))
    for key, place, length in texts:
        try:
            words[key] = cursor.data[place : place + length].decode()
        except UnicodeDecodeError:
            raise cursor.error("a symbol is not UTF-8", place) from None
    return words


class Tables:
    """The symbol tables of an archive: a machine's own, else that of the first."""

    def __init__(self, first: Callable[[], dict[int, str] | None] | None = None) -> None:
        self._first = first

    def of(self, fst: BinaryFst, source: Source) -> dict[int, str] | None:
        own = fst.own_symbols(source)
        if self._first is None:
            self._first = lambda: own
        return own or self._first()


def symbols_beside(path: str, own: Mapping[int, str] | None, file: str) -> Mapping[int, str]:
    given = read_symbols(path)
    for label, word in sorted((own or {}).items()):
        if label and given.get(label, word) != word:
            raise InputError(
                f"label {label} is {word!r} in the file's own symbol table and {given[label]!r} in {path}; leave "
                "--symbols out, or name the table that the file was made with",
                file,
            )
    return given


def far_entry(cursor: Cursor, options: ReadOptions, tables: Tables) -> Item:
    """The entry at the cursor."""
    key = cursor.string("a key")
    return _named(cursor.source, read_fst(cursor), options, tables, key)


def _named(source: Source, fst: BinaryFst, options: ReadOptions, tables: Tables, id: str) -> Item:
    own = tables.of(fst, source)
    symbols = symbols_beside(options.symbols, own, source.path) if options.symbols else own
    lattice = fst.lattice(source, symbols, options.symbols or "in the file", id)
    told = options.tell_left_out and has_other_inputs(source, fst)
    return Item(id, lattice, left_out=("input labels",) if told else ())


def far_list(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The entries of a list, which an empty key ends."""
    cursor, tables = Cursor(source, 8), Tables()
    while cursor.at < len(cursor.data) - 4:
        yield far_entry(cursor, options, tables)


def single(source: Source, options: ReadOptions) -> Item:
    """The one machine of a file."""
    cursor = Cursor(source)
    fst = read_fst(cursor)
    if cursor.at != len(cursor.data):
        raise cursor.error(f"{len(cursor.data) - cursor.at} bytes are left over after the machine")
    own = fst.own_symbols(source)
    return _named(source, fst, options, Tables(lambda: own), source.stem)


def kaldi(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The lattices of an archive of Kaldi's."""
    cursor = Cursor(source)
    while cursor.at < len(cursor.data):
        begin = cursor.at
        space = cursor.data.find(b" ", begin, begin + MAX_KEY)
        if space <= begin:
            raise cursor.error("expected a key and a space before the next lattice")
        cursor.at = space + 1
        try:
            key = cursor.data[begin:space].decode()
        except UnicodeDecodeError:
            raise cursor.error("the key is not UTF-8", begin) from None
        fst = read_fst(cursor)
        symbols = read_symbols(options.symbols) if options.symbols else fst.output_symbols
        lattice = fst.lattice(source, symbols, options.symbols or "in the file", key)
        told = options.tell_left_out and has_transition_ids(source, fst)
        yield Item(key, lattice, left_out=("transition ids",) if told else ())
