"""HyTER against OpenFst. Our time is one public call on a prepared network."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import fstmetrics as fm
from bench import generate, peers
from bench.compiled_items import folder_of
from bench.inputs import HyterProblem, Inputs
from bench.measure import Line, agree, cpu_ms, cpu_ms_cold, explored, missing, ratio_line

WINDOWS = (1, 3, 5)
COUNTS = fm.SearchOptions(alignment=False)
# The peer's routes, by one delayed machine in place of T; the goals are about them. The first estimate sees words left,
# and words that the network lacks.
ROUTES = ("edit-lengths", "edit-astar")
NAMES = {
    "eager": "OpenFst, H ∘ T ∘ R, eager",
    "lazy": "OpenFst, H ∘ T ∘ R, lazy",
    "astar": "OpenFst, H ∘ T ∘ R, lazy, A*",
    "edit-dijkstra": "OpenFst, own edit machine, Dijkstra",
    "edit-lengths": "OpenFst, A*, lengths + hypothesis",
    "edit-astar": "OpenFst, A*, both sides",
}


@dataclass(frozen=True, slots=True)
class Measured:
    """One problem by us and by one route of the peer."""

    ours: float
    theirs: float
    explored: int
    their_states: int


def single(inputs: Inputs) -> Iterator[Line]:
    """Networks of one annotator."""
    goals = {1: 100.0, 3: 80.0, 5: 40.0}
    for window in WINDOWS:
        yield from _lines(inputs, "single", window, goals[window])


def combined(inputs: Inputs) -> Iterator[Line]:
    """Networks of several annotators; also the worst problems."""
    goals = {1: 100.0, 3: 60.0, 5: 30.0}
    for window in WINDOWS:
        yield from _lines(inputs, "combined", window, goals[window], worst=True)


def _lines(inputs: Inputs, kind: str, window: int, goal: float, worst: bool = False) -> Iterator[Line]:
    for route in ROUTES:
        work = f"HyTER {kind}, window {window}"
        try:
            rows = [_measured(inputs, problem, window, route) for problem in inputs.hyter_problems(kind)]
        except peers.MissingError as hint:
            yield missing(work, NAMES[route], str(hint), goal)
            continue
        yield _line(work, NAMES[route], rows, goal)
        if worst:
            yield _worst_line(work, NAMES[route], rows)


def item(inputs: Inputs, problem: HyterProblem, window: int) -> Path:
    """The folder of a problem for the peer; moves are jumps."""
    metric = fm.HyTER(window=window, reordering="jumps")
    return folder_of(inputs.folder, problem.hypothesis, problem.network, metric, problem.id)


def _measured(inputs: Inputs, problem: HyterProblem, window: int, route: str) -> Measured:
    call = partial(fm.hyter, problem.hypothesis, problem.network, window=window, reordering="jumps")
    theirs = peers.openfst().ask(route, item(inputs, problem, window))
    result = fm.align(
        problem.hypothesis, problem.network, fm.HyTER(window=window, reordering="jumps"), options=COUNTS
    )
    agree(f"{problem.id}, window {window}", result.cost, theirs.cost, NAMES[route])
    agree(f"{problem.id}, window {window}, hyter()", call(), result.score, "align()")
    return Measured(cpu_ms(call), theirs.ms, explored(result), theirs.states)


def _line(work: str, peer: str, rows: Iterable[Measured], goal: float | None) -> Line:
    rows = list(rows)
    return ratio_line(
        work, peer, [r.ours for r in rows], [r.theirs for r in rows], goal,
        explored=statistics.median(r.explored for r in rows),
        their_explored=statistics.median(r.their_states for r in rows),
    )  # fmt: skip


def _worst_line(work: str, peer: str, rows: list[Measured]) -> Line:
    ours, theirs = max(r.ours for r in rows), max(r.theirs for r in rows)
    return Line(f"{work}, worst problem", peer, ours, theirs, theirs / ours, goal=20.0, note="worst / worst")


def large(inputs: Inputs) -> Iterator[Line]:
    """A large network, window 1: making it ready and nine hypotheses."""
    work, peer = "HyTER large, window 1, preparation + 9", NAMES["edit-astar"]
    own = {problem.json: problem for problem in inputs.hyter_problems("large", 1)}
    try:
        rows = [_prepared_and_nine(inputs, problem) for problem in own.values()]
    except peers.MissingError as hint:
        yield missing(work, peer, str(hint), 10.0)
        return
    yield ratio_line(work, peer, [ours for ours, _ in rows], [theirs for _, theirs in rows], 10.0)


def _nine(problem: HyterProblem) -> list[str]:
    rng = random.Random(9)
    words = problem.hypothesis.split()
    fresh = generate.Zipf(rng)
    return [" ".join(generate.corrupted(rng, words, 0.1 * i / 8, fresh)) for i in range(9)]


def _prepared_and_nine(inputs: Inputs, problem: HyterProblem) -> tuple[float, float]:
    hypotheses = _nine(problem)
    peer = peers.openfst()
    problems = [
        replace(problem, id=f"{problem.id}/{i}", hypothesis=words) for i, words in enumerate(hypotheses)
    ]
    folders = [item(inputs, each, 1) for each in problems]
    answers = [peer.ask("edit-astar", folder) for folder in folders]
    for words, answer in zip(hypotheses, answers, strict=True):
        result = fm.align(words, problem.network, "hyter", options=COUNTS)
        agree(problem.id, result.cost, answer.cost, NAMES["edit-astar"])

    def ours() -> None:
        network = fm.Network.read(problem.json)
        for words in hypotheses:
            fm.hyter(words, network, window=1, reordering="jumps")

    return cpu_ms_cold(ours), peer.prepare(folders[0]) + sum(answer.ms for answer in answers)
