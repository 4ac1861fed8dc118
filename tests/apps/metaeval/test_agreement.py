"""Agreement of people and of tests, and the numbers that the papers print: [L11], [G14], [H12], [C08]."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from human_scores import outputs

import fstmetrics as fm
from fstmetrics.apps.metaeval import (
    clopper_pearson,
    conclusion_accuracy,
    conclusions,
    human_tests,
    kappa,
    pairwise_tests,
    rank_sum_p,
    separation,
)
from fstmetrics.engine.api import score
from fstmetrics.engine.statistics import Statistics
from fstmetrics.metrics.wer import WER
from fstmetrics.significance import Design, Resampling, compare, sign_p
from fstmetrics.significance.null_distributions import distributions


@pytest.mark.parametrize(("agreeing", "expected"), [(0.6846, 0.5269), (0.6124, 0.4185), (0.3973, 0.0960)])
def test_kappa_of_the_judges(agreeing: float, expected: float) -> None:
    """[L11 §4], P(E) = 1/3."""
    assert kappa(agreeing) == pytest.approx(expected, abs=2e-4)


def test_kappa_at_its_ends() -> None:
    assert (kappa(1.0), kappa(1 / 3), kappa(0.5, 0.5)) == (1.0, 0.0, 0.0)
    for wrong in (1.2, -0.1):
        with pytest.raises(fm.FstmetricsError):
            kappa(wrong)
    with pytest.raises(fm.FstmetricsError):
        kappa(0.5, 1.0)


# [L11 table 7], counts of 800 judgments restored from the percentages: for the first, for the second, and whether
# the difference is significant at .01 there. The four judgments of a sentence are not independent.
TABLE_7 = {
    "French": [(91, 52, 1), (233, 417, 1), (224, 418, 1), (229, 436, 1), (220, 440, 1), (61, 70, 0)],
    "Spanish": [(206, 178, 0), (248, 405, 1), (195, 406, 1), (255, 408, 1), (211, 419, 1), (207, 267, 1)],
    "German": [(174, 147, 0), (225, 295, 1), (218, 282, 1), (215, 316, 1), (218, 300, 1), (194, 170, 0)],
}
PRINTED = {(91, 52): 0.0014, (61, 70): 0.48, (206, 178): 0.17, (207, 267): 0.0067, (174, 147): 0.15, (225, 295): 0.0024,
           (218, 282): 0.0048, (218, 300): 0.0004, (194, 170): 0.23}  # fmt: skip


@pytest.mark.parametrize("language", TABLE_7)
def test_sign_tests_of_the_tuned_systems(language: str) -> None:
    for one, other, significant in TABLE_7[language]:
        p = sign_p(one, other)
        assert (p < 0.01) == bool(significant)
        if (one, other) in PRINTED:
            expected = PRINTED[one, other]
            assert p == pytest.approx(expected, rel=0.05 if expected > 0.001 else 0.3)
    assert (math.floor(91 / 8 * 10 + 0.5) / 10, math.floor(52 / 8 * 10 + 0.5) / 10) == (11.4, 6.5)


# [G14 tables 1, 2]: correct conclusions of so many pairs, in percent, and their interval.
INTERVALS = [
    (54, 66, 81.8, 70.4, 90.2), (53, 66, 80.3, 68.7, 89.1), (52, 66, 78.8, 67.0, 87.9), (51, 66, 77.3, 65.3, 86.7),
    (50, 66, 75.8, 63.6, 85.5), (48, 66, 72.7, 60.4, 83.0), (34, 55, 61.8, 47.7, 74.6), (33, 55, 60.0, 45.9, 73.0),
    (32, 55, 58.2, 44.1, 71.3), (31, 55, 56.4, 42.3, 69.7), (30, 55, 54.5, 40.6, 68.0),
]  # fmt: skip


@pytest.mark.parametrize(("count", "total", "share", "low", "high"), INTERVALS)
def test_intervals_of_conclusions(count: int, total: int, share: float, low: float, high: float) -> None:
    found = clopper_pearson(count, total)
    assert [round(100 * x, 1) for x in (found.value, found.low, found.high)] == [share, low, high]


def test_exact_intervals_are_those_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for total in (1, 2, 7, 66, 500):
        for count in {0, 1, total // 3, total - 1, total}:
            for confidence in (0.9, 0.95, 0.999):
                found = clopper_pearson(count, total, confidence)
                expected = stats.binomtest(count, total).proportion_ci(confidence, method="exact")
                assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-10)
    for wrong in ((-1, 3), (4, 3)):
        with pytest.raises(fm.FstmetricsError):
            clopper_pearson(*wrong)


# [H12 table 2]: mean human and mean machine distance from the perfect score, and m/h as printed.
QUOTIENTS = [
    (59.90, 69.14, 1.15), (41.49, 57.44, 1.38), (35.87, 46.48, 1.30), (27.08, 39.52, 1.46), (18.42, 34.94, 1.90),
    (17.85, 34.39, 1.93), (27.98, 52.08, 1.86), (27.57, 51.73, 1.88),
]  # fmt: skip


@pytest.mark.parametrize(("human", "machine", "quotient"), QUOTIENTS)
def test_quotients_of_machines_and_people(human: float, machine: float, quotient: float) -> None:
    assert round(separation([human], [machine]), 2) == quotient
    # BLEU of the table is turned round, [100-0].
    assert round(separation([100 - human], [100 - machine], perfect=100), 2) == quotient


def test_the_quotient_of_likert_scores() -> None:
    """9.57 in the table; its rounded means give 9.58."""
    assert round(separation([5.26], [50.37]), 2) == 9.58


def test_quotients_of_nothing_or_of_the_perfect() -> None:
    assert separation([0.0], [0.3]) == math.inf
    assert separation([0.25, 0.5], [0.75, 0.0]) == 1.0
    for human, machine in (([], [1.0]), ([1.0], []), ([-1.0], [1.0])):
        with pytest.raises(fm.FstmetricsError):
            separation(human, machine)


def test_means_of_correlations_in_the_table() -> None:
    """[C08 table 1]: Spearman x 100 with adequacy, fluency, rank and constituents; the last is their mean."""
    for *kinds, mean in (
        (68.9, 72.1, 67.2, 60.2, 67.1), (73.9, 76.7, 73.5, 63.4, 71.9), (72.3, 75.5, 74.3, 64.2, 71.6),
    ):  # fmt: skip
        assert sum(kinds) / 4 == pytest.approx(mean, abs=0.0501)


@pytest.mark.parametrize("seed", range(50))
def test_rank_sums_are_those_of_scipy(seed: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    chance = np.random.default_rng(seed)
    x = chance.integers(0, 9, chance.integers(2, 40)).astype(float)
    y = chance.integers(0, 9, chance.integers(2, 40)) + chance.integers(0, 3)
    if len({*x, *y}) > 1:
        expected = stats.mannwhitneyu(x, y, use_continuity=False, method="asymptotic").pvalue
        assert rank_sum_p(x, y) == pytest.approx(expected, rel=1e-9)
        assert rank_sum_p(y, x) == pytest.approx(expected, rel=1e-9)


def test_people_conclude_what_their_scores_show() -> None:
    scores = {"low": [1, 2, 3, 2] * 10, "high": [5, 6, 5, 7] * 12, "same": [5, 6, 5, 7] * 9, "none": []}
    found = conclusions(human_tests(scores))
    assert found == {
        ("low", "high"): 1, ("low", "same"): 1, ("low", "none"): 0,
        ("high", "same"): 0, ("high", "none"): 0, ("same", "none"): 0,
    }  # fmt: skip


@pytest.mark.parametrize("test", ["bootstrap", "randomization", "paired-bootstrap", "sign"])
def test_every_pair_is_tested_as_compare_tests_it(test: str) -> None:
    systems, references = outputs(1)
    statistics = {name: Statistics.of(score(texts, references, WER())) for name, texts in systems.items()}
    found = pairwise_tests(statistics, Design(test, Resampling(500, 3)))
    assert list(found) == list(itertools.combinations(systems, 2))
    for (one, other), (delta, p) in found.items():
        both = {one: systems[one], other: systems[other]}
        expected = compare(both, references, ["wer"], test=test, samples=500, seed=3).test(other, "wer")
        assert (delta, p) == (-expected.delta, expected.p)  # an error rate: less is better


def test_accuracy_of_conclusions() -> None:
    found = {("a", "b"): 1, ("a", "c"): 0, ("b", "c"): -1}
    assert conclusion_accuracy(found, found).count == 3
    turned = {("b", "a"): -1, ("c", "a"): 0, ("c", "b"): -1}
    accuracy = conclusion_accuracy(found, turned)
    assert (accuracy.count, accuracy.total) == (2, 3)
    with pytest.raises(fm.FstmetricsError, match="about b and c"):
        conclusion_accuracy(found, {("a", "b"): 1, ("a", "c"): 0})
    with pytest.raises(fm.FstmetricsError, match="1 pairs"):
        conclusion_accuracy({("a", "b"): 1}, found)


def test_distributions_count_what_the_tests_count() -> None:
    systems, references = outputs(2)
    both = {name: systems[name] for name in "st"}
    resampling = Resampling(800, 5)
    one, other = (Statistics.of(score(texts, references, WER())) for texts in both.values())
    for first, second in ((one, other), (other, one)):
        for shown in distributions(first, second, resampling):
            given = both if first is one else dict(reversed(both.items()))
            name = list(given)[1]
            tested = compare(given, references, ["wer"], test=shown.test, samples=800, seed=5).test(
                name, "wer"
            )
            assert (shown.count + 1) / 801 == pytest.approx(tested.p)
            if shown.test == "paired-bootstrap":
                winner = np.sign(first.score - second.score)
                assert shown.line == 0
                assert shown.count == np.count_nonzero(winner * shown.differences < -1e-12)
            else:
                assert shown.line == pytest.approx(first.score - second.score)
                assert shown.count == np.count_nonzero(np.abs(shown.differences) >= abs(shown.line) - 1e-12)
    with pytest.raises(fm.FstmetricsError, match="items differ"):
        distributions(one, Statistics(one.metric, other.values[:5]), resampling)
