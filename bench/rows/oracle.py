"""Lattice oracles (WER) against OpenFst and the plain dense programme; with the 1-best, against the score alone."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import fstmetrics as fm
from bench import peers
from bench.compiled_items import folder_of
from bench.inputs import Inputs, OracleProblem
from bench.measure import Line, agree, cost_line, cpu_ms, cpu_ms_cold, explored, missing, ratio_line
from bench.rows.hyter import COUNTS, NAMES

GOALS: dict[str, float | None] = {
    "edit-dijkstra": None, "edit-lengths": 30.0, "edit-astar": 30.0, "edits": None
}  # fmt: skip
DENSE = "plain dense programme"
SCORE_ALONE = "ours, the score alone"
# At least so many arcs make the second goal of `oracle-call`.
LARGE = 10_000


def edits(inputs: Inputs) -> Iterator[Line]:
    """Least edits of any path, by size."""
    for (words, arcs), problems in _by_size(inputs):
        for route, goal in GOALS.items():
            yield _line(inputs, f"oracle, {words} words, {arcs} arcs", route, problems, goal)


def call(inputs: Inputs) -> Iterator[Line]:
    """`fm.oracle(lattice, str)`, which has the 1-best, too, against `fm.wer(lattice, str)`."""
    for (words, arcs), problems in _by_size(inputs):
        for problem in problems:
            _check(problem)
        goal = 1.5 if arcs >= LARGE else 2.0
        work = f"oracle beside 1-best, {words} words, {arcs} arcs"
        again = (_times(function, problems) for function in (fm.oracle, fm.wer))
        yield cost_line(f"{work}, used before", SCORE_ALONE, *again, goal)
        firsts = (_first_times(function, problems) for function in (fm.oracle, fm.wer))
        yield cost_line(f"{work}, never used", SCORE_ALONE, *firsts)


def _by_size(inputs: Inputs) -> Iterable[tuple[tuple[int, int], list[OracleProblem]]]:
    """The problems by words and arcs."""
    sizes: dict[tuple[int, int], list[OracleProblem]] = {}
    for problem in inputs.oracle_problems():
        sizes.setdefault((problem.words, problem.arcs), []).append(problem)
    return sizes.items()


def _check(problem: OracleProblem) -> None:
    """Compares both scores of an oracle with what other calls say."""
    found = fm.oracle(problem.lattice, problem.reference)
    assert found.one_best is not None
    own = list(problem.lattice.best_path().words)
    agree(problem.id, found.score, fm.wer(problem.lattice, problem.reference), "fm.wer")
    agree(problem.id, found.one_best.score, fm.wer(own, problem.reference.split()), "fm.wer of the 1-best")


def _times(function: Callable[[fm.Lattice, str], object], problems: list[OracleProblem]) -> list[float]:
    return [cpu_ms(partial(function, problem.lattice, problem.reference)) for problem in problems]


def _first_times(function: Callable[[fm.Lattice, str], object], problems: list[OracleProblem]) -> list[float]:
    """Of lattices of which nothing is kept."""

    def fresh(problem: OracleProblem) -> object:
        return function(fm.Lattice(problem.lattice.automaton, problem.lattice.symbols), problem.reference)

    return [cpu_ms_cold(partial(fresh, problem)) for problem in problems]


def _line(inputs: Inputs, work: str, route: str, problems: list[OracleProblem], goal: float | None) -> Line:
    peer = DENSE if route == "edits" else NAMES[route]
    try:
        rows = [_measured(inputs, problem, route, peer) for problem in problems]
    except peers.MissingError as hint:
        return missing(work, peer, str(hint), goal)
    ours, theirs, cells, states = zip(*rows, strict=True)
    return ratio_line(
        work, peer, ours, theirs, goal,
        explored=statistics.median(cells), their_explored=statistics.median(states),
    )  # fmt: skip


def asked(
    inputs: Inputs, problem: OracleProblem, route: str, metric: fm.Metric | None = None
) -> peers.Answer:
    """What a peer's route answers: the dense programme's, or OpenFst's on the machines of the item."""
    if route in ("edits", "grr"):
        sides = [peers.string(problem.reference), peers.machine(problem.machine)]
        return peers.dense().ask(route, "1", *(sides if route == "edits" else reversed(sides)))
    metric = metric or fm.WER()
    folder = folder_of(inputs.folder, problem.lattice, problem.reference, metric, problem.id)
    return peers.openfst().ask(route, folder)


def _measured(inputs: Inputs, problem: OracleProblem, route: str, peer: str) -> tuple[float, float, int, int]:
    theirs = asked(inputs, problem, route)
    result = fm.align(problem.lattice, problem.reference, options=COUNTS)
    agree(problem.id, result.cost, theirs.cost, peer)
    ours = cpu_ms(partial(fm.wer, problem.lattice, problem.reference))
    return ours, theirs.ms, explored(result), theirs.states
