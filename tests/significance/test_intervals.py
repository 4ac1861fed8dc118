"""Intervals of coefficients: those of resamples made one by one."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from fstmetrics.apps.metaeval import Intervals, ScoreTable, correlate, correlation
from fstmetrics.apps.metaeval.coefficient_names import wanted
from fstmetrics.apps.metaeval.resampled import TOGETHER, segment_values, soft_values
from fstmetrics.apps.metaeval.soft_accuracy import SEED, Signs


def table(seed: int = 1) -> tuple[Any, Any, ScoreTable]:
    """Five systems; one metric has gaps, people have more."""
    rng = np.random.default_rng(seed)
    human = rng.integers(0, 4, (5, 30)) + np.arange(5.0)[:, None] / 2
    metric = np.round(human + rng.normal(size=human.shape) * 2, 1)
    human[:, ::7] = math.nan
    human[2, 3] = math.nan
    metric[0, 4] = math.nan
    return metric, human, ScoreTable.of(list("abcde"), {"m": metric, "other": -metric}, human)


def drawn(intervals: Intervals, systems: int, segments: int) -> list[tuple[Any, Any]]:
    """Resamples, as they are documented."""
    random = np.random.Generator(np.random.PCG64(intervals.seed))
    found = []
    for _ in range(intervals.samples):
        which, where = random.integers(systems, size=systems), random.integers(segments, size=segments)
        found.append((
            np.arange(systems) if intervals.resample == "segments" else which,
            np.arange(segments) if intervals.resample == "systems" else where,
        ))  # fmt: skip
    return found


def slow_acc_eq(x: Any, y: Any, group: Any, which: Any, where: Any) -> float:
    """Every epsilon tried on a resample; two copies of one translation are no pair."""
    numbers = np.arange(x.size).reshape(x.shape)
    tables = [side[which][:, where] for side in (x, y, numbers)]
    rows = []
    for row in zip(*(t.T if group == "item" else t for t in tables), strict=True):
        there = np.isfinite(row[0]) & np.isfinite(row[1])
        a, h, n = (side[there] for side in row)
        i, j = np.triu_indices(len(a), 1)
        pair = n[i] != n[j]
        if pair.any():
            rows.append(((a[i] - a[j])[pair], np.sign(h[i] - h[j])[pair]))
    if not rows:
        return math.nan
    epsilons = np.unique(np.concatenate([[0.0], *(np.abs(by_x) for by_x, _ in rows)]))
    return max(
        float(
            np.mean([np.mean(np.where(np.abs(by_x) <= e, 0, np.sign(by_x)) == by_y) for by_x, by_y in rows])
        )
        for e in epsilons
    )


def slow_spa(x: Any, y: Any, which: Any, where: Any) -> float:
    """Of a resample, pair by pair of different systems."""
    signs = Signs(1000, x.shape[1], SEED)
    distances = []
    for i, j in itertools.combinations(range(len(which)), 2):
        if which[i] != which[j]:
            shares = [
                np.mean(signs.sums(difference[None])[:, 0] >= difference.sum() - 1e-9)
                for difference in (side[which[i], where] - side[which[j], where] for side in (x, y))
            ]
            distances.append(abs(shares[0] - shares[1]))
    return float(1 - np.mean(distances))


def percentiles(values: list[float]) -> tuple[float, float]:
    low, high = np.quantile([value for value in values if not math.isnan(value)], [0.05, 0.95])
    return float(low), float(high)


@pytest.mark.parametrize("resample", ["both", "segments", "systems"])
@pytest.mark.parametrize(
    "name",
    ["acc-eq", "acc-eq:system", "pearson:item", "kendall-b:item", "spearman:system", "kendall-13:system"],
)
def test_intervals_of_segments_are_those_of_resamples_one_by_one(name: str, resample: Any) -> None:
    metric, human, scores = table()
    both = np.isfinite(metric) & np.isfinite(human)
    x, y = np.where(both, metric, math.nan), np.where(both, human, math.nan)
    intervals = Intervals(TOGETHER + 8, 3, resample, 0.9)
    (coefficient,) = wanted([name])
    slow = []
    for which, where in drawn(intervals, *x.shape):
        if coefficient.name == "acc-eq":
            slow.append(slow_acc_eq(x, y, coefficient.group, which, where))
        else:
            a, b = x[which][:, where], y[which][:, where]
            slow.append(correlation(a, b, coefficient.name, coefficient.group))
    found = correlate(scores, ["segment"], intervals=intervals, coefficients=[coefficient])[0]
    assert (found.low, found.high) == pytest.approx(percentiles(slow), abs=1e-12)
    assert segment_values(x, y, coefficient, 0.0, intervals) == pytest.approx(slow, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("resample", ["both", "segments", "systems"])
def test_intervals_of_soft_accuracy_are_those_of_resamples_one_by_one(resample: Any) -> None:
    """Of the segments that all systems have, as the coefficient itself."""
    metric, human, scores = table()
    kept = (np.isfinite(metric) & np.isfinite(human)).all(axis=0)
    x, y = metric[:, kept], human[:, kept]
    intervals = Intervals(15, 3, resample, 0.9)
    slow = [slow_spa(x, y, *draw) for draw in drawn(intervals, *x.shape)]
    found = correlate(scores, ["system"], intervals=intervals, coefficients=wanted(["spa"]))
    assert (found[0].low, found[0].high) == pytest.approx(percentiles(slow), abs=1e-12)
    assert found[0].low < found[0].value < found[0].high
    people: Any = {}
    assert soft_values(metric, human, intervals, people) == pytest.approx(slow, abs=1e-12)
    assert soft_values(metric, human, intervals, people) == pytest.approx(
        slow, abs=1e-12
    )  # with what is kept


@pytest.mark.parametrize("name", ["kendall-a", "kendall-c", "kendall-23", "acc-23"])
def test_coefficients_in_which_copies_would_count_have_no_interval(name: str) -> None:
    """Of two copies of a system both sides say the same, so these would be too high in resamples, or too low."""
    _, _, scores = table()
    for c in correlate(scores, intervals=Intervals(5), coefficients=wanted([name, f"{name}:item"])):
        assert math.isfinite(c.value), c
        assert math.isnan(c.low), c


def test_acc_eq_lies_in_its_interval_with_few_systems() -> None:
    """Copies of systems would count as right, and a third of all pairs are copies here."""
    rng = np.random.default_rng(8)
    human = rng.permuted(np.repeat(np.arange(3.0)[:, None], 200, axis=1), axis=0)
    scores = ScoreTable.of(list("abc"), {"m": rng.normal(size=human.shape)}, human)
    (found,) = correlate(scores, ["segment"], intervals=Intervals(100), coefficients=wanted(["acc-eq"]))
    assert found.low < found.value < found.high


def test_people_who_say_the_same_of_all_have_no_interval() -> None:
    metric, human, _ = table()
    scores = ScoreTable.of(list("abcde"), {"m": metric}, np.where(np.isnan(human), human, 1.0))
    for c in correlate(scores, intervals=Intervals(5), coefficients=wanted(["spa", "acc-eq"])):
        assert math.isnan(c.value), c
        assert math.isnan(c.low), c
