"""Coefficients of scores of segments in the groupings of WMT's metrics tasks: `correlation`.

Scores have the shape [systems, segments]. All of them are one row of points (`group=None`), or there is a row of the
systems for each segment (`"item"`), or a row of the segments for each system (`"system"`).

What a row leaves out and how rows are averaged is as in mt-metrics-eval. Points without a score on either side are left
out, then rows of fewer than two points, and rows of which the coefficient is undefined, as where one side is constant.
The mean is that of the other rows. Taus that count pairs (`SUMMED`) sum their counts over the rows instead, as the
tasks of 2012 to 2020 did.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import numpy as np

from fstmetrics import FstmetricsError, _native
from fstmetrics.apps.metaeval.coefficients import (
    OF_POINTS,
    TAUS,
    PairCounts,
    decided_counts,
    kendall_of_counts,
    pair_counts,
    refuse_other_segments,
)
from fstmetrics.data.exact_means import power_of_two, refuse_large
from fstmetrics.support.arguments import NUMBER, numbers_of
from fstmetrics.support.names import unknown

if TYPE_CHECKING:
    from fstmetrics.apps.metaeval.coefficients import Floats

Group = Literal["item", "system"] | None
GROUPS: tuple[Group, ...] = (None, "item", "system")
# Human scores of the daRR of 2017 to 2020 that differ by less are tied.
DARR = 25.0
# Counts of pairs are summed over the rows; of all others the mean over the rows is taken.
SUMMED = ("kendall-12", "kendall-13", "kendall-14", "kendall-like")
KENDALLS = (*(f"kendall-{name}" for name in TAUS), "kendall-like")
# Rows of so many points are compared pair by pair in the engine; longer ones are sorted.
SHORT = 100
# All names that `correlation` knows.
NAMES = (*OF_POINTS, *KENDALLS, "acc-23")
# Those of them in which copies of a system or segment, which both sides tie, would count.
COUNTING_TIES = ("kendall-a", "kendall-c", "kendall-23", "acc-23")


def correlation(
    metric: Floats, human: Floats, coefficient: str = "pearson", group: Group = None, threshold: float | None = None
) -> float:  # fmt: skip
    """A coefficient of a metric's scores and people's.

    Args:
        metric: scores, shape [systems, segments]; nan where there is none. Higher is better.
        human: the same.
        coefficient: `pearson`, `spearman`, `acc-23`, or a Kendall's tau. With C pairs concordant, D discordant, Th, Tm
            and Thm tied by people, by the metric and by both, of n points, k different scores on the side with fewer:

            - `kendall-a`: (C - D) / all pairs;
            - `kendall-b`: (C - D) / sqrt((C + D + Th) (C + D + Tm));
            - `kendall-c`: 2 (C - D) / (n^2 (k - 1) / k);
            - `kendall-12`: (C - D - Tm) / (C + D + Tm), of WMT 2010 to 2012;
            - `kendall-13`: (C - D) / (C + D); `kendall-14`: (C - D) / (C + D + Tm);
            - `kendall-23`: (C + Thm - D - Th - Tm) / all pairs; `acc-23`: (C + Thm) / all pairs;
            - `kendall-like`: as `kendall-12`, of pairs whose human scores differ by `threshold` or more (daRR).

            Deutsch, Foster and Freitag (2023), Ties Matter, table 2; Macháček and Bojar (2014), section 4.2.
        group: None, "item" or "system": see above.
        threshold: of `kendall-like`, and of the taus of 2012 to 2014; None for 25, and for 0.

    Returns:
        nan where it is undefined for all rows. (mt-metrics-eval gives 0.)

    Raises:
        FstmetricsError: an unknown coefficient or group, or scores of different shapes.

    >>> metric, human = [[1, 2, 3], [2, 2, 5], [4, 3, 3]], [[1, 1, 2], [2, 2, 4], [3, 2, 4]]
    >>> [round(correlation(metric, human, "pearson", group), 3) for group in (None, "item", "system")]
    [0.806, 0.661, 0.622]
    >>> round(correlation(metric, human, "kendall-c", "item"), 3)
    0.63
    """
    metric, human = checked(metric, human, group)
    if coefficient not in NAMES:
        raise FstmetricsError(unknown("coefficient", coefficient, NAMES))
    if threshold is not None:
        NUMBER.check(threshold, "threshold")
    if coefficient in SUMMED:
        total = PairCounts(0, 0, 0, 0, 0)
        for counts, _, _ in _counts(metric, human, group, coefficient, threshold):
            total += counts
        name = "12" if coefficient == "kendall-like" else coefficient.removeprefix("kendall-")
        return kendall_of_counts(total, name)
    if coefficient == "pearson" and group is not None:
        values = _pearson_rows(*((metric.T, human.T) if group == "item" else (metric, human)))
    elif coefficient in OF_POINTS:
        values = [OF_POINTS[coefficient](x, y) for x, y in rows_of(metric, human, group)]
    else:
        variant, accuracy = coefficient.partition("-")[2], coefficient == "acc-23"
        values = [
            kendall_of_counts(counts, variant, points, fewest, accuracy)
            for counts, points, fewest in _counts(metric, human, group, coefficient, None)
        ]
    defined = [value for value in values if not math.isnan(value)]
    return math.fsum(defined) / len(defined) if defined else math.nan


def _pearson_rows(x: Floats, y: Floats) -> list[float]:
    """Pearson's r of all rows at once; nan where a side is constant, or has fewer than two points."""
    there = np.isfinite(x) & np.isfinite(y)
    counts = np.maximum(there.sum(axis=1), 1)
    sides, varies = [], there.sum(axis=1) > 1
    for side in (x, y):
        high, low = np.where(there, side, -np.inf).max(axis=1), np.where(there, side, np.inf).min(axis=1)
        varies &= high > low
        scale = power_of_two(np.where(varies, np.maximum(np.abs(high), np.abs(low)), 1.0))
        scaled = np.where(there & varies[:, None], side, 0.0) / scale[:, None]
        for _ in range(2):  # once more for what rounding has left, of numbers that hardly differ
            scaled = np.where(there, scaled - (scaled.sum(axis=1) / counts)[:, None], 0.0)
        sides.append(scaled)
    a, b = sides
    below = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    varies &= below > 0
    r = np.clip((a * b).sum(axis=1) / np.where(varies, below, 1.0), -1.0, 1.0)
    return np.where(varies, r, np.nan).tolist()  # type: ignore[no-any-return]


def _counts(
    metric: Floats, human: Floats, group: Group, coefficient: str, threshold: float | None
) -> Iterator[tuple[PairCounts, int, int]]:
    """Of each row the counts of pairs, the points, and the different scores of the side that has fewer."""
    if coefficient == "kendall-like" and threshold is None:
        threshold = DARR
    points, columns = as_rows(metric[None], group)
    if 0 < columns <= SHORT:
        least = math.nan if threshold is None else threshold
        for *counts, number, fewest in _native.pair_counts(
            points[0], as_rows(human[None], group)[0][0], columns, least
        ).tolist():
            yield PairCounts(*counts), number, fewest
        return
    for x, y in rows_of(metric, human, group):
        counts_of_row = pair_counts(x, y) if threshold is None else decided_counts(x, y, threshold)
        fewest = min(len(np.unique(x)), len(np.unique(y))) if coefficient == "kendall-c" else 0
        yield counts_of_row, len(x), fewest


def as_rows(scores: Floats, group: Group) -> tuple[Floats, int]:
    """The points of each table, row after row of a grouping, and how many are in a row; the engine compares these."""
    if group == "item":
        scores = scores.swapaxes(1, 2)
    columns = scores.shape[2] if group else scores.shape[1] * scores.shape[2]
    return np.ascontiguousarray(scores, dtype=np.float64).reshape(len(scores), -1), columns


def checked(metric: Floats, human: Floats, group: Group = None) -> tuple[Floats, Floats]:
    """Scores of both sides as arrays of one shape.

    Raises:
        FstmetricsError: an unknown group, scores that are infinite or too large, or of different shapes.
    """
    if group not in GROUPS:
        raise FstmetricsError(f"group is None, 'item' or 'system', not {group!r:.40}")
    refuse_other_segments({"metric": metric, "human": human})
    metric, human = numbers_of(metric, "the metric's scores", 2), numbers_of(human, "people's scores", 2)
    if metric.shape != human.shape:
        raise FstmetricsError(
            f"scores of shapes {list(metric.shape)} and {list(human.shape)} cannot be correlated: both have the shape "
            "(systems, segments)"
        )
    for scores, whose in ((metric, "the metric's"), (human, "people's")):
        refuse_large(whose.replace("'s", ""), scores)
        if (where := np.argwhere(np.isinf(scores))).size:
            raise FstmetricsError(
                f"{whose} score of segment {where[0][1]} of system {where[0][0]} (from 0) is infinite; nan stands for "
                "a missing one"
            )
    return metric, human


def rows_of(metric: Floats, human: Floats, group: Group) -> Iterator[tuple[Floats, Floats]]:
    """The rows of a grouping, without points that lack a score, and without rows of fewer than two points."""
    there = np.isfinite(metric) & np.isfinite(human)
    if group == "item":
        metric, human, there = metric.T, human.T, there.T
    elif group is None:
        metric, human, there = metric.reshape(1, -1), human.reshape(1, -1), there.reshape(1, -1)
    for x, y, known in zip(metric, human, there, strict=True):
        if np.count_nonzero(known) > 1:
            yield x[known], y[known]
