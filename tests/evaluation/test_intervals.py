"""Intervals of coefficients: those of resamples made one by one."""

import math
from typing import Any

import numpy as np
import pytest

from fstmetrics.evaluation import acc_eq, correlation, spa
from fstmetrics.evaluation.agreement import Intervals, ScoreTable, correlate
from fstmetrics.evaluation.agreement.resampled import TOGETHER, segment_values, soft_values
from fstmetrics.evaluation.agreement.wanted import wanted


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


def percentiles(values: list[float]) -> tuple[float, float]:
    low, high = np.quantile([value for value in values if not math.isnan(value)], [0.05, 0.95])
    return float(low), float(high)


@pytest.mark.parametrize("resample", ["both", "segments", "systems"])
@pytest.mark.parametrize(
    "name", ["acc-eq", "acc-eq:system", "pearson:item", "kendall-c:item", "spearman:system", "acc-23"]
)
def test_intervals_of_segments_are_those_of_resamples_one_by_one(name: str, resample: Any) -> None:
    metric, human, scores = table()
    both = np.isfinite(metric) & np.isfinite(human)
    x, y = np.where(both, metric, math.nan), np.where(both, human, math.nan)
    intervals = Intervals(TOGETHER + 8, 3, resample, 0.9)
    (coefficient,) = wanted([name])
    slow = []
    for which, where in drawn(intervals, *x.shape):
        a, b = x[which][:, where], y[which][:, where]
        slow.append(
            acc_eq(a, b, coefficient.group).value
            if coefficient.name == "acc-eq"
            else correlation(a, b, coefficient.name, coefficient.group)
        )
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
    slow = [spa(x[which][:, where], y[which][:, where]) for which, where in drawn(intervals, *x.shape)]
    found = correlate(scores, ["system"], intervals=intervals, coefficients=wanted(["spa"]))
    assert (found[0].low, found[0].high) == pytest.approx(percentiles(slow), abs=1e-12)
    assert found[0].low < found[0].value < found[0].high
    people: Any = {}
    assert soft_values(metric, human, intervals, people) == pytest.approx(slow, abs=1e-12)
    assert soft_values(metric, human, intervals, people) == pytest.approx(
        slow, abs=1e-12
    )  # with what is kept


def test_intervals_of_systems_have_all_coefficients() -> None:
    _, _, scores = table()
    found = correlate(
        scores, ["system"], intervals=Intervals(50), coefficients=wanted(["kendall-a", "kendall-b"])
    )
    for c in found:
        assert c.low <= c.high, c


def test_people_who_say_the_same_of_all_have_no_interval() -> None:
    metric, human, _ = table()
    scores = ScoreTable.of(list("abcde"), {"m": metric}, np.where(np.isnan(human), human, 1.0))
    for c in correlate(scores, intervals=Intervals(5), coefficients=wanted(["spa", "acc-eq"])):
        assert math.isnan(c.value), c
        assert math.isnan(c.low), c
