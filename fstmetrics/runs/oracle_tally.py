"""Sums of what stands beside oracles, for runs of any length: pruned lattices, hope and fear, depth."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fstmetrics.metrics.totals import Totals
from fstmetrics.scoring.results import OracleResult, Weights


class BeamCounts(NamedTuple):
    """A lattice pruned to a beam: the arcs left, and its oracle."""

    beam: float
    arcs: int
    totals: Totals


class WeighedCounts(NamedTuple):
    """The best path of hope or fear: its combined cost, its model cost, and its counts."""

    combined: float
    model_cost: float
    totals: Totals


class DepthCounts(NamedTuple):
    """A lattice's depth: how much time it takes, arcs times time, and the most arcs at any time."""

    unit: str
    time: float
    area: float
    most: int


@dataclass(frozen=True, slots=True)
class BesideCounts:
    """What one oracle adds to the sums beside its own counts.

    Attributes:
        beams: one a beam.
        weighed: hope and fear; empty where no model's weight was given.
        depth: None where it was not asked for, or the lattice takes no time.
        weights: what the decoder's own path was found with; None where nothing is weighed.
    """

    beams: tuple[BeamCounts, ...] = ()
    weighed: tuple[WeighedCounts, ...] = ()
    depth: DepthCounts | None = None
    weights: Weights | None = None

    @classmethod
    def of(cls, result: OracleResult) -> BesideCounts:
        """Those of a result."""
        beams = tuple(BeamCounts(each.beam, each.arcs, each.result.totals) for each in result.beams)
        best = (*result.hope[:1], *result.fear[:1])
        weighed = tuple(WeighedCounts(each.combined, each.model_cost, each.result.totals) for each in best)
        depth = None
        if result.depth and result.depth.arcs:
            time = result.depth.times[-1] - result.depth.times[0]
            depth = DepthCounts(result.depth.unit, time, result.depth.mean * time, result.depth.max)
        return cls(beams, weighed, depth, result.weights)

    def as_json(self) -> list[Any]:
        """Numbers that `from_json` takes back."""
        return [self.beams, self.weighed, self.depth, self.weights]

    @classmethod
    def from_json(cls, value: list[Any]) -> BesideCounts:
        """The counts again.

        Raises:
            TypeError, ValueError: they are not what `as_json` wrote.
        """
        beams, weighed, depth, weights = value
        return cls(
            tuple(BeamCounts(beam, arcs, Totals(*totals)) for beam, arcs, totals in beams),
            tuple(WeighedCounts(combined, cost, Totals(*totals)) for combined, cost, totals in weighed),
            None if depth is None else DepthCounts(*depth),
            None if weights is None else Weights(*weights),
        )


class ExactSum:
    """A sum of floats that does not depend on their order, as `math.fsum`, in a few numbers' room (Shewchuk 1997)."""

    def __init__(self) -> None:
        self._parts: list[float] = []

    def add(self, number: float) -> None:
        """Add one more."""
        kept = []
        for part in self._parts:
            large, small = (number, part) if abs(number) >= abs(part) else (part, number)
            number = large + small
            if rest := small - (number - large):
                kept.append(rest)
        self._parts = [*kept, number]

    def value(self) -> float:
        """The sum, rounded once."""
        return math.fsum(self._parts)


@dataclass
class BeamTally:
    """All lattices pruned to one beam."""

    items: int = 0
    arcs: int = 0
    counts: Counter[Totals] = field(default_factory=Counter)

    def add(self, counts: BeamCounts) -> None:
        """Count one more."""
        self.items += 1
        self.arcs += counts.arcs
        self.counts[counts.totals] += 1


@dataclass
class WeighedTally:
    """Hope, or fear, of all items."""

    items: int = 0
    combined: ExactSum = field(default_factory=ExactSum)
    model_cost: ExactSum = field(default_factory=ExactSum)
    counts: Counter[Totals] = field(default_factory=Counter)

    def add(self, counts: WeighedCounts) -> None:
        """Count one more."""
        self.items += 1
        self.combined.add(counts.combined)
        self.model_cost.add(counts.model_cost)
        self.counts[counts.totals] += 1


@dataclass
class DepthTally:
    """The depth of all lattices whose time is counted in one unit."""

    time: ExactSum = field(default_factory=ExactSum)
    area: ExactSum = field(default_factory=ExactSum)
    most: int = 0

    def add(self, counts: DepthCounts) -> None:
        """Count one more."""
        self.time.add(counts.time)
        self.area.add(counts.area)
        self.most = max(self.most, counts.most)


@dataclass
class WeightsTally:
    """What the decoder's own paths of all lattices were found with: the least and the most of every weight, and costs
    that any of them has."""

    least: Weights
    most: Weights

    def add(self, weights: Weights) -> None:
        """Count one more."""
        self.least = Weights._make(map(min, self.least, weights))
        self.most = Weights._make(map(max, self.most, weights))


class BesideTally:
    """All of it."""

    def __init__(self) -> None:
        self.weights: WeightsTally | None = None
        self.beams: dict[float, BeamTally] = {}
        self.weighed = (WeighedTally(), WeighedTally())
        self._depths: dict[str, DepthTally] = {}

    def add(self, counts: BesideCounts) -> None:
        """Count one more oracle."""
        for beam in counts.beams:
            self.beams.setdefault(beam.beam, BeamTally()).add(beam)
        for tally, weighed in zip(self.weighed, counts.weighed, strict=False):
            tally.add(weighed)
        if counts.weights and self.weights:
            self.weights.add(counts.weights)
        elif counts.weights:
            self.weights = WeightsTally(counts.weights, counts.weights)
        if counts.depth:
            self._depths.setdefault(counts.depth.unit, DepthTally()).add(counts.depth)

    def depths(self) -> list[dict[str, Any]]:
        """By unit of time: the mean depth over all the time, the most at any time, and how much time."""
        found = []
        for unit, tally in self._depths.items():
            time = tally.time.value()
            found.append({"unit": unit, "mean": tally.area.value() / time, "max": tally.most, "time": time})
        return found
