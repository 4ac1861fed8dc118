"""What is computed in blocks, where there are many segments, is what is computed at once."""

import math
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from fstmetrics.apps.metaeval import (
    Intervals,
    ScoreTable,
    coefficients,
    correlate,
    correlations,
    human_tests,
    rank_sum_p,
    resampled,
    soft_accuracy,
)
from fstmetrics.apps.metaeval.coefficient_names import wanted
from fstmetrics.apps.metaeval.coefficients import ranks, segment_kendall
from fstmetrics.apps.metaeval.soft_accuracy import Signs, confidences, spa
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import limited

# What is made small, so that few segments are many.
BLOCKS = [(correlations, "CELLS", 900), (coefficients, "TOGETHER", 7), (resampled, "POINTS", 500)]


def scores(seed: int, systems: int, segments: int) -> np.ndarray:
    """Random ones, some missing."""
    random = np.random.default_rng(seed)
    found = np.round(random.normal(size=(systems, segments)) * 4) / 3
    found[random.random(found.shape) < 0.05] = np.nan
    return found


@pytest.mark.parametrize("samples", [0, 8, 9, 40, 41])
def test_resamples_in_blocks_are_those_at_once(monkeypatch: pytest.MonkeyPatch, samples: int) -> None:
    metrics = {name: scores(seed, 4, 101) for seed, name in enumerate("ab")}
    table = ScoreTable.of(list("ABCD"), metrics, scores(9, 4, 101), lower="b")
    settings = {
        "levels": ["system", "segment"],
        "intervals": Intervals(samples),
        "more": wanted(["spa", "acc-eq"]),
    }
    expected = correlate(table, **settings)  # type: ignore[arg-type]
    for module, name, value in BLOCKS:
        monkeypatch.setattr(module, name, value)
    assert repr(correlate(table, **settings)) == repr(expected)  # type: ignore[arg-type]


def test_documents_in_blocks_are_those_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table = ScoreTable.of(list("ABCD"), {"m": scores(1, 4, 300)}, scores(2, 4, 300))
    table = replace(table, documents=tuple(f"d{i // 9}" for i in range(300)))
    expected = correlate(table, ["document"], intervals=Intervals(3))
    monkeypatch.setattr(correlations, "CELLS", 2400)
    assert repr(correlate(table, ["document"], intervals=Intervals(3))) == repr(expected)


@pytest.mark.parametrize("rows", [1, 7, 8, 15, 16, 1000])
def test_blocks_have_all_rows_and_never_few(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    monkeypatch.setattr(correlations, "CELLS", 80)
    sizes = list(correlations._blocks(rows, 10))
    assert sum(sizes) == rows
    assert len(sizes) == 1 or all(size >= 8 for size in sizes)


@pytest.mark.parametrize("segments", [1, 7, 8, 300])
def test_signs_kept_as_bits_are_the_same(monkeypatch: pytest.MonkeyPatch, segments: int) -> None:
    whole = Signs(50, segments, 4)
    drawn = np.random.default_rng(4).random(size=(50, segments), dtype=np.float32)
    given = np.random.default_rng(1).normal(size=(3, segments))
    expected = np.where(drawn > 0.5, 1.0, -1.0) @ given.T
    assert (whole.sums(given) == expected).all()
    monkeypatch.setattr(soft_accuracy, "CELLS", 49)
    monkeypatch.setattr(soft_accuracy, "TOGETHER", 900)
    parts = Signs(50, segments, 4)
    assert (parts.bits == whole.bits).all()
    np.testing.assert_allclose(parts.sums(given), expected, rtol=0, atol=1e-12)
    assert (confidences(given, parts) == confidences(given, whole)).all()


@pytest.mark.parametrize("systems", [2, 3, 5, 6, 9, 40])
@pytest.mark.parametrize("permutations", [1, 3, 8, 50, 1000])
def test_confidences_are_those_of_all_pairs_at_once(systems: int, permutations: int) -> None:
    given = np.random.default_rng(systems).integers(0, 4, (systems, 23)) / 10
    signs = Signs(permutations, 23, 4)
    sums = signs.sums(soft_accuracy._differences(given))
    observed = soft_accuracy._differences(given).sum(axis=1)
    slack = 1e-12 * sum(np.abs(system).sum() for system in soft_accuracy._differences(given))
    i, j = np.triu_indices(systems, 1)
    exceeding = sums[:, i] - sums[:, j] >= observed[i] - observed[j] - slack
    assert confidences(given, signs).tolist() == exceeding.mean(axis=0).tolist()


def test_soft_accuracy_takes_memory_for_pairs_and_not_for_their_permutations() -> None:
    random = np.random.default_rng(1)
    metric, human = random.normal(size=(2, 300, 10))
    tracemalloc.start()
    spa(metric, human)
    pairs = 300 * 299 // 2
    assert tracemalloc.get_traced_memory()[1] < 40 * pairs * 8  # and not 1000
    tracemalloc.stop()
    with limited(cells=pairs - 1), pytest.raises(FstmetricsError, match=f"{pairs} pairs .* --max cells=N"):
        spa(metric, human)


def test_peoples_side_that_is_not_kept_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    table = ScoreTable.of(
        list("ABCD"), {name: scores(i, 4, 50) for i, name in enumerate("abc")}, scores(9, 4, 50)
    )
    settings = {"levels": ["system"], "intervals": Intervals(20), "more": wanted(["spa"])}
    expected = correlate(table, **settings)  # type: ignore[arg-type]
    monkeypatch.setattr(resampled, "KEPT", 130)
    assert repr(correlate(table, **settings)) == repr(expected)  # type: ignore[arg-type]


def test_ranks_are_the_means_of_places() -> None:
    for size in (0, 1, 2, 200):
        x = np.round(np.random.default_rng(size).normal(size=size) * 9)
        expected = [1 + np.sum(x < each) + (np.sum(x == each) - 1) / 2 for each in x]
        assert ranks(x).tolist() == expected


@pytest.mark.parametrize("given", [[math.nan], [1, math.nan, 2], [math.nan] * 40])
def test_missing_scores_have_no_rank(given: list[float]) -> None:
    for call in (
        lambda: ranks(np.array(given)),
        lambda: rank_sum_p(given, [1.0, 2.0]),
        lambda: rank_sum_p([1.0], given),
        lambda: human_tests({"a": [1.0, 3.0], "b": given}),
    ):
        with pytest.raises(FstmetricsError, match="missing scores have no rank"):
            call()


def test_taus_of_segments_are_sums_over_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = segment_kendall(scores(1, 5, 90), scores(2, 5, 90))
    monkeypatch.setattr(coefficients, "TOGETHER", 4)
    assert segment_kendall(scores(1, 5, 90), scores(2, 5, 90)) == expected
