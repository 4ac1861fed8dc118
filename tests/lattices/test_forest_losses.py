"""Hope, fear, posteriors and minimum risk over forests with costs: against every derivation, and against the forest
written out."""

from __future__ import annotations

import math
import random
import time
from collections import defaultdict
from fractions import Fraction

import pytest
from forests import derivations, forest, sentence, with_costs
from places import HGDECODE, RANDOM_CASES, needs_data
from random_cases import METRICS, Side, machine_side, random_string, string_side
from random_networks import as_network, random_network, strings_of
from weighted_lattices import WEIGHTS, metric_cost
from weighted_lattices import costly as costly_lattice

import fstmetrics as fm
from fstmetrics.data.cards import Call
from fstmetrics.data.lattice import Scales
from fstmetrics.lattices.hope_and_fear import Weighing
from fstmetrics.networks.automata import spelled_out
from fstmetrics.support.limits import limited

CASES = max(20, RANDOM_CASES // 25)
Best = dict[tuple[str, ...], Fraction]


def costly(rng: random.Random, most: int = 40) -> tuple[fm.Network, Best]:
    """A small network whose cards carry costs, and the least cost of each of its strings, by enumeration."""
    network = with_costs(rng, as_network(random_network(rng, most)))
    best: Best = {}
    for cost, words, _ in derivations(network, fm.Scales(), network.root):
        best[words] = min(Fraction(cost), best.get(words, Fraction(cost)))
    return network, best


def random_references(rng: random.Random) -> Side:
    """One string, or a lattice."""
    return string_side(random_string(rng, 4)) if rng.random() < 0.5 else machine_side(rng)


@pytest.mark.parametrize("first", range(4))
def test_hope_is_the_least_over_all_derivations(first: int) -> None:
    negative = several = 0
    for seed in range(first, CASES, 4):
        rng = random.Random(seed)
        (network, best), pair, weight = costly(rng), rng.choice(METRICS), rng.choice(WEIGHTS)
        side = random_references(rng)
        if len(best) * len(side.strings) > 300:
            continue
        negative += pair.negative
        values = {
            (words, reference): weight * cost + metric_cost(words, frozenset({reference}), pair)
            for words, cost in best.items()
            for reference in side.strings
        }
        (hope,) = Weighing(pair.metric, float(weight)).hope(network, side.value)
        assert hope.combined == pytest.approx(float(min(values.values())), abs=1e-9), seed
        found = Weighing(pair.metric, float(weight), nbest=4).hope(network, side.value)
        several += len(found) > 2
        pairs = [(w.result.hypothesis, w.result.closest) for w in found]
        assert len(set(pairs)) == len(found) == min(4, len(values))
        expected = [float(value) for value in sorted(values.values())[:4]]
        assert [w.combined for w in found] == pytest.approx(expected, abs=1e-9), seed
        for weighed, key in zip((hope, *found), [(), *pairs], strict=True):
            words = weighed.result.hypothesis
            assert weighed.model_cost == float(best[words])
            if key:
                assert weighed.combined == pytest.approx(float(values[key]), abs=1e-9)
    assert negative
    assert several


def test_of_equally_good_hopes_the_tie_rules_choose_as_over_the_forest_written_out() -> None:
    for seed in range(5 * 10**6, 5 * 10**6 + CASES // 2):
        rng = random.Random(seed)
        (network, _), pair, weight = costly(rng), rng.choice(METRICS), rng.choice((0.0, 0.5))
        reference = " ".join(random_string(rng, 4))
        weighing = Weighing(pair.metric, weight)
        lattice = spelled_out(network, 10**6)
        (over_cards,), (over_arcs,) = (weighing.hope(each, reference) for each in (network, lattice))
        assert over_cards.result.totals == over_arcs.result.totals, seed
        assert over_cards.combined == over_arcs.combined


@pytest.mark.parametrize("metric", ["wer", "grr"])
def test_hope_over_a_forest_equals_hope_over_its_arcs(metric: str) -> None:
    for seed in range(3):
        rng = random.Random(seed)
        network = with_costs(rng, forest(7, seed))
        lattice, reference = spelled_out(network, 10**7), sentence(8, seed)
        for weight in (0.05, 0.7):
            weighing = Weighing(fm.metrics.as_metric(metric), weight, nbest=3)
            over_cards, over_arcs = (weighing.hope(each, reference) for each in (network, lattice))
            assert [w.combined for w in over_cards] == [w.combined for w in over_arcs]
            assert [w.result.totals for w in over_cards] == [w.result.totals for w in over_arcs]


def test_scales_and_word_penalties_weigh_the_costs_of_cards() -> None:
    for seed in range(40):
        rng = random.Random(seed)
        network, _ = costly(rng)
        scales = Scales(0.5, 3, 0.25)
        best = network.best_path(scales)
        (hope,) = Weighing(fm.WER(), 1000, scales).hope(network, "a b")
        assert hope.model_cost == best.cost
        assert network.best_paths(1, scales)[0].cost == best.cost


def test_words_are_normalised_and_keep_their_costs() -> None:
    cards = [
        fm.Card("S", ((0, 1, ""), (1, 2, Call("X")), (2, 3, "uh")), frozenset({3}),
                costs=((0.25, 0), (1, 0), (0.5, 0)), final_costs=((4.0, 0.0),)),
        fm.Card("X", ((0, 1, "The"), (0, 1, "A-B"), (0, 1, "so,")), frozenset({1}), costs=((2, 0), (3, 0), (8, 0))),
    ]  # fmt: skip
    network = fm.Network(cards, "S")
    assert network.best_paths(5) == [
        (("The", "uh"), 7.75), (("A-B", "uh"), 8.75), (("so,", "uh"), 13.75),
    ]  # fmt: skip
    # A penalty counts words as they were before they were normalised, and no sentence markers.
    assert network.best_paths(1, Scales(1, 1, 0.125))[0].cost == 8.0
    marked = fm.Network(
        [fm.Card("S", ((0, 1, "<s>"), (1, 2, "a")), frozenset({2}), costs=((1, 0), (2, 0)))], "S"
    )
    assert marked.best_paths(2, Scales(1, 1, 0.5)) == [(("a",), 3.5)]
    changes = fm.Normalisation(lowercase=True, ignore=frozenset({"uh"}), tokenize="13a")
    weighing = Weighing(fm.WER(), 0.001, Scales(1, 1, 0.125), normalisation=changes)
    (hope,) = weighing.hope(network, "so ,")
    assert (hope.result.hypothesis, hope.model_cost) == (("so", ","), 14.0)
    (characters,) = Weighing(fm.WER(), 0.001, normalisation=fm.Normalisation(unit="char")).hope(
        network, "The uh"
    )
    assert (characters.result.hypothesis, characters.model_cost) == (tuple("The uh"), 7.75)


def test_empty_cards_with_costs_are_not_walked_through() -> None:
    """Forty levels of two calls each, all of them empty and none of them free."""
    cards = [fm.Card("0", ((0, 1, ""),), frozenset({1}), costs=((2.0**-20, 0.0),))]
    cards += [
        fm.Card(str(i), ((0, 1, Call(str(i - 1))), (1, 2, Call(str(i - 1)))), frozenset({2}))
        for i in range(1, 21)
    ]
    cards.append(fm.Card("S", ((0, 1, Call("20")), (1, 2, "x"), (1, 2, "y")), frozenset({2})))
    network = fm.Network(cards, "S")
    (hope,) = Weighing(fm.WER(), 1.0).hope(network, "x")
    assert (hope.result.hypothesis, hope.model_cost, hope.combined) == (("x",), 1.0, 1.0)
    assert [best.cost for best in network.best_paths(3)] == [1.0, 1.0]


def test_references_rewritten_at_a_cost() -> None:
    cards = [
        fm.Card("S", ((0, 1, Call("V")), (1, 2, "go")), frozenset({2})),
        fm.Card("V", ((0, 1, "don't"), (0, 2, "did"), (2, 1, "not")), frozenset({1}),
                costs=((2, 0), (0.5, 0), (0.25, 0))),
    ]  # fmt: skip
    network, grammars = fm.Network(cards, "S"), ("en.contractions@0.5",)
    for weight in (0.125, 1.0):
        weighing = Weighing(fm.WER(), weight, grammars=grammars)
        for each in (network, spelled_out(network, 100)):
            (hope,), (fear,) = weighing.hope(each, "do not go"), weighing.fear(each, "do not go")
            said = {True: ("don't go", 2.0, 0.5), False: ("did not go", 0.75, 1.0)}
            good = min(said.values(), key=lambda item: weight * item[1] + item[2])
            bad = min(said.values(), key=lambda item: weight * item[1] - item[2])
            assert (" ".join(hope.result.hypothesis), hope.model_cost, hope.result.cost) == good
            assert (" ".join(fear.result.hypothesis), fear.model_cost, fear.result.cost) == bad
    with pytest.raises(fm.FstmetricsError, match="k best hopes"):
        Weighing(fm.WER(), 1.0, nbest=2, grammars=grammars).hope(network, "do not go")


def test_limits_cycles_and_windows_are_refused() -> None:
    network = with_costs(random.Random(1), forest(8))
    with pytest.raises(fm.SearchError, match="max_nodes"):
        Weighing(fm.WER(), 0.01, options=fm.SearchOptions(max_nodes=50)).fear(network, sentence(8, 1))
    with pytest.raises(fm.SearchError, match="max_cells"):
        Weighing(fm.WER(), 0.01, options=fm.SearchOptions(max_cells=50)).hope(network, sentence(8, 1))
    by_characters = fm.Normalisation(unit="char")
    with limited(expansion=1000), pytest.raises(fm.InputError, match="--max expansion=N"):
        Weighing(fm.WER(), 1.0, normalisation=by_characters).fear(network, sentence(8, 1))
    cycle = fm.Network(
        [fm.Card("S", ((0, 0, "a"), (0, 1, "b")), frozenset({1}), costs=((1, 0), (1, 0)))], "S"
    )
    for use in (cycle.best_paths, fm.mbr):
        with pytest.raises(fm.FstmetricsError, match="card 0 has a cycle"):
            use(cycle if use is fm.mbr else 1)  # type: ignore[operator]
    dear = fm.Network([fm.Card("S", ((0, 1, "b"),), frozenset({1}), costs=((1e300, 0),))], "S")
    with pytest.raises(fm.FstmetricsError, match="too large"):
        Weighing(fm.WER(), 1.0).hope(dear, "a")
    with pytest.raises(fm.FstmetricsError, match="not finite"):
        Weighing(fm.WER(), 1.0, Scales(1e300, 1, 0)).hope(dear, "a")
    loop = fm.Lattice.from_arcs([(0, 0, "a"), (0, 1, "b")], finals=[1])
    for find in (Weighing(fm.WER(), 1.0).hope, Weighing(fm.WER(), 1.0).fear):
        with pytest.raises(fm.SearchError, match=r"without cycles|acyclic"):
            find(network, loop)


@pytest.mark.parametrize("seed", range(40))
def test_posteriors_are_shares_of_all_derivations(seed: int) -> None:
    rng = random.Random(seed)
    network, _ = costly(rng)
    metric, scale = rng.choice((fm.WER(), fm.GRR(2))), rng.choice((0.25, 1.0))
    masses: dict[tuple[str, ...], float] = defaultdict(float)
    for cost, words, _ in derivations(network, fm.Scales(), network.root):
        masses[words] += math.exp(-scale * cost)
    total = sum(masses.values())
    evidence = [best.words for best in network.best_paths(3)]
    found = fm.mbr(network, metric, scale=scale, evidence=3, nbest=99)
    assert not found.exact
    assert (found.evidence, found.candidates) == (len(evidence), len(masses))
    kept = sum(masses[words] for words in evidence)
    assert found.mass == pytest.approx(kept / total)
    for each in found.best:
        assert each.posterior == pytest.approx(masses[each.words] / total)
        loss = sum(masses[words] / kept * fm.align(each.words, words, metric).cost for words in evidence)
        assert each.expected_loss == pytest.approx(loss)
    assert found.one_best.words == evidence[0]


@pytest.mark.parametrize("seed", range(40))
def test_the_k_best_strings_are_the_cheapest(seed: int) -> None:
    network, best = costly(random.Random(seed + 100), 60)
    found = network.best_paths(7)
    assert [each.cost for each in found] == [float(cost) for cost in sorted(best.values())[:7]]
    assert all(best[each.words] == each.cost for each in found)
    assert len({each.words for each in found}) == len(found)


@pytest.mark.parametrize("first", range(4))
def test_fear_is_what_enumeration_finds(first: int) -> None:
    negative = several = 0
    for seed in range(7 * 10**6 + first, 7 * 10**6 + CASES, 4):
        rng = random.Random(seed)
        (network, best), pair, weight = costly(rng), rng.choice(METRICS), rng.choice(WEIGHTS)
        side = random_references(rng)
        if len(best) * len(side.strings) > 300:
            continue
        negative += pair.negative
        values = {
            words: weight * cost - metric_cost(words, side.strings, pair) for words, cost in best.items()
        }
        (fear,) = Weighing(pair.metric, float(weight)).fear(network, side.value)
        assert fear.result.stats is not None
        found = Weighing(pair.metric, float(weight), nbest=3).fear(network, side.value)
        several += len(found) > 1
        expected = [float(value) for value in sorted(values.values())[:3]]
        assert fear.combined == pytest.approx(expected[0], abs=1e-9), seed
        assert [w.combined for w in found] == pytest.approx(expected, abs=1e-9), seed
        for weighed in (fear, *found):
            words = weighed.result.hypothesis
            assert weighed.model_cost == float(best[words])
            assert weighed.combined == pytest.approx(float(values[words]), abs=1e-9)
    assert negative
    assert several


@pytest.mark.parametrize("metric", ["wer", "wrr", "grr"])
def test_fear_over_a_forest_equals_fear_over_its_arcs(metric: str) -> None:
    for seed in range(4):
        rng = random.Random(seed)
        network = with_costs(rng, forest(6, seed))
        lattice, reference = spelled_out(network, 10**7), sentence(8, seed)
        for weight in (0.0, 0.05, 0.7):
            weighing = Weighing(fm.metrics.as_metric(metric), weight)
            (over_cards,), (over_arcs,) = (weighing.fear(each, reference) for each in (network, lattice))
            assert over_cards.combined == over_arcs.combined
            assert over_cards.result.totals == over_arcs.result.totals


def test_the_k_best_hopes_of_a_lattice_against_references_that_are_not_written_out() -> None:
    several = 0
    for seed in range(30):
        rng = random.Random(seed)
        case, network = costly_lattice(rng), forest(4, seed, vocabulary=3)
        best = case.best_by_words()
        if len(best) > 8:
            continue
        references = strings_of(network)
        values = {
            (words, reference): cost / 4 + fm.align(words, reference).edits
            for words, cost in best.items()
            for reference in references
        }
        options = fm.SearchOptions(max_expanded_arcs=60)
        found = Weighing(fm.WER(), 0.25, nbest=4, options=options).hope(case.lattice, network)
        assert network.rtn.expanded_arcs > 60
        several += len(best) > 1
        assert [w.combined for w in found] == pytest.approx(
            [float(value) for value in sorted(values.values())[:4]], abs=1e-9
        )
        for w in found:
            assert w.combined == pytest.approx(float(values[w.result.hypothesis, w.result.closest]), abs=1e-9)
    assert several


@needs_data
def test_a_real_search_graph_of_moses(remarks: list[str]) -> None:
    """211,319,874 derivations, none of them written out; what is known of them all holds for the hundred best."""
    network = fm.Network.read(HGDECODE / "hg.gz", weights=HGDECODE / "dense.weights")
    reference = "the EU concerns , but also the focus of national affairs since September on the centre ."
    best = network.best_paths(100)
    assert best[0].cost == pytest.approx(network.best_path().cost, abs=1e-5)
    for metric, weight in ((fm.WER(), 0.1), (fm.WER(), 10.0), (fm.GRR(), 0.5)):
        began = time.process_time()
        found = fm.oracle(network, reference, metric, model_weight=weight)
        remarks.append(
            f"{metric.name}, W = {weight:g}: {time.process_time() - began:.2f} s for oracle, hope and fear"
        )
        (hope,), (fear,) = found.hope, found.fear
        for weighed, sign in ((hope, 1), (fear, -1)):
            words = weighed.result.hypothesis
            assert weighed.combined == pytest.approx(
                weight * weighed.model_cost + sign * weighed.result.cost, abs=1e-4
            )
            assert fm.align(words, reference, metric).totals == weighed.result.totals
            for path in (*best, network.best_path()):
                cost = fm.align(path.words, reference, metric).cost
                assert weighed.combined <= weight * path.cost + sign * cost + 1e-4
        assert hope.result.cost >= found.cost
    chosen = fm.mbr(network, "wer", scale=0.5)
    assert chosen.one_best.words == best[0].words
    assert chosen.best[0].expected_loss <= chosen.one_best.expected_loss
    assert 0 < chosen.one_best.posterior < chosen.mass < 1


def test_hope_over_more_than_10_to_the_30_derivations() -> None:
    rng = random.Random(7)
    network = with_costs(rng, forest(38))
    assert fm.network_info(network).paths > 10**30
    reference = sentence(38, 1)
    best = network.best_path()
    for metric in ("wer", "wrr"):
        (hope,) = Weighing(fm.metrics.as_metric(metric), 0.125).hope(network, reference)
        result = fm.align(hope.result.hypothesis, reference, metric)
        assert result.totals == hope.result.totals
        assert hope.combined == hope.model_cost / 8 + result.cost
        assert hope.combined < best.cost / 8 + fm.align(best.words, reference, metric).cost
    found = network.best_paths(5)
    assert found[0].cost == best.cost
    assert len({path.words for path in found}) == 5


def test_fear_over_a_hundred_million_derivations() -> None:
    """Against a sample of derivations, and against what the model likes best."""
    rng = random.Random(8)
    network = with_costs(rng, forest(12))
    reference = sentence(12, 2)
    for metric in ("wer", "grr"):
        (fear,) = Weighing(fm.metrics.as_metric(metric), 1.0).fear(network, reference)
        assert fear.combined == fear.model_cost - fear.result.cost
        assert fm.align(fear.result.hypothesis, reference, metric).totals == fear.result.totals
        for path in network.best_paths(200):
            assert fear.combined <= path.cost - fm.align(path.words, reference, metric).cost
