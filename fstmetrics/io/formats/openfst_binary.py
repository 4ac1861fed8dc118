"""OpenFst's binary form, read and written here: vector and const machines, Kaldi's lattice arcs included; and the
format of files that hold one machine each.

- `machine_at`: the machine at a byte; `machine_columns`: those of an archive, piece by piece. Only reading a machine
  tells where the next begins, so nothing can be read behind a damaged one.
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
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from fstmetrics._native import Automaton, FstArchiveReader, LatticeColumn
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.symbols import SymbolTable
from fstmetrics.io.arcs import Labels, errors_of, note_errors
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.lattice_batches import Add, item_of, readers, text_labels
from fstmetrics.io.window import Window
from fstmetrics.io.writing import SINGLE, Carries, WriteOptions, Writer, only_item
from fstmetrics.io.written_words import EPSILON_NAME, check_words, label_numbers
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import item_limits
from fstmetrics.support.source import File, Source, stem

MAGIC = struct.pack("<i", 2125659606)
SYMBOLS_MAGIC = 2125658996
INPUT_SYMBOLS, OUTPUT_SYMBOLS = 1, 2

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


def machine_columns(
    window: Window, reader: FstArchiveReader, options: ReadOptions, begin: int = 0, tail: int = 0
) -> Iterator[LatticeColumn]:
    """The machines of an archive in native columns.

    Args:
        window: its content.
        reader: reads them.
        options: has the vocabulary.
        begin: bytes before the first one.
        tail: bytes after the last one.

    Raises:
        InputError: what is wrong with a machine, behind all that came before: nothing tells where the next one begins.
    """
    while window.left < begin and not window.ended:
        window.more()
    window.at = begin
    while True:
        column = LatticeColumn(options.vocabulary)
        window.at = reader.read(window.data, window.at, column, window.byte, window.ended, tail)
        good, faults = whole_part(column, window.piece())
        if len(good):
            yield good
        for fault in faults:
            raise fault
        if window.ended:
            return
        window.more()


def machine_places(
    file: File, reader: FstArchiveReader, options: ReadOptions, begin: int = 0, tail: int = 0
) -> Iterator[tuple[str, int, int]]:
    """Keys, begins and ends of the machines of an archive, which are read for it; as of `machine_columns`."""
    with file.opened() as stream:
        window = Window(file.path, stream)
        for column in machine_columns(window, reader, options, begin, tail):
            for row, key in enumerate(column.ids):
                _, first, end = column.place(row)
                yield key, window.byte + first, window.byte + end


def whole_part(column: LatticeColumn, source: Source) -> tuple[LatticeColumn, list[FstmetricsError]]:
    """Of a column whose last machine may be damaged those before it, and what is wrong with that."""
    note_errors(column, lambda _: source)
    faults = list(errors_of(column).values())
    return (column[:-1] if faults else column), faults


def machine_at(
    source: Source, at: int, reader: FstArchiveReader, options: ReadOptions, id: str = ""
) -> tuple[Item, int]:
    """The machine at a byte of a source, under its key or else this id; and the byte behind it.

    Raises:
        InputError: what is wrong with it.
    """
    column = LatticeColumn(options.vocabulary)
    end = reader.read_one(source.data, at, id, column, source.byte)
    note_errors(column, lambda _: source)
    return item_of(column, 0, options), end


SORTED_TABLE, LIST = 2125656924, 5656924


TABLE_VERSION = 1


def _add(options: ReadOptions) -> Add:
    """What adds the one machine of a file; its weights are graph costs.

    The words are the output labels, by `options.symbols`, else by the symbol table of the outputs in the file, of an
    acceptor also by that of the inputs, else the digits. Wrong are what is damaged or cut off, a type that is not read,
    a label that the symbol table lacks, or of which two tables have different words.
    """
    reader = FstArchiveReader(text_labels(options, True), item_limits(), "none")
    return lambda source, column: reader.read_one(source.data, 0, source.stem, column)


read, _files = readers(_add)


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one machine of a file; errors as of `machine`."""
    yield machine(only_item(items).value, options)


def machine(lattice: Lattice, options: WriteOptions) -> bytes:
    """A vector machine whose weights are the graph costs, with its symbol tables unless numbers are given.

    Raises:
        FstmetricsError: a word that would be read as no word, or a cost too large for a 32-bit float.
    """
    automaton = lattice.automaton
    costs = automaton.arc_costs[:, 0], automaton.final_costs[:, 0]
    if options.numbering is None:
        check_words(lattice.symbols)
        return vector_bytes(automaton, *costs, symbols=lattice.symbols)
    return vector_bytes(automaton, *costs, labels=label_numbers(lattice.symbols, options.numbering))


WRITER = Writer(
    "openfst", (".fst",), Carries("lattice", costs="sum", rounding=SINGLE, numbers="if asked"), write
)
FORMAT = Format(
    "openfst", "OpenFst binary, vector or const", read,
    writers=(WRITER,), id_of=stem, files=_files, takes_symbols=True,
)  # fmt: skip
