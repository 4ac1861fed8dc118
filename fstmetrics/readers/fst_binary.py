"""OpenFst's binary form, read and written here: vector and const machines, Kaldi's lattice arcs included.

- `read_fst`: the machine at a `Cursor`; `machines`: those of an archive, piece by piece. Only reading a machine tells
  where the next begins, so nothing can be read behind a damaged one.
- `vector_bytes`: a vector machine with one cost; `lattice_bytes`: one with Kaldi's two costs, compact or not.
- `far_pieces`: an archive of machines under keys (type sttable, the default of OpenFst's tools).

Our own parser, because OpenFst trusts what it reads (a damaged count makes it allocate or abort) and its
Python binding knows no Kaldi arcs and exists for 64-bit Intel Linux only. Layout as in OpenFst 1.8
(`fst.cc`, `vector-fst.h`, `const-fst.h`, `symbol-table.cc`), little-endian throughout:

    int32 magic, string machine type, string arc type, int32 version, int32 flags, uint64 properties,
    int64 start, int64 states, int64 arcs, then the symbol tables that the flags announce, then
    vector: for each state its final weight, int64 number of arcs, and the arcs
    const:  all states (final weight, uint32 first arc, arcs, input epsilons, output epsilons), all arcs;
            aligned ones (--fst_align) begin both at multiples of 16 bytes

with a string as int32 length and bytes, and an arc as int32 input label, int32 output label, weight, int32
next state, which four more bytes follow in const machines of log64. The number of arcs in the header of a
vector machine is often 0 and not used.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fstmetrics import _native
from fstmetrics._native import Automaton, FstArchiveReader, LatticeColumn
from fstmetrics.readers.arcs import ArcTable, Labels, Numbers, dense, parsed, shown, words_of
from fstmetrics.readers.blocks import Block
from fstmetrics.readers.bytes import Window
from fstmetrics.readers.items import Item, ReadOptions
from fstmetrics.readers.labels import EPSILON_NAME
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.source import Source
from fstmetrics.values.lattice import Lattice
from fstmetrics.values.symbols import SymbolTable

MAGIC = struct.pack("<i", 2125659606)
SYMBOLS_MAGIC = 2125658996
INPUT_SYMBOLS, OUTPUT_SYMBOLS, ALIGNED = 1, 2, 4
# Bytes of a compact lattice's states and arcs without transition ids.
COMPACT_STATE_SIZE, COMPACT_ARC_SIZE = 20, 24
# Weights: a float, a float, a double, two floats, two floats and a string of transition ids.
CONST_ARC_TYPES = ("standard", "log", "log64")
ARC_TYPES = ("standard", "log", "log64", "lattice4", "compactlattice44")
NO_START = -1


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


def is_cut_off(error: InputError) -> bool:
    """Whether a machine could not be read because the data end too early, or because a count in it is too large."""
    return str(error).endswith(" are left")


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


def has_symbols(cursor: Cursor) -> bool:
    """Whether the machine that begins at the cursor has a symbol table; errors as of `read_fst`."""
    return bool(_kind(cursor)[-1] & (INPUT_SYMBOLS | OUTPUT_SYMBOLS))


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


def _vector_states(cursor: Cursor, states: int, arc_type: str) -> ArcTable:
    columns, cursor.at = parsed(
        cursor.source, lambda: _native.read_vector_states(cursor.data, cursor.at, states, arc_type)
    )
    return ArcTable.of(columns)


def _const_states(cursor: Cursor, states: int, arc_type: str, arcs: int, aligned: bool) -> ArcTable:
    if arc_type not in CONST_ARC_TYPES:
        raise cursor.error(
            f"const machines with arcs of type {shown(arc_type)} are not read, only {', '.join(CONST_ARC_TYPES)}; "
            "convert it: fstconvert --fst_type=vector"
        )
    origin = cursor.source.origin
    columns, cursor.at = parsed(
        cursor.source,
        lambda: _native.read_const_states(cursor.data, cursor.at, states, arcs, arc_type, aligned, origin),
    )
    return ArcTable.of(columns)


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
    words, cursor.at = parsed(cursor.source, lambda: _native.read_fst_symbols(cursor.data, cursor.at, size))
    return words


# Header fields: the version of vector machines, and the properties "expanded" and "mutable", which OpenFst
# wants to see; it works the others out when they are asked for.
VERSION, PROPERTIES = 2, 3
# Of an arc: the input label, the output label, the weight and the next state; a compact weight ends with the length of
# a string of transition ids, of which none are written.
ARC = np.dtype([("input", "<i4"), ("output", "<i4"), ("weight", "<f4"), ("next", "<i4")])
LATTICE_ARC = np.dtype([("input", "<i4"), ("output", "<i4"), ("weight", "<f4", 2), ("next", "<i4")])
COMPACT_ARC = np.dtype(
    [("input", "<i4"), ("output", "<i4"), ("weight", "<f4", 2), ("ids", "<i4"), ("next", "<i4")]
)
STATE = np.dtype([("weight", "<f4"), ("arcs", "<i8")])
LATTICE_STATE = np.dtype([("weight", "<f4", 2), ("arcs", "<i8")])
COMPACT_STATE = np.dtype([("weight", "<f4", 2), ("ids", "<i4"), ("arcs", "<i8")])


def vector_bytes(
    automaton: Automaton,
    costs: Any = 0.0,
    final_costs: Any = 0.0,
    symbols: SymbolTable | None = None,
    labels: Labels | None = None,
) -> bytes:
    """An acceptor over the tropical semiring.

    Args:
        automaton: its arcs; its own costs are not looked at.
        costs: the weight of every arc, or of all.
        final_costs: the weight of every final state, or of all.
        symbols: words of the labels, to be written along.
        labels: what to write for each label; by default the label itself.

    Raises:
        FstmetricsError: a cost too large for a 32-bit float.
    """
    arcs, states = np.zeros(automaton.num_arcs, dtype=ARC), np.zeros(automaton.num_states, dtype=STATE)
    arcs["weight"] = _single(costs)
    states["weight"] = np.inf
    states["weight"][automaton.finals] = _single(final_costs)
    arcs["input"] = arcs["output"] = _labels(automaton, labels)
    arcs["next"] = automaton.destinations
    return machine_bytes("standard", automaton.start, automaton.sources, states, arcs, symbols)


def lattice_bytes(automaton: Automaton, labels: Labels, compact: bool) -> bytes:
    """A lattice of Kaldi's: graph and acoustic costs as the automaton has them, no transition ids.

    Args:
        automaton: what to write.
        labels: the number of each label's word.
        compact: whether it is to be an acceptor of words (compactlattice44) or of no transition ids (lattice4).

    Raises:
        FstmetricsError: a cost too large for a 32-bit float.
    """
    arcs = np.zeros(automaton.num_arcs, dtype=COMPACT_ARC if compact else LATTICE_ARC)
    states = np.zeros(automaton.num_states, dtype=COMPACT_STATE if compact else LATTICE_STATE)
    arcs["weight"] = _single(automaton.arc_costs)
    states["weight"] = np.inf
    states["weight"][automaton.finals] = _single(automaton.final_costs)
    arcs["output"] = _labels(automaton, labels)
    if compact:
        arcs["input"] = arcs["output"]
    arcs["next"] = automaton.destinations
    arc_type = "compactlattice44" if compact else "lattice4"
    return machine_bytes(arc_type, automaton.start, automaton.sources, states, arcs)


def _labels(automaton: Automaton, labels: Labels | None) -> Labels:
    return automaton.labels if labels is None else labels[automaton.labels]


def _single(costs: Any) -> npt.NDArray[np.float32]:
    with np.errstate(over="ignore"):
        single = np.asarray(costs, dtype=np.float32)
    if (np.isinf(single) & np.isfinite(costs)).any():
        raise FstmetricsError(
            "a cost is too large for 32-bit floats, which the format has; a text format holds it"
        )
    return single


def machine_bytes(
    arc_type: str,
    start: int,
    sources: npt.NDArray[np.signedinteger[Any]],
    states: npt.NDArray[Any],
    arcs: npt.NDArray[Any],
    symbols: SymbolTable | None = None,
) -> bytes:
    """A vector machine: each state's record, then those of its arcs.

    Args:
        arc_type: OpenFst's name of the arcs.
        start: the first state.
        sources: the state that each arc leaves, in order.
        states: their records, in which the number of arcs is filled in.
        arcs: records of the arcs.
        symbols: words of the labels, to be written along.
    """
    counts = np.bincount(sources, minlength=states.size)
    states["arcs"] = counts
    arcs_before = np.concatenate([[0], np.cumsum(counts)])[:-1]
    begins = np.arange(states.size) * states.itemsize + arcs_before * arcs.itemsize
    arc_begins = np.repeat(begins + states.itemsize - arcs_before * arcs.itemsize, counts)
    arc_begins += np.arange(arcs.size) * arcs.itemsize
    body = np.empty(states.nbytes + arcs.nbytes, dtype=np.uint8)
    for records, places in ((states, begins), (arcs, arc_begins)):
        rows = records.view(np.uint8).reshape(records.size, records.itemsize)
        for byte in range(records.itemsize):
            body[places + byte] = rows[:, byte]
    flags = 0 if symbols is None else INPUT_SYMBOLS | OUTPUT_SYMBOLS
    head = struct.pack("<iiQqqq", VERSION, flags, PROPERTIES, start, states.size, arcs.size)
    tables = [] if symbols is None else [_symbols_bytes(symbols)] * 2
    return b"".join([MAGIC, _string("vector"), _string(arc_type), head, *tables, body.tobytes()])


def _string(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<i", len(data)) + data


def _symbols_bytes(symbols: SymbolTable) -> bytes:
    words = [EPSILON_NAME, *symbols.words[1:]]
    head = struct.pack("<i", SYMBOLS_MAGIC) + _string("words") + struct.pack("<qq", len(words), len(words))
    return head + b"".join(_string(word) + struct.pack("<q", label) for label, word in enumerate(words))


def far_pieces(machines: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
    """The pieces of an archive of machines in binary form, by key.

    OpenFst wants the keys in order, so the machines wait in a temporary file.
    """
    places: dict[bytes, tuple[int, int]] = {}
    with tempfile.TemporaryFile() as waiting:
        for key, machine in machines:
            entry = _string(key) + machine
            places[key.encode()] = (waiting.tell(), len(entry))
            waiting.write(entry)
        yield struct.pack("<ii", SORTED_TABLE, TABLE_VERSION)
        at, table = 8, []
        for _, (place, size) in sorted(places.items()):
            waiting.seek(place)
            yield waiting.read(size)
            table.append(at)
            at += size
    yield struct.pack(f"<{len(table) + 2}q", len(table), *table, len(table))


# More than what stands before a machine: keys and magic numbers.
KEY = 4096


def machine_blocks(
    window: Window,
    read_next: Callable[[Cursor], Item],
    reader: Callable[[], FstArchiveReader | None],
    options: ReadOptions,
    begin: int = 0,
    tail: int = 0,
) -> Iterator[Block]:
    """The machines of an archive, in native columns but for those that are read one by one.

    Args:
        window: its content.
        read_next: reads the machine at the cursor, key first.
        reader: gives what reads many, up to one that it leaves to `read_next`; None as long as all are left to that.
        options: has the vocabulary, and whether items are to say what they leave out.
        begin: bytes before the first one.
        tail: bytes after the last one.

    Raises:
        InputError: what `read_next` raises, where more bytes do not help.
    """
    while window.left < begin and not window.ended:
        window.more()
    window.at = begin
    while window.left > tail or not window.ended:
        if window.left < KEY and not window.ended:
            window.more()
            continue
        if (many := reader()) is not None:
            column = LatticeColumn(options.vocabulary)
            window.at, is_cut = many.read(window.data, window.at, column, window.byte)
            if len(column):
                yield Block(column.ids, column)
            if is_cut and not window.ended:
                window.more()
                continue
            if window.left <= tail and window.ended:
                return
        cursor = Cursor(window.piece(), window.at)
        try:
            item = read_next(cursor)
        except InputError as error:
            if not is_cut_off(error) or window.ended:
                raise
            window.more()
            continue
        window.at = cursor.at
        yield Block.of([item])


def of_block(block: Block, options: ReadOptions) -> Iterator[Item]:
    """The items of one of `machine_blocks`."""
    return of_column(block.values, options) if isinstance(block.values, LatticeColumn) else iter(block)


def of_column(column: LatticeColumn, options: ReadOptions) -> Iterator[Item]:
    """The items of a column that is whole."""
    for row, id in enumerate(column.ids):
        yield Item(id, column[row], left_out=tuple(column.left_out(row)) if options.tell_left_out else ())


SORTED_TABLE, LIST = 2125656924, 5656924


TABLE_VERSION = 1
