"""Tests between metrics: equal to the same permutations one by one in numpy, and to what the tools of WMT give."""

from __future__ import annotations

import gzip
import itertools
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import fstmetrics as fm
from fstmetrics.apps.metaeval.coefficients import pairwise_accuracy
from fstmetrics.apps.metaeval.exchanges import Stopping, exchanged
from fstmetrics.apps.metaeval.segment_coefficients import correlation, rows_of
from fstmetrics.apps.metaeval.soft_accuracy import SEED, Signs, confidences, soft_accuracy
from fstmetrics.apps.metaeval.tie_calibration import pair_outcomes, right_together

Floats = npt.NDArray[np.float64]
Statistic = Callable[[Floats], float]
SEED_HERE, DRAWN = 5, 70


def drawn_scores(number: int, gaps: bool = False) -> tuple[Floats, Floats, Floats]:
    """Two metrics and people, some with many ties."""
    rng = np.random.default_rng(number)
    shape = int(rng.integers(3, 8)), int(rng.integers(4, 40))
    human = np.round(rng.normal(size=shape) * rng.choice([1, 3, 1000]))
    one, other = (
        np.round((human * 0.3 + rng.normal(size=shape)) * rng.choice([2, 1000])) / 7 for _ in range(2)
    )
    if gaps:
        human[rng.random(shape) < 0.2] = np.nan
        one[rng.random(shape) < 0.05] = np.nan
    return one, other, human


def kept(units: Any, shape: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Of each permutation, which scores stay where they are: numpy's PCG64, bit by bit."""
    numbers = {
        "both": np.arange(shape[0] * shape[1]).reshape(shape),
        "inputs": np.broadcast_to(np.arange(shape[1]), shape),
        "systems": np.broadcast_to(np.arange(shape[0])[:, None], shape),
    }[units]
    blocks = []
    for block in range((DRAWN + 63) // 64):
        words = np.random.PCG64(SEED_HERE).jumped(block).random_raw(numbers.max() + 1)
        blocks.append((words[None, :] >> np.arange(64, dtype=np.uint64)[:, None]) & np.uint64(1))
    return np.concatenate(blocks).astype(bool)[:DRAWN][:, numbers]


def one_by_one(
    statistic: Statistic, one: Floats, other: Floats, keep: npt.NDArray[np.bool_]
) -> tuple[float, float, float]:
    observed = statistic(one) - statistic(other)
    exceeding = sum(
        statistic(np.where(each, one, other)) - statistic(np.where(each, other, one)) >= observed - 1e-12
        for each in keep
    )
    return exceeding / len(keep), statistic(one), statistic(other)


def standardised(scores: Floats, there: npt.NDArray[np.bool_]) -> Floats:
    chosen = scores[there]
    return np.where(there, (scores - chosen.mean()) / chosen.std(), np.nan)


def or_zero(value: float) -> float:
    return 0.0 if math.isnan(value) else value


PERMS = {
    "both": fm.evaluation.perm_both,
    "inputs": fm.evaluation.perm_inputs,
    "systems": fm.evaluation.perm_systems,
}


@pytest.mark.parametrize("unit", PERMS)
@pytest.mark.parametrize("group", [None, "item", "system"])
@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall-b"])
def test_permutations_of_segments_are_those_one_by_one(unit: str, group: Any, coefficient: str) -> None:
    for number in range(2):
        one, other, human = drawn_scores(number, gaps=number % 2 == 1)
        there = np.isfinite(one) & np.isfinite(other) & np.isfinite(human)
        judged = np.where(there, human, np.nan)

        def statistic(scores: Floats, judged: Floats = judged) -> float:
            return or_zero(correlation(scores, judged, coefficient, group))

        expected = one_by_one(
            statistic, standardised(one, there), standardised(other, there), kept(unit, human.shape)
        )
        found = PERMS[unit](one, other, human, coefficient, group, DRAWN, SEED_HERE, blocks=None)
        assert found[:3] == pytest.approx(expected, abs=1e-12)
        assert found.permutations == DRAWN


@pytest.mark.parametrize("unit", PERMS)
@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall-b", "accuracy"])
def test_permutations_of_systems_are_those_one_by_one(unit: str, coefficient: str) -> None:
    for number in range(6):
        one, other, human = drawn_scores(number)
        if number == 5:  # scores of systems only
            one, other, human = one[:, :1], other[:, :1], human[:, :1]
        everywhere = np.ones(human.shape, dtype=bool)
        means = human.mean(axis=1)

        def statistic(scores: Floats, means: Floats = means) -> float:
            own = np.array([sum(row.tolist()) / len(row) for row in scores])
            if coefficient == "accuracy":
                return or_zero(pairwise_accuracy(own, means))
            return or_zero(correlation(own[None], means[None], coefficient))

        scaled = standardised(one, everywhere), standardised(other, everywhere)
        expected = one_by_one(statistic, *scaled, kept(unit, human.shape))
        found = PERMS[unit](one, other, human, coefficient, None, DRAWN, SEED_HERE, None, level="system")
        assert found[:3] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("unit", PERMS)
def test_permutations_under_soft_pairwise_accuracy_are_those_one_by_one(unit: str) -> None:
    for number in range(3):
        one, other, human = drawn_scores(number)
        everywhere = np.ones(human.shape, dtype=bool)
        signs = Signs(1000, human.shape[1], SEED)
        of_people = confidences(human, signs)

        def statistic(scores: Floats, signs: Signs = signs, of_people: Floats = of_people) -> float:
            return soft_accuracy(confidences(scores, signs), of_people)

        scaled = standardised(one, everywhere), standardised(other, everywhere)
        expected = one_by_one(statistic, *scaled, kept(unit, human.shape))
        found = PERMS[unit](one, other, human, "spa", None, DRAWN, SEED_HERE, None)
        assert found[:3] == pytest.approx(expected, abs=1e-12)


def test_more_systems_than_lanes() -> None:
    rng = np.random.default_rng(2)
    human = rng.normal(size=(35, 50))
    one, other = human + rng.normal(size=human.shape), human + rng.normal(size=human.shape)
    found = fm.evaluation.perm_both(one, other, human, "spa", permutations=10)
    assert (found.first, found.second) == pytest.approx(
        (fm.evaluation.spa(one, human), fm.evaluation.spa(other, human)), abs=1e-9
    )


def test_coefficients_of_soft_pairwise_accuracy_are_exact() -> None:
    """With many segments some sums are nearly equal to the observed ones, closer than 30 bits tell."""
    rng = np.random.default_rng(3)
    human = rng.normal(size=(15, 1400))
    one, other = human + rng.normal(size=human.shape), human + rng.normal(size=human.shape)
    found = fm.evaluation.perm_both(one, other, human, "spa", permutations=1)
    assert (found.first, found.second) == (fm.evaluation.spa(one, human), fm.evaluation.spa(other, human))


def test_pairs_under_soft_pairwise_accuracy_do_not_depend_on_each_other() -> None:
    """Sums are shared between pairs, and left out once a test stops; a pair alone has the same test."""
    rng = np.random.default_rng(6)
    human = rng.normal(size=(9, 60))
    metrics = [human + noise * rng.normal(size=human.shape) for noise in (1, 1, 1.2, 4)]
    metrics.append(np.zeros(human.shape))
    pairs = [(0, 1), (2, 1), (3, 0), (0, 3), (4, 2), (2, 2)]
    stopping = Stopping(150, 50)
    tests = exchanged(metrics, human, pairs, "spa", level="system", stopping=stopping)
    assert len({test.permutations for test in tests}) > 1
    for (i, j), test in zip(pairs, tests, strict=True):
        alone = exchanged([metrics[i], metrics[j]], human, [(0, 1)], "spa", level="system", stopping=stopping)
        assert alone == [test]


@pytest.mark.parametrize("group", [None, "item", "system"])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_pairs_that_metrics_have_right_are_counted_as_pair_by_pair(number: int, group: Any) -> None:
    """300 points of a row are gone through in parts."""
    rng = np.random.default_rng(number)
    human = np.round(rng.normal(size=(5, 60 if number else 300)) * 2)
    human[rng.random(human.shape) < 0.1] = np.nan
    metrics = np.array([np.round(human + rng.normal(size=human.shape), number) for _ in range(3)])
    epsilons = [fm.evaluation.acc_eq(scores, human, group).epsilon for scores in metrics]
    found, weights = right_together(metrics, human, group, epsilons)
    pairs = [pair_outcomes(s, human, group, e) for s, e in zip(metrics, epsilons, strict=True)]
    rows = np.concatenate(
        [[0], np.cumsum([len(x) * (len(x) - 1) // 2 for x, _ in rows_of(human, human, group)])]
    )
    for k, (begin, end) in enumerate(itertools.pairwise(rows)):
        assert np.all(pairs[0][1][begin:end] == weights[k])
        for (i, (one, _)), (j, (other, _)) in itertools.product(enumerate(pairs), repeat=2):
            assert found[k, i, j] == np.count_nonzero(one[begin:end] & other[begin:end])


def test_it_stops_after_a_block_where_p_is_clear() -> None:
    rng = np.random.default_rng(4)
    human = rng.normal(size=(6, 300))
    good, poor = human + 0.5 * rng.normal(size=human.shape), human + 3 * rng.normal(size=human.shape)
    found = fm.evaluation.perm_both(good, poor, human)
    assert (found.p, found.permutations) == (0.0, 100)
    back = fm.evaluation.perm_both(poor, good, human, blocks=50)
    assert (back.p, back.permutations) == (1.0, 50)
    near = good + 0.01 * rng.normal(size=human.shape)
    pairs = [(0, 1), (1, 0), (0, 2), (2, 0)]
    whole = exchanged([good, near, poor], human, pairs, stopping=Stopping(1000, None))
    assert [test.permutations for test in whole] == [1000] * 4
    assert whole[0].p + whole[1].p == pytest.approx(1, abs=1e-9)
    for (i, j), test in zip(pairs, whole, strict=True):
        scores = [good, near, poor]
        assert fm.evaluation.perm_both(scores[i], scores[j], human, blocks=None) == test


def test_equal_metrics_are_never_different() -> None:
    one, _, human = drawn_scores(1)
    for coefficient in ("pearson", "spearman", "kendall", "acc-eq"):
        assert fm.evaluation.perm_both(one, one, human, coefficient, blocks=None).p == 1


@pytest.mark.parametrize("group", [None, "item", "system"])
def test_acc_eq_exchanges_what_is_right(group: Any) -> None:
    """p of the sum of signs, here by their exact distribution: convolution of one pair after the other."""
    one, other, human = drawn_scores(0)
    found = fm.evaluation.perm_both(one, other, human, "acc-eq", group, permutations=20_000, blocks=None)
    outcomes = []
    for scores, value in ((one, found.first), (other, found.second)):
        calibrated = fm.evaluation.acc_eq(scores, human, group)
        assert calibrated.value == value
        by = {None: (1, -1), "system": human.shape, "item": human.T.shape}[group]
        x, y = ((s.T if group == "item" else s).reshape(by) for s in (scores, human))
        i, j = np.triu_indices(x.shape[1], 1)
        gap = x[:, i] - x[:, j]
        ordered = np.where(np.abs(gap) <= calibrated.epsilon, 0, np.sign(gap))
        outcomes.append((ordered == np.sign(y[:, i] - y[:, j])).astype(int))
    gains = (outcomes[0] - outcomes[1]).ravel()
    chance = np.ones(1)
    for _ in range(np.count_nonzero(gains)):
        chance = np.convolve(chance, [0.5, 0.0, 0.5])
    exact = chance[np.count_nonzero(gains) + gains.sum() :].sum()
    assert found.p == pytest.approx(exact, abs=5 * math.sqrt(0.25 / 20_000))


def test_coefficients_of_real_metrics_are_those_of_the_tools_of_wmt(shared: Path) -> None:
    folder = shared / "mt-wmt" / "newstest2021.en-de" / "expected"
    tables: dict[str, dict[str, list[float]]] = {}
    for name, file in (("sentBLEU", "sentBLEU-refA"), ("chrF", "chrF-refA"), ("human", "mqm")):
        rows = gzip.decompress((folder / f"{file}.seg.score.gz").read_bytes()).decode().split("\n")
        table = tables.setdefault(name, {})
        for row in filter(None, rows):
            system, score = row.split("\t")
            table.setdefault(system, []).append(float("nan") if score == "None" else float(score))
    human = np.array(list(tables["human"].values()))
    bleu, chrf = (np.array([tables[name][s] for s in tables["human"]]) for name in ("sentBLEU", "chrF"))
    expected = json.loads((folder / "mt-metrics-eval.json").read_text())
    for group, label in ((None, "none"), ("item", "item"), ("system", "sys")):
        for coefficient in ("pearson", "spearman", "kendall-b"):
            found = fm.evaluation.perm_both(chrf, bleu, human, coefficient, group, 64)  # type: ignore[arg-type]
            key = f"{coefficient} by {label}"
            assert found.first == pytest.approx(expected["chrF"][key], abs=1e-9)
            assert found.second == pytest.approx(expected["sentBLEU"][key], abs=1e-9)


def test_what_does_not_go_together_is_refused() -> None:
    one, other, human = drawn_scores(0)
    both = fm.evaluation.perm_both
    with pytest.raises(fm.FstmetricsError, match="unknown coefficient of segments 'person'"):
        both(one, other, human, "person")
    with pytest.raises(fm.FstmetricsError, match="shapes"):
        both(one, other[:, 1:], human)
    with pytest.raises(fm.FstmetricsError, match="perm_inputs by item"):
        fm.evaluation.perm_inputs(one, other, human, "acc-eq", "system")
    with pytest.raises(fm.FstmetricsError, match="no segment with a score of people"):
        both(one, other, np.full(human.shape, np.nan))
    with pytest.raises(fm.FstmetricsError, match="blocks"):
        both(one, other, human, blocks=0)


@pytest.mark.parametrize("units", ["both", "inputs", "systems"])
def test_rows_that_are_constant_for_one_metric_do_not_count_after_an_exchange(units: Any) -> None:
    """Their variance is 0, not what rounding leaves of a difference of sums."""
    one, other = np.zeros((6, 7)), np.tile([1.0, 3, 2, 3, 0, 2, 2], (6, 1))
    human = np.random.default_rng(3).integers(0, 3, one.shape).astype(float)
    everywhere = np.ones(one.shape, dtype=bool)

    def statistic(scores: Floats) -> float:
        return or_zero(correlation(scores, human, "pearson", "system"))

    (test,) = exchanged(
        [one, other],
        human,
        [(0, 1)],
        "pearson",
        "system",
        unit=units,
        stopping=Stopping(DRAWN, None),
        seed=SEED_HERE,
    )
    expected = one_by_one(statistic, one, standardised(other, everywhere), kept(units, (6, 7)))
    assert test[:3] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall", "accuracy"])
def test_means_that_differ_by_rounding_only_are_equal(coefficient: str) -> None:
    """Systems whose scores are the same in another order are tied, for each permutation of segments, too."""
    row = np.array([0.1, 0.2, 0.3, 0.7, 1.1, 0.4])
    one = np.array([np.roll(row, turned) for turned in range(6)])
    human = np.arange(36.0).reshape(6, 6)
    (test,) = exchanged([one, one[::-1]], human, [(0, 1)], coefficient, level="system")
    assert test.first == test.second == 0


@pytest.mark.parametrize("coefficient", ["acc-eq", "pearson", "spa"])
def test_nothing_to_compare_is_refused(coefficient: str) -> None:
    scores, nothing = np.ones((3, 4)), np.full((3, 4), np.nan)
    level: Any = "system" if coefficient == "spa" else "segment"
    with pytest.raises(fm.FstmetricsError, match="no segment"):
        fm.evaluation.perm_both(scores, nothing, scores, coefficient, level=level)
    with pytest.raises(fm.FstmetricsError, match="no scores of segments of b"):
        fm.evaluation.compare_metrics({"a": scores, "b": nothing}, scores, coefficient, None, level=level)
    if coefficient == "acc-eq":
        with pytest.raises(fm.FstmetricsError, match="no two of them have scores"):
            fm.evaluation.perm_both(scores[:1], scores[:1], scores[:1], coefficient, "item")
