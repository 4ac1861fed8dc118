"""How good the choice of `auto` is: over a grid of problems, its time against that of the fastest route."""

from __future__ import annotations

import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import fstmetrics as fm
from bench import grid
from bench.inputs import Inputs
from bench.measure import Line, agree
from fstmetrics.engine.search import ROUTES, routes_of, searched
from fstmetrics.engine.sides import as_side
from fstmetrics.text.normalisation import PLAIN

# A choice is good within so many times the fastest route's time.
GOOD, SHARE, WORST = 1.25, 0.95, 2.0
# dijkstra is best-first for comparison, and chart is for networks that are not written out.
RIVALS = tuple(route for route in ROUTES if route not in ("auto", "dijkstra", "chart"))

BLOCK_MS = 0.25
BLOCKS, MORE_BLOCKS = 3, 11
# A route that takes longer than so many times the fastest so far is not repeated.
HOPELESS = 4.0
# One that is predicted to take longer than so many times `auto` is not run at all; of best-first nothing is predicted.
NOT_RUN = 30.0
# Best-first may meet so many product states in the time of the fastest route, and a hundred at least.
NODES_A_MS = 20_000
# Below this, what a route's first search of a graph prepares may be most of its time.
PREPARES_MS = 20.0
# A choice that is closer to the edge than this, or beyond it, is measured again.
DOUBTFUL = 1.15

Call = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Measured:
    """The time of every route at a point, in milliseconds of an item; `auto` took the route `chosen`."""

    point: grid.Point
    chosen: str
    auto: float
    routes: dict[str, float]

    @property
    def best(self) -> str:
        """The fastest route."""
        return min(self.routes, key=self.routes.__getitem__)

    @property
    def ratio(self) -> float:
        """Time of `auto` by that of the fastest route."""
        return self.auto / self.routes[self.best]


def routes(inputs: Inputs) -> Iterator[Line]:
    """The share of good choices and the worst, by kind of graph and by costs, and every choice that was not good."""
    found = list(measured(inputs.tiny))
    by: defaultdict[str, list[Measured]] = defaultdict(list)
    for one in found:
        by[one.point.kind].append(one)
        by[one.point.costs].append(one)
    yield _share("routes: choices of auto", found, SHARE)
    yield _worst(found)
    for name, some in by.items():
        yield _share(f"routes: choices of auto, {name}", some, None)
    missed = sorted((one for one in found if one.ratio > GOOD), key=lambda one: -one.ratio)
    for one in missed:
        yield Line(f"{one.point}: {one.chosen}", one.best, one.auto, one.routes[one.best], one.ratio)


def _share(work: str, found: list[Measured], goal: float | None) -> Line:
    share = statistics.mean(one.ratio <= GOOD for one in found)
    chosen = ", ".join(f"{route} {count}" for route, count in Counter(o.chosen for o in found).most_common())
    return Line(
        work, f"share within {GOOD} of the fastest route", value=share, share=share,
        worst=max(one.ratio for one in found), goal=goal, note=f"{len(found)} points; took {chosen}",
    )  # fmt: skip


def _worst(found: list[Measured]) -> Line:
    worst = max(found, key=lambda one: one.ratio)
    return Line(
        "routes: worst choice of auto", worst.best, worst.auto, worst.routes[worst.best], worst.ratio,
        worst=worst.ratio, goal=WORST, sense="at most", note=f"{worst.point}: {worst.chosen}",
    )  # fmt: skip


def measured(tiny: bool) -> Iterator[Measured]:
    """Every point of the grid, measured; answers are compared before."""
    return map(_measured, grid.points(tiny))


def _measured(point: grid.Point) -> Measured:
    hypothesis, reference = as_side(point.hypothesis, PLAIN), as_side(point.reference, PLAIN)

    def calls_of(options: fm.SearchOptions) -> Call:
        def call(times: int) -> None:
            searched(None, [hypothesis] * times, [reference] * times, point.metric, options=options)

        return call

    def answer(options: fm.SearchOptions) -> tuple[float, str, float]:
        start = time.thread_time()
        found = searched(None, [hypothesis], [reference], point.metric, options=options)
        return found.counts(0, 0)[0], found.stats(0)[0], (time.thread_time() - start) * 1e3

    auto = fm.SearchOptions(alignment=False)
    answer(auto)  # prepares the graph
    cost, chosen, ms = answer(auto)
    times = {"auto": ms}
    table = routes_of(point.hypothesis, point.reference, point.metric)
    slow = {v.route for v in table if v.route != "best-first" and v.nanoseconds / 1e6 > NOT_RUN * ms}
    calls = {"auto": calls_of(auto)}
    for route in sorted(set(RIVALS) - slow, key=lambda route: (route != chosen, route)):
        fastest = min(times.values())
        nodes = 100 + int(HOPELESS * NODES_A_MS * fastest) if route == "best-first" else None
        options = fm.SearchOptions(route=route, alignment=False, max_nodes=nodes)
        try:
            other, _, ms = answer(options)
            if ms < PREPARES_MS:
                ms = answer(options)[2]
        except fm.SearchError:
            continue
        agree(str(point), cost, other, route)
        times[route] = ms
        calls[route] = calls_of(options)
    promising = {
        r: call for r, call in calls.items() if times[r] <= HOPELESS * min(times.values()) or r == "auto"
    }
    for blocks in (BLOCKS, MORE_BLOCKS):
        times |= _interleaved(promising, times, blocks)
        rivals = {r: ms for r, ms in times.items() if r != "auto"}
        one = Measured(point, chosen, times["auto"], rivals or {chosen: times["auto"]})
        if one.ratio <= DOUBTFUL:
            break
        promising = {
            r: call for r, call in promising.items() if r == "auto" or times[r] <= 1.3 * times[one.best]
        }
    return one


def _interleaved(calls: dict[str, Call], rough: dict[str, float], blocks: int) -> dict[str, float]:
    """Median milliseconds of an item by each, one block of each after another."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(blocks):
        for name, call in calls.items():
            items = max(1, round(BLOCK_MS / max(rough[name], 1e-4)))
            start = time.thread_time()
            call(items)
            times[name].append((time.thread_time() - start) * 1e3 / items)
    return {name: statistics.median(some) for name, some in times.items()}
