"""Hope and fear against enumeration: every path of a lattice, every alignment of its words."""

from __future__ import annotations

import random
from fractions import Fraction

import brute_force as bf
import pytest
from places import RANDOM_CASES
from random_cases import METRICS, MetricPair, Side, machine_side, network_side, random_string, string_side
from weighted_lattices import WEIGHTS, Costly, costly, metric_cost

import fstmetrics as fm
from fstmetrics.data.lattice import Scales
from fstmetrics.lattices.hope_and_fear import Weighing

CASES = max(20, RANDOM_CASES // 25)


def random_side(rng: random.Random) -> Side:
    """References of some kind."""
    kind = rng.choice(("string", "lattice", "network"))
    if kind == "string":
        return string_side(random_string(rng, 4))
    return machine_side(rng) if kind == "lattice" else network_side(rng)


def expected(
    case: Costly, references: frozenset[bf.Words], pair: MetricPair, weight: Fraction, sign: int
) -> dict[bf.Words, Fraction]:
    """By the words of each path, what is minimised: sign 1 for hope, -1 for fear."""
    return {
        words: weight * cost + sign * metric_cost(words, references, pair)
        for words, cost in case.best_by_words().items()
    }


@pytest.mark.parametrize("first", range(8))
def test_hope_and_fear_are_what_enumeration_finds(first: int) -> None:
    negative = networks = 0
    for seed in range(first, CASES, 8):
        rng = random.Random(seed)
        case, pair, weight = costly(rng), rng.choice(METRICS), rng.choice(WEIGHTS)
        side = random_side(rng)
        if len(case.paths) * len(side.strings) > 300:
            continue
        negative += pair.negative
        networks += side.kind != "string"
        weighing = Weighing(pair.metric, float(weight))
        for sign, find in ((1, weighing.hope), (-1, weighing.fear)):
            found = find(case.lattice, side.value)
            values = expected(case, side.strings, pair, weight, sign)
            (weighed,) = found
            words = weighed.result.hypothesis
            assert Fraction(weighed.combined) == pytest.approx(min(values.values()), abs=1e-9), (seed, sign)
            assert Fraction(weighed.model_cost) == case.best_by_words()[words]
            assert weighed.result.cost == pytest.approx(
                float(metric_cost(words, side.strings, pair)), abs=1e-9
            )
            assert weighed.combined == pytest.approx(float(values[words]), abs=1e-9)
    assert negative
    assert networks


@pytest.mark.parametrize("first", range(4))
def test_the_k_best_fears_are_distinct_and_in_order(first: int) -> None:
    several = 0
    for seed in range(10**6 + first, 10**6 + CASES // 2, 4):
        rng = random.Random(seed)
        case, pair, weight = costly(rng), rng.choice(METRICS), rng.choice(WEIGHTS)
        side = string_side(random_string(rng, 4))
        values = expected(case, side.strings, pair, weight, -1)
        found = Weighing(pair.metric, float(weight), nbest=4).fear(case.lattice, side.value)
        several += len(found) > 2
        assert len({weighed.result.hypothesis for weighed in found}) == len(found) == min(4, len(values))
        assert [w.combined for w in found] == pytest.approx(
            [float(v) for v in sorted(values.values())[:4]], abs=1e-9
        )
        for weighed in found:
            assert weighed.combined == pytest.approx(float(values[weighed.result.hypothesis]), abs=1e-9)
    assert several


@pytest.mark.parametrize("first", range(4))
def test_the_k_best_hopes_are_distinct_pairs_in_order(first: int) -> None:
    several = 0
    for seed in range(2 * 10**6 + first, 2 * 10**6 + CASES // 2, 4):
        rng = random.Random(seed)
        case, pair, weight = costly(rng), rng.choice(METRICS), rng.choice(WEIGHTS)
        side = random_side(rng)
        if len(case.paths) * len(side.strings) > 200:
            continue
        best = case.best_by_words()
        values = {
            (words, reference): weight * cost + metric_cost(words, frozenset({reference}), pair)
            for words, cost in best.items()
            for reference in side.strings
        }
        found = Weighing(pair.metric, float(weight), nbest=4).hope(case.lattice, side.value)
        several += len(found) > 2
        pairs = [(w.result.hypothesis, w.result.closest) for w in found]
        assert len(set(pairs)) == len(found) == min(4, len(values))
        assert [w.combined for w in found] == pytest.approx(
            [float(v) for v in sorted(values.values())[:4]], abs=1e-9
        )
        for weighed, key in zip(found, pairs, strict=True):
            assert weighed.combined == pytest.approx(float(values[key]), abs=1e-9)
            assert weighed.model_cost == float(best[weighed.result.hypothesis])
    assert several


def test_of_equals_hope_is_the_one_the_tie_rules_like_best_and_fear_the_one_they_like_least() -> None:
    ties = 0
    for seed in range(3 * 10**6, 3 * 10**6 + CASES // 2):
        rng = random.Random(seed)
        case, pair = costly(rng), rng.choice([pair for pair in METRICS if pair.referee.kind == "errors"])
        side, weight = string_side(random_string(rng, 4)), rng.choice((Fraction(0), Fraction(1)))
        (reference,) = side.strings
        totals = {
            words: bf.best_of_pair(words, reference, pair.referee, 1, "moves")
            for words in case.best_by_words()
        }
        weighing = Weighing(pair.metric, float(weight))
        for sign, find in ((1, weighing.hope), (-1, weighing.fear)):
            values = expected(case, side.strings, pair, weight, sign)
            best = [words for words in values if values[words] == min(values.values())]
            ranks = [bf.rank(totals[words], pair.referee)[1:] for words in best]
            ties += len(set(ranks)) > 1
            (found,) = find(case.lattice, side.value)
            chosen = bf.rank(totals[found.result.hypothesis], pair.referee)[1:]
            assert chosen == (min(ranks) if sign > 0 else max(ranks)), seed
    assert ties


def test_hope_of_weight_zero_is_the_oracle_and_of_a_large_weight_the_one_best() -> None:
    for seed in range(40):
        rng = random.Random(seed)
        case, pair = costly(rng), rng.choice(METRICS)
        reference = " ".join(random_string(rng, 4))
        oracle = fm.oracle(case.lattice, reference, pair.metric)
        (hope,) = Weighing(pair.metric, 0).hope(case.lattice, reference)
        assert (hope.result.totals, hope.combined) == (oracle.totals, oracle.cost)
        (far,) = Weighing(pair.metric, 10**4).hope(case.lattice, reference)
        assert far.model_cost == case.lattice.best_path().cost


def test_scales_weigh_the_two_costs() -> None:
    for seed in range(40):
        case = costly(random.Random(seed))
        best = min(
            path.cost(Fraction(1, 2), Fraction(3)) + len(path.words) * Fraction(1, 4) for path in case.paths
        )
        (hope,) = Weighing(fm.WER(), 1000, Scales(0.5, 3, 0.25)).hope(case.lattice, "a b")
        assert hope.model_cost == float(best)


def test_n_best_lists_give_what_a_loop_over_their_entries_gives() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        entries = tuple(random_string(rng, 4) for _ in range(6))
        scores = tuple(rng.randint(-40, 8) / 8 for _ in entries)
        nbest = fm.NBest("x", entries, tuple(map(" ".join, entries)), scores)
        metric, weight = rng.choice((fm.WER(), fm.GRR(2))), rng.choice((0.0, 0.5, 4.0))
        reference = " ".join(random_string(rng, 4))
        pairs = zip(entries, scores, strict=True)
        costs = [(fm.align(entry, reference, metric).cost, -score) for entry, score in pairs]
        (hope,), (fear,) = (
            getattr(Weighing(metric, weight), name)(nbest, reference) for name in ("hope", "fear")
        )
        assert hope.combined == min(weight * model + cost for cost, model in costs)
        assert fear.combined == min(weight * model - cost for cost, model in costs)


def test_words_are_normalised_before_anything_is_weighed() -> None:
    lattice = fm.Lattice.from_arrays(
        [0, 0, 1], [1, 1, 2], ["The", "A-B", "uh"], finals=[2], costs=[(1, 0), (0.5, 0), (0.25, 0)],
        final_costs=[(2, 0)],
    )  # fmt: skip
    changes = fm.Normalisation(lowercase=True, ignore=frozenset({"uh"}), tokenize="13a")
    for normalisation, words in ((changes, ("the",)), (fm.Normalisation(unit="char"), tuple("The uh"))):
        hope = Weighing(fm.WER(), 0.001, normalisation=normalisation).hope(lattice, "the")[0]
        assert hope.result.hypothesis == words
        assert hope.model_cost == 3.25
    # What does not count in hypotheses alone is gone from hope, whose reference keeps it.
    one_sided = fm.Normalisation(lowercase=True, ignore_hypothesis=frozenset({"uh"}))
    hope = Weighing(fm.WER(), 0.001, normalisation=one_sided).hope(lattice, "the uh")[0]
    assert (hope.result.hypothesis, hope.result.deletions, hope.model_cost) == (("the",), 1, 3.25)
    tokens = fm.Lattice.from_arrays([0, 1], [1, 2], ["so,", "x"], finals=[2], costs=[(1, 0), (2, 0)])
    (split,) = Weighing(fm.WER(), 1, normalisation=fm.Normalisation(tokenize="13a")).fear(tokens, "so")
    assert (split.result.hypothesis, split.model_cost, split.combined) == (("so", ",", "x"), 3.0, 1.0)


def test_what_cannot_be_weighed_is_refused() -> None:
    line = fm.Lattice.from_arrays([0], [1], ["a"], finals=[1], costs=[(1, 0)])
    for weight in (-1.0, float("nan"), float("inf")):
        with pytest.raises(fm.FstmetricsError, match="weight"):
            Weighing(fm.WER(), weight)
    with pytest.raises(fm.FstmetricsError, match="window"):
        Weighing(fm.HyTER(3), 1)
    with pytest.raises(fm.FstmetricsError, match="no scores"):
        Weighing(fm.WER(), 1).hope(fm.NBest("x", (("a",),), ("a",)), "a")
    loop = fm.Lattice.from_arcs([(0, 0, ""), (0, 1, "a")], finals=[1])
    with pytest.raises(fm.FstmetricsError, match="cycle"):
        Weighing(fm.WER(), 1).hope(loop, "a")
    huge = fm.Lattice.from_arrays([0], [1], ["a"], finals=[1], costs=[(1e300, 0)])
    with pytest.raises(fm.FstmetricsError, match="too large"):
        Weighing(fm.WER(), 1).fear(huge, "a")
    with pytest.raises(fm.SearchError, match="max_nodes"):
        Weighing(fm.WER(), 1, options=fm.SearchOptions(max_nodes=1)).fear(line, "a")
    with pytest.raises(fm.SearchError, match="max_cells"):
        Weighing(fm.WER(), 1, options=fm.SearchOptions(max_cells=1)).fear(line, "a")
    cyclic = fm.Lattice.from_arcs([(0, 0, "a"), (0, 1, "b")], finals=[1])
    with pytest.raises(fm.SearchError, match="without cycles"):
        Weighing(fm.WER(), 1).fear(line, cyclic)
