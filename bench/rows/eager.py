"""Lattice oracles against eager composition in Python: pynini and kaldifst.

The textbook way [C08 §4.3]: lattice ∘ Levenshtein automaton of the reference, all of it, then the shortest path. Both
automata are built before the clock starts, with an arc for every word of the lattice where any word will do.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import repeat
from typing import Any

import fstmetrics as fm
from bench import peers
from bench.inputs import Inputs, OracleProblem
from bench.measure import Line, agree, cpu_ms, explored, missing, ratio_line
from bench.rows.hyter import COUNTS
from fstmetrics.lattices.hope_and_fear import Weighing

# Larger products take eager composition many seconds and gigabytes.
MOST_ARCS, MOST_WORDS = 10_000, 25

Peer = Callable[[str, str], Callable[[], float]]
# Our time, theirs, and cells that we looked at, where that is known.
Measured = Callable[[OracleProblem, str, Peer], tuple[float, float, int | None]]


def eager(inputs: Inputs) -> Iterator[Line]:
    """Least edits of any path, by size."""
    for (words, arcs), problems in by_size(inputs).items():
        for name, peer in PEERS.items():
            yield _line(f"oracle, {words} words, {arcs} arcs", name, peer, problems, _measured)


def hope(inputs: Inputs) -> Iterator[Line]:
    """Least edits plus model cost of any path of lattices with costs, by size."""
    for (words, arcs), problems in by_size(inputs).items():
        for name, peer in PEERS.items():
            yield _line(f"hope, {words} words, {arcs} arcs", name, peer, problems, _measured_hope)


def by_size(inputs: Inputs) -> dict[tuple[int, int], list[OracleProblem]]:
    """The lattices that eager composition can do, by words of the reference and arcs."""
    sizes: dict[tuple[int, int], list[OracleProblem]] = {}
    for problem in inputs.oracle_problems():
        if problem.words <= MOST_WORDS and problem.arcs <= MOST_ARCS:
            sizes.setdefault((problem.words, problem.arcs), []).append(problem)
    return sizes


def _line(work: str, name: str, peer: Peer, problems: list[OracleProblem], measured: Measured) -> Line:
    try:
        rows = [measured(problem, name, peer) for problem in problems]
    except peers.MissingError as hint:
        return missing(work, name, str(hint))
    ours, theirs, cells = zip(*rows, strict=True)
    looked_at = [number for number in cells if number is not None]
    return ratio_line(work, name, ours, theirs, explored=statistics.median(looked_at) if looked_at else None)


def _measured(problem: OracleProblem, name: str, peer: Peer) -> tuple[float, float, int]:
    theirs = peer(*_texts(problem))
    result = fm.align(problem.lattice, problem.reference, options=COUNTS)
    agree(problem.id, result.cost, theirs(), name)
    ours = cpu_ms(partial(fm.wer, problem.lattice, problem.reference))
    return ours, cpu_ms(theirs), explored(result)


def _measured_hope(problem: OracleProblem, name: str, peer: Peer) -> tuple[float, float, None]:
    rows = _arcs(problem)
    chance = random.Random(problem.id)
    # Eighths, whose sums single precision has exactly.
    costs = [chance.randrange(32) / 8 for _ in rows]
    theirs = peer(*_texts(problem, costs))
    sources, destinations, words = zip(*rows, strict=True)
    finals = [int(row[1]) for row in _machine(problem) if row[0] == "final"]
    lattice = fm.Lattice.from_arrays(
        sources, destinations, words, finals=finals, costs=[(cost, 0.0) for cost in costs]
    )
    weighing = Weighing(fm.WER(), 1.0)
    (found,) = weighing.hope(lattice, problem.reference)
    agree(problem.id, found.combined, theirs(), name)
    ours = cpu_ms(lambda: weighing.hope(lattice, problem.reference))
    return ours, cpu_ms(theirs), None


def _machine(problem: OracleProblem) -> list[list[str]]:
    return [line.split() for line in problem.machine.read_text().splitlines()]


def _arcs(problem: OracleProblem) -> list[tuple[int, int, str]]:
    return [(int(row[1]), int(row[2]), row[3]) for row in _machine(problem) if len(row) == 4]


def _texts(problem: OracleProblem, costs: Sequence[float] = ()) -> tuple[str, str]:
    """The lattice and the reference's Levenshtein automaton as OpenFst's text, labels written out."""
    rows = _machine(problem)
    label: dict[str, int] = {"<eps>": 0}
    arcs = [
        f"{a} {b} {label.setdefault(word, len(label))} {cost}"
        for (a, b, word), cost in zip(_arcs(problem), costs or repeat(0), strict=False)
    ]
    finals = [state for kind, state in (r for r in rows if r[0] == "final")]
    words = problem.reference.split()
    known = range(1, len(label))
    levenshtein: list[str] = []
    for i, word in enumerate(words):
        levenshtein += [f"{i} {i + 1} {w} {int(w != label.get(word))}" for w in known]
        levenshtein += [f"{i} {i} {w} 1" for w in known] + [f"{i} {i + 1} 0 1"]
    levenshtein += [f"{len(words)} {len(words)} {w} 1" for w in known] + [str(len(words))]
    return "\n".join([*arcs, *finals]) + "\n", "\n".join(levenshtein) + "\n"


def _pynini(lattice: str, levenshtein: str) -> Callable[[], float]:
    pynini, pywrapfst = peers.package("pynini"), peers.package("pywrapfst")

    def compiled(text: str) -> Any:
        compiler = pywrapfst.Compiler(acceptor=True, keep_state_numbering=True)
        compiler.write(text)
        return pynini.Fst.from_pywrapfst(compiler.compile())

    left, right = compiled(lattice), compiled(levenshtein)
    right.arcsort(sort_type="ilabel")

    def least() -> float:
        product = pynini.compose(left, right, connect=False)
        return float(pynini.shortestdistance(product, reverse=True)[product.start()])

    return least


def _kaldifst(lattice: str, levenshtein: str) -> Callable[[], float]:
    kaldifst = peers.package("kaldifst")
    left, right = (
        kaldifst.compile(text, acceptor=True, keep_state_numbering=True) for text in (lattice, levenshtein)
    )
    kaldifst.arcsort(right, sort_type="ilabel")

    def least() -> float:
        best = kaldifst.shortest_path(kaldifst.compose(left, right, connect=False))
        rows = [line.split() for line in best.to_str(is_acceptor=True).splitlines()]
        return sum(float(row[-1]) for row in rows if len(row) in (2, 4))

    return least


PEERS: dict[str, Peer] = {
    "pynini, compose + shortestdistance": _pynini,
    "kaldifst, compose + shortest_path": _kaldifst,
}
