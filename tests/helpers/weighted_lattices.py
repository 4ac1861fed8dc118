"""Small random lattices with costs, and every path of them by enumeration."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import brute_force as bf
from random_cases import MetricPair, random_machine

import fstmetrics as fm


@dataclass(frozen=True)
class Path:
    """One accepting path: its words, its graph and acoustic cost, and the arcs it takes, as read."""

    words: bf.Words
    graph: Fraction
    acoustic: Fraction
    arcs: tuple[int, ...]

    def cost(self, lm: Fraction = Fraction(1), acoustic: Fraction = Fraction(1)) -> Fraction:
        """The weighted cost."""
        return lm * self.graph + acoustic * self.acoustic


@dataclass(frozen=True)
class Costly:
    """A lattice as fstmetrics has it, and all its paths."""

    lattice: fm.Lattice
    paths: tuple[Path, ...]

    def best_by_words(self) -> dict[bf.Words, Fraction]:
        """The least cost of a path with these words, scales 1."""
        best: dict[bf.Words, Fraction] = {}
        for path in self.paths:
            best[path.words] = min(path.cost(), best.get(path.words, path.cost()))
        return best


def costly(rng: random.Random, low: int = -8, high: int = 24) -> Costly:
    """A random lattice whose costs are eighths, exact in doubles and in the engine's units."""
    machine = random_machine(rng, rng.randint(2, 7), rng.choice((0, 0.3)))
    arcs = sorted(machine.arcs, key=lambda arc: arc[0])  # as the engine has them
    costs = [tuple(Fraction(rng.randint(low, high), 8) for _ in "ga") for _ in arcs]
    finals = sorted(machine.finals)
    ends = {
        final: tuple(Fraction(rng.choice((0, rng.randint(low, high))), 8) for _ in "ga") for final in finals
    }
    states = 1 + max([machine.start, *finals, *(s for a, _, b in arcs for s in (a, b))])

    def walk(state: int) -> Iterator[Path]:
        if state in ends:
            yield Path((), *ends[state], ())
        for number, (source, word, target) in enumerate(arcs):
            if source == state:
                for rest in walk(target):
                    graph, acoustic = costs[number]
                    words = (word, *rest.words) if word else rest.words
                    yield Path(words, graph + rest.graph, acoustic + rest.acoustic, (number, *rest.arcs))

    lattice = fm.Lattice.from_arrays(
        [a for a, _, _ in arcs], [b for _, _, b in arcs],
        [word or rng.choice(("", "<eps>", "<s>", "!NULL")) for _, word, _ in arcs],
        start=machine.start, finals=finals, num_states=states,
        costs=[[float(c) for c in pair] for pair in costs],
        final_costs=[[float(c) for c in ends[final]] for final in finals],
    )  # fmt: skip
    return Costly(lattice, tuple(walk(machine.start)))


WEIGHTS = (Fraction(0), Fraction(1, 8), Fraction(1), Fraction(3, 2), Fraction(20))


def metric_cost(hypothesis: bf.Words, references: frozenset[bf.Words], pair: MetricPair) -> Fraction:
    return min(bf.best_of_pair(hypothesis, r, pair.referee, 1, "moves").cost for r in references)
