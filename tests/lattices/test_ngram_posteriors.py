"""Posteriors of n-grams against all paths of small lattices and all derivations of small forests, and linear BLEU
against all pairs of them."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict

import pytest
from forests import derivations, forest, with_costs
from places import HGDECODE, needs_data
from random_networks import as_network, random_network
from weighted_lattices import costly

import fstmetrics as fm
from fstmetrics.lattices.linear_bleu import LinearBLEU
from fstmetrics.lattices.ngram_posteriors import NgramPosteriors, ngram_posteriors
from fstmetrics.networks.automata import linear_lattice, spelled_out
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.limits import limited

Words = tuple[str, ...]


def belief_of(paths: list[tuple[Words, float]], scale: float) -> dict[Words, float]:
    """The probability of each word sequence."""
    masses: dict[Words, float] = defaultdict(float)
    for words, cost in paths:
        masses[words] += math.exp(-scale * cost)
    total = math.fsum(masses.values())
    return {words: mass / total for words, mass in masses.items()}


def counted(belief: dict[Words, float], order: int) -> tuple[dict[Words, float], dict[Words, float]]:
    """Expected counts and posteriors, path by path."""
    expected: dict[Words, float] = defaultdict(float)
    present: dict[Words, float] = defaultdict(float)
    for words, probability in belief.items():
        ngrams = Counter(words[i : i + n] for n in range(1, order + 1) for i in range(len(words) - n + 1))
        for ngram, count in ngrams.items():
            expected[ngram] += count * probability
            present[ngram] += probability
    return expected, present


def check(found: NgramPosteriors, belief: dict[Words, float], order: int) -> None:
    expected, present = counted(belief, order)
    assert set(found.ngrams) == set(expected)
    assert dict(zip(found.ngrams, found.expected_counts, strict=True)) == pytest.approx(expected)
    assert dict(zip(found.ngrams, found.posteriors, strict=True)) == pytest.approx(present)


@pytest.mark.parametrize("seed", range(120))
def test_n_grams_of_a_lattice_are_those_of_its_paths(seed: int) -> None:
    rng = random.Random(seed)
    case, scale, order = costly(rng), rng.choice((0.0, 0.3, 1.0)), rng.randint(1, 4)
    belief = belief_of([(path.words, path.cost()) for path in case.paths], scale)
    check(ngram_posteriors(case.lattice, order, scale), belief, order)


@pytest.mark.parametrize("seed", range(40))
def test_n_grams_that_come_back_are_present_once_and_counted_often(seed: int) -> None:
    rng = random.Random(seed)
    arcs = [
        (
            state,
            state + rng.randint(1, 2),
            rng.choice(["a", "a", "b", ""]),
            (rng.uniform(0, 2), rng.uniform(0, 1)),
        )
        for state in range(6)
        for _ in range(rng.randint(1, 3))
    ]
    arcs = [(source, min(to, 6), word, costs) for source, to, word, costs in arcs]
    sources, targets, words, costs = zip(*arcs, strict=True)
    lattice = fm.Lattice.from_arrays(sources, targets, words, finals=[6], costs=costs)
    paths: list[tuple[Words, float]] = []

    def walk(state: int, so_far: Words, cost: float) -> None:
        if state == 6:
            paths.append((so_far, cost))
        for source, to, word, pair in arcs:
            if source == state:
                walk(to, (*so_far, word) if word else so_far, cost + sum(pair))

    walk(0, (), 0.0)
    if not paths:
        pytest.skip("no path")
    check(ngram_posteriors(lattice, 3), belief_of(paths, 1.0), 3)


def test_a_list_and_the_lattice_of_its_entries_have_the_same_n_grams() -> None:
    entries = (("a", "b", "a"), ("a", "c"), ("a", "b", "a"), ())
    scores = (-1.0, -0.5, -2.0, -3.0)
    nbest = fm.NBest("x", entries, tuple(map(" ".join, entries)), scores)
    lattice = fm.Lattice.from_strings(entries, costs=[-score for score in scores])
    of_list = ngram_posteriors(nbest, 3)
    belief = belief_of([(entry, -score) for entry, score in zip(entries, scores, strict=True)], 1.0)
    check(of_list, belief, 3)
    assert set(ngram_posteriors(lattice, 3).ngrams) == set(of_list.ngrams)


@pytest.mark.parametrize("seed", range(80))
def test_linear_bleu_chooses_among_all_paths_by_all_paths(seed: int) -> None:
    rng = random.Random(seed)
    case, scale = costly(rng), rng.choice((0.3, 1.0))
    metric = LinearBLEU(rng.choice((0.4, 0.85)), rng.choice((0.5, 0.72)))
    belief = belief_of([(path.words, path.cost()) for path in case.paths], scale)

    def gain(words: Words) -> float:
        """By definition: the gain against each path, weighed by its probability."""
        rows = metric.statistics([words] * len(belief), [[list(other)] for other in belief])
        return math.fsum(
            p * float(metric.corpus_score(row)) for p, row in zip(belief.values(), rows, strict=True)
        )

    gains = {words: gain(words) for words in belief}
    found = fm.mbr(case.lattice, metric, scale=scale, nbest=len(belief))
    assert found.exact
    assert found.mass == 1.0
    assert (found.candidates, found.evidence) == (None, None)
    assert {each.words: -each.expected_loss for each in found.best} == pytest.approx(gains)
    assert {each.words: each.posterior for each in found.best} == pytest.approx(belief)
    assert gains[found.words] == pytest.approx(max(gains.values()))


@pytest.mark.parametrize("cost", [1e9, 1e15, 1e300])
def test_a_large_cost_that_all_paths_have_changes_nothing(cost: float) -> None:
    arcs = [0, 1, 1, 2], [1, 2, 2, 3], ["a", "b", "c", "d"]
    few, many = (
        ngram_posteriors(
            fm.Lattice.from_arrays(
                *arcs, finals=[3], num_states=4, costs=[(first, 0), (0.5, 0), (1, 0), (0.7, 0)]
            )
        )
        for first in (0.0, cost)
    )
    assert many.ngrams == few.ngrams
    assert many.expected_counts == pytest.approx(few.expected_counts, rel=1e-12)
    assert many.posteriors == pytest.approx(few.posteriors, rel=1e-12)


def test_linear_bleu_tells_gains_apart_that_differ_by_little() -> None:
    """The best path by gains as doubles, also where they differ by less than the units of other costs."""
    near = 0
    for seed in range(60):
        rng = random.Random(seed)
        texts = sorted({tuple(rng.choices("abcd", k=rng.randint(1, 6))) for _ in range(12)})
        costs = [rng.random() * 1e-7 for _ in texts]
        lattice = fm.Lattice.from_strings([list(text) for text in texts], costs=costs)
        posteriors = ngram_posteriors(lattice, 4)
        known = dict(zip(posteriors.ngrams, posteriors.posteriors.tolist(), strict=True))
        metric = LinearBLEU()
        gains = sorted((metric.expected_gain(text, known.__getitem__) for text in texts), reverse=True)
        near += 1e-13 < gains[0] - gains[1] < 2**-24
        found = fm.mbr(lattice, metric)
        assert metric.expected_gain(found.words, known.__getitem__) == pytest.approx(
            gains[0], abs=1e-13, rel=0
        )
    assert near > 5


def belief_of_forest(network: fm.Network, scale: float) -> dict[Words, float]:
    """The probability of each word sequence, derivation by derivation."""
    found = derivations(network, fm.Scales(), network.root)
    return belief_of([(words, cost) for cost, words, _ in found], scale)


@pytest.mark.parametrize("seed", range(100))
def test_n_grams_of_a_forest_are_those_of_its_derivations(seed: int) -> None:
    rng = random.Random(seed)
    network = with_costs(rng, as_network(random_network(rng, 40)))
    scale, order = rng.choice((0.0, 0.3, 1.0)), rng.randint(1, 5)
    check(ngram_posteriors(network, order, scale), belief_of_forest(network, scale), order)


@pytest.mark.parametrize(("length", "vocabulary"), [(3, 1), (4, 2), (5, 2), (5, 4), (6, 3)])
def test_n_grams_across_the_cards_of_a_forest_are_those_of_the_lattice_written_out(
    length: int, vocabulary: int
) -> None:
    for seed in range(4):
        network = with_costs(random.Random(seed), forest(length, seed, vocabulary))
        lattice = spelled_out(network, 10**6)
        of_forest, of_lattice = ngram_posteriors(network), ngram_posteriors(lattice)
        assert set(of_forest.ngrams) == set(of_lattice.ngrams)
        for ngram, count in zip(of_forest.ngrams, of_forest.expected_counts, strict=True):
            assert of_forest.posterior(ngram) == pytest.approx(of_lattice.posterior(ngram), rel=1e-9)
            expected = of_lattice.expected_counts[of_lattice.ngrams.index(ngram)]
            assert count == pytest.approx(expected, rel=1e-9)
        over_cards, over_arcs = (fm.mbr(each, "linear-bleu", nbest=5) for each in (network, lattice))
        gains = [[each.expected_loss for each in found.best] for found in (over_cards, over_arcs)]
        assert gains[0] == pytest.approx(gains[1], rel=1e-9)


@pytest.mark.parametrize("seed", range(80))
def test_linear_bleu_chooses_among_all_derivations_by_all_derivations(seed: int) -> None:
    rng = random.Random(seed)
    network, scale = with_costs(rng, as_network(random_network(rng, 40))), rng.choice((0.3, 1.0))
    metric = LinearBLEU(rng.choice((0.4, 0.85)), rng.choice((0.5, 0.72)))
    belief = belief_of_forest(network, scale)
    _, present = counted(belief, 4)
    gains = {words: metric.expected_gain(words, present.__getitem__) for words in belief}
    n = rng.choice((1, 2, len(belief)))
    found = fm.mbr(network, metric, scale=scale, nbest=n)
    assert (found.exact, found.mass, found.candidates) == (True, 1.0, None)
    assert [-each.expected_loss for each in found.best] == pytest.approx(
        sorted(gains.values(), reverse=True)[:n]
    )
    for each in found.best:
        assert -each.expected_loss == pytest.approx(gains[each.words])
        assert each.posterior == pytest.approx(belief[each.words])


def test_what_cannot_be_best_is_not_split_and_takes_no_arcs() -> None:
    """With far fewer arcs than all contexts take, the same hypothesis is found."""
    network, small = (with_costs(random.Random(3), forest(length, 3, 12)) for length in (9, 5))
    for hypotheses, most in ((network, 20_000), (spelled_out(small, 10**6), 1000)):
        found = fm.mbr(hypotheses, "linear-bleu", scale=2.0)
        with limited(expansion=most):
            with pytest.raises(InputError, match=f"more than {most} arcs"):
                ngram_posteriors(hypotheses)
            assert fm.mbr(hypotheses, "linear-bleu", scale=2.0) == found


@needs_data
def test_a_search_graph_of_moses_has_the_n_grams_and_the_choice_of_its_lattice() -> None:
    """Written out as a tree of calls it would have 4 x 10^9 arcs."""
    network = fm.Network.read(HGDECODE / "hg.gz", weights=HGDECODE / "dense.weights")
    lattice = linear_lattice(network)
    assert lattice is not None
    of_forest, of_lattice = (ngram_posteriors(each, 2) for each in (network, lattice))
    posteriors = dict(zip(of_forest.ngrams, of_forest.posteriors, strict=True))
    assert posteriors == pytest.approx(dict(zip(of_lattice.ngrams, of_lattice.posteriors, strict=True)))
    over_cards, over_arcs = (fm.mbr(each, "linear-bleu") for each in (network, lattice))
    assert over_cards.words == over_arcs.words
    assert over_cards.best[0][1:] == pytest.approx(over_arcs.best[0][1:])


def test_what_is_too_large_or_no_order_is_refused() -> None:
    lattice = fm.Lattice.from_strings([["a", "b"], ["c", "d"]])
    with pytest.raises(FstmetricsError, match="order"):
        ngram_posteriors(lattice, 0)
    with limited(expansion=1), pytest.raises(InputError, match="more than 1 arcs"):
        ngram_posteriors(lattice, 2)
    with pytest.raises(FstmetricsError, match="precision of linear BLEU"):
        LinearBLEU(precision=0)


def test_an_ngram_may_be_a_string_and_is_as_long_as_was_looked_for() -> None:
    lattice = fm.Lattice.from_strings(["new york city", "new york"], costs=[0.0, 0.0])
    for hypotheses in (
        lattice,
        fm.NBest("x", (("new", "york", "city"), ("new", "york")), ("new york city", "new york"), (0.0, 0.0)),
    ):
        found = ngram_posteriors(hypotheses, order=2)
        assert found.posterior("new york") == found.posterior(["new", "york"]) == pytest.approx(1.0)
        assert found.posterior("york city") == pytest.approx(0.5)
        for wrong in ("new york city", [], " "):
            with pytest.raises(
                fm.FstmetricsError, match=r"an n-gram of (3|0) words; these are of 1 to 2 words"
            ):
                found.posterior(wrong)
