"""Soft pairwise accuracy: `spa` (Thompson et al. 2024, Improving Statistical Significance in Human Evaluation ...).

Of each pair of systems a paired permutation test of the segments' scores says how sure it is that the first is better:
p, from 0 to 1. Of a metric and of people, these p should be the same: SPA is 1 minus the mean of their distances.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.evaluation.agreement.grouped import checked
from fstmetrics.support.arguments import whole_number
from fstmetrics.support.limits import MOST_SAMPLES

if TYPE_CHECKING:
    from fstmetrics.evaluation.agreement.coefficients import Floats

# The seed of the WMT tools, and how many permutations of segments they make.
SEED = 4
SPA_PERMUTATIONS = 1000
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
    signs = permutation_signs(permutations, metric.shape[1], seed)
    return soft_accuracy(confidences(metric, signs), confidences(human, signs))


def judged_by_all(metric: Floats, human: Floats) -> tuple[Floats, Floats]:
    """Scores of those segments that have them of all systems, on both sides."""
    there = (np.isfinite(metric) & np.isfinite(human)).all(axis=0)
    return metric[:, there], human[:, there]


def permutation_signs(permutations: int, segments: int, seed: int) -> Floats:
    """1 where a permutation keeps the two systems' scores of a segment, -1 where it exchanges them."""
    random = np.random.default_rng(seed).random(size=(permutations, segments), dtype=np.float32)
    return np.where(random > 0.5, 1.0, -1.0)


def confidences(scores: Floats, signs: Floats) -> Floats:
    """Of each pair of systems i < j the share of permutations with at least the observed difference; [pairs]."""
    i, j = np.triu_indices(len(scores), 1)
    # Only differences between systems count: without what a segment's scores have in common, large numbers cancel
    # nothing.
    scores = scores - np.partition(scores, len(scores) // 2, axis=0)[len(scores) // 2]
    sums = signs @ scores.T
    observed = scores.sum(axis=1)
    slack = ROUNDING * float(np.abs(scores).sum())
    exceeding = sums[:, i] - sums[:, j] >= observed[i] - observed[j] - slack
    shares: Floats = exceeding.mean(axis=0)
    return shares


def soft_accuracy(metric: Floats, human: Floats) -> float:
    """From confidences of both sides."""
    return float(1 - np.abs(metric - human).mean())


__all__ = ["SEED", "confidences", "judged_by_all", "permutation_signs", "soft_accuracy", "spa"]
