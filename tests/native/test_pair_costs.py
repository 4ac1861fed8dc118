"""Costs of all pairs of two lists of texts are those of the search, pair by pair."""

from __future__ import annotations

import random

import pytest

import fstmetrics as fm
from fstmetrics._native import TextColumn, pair_costs
from fstmetrics.engine.search import COUNTS_ONLY, searched
from fstmetrics.metrics import Metric, as_metric
from fstmetrics.metrics.custom import EditMetric

METRICS = [
    as_metric("wer"), as_metric("wrr"), EditMetric(match=1, substitution=3, insertion=2, deletion=3),
]  # fmt: skip
# Words of up to and beyond seven bytes; texts of one machine word and of several.
WORDS = ["a", "naïve", "hippopotamus", "hippopotamuses", "x" * 7, "x" * 8]


def texts(chance: random.Random, count: int, most: int) -> list[tuple[str, ...]]:
    first = chance.choices(WORDS, k=chance.randrange(most))
    found = [tuple(chance.choices(WORDS, k=chance.randrange(most))) for _ in range(count)]
    for _ in range(count):  # those of a list are much alike
        other = list(first)
        for _ in range(chance.randrange(4)):
            place = chance.randrange(len(other) + 1)
            other[place : place + chance.randrange(2)] = chance.choices(WORDS, k=chance.randrange(3))
        found.append(tuple(other))
    return found


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("most", [1, 5, 40, 80, 300])
def test_pairs_cost_what_the_search_says(most: int, metric: Metric) -> None:
    chance = random.Random(most)
    hypotheses, references = texts(chance, 3, most), texts(chance, 2, most)
    for one, other in ((hypotheses, references), (references, references)):
        pairs = [(list(h), list(r)) for h in one for r in other]
        asked, ends = map(list, zip(*pairs, strict=True))
        expected = searched(None, asked, ends, metric, 1, COUNTS_ONLY).all_counts()[:, 0]
        for threads in (1, 2):
            found = pair_costs(one, other, metric.table.native, threads)
            assert found is not None
            assert found.shape == (len(one), len(other))
            assert found.ravel().tolist() == expected.tolist()


def test_other_metrics_and_other_sides_have_none() -> None:
    texts = TextColumn(["a b", "a"])
    assert pair_costs(texts, texts, as_metric("wer").table.native).tolist() == [[0, 1], [1, 0]]  # type: ignore[union-attr]
    for metric in (as_metric("sclite"), as_metric("grr")):
        assert pair_costs(texts, texts, metric.table.native) is None
    several = [(("a",), ("b", "a"))]
    assert pair_costs(several, texts, fm.WER().table.native) is None
