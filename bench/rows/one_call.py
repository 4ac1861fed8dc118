"""Many items in one call of `fm.score`, a mean item: HyTER and lattice oracles, against OpenFst and `peers/dense.cc`.

Our time is that of the call, from strings to the score of the corpus, alignments kept, divided by the items; theirs is
the mean of the same items one by one. So hard items count as much on both sides as they take.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import fstmetrics as fm
from bench import peers
from bench.inputs import HyterProblem, Inputs, OracleProblem
from bench.measure import Line, agree, cpu_ms, missing
from bench.rows.hyter import NAMES, WINDOWS, item
from bench.rows.oracle import DENSE, asked

# Items of a call, at the least: every problem as often as the others.
ITEMS = 600
# Of each peer's route: by window of single networks, and of combined ones.
HYTER_GOALS: dict[str, dict[int, float]] = {
    "single": {1: 150, 3: 120, 5: 100},
    "combined": dict.fromkeys(WINDOWS, 300),
}
HYTER_ROUTES = {"edit-lengths": True, "edit-astar": False}  # whether the goal is about it
ORACLE_GOALS: dict[str, float | None] = {
    "lazy": None,
    "edit-dijkstra": None,
    "edit-lengths": 30,
    "edit-astar": None,
    "edits": 5,
}


@dataclass(frozen=True, slots=True)
class Problems:
    """Items of one kind: what we are given, and what the peers are."""

    hypotheses: Sequence[object]
    references: Sequence[object]
    metric: fm.Metric
    ask: Callable[[str], list[peers.Answer]]  # what the peer's route answers to each

    def costs(self) -> list[float]:
        """What each item costs."""
        return [item.cost for item in fm.score(self.hypotheses, self.references, self.metric)]

    def our_ms(self) -> float:
        """Of a mean item in one call."""
        times = -(-ITEMS // len(self.hypotheses))
        hypotheses, references = list(self.hypotheses) * times, list(self.references) * times
        call = partial(_score, hypotheses, references, self.metric)
        return cpu_ms(call) / len(hypotheses)


def _hyter_answers(
    inputs: Inputs, problems: Sequence[HyterProblem], window: int, route: str
) -> list[peers.Answer]:
    return [peers.openfst().ask(route, item(inputs, problem, window)) for problem in problems]


def _oracle_answers(inputs: Inputs, problems: Sequence[OracleProblem], route: str) -> list[peers.Answer]:
    return [asked(inputs, problem, route) for problem in problems]


def _score(hypotheses: Sequence[object], references: Sequence[object], metric: fm.Metric) -> float:
    return fm.score(hypotheses, references, metric).score


def hyter(inputs: Inputs) -> Iterator[Line]:
    """Five hypotheses of every network, windows 1, 3 and 5."""
    for kind, goals in HYTER_GOALS.items():
        problems = inputs.hyter_problems(kind, 2 if inputs.tiny else 5)
        for window in WINDOWS:
            given = Problems(
                [p.hypothesis for p in problems], [p.network for p in problems],
                fm.HyTER(window=window, reordering="jumps"),
                partial(_hyter_answers, inputs, problems, window),
            )  # fmt: skip
            work = f"HyTER {kind}, window {window}, a mean item of one call"
            yield from _lines(
                work, given, {r: goals[window] if has else None for r, has in HYTER_ROUTES.items()}
            )


def oracle(inputs: Inputs) -> Iterator[Line]:
    """Lattices of 25 words: least edits of any path."""
    every = inputs.oracle_problems()
    words = min(problem.words for problem in every)
    for arcs in sorted({problem.arcs for problem in every})[:2]:
        problems = [problem for problem in every if (problem.words, problem.arcs) == (words, arcs)]
        given = Problems(
            [p.lattice for p in problems], [p.reference for p in problems], fm.WER(),
            partial(_oracle_answers, inputs, problems),
        )  # fmt: skip
        yield from _lines(f"oracle, {words} words, {arcs} arcs, a mean item of one call", given, ORACLE_GOALS)


def _lines(work: str, problems: Problems, goals: dict[str, float | None]) -> Iterator[Line]:
    costs, ours = problems.costs(), problems.our_ms()
    for route, goal in goals.items():
        peer = DENSE if route == "edits" else NAMES[route]
        try:
            theirs = _their_ms(work, problems, costs, route, peer)
        except peers.MissingError as hint:
            yield missing(work, peer, str(hint), goal)
            continue
        yield Line(work, peer, ours, theirs, theirs / ours, goal=goal, note="mean / mean")


def _their_ms(work: str, problems: Problems, costs: Sequence[float], route: str, peer: str) -> float:
    answers = problems.ask(route)
    for cost, answer in zip(costs, answers, strict=True):
        agree(work, cost, answer.cost, peer)
    return statistics.mean(answer.ms for answer in answers)
