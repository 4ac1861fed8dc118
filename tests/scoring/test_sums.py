"""Sums by series: laws on random terms, and that a journal's terms are the terms."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fstmetrics as fm
from fstmetrics.engine.results import CorpusResult
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.scoring.sums import BEST, Number, Series, Sums, Term, sums_of, terms, terms_from_json
from fstmetrics.support.errors import FstmetricsError

SERIES = [
    Series("best"),
    Series("1-best"),
    Series("beam", 2.0),
    Series("beam", math.inf),
    Series("first", 10),
]
COUNTS = st.integers(0, 3)
TOTALS = st.builds(Totals, *[COUNTS] * len(Totals._fields))
# Floats whose sum in order would depend on the order.
FLOATS = st.sampled_from([0.1, 1e16, -1e16, 1.0, 3.3e-7, -2.5])
NUMBERS = st.fixed_dictionaries(
    {}, optional={"arcs": st.integers(0, 2**70), "cost": FLOATS, "exact": st.booleans()}
)
TERM = st.builds(Term, st.sampled_from(SERIES), st.none() | TOTALS, st.none() | NUMBERS)
ITEMS = st.lists(st.lists(TERM, max_size=4), max_size=8)
Item = list[Term]


def added(items: Iterable[Item]) -> Sums:
    sums = Sums()
    for some in items:
        sums.add(some)
    return sums


@given(ITEMS, st.randoms(use_true_random=False))
def test_sums_do_not_depend_on_the_order_of_items(items: list[Item], order: random.Random) -> None:
    shuffled = order.sample(items, len(items))
    assert added(shuffled) == added(items)


@given(ITEMS, st.integers(0, 8), st.booleans())
def test_sums_of_parts_add_up_to_those_of_the_whole(items: list[Item], cut: int, swapped: bool) -> None:
    parts = [added(items[:cut]), added(items[cut:])]
    whole = Sums()
    for part in reversed(parts) if swapped else parts:
        whole.update(part)
    assert whole == added(items)
    assert len(whole) == len(items)


@given(ITEMS)
def test_a_series_is_the_plain_sum_of_its_terms(items: list[Item]) -> None:
    sums = added(items)
    for series in SERIES:
        found = [term for some in items for term in some if term.series == series]
        expected = [sum(column) for column in zip(*(t.totals for t in found if t.totals), strict=True)]
        assert sums.of(series).sum() == (Totals(*expected) if expected else Totals())
        assert len(sums.of(series)) == len(found)
        for name in ("arcs", "cost", "exact"):
            values = [term.numbers[name] for term in found if term.numbers and name in term.numbers]
            number = sums.of(series).number(name)
            assert number.items == len(values)
            assert number.total == (math.fsum(values) if name == "cost" else sum(values))
            if values:
                assert (number.least, number.most) == (min(values), max(values))


@given(ITEMS)
def test_several_series_together_are_their_sum(items: list[Item]) -> None:
    sums = added(items)
    together = sums.of(*SERIES)
    assert together.tally() == sum((sums.of(series).tally() for series in SERIES), Counter())
    assert len(together) == sum(len(sums.of(series)) for series in SERIES)


@given(ITEMS)
def test_terms_survive_json(items: list[Item]) -> None:
    for some in items:
        again = terms_from_json(json.loads(json.dumps(some)))
        assert again == some
        assert repr(again) == repr(some)  # floats stay floats


def test_asking_for_a_series_that_is_not_there_changes_nothing() -> None:
    sums = added([[Term(BEST, Totals(matches=1))]])
    before = repr(sums.of(BEST))
    absent = sums.of(Series("beam", 1.0))
    assert (len(absent), absent.sum(), absent.number("arcs")) == (0, Totals(), Number())
    assert sums.at("beam") == []
    assert repr(sums.of(BEST)) == before


@pytest.mark.parametrize("metric", ["wer", "wrr", "grr", "hyter"])
def test_a_corpus_of_sums_has_the_numbers_of_the_corpus_of_items(metric: str) -> None:
    texts = ["a b", "", "x", "a b c", "a b"], ["a c", "a", "", "c b a", "a b"]
    corpus = fm.score(*texts, metric)
    assert isinstance(corpus, CorpusResult)
    again = sums_of(corpus).of(BEST).corpus(corpus.metric)
    assert again.as_dict() == corpus.as_dict()
    with pytest.raises(FstmetricsError, match="only the sums"):
        again.item_scores.tolist()
    assert terms(corpus[0]) == [Term(BEST, corpus[0].totals)]


@pytest.mark.parametrize("values", [[0.0], [0.0, -0.0], [1.5, -1.5], [0], []])
def test_a_sum_of_floats_is_a_float_after_json(values: list[float]) -> None:
    number = Number()
    number.add_all(values)
    again = Number.from_json(json.loads(json.dumps(number.as_json())))
    assert (again.total, type(again.total)) == (number.total, type(number.total))
