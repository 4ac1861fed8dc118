"""Coefficients of WMT's metrics tasks: the numbers of mt-metrics-eval, and what the definitions say on small scores."""

import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fstmetrics as fm
from fstmetrics.apps.metaeval import acc_eq, correlation, read_scores, segment_coefficients, spa

GROUPS: dict[str, Any] = {"none": None, "item": "item", "sys": "system"}
METRICS = ("sentBLEU", "chrF", "chrF2++")


@pytest.fixture(scope="module")
def expected(shared: Path) -> Path:
    return shared / "mt-wmt" / "newstest2021.en-de" / "expected"


def check(values: dict[str, Any], metric: Any, human: Any) -> int:
    """Every number that mt-metrics-eval has found."""
    checked = 0
    for name, value in values.items():
        coefficient, by, group = name.partition(" by ")
        if not by:
            continue
        checked += 1
        if coefficient == "acc_eq":
            found = acc_eq(metric, human, GROUPS[group])
            assert found.value == pytest.approx(value["score"], abs=1e-12), name
            assert found.epsilon == pytest.approx(value["epsilon"], abs=1e-9), name
        else:
            assert correlation(metric, human, coefficient, GROUPS[group]) == pytest.approx(
                value, abs=1e-12
            ), name
    return checked


@pytest.mark.parametrize("name", METRICS)
def test_numbers_of_the_wmt_tools_on_real_scores(expected: Path, name: str) -> None:
    human = read_scores(str(expected / "mqm.seg.score.gz")).human
    metric = read_scores(str(expected / f"{name}-refA.seg.score.gz")).scores
    values = json.loads((expected / "mt-metrics-eval.json").read_text())[name]
    assert human is not None
    assert check(values, metric, human) == 12
    theirs = values["SPA (1000 permutations, seed 4)"]
    assert spa(metric, human, permutations=1000, seed=4) == pytest.approx(
        theirs, abs=1e-4
    )  # single precision there
    assert spa(metric, human, permutations=1000, seed=5) == pytest.approx(theirs, abs=0.02)


@pytest.mark.parametrize("number", range(3))
def test_numbers_of_the_wmt_tools_on_small_scores(expected: Path, number: int) -> None:
    case = json.loads((expected / "cases.json").read_text())[number]
    shape = case["systems"], case["segments"]
    human = np.array([math.nan if score is None else score for score in case["human"]]).reshape(shape)
    assert check(case, np.array(case["metric"]).reshape(shape), human) == 12


def random_scores(seed: int) -> tuple[Any, Any]:
    """With ties and gaps on both sides."""
    chance = np.random.default_rng(seed)
    shape = int(chance.integers(2, 6)), int(chance.integers(2, 8))
    human, metric = chance.integers(0, 4, shape).astype(float), chance.integers(0, 9, shape) / 4
    human[chance.random(shape) < 0.2] = math.nan
    metric[chance.random(shape) < 0.1] = math.nan
    return metric, human


def rows(metric: Any, human: Any, group: Any) -> list[list[tuple[float, float]]]:
    """Points of each row of a grouping, cell by cell."""
    found: dict[int, list[tuple[float, float]]] = {}
    for i, j in itertools.product(*map(range, metric.shape)):
        if not math.isnan(metric[i, j]) and not math.isnan(human[i, j]):
            found.setdefault({"item": j, "system": i, None: 0}[group], []).append((metric[i, j], human[i, j]))
    return [row for row in found.values() if len(row) > 1]


def slow_acc_eq(metric: Any, human: Any, group: Any) -> tuple[float, list[float]]:
    """Every epsilon tried: the best accuracy, and all epsilons that have it."""
    of = rows(metric, human, group)
    pairs = [list(itertools.combinations(row, 2)) for row in of]
    found: dict[float, float] = {}
    for epsilon in {0.0, *(abs(a[0] - b[0]) for row in pairs for a, b in row)}:
        right = [
            [
                (0 if abs(a[0] - b[0]) <= epsilon else np.sign(a[0] - b[0])) == np.sign(a[1] - b[1])
                for a, b in row
            ]
            for row in pairs
        ]
        found[epsilon] = float(np.mean([np.mean(row) for row in right]))
    best = max(found.values())
    return best, [epsilon for epsilon, value in found.items() if value > best - 1e-12]


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("group", [None, "item", "system"])
def test_epsilon_is_the_best_of_all(seed: int, group: Any) -> None:
    metric, human = random_scores(seed)
    if not rows(metric, human, group):
        assert math.isnan(acc_eq(metric, human, group).value)
        return
    best, epsilons = slow_acc_eq(metric, human, group)
    found = acc_eq(metric, human, group)
    assert found.value == pytest.approx(best, abs=1e-12)
    assert found.epsilon in epsilons
    assert acc_eq(metric, human, group, epsilon=found.epsilon).value == pytest.approx(best, abs=1e-12)


def slow_tau(points: list[tuple[float, float]], name: str) -> tuple[float, float]:
    """Numerator and denominator, as the papers have them."""
    kinds = [(np.sign(a[0] - b[0]), np.sign(a[1] - b[1])) for a, b in itertools.combinations(points, 2)]
    c = sum(m * h > 0 for m, h in kinds)
    d = sum(m * h < 0 for m, h in kinds)
    both = sum(m == 0 and h == 0 for m, h in kinds)
    tm, th = sum(m == 0 for m, _ in kinds) - both, sum(h == 0 for _, h in kinds) - both
    n, k = len(points), min(len({m for m, _ in points}), len({h for _, h in points}))
    return {
        "kendall-a": (c - d, len(kinds)),
        "kendall-b": (c - d, math.sqrt((c + d + th) * (c + d + tm))),
        "kendall-c": (2 * (c - d), n**2 * (k - 1) / k),
        "kendall-12": (c - d - tm, c + d + tm),
        "kendall-13": (c - d, c + d),
        "kendall-14": (c - d, c + d + tm),
        "kendall-23": (c + both - d - tm - th, len(kinds)),
        "acc-23": (c + both, len(kinds)),
    }[name]


TAUS = (
    "kendall-a",
    "kendall-b",
    "kendall-c",
    "kendall-12",
    "kendall-13",
    "kendall-14",
    "kendall-23",
    "acc-23",
)


@pytest.mark.parametrize("name", TAUS)
@pytest.mark.parametrize("group", [None, "item", "system"])
def test_taus_are_what_their_papers_define(name: str, group: Any) -> None:
    for seed in range(25):
        metric, human = random_scores(seed)
        parts = [slow_tau(row, name) for row in rows(metric, human, group)]
        if name in ("kendall-12", "kendall-13", "kendall-14"):  # counts are summed
            above, below = (sum(part) for part in zip((0, 0), *parts, strict=True))
            slow = above / below if below else math.nan
        else:
            values = [above / below for above, below in parts if below]
            slow = float(np.mean(values)) if values else math.nan
        assert correlation(metric, human, name, group) == pytest.approx(slow, nan_ok=True), seed


def test_taus_of_scipy() -> None:
    scipy = pytest.importorskip("scipy.stats")
    for seed in range(20):
        chance = np.random.default_rng(seed)
        x, y = chance.integers(0, 5, (2, 12)).astype(float)
        for variant in ("b", "c"):
            theirs = scipy.kendalltau(x, y, variant=variant).statistic
            assert correlation([x], [y], f"kendall-{variant}") == pytest.approx(theirs)


def test_pairs_of_darr_differ_by_25() -> None:
    """Human differences of 24 and 25: the first pair does not count. The second is tied by the metric: discordant."""
    metric, human = [[1.0, 1.0, 3.0], [2.0, 1.0, 1.0]], [[50.0, 50.0, 90.0], [74.0, 75.0, 10.0]]
    assert correlation(metric, human, "kendall-like", "item") == 0.0
    assert correlation(metric, human, "kendall-like", "item", threshold=24) == pytest.approx(1 / 3)
    assert correlation(metric, human, "kendall-12", "item", threshold=25) == 0.0
    assert correlation(metric, human, "kendall-14", "item", threshold=25) == 0.5


def test_constant_rows_do_not_count() -> None:
    metric, human = [[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]], [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]
    assert correlation(metric, human, "pearson", "item") == 1.0
    assert math.isnan(correlation([[1, 1]], [[1, 2]], "pearson"))


def slow_spa(metric: Any, human: Any, signs: Any) -> float:
    """Permutation by permutation, as in the paper."""
    distances = []
    for i, j in itertools.combinations(range(len(metric)), 2):
        shares = []
        for scores in (metric, human):
            observed = (scores[i] - scores[j]).sum()
            null = [sum(sign * (scores[i] - scores[j])) for sign in signs]
            shares.append(np.mean([each >= observed - 1e-9 for each in null]))
        distances.append(abs(shares[0] - shares[1]))
    return float(1 - np.mean(distances))


@pytest.mark.parametrize("seed", range(5))
def test_soft_accuracy_permutation_by_permutation(seed: int) -> None:
    metric, human = (np.random.default_rng(seed).integers(0, 5, (2, 4, 9)) / 10).astype(float)
    human[1, 3] = math.nan
    signs = np.where(np.random.default_rng(7).random((200, 8), dtype=np.float32) > 0.5, 1, -1)
    kept = [0, 1, 2, 4, 5, 6, 7, 8]
    assert spa(metric, human, permutations=200, seed=7) == pytest.approx(
        slow_spa(metric[:, kept], human[:, kept], signs)
    )


def test_soft_accuracy_at_its_ends() -> None:
    scores = np.random.default_rng(1).random((5, 50)) + np.arange(5)[:, None]
    assert spa(scores, scores) == 1.0
    assert spa(-scores, scores) == pytest.approx(0.0, abs=0.01)
    assert math.isnan(spa(scores[:1], scores[:1]))
    assert spa([[1.0, 1.0], [1.0, 1.0]], [[0.0, 1.0], [0.0, 1.0]]) == 1.0
    # A constant metric has p 1 of every pair, and ties every pair. People's p is the share of signs that keep 2 and 1.
    human = [[3.0, 2.0, 1.0], [1.0, 2.0, 0.0]]
    assert spa(np.ones((2, 3)), human) == pytest.approx(1 / 4, abs=0.05)
    assert acc_eq(np.ones((2, 3)), human).value == pytest.approx(1 / 3)


def test_arguments_that_do_not_fit_are_refused() -> None:
    with pytest.raises(fm.FstmetricsError, match=r"shapes \[1, 2\] and \[2, 1\]"):
        acc_eq([[1, 2]], [[1], [2]])
    with pytest.raises(fm.FstmetricsError, match="group is None, 'item' or 'system', not 'seg'"):
        acc_eq([[1, 2]], [[1, 2]], "seg")  # type: ignore[arg-type]
    with pytest.raises(fm.FstmetricsError, match="unknown coefficient 'kendall-d'"):
        correlation([[1, 2]], [[1, 2]], "kendall-d")
    with pytest.raises(fm.FstmetricsError, match="permutations"):
        spa([[1, 2]], [[1, 2]], permutations=0)
    with pytest.raises(fm.FstmetricsError, match="2 dimensions"):
        spa([1, 2], [1, 2])


@pytest.mark.parametrize("group", [None, "item", "system"])
def test_scores_far_from_zero_correlate_as_those_near_it(group: Any) -> None:
    """A metric that adds a large number to all scores is as good as without it."""
    rng = np.random.default_rng(5)
    metric, human = rng.integers(0, 9, (4, 6)) / 1024, rng.normal(size=(4, 6))
    found = fm.evaluation.correlation(metric + 2.0**30, human, "pearson", group)
    assert found == pytest.approx(fm.evaluation.correlation(metric, human, "pearson", group), abs=1e-12)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("function", ["correlation", "acc_eq", "spa"])
def test_infinite_scores_are_refused(function: str, side: int) -> None:
    scores = [np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3)]
    scores[side][1, 2] = -np.inf
    with pytest.raises(fm.FstmetricsError, match=r"segment 2 of system 1 .* infinite"):
        getattr(fm.evaluation, function)(*scores)


@pytest.mark.parametrize("name", [*TAUS, "kendall-like"])
def test_rows_sorted_and_compared_pair_by_pair_have_the_same_taus(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Short rows are compared in the engine, long ones sorted."""
    for seed in range(10):
        metric, human = random_scores(seed)
        in_engine = [correlation(metric, human, name, group, 1.0) for group in (None, "item", "system")]
        with monkeypatch.context() as patched:
            patched.setattr(segment_coefficients, "SHORT", 0)
            is_sorted = [correlation(metric, human, name, group, 1.0) for group in (None, "item", "system")]
        assert in_engine == pytest.approx(is_sorted, abs=1e-15, nan_ok=True)


@pytest.mark.parametrize("sides", [(0,), (1,), (0, 1)])
def test_soft_accuracy_of_scores_far_from_zero(sides: tuple[int, ...]) -> None:
    """A large number that all scores of a segment share changes nothing; before, small differences were lost in it."""
    rng = np.random.default_rng(6)
    scores = rng.integers(0, 9, (2, 5, 60)) / 1024 + np.arange(5)[None, :, None] / 2048
    shifted = scores.copy()
    shifted[list(sides)] += 2.0**30 + np.arange(60)
    assert spa(*shifted) == spa(*scores)
    assert 0.5 < spa(*scores) < 1
