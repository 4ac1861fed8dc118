"""Automata as OpenFst and Kaldi have them in binary files, written without OpenFst, which has few platforms.

- `vector_bytes`: a vector machine with one cost, in the form that `readers.fst_binary` describes.
- `lattice_bytes`: one with Kaldi's two costs, compact or not.
- `far_pieces`: an archive of machines under keys (type sttable, the default of OpenFst's tools).
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from fstmetrics._native import Automaton
from fstmetrics.errors import FstmetricsError
from fstmetrics.readers.formats.far import SORTED_TABLE, TABLE_VERSION
from fstmetrics.readers.fst_binary import INPUT_SYMBOLS, MAGIC, OUTPUT_SYMBOLS, SYMBOLS_MAGIC
from fstmetrics.readers.numbering import EPSILON_NAME
from fstmetrics.symbols import SymbolTable

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

Labels = npt.NDArray[np.int32]


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
    return _machine("standard", automaton, states, arcs, symbols)


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
    return _machine("compactlattice44" if compact else "lattice4", automaton, states, arcs, None)


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


def _machine(
    arc_type: str,
    automaton: Automaton,
    states: npt.NDArray[Any],
    arcs: npt.NDArray[Any],
    symbols: SymbolTable | None,
) -> bytes:
    """States and arcs in turn: each state's record, then those of its arcs, which the automaton has in that order."""
    arcs["next"] = automaton.destinations
    counts = np.bincount(automaton.sources, minlength=automaton.num_states)
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
    head = struct.pack(
        "<iiQqqq", VERSION, flags, PROPERTIES, automaton.start, automaton.num_states, arcs.size
    )
    tables = [] if symbols is None else [_symbols(symbols)] * 2
    return b"".join([MAGIC, _string("vector"), _string(arc_type), head, *tables, body.tobytes()])


def _string(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<i", len(data)) + data


def _symbols(symbols: SymbolTable) -> bytes:
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
