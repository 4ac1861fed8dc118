"""4-GRR oracles against OpenFst's lazy composition and against the plain dense programme."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from functools import partial

import fstmetrics as fm
from bench import peers
from bench.inputs import Inputs, OracleProblem
from bench.measure import Line, agree, cpu_ms, explored, missing, ratio_line
from bench.rows.hyter import COUNTS, NAMES
from bench.rows.oracle import DENSE, asked

LAZY = NAMES["lazy"]
GOALS = {"lazy": 30.0, "grr": 2.0}
# Lattice x reference sizes where the peer takes minutes are left out.
MOST_CELLS = 10_000_000


def oracle(inputs: Inputs) -> Iterator[Line]:
    """Greatest gain of any path, by size."""
    sizes: dict[tuple[int, int], list[OracleProblem]] = {}
    for problem in inputs.oracle_problems():
        if problem.words * problem.arcs <= MOST_CELLS:
            sizes.setdefault((problem.words, problem.arcs), []).append(problem)
    for (words, arcs), problems in sizes.items():
        for route in GOALS:
            yield _line(inputs, f"4-GRR oracle, {words} words, {arcs} arcs", route, problems)


def _line(inputs: Inputs, work: str, route: str, problems: list[OracleProblem]) -> Line:
    peer = DENSE if route == "grr" else LAZY
    try:
        rows = [_measured(inputs, problem, route, peer) for problem in problems]
    except peers.MissingError as hint:
        return missing(work, peer, str(hint), GOALS[route])
    ours, theirs, cells, states = zip(*rows, strict=True)
    return ratio_line(
        work, peer, ours, theirs, GOALS[route],
        explored=statistics.median(cells), their_explored=statistics.median(states),
    )  # fmt: skip


def _measured(inputs: Inputs, problem: OracleProblem, route: str, peer: str) -> tuple[float, float, int, int]:
    theirs = asked(inputs, problem, route, fm.GRR(4))
    result = fm.align(problem.lattice, problem.reference, "grr", options=COUNTS)
    agree(problem.id, result.cost, theirs.cost, peer)
    ours = cpu_ms(partial(fm.grr, problem.lattice, problem.reference))
    return ours, theirs.ms, explored(result), theirs.states
