"""Pairwise accuracy with tie calibration: `acc_eq` (Deutsch, Foster and Freitag 2023, Ties Matter, sections 3 and 5).

A pair of translations is right where metric and people order it in the same way, or both tie it. Metrics hardly ever
tie, people often; so metric scores that differ by at most epsilon are ties, and epsilon is the one that makes the
accuracy highest. It is a difference between two scores of the metric, or 0.

With epsilon, two kinds of pairs change: those that people tie become right, those that are concordant become wrong. So
accuracy as a function of epsilon is a sum of steps up and down at the pairs' differences, here over intervals of
differences first, then one by one within those intervals that can hold the maximum. Memory is that of one interval.

Several epsilons may have the same highest accuracy. The WMT tools keep a running sum that is rounded pair by pair, and
take the epsilon at which the rounded sum is highest. `_as_rounded` does the same, so that epsilons are equal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics.evaluation.agreement.grouped import Group, checked, rows_of
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.evaluation.agreement.coefficients import Floats

# Differences are counted in so many intervals first.
INTERVALS = 1 << 14
# Pairs are looked at in blocks of about so many.
BLOCK = 1 << 20
# Weights of rows are whole numbers where their sums stay below this, so that equal accuracies are equal.
EXACT = 1 << 52
# Of more pairs than that, the smallest of equally good epsilons is taken, as nobody has rounded sums of them.
MOST_ROUNDED = 1 << 24


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

    Raises:
        FstmetricsError: an unknown group, or scores of different shapes.

    >>> metric, human = [[0.9, 0.2], [0.8, 0.6], [0.5, 0.9]], [[5, 1], [5, 3], [2, 3]]
    >>> found = acc_eq(metric, human)
    >>> round(found.value, 3), round(found.epsilon, 3)
    (0.833, 0.1)
    """
    metric, human = checked(metric, human, group)
    rows = list(rows_of(metric, human, group))
    if not rows:
        return AccEq(math.nan, math.nan)
    pairs = [len(x) * (len(x) - 1) // 2 for x, _ in rows]
    weights, one = _weights(pairs)
    start = sum(weight * _right(x, y) for weight, (x, y) in zip(weights, rows, strict=True))
    if epsilon is not None:
        changed = sum(
            float(steps[differences <= epsilon].sum()) for differences, steps in _steps(rows, weights)
        )
        return AccEq((start + changed) / one, epsilon)
    best, where = _maximum(rows, weights, start)
    if len(where) > 1 and sum(pairs) <= MOST_ROUNDED:
        return AccEq(best / one, _as_rounded(rows))
    return AccEq(best / one, where[0])


def tied_share(metric: Floats, human: Floats, group: Group, epsilon: float) -> float:
    """The share of pairs that are ties of the metric at epsilon; nan of no pair.

    Where it is 1, accuracy is the share of pairs that people tie, whatever the metric.

    >>> metric, human = [[0.9, 0.2], [0.8, 0.6], [0.5, 0.9]], [[5, 1], [5, 1], [5, 1]]
    >>> tied_share(metric, human, "item", 0.35), tied_share(metric, human, "item", 0.8)
    (0.5, 1.0)
    """
    metric, human = checked(metric, human, group)
    tied = pairs = 0
    for x, y in rows_of(metric, human, group):
        for by_x, _ in _pairs(x, y):
            tied += int(np.count_nonzero(np.abs(by_x) <= epsilon))
            pairs += len(by_x)
    return tied / pairs if pairs else math.nan


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


def _weights(pairs: list[int]) -> tuple[list[float], float]:
    """What a pair of each row adds to the sum, and what the sum is divided by; whole numbers if they are small."""
    multiple = math.lcm(*set(pairs))
    if multiple * len(pairs) < EXACT:
        return [float(multiple // each) for each in pairs], float(multiple * len(pairs))
    return [1 / each for each in pairs], float(len(pairs))


def _right(x: Floats, y: Floats) -> float:
    """Pairs of a row that are right without new ties."""
    return float(sum(np.count_nonzero(np.sign(by_x) == np.sign(by_y)) for by_x, by_y in _pairs(x, y)))


def _pairs(x: Floats, y: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Differences of all pairs of a row, block by block."""
    first, size = 0, len(x)
    while first < size - 1:
        last = min(size - 1, first + max(1, BLOCK // size))
        i, j = np.triu_indices(last - first, 1, size - first)
        i, j = i + first, j + first
        yield x[i] - x[j], y[i] - y[j]
        first = last


def _steps(rows: list[tuple[Floats, Floats]], weights: list[float]) -> Iterator[tuple[Floats, Floats]]:
    """Differences of the metric where accuracy changes, and by how much, block by block."""
    held: list[tuple[Floats, Floats]] = []
    size = 0
    for (x, y), weight in zip(rows, weights, strict=True):
        for by_x, by_y in _pairs(x, y):
            gain = (by_y == 0).astype(np.float64) - (np.sign(by_x) == np.sign(by_y))
            moved = (gain != 0) & (by_x != 0)
            held.append((np.abs(by_x[moved]), weight * gain[moved]))
            size += len(held[-1][0])
            if size >= BLOCK:
                yield _joined(held)
                held, size = [], 0
    yield _joined(held)


def _joined(held: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    if not held:
        return np.zeros(0), np.zeros(0)
    return np.concatenate([each for each, _ in held]), np.concatenate([each for _, each in held])


def _maximum(
    rows: list[tuple[Floats, Floats]], weights: list[float], start: float
) -> tuple[float, list[float]]:
    """The highest sum, and the epsilons that have it, from the smallest on."""
    widest = max(float(np.ptp(x)) for x, _ in rows)
    if widest == 0:
        return start, [0.0]
    total, gains = np.zeros(INTERVALS), np.zeros(INTERVALS)
    for differences, steps in _steps(rows, weights):
        place = _intervals(differences, widest)
        total += np.bincount(place, steps, INTERVALS)
        gains += np.bincount(place, np.maximum(steps, 0), INTERVALS)
    ends = start + np.cumsum(total)
    starts = ends - total
    at_least = max(start, float(ends.max()))
    wanted = starts + gains >= at_least
    held = [
        (d[kept], s[kept])
        for d, s in _steps(rows, weights)
        if len(d)
        for kept in [wanted[_intervals(d, widest)]]
    ]
    return _among(*_joined(held), np.flatnonzero(wanted), starts, widest, start)


def _intervals(differences: Floats, widest: float) -> npt.NDArray[np.intp]:
    return np.minimum(differences * (INTERVALS / widest), INTERVALS - 1).astype(np.intp)


def _among(
    differences: Floats,
    steps: Floats,
    wanted: npt.NDArray[np.intp],
    starts: Floats,
    widest: float,
    start: float,
) -> tuple[float, list[float]]:
    """The highest sum within some intervals, difference by difference, and where it is."""
    order = np.argsort(differences, kind="stable")
    differences, steps = differences[order], steps[order]
    best, where = start, [0.0]
    bounds = np.searchsorted(_intervals(differences, widest), [wanted, wanted + 1])
    for interval, first, last in zip(wanted, *bounds, strict=True):
        if first == last:
            continue
        own = differences[first:last]
        is_last = np.concatenate((own[1:] != own[:-1], [True]))
        sums = (starts[interval] + np.cumsum(steps[first:last]))[is_last]
        top = float(sums.max())
        found = own[is_last][sums == top].tolist()
        if top > best:
            best, where = top, found
        elif top == best:
            where += found
    return best, where


def _as_rounded(rows: list[tuple[Floats, Floats]]) -> float:
    """The epsilon at which a running sum of the rows' accuracies is highest, rounded as the WMT tools round it.

    Pairs become ties from the smallest difference on; for each, the accuracy of its row is taken from the sum, and the
    new one is added.
    """
    differences, gains, row_of = [], [], []
    right = np.array([_right(x, y) for x, y in rows])
    pairs = np.array([len(x) * (len(x) - 1) // 2 for x, _ in rows], dtype=np.float64)
    for row, (x, y) in enumerate(rows):
        for by_x, by_y in _pairs(x, y):
            differences.append(np.abs(by_x))
            gains.append((by_y == 0).astype(np.float64) - (np.sign(by_x) == np.sign(by_y)))
            row_of.append(np.full(len(by_x), row))
    all_differences, all_rows = np.concatenate(differences), np.concatenate(row_of)
    order = np.argsort(all_differences, kind="stable")
    all_differences, all_rows = all_differences[order], all_rows[order]
    changes = np.concatenate(gains)[order]
    by_row = np.argsort(all_rows, kind="stable")
    sums = np.cumsum(changes[by_row])
    firsts = np.searchsorted(all_rows[by_row], np.arange(len(rows)))
    after = np.empty_like(sums)
    after[by_row] = (
        sums - (sums[firsts] - changes[by_row][firsts])[all_rows[by_row]] + right[all_rows[by_row]]
    )
    running = np.empty(2 * len(order) + 1)
    running[0] = sum((right / pairs).tolist())
    running[1::2], running[2::2] = -(after - changes) / pairs[all_rows], after / pairs[all_rows]
    rounded = np.cumsum(running)[::2] / len(rows)
    thresholds = np.concatenate(([0.0], all_differences))
    is_last = np.concatenate((thresholds[1:] != thresholds[:-1], [True]))
    return float(thresholds[is_last][np.argmax(rounded[is_last])])


__all__ = ["AccEq", "acc_eq", "pair_outcomes", "tied_share"]
