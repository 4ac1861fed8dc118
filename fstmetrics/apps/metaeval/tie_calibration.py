"""Pairwise accuracy with tie calibration: `acc_eq` (Deutsch, Foster and Freitag 2023, Ties Matter, sections 3 and 5).

A pair of translations is right where metric and people order it in the same way, or both tie it. Metrics hardly ever
tie, people often; so metric scores that differ by at most epsilon are ties, and epsilon is the one that makes the
accuracy highest. It is a difference between two scores of the metric, or 0.

The search is native, many metrics in one call: `calibrations`. Several epsilons may have the same highest accuracy. The
WMT tools keep a running sum that is rounded pair by pair, and take the epsilon at which the rounded sum is highest. The
engine does the same, so that epsilons are equal; beyond 2^24 pairs it takes the smallest.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics import FstmetricsError, _native
from fstmetrics.apps.metaeval.segment_coefficients import Group, as_rows, checked, rows_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.apps.metaeval.coefficients import Floats


# Of pairs that are ties: acc-eq of as many tells nothing.
NEARLY_ALL = 0.99


class AccEq(NamedTuple):
    """Accuracy and what it was calibrated to.

    Attributes:
        value: the accuracy, from 0 to 1; nan of no pair.
        epsilon: metric scores that differ by at most this are ties.
    """

    value: float
    epsilon: float


def acc_eq(metric: Floats, human: Floats, group: Group = "item", epsilon: float | None = None) -> AccEq:
    """Pairwise accuracy with tie calibration, as WMT has it for segments since 2023.

    Args:
        metric: scores, shape [systems, segments]; nan where there is none. Higher is better.
        human: the same.
        group: which pairs are compared: translations of one segment ("item", as in WMT), segments of one system
            ("system"), or all (None). Accuracies of the rows of a grouping are averaged; epsilon is the same for all.
            Points without a score on either side are left out.
        epsilon: a given one, instead of the best.

    A metric whose scores are all the same ties every pair: its accuracy is the share of pairs that people tie, as in
    mt-metrics-eval. Where people tie every pair, it is 1 at a large epsilon. Both tell nothing of the metric, and
    `fstmetrics correlate` refuses such scores.

    Raises:
        FstmetricsError: an unknown group, or scores of different shapes.

    >>> metric, human = [[0.9, 0.2], [0.8, 0.6], [0.5, 0.9]], [[5, 1], [5, 3], [2, 3]]
    >>> found = acc_eq(metric, human)
    >>> round(found.value, 3), round(found.epsilon, 3)
    (0.833, 0.1)
    """
    metric, human = checked(metric, human, group)
    ((value, found, _),) = calibrations(metric[None], human[None], group, epsilon).tolist()
    return AccEq(value, found if epsilon is None or math.isnan(found) else epsilon)


def calibrations(
    metrics: Floats, human: Floats, group: Group, epsilon: float | None = None, as_rounded: bool = True,
    numbers: Floats | None = None,
) -> Floats:  # fmt: skip
    """Of many metrics at once, on all processors.

    Args:
        metrics: scores, shape [metrics, systems, segments], which `checked` has seen; nan where there is none.
        human: the same, or shape [1, systems, segments] for one and the same.
        group: as of `acc_eq`.
        epsilon: a given one for all, instead of the best of each.
        as_rounded: of equally good epsilons that of the WMT tools; else the smallest, which is found sooner.
        numbers: of points, shaped as `metrics`: those of one number are copies of one, as in resamples, and no pair.
            Not with `as_rounded`.

    Returns:
        Shape [metrics, 3]: accuracy, epsilon, and the share of pairs that are ties of the metric at epsilon. Where that
        is 1, accuracy is the share of pairs that people tie, whatever the metric. All nan where there is no pair.
    """
    if not metrics.size:
        return np.full((len(metrics), 3), np.nan)
    given = np.full(len(metrics), np.nan if epsilon is None else epsilon)
    points, columns = as_rows(metrics, group)
    found: Floats = _native.tie_calibrations(
        points, as_rows(human, group)[0], columns, given, as_rounded,
        None if numbers is None else as_rows(numbers, group)[0].astype(np.int32), os.cpu_count() or 1,
    )  # fmt: skip
    return found


def pair_outcomes(
    metric: Floats, human: Floats, group: Group, epsilon: float
) -> tuple[npt.NDArray[np.bool_], Floats]:
    """Which pairs a metric with its epsilon has right, and what each weighs in the mean; pairs in a fixed order.

    Raises:
        FstmetricsError: no pair.
    """
    right, weights = [], []
    rows = list(rows_of(metric, human, group))
    if not rows:
        raise FstmetricsError("acc-eq compares pairs of translations, and no two of them have scores")
    for x, y in rows:
        i, j = np.triu_indices(len(x), 1)
        by_x, by_y = x[i] - x[j], np.sign(y[i] - y[j])
        right.append(np.where(np.abs(by_x) <= epsilon, 0, np.sign(by_x)) == by_y)
        weights.append(np.full(len(i), 1 / (len(i) * len(rows))))
    return np.concatenate(right), np.concatenate(weights)


def right_together(
    metrics: Floats, human: Floats, group: Group, epsilons: Sequence[float]
) -> tuple[Floats, Floats]:
    """How many pairs each two metrics both have right, by row of a grouping, and what a pair of the row weighs.

    The sums that tests of `pair_outcomes` need, without all pairs in memory.

    Args:
        metrics: scores, shape [metrics, systems, segments], nan for the same points of all.
        human: people's.
        group: as of `acc_eq`.
        epsilons: of each metric.

    Returns:
        Shape [rows, metrics, metrics], where the diagonal is what a metric has right; and shape [rows].

    Raises:
        FstmetricsError: no pair.
    """
    points, columns = as_rows(metrics, group)
    counts, pairs = _native.right_together(
        points,
        as_rows(human[None], group)[0][0],
        columns,
        np.array(epsilons, dtype=np.float64),
        os.cpu_count() or 1,
    )
    if not len(pairs):
        raise FstmetricsError("acc-eq compares pairs of translations, and no two of them have scores")
    return counts.reshape(len(pairs), len(metrics), len(metrics)).astype(np.float64), 1 / (pairs * len(pairs))
