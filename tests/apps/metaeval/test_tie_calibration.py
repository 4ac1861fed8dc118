"""Tie calibration: the native search against the definition, on thousands of small cases with many ties, and others."""

import math
from typing import Any

import numpy as np
import pytest
from slow_tie_calibration import accuracy_at, calibrated

from fstmetrics.apps.metaeval import acc_eq
from fstmetrics.apps.metaeval.tie_calibration import calibrations

GROUPS: tuple[Any, ...] = (None, "item", "system")


def scores(seed: int, systems: int, segments: int) -> tuple[Any, Any]:
    """Metric and people: whole numbers, numbers with few digits, numbers with all; of any size; some missing."""
    chance = np.random.default_rng(seed)
    shape = int(chance.integers(1, systems)), int(chance.integers(1, segments))
    human = chance.integers(0, chance.integers(2, 8), shape).astype(float)
    metric = [
        lambda: chance.integers(0, 9, shape) / 4,
        lambda: chance.normal(size=shape),
        lambda: np.round(chance.normal(size=shape) + human / 2, 1),
        lambda: np.round(chance.normal(size=shape) + human / 2, 2) * 10.0 ** chance.integers(-300, 300),
        lambda: human * 0 - 0.0,
    ][chance.integers(0, 5)]()
    if chance.random() < 0.5:
        human[chance.random(shape) < 0.2] = math.nan
        metric[chance.random(shape) < 0.1] = math.nan
    return metric, human


@pytest.mark.parametrize("group", GROUPS)
def test_epsilon_and_accuracy_are_those_of_the_definition(group: Any) -> None:
    for seed in range(700):
        metric, human = scores(seed, 5, 8)
        expected = calibrated(metric, human, group)
        found = calibrations(metric[None], human[None], group)[0].tolist()
        assert found == pytest.approx(expected, abs=1e-15, rel=1e-15, nan_ok=True), (seed, found, expected)
        if not math.isnan(expected[1]):
            epsilon = 0.6 * expected[1]
            given = acc_eq(metric, human, group, epsilon=epsilon)
            assert given == pytest.approx((accuracy_at(metric, human, group, epsilon), epsilon), abs=1e-15)


@pytest.mark.parametrize("group", GROUPS)
def test_larger_tables_with_unequal_rows(group: Any) -> None:
    """By system, weights of rows have no common whole numbers here."""
    for seed in range(4):
        chance = np.random.default_rng(seed)
        human = chance.integers(0, 4, (8, 40)).astype(float)
        human[chance.random(human.shape) < 0.3] = math.nan
        metric = np.round(np.nan_to_num(human) + chance.normal(size=human.shape), 1 + seed)
        expected = calibrated(metric, human, group)
        found = calibrations(metric[None], human[None], group)[0].tolist()
        assert found == pytest.approx(expected, abs=1e-15, rel=1e-15), seed


def test_many_pairs_in_one_bucket() -> None:
    """One score far away, so that all other differences are small beside it; and one that is much nearer than all."""
    chance = np.random.default_rng(3)
    human = chance.integers(0, 3, (2, 250)).astype(float)
    metric = human + chance.normal(size=human.shape) * 2
    plain = acc_eq(metric, human, None)
    metric[0, 0], human[0, 0] = 1e12, 2
    far = acc_eq(metric, human, None)
    assert far.value == pytest.approx(plain.value, abs=0.01)
    assert far.value == accuracy_at(metric, human, None, far.epsilon)
    differences = np.abs(metric.ravel()[:, None] - metric.ravel())
    for epsilon in np.quantile(differences, [0, 0.2, 0.4, 0.6, 0.8, 1]):
        assert accuracy_at(metric, human, None, float(epsilon)) <= far.value


def test_many_metrics_are_calibrated_as_one_by_one() -> None:
    chance = np.random.default_rng(4)
    human = chance.integers(0, 4, (6, 20)).astype(float)
    metrics = human + chance.normal(size=(5, *human.shape))
    for group in GROUPS:
        together = calibrations(metrics, human[None], group)
        people_each = calibrations(metrics, np.repeat(human[None], 5, axis=0), group)
        assert together.tolist() == people_each.tolist()
        assert [tuple(row[:2]) for row in together.tolist()] == [acc_eq(m, human, group) for m in metrics]


def test_smallest_epsilon_where_rounding_is_not_asked_for() -> None:
    """Differences 1 and 2: epsilon 0 and 2 are equally good."""
    metric, human = np.array([[[0.0], [1.0], [3.0]]]), np.array([[[0.0], [1.0], [1.0]]])
    assert calibrations(metric, human, "item", as_rounded=False)[0].tolist()[:2] == [2 / 3, 0.0]


def test_share_of_ties() -> None:
    metric, human = np.array([[[0.9, 0.2], [0.8, 0.6], [0.5, 0.9]]]), np.array([[[5, 1], [5, 1], [5, 1.0]]])
    assert calibrations(metric, human, "item", 0.35)[0, 2] == 0.5
    assert calibrations(metric, human, "item", 0.8)[0, 2] == 1.0
    assert calibrations(metric, human, "item", -1)[0, 2] == 0.0


def test_nothing_to_compare() -> None:
    for shape in ((1, 0, 3), (1, 2, 0), (1, 1, 1)):
        assert np.isnan(calibrations(np.zeros(shape), np.zeros(shape), "item")).all()
