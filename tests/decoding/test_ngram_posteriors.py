"""Posteriors of n-grams against all paths of small lattices, and linear BLEU against all pairs of them."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict

import pytest
from weighted_lattices import costly

import fstmetrics as fm
from fstmetrics.decoding.linear_bleu import LinearBLEU
from fstmetrics.decoding.ngram_posteriors import NgramPosteriors, ngram_posteriors
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
        gains = sorted((metric.expected_gain(text, known) for text in texts), reverse=True)
        near += 1e-13 < gains[0] - gains[1] < 2**-24
        found = fm.mbr(lattice, metric)
        assert metric.expected_gain(found.words, known) == pytest.approx(gains[0], abs=1e-13, rel=0)
    assert near > 5


def test_a_forest_is_written_out_for_its_n_grams() -> None:
    cards = [fm.Card.from_phrases("S", ["a [X] b", "[X]"]), fm.Card.from_phrases("X", ["c", "c d"])]
    network = fm.Network(cards, "S")
    found = fm.mbr(network, "linear-bleu")
    belief = dict.fromkeys([("a", "c", "b"), ("a", "c", "d", "b"), ("c",), ("c", "d")], 0.25)
    check(ngram_posteriors(network, 3), belief, 3)
    assert found.words in belief


def test_what_is_too_large_or_no_order_is_refused() -> None:
    lattice = fm.Lattice.from_strings([["a", "b"], ["c", "d"]])
    with pytest.raises(FstmetricsError, match="order"):
        ngram_posteriors(lattice, 0)
    with limited(expansion=1), pytest.raises(InputError, match="more than 1 arcs"):
        ngram_posteriors(lattice, 2)
    with pytest.raises(FstmetricsError, match="precision of linear BLEU"):
        LinearBLEU(precision=0)
