"""Tests between metrics: permutations against all exchanges of a small example, Williams' test, rank clusters."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

import fstmetrics as fm
from fstmetrics.apps.metaeval import (
    MetricTest,
    Permutations,
    acc_eq,
    compare_metrics,
    correlation,
    rank_clusters,
)
from fstmetrics.apps.metaeval.metric_tests import student_tail, williams_p

HUMAN = np.array([[4.0, 3.0, 5.0], [1.0, 3.0, 2.0]])
ONE = np.array([[0.9, 0.5, 0.7], [0.1, 0.4, 0.3]])
OTHER = np.array([[0.3, 0.8, 0.5], [0.6, 0.2, 0.4]])
MANY = Permutations(1500, seed=3, low=0, high=1)


def standardised(scores: Any) -> Any:
    return (scores - scores.mean()) / scores.std()


def all_exchanges(shape: tuple[int, int], statistic: Any) -> float:
    """The share of all exchanges with at least the difference found."""
    one, other = standardised(ONE), standardised(OTHER)
    delta = statistic(one) - statistic(other)
    count = total = 0
    for bits in itertools.product((True, False), repeat=shape[0] * shape[1]):
        kept = np.array(bits).reshape(shape)
        drawn = statistic(np.where(kept, one, other)) - statistic(np.where(kept, other, one))
        count += drawn >= delta - 1e-12
        total += 1
    return count / total


@pytest.mark.parametrize(
    ("test", "shape"), [("perm-both", (2, 3)), ("perm-inputs", (1, 3)), ("perm-systems", (2, 1))]
)
def test_p_is_that_of_all_exchanges(test: Any, shape: tuple[int, int]) -> None:
    coefficient = "kendall-b" if test == "perm-inputs" else "pearson"
    exact = all_exchanges(shape, lambda scores: correlation(scores, HUMAN, coefficient))
    (found,) = compare_metrics({"b": OTHER, "a": ONE}, HUMAN, coefficient, None, test=test, permutations=MANY)
    assert (found.better, found.other, found.permutations) == ("a", "b", 1500)
    assert found.p == pytest.approx(exact, abs=0.04)
    assert found.delta == pytest.approx(
        correlation(ONE, HUMAN, coefficient) - correlation(OTHER, HUMAN, coefficient)
    )


def test_outcomes_of_pairs_are_exchanged() -> None:
    """By item there are three pairs, one a segment. a has all three right, b one of them: 1 of 4 signs is as good."""
    metrics = {"a": ONE, "b": -ONE}
    human = np.array([[4.0, 4.0, 5.0], [1.0, 3.0, 2.0]])
    assert (acc_eq(ONE, human).value, acc_eq(-ONE, human).value) == (1.0, 0.0)
    for test in ("perm-both", "perm-inputs"):
        (found,) = compare_metrics(metrics, human, test=test, permutations=MANY)  # type: ignore[arg-type]
        assert (found.better, found.delta) == ("a", 1.0)
        assert found.p == pytest.approx(1 / 8, abs=0.02)


def test_permutations_stop_early() -> None:
    chance = np.random.default_rng(1)
    human = chance.random((6, 50))
    metrics = {
        "good": human + 0.1 * chance.random((6, 50)),
        "poor": chance.random((6, 50)),
        "copy": human * 2,
    }
    found = {(t.better, t.other): t for t in compare_metrics(metrics, human, "pearson", None)}
    assert found["good", "poor"].permutations == 100
    assert found["good", "poor"].p == 0.0
    whole = compare_metrics(metrics, human, "pearson", None, permutations=Permutations(300, low=0, high=1))
    assert {each.permutations for each in whole} == {300}


def test_metrics_that_are_equal_do_not_differ() -> None:
    scores = np.random.default_rng(2).random((4, 20))
    human = np.random.default_rng(3).random((4, 20))
    wanted = (("acc-eq", "item", "segment"), ("spa", None, "system"), ("pearson", None, "system"))
    for coefficient, group, level in wanted:
        (found,) = compare_metrics(
            {"a": scores, "b": 3 * scores + 1}, human, coefficient, group, level=level,  # type: ignore[arg-type]
            permutations=Permutations(100),
        )  # fmt: skip
        assert found.delta == pytest.approx(0.0, abs=1e-12)
        assert found.p > 0.4


def test_williams_test_is_its_formula() -> None:
    """Graham and Baldwin (2014), equation 3, with scipy's t."""
    scipy = pytest.importorskip("scipy.stats")
    for freedom, t in itertools.product((1, 2, 3, 4, 9, 10, 525), (0.0, 0.2, 1.0, 3.5)):
        assert student_tail(t, freedom) == pytest.approx(scipy.t.sf(t, freedom), abs=1e-12)
    first, second, between, n = 0.6, 0.5, 0.8, 30
    k = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    t = (
        (first - second)
        * math.sqrt((n - 1) * (1 + between))
        / math.sqrt(2 * k * (n - 1) / (n - 3) + (first + second) ** 2 / 4 * (1 - between) ** 3)
    )
    assert williams_p(first, second, between, n) == pytest.approx(scipy.t.sf(t, n - 3))
    (found,) = compare_metrics({"a": ONE, "b": OTHER}, HUMAN, "pearson", None, test="williams")
    r = (correlation(ONE, HUMAN), correlation(OTHER, HUMAN), correlation(ONE, OTHER))
    assert found.p == pytest.approx(williams_p(*r, 6))


def test_clusters_end_where_a_metric_is_beaten() -> None:
    def test(better: str, other: str, p: float) -> MetricTest:
        return MetricTest(better, other, 0.1, p, 100)

    tests = [
        test("a", "b", 0.2),
        test("a", "c", 0.04),
        test("b", "c", 0.3),
        test("c", "d", 0.5),
        test("b", "d", 0.001),
    ]
    assert rank_clusters("abcd", tests) == {"a": 1, "b": 1, "c": 2, "d": 2}


def test_what_does_not_go_together_is_refused() -> None:
    metrics = {"a": ONE, "b": OTHER}
    for arguments, message in (
        ({"test": "perm-all"}, "unknown test 'perm-all'"),
        ({"coefficient": "spa"}, "spa is a coefficient of systems"),
        ({"level": "system"}, "acc-eq is a coefficient of segments"),
        ({"test": "williams"}, "williams tests Pearson's r"),
        ({"test": "perm-systems"}, "perm-systems exchanges scores of one system"),
        ({"test": "perm-inputs", "group": None}, "by item only"),
    ):
        with pytest.raises(fm.FstmetricsError, match=message):
            compare_metrics(metrics, HUMAN, **arguments)  # type: ignore[arg-type]
    with pytest.raises(fm.FstmetricsError, match="low and high"):
        Permutations(low=0.6, high=0.5)
