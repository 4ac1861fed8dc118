"""OpenFst's binary form, parsed here: vector and const machines, Kaldi's lattice arcs included.

Our own parser, because OpenFst trusts what it reads (a damaged count makes it allocate or abort) and its
Python binding knows no Kaldi arcs and exists for 64-bit Intel Linux only. Layout as in OpenFst 1.8
(`fst.cc`, `vector-fst.h`, `const-fst.h`, `symbol-table.cc`), little-endian throughout:

    int32 magic, string machine type, string arc type, int32 version, int32 flags, uint64 properties,
    int64 start, int64 states, int64 arcs, then the symbol tables that the flags announce, then
    vector: for each state its final weight, int64 number of arcs, and the arcs
    const:  all states (final weight, uint32 first arc, arcs, input epsilons, output epsilons), all arcs

with a string as int32 length and bytes, and an arc as int32 input label, int32 output label, weight, int32
next state. The number of arcs in the header of a vector machine is often 0 and not used.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from fstmetrics.errors import InputError
from fstmetrics.readers.arcs import ArcTable, shown
from fstmetrics.readers.base import Source

MAGIC = struct.pack("<i", 2125659606)
SYMBOLS_MAGIC = 2125658996
INPUT_SYMBOLS, OUTPUT_SYMBOLS, ALIGNED = 1, 2, 4
# Struct code of each arc type's weight; compactlattice44 adds a string of transition ids.
WEIGHTS = {"standard": "f", "log": "f", "log64": "d", "lattice4": "ff", "compactlattice44": "ff"}
COMPACT = "compactlattice44"


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


@dataclass(frozen=True, slots=True)
class BinaryFst:
    """One machine: arcs, output labels (those of an acceptor are the same as its inputs), symbol tables."""

    table: ArcTable
    labels: list[int]
    input_symbols: dict[int, str] | None
    output_symbols: dict[int, str] | None


def read_fst(cursor: Cursor) -> BinaryFst:
    """Read the machine that begins at the cursor.

    Raises:
        InputError: not such a machine, cut off, or of a type that is not read; with the byte.
    """
    begin = cursor.at
    if not cursor.data.startswith(MAGIC, begin):
        raise cursor.error("expected an OpenFst machine, which begins with the bytes d6 fd b2 7e")
    cursor.at += len(MAGIC)
    kind, arc_type = cursor.string("the machine type"), cursor.string("the arc type")
    if kind not in ("vector", "const"):
        raise cursor.error(
            f"machines of type {shown(kind)} are not read; convert it: fstconvert --fst_type=vector", begin
        )
    if arc_type not in WEIGHTS:
        raise cursor.error(f"arcs of type {shown(arc_type)} are not read, only {', '.join(WEIGHTS)}", begin)
    version, flags = cursor.integer("i", "the version"), cursor.integer("i", "the flags")
    cursor.take(8, "the properties")
    start, states, arcs = (cursor.integer("q", what) for what in ("the start", "the states", "the arcs"))
    symbols = [_symbols(cursor) if flags & flag else None for flag in (INPUT_SYMBOLS, OUTPUT_SYMBOLS)]
    # Every state takes more than a byte, so a greater number of them is a damaged one.
    if not 0 <= states <= len(cursor.data) - cursor.at:
        left = len(cursor.data) - cursor.at
        raise cursor.error(f"the header says {states} states, but {left} bytes are left")
    if not (0 <= start < states or (start == -1 and states == 0)):
        raise cursor.error(f"the start is state {start}, but there are {states} states")
    table = ArcTable("byte", max(start, 0), states)
    if kind == "const":
        labels = _const_states(cursor, table, arc_type, arcs, version == 1 or bool(flags & ALIGNED))
    elif arc_type == COMPACT:
        labels = _compact_states(cursor, table)
    else:
        labels = _vector_states(cursor, table, arc_type)
    return BinaryFst(table, labels, *symbols)


def _symbols(cursor: Cursor) -> dict[int, str]:
    if cursor.integer("i", "a symbol table") != SYMBOLS_MAGIC:
        raise cursor.error("expected a symbol table", cursor.at - 4)
    cursor.string("the symbol table's name")
    cursor.take(8, "the symbol table's next key")
    size = cursor.integer("q", "the symbol table's size")
    # A symbol takes at least its length and its key.
    if not 0 <= size <= (len(cursor.data) - cursor.at) // 12:
        raise cursor.error(f"a symbol table of {size} symbols does not fit into the file", cursor.at - 8)
    words: dict[int, str] = {}
    for _ in range(size):
        word = cursor.string("a symbol")
        words[cursor.integer("q", "a symbol's key")] = word
    return words


def _vector_states(cursor: Cursor, table: ArcTable, arc_type: str) -> list[int]:
    weight = WEIGHTS[arc_type]
    head, arc = struct.Struct(f"<{weight}q"), struct.Struct(f"<ii{weight}i")
    labels: list[int] = []
    for state in range(table.num_states or 0):
        place = cursor.at
        *final, count = cursor.unpack(head, f"state {state}")
        _final(table, state, final, place)
        begin = cursor.take(int(count) * arc.size, f"the {count} arcs of state {state}")
        _arcs(table, state, arc, cursor.data[begin : cursor.at], begin, labels)
    return labels


def _arcs(
    table: ArcTable, state: int, arc: struct.Struct, data: bytes, place: int, labels: list[int]
) -> None:
    for _, label, *costs, destination in arc.iter_unpack(data):
        table.arc(state, destination, costs[0], costs[-1] if len(costs) > 1 else 0.0, place)
        labels.append(label)
        place += arc.size


def _final(table: ArcTable, state: int, costs: list[int | float], place: int) -> None:
    # +inf is what "not final" looks like, so these are left out before anything is checked.
    if costs[0] != float("inf") or costs[-1] != float("inf"):
        table.final(state, costs[0], costs[1] if len(costs) > 1 else 0.0, place)


def _compact_states(cursor: Cursor, table: ArcTable) -> list[int]:
    weight, count_of, next_of = struct.Struct("<ffi"), struct.Struct("<q"), struct.Struct("<i")
    arc = struct.Struct("<iiffi")
    labels: list[int] = []
    for state in range(table.num_states or 0):
        place = cursor.at
        *final, string = cursor.unpack(weight, f"state {state}")
        cursor.take(4 * int(string), f"the transition ids of state {state}")
        _final(table, state, final, place)
        (count,) = cursor.unpack(count_of, f"the number of arcs of state {state}")
        if count < 0:
            raise cursor.error(f"state {state} has {count} arcs")
        for _ in range(int(count)):
            place = cursor.at
            _, label, graph, acoustic, string = cursor.unpack(arc, f"an arc of state {state}")
            cursor.take(4 * int(string), f"the transition ids of an arc of state {state}")
            (destination,) = cursor.unpack(next_of, f"an arc of state {state}")
            table.arc(state, int(destination), graph, acoustic, place)
            labels.append(int(label))
    return labels


def _const_states(cursor: Cursor, table: ArcTable, arc_type: str, arcs: int, aligned: bool) -> list[int]:
    if aligned or arc_type not in ("standard", "log"):
        raise cursor.error("this const machine is not read; convert it: fstconvert --fst_type=vector")
    head, arc = struct.Struct("<fIIII"), struct.Struct("<iifi")
    states = table.num_states or 0
    begin = cursor.take(states * head.size, f"{states} states")
    first = cursor.take(arcs * arc.size, f"{arcs} arcs")
    labels: list[int] = []
    for state, (final, offset, count, _, _) in enumerate(head.iter_unpack(cursor.data[begin:first])):
        _final(table, state, [final], begin + state * head.size)
        if offset + count > arcs or offset != len(labels):
            raise cursor.error(f"the arcs of state {state} are out of place", begin + state * head.size)
        place = first + offset * arc.size
        _arcs(table, state, arc, cursor.data[place : place + count * arc.size], place, labels)
    return labels
