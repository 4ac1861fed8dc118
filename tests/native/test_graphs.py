"""The graphs route on sides with more states than a vector has lanes, against the topological route; its limits."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

import fstmetrics as fm

WORDS = ("a", "b", "c", "d", "e", "f")


def random_lattice(rng: random.Random, states: int, span: int, epsilon: float) -> fm.Lattice:
    """A chain of states with arcs across up to `span` of them, so that many states do not lead to one another."""
    arcs = [(s, min(s + rng.randint(1, span), states - 1), _word(rng, epsilon)) for s in range(states - 1)]
    arcs += [(max(0, s - rng.randint(1, span)), s, _word(rng, epsilon)) for s in range(1, states)]
    return fm.Lattice.from_arcs(arcs, finals=[states - 1, *rng.sample(range(states), 2)])


def _word(rng: random.Random, epsilon: float) -> str:
    return "" if rng.random() < epsilon else rng.choice(WORDS)


def random_network(rng: random.Random, cards: int) -> fm.Network:
    """Cards in a row, some of which call another one."""
    made = [fm.Card.from_phrases("X", ["a b", "c", "d e f", ""])]
    for i in range(cards):
        phrases = {" ".join(_phrase(rng)) for _ in range(5)}
        made.append(fm.Card.from_phrases(f"C{i}", sorted(phrases)))
    return fm.Network([*made, fm.Card.from_phrases("S", [" ".join(f"[C{i}]" for i in range(cards))])], "S")


def _phrase(rng: random.Random) -> list[str]:
    return [rng.choice((*WORDS, "[X]")) for _ in range(rng.randint(1, 4))]


METRICS: dict[str, fm.Metric] = {
    "wer": fm.WER(),
    "wrr": fm.WRR(),
    "1-grr": fm.GRR(1, -0.9, 1),
    "sclite": fm.Sclite(),
    # Beyond bytes: dear operations, and a substitution cheaper than a deletion.
    "dear": fm.EditMetric(match=1, substitution=20, insertion=13, deletion=7),
    "deletions dear": fm.EditMetric(match=0, substitution=1, insertion=1, deletion=3),
    "pairs alike": fm.EditMetric(match=1, substitution=1, insertion=2, deletion=1),
}


def routes_agree(hypothesis: object, reference: object, metric: fm.Metric) -> None:
    """Totals on both routes, and the path written out adds up to them."""
    both = {
        route: fm.align(hypothesis, reference, metric, options=fm.SearchOptions(route=route))  # type: ignore[arg-type]
        for route in ("graphs", "topological")
    }
    assert both["graphs"].totals == both["topological"].totals
    result = both["graphs"]
    assert route_of(result) == "graphs"
    ops = "".join(pair.op for pair in result.alignment)
    counts = [ops.count(op) for op in "=SID"]
    t = result.totals
    assert counts == [t.matches, t.substitutions, t.insertions, t.deletions]
    assert all((pair.op == "=") == (pair.hypothesis == pair.reference) for pair in result.alignment)
    for side, words in ((hypothesis, result.hypothesis), (reference, result.closest)):
        assert fm.align(words, side).edits == 0  # type: ignore[arg-type]


def route_of(result: fm.Result) -> str:
    assert result.stats is not None
    return result.stats.route


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
@pytest.mark.parametrize("seed", range(8))
def test_graphs_equals_topological(metric: fm.Metric, seed: int) -> None:
    rng = random.Random(seed)
    # Either side is the one with more states that do not lead to one another, hence either goes into the lanes.
    sides = [
        random_lattice(rng, rng.randint(20, 150), rng.choice((2, 6, 60)), rng.choice((0, 0.2))),
        random_lattice(rng, rng.randint(20, 150), rng.choice((2, 6, 60)), rng.choice((0, 0.2))),
        random_network(rng, rng.randint(2, 8)),
    ]
    rng.shuffle(sides)
    routes_agree(sides[0], sides[1], metric)
    routes_agree(sides[2], sides[0], metric)


def sausage(rng: random.Random, words: int) -> fm.Lattice:
    """Two words to choose from at every place."""
    arcs = [(i, i + 1, word) for i in range(words) for word in rng.sample(WORDS, 2)]
    return fm.Lattice.from_arcs(arcs, finals=[words])


@pytest.mark.parametrize("words", [239, 240, 500])
def test_costs_at_and_beyond_a_byte(words: int) -> None:
    """Nothing in common: every word is an edit. From 240 edits on a cell takes two bytes."""
    other = fm.Lattice.from_arcs([(i, i + 1, w) for i in range(words) for w in ("x", "y")], finals=[words])
    rng = random.Random(words)
    result = fm.align(sausage(rng, words), other, options=fm.SearchOptions(route="graphs"))
    assert (result.edits, result.substitutions) == (words, words)
    near = fm.align(sausage(rng, words), sausage(rng, words), options=fm.SearchOptions(route="graphs"))
    assert (
        near.totals
        == fm.align(near.hypothesis, near.closest, options=fm.SearchOptions(route="topological")).totals
    )


def test_threads_share_what_is_kept_with_the_sides() -> None:
    rng = random.Random(3)
    network = random_network(rng, 6)
    lattices = [random_lattice(rng, 60, 5, 0.1) for _ in range(30)]
    options = [fm.SearchOptions(threads=threads) for threads in (4, 1)]
    results = [fm.score(lattices, [network] * 30, options=o) for o in options]
    assert results[0] == results[1]
    assert {route_of(item) for item in results[0].items} == {"graphs"}


def test_graphs_says_what_it_takes() -> None:
    rng = random.Random(1)
    lattice = sausage(rng, 3)
    cyclic = fm.Lattice.from_arcs([(0, 1, "a"), (1, 0, "b")], finals=[1])
    mismatch = fm.EditMetric(match=2)
    by_word = fm.EditMetric(cost=lambda op, h, r: float(op != "match"))
    tries: Sequence[tuple[object, object, str | fm.Metric, int]] = [
        (lattice, cyclic, "wer", 1),
        ("a b", lattice, fm.HyTER(2), 1),
        (lattice, lattice, "grr", 1),
        (lattice, lattice, mismatch, 1),
        (lattice, lattice, by_word, 1),
        (lattice, lattice, "wer", 2),
        (sausage(rng, 5000), sausage(rng, 5000), "wrr", 1),
    ]
    for hypothesis, reference, metric, nbest in tries:
        with pytest.raises(fm.SearchError, match="route graphs cannot be used"):
            fm.align(hypothesis, reference, metric, nbest=nbest, options=fm.SearchOptions(route="graphs"))  # type: ignore[arg-type]
    for limits in (fm.SearchOptions(route="graphs", max_cells=1),
                   fm.SearchOptions(route="graphs", max_expanded_arcs=10)):  # fmt: skip
        with pytest.raises(fm.SearchError, match="max_"):
            fm.align(random_network(rng, 4), random_network(rng, 4), options=limits)


def test_graphs_is_chosen() -> None:
    """The rule of docs/routes.md."""
    rng = random.Random(2)
    lattice, network = sausage(rng, 4), random_network(rng, 3)
    for metric in ("wer", "wrr", "sclite", "hyter"):
        assert route_of(fm.align(lattice, network, metric)) == "graphs"
        assert route_of(fm.align(network, network, metric)) == "graphs"
    assert (
        route_of(fm.align(fm.Alternatives(["a b", "b c"]), fm.Alternatives(["a", "c"]))) == "topological"
    )  # so few pairs
    assert route_of(fm.align(lattice, network, "grr")) == "topological"
    assert route_of(fm.align(lattice, network, nbest=2)) == "topological"
    # 325,000 x 325,000 arcs are more than 100 thousand million pairs: best-first, unless costs are negative.
    small = fm.SearchOptions(max_nodes=1000)
    with pytest.raises(fm.SearchError, match="max_nodes"):
        fm.align(meshed(570, "h"), meshed(570, "r"), options=small)
    assert (
        route_of(fm.align(parallel(330_000, "h"), parallel(330_000, "r"), "wrr", options=small)) == "graphs"
    )


def parallel(arcs: int, word: str) -> fm.Lattice:
    """Two states and many arcs between them."""
    return fm.Lattice.from_arrays(np.zeros(arcs, int), np.ones(arcs, int), [word] * arcs, finals=[1])


def meshed(width: int, word: str) -> fm.Lattice:
    """Two layers of states, each state of the first leading to each of the second."""
    first, second = np.arange(1, width + 1), np.arange(width + 1, 2 * width + 1)
    sources = np.concatenate([np.zeros(width, dtype=int), np.repeat(first, width)])
    destinations = np.concatenate([first, np.tile(second, width)])
    return fm.Lattice.from_arrays(sources, destinations, [word] * len(sources), finals=second.tolist())
