"""Lattice oracles (WER) against OpenFst and against the plain dense programme."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from functools import partial

import fstmetrics as fm
from bench import peers
from bench.inputs import Inputs, OracleProblem
from bench.measure import Line, agree, cpu_ms, explored, missing, ratio_line
from bench.rows.hyter import COUNTS, NAMES

GOALS: dict[str, float | None] = {
    "literal": 150.0, "dijkstra": None, "astar-lengths": 30.0, "astar": 30.0, "edits": None
}  # fmt: skip
DENSE = "plain dense programme"


def edits(inputs: Inputs) -> Iterator[Line]:
    """Least edits of any path, by size."""
    sizes: dict[tuple[int, int], list[OracleProblem]] = {}
    for problem in inputs.oracle_problems():
        sizes.setdefault((problem.words, problem.arcs), []).append(problem)
    for (words, arcs), problems in sizes.items():
        for route, goal in GOALS.items():
            yield _line(f"oracle, {words} words, {arcs} arcs", route, problems, goal)


def _line(work: str, route: str, problems: list[OracleProblem], goal: float | None) -> Line:
    peer = DENSE if route == "edits" else NAMES[route]
    try:
        rows = [_measured(problem, route, peer) for problem in problems]
    except peers.MissingError as hint:
        return missing(work, peer, str(hint), goal)
    ours, theirs, cells, states = zip(*rows, strict=True)
    return ratio_line(
        work, peer, ours, theirs, goal,
        explored=statistics.median(cells), their_explored=statistics.median(states),
    )  # fmt: skip


def _measured(problem: OracleProblem, route: str, peer: str) -> tuple[float, float, int, int]:
    programme = peers.dense() if route == "edits" else peers.openfst()
    theirs = programme.ask(route, peers.string(problem.reference), peers.machine(problem.machine))
    result = fm.align(problem.lattice, problem.reference, options=COUNTS)
    agree(problem.id, result.cost, theirs.cost, peer)
    ours = cpu_ms(partial(fm.wer, problem.lattice, problem.reference))
    return ours, theirs.ms, explored(result), theirs.states
