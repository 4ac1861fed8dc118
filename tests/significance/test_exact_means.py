"""Means in coefficients are exact: systems and documents whose means are equal are tied, in any order of the lines."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fstmetrics.apps.metaeval import Documents, Intervals, ScoreTable, correlate
from fstmetrics.apps.metaeval.coefficient_names import Wanted
from fstmetrics.apps.metaeval.correlations import resampled_systems
from fstmetrics.apps.metaeval.metric_tests import compare_metrics
from fstmetrics.data.exact_means import exact_sums, means, row_means, with_ties
from fstmetrics.data.ratings import Ratings

Exact = list[Fraction]
Rows = list[list[float]]


def tau_b(x: Exact, y: Exact) -> float:
    """From its definition, pair by pair."""
    above = tied_x = tied_y = 0
    pairs = [(i, j) for i in range(len(x)) for j in range(i)]
    for i, j in pairs:
        one, other = ((a > b) - (a < b) for a, b in ((x[i], x[j]), (y[i], y[j])))
        above, tied_x, tied_y = above + one * other, tied_x + (not one), tied_y + (not other)
    below = (len(pairs) - tied_x) * (len(pairs) - tied_y)
    return above / math.sqrt(below) if below else math.nan


def rho(x: Exact, y: Exact) -> float:
    """Spearman's, from its definition."""
    ranks = [[Fraction(2 * sum(b < a for b in side) + side.count(a) + 1, 2) for a in side] for side in (x, y)]
    one, other = ([rank - sum(side) / len(side) for rank in side] for side in ranks)
    below = float(sum(a * a for a in one) * sum(b * b for b in other))
    return (
        float(sum(a * b for a, b in zip(one, other, strict=True))) / math.sqrt(below) if below else math.nan
    )


def exact(rows: Rows, places: list[list[int]]) -> Exact:
    """The means of sets of segments, of the decimal numbers that were written."""
    return [
        sum((Fraction(repr(row[i])) for i in some), Fraction(0)) / len(some)
        for row in rows
        for some in places
    ]


def drawn(seed: int) -> tuple[Rows, Rows, ScoreTable]:
    chance = random.Random(seed)
    systems, documents, size = chance.choice([(3, 8, 3), (5, 6, 4), (4, 10, 3)])
    metric, human = (
        [[round(chance.uniform(low, 1), digits) for _ in range(documents * size)] for _ in range(systems)]
        for low, digits in ((-1, chance.choice([1, 2])), (0, 1))
    )
    table = ScoreTable.of([f"s{i}" for i in range(systems)], {"m": np.array(metric)}, np.array(human))
    return metric, human, replace(table, documents=tuple(f"d{i // size}" for i in range(documents * size)))


@pytest.mark.parametrize("seed", range(20))
def test_equal_means_are_tied(seed: int) -> None:
    metric, human, table = drawn(seed)
    names = list(dict.fromkeys(table.documents or ()))
    of_documents = [[i for i, name in enumerate(table.documents or ()) if name == own] for own in names]
    everything = [list(range(len(table.segments)))]
    found = {
        (c.level, c.coefficient): c.value
        for c in correlate(table, ["system", "document"], intervals=Intervals(samples=0))
    }
    for level, places in (("system", everything), ("document", of_documents)):
        x, y = exact(metric, places), exact(human, places)
        assert found[level, "kendall"] == pytest.approx(tau_b(x, y), nan_ok=True)  # type: ignore[index]
        assert found[level, "spearman"] == pytest.approx(rho(x, y), nan_ok=True)  # type: ignore[index]


@pytest.mark.parametrize("seed", range(5))
def test_equal_means_are_tied_on_resamples(seed: int) -> None:
    metric, human, table = drawn(seed)
    intervals = Intervals(samples=50, seed=seed + 1)
    draws = intervals.draws(len(metric), len(table.segments))
    for (x, y, which), (systems, places) in zip(resampled_systems(table, "m", intervals), draws, strict=True):
        assert which.tolist() == systems.tolist()
        for side, rows in ((x, metric), (y, human)):
            slow = exact([rows[system] for system in systems], [places.tolist()])
            assert np.unique(side, return_inverse=True)[1].tolist() == [
                sorted(set(slow)).index(s) for s in slow
            ]


@pytest.mark.parametrize("seed", range(5))
def test_order_of_lines_does_not_matter(seed: int) -> None:
    _, _, table = drawn(seed)
    order = random.Random(seed).sample(range(len(table.segments)), len(table.segments))
    turned = replace(
        table,
        human=table.human.at(order),
        metrics={"m": table.metrics["m"].at(order)},
        documents=tuple((table.documents or ())[i] for i in order),
    )
    more = [Wanted(name, group) for name in ("acc-eq", "kendall-c", "kendall-23", "acc-23", "spearman")
            for group in ("item", "system", None)]  # fmt: skip
    levels = ["system", "document", "segment"]
    one, two = (
        {
            (c.level, c.coefficient, c.group): c.value
            for c in correlate(each, levels, intervals=Intervals(0), more=more)
        }  # type: ignore[arg-type]
        for each in (table, turned)
    )
    assert len(one) > 20
    assert {key: pytest.approx(value, abs=1e-12, nan_ok=True) for key, value in one.items()} == two


def test_documents_drawn_at_random_are_tied() -> None:
    table = ScoreTable.of(["a", "b"], {"m": [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]}, [[1, 2, 3], [3, 2, 4]])
    found = correlate(table, ["document"], documents=Documents((3,), 2), intervals=Intervals(samples=0))
    assert all(math.isnan(c.value) for c in found)  # the metric has one score for all


def test_tests_between_metrics_tie_the_means_of_people() -> None:
    """Spearman's rho of .1 .2 .3, .3 .2 .1 and .9 is that of a tie, under tests as well."""
    human = [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.9, 0.9, 0.9]]
    metrics = {"m": [[1, 1, 1], [2, 2, 2], [3, 3, 3]], "n": [[2, 2, 2], [1, 1, 1], [0, 0, 0]]}
    rho_of = {}
    for rows in (human, [row[::-1] for row in human]):
        (test,) = compare_metrics(
            {name: np.array(scores, dtype=float) for name, scores in metrics.items()},
            np.array(rows), "spearman", None, level="system",
        )  # fmt: skip
        rho_of[tuple(rows[0])] = test.delta
    assert list(rho_of.values()) == pytest.approx([2 * 0.8660254] * 2)


def test_raters_means_are_tied() -> None:
    ratings = Ratings()
    for system, given in (("a", (0.1, 0.2, 0.3)), ("b", (0.3, 0.2, 0.1)), ("c", (0.2, 0.2, 0.2))):
        for rater, score in zip("xyz", given, strict=True):
            ratings.add(rater, (system, "1"), score)
    assert len(set(ratings.means().values())) == 1


def test_sums_are_exact() -> None:
    chance = np.random.default_rng(1)
    rows = chance.normal(size=(300, 2)) * 10.0 ** chance.integers(-12, 4, size=(300, 2))
    weights = chance.integers(0, 4, size=(20, 300))
    slow = [
        [float(sum(int(w) * Fraction(x) for w, x in zip(row, column, strict=True))) for column in rows.T]
        for row in weights
    ]
    assert exact_sums(weights, rows) == pytest.approx(np.array(slow), rel=1e-15)
    order = chance.permutation(300)
    assert (exact_sums(weights[:, order], rows[order]) == exact_sums(weights, rows)).all()


def test_means_of_the_largest_numbers() -> None:
    assert row_means(np.array([[1e308, 1.5e308, np.nan], [np.nan] * 3])).tolist() == [
        1.25e308,
        pytest.approx(np.nan, nan_ok=True),
    ]


def test_a_far_score_ties_no_others() -> None:
    """What may be rounding is a part of the size of a mean's own scores."""
    scores = np.array([[1e15, 1e15], [0.5, 0.501], [0.5, 0.502]])
    assert len(set(row_means(scores).tolist())) == 3
    assert len(set(with_ties(means(np.eye(2), scores[1])).tolist())) == 2
