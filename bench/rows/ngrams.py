"""4-GRR oracles against OpenFst's lazy composition and against the plain dense programme."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from functools import partial

import fstmetrics as fm
from bench import peers
from bench.inputs import Inputs, OracleProblem
from bench.measure import Line, agree, cpu_ms, explored, missing, ratio_line
from bench.rows.hyter import COUNTS
from bench.rows.oracle import DENSE

LAZY = "OpenFst, lazy, automaton of [C08 §4.3]"
GOALS = {LAZY: 30.0, DENSE: 2.0}
# Lattice x reference sizes where the peer takes minutes are left out.
MOST_CELLS = 10_000_000


def oracle(inputs: Inputs) -> Iterator[Line]:
    """Greatest gain of any path, by size."""
    sizes: dict[tuple[int, int], list[OracleProblem]] = {}
    for problem in inputs.oracle_problems():
        if problem.words * problem.arcs <= MOST_CELLS:
            sizes.setdefault((problem.words, problem.arcs), []).append(problem)
    for (words, arcs), problems in sizes.items():
        for peer in GOALS:
            yield _line(f"4-GRR oracle, {words} words, {arcs} arcs", peer, problems)


def _line(work: str, peer: str, problems: list[OracleProblem]) -> Line:
    try:
        rows = [_measured(problem, peer) for problem in problems]
    except peers.MissingError as hint:
        return missing(work, peer, str(hint), GOALS[peer])
    ours, theirs, cells, states = zip(*rows, strict=True)
    return ratio_line(
        work, peer, ours, theirs, GOALS[peer],
        explored=statistics.median(cells), their_explored=statistics.median(states),
    )  # fmt: skip


def _measured(problem: OracleProblem, peer: str) -> tuple[float, float, int, int]:
    programme = peers.dense() if peer == DENSE else peers.openfst()
    theirs = programme.ask("grr", peers.machine(problem.machine), peers.string(problem.reference))
    result = fm.align(problem.lattice, problem.reference, "grr", options=COUNTS)
    agree(problem.id, result.cost, theirs.cost, peer)
    ours = cpu_ms(partial(fm.grr, problem.lattice, problem.reference))
    return ours, theirs.ms, explored(result), theirs.states
