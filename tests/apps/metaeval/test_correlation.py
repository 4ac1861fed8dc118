"""Coefficients, levels and intervals of agreement with people: against scipy, slow versions and definitions."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

import fstmetrics as fm
from fstmetrics.apps.metaeval import (
    Documents,
    Intervals,
    Scored,
    ScoreTable,
    chi_square,
    clopper_pearson,
    correlate,
    kendall,
    pairwise_accuracy,
    pearson,
    segment_kendall,
    spearman,
)
from fstmetrics.apps.metaeval.coefficients import PairCounts, pair_counts, ranks
from fstmetrics.apps.metaeval.correlations import document_points, segment_points
from fstmetrics.engine.statistics import text_statistics
from fstmetrics.metrics.bleu import BLEU

CASES = 300


def rows(seed: int) -> tuple[Any, Any]:
    """Two rows of scores with ties, sometimes of very different sizes."""
    chance = np.random.default_rng(seed)
    n, kinds = int(chance.integers(2, 40)), int(chance.integers(1, 12))
    x = chance.integers(0, kinds, n) * float(10.0 ** chance.integers(-6, 7))
    return x, chance.integers(0, kinds, n) - 0.3 * x / max(1.0, float(np.abs(x).max()))


def slow_counts(x: Any, y: Any) -> PairCounts:
    signs = [
        (np.sign(x[i] - x[j]), np.sign(y[i] - y[j])) for i, j in itertools.combinations(range(len(x)), 2)
    ]
    return PairCounts(
        sum(a * b > 0 for a, b in signs),
        sum(a * b < 0 for a, b in signs),
        sum(a == 0 and b != 0 for a, b in signs),
        sum(a != 0 and b == 0 for a, b in signs),
        sum(a == 0 and b == 0 for a, b in signs),
    )


def test_pairs_are_counted_as_one_by_one() -> None:
    for seed in range(CASES):
        assert pair_counts(*rows(seed)) == slow_counts(*rows(seed)), seed


def test_many_pairs_are_counted_as_one_by_one() -> None:
    """More distinct values than short integers have."""
    chance = np.random.default_rng(1)
    x, y = chance.permutation(70_000).astype(float), chance.permutation(70_000).astype(float)
    ahead = 0
    by_x = y[np.argsort(x)]
    for block in np.array_split(np.arange(len(by_x)), 500):
        later = by_x[block[-1] + 1 :]
        ahead += int((by_x[block, None] < later).sum())
        ahead += sum(int((by_x[i] < by_x[i + 1 : block[-1] + 1]).sum()) for i in block)
    found = pair_counts(x, y)
    assert found.concordant == ahead
    assert found.untied == 70_000 * 69_999 // 2


def test_coefficients_are_those_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    peers = ((pearson, stats.pearsonr), (spearman, stats.spearmanr), (kendall, stats.kendalltau))
    for seed in range(CASES):
        x, y = rows(seed)
        constant = len(set(x.tolist())) < 2 or len(set(y.tolist())) < 2
        for ours, theirs in peers:
            expected = math.nan if constant else theirs(x, y).statistic
            assert ours(x, y) == pytest.approx(expected, abs=1e-9, nan_ok=True), seed
        assert ranks(x).tolist() == stats.rankdata(x).tolist()


def test_coefficients_of_great_and_tiny_scores() -> None:
    for factor in (1e-300, 1.0, 1e300):
        assert pearson([1 * factor, 2 * factor, 4 * factor], [1.0, 2.0, 4.0]) == pytest.approx(1)
    assert math.isnan(pearson([1.0], [2.0]))
    assert math.isnan(pearson([], []))
    assert math.isnan(kendall([1.0, 1.0], [1.0, 2.0]))
    for bad in ([1.0, math.nan], [1.0, math.inf], [1.0]):
        with pytest.raises(fm.FstmetricsError):
            pearson(bad, [1.0, 2.0])


def test_pairwise_accuracy_leaves_out_what_people_tie() -> None:
    assert pairwise_accuracy([1, 1, 3], [1, 2, 2]) == 0.5  # the pair 1-2 is tied by x, 2-3 by y, 1-3 is right
    assert math.isnan(pairwise_accuracy([1, 2], [1, 1]))


def slow_wmt(metric: Any, human: Any, variant: str, threshold: float) -> float:
    """As the tables of the shared task say it: metric <, =, > against human <, =, >; X is left out."""
    value: dict[str, Any] = {"wmt12": -1, "wmt13": "X", "wmt14": 0}
    total = number = 0
    for segment in range(len(metric[0])):
        for one, other in itertools.combinations(range(len(metric)), 2):
            m, h = metric[one][segment] - metric[other][segment], human[one][segment] - human[other][segment]
            if math.isnan(m) or math.isnan(h) or h == 0 or abs(h) < threshold:
                continue
            said = value[variant] if m == 0 else 1 if (m > 0) == (h > 0) else -1
            if said != "X":
                total, number = total + said, number + 1
    return total / number if number else math.nan


@pytest.mark.parametrize("variant", ["wmt12", "wmt13", "wmt14"])
@pytest.mark.parametrize("seed", range(40))
def test_taus_of_wmt_are_those_of_its_tables(seed: int, variant: Any) -> None:
    chance = np.random.default_rng(seed)
    shape = (int(chance.integers(1, 6)), int(chance.integers(1, 8)))
    metric, human = chance.integers(0, 4, shape).astype(float), chance.integers(0, 4, shape).astype(float)
    metric[chance.random(shape) < 0.1] = np.nan
    human[chance.random(shape) < 0.1] = np.nan
    for threshold in (0, 2):
        found = segment_kendall(metric, human, variant, threshold)
        assert found == pytest.approx(slow_wmt(metric, human, variant, threshold), nan_ok=True)


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(fm.FstmetricsError, match="wmt12, wmt13, wmt14"):
        segment_kendall([[1.0]], [[1.0]], "wmt99")  # type: ignore[arg-type]


def table(seed: int, systems: int = 5, segments: int = 82) -> ScoreTable:
    chance = np.random.default_rng(seed)
    human = chance.normal(size=(systems, 1)) + chance.normal(size=(systems, segments))
    metric = human + chance.normal(size=human.shape)
    return ScoreTable.of(
        [f"s{i}" for i in range(systems)], {"m": metric, "wer": -metric}, human, lower=["wer"]
    )


def test_error_rates_are_turned_round() -> None:
    found = correlate(table(1), ["system", "segment"], intervals=Intervals(samples=50))
    by_metric = {
        name: [(c.coefficient, c.value, c.low, c.high) for c in found if c.metric == name]
        for name in ("m", "wer")
    }
    assert by_metric["m"] == by_metric["wer"]
    assert len(by_metric["m"]) == 4 + 6


def test_levels_are_what_their_definitions_say() -> None:
    given = table(2)
    metric, human = given.metrics["m"].items, given.human.items
    human[0, 3] = math.nan  # a cached array, but the table is built anew below
    judged = ScoreTable.of(given.systems, {"m": metric}, human)
    found = {(c.level, c.coefficient): c for c in correlate(judged, intervals=Intervals(samples=0))}
    means = [[x for x in row if not math.isnan(x)] for row in human.tolist()]
    assert found["system", "pearson"].value == pytest.approx(
        pearson(metric.mean(axis=1), [sum(row) / len(row) for row in means])
    )
    there = ~np.isnan(human)
    assert found["segment", "kendall"].value == kendall(metric[there], human[there])
    assert found["segment", "wmt14"].value == segment_kendall(metric, human)
    assert (found["system", "pearson"].points, found["segment", "pearson"].points) == (5, 5 * 82 - 1)
    assert math.isnan(found["segment", "pearson"].low)


def test_systems_have_scores_of_corpora_not_means_of_sentences() -> None:
    texts = {
        "a": ["the cat sat on the mat", "a dog", "we are very late again today"],
        "b": ["the cat sat on mat", "the dog barked", "we are late again today"],
    }
    references = ["the cat sat on the mat", "a dog barked", "we are late again today"]
    found = [text_statistics(BLEU(), outputs, references) for outputs in texts.values()]
    scored = Scored(BLEU(), np.array([one.values for one in found]), np.ones((2, 3), dtype=bool))
    assert scored.whole().tolist() == pytest.approx([one.score for one in found])
    pairs = scored.scores(np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 2.0]]))
    for i, outputs in enumerate(texts.values()):
        again = [outputs[1], outputs[2], outputs[2]], [references[1], references[2], references[2]]
        assert pairs[i, 1] == pytest.approx(text_statistics(BLEU(), *again).score)


def test_systems_with_the_same_scores_are_tied() -> None:
    """To the last bit, on every resample, wherever they stand."""
    chance = np.random.default_rng(9)
    row = chance.normal(size=301)
    scored = Scored.given("m", np.array([row, chance.normal(size=301), row, row]))
    weights = np.array(
        [np.bincount(chance.integers(301, size=301), minlength=301) for _ in range(200)], dtype=float
    )
    first, _, *others = scored.scores(weights)
    assert all((first == other).all() for other in others)


def test_documents_are_drawn_as_in_the_paper() -> None:
    """[H12 table 3]: 50 documents each of 1, 2, 4 ... 64 sentences from 82, 5 systems, so 250 points a size."""
    given = table(3)
    documents = Documents()
    found = correlate(given, ["document"], documents=documents, intervals=Intervals(samples=0))
    assert [(c.size, c.points) for c in found if c.metric == "m" and c.coefficient == "pearson"] == [
        (size, 250) for size in (1, 2, 4, 8, 16, 32, 64)
    ]
    for size in documents.sizes:
        weights = documents.weights(size, np.arange(82), 82)
        assert weights.shape == (50, 82)
        assert set(weights.sum(axis=1)) == {size}
        assert set(np.unique(weights)) == {0.0, 1.0}  # without replacement
        assert len({tuple(row) for row in weights}) > 30  # each by itself
        x, y = document_points(given, "m", [weights])
        metric, human = segment_points(given, "m")
        for document in (0, 49):
            chosen = weights[document] == 1
            assert x[:, document] == pytest.approx(metric[:, chosen].mean(axis=1))
            assert y[:, document] == pytest.approx(human[:, chosen].mean(axis=1))
        value = next(c.value for c in found if (c.metric, c.size, c.coefficient) == ("m", size, "pearson"))
        assert value == pytest.approx(pearson(x.ravel(), y.ravel()))
    with pytest.raises(fm.FstmetricsError, match="100 segments cannot be drawn from 82"):
        correlate(given, ["document"], documents=Documents(sizes=(100,)))
    with pytest.raises(fm.FstmetricsError, match="which segments make a document"):
        correlate(given, ["document"])


def test_longer_documents_correlate_better() -> None:
    """What [H12 table 3] is about, on scores whose noise averages out."""
    found = correlate(
        table(4, 5, 200), ["document"], documents=Documents((1, 64)), intervals=Intervals(samples=0)
    )
    one, many = (c.value for c in found if c.metric == "m" and c.coefficient == "pearson")
    assert many > one + 0.1


@pytest.mark.parametrize("resample", ["both", "segments", "systems"])
def test_intervals_are_those_of_tables_drawn_anew(resample: Any) -> None:
    given, intervals = table(5), Intervals(40, 7, resample)
    slow: dict[tuple[str, str], list[float]] = {}
    for systems, segments in intervals.draws(5, 82):
        if resample == "segments":
            assert systems.tolist() == list(range(5))
        if resample == "systems":
            assert segments.tolist() == list(range(82))
        drawn = [scores.items[np.ix_(systems, segments)] for scores in (given.metrics["m"], given.human)]
        again = ScoreTable.of(["x"] * 5, {"m": drawn[0]}, drawn[1])
        for c in correlate(again, ["system", "segment"], intervals=Intervals(samples=0)):
            slow.setdefault((c.level, c.coefficient), []).append(c.value)
    for c in correlate(given, ["system", "segment"], intervals=intervals):
        if c.metric == "m":
            values = [value for value in slow[c.level, c.coefficient] if not math.isnan(value)]
            assert (c.low, c.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])), abs=1e-6)


def test_intervals_cover_what_they_should() -> None:
    """Of pairs of normal variables with r = .6, drawn anew by segments, about 95 in 100 intervals hold .6."""
    chance, held = np.random.default_rng(11), 0
    for trial in range(60):
        x = chance.normal(size=(2, 60))
        y = 0.6 * x + 0.8 * chance.normal(size=x.shape)
        given = ScoreTable.of(["a", "b"], {"m": x}, y)
        found = correlate(given, ["segment"], intervals=Intervals(100, trial, "segments"))[0]
        held += found.low <= 0.6 <= found.high
    assert 49 <= held <= 59


def test_a_table_must_be_even() -> None:
    with pytest.raises(fm.FstmetricsError, match="2 x 3 scores, but there are 2 systems x 2 segments"):
        ScoreTable.of(["a", "b"], {"m": np.zeros((2, 3))}, np.zeros((2, 2)))
    with pytest.raises(fm.FstmetricsError, match="two systems or more; found a"):
        correlate(ScoreTable.of(["a"], {"m": [[1.0]]}, [[1.0]]))
    with pytest.raises(fm.FstmetricsError, match="no system 'c'"):
        table(1).without(["c"])


def test_chi_square_of_shares_is_scipy_s() -> None:
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    for one, other, total in ((54, 48, 66), (53, 52, 66), (34, 30, 55), (0, 6, 6), (1, 2, 3)):
        found = chi_square(clopper_pearson(one, total), clopper_pearson(other, total))
        expected = stats.chi2_contingency([[one, total - one], [other, total - other]])
        assert found == pytest.approx((expected.statistic, expected.pvalue))
    assert chi_square(clopper_pearson(3, 3), clopper_pearson(3, 3)) == (0.0, 1.0)
