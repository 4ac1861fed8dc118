"""The chart route: against the referee and the other routes, on forests far too large to write out, and its limits."""

from __future__ import annotations

import math
import random
import time

import brute_force as bf
import pytest
import random_cases as rc
from forests import forest, sentence, some_string
from random_cases import check_path, totals_of
from random_networks import as_network, random_network, strings

import fstmetrics as fm
from fstmetrics.data.cards import Call

CHART = fm.SearchOptions(route="chart")


def networks_case(seed: int) -> rc.Case:
    """A network of up to six cards that share one another, on either side, against all kinds of others."""
    rng = random.Random(seed)
    while True:
        cards = random_network(rng, 40)
        network = rc.Side(strings(cards), as_network(cards), "network", True)
        other = rng.choice(
            (lambda: rc.string_side(rc.random_string(rng, 5)), lambda: rc.machine_side(rng),
             lambda: rc.network_side(rng))
        )()  # fmt: skip
        if len(network.strings) * len(other.strings) > 200:
            continue
        turned = rng.random() < 0.5
        reorders = turned and other.kind == "string" and rng.random() < 0.5
        pair = rng.choice(list(rc.HYTER.values()) if reorders else rc.METRICS)
        return rc.Case(*((other, network) if turned else (network, other)), pair)


@pytest.mark.parametrize("block", range(10))
def test_chart_equals_the_referee(block: int) -> None:
    for seed in range(block, 400, 10):
        case = networks_case(seed)
        result = fm.align(case.hypothesis.value, case.reference.value, case.pair.metric, options=CHART)
        assert result.stats is not None
        assert result.stats.route == "chart"
        assert totals_of(result) == min(case.pairs(), key=lambda totals: bf.rank(totals, case.pair.referee))
        check_path(case, result)


@pytest.mark.parametrize("block", range(10))
def test_k_best_over_a_chart_equals_the_referee(block: int) -> None:
    for seed in range(block, 200, 10):
        case = networks_case(seed + 10_000)
        k = (2, 5, 1000)[seed % 3]
        result = fm.align(
            case.hypothesis.value, case.reference.value, case.pair.metric, nbest=k, options=CHART
        )
        ranks = sorted(bf.rank(totals, case.pair.referee) for totals in case.pairs())
        assert [bf.rank(totals_of(path), case.pair.referee) for path in result.nbest] == ranks[:k]
        for path in result.nbest:
            check_path(case, path)
        reorders = case.pair.metric.window > 1
        assert len({(() if reorders else p.hypothesis, p.closest) for p in result.nbest}) == len(result.nbest)


@pytest.mark.parametrize("metric", ["wer", "wrr", "grr", fm.GRR(3, "-0.9", 1), "sclite"])
@pytest.mark.parametrize("seed", range(4))
def test_chart_equals_expansion_on_a_forest_that_both_can_do(metric: str | fm.Metric, seed: int) -> None:
    network, reference = forest(9, seed), sentence(10, seed)
    for nbest in (1, 6):
        chart = fm.align(network, reference, metric, nbest=nbest, options=CHART)
        other = fm.align(network, reference, metric, nbest=nbest)
        assert other.stats is not None
        assert other.stats.route != "chart"
        assert [path.totals for path in chart.nbest or (chart,)] == [
            p.totals for p in other.nbest or (other,)
        ]


def test_a_forest_of_more_than_10_to_the_30_derivations(remarks: list[str]) -> None:
    network = forest(38)
    derivations = fm.network_info(network).paths
    assert derivations == math.comb(74, 37) // 38 * 2**38 > 10**30
    assert network.rtn.expanded_arcs > 10**15
    rng = random.Random(5)
    hidden = some_string(network, rng)
    reference = [*hidden[:10], "new", *hidden[11:20], *hidden[21:]]
    for metric in ("wer", "wrr", "grr"):
        began = time.process_time()
        result = fm.oracle(network, " ".join(reference), metric)
        remarks.append(
            f"{metric} oracle of {derivations:.0e} derivations: {time.process_time() - began:.2f} s"
        )
        assert result.stats is not None
        assert result.stats.route == "chart"
        assert result.stats.hypothesis_states == sum(card.num_states for card in network.cards.values())
        assert result.stats.expanded < 10**7
        assert fm.align(result.hypothesis, reference, metric).totals == result.totals
        if metric != "grr":
            assert result.edits == 2
    nbest = fm.align(network, " ".join(reference), nbest=4)
    assert nbest.nbest[0].totals == nbest.totals
    assert nbest.nbest[0].edits == 2
    assert len({path.hypothesis for path in nbest.nbest}) == 4
    for path in nbest.nbest:
        assert fm.align(path.hypothesis, reference).totals == path.totals


@pytest.mark.parametrize("metric", [fm.HyTER(), fm.HyTER(window=2), fm.HyTER(window=3, reordering="jumps")])
def test_a_network_of_references_whose_expansion_explodes(metric: fm.Metric) -> None:
    network = forest(14, 1, readings=1)
    assert network.rtn.expanded_arcs > 6_000_000
    hypothesis = some_string(network, random.Random(2))
    hypothesis = [*hypothesis[:4], "new", *hypothesis[4:]]
    chart = fm.align(hypothesis, network, metric, options=fm.SearchOptions(max_expanded_arcs=6_000_000))
    lazily = fm.align(hypothesis, network, metric, options=fm.SearchOptions(route="best-first"))
    assert chart.stats is not None
    assert lazily.stats is not None
    assert (chart.stats.route, lazily.stats.route) == ("chart", "best-first")
    assert chart.totals == lazily.totals
    assert chart.edits == 1


def test_a_lattice_against_a_forest() -> None:
    lattice = fm.Lattice.from_arcs(
        [(i, i + 1, f"w{word}") for i in range(16) for word in (i % 7, (3 * i) % 11)], finals=[16]
    )
    network = forest(16, 3)
    for h, r in ((lattice, network), (network, lattice)):
        for metric in ("wer", fm.GRR(2)):
            chart = fm.align(h, r, metric)
            assert chart.stats is not None
            assert chart.stats.route == "chart"
            one_side = fm.align(h, " ".join(chart.closest), metric).totals
            assert one_side == chart.totals
            best = fm.align(h, r, metric, nbest=3, options=CHART)
            assert best.nbest[0].totals == chart.totals
            assert len({(p.hypothesis, p.closest) for p in best.nbest}) == 3


def test_calls_as_deep_as_a_hundred_thousand() -> None:
    cards = [fm.Card.from_phrases("0", ["a"])]
    cards += [fm.Card.from_phrases(str(i), [f"[{i - 1}]", f"[{i - 1}] b"]) for i in range(1, 50_001)]
    network = fm.Network(cards, "50000")
    options = fm.SearchOptions(route="chart")
    result = fm.align(network, "a b c", options=options)
    assert (result.hypothesis[0], result.edits, result.matches) == ("a", 1, 2)
    assert [path.edits for path in fm.align(network, "a b", nbest=2, options=options).nbest] == [0, 1]


def test_empty_cards_called_without_number() -> None:
    """Sixty levels of two calls each: 2^60 derivations of nothing, none of which is walked through."""
    cards = [fm.Card.from_phrases("0", ["", "a"][:1])]
    cards += [fm.Card.from_phrases(str(i), [f"[{i - 1}] [{i - 1}]"]) for i in range(1, 61)]
    cards.append(fm.Card.from_phrases("S", ["[60] x [60]", "y [60]"]))
    network = fm.Network(cards, "S")
    result = fm.align(network, "x", options=CHART)
    assert (result.hypothesis, result.edits) == (("x",), 0)
    both = fm.align(network, "x", nbest=5, options=CHART)
    assert [path.hypothesis for path in both.nbest] == [("x",), ("y",)]


def test_what_the_route_does_not_take_is_refused() -> None:
    with pytest.raises(fm.SearchError, match="route chart cannot be used: it takes a network"):
        fm.align("a", "a", options=CHART)
    cyclic = fm.Network([fm.Card("S", ((0, 0, "a"),), frozenset({0}))], "S")
    with pytest.raises(fm.SearchError, match="acyclic cards"):
        fm.align("a", cyclic, options=CHART)
    with pytest.raises(fm.SearchError, match="limit of 1000; raise max_cells"):
        fm.align(forest(12), "w1 w2 w3", options=fm.SearchOptions(route="chart", max_cells=1000))
    with pytest.raises(fm.SearchError, match="limit of 20000; raise max_cells"):
        fm.align(
            forest(12), sentence(12, 1), nbest=50, options=fm.SearchOptions(route="chart", max_cells=20_000)
        )
    two = fm.Network([fm.Card.from_phrases("S", ["[X] [X]"]), fm.Card.from_phrases("X", ["a", "b"])], "S")
    with pytest.raises(fm.SearchError, match=r"limit of|raise max_expanded_arcs"):
        fm.align(forest(12), two, options=fm.SearchOptions(route="chart", max_expanded_arcs=3))


def test_references_widened_at_a_cost() -> None:
    """Rewriting puts costs on the reference's arcs; a forest pays them as the topological route does."""
    cards = [
        fm.Card.from_phrases("S", ["they [V] go", "[V] they go"]),
        fm.Card.from_phrases("V", ["don't", "did not"]),
    ]
    network = fm.Network(cards, "S")
    for reference in ("they do not go", "they did not go", "don't they go"):
        found = [
            fm.align(
                network, reference, grammars=["en.contractions@0.5"], options=fm.SearchOptions(route=route)
            )
            for route in ("chart", "topological")
        ]
        assert found[0].totals == found[1].totals
        assert found[0].stats is not None
        assert found[0].stats.route == "chart"


def test_a_batch_of_forests_does_not_depend_on_threads() -> None:
    networks = [forest(14, seed) for seed in range(4)]
    references = [sentence(14, seed) for seed in range(4)]
    found = [
        fm.score(networks, references, "grr", options=fm.SearchOptions(threads=threads)) for threads in (1, 3)
    ]
    assert [item.totals for item in found[0].items] == [item.totals for item in found[1].items]
    assert found[0].items[0].hypothesis == found[1].items[0].hypothesis


def test_long_sums_take_wide_integers() -> None:
    """Costs of many decimals over long strings do not fit 64 bits; the chart then takes twice as many."""
    metric = fm.GRR(4, alpha="0.123456789", beta="0.987654321")
    network, reference = forest(8, 4), " ".join(["w1 w2"] * 40)
    chart = fm.align(network, reference, metric, options=CHART)
    assert (
        chart.totals
        == fm.align(network, reference, metric, options=fm.SearchOptions(route="topological")).totals
    )


def test_words_of_a_card_may_end_where_another_begins() -> None:
    cards = [
        fm.Card("X", ((0, 1, "a"), (1, 2, "b"), (0, 2, "")), frozenset({1, 2})),
        fm.Card("S", ((0, 1, Call("X")), (1, 2, Call("X")), (1, 2, "c")), frozenset({2})),
    ]
    network = fm.Network(cards, "S")
    found = fm.align(network, "a b a", nbest=20, options=CHART).nbest
    assert {path.hypothesis for path in found} == {
        (), ("a",), ("a", "b"), ("a", "a"), ("a", "a", "b"), ("a", "b", "a"), ("a", "b", "a", "b"),
        ("c",), ("a", "c"), ("a", "b", "c"),
    }  # fmt: skip
    assert (found[0].hypothesis, found[0].edits) == (("a", "b", "a"), 0)
