"""The grid of the row `routes`: graphs of four kinds, and two graphs, by size, errors, window and costs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice

import fstmetrics as fm
from bench import generate

KINDS = ("confusion network", "decoder lattice", "reference network", "random", "lattice x network")
WORDS = (5, 12, 20, 33, 50, 100, 200)
ARCS = (100, 1_000, 10_000, 100_000)
ERRORS = (0.0, 0.1, 0.3, 0.6)
TINY_WORDS, TINY_ARCS = (5, 20), (100, 300)
# Where all of them would take long.
FEW_ERRORS = (0.1, 0.6)
COSTS: dict[str, fm.Metric] = {
    "unit": fm.WER(),
    "window 3": fm.HyTER(3),
    "window 5": fm.HyTER(5),
    "4/3/3": fm.EditMetric(0, 4, 3, 3),
    "4-GRR": fm.GRR(4),
}
# A graph has at least so many arcs for each word of its paths, and at most so many.
ARCS_A_WORD = (1.5, 2_000)
# Beyond so many pairs of arcs, permutations written out, searches of minutes would be on the grid.
MOST_PAIRS = 2e8
SEED = 13


@dataclass(frozen=True, slots=True)
class Point:
    """One problem of the grid: `hypothesis` and `reference`, one of them a string unless both are graphs."""

    kind: str
    words: int
    arcs: int
    errors: float
    costs: str
    hypothesis: str | fm.Lattice | fm.Network
    reference: str | fm.Lattice | fm.Network

    @property
    def metric(self) -> fm.Metric:
        """What is computed."""
        return COSTS[self.costs]

    @property
    def graph(self) -> tuple[str, int, int]:
        """Which graph it is of."""
        return self.kind, self.words, self.arcs

    def __str__(self) -> str:
        return f"{self.kind}, {self.words} words, {self.arcs} arcs, {self.errors:.0%} errors, {self.costs}"


def points(tiny: bool) -> Iterator[Point]:
    """All points, those of a graph one after another."""
    for kind in KINDS:
        for words in TINY_WORDS if tiny else WORDS:
            for arcs in TINY_ARCS if tiny else ARCS:
                if ARCS_A_WORD[0] <= arcs / words <= ARCS_A_WORD[1] and _is_on_grid(kind, arcs):
                    yield from _of_graph(kind, words, arcs, FEW_ERRORS if tiny or arcs > 10_000 else ERRORS)


def _is_on_grid(kind: str, arcs: int) -> bool:
    return kind != "lattice x network" or arcs <= 10_000


def _of_graph(kind: str, words: int, arcs: int, errors: tuple[float, ...]) -> Iterator[Point]:
    rng = random.Random(f"{SEED} {kind} {words} {arcs}")
    graph, path = _graph(kind, words, arcs, rng)
    for rate in errors:
        said = " ".join(generate.corrupted(rng, path, rate, generate.Zipf(rng)))
        swapped = " ".join(generate.with_swaps(rng, said.split(), 1 + words // 12))
        point = partial(Point, kind, words, arcs, rate)
        if kind == "lattice x network":
            lattice = _lattice(rng, said.split() or ["w0"], arcs)
            yield from (point(costs, lattice, graph) for costs in COSTS if not costs.startswith("window"))
            continue
        for costs in COSTS:
            if costs.startswith("window"):
                if _pairs(words, int(costs.split()[1]), arcs) <= MOST_PAIRS:
                    yield point(costs, swapped, graph)
            elif kind == "reference network":
                yield point(costs, said, graph)
            else:
                yield point(costs, graph, said)


def _pairs(words: int, window: int, arcs: int) -> float:
    return float(words * 2 ** (window - 1) * (window - 1) * window * arcs)


def _graph(kind: str, words: int, arcs: int, rng: random.Random) -> tuple[fm.Lattice | fm.Network, list[str]]:
    """A graph and the words of one of its paths."""
    if kind == "confusion network":
        return _confusion_network(rng, words, arcs)
    if kind == "decoder lattice":
        path = generate.Zipf(rng).words(words)
        return _lattice(rng, path, arcs), path
    if kind == "random":
        return _random(rng, words, arcs)
    # Networks that meet lattices are those of a few annotators.
    net = _network(rng, words, arcs if kind == "reference network" else 20 * words)
    return fm.Network.from_dict(net), generate.sampled_path(rng, net)


def _confusion_network(rng: random.Random, words: int, arcs: int) -> tuple[fm.Lattice, list[str]]:
    """Slots of competing words, an epsilon in every third."""
    zipf = generate.Zipf(rng)
    path = zipf.words(words)
    rows = []
    for slot, word in enumerate(path):
        competitors = {word, *zipf.words(arcs // words)}
        others = min(arcs // words, generate.VOCABULARY // 2) - len(competitors)
        competitors.update(f"w{rng.randrange(generate.VOCABULARY)}" for _ in range(others))
        rows += [(slot, slot + 1, competitor) for competitor in sorted(competitors)]
        if slot % 3 == 0:
            rows.append((slot, slot + 1, ""))
    return fm.Lattice.from_arcs(rows, finals=[words]), path


def _lattice(rng: random.Random, path: list[str], arcs: int) -> fm.Lattice:
    rows, final = generate.lattice(rng.randrange(1000), path, arcs)
    return fm.Lattice.from_arcs(rows, finals=[final])


def _random(rng: random.Random, words: int, arcs: int) -> tuple[fm.Lattice, list[str]]:
    """Three arcs a state to any of the next ones, so that paths have about `words` words or one a few states."""
    states = max(3, arcs // 3)
    reach = max(2, 2 * states // words)
    drawn = iter(generate.Zipf(rng, 200).words(3 * states))
    rows = []
    for state in range(states - 1):
        for word in islice(drawn, 3):
            target = min(states - 1, state + rng.randint(1, reach))
            rows.append((state, target, "" if rng.random() < 0.1 else word))
    path, state = [], 0
    while state < states - 1:
        _, state, word = rows[3 * state + rng.randrange(3)]
        path += [word] if word else []
    return fm.Lattice.from_arcs(sorted(set(rows)), finals=[states - 1]), path


def _network(rng: random.Random, words: int, arcs: int) -> dict[str, object]:
    """Segments of two words or so; each third alternative calls a card of as many alternatives."""
    segments = max(1, round(words / 2.6))
    alternatives = max(1, round((-2 + (4 + 2.4 * arcs / segments) ** 0.5) / 1.2))
    return generate.network(rng.randrange(1000), segments, alternatives, 2)
