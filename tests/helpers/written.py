"""Random small lattices, and writers of lattice formats, for round trips through the readers."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hypothesis import strategies as st

import fstmetrics as fm
from fstmetrics.data.lattice import Lattice
from fstmetrics.io.formats.openfst_binary import machine
from fstmetrics.io.writing import WriteOptions

Arc = tuple[int, int, str, float, float]
INFINITY = struct.pack("<ff", float("inf"), float("inf"))

words = st.sampled_from(
    ["a", "b", "the", "don't", "naïve", "", '"quoted"', "back\\slash", "'s", "x=y", "a,b"]
)
# Binary formats hold float32, so only such numbers come back the same.
costs = st.floats(-1000, 1000, width=32, allow_nan=False).map(lambda cost: cost + 0.0)


@dataclass(frozen=True)
class Drawn:
    """A lattice in columns: start 0, which has an arc; finals with both costs."""

    arcs: list[Arc]
    finals: dict[int, tuple[float, float]]


@st.composite
def drawn(draw: st.DrawFn) -> Drawn:
    """A lattice of two to six states, whose arcs lead upwards."""
    top = draw(st.integers(1, 5))
    pairs = st.integers(0, top - 1).flatmap(lambda s: st.tuples(st.just(s), st.integers(s + 1, top)))
    first = (0, draw(st.integers(1, top)))
    ends = [first, *draw(st.lists(pairs, max_size=8))]
    arcs = sorted((s, e, draw(words), draw(costs), draw(costs)) for s, e in ends)
    finals = draw(
        st.dictionaries(st.sampled_from(sorted({e for _, e in ends})), st.tuples(costs, costs), min_size=1)
    )
    return Drawn(arcs, finals)


def rows(lattice: Lattice) -> tuple[int, list[Arc], dict[int, tuple[float, float]]]:
    """A lattice's start, sorted arcs and finals, for comparisons."""
    automaton = lattice.automaton
    columns = (automaton.sources, automaton.destinations, automaton.labels, automaton.arc_costs)
    arcs = sorted(
        (s, d, lattice.symbols.words[label], *cost)
        for s, d, label, cost in zip(*(column.tolist() for column in columns), strict=True)
    )
    finals = zip(automaton.finals.tolist(), map(tuple, automaton.final_costs.tolist()), strict=True)
    return automaton.start, arcs, dict(finals)


def strings(lattice: Lattice) -> set[tuple[str, ...]]:
    """All word sequences of a small acyclic lattice."""
    start, arcs, finals = rows(lattice)

    def walk(state: int, said: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if state in finals:
            yield said
        for source, destination, word, *_ in arcs:
            if source == state:
                yield from walk(destination, (*said, word) if word else said)

    return set(walk(start, ()))


def kaldi_text(key: str, lattice: Drawn, compact: bool = True) -> str:
    lines, tail = [key], ",3_1" if compact else ""
    for s, d, word, graph, acoustic in lattice.arcs:
        lines.append(f"{s}\t{d}\t{'' if compact else '9 '}{word or '<eps>'} {graph!r},{acoustic!r}{tail}")
    lines += [f"{state} {graph!r},{acoustic!r}{tail}" for state, (graph, acoustic) in lattice.finals.items()]
    return "\n".join(lines) + "\n\n"


def kaldi_binary(key: str, lattice: Drawn, labels: Mapping[str, int], compact: bool = True) -> bytes:
    kind, tids = ("compactlattice44", struct.pack("<iii", 2, 5, 6)) if compact else ("lattice4", b"")
    empty = struct.pack("<i", 0) if compact else b""
    states = 1 + max(d for _, d, *_ in lattice.arcs)
    data = [key.encode() + b" ", struct.pack("<i", 2125659606)]
    for text in ("vector", kind):
        data += [struct.pack("<i", len(text)), text.encode()]
    data.append(struct.pack("<iiQqqq", 2, 0, 3, 0, states, 0))
    for state in range(states):
        final = lattice.finals.get(state)
        data.append(INFINITY + empty if final is None else struct.pack("<ff", *final) + tids)
        arcs = [arc for arc in lattice.arcs if arc[0] == state]
        data.append(struct.pack("<q", len(arcs)))
        for _, d, word, *cost in arcs:
            data.append(
                struct.pack("<ii", 4, labels[word]) + struct.pack("<ff", *cost) + tids + struct.pack("<i", d)
            )
    return b"".join(data)


def att(lattice: Drawn) -> str:
    lines = [f"{s}\t{d}\t{word or '<eps>'}\t{graph!r}" for s, d, word, graph, _ in lattice.arcs]
    return (
        "\n".join([*lines, *(f"{state}\t{graph!r}" for state, (graph, _) in lattice.finals.items())]) + "\n"
    )


def slf(lattice: Drawn) -> str:
    """Words on links; quoted, as HTK wants a word that begins with a quote."""
    states = 1 + max(d for _, d, *_ in lattice.arcs)
    lines = ["VERSION=1.1", f"start=0 end={states - 1}", f"N={states} L={len(lattice.arcs)}"]
    lines += [f"I={state}\tt=0.1" for state in range(states)]
    for number, (s, d, word, graph, acoustic) in enumerate(lattice.arcs):
        escaped = word.replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'J={number} S={s} E={d} W="{escaped or "!NULL"}" a={-acoustic!r} l={-graph!r}')
    return "\n".join(lines) + "\n"


def machines(count: int) -> list[tuple[bytes, bytes]]:
    """Keys, with the length before them, and machines."""
    found = []
    for i in range(count):
        lattice = fm.Lattice.from_arcs([(0, 1, "a"), (1, 2, f"b{i}")], finals=[2])
        key = f"u-{i}".encode()
        found.append((struct.pack("<i", len(key)) + key, machine(lattice, WriteOptions())))
    return found


def far(kind: str, entries: list[tuple[bytes, bytes]]) -> bytes:
    """An archive, sttable or stlist."""
    data = struct.pack("<ii", {"sttable": 2125656924, "stlist": 5656924}[kind], 1)
    places = []
    for key, content in entries:
        places.append(len(data))
        data += key + content
    if kind == "stlist":
        return data + bytes(4)
    return data + struct.pack(f"<{len(places) + 2}q", len(places), *places, len(places))
