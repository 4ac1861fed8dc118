"""Tests between metrics, PERM-BOTH, and tie calibration of acc-eq: ours against the same in plain numpy."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bench.inputs import Inputs
from bench.measure import Line, agree, cpu_ms_cold, ratio_line
from fstmetrics.apps.metaeval.exchanges import Stopping, exchanged
from fstmetrics.apps.metaeval.segment_coefficients import Group, as_rows, correlation
from fstmetrics.apps.metaeval.soft_accuracy import SEED, Signs, confidences, soft_accuracy
from fstmetrics.apps.metaeval.tie_calibration import calibrations

Floats = npt.NDArray[np.float64]
NUMPY = "numpy, one permutation after the other"
# Seconds by the clock for all pairs of 20 metrics, on two processors.
GOAL = 10.0
Level = Literal["segment", "system"]
GROUPS: tuple[Group, ...] = (None, "item", "system")
NAMES = ("pearson", "spearman", "kendall-b")
CASES: list[tuple[str, Group, Level]] = [
    *((name, group, "segment") for name in NAMES for group in GROUPS),
    *((name, None, "system") for name in (*NAMES, "spa")),
]


def metric_tests(inputs: Inputs) -> Iterator[Line]:
    """One pair without early stopping against numpy, CPU time; all pairs of 20 metrics with it, by the clock, once."""
    systems, segments, number = (5, 30, 4) if inputs.tiny else (15, 1400, 20)
    metrics, human = _drawn(systems, segments, number)
    for coefficient, group, level in CASES:
        kind = coefficient if level == "system" else f"{coefficient}, {group or 'none'}"
        yield _against_numpy(f"perm-both, {kind}, {level}s", metrics[:2], human, coefficient, group, level)
        pairs = list(itertools.combinations(range(number), 2))
        all_pairs = partial(exchanged, metrics, human, pairs, coefficient, group, level)
        work = f"perm-both, {kind}, {level}s, {len(pairs)} pairs"
        start, cpu = time.perf_counter(), time.process_time()
        all_pairs()
        wall, cpu = time.perf_counter() - start, time.process_time() - cpu
        note = f"{cpu:.1f} s of CPU time"
        yield Line(
            work,
            "seconds, with early stopping",
            wall * 1e3,
            value=wall,
            goal=GOAL,
            sense="at most",
            note=note,
        )

    yield _all_alike(systems, segments, number)


def _all_alike(systems: int, segments: int, number: int) -> Line:
    """The worst case: no metric is better, so every test makes all permutations; under spa, the slowest."""
    rng = np.random.default_rng(0)
    true = rng.normal(size=(systems, 1)) * 0.3 + rng.normal(size=(systems, segments))
    human = -np.round(np.abs(true + 1) * rng.choice([0, 1, 5], size=true.shape))
    metrics = [true * 0.3 + rng.normal(size=true.shape) for _ in range(number)]
    pairs = list(itertools.combinations(range(number), 2))
    start, cpu = time.perf_counter(), time.process_time()
    exchanged(metrics, human, pairs, "spa", None, "system", stopping=Stopping(1000, None))
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu
    return Line(
        f"perm-both, spa, systems, {len(pairs)} pairs, metrics all alike",
        "seconds, all permutations",
        wall * 1e3,
        value=wall,
        goal=GOAL,
        sense="at most",
        note=f"{cpu:.1f} s of CPU time",
    )


def _drawn(systems: int, segments: int, number: int) -> tuple[list[Floats], Floats]:
    """Metrics of rising quality, and people who give few different scores, as by MQM."""
    rng = np.random.default_rng(3)
    true = rng.normal(size=(systems, 1)) * 0.3 + rng.normal(size=(systems, segments))
    human = -np.round(np.abs(true + 1) * rng.choice([0, 1, 5], size=true.shape))
    return [true * (0.2 + 0.02 * i) + rng.normal(size=true.shape) for i in range(number)], human


def _against_numpy(
    work: str, metrics: list[Floats], human: Floats, coefficient: str, group: Group,
    level: Level,
) -> Line:  # fmt: skip
    """Of one pair: the time of a permutation, of numpy's over one."""
    many = 64
    statistic = _statistic(human, coefficient, group, level)
    one, other = ((scores - scores.mean()) / scores.std() for scores in metrics)
    found = exchanged(metrics, human, [(0, 1)], coefficient, group, level, stopping=Stopping(1, None))[0]
    agree(work, found.first, statistic(one), NUMPY)
    rng = np.random.default_rng(1)

    def theirs() -> None:
        kept = rng.random(human.shape) < 0.5
        statistic(np.where(kept, one, other))
        statistic(np.where(kept, other, one))

    ours: Callable[[], Any] = partial(
        exchanged, metrics, human, [(0, 1)], coefficient, group, level, stopping=Stopping(many, None)
    )
    return ratio_line(
        work,
        NUMPY,
        [cpu_ms_cold(ours) / many],
        [cpu_ms_cold(theirs)],
        note=f"numpy: 1 permutation, ours: {many}",
    )


def _statistic(human: Floats, coefficient: str, group: Group, level: str) -> Callable[[Floats], float]:
    if coefficient == "spa":
        signs = Signs(1000, human.shape[1], SEED)
        of_people = confidences(human, signs)
        return lambda scores: soft_accuracy(confidences(scores, signs), of_people)
    if level == "system":
        means = human.mean(axis=1)[None]
        return lambda scores: correlation(scores.mean(axis=1)[None], means, coefficient)

    def of_segments(scores: Floats) -> float:
        value = correlation(scores, human, coefficient, group)
        return 0.0 if math.isnan(value) else value

    return of_segments


# Pairs that numpy sorts at once; beyond, it is timed on fewer points.
MOST_SORTED = 1 << 22
ALL_SORTED = "numpy, all differences sorted"


def tie_calibration(inputs: Inputs) -> Iterator[Line]:
    """CPU time of acc-eq of many metrics in one call, a metric, against numpy's for one of them.

    Where numpy cannot hold all pairs, it is timed on the first points of each row, and the time is multiplied.
    """
    systems, segments, number = (5, 30, 4) if inputs.tiny else (15, 1400, 20)
    metrics, human = _drawn(systems, segments, number)
    together = np.array(metrics)
    for group in ("item", "system", None):
        work = f"acc-eq, {group or 'none'}, {number} metrics"
        points, columns = as_rows(np.array([metrics[0], human]), group)
        rows = points.shape[1] // columns
        few = columns
        while rows * few * (few - 1) // 2 > MOST_SORTED:
            few //= 2
        x, y = points.reshape(2, rows, columns)[:, :, :few]
        agree(
            work, _acc_eq_by_sorting(x, y), float(calibrations(x[None], y[None], "system")[0, 0]), ALL_SORTED
        )
        times = columns * (columns - 1) / (few * (few - 1))
        theirs = cpu_ms_cold(partial(_acc_eq_by_sorting, x, y)) * times
        ours = cpu_ms_cold(partial(calibrations, together, human[None], group)) / number
        note = "" if few == columns else f"numpy timed on {few} points of each row, times {times:.0f}"
        yield ratio_line(work, ALL_SORTED, [ours], [theirs], note=note)


def _acc_eq_by_sorting(x: Floats, y: Floats) -> float:
    """The best accuracy; rows are equally long, so all pairs weigh the same."""
    i, j = np.triu_indices(x.shape[1], 1)
    by_x, by_y = (x[:, i] - x[:, j]).ravel(), (y[:, i] - y[:, j]).ravel()
    right = np.sign(by_x) == np.sign(by_y)
    differences = np.abs(by_x)
    order = np.argsort(differences)
    differences = differences[order]
    steps = np.where(by_x == 0, 0, (by_y == 0).astype(int) - right)[order]
    last = np.append(differences[1:] != differences[:-1], True)
    best = max(0, int(np.cumsum(steps)[last].max()))
    return (int(right.sum()) + best) / len(right)
