"""Tie calibration by its definition: every epsilon is tried, accuracies are fractions, pairs come one by one."""

import itertools
import math
from fractions import Fraction
from typing import Any


def judged_rows(metric: Any, human: Any, group: Any) -> list[list[tuple[float, float]]]:
    """The points of each row that has a pair, without those that lack a score."""
    found: dict[int, list[tuple[float, float]]] = {}
    systems, segments = metric.shape
    if group == "item":
        cells = [(i, j) for j in range(segments) for i in range(systems)]
    else:
        cells = list(itertools.product(range(systems), range(segments)))
    for i, j in cells:
        x, y = float(metric[i, j]), float(human[i, j])
        if not math.isnan(x) and not math.isnan(y):
            found.setdefault({"item": j, "system": i, None: 0}[group], []).append((x, y))
    return [row for row in found.values() if len(row) > 1]


def sign(x: float) -> int:
    return (x > 0) - (x < 0)


def calibrated(metric: Any, human: Any, group: Any) -> tuple[float, float, float]:
    """Accuracy, epsilon and the share of ties, as mt-metrics-eval chooses among equally good epsilons."""
    rows = judged_rows(metric, human, group)
    if not rows:
        return math.nan, math.nan, math.nan
    # Of each pair its difference, its row, and whether it is right before and after it is a tie.
    pairs = []
    for row, points in enumerate(rows):
        for (x1, y1), (x2, y2) in itertools.combinations(points, 2):
            pairs.append((abs(x1 - x2), row, sign(x1 - x2) == sign(y1 - y2), y1 == y2))
    pairs.sort(key=lambda pair: pair[0])  # stable, as there
    sizes = [len(points) * (len(points) - 1) // 2 for points in rows]
    right = [sum(pair[2] for pair in pairs if pair[1] == row) for row in range(len(rows))]
    accuracy = sum(Fraction(r, n) for r, n in zip(right, sizes, strict=True))
    rounded = 0.0
    for r, n in zip(right, sizes, strict=True):
        rounded += r / n
    thresholds = [(0.0, accuracy, rounded)]
    for at, (difference, row, before, after) in enumerate(pairs):
        step = 0 if difference == 0 else after - before
        rounded -= right[row] / sizes[row]
        right[row] += step
        rounded += right[row] / sizes[row]
        accuracy += Fraction(step, sizes[row])
        if at + 1 == len(pairs) or pairs[at + 1][0] != difference:
            if thresholds[-1][0] == difference:
                thresholds.pop()
            thresholds.append((difference, accuracy, rounded))
    best = max(exact for _, exact, _ in thresholds)
    equal = [difference for difference, exact, _ in thresholds if exact == best]
    epsilon = equal[0]
    if len(equal) > 1:
        highest = max(rounded / len(rows) for _, _, rounded in thresholds)
        epsilon = next(difference for difference, _, rounded in thresholds if rounded / len(rows) == highest)
    tied = sum(pair[0] <= epsilon for pair in pairs) / len(pairs)
    return float(best / len(rows)), epsilon, tied


def accuracy_at(metric: Any, human: Any, group: Any, epsilon: float) -> float:
    """Accuracy with a given epsilon."""
    shares = [
        Fraction(sum(
            (0 if abs(a[0] - b[0]) <= epsilon else sign(a[0] - b[0])) == sign(a[1] - b[1])
            for a, b in itertools.combinations(points, 2)
        ), len(points) * (len(points) - 1) // 2)
        for points in judged_rows(metric, human, group)
    ]  # fmt: skip
    return float(sum(shares) / len(shares))
