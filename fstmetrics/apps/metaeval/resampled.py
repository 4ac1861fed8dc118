"""Intervals of coefficients: `Intervals` draws bootstrap resamples, the others find coefficients of them.

A resample has as many systems and units (segments or documents) as there are, drawn with replacement. One that is drawn
twice counts as two, but two copies of one are no pair, as both sides always tie them. Resamples of which a coefficient
is undefined are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal

import numpy as np

from fstmetrics import FstmetricsError
from fstmetrics.apps.metaeval.coefficient_names import Wanted
from fstmetrics.apps.metaeval.segment_coefficients import COUNTING_TIES
from fstmetrics.apps.metaeval.soft_accuracy import (
    SEED,
    SPA_PERMUTATIONS,
    Signs,
    confidences,
    judged_by_all,
    soft_accuracy,
)
from fstmetrics.apps.metaeval.tie_calibration import calibrations
from fstmetrics.engine.resampling import interval_of
from fstmetrics.support.arguments import NUMBER, whole_number
from fstmetrics.support.limits import MOST_SAMPLES

if TYPE_CHECKING:
    from fstmetrics.apps.metaeval.coefficients import Floats, Integers

Resampled = Literal["both", "segments", "systems"]
# People's confidences of resamples, by a hash of their scores: for all metrics with scores of the same segments.
People = dict[bytes, list["Floats"]]
# Resamples that are calibrated in one call, and the points of all of them, of more than one.
TOGETHER, POINTS = 32, 1 << 22
# People's confidences that are kept at most; more are found again for each metric.
KEPT = 1 << 22


@dataclass(frozen=True)
class Intervals:
    """How resamples are drawn for intervals, and how much of them lies within.

    Attributes:
        samples: how many resamples; 0 for no intervals.
        seed: of the random numbers.
        resample: what is drawn with replacement: systems, units (`segments`), or both: the interval then says what
            other systems and other segments of the same kind would give.
        confidence: of the intervals.
    """

    samples: int = 1000
    seed: int = 1
    resample: Resampled = "both"
    confidence: float = 0.95

    def __post_init__(self) -> None:
        whole_number(self.samples, "samples", 0, MOST_SAMPLES)
        whole_number(self.seed, "seed", 0)
        NUMBER.check(self.confidence, "confidence")
        if not 0 < self.confidence < 1:
            raise FstmetricsError(f"a confidence lies between 0 and 1, not at {self.confidence}")
        if not isinstance(self.resample, str) or self.resample not in ("both", "segments", "systems"):
            raise FstmetricsError(f"resample is both, segments or systems, not {self.resample!r}")

    def draws(self, systems: int, units: int) -> Iterator[tuple[Integers, Integers]]:
        """Indices of systems and of units, resample by resample."""
        random = np.random.Generator(np.random.PCG64(self.seed))
        for _ in range(self.samples):
            which, where = random.integers(systems, size=systems), random.integers(units, size=units)
            yield (
                np.arange(systems) if self.resample == "segments" else which,
                np.arange(units) if self.resample == "systems" else where,
            )

    def interval(self, values: Sequence[float]) -> tuple[float, float]:
        """Percentiles of what is defined; nan of nothing."""
        defined = [value for value in values if not math.isnan(value)]
        return (defined and interval_of(defined, self.confidence)) or (math.nan, math.nan)


def varies(human: Floats) -> bool:
    """Whether people have said different things; if not, nothing agrees with them."""
    said = human[np.isfinite(human)]
    return bool((said != said[:1]).any())


def segment_values(
    x: Floats, y: Floats, wanted: Wanted, threshold: float, intervals: Intervals
) -> list[float]:
    """A coefficient of resamples of scores, shape [systems, segments]; nan where it is undefined.

    `acc-eq` is calibrated anew for each. There are none of taus and accuracies that count pairs tied by both sides.
    """
    if wanted.name in COUNTING_TIES:
        return []
    draws = intervals.draws(*x.shape)
    if wanted.name != "acc-eq":
        return [
            wanted.of_segments(a, b, threshold).value if varies(b) else math.nan
            for a, b in ((x[np.ix_(*draw)], y[np.ix_(*draw)]) for draw in draws)
        ]
    found: list[float] = []
    together = max(min(TOGETHER, POINTS // max(x.size, 1)), 1)
    while drawn := list(islice(draws, together)):
        metric, human, numbers = (
            np.array([side[np.ix_(*draw)] for draw in drawn])
            for side in (x, y, np.arange(x.size, dtype=np.float64).reshape(x.shape))
        )
        values = calibrations(metric, human, wanted.group, None, False, numbers)[:, 0].tolist()
        found += [value if varies(said) else math.nan for value, said in zip(values, human, strict=True)]
    return found


def soft_values(x: Floats, y: Floats, intervals: Intervals, people: People) -> list[float]:
    """Soft pairwise accuracy of resamples of the segments that have scores of all systems.

    Args:
        x, y: scores, shape [systems, segments]; nan where there is none.
        intervals: the resamples.
        people: what is kept of people's side, for other metrics.
    """
    x, y = judged_by_all(x, y)
    if len(x) < 2 or not x.shape[1]:
        return []
    signs = Signs(SPA_PERMUTATIONS, x.shape[1], SEED)
    key = blake2b(np.ascontiguousarray(y).reshape(-1).data).digest()
    i, j = np.triu_indices(len(x), 1)
    said: Iterable[Floats] | None = people.get(key)
    if said is None:
        said = (
            confidences(y[np.ix_(*draw)], signs) if varies(y[np.ix_(*draw)]) else np.zeros(0)
            for draw in intervals.draws(*y.shape)
        )
        if sum(map(len, chain(*people.values()))) + intervals.samples * len(i) <= KEPT:
            said = people[key] = list(said)
    found = []
    for (which, where), human in zip(intervals.draws(*x.shape), said, strict=True):
        pairs = which[i] != which[j]
        if len(human) and pairs.any():
            metric = confidences(x[np.ix_(which, where)], signs)
            found.append(soft_accuracy(metric[pairs], human[pairs]))
        else:
            found.append(math.nan)
    return found
