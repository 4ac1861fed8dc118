"""`fm.wer`, `wrr`, `grr` and `hyter` are the scores of `fm.align`, and refused where it is, in the same words."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fstmetrics as fm
from fstmetrics.engine.search import COUNTS_ONLY
from fstmetrics.metrics import Metric
from fstmetrics.metrics.grr import GRR
from fstmetrics.metrics.hyter import HyTER
from fstmetrics.metrics.wer import WER
from fstmetrics.metrics.wrr import WRR
from fstmetrics.support.errors import FstmetricsError, SearchError

WORDS = st.sampled_from("abc")
TEXTS = st.one_of(st.lists(WORDS, max_size=6), st.lists(WORDS, min_size=28, max_size=70)).map(" ".join)


@st.composite
def lattices(draw: st.DrawFn) -> fm.Lattice:
    """Acyclic, with epsilons, and not more final states than states."""
    states = draw(st.integers(1, 6))
    pairs = st.tuples(st.integers(0, states - 1), st.integers(0, states - 1)).filter(lambda p: p[0] < p[1])
    between = st.tuples(pairs, st.one_of(WORDS, st.just("")))
    arcs = draw(st.lists(between, max_size=12)) if states > 1 else []
    spine = [(i, i + 1, draw(WORDS)) for i in range(states - 1)]
    return fm.Lattice.from_arcs(
        [*spine, *((*pair, word) for pair, word in arcs)], start=0, finals=[states - 1]
    )


def networks(texts: st.SearchStrategy[str]) -> st.SearchStrategy[fm.Network]:
    return st.lists(texts, min_size=1, max_size=3).map(
        lambda phrases: fm.Network.from_dict(
            {"format": "fstmetrics-network/1", "root": "S", "cards": {"S": {"phrases": phrases}}}
        )
    )


LIMITS = st.fixed_dictionaries(
    {},
    optional={
        name: st.sampled_from([1, 3, 10, 40, 200, 1000, 10_000]) for name in ("expansion", "cells", "nodes")
    },
)
QUICK: dict[str, tuple[Callable[..., float], Metric]] = {
    "wer": (fm.wer, WER()),
    "wrr": (fm.wrr, WRR()),
    "grr": (fm.grr, GRR()),
    "hyter": (fm.hyter, HyTER()),
    "hyter, window 3": (lambda h, r: fm.hyter(h, r, 3), HyTER(3)),
    "hyter, jumps in a window of 7": (lambda h, r: fm.hyter(h, r, 7, "jumps"), HyTER(7, "jumps")),
}


def scored(hypothesis: Any, reference: Any, metric: Metric, options: fm.SearchOptions) -> float:
    return fm.align(hypothesis, reference, metric, options=options).score


def outcome(number: Callable[..., float], *arguments: object) -> float | str:
    try:
        return number(*arguments)
    except FstmetricsError as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("name", QUICK)
@given(text=TEXTS, graph=st.one_of(lattices(), networks(TEXTS)), limits=LIMITS)
def test_the_quick_number_is_the_score(
    name: str, text: str, graph: fm.Lattice | fm.Network, limits: dict[str, int]
) -> None:
    quick, metric = QUICK[name]
    with fm.limited(**limits):
        for sides in ((text, graph), (graph, text)):
            expected = outcome(scored, *sides, metric, COUNTS_ONLY)
            assert outcome(quick, *sides) == expected
            with_words = outcome(scored, *sides, metric, fm.SearchOptions())
            # What has to be kept for an alignment may exceed a limit that counts do not.
            assert with_words == expected or (limits and isinstance(with_words, str))


LONGER = st.one_of(TEXTS, st.lists(st.sampled_from("abcde"), min_size=60, max_size=200).map(" ".join))


@pytest.mark.parametrize("name", ["wer", "wrr", "grr", "hyter"])
@given(hypothesis=LONGER, reference=LONGER)
def test_of_two_texts_it_is_the_score_by_another_route(name: str, hypothesis: str, reference: str) -> None:
    quick, metric = QUICK[name]
    by_rows = fm.SearchOptions(route="rows", alignment=False)
    assert quick(hypothesis, reference) == scored(hypothesis, reference, metric, by_rows)
    assert quick(hypothesis, reference) == scored(hypothesis, reference, metric, COUNTS_ONLY)


@pytest.mark.parametrize("name", ["wer", "wrr", "grr", "hyter"])
def test_a_limit_holds_for_numbers_too(name: str) -> None:
    quick, metric = QUICK[name]
    text = " ".join(f"w{i}" for i in range(40))
    lattice = fm.Lattice.from_arcs(
        [(i, i + 1, f"w{i + shift}") for i in range(40) for shift in (0, 1)], finals=[40]
    )
    with fm.limited(cells=10, nodes=10):
        with pytest.raises(SearchError) as refused:
            fm.align(lattice, text, metric)
        with pytest.raises(SearchError) as likewise:
            quick(lattice, text)
    assert str(likewise.value) == str(refused.value)
    assert quick(lattice, text) == fm.align(lattice, text, metric).score


@pytest.mark.parametrize("name", QUICK)
def test_zero_lengths_score_as_they_do_in_full(name: str) -> None:
    quick, metric = QUICK[name]
    empty = fm.Network.from_dict(
        {"format": "fstmetrics-network/1", "root": "S", "cards": {"S": {"phrases": [""]}}}
    )
    assert quick("", empty) == (1.0 if metric.recognition else 0.0)
    assert quick("a", empty) == (-math.inf if metric.recognition else math.inf)
