"""Soft pairwise accuracy: `spa` (Thompson et al. 2024, Improving Statistical Significance in Human Evaluation ...).

Of each pair of systems a paired permutation test of the segments' scores says how sure it is that the first is better:
p, from 0 to 1. Of a metric and of people, these p should be the same: SPA is 1 minus the mean of their distances.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics import _native
from fstmetrics.apps.metaeval.segment_coefficients import checked
from fstmetrics.support.arguments import whole_number
from fstmetrics.support.limits import MOST_SAMPLES, limits

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.apps.metaeval.coefficients import Floats

# The seed of the WMT tools, and how many permutations of segments they make.
SEED = 4
SPA_PERMUTATIONS = 1000
# Up to so many signs are kept as numbers. Of more, so many are numbers at the same time.
CELLS, TOGETHER = 1 << 23, 1 << 19
# Sums of permutations that differ by less than this share of all scores are equal: they are added in another order.
ROUNDING = 1e-12


def spa(metric: Floats, human: Floats, permutations: int = SPA_PERMUTATIONS, seed: int = SEED) -> float:
    """Soft pairwise accuracy, as WMT has it for systems since 2024.

    Segments that lack a score of a system on either side are left out. The random numbers are drawn as mt-metrics-eval
    draws them, so equal seeds give its numbers (but for pairs that its single precision ties or parts).

    Args:
        metric: scores, shape [systems, segments]; nan where there is none. Higher is better.
        human: the same.
        permutations: how many.
        seed: of the random numbers; all pairs share the same permutations.

    Returns:
        From 0 to 1, higher is better; nan of fewer than two systems, or of no segment. A side whose scores are all
        the same has a number, too, as in mt-metrics-eval (p is 1 for each of its pairs); it tells nothing of the
        metric, and `fstmetrics correlate` refuses such scores.

    Raises:
        FstmetricsError: scores of different shapes, or a number of permutations out of range.

    >>> metric, human = [[0.9, 0.7, 0.8], [0.4, 0.6, 0.3]], [[3, 2, 3], [1, 2, 2]]
    >>> round(spa(metric, human, permutations=1000, seed=4), 2)
    0.86
    """
    whole_number(permutations, "permutations", 1, MOST_SAMPLES)
    whole_number(seed, "seed", 0)
    metric, human = judged_by_all(*checked(metric, human))
    if len(metric) < 2 or not metric.shape[1]:
        return math.nan
    signs = Signs(permutations, metric.shape[1], seed)
    return soft_accuracy(confidences(metric, signs), confidences(human, signs))


def judged_by_all(metric: Floats, human: Floats) -> tuple[Floats, Floats]:
    """Scores of those segments that have them of all systems, on both sides."""
    there = np.isfinite(metric).all(axis=0)
    there &= np.isfinite(human).all(axis=0)
    if there.all():
        return metric, human
    return metric[:, there], human[:, there]


class Signs:
    """Random signs, a row a permutation: 1 where it keeps the two systems' scores of a segment, -1 where it exchanges
    them. Few are kept as numbers, many as bits.

    Args:
        permutations: how many rows.
        segments: how many columns.
        seed: of the random numbers.

    Attributes:
        bits: a bit each, the first segment's the lowest of the first byte.
    """

    def __init__(self, permutations: int, segments: int, seed: int) -> None:
        self.permutations, self.segments = permutations, segments
        random, rows = np.random.default_rng(seed), max(CELLS // max(segments, 1), 1)
        self.bits: npt.NDArray[np.uint8] = np.empty((permutations, -(-segments // 8)), dtype=np.uint8)
        for begin in range(0, permutations, rows):
            some = self.bits[begin : begin + rows]
            drawn = random.random(size=(len(some), segments), dtype=np.float32)
            some[:] = np.packbits(drawn > 0.5, axis=1, bitorder="little")
        self._numbers = self._part(0, segments) if permutations * segments <= CELLS else None

    def sums(self, scores: Floats) -> Floats:
        """Sums of scores with these signs, shape [systems, segments] to [permutations, systems]."""
        if self._numbers is not None:
            whole: Floats = self._numbers @ scores.T
            return whole
        found = np.zeros((self.permutations, len(scores)))
        step = max(TOGETHER // self.permutations // 8, 1) * 8
        for begin in range(0, self.segments, step):
            end = min(begin + step, self.segments)
            found += self._part(begin, end) @ scores[:, begin:end].T
        return found

    def _part(self, begin: int, end: int) -> Floats:
        """Of some segments, the first of which begins a byte, as numbers."""
        bits = self.bits[:, begin // 8 : -(-end // 8)]
        signs = np.unpackbits(bits, axis=1, count=end - begin, bitorder="little").astype(np.float64)
        signs *= 2
        signs -= 1
        return signs


def confidences(scores: Floats, signs: Signs) -> Floats:
    """Of each pair of systems i < j the share of permutations with at least the observed difference; [pairs].

    Raises:
        InputError: more pairs than the limit `cells` has.
    """
    pairs = len(scores) * (len(scores) - 1) // 2
    limits().check("cells", pairs, f"spa of {len(scores)} systems compares", "pairs of them")
    scores = _differences(scores)
    sums, observed = np.ascontiguousarray(signs.sums(scores).T), scores.sum(axis=1)
    slack = ROUNDING * sum(float(np.abs(system).sum()) for system in scores)
    return _native.exceeding_shares(sums, observed, slack)


def _differences(scores: Floats) -> Floats:
    """Scores without what those of a segment have in common: only differences between systems count, and so large
    numbers cancel nothing."""
    found, middle = scores.copy(order="K"), len(scores) // 2
    for begin in range(0, found.shape[1], TOGETHER):
        some = found[:, begin : begin + TOGETHER]
        some -= np.partition(some, middle, axis=0)[middle]
    return found


def soft_accuracy(metric: Floats, human: Floats) -> float:
    """From confidences of both sides."""
    return float(1 - np.abs(metric - human).mean())
