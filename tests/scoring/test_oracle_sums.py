"""Sums of oracles, taken from a journal or from results, are those of a list of all items."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import fstmetrics as fm
from fstmetrics.engine.oracle_results import OracleResult
from fstmetrics.engine.results import CorpusResult
from fstmetrics.scoring.score import Score
from fstmetrics.scoring.sums import BEST, OracleSums, Sums, sums_of, terms, terms_from_json


def curve_at_once(items: list[OracleResult]) -> list[tuple[int, CorpusResult]]:
    """The slow, obvious way: all lists are there, and each is looked at once a size."""
    lists = [item for item in items if item.after]
    if not lists or any(item.arcs for item in items if not item.after):
        return []
    sizes = sorted({n for item in lists for n, _ in item.after[:-1]} | {max(i.after[-1][0] for i in lists)})

    def among(item: OracleResult, first: int) -> fm.Result:
        fitting = [best for n, best in item.after if n <= first]
        return fitting[-1] if fitting else item

    return [(n, CorpusResult.of(among(item, n) for item in items)) for n in sizes]


@pytest.mark.parametrize("seed", range(40))
def test_sums_of_oracles_are_those_of_a_list(seed: int) -> None:
    random_numbers = random.Random(seed)
    words = ["a", "b", "c"]
    items: list[OracleResult] = []
    for _ in range(random_numbers.randint(1, 8)):
        reference = " ".join(random_numbers.choices(words, k=random_numbers.randint(0, 4)))
        if random_numbers.random() < 0.15:
            hypothesis: Any = "" if seed % 3 else fm.Lattice.from_arcs([(0, 1, "a")], finals=[1])
        else:
            entries = tuple(
                tuple(random_numbers.choices(words, k=random_numbers.randint(0, 4)))
                for _ in range(random_numbers.randint(1, 60))
            )
            hypothesis = fm.NBest("x", entries, tuple(map(" ".join, entries)))
        items.append(fm.oracle(hypothesis, reference))
    sums = Sums()
    for item in items:
        sums.add(terms_from_json(json.loads(json.dumps(terms(item)))))
    corpus = CorpusResult.of(items)
    again = sums.of(BEST).corpus(corpus.metric, conditions=corpus.conditions)
    expected = curve_at_once(items)
    for found in (sums_of(items), sums):
        curve = OracleSums(found, corpus.metric).curve()
        assert [(n, among.totals, among.mean_score) for n, among in curve] == [
            (n, among.totals, among.mean_score) for n, among in expected
        ]
    assert Score(again, sums, {}).summary() == Score(corpus, sums_of(items), {}).summary()
