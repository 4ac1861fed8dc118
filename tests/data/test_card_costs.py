"""Costs on cards: the JSON form, the 1-best of a forest against every derivation, and what would lose them."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from forests import derivations, with_costs
from random_networks import as_network, random_network

import fstmetrics as fm
from fstmetrics.convert.network_files import file_content
from fstmetrics.data.cards import Call
from fstmetrics.networks.validation import network_faults


@pytest.mark.parametrize("seed", range(150))
def test_best_path_is_the_least_of_all_derivations(seed: int) -> None:
    rng = random.Random(seed)
    network = with_costs(rng, as_network(random_network(rng, 40)))
    scales = fm.Scales(rng.choice((1.0, 0.5)), rng.choice((1.0, 0.0)), rng.choice((0.0, 0.25)))
    everything = list(derivations(network, scales, network.root))
    best = network.best_path(scales)
    assert best.cost == min(cost for cost, *_ in everything)
    assert (best.cost, best.words, best.arcs) in everything


@pytest.mark.parametrize("seed", range(50))
def test_json_keeps_costs_by_either_way_of_reading(seed: int) -> None:
    rng = random.Random(seed)
    network = with_costs(rng, as_network(random_network(rng, 40), id="n"))
    text = network.to_json()
    fast, slow = fm.Network.from_json(text), fm.Network.from_dict(json.loads(text))
    assert not network_faults(json.loads(text))
    assert fast == slow == network
    assert fast.has_costs == slow.has_costs == any(card.has_costs for card in network.cards.values())
    assert "_json" in fast.__dict__, "the native reader gave up"
    assert fast.best_path() == slow.best_path() == network.best_path()
    assert fast.to_json() == text


def test_without_costs_files_look_as_before() -> None:
    card = fm.Card("S", ((0, 1, "a"), (1, 2, "b")), frozenset({1, 2}))
    assert fm.Network([card], "S").to_dict()["cards"] == {
        "S": {"start": 0, "arcs": [[0, 1, "a"], [1, 2, "b"]], "final": [1, 2]}
    }
    costly = replace(card, costs=((0.0, 0.0), (1.0, 2.0)), final_costs=((0.5, 0.0), (0.0, 0.0)))
    network = fm.Network([costly], "S")
    assert network.to_dict()["cards"] == {
        "S": {"start": 0, "arcs": [[0, 1, "a"], [1, 2, "b", [1.0, 2.0]]], "final": [[1, [0.5, 0.0]], 2]}
    }
    assert network.without_costs() == fm.Network([card], "S")


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ({"arcs": [[0, 1, "a", 1.0]], "final": [1]}, "arc 0 must be"),
        ({"arcs": [[0, 1, "a", [1.0]]], "final": [1]}, "arc 0 must be"),
        ({"arcs": [[0, 1, "a", [True, 0]]], "final": [1]}, "arc 0 must be"),
        ({"arcs": [[0, 1, "a", [10**400, 0]]], "final": [1]}, "arc 0 must be"),
        ({"arcs": [[0, 1, "a"]], "final": [[1, 2.0]]}, "a list of states, or of"),
        ({"arcs": [[0, 1, "a"]], "final": [[1, [0, 1]], [1, [0, 2]]]}, "state 1 has two different costs"),
        ({"arcs": [[0, 1, "a"]], "final": [1, [1, [0, 2]]]}, "state 1 has two different costs"),
    ],
)
def test_bad_costs_are_named(card: dict[str, object], message: str) -> None:
    data = {"format": "fstmetrics-network/1", "root": "S", "cards": {"S": card}}
    with pytest.raises(fm.FstmetricsError, match=message):
        fm.Network.from_json(json.dumps(data))
    assert any(message in str(fault) for fault in network_faults(data))


def test_infinite_costs_are_no_json() -> None:
    card = {"arcs": [[0, 1, "a", [1e999, 0]]], "final": [1]}
    data = {"format": "fstmetrics-network/1", "root": "S", "cards": {"S": card}}
    with pytest.raises(fm.FstmetricsError, match="Infinity is not a JSON number"):
        fm.Network.from_json(json.dumps(data))
    assert "arc 0 must be" in str(network_faults(data)[0])


def test_a_card_counts_its_costs() -> None:
    with pytest.raises(fm.FstmetricsError, match="1 costs for 2 arcs"):
        fm.Card("S", ((0, 1, "a"), (0, 1, "b")), frozenset({1}), costs=((0.0, 1.0),))
    with pytest.raises(fm.FstmetricsError, match="not a finite number"):
        fm.Card("S", ((0, 1, "a"),), frozenset({1}), final_costs=((0.0, float("nan")),))


def test_what_cannot_be_written_out_or_has_cycles_is_refused() -> None:
    doubling = [fm.Card("0", ((0, 1, "a"),), frozenset({1}))]
    doubling += [
        fm.Card(str(i), ((0, 1, Call(str(i - 1))), (1, 2, Call(str(i - 1)))), frozenset({2}))
        for i in range(1, 70)
    ]
    with pytest.raises(fm.FstmetricsError, match="more than 10000000 arcs"):
        fm.Network(doubling, "69").best_path()
    cycle = fm.Card("S", ((0, 0, "a"),), frozenset({0}), costs=((1.0, 0.0),))
    with pytest.raises(fm.FstmetricsError, match="cycle"):
        fm.Network([cycle], "S").best_path()


def test_deep_calls_do_not_recurse() -> None:
    cards = [fm.Card("0", ((0, 1, "a"),), frozenset({1}), costs=((0.5, 0.0),))]
    cards += [
        fm.Card(str(i), ((0, 1, Call(str(i - 1))),), frozenset({1}), costs=((1.0, 0.0),))
        for i in range(1, 100_001)
    ]
    best = fm.Network(cards, "100000").best_path()
    assert (best.words, best.cost, len(best.arcs)) == (("a",), 100_000.5, 100_001)


def forest() -> fm.Network:
    cards = [
        fm.Card("S", ((0, 1, "the"), (1, 2, Call("X"))), frozenset({2})),
        fm.Card("X", ((0, 1, "cat"), (0, 1, "hat")), frozenset({1}), costs=((2.0, 0.0), (0.5, 0.0))),
    ]
    return fm.Network(cards, "S", id="f")


def test_the_oracle_has_the_1_best_beside_it() -> None:
    result = fm.oracle(forest(), "the cat")
    assert result.hypothesis == ("the", "cat")
    assert result.one_best is not None
    assert result.one_best.hypothesis == ("the", "hat")
    assert fm.oracle(forest(), "the cat", scales=fm.Scales(lm=-1.0)).one_best.edits == 0  # type: ignore[union-attr]
    assert fm.oracle(forest().without_costs(), "the cat").one_best is None


def test_what_would_lose_costs_says_so() -> None:
    from fstmetrics.networks import normal_form, spu, union

    for lose in (
        lambda: union(forest(), forest()),
        lambda: spu(forest()),
        lambda: normal_form(forest()),
        lambda: file_content(forest(), "cards"),
    ):
        with pytest.raises(fm.FstmetricsError, match=r"network f: its cards carry costs.*without_costs"):
            lose()


def test_costs_of_best_derivations_are_not_rounded() -> None:
    cards = [
        fm.Card("S", ((0, 1, Call("X")), (1, 2, Call("X"))), frozenset({2}), costs=((0.1, 0.0), (4.11, 0.0))),
        fm.Card("X", ((0, 1, "a"), (0, 1, "b")), frozenset({1}), costs=((0.0, 0.0), (0.3, 0.0))),
    ]
    network = fm.Network(cards, "S")
    assert [path.cost for path in network.best_paths(9)] == pytest.approx([4.21, 4.51, 4.51, 4.81], rel=1e-15)
    assert [path.cost for path in network.best_paths(1)] == [network.best_path().cost]
