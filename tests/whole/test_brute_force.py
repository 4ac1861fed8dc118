"""The referee against facts worked out by hand, against itself, and against laws that must hold."""

import math
import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations, product

import pytest
from brute_force import (
    Machine,
    Metric,
    Op,
    Totals,
    accepting_paths,
    alignments,
    best,
    best_fast,
    candidates,
    count_moves,
    expand,
    grr,
    k_best,
    levenshtein,
    measure,
    permutations_in_window,
    rank,
    sclite,
    score,
    strings,
    wrr,
)

REORDERINGS = ("moves", "jumps")
MAT, SUB, INS, DEL = Op


def w(text):
    return tuple(text.split())


def phrases(*texts):
    """A card that offers some phrases, one path each, as in the JSON of design, section 2."""
    arcs, fresh = [], 2
    for text in texts:
        state = 0
        for word in text.split():
            arcs.append((state, word, fresh))
            state, fresh = fresh, fresh + 1
        arcs.append((state, "", 1))
    return Machine(0, frozenset({1}), tuple(arcs))


def counts(totals):
    return totals.matches, totals.substitutions, totals.insertions, totals.deletions, totals.moves


# Automata and networks


def test_strings_drop_epsilons_and_are_distinct():
    arcs = ((0, "a", 1), (0, "", 1), (1, "b", 2), (1, "b", 3), (3, "", 2), (2, "c", 4))
    useless = ((9, "z", 4), (1, "x", 8))
    machine = Machine(0, frozenset({2, 4}), arcs + useless)
    assert strings(machine) == {w("a b"), w("b"), w("a b c"), w("b c")}
    assert len(list(accepting_paths(machine))) == 8


def test_empty_string_and_empty_language():
    assert strings(Machine(0, frozenset({0}), ())) == {()}
    assert strings(Machine(0, frozenset({1}), ())) == set()


def test_network_of_the_design():
    cards = {
        "PRIME-MINISTER": phrases("prime minister", "PM", "head of government"),
        "ITALIAN": phrases("Italian"),
        "S": phrases("the [ITALIAN] [PRIME-MINISTER]", "the [PRIME-MINISTER] of Italy"),
    }
    expected = {
        "the Italian prime minister",
        "the Italian PM",
        "the Italian head of government",
        "the prime minister of Italy",
        "the PM of Italy",
        "the head of government of Italy",
    }
    assert expand(cards, "S") == set(map(w, expected))


def test_fig1_of_h12():
    def network(levels, closes):
        cards = {"A": phrases(*levels), "C": phrases(*closes), "S": phrases("[A] was [C] zero")}
        return expand(cards, "S")

    levels1, closes1 = ("the level of approval", "the approval rate"), ("close to", "practically")
    levels2, closes2 = ("the approval level", "the approval rate"), ("close to", "about equal to")
    n1, n2 = network(levels1, closes1), network(levels2, closes2)
    spu = network({*levels1, *levels2}, {*closes1, *closes2})
    new = w("the approval level was practically zero")
    assert (len(n1), len(n2), len(n1 | n2), len(spu)) == (4, 4, 7, 9)
    assert n1 | n2 < spu
    assert new in spu - (n1 | n2)


def test_an_empty_phrase_and_a_card_called_twice():
    cards = {"OPT": phrases("", "very"), "S": phrases("[OPT] [OPT] good")}
    assert expand(cards, "S") == {w("good"), w("very good"), w("very very good")}


# Reordering


@pytest.mark.parametrize("n", range(6))
def test_windows_by_another_definition(n):
    """A word k or more places right of a word may not be taken before it."""

    def lawful(order, k):
        at = {position: step for step, position in enumerate(order)}
        return all(at[left] < at[right] for left, right in product(range(n), repeat=2) if right - left >= k)

    for k in range(1, 7):
        orders = list(permutations_in_window("x" * n, k))
        assert sorted(orders) == [order for order in permutations(range(n)) if lawful(order, k)]


def test_numbers_of_orders():
    def number(n, k):
        return sum(1 for _ in permutations_in_window(["x"] * n, k))

    assert [number(n, 1) for n in range(6)] == [1] * 6
    assert [number(n, 2) for n in range(7)] == [1, 1, 2, 3, 5, 8, 13]
    assert [number(n, 9) for n in range(6)] == [1, 1, 2, 6, 24, 120]
    assert list(permutations_in_window("abc", 2)) == [(0, 1, 2), (0, 2, 1), (1, 0, 2)]
    with pytest.raises(ValueError, match="window"):
        permutations_in_window("abc", 0)


@pytest.mark.parametrize(
    ("order", "moves", "jumps"),
    [
        ((), 0, 0),
        ((0, 1, 2, 3), 0, 0),
        ((0, 3, 1, 2), 1, 1),
        ((1, 0), 1, 1),
        ((2, 3, 0, 1), 1, 2),
        ((1, 2, 3, 0), 1, 3),
        ((3, 2, 1, 0), 3, 3),
        ((1, 3, 0, 2), 2, 2),
        ((1, 0, 3, 2), 2, 2),
        # After 2 comes 0, then 3: not leftmost (1 is free) and not the neighbour of the word just before.
        ((2, 0, 3, 1), 2, 2),
    ],
)
def test_moves_and_jumps(order, moves, jumps):
    assert (count_moves(order, "moves"), count_moves(order, "jumps")) == (moves, jumps)


def test_laws_of_moves():
    for n in range(7):
        for order in permutations(range(n)):
            moves, jumps = count_moves(order, "moves"), count_moves(order, "jumps")
            assert moves <= jumps <= max(0, n - 1)
            assert (moves == 0) == (jumps == 0) == (order == tuple(range(n)))


def test_exchanging_two_neighbouring_blocks_is_one_move():
    for a, b, c in combinations(range(8), 3):
        order = (*range(a), *range(b, c), *range(a, b), *range(c, 7))
        assert sorted(order) == list(range(7))
        assert count_moves(order, "moves") == 1
        assert count_moves(order, "jumps") == c - b


# Alignments


def test_alignments_by_hand():
    assert set(alignments("a", "a")) == {(MAT,), (INS, DEL), (DEL, INS)}
    assert set(alignments("a", "b")) == {(SUB,), (INS, DEL), (DEL, INS)}
    assert list(alignments("", "ab")) == [(DEL, DEL)]
    assert list(alignments("", "")) == [()]


def test_alignments_are_delannoy_many_and_distinct():
    for n, number in enumerate([1, 3, 13, 63, 321, 1683]):
        found = list(alignments("abcab"[:n], "bbcda"[:n]))
        assert len(found) == len(set(found)) == number


def test_measure_by_hand():
    hyp, ref = w("a b x c"), w("a b c d")
    path = (MAT, MAT, INS, MAT, DEL)
    assert measure(path, hyp, ref, levenshtein(), moves=2) == Totals(Fraction(4), 3, 0, 1, 1, 2, 4)
    assert measure(path, hyp, ref, wrr()).cost == -2
    # 1 + 2, then the run is broken: 1 again; the insertion costs 0.5, the deletion 0.25.
    assert measure(path, hyp, ref, grr(4, 0.5, "0.25")).cost == -(4 - Fraction(3, 4))


def test_grr_table():
    metric = grr(3, -0.9, 1)
    assert metric.next == ((1, 0, 0, 0), (2, 0, 0, 0), (2, 0, 0, 0))
    assert metric.cost == tuple((-m, 0, Fraction(-9, 10), 1) for m in (1, 2, 3))


def test_max_gain_is_the_number_of_ngrams():
    for n, words in product(range(1, 6), range(9)):
        assert grr(n).max_gain(words) == sum(max(0, words - k + 1) for k in range(1, n + 1))


# Printed numbers


@pytest.mark.parametrize("find", [best, best_fast])
@pytest.mark.parametrize("reordering", REORDERINGS)
@pytest.mark.parametrize(("window", "numerator"), [(1, 3), (2, 3), (3, 2)])
def test_fig2_of_h12(find, reordering, window, numerator):
    hyp, ref = {w("where train station is")}, {w("where is the train station")}
    totals = find(hyp, ref, levenshtein(), window, reordering)
    assert totals.cost == numerator
    assert score(totals, levenshtein(), "hyter") == Fraction(numerator, 5)
    if window == 3:
        assert totals == Totals(Fraction(2), 4, 0, 0, 1, 1, 5)
    else:
        assert (totals.edits, totals.moves) == (3, 0)


def four_grr(pairs):
    """Numerator and denominator of the corpus score, summed over the sentences."""
    metric = grr()
    gains = [-best_fast([tuple(hyp)], [tuple(ref)], metric).cost for hyp, ref in pairs]
    return sum(gains), sum(metric.max_gain(len(ref)) for _, ref in pairs)


def test_4grr_examples_of_c08():
    ref = [f"r{i}" for i in range(20)]
    assert four_grr([([*ref, "foreign"], ref)]) == (73, 74)
    assert four_grr([(ref[:18], ref)]) == (66, 74)
    a, b = [f"a{i}" for i in range(20)], [f"b{i}" for i in range(30)]
    foreign = [f"x{i}" for i in range(10)]
    assert four_grr([(a + foreign, a), (b[:20], b)]) == (138, 188)
    assert four_grr([(a, a), (b[:20], b)]) == (148, 188)


def test_sum_over_sum_is_not_decomposable_with_alternatives():
    references = {w("a b c d e f g h i j"), w("z y")}
    assert best_fast([w("a b c d e f g h i k")], references, levenshtein()).edits == 1
    chosen = best_fast([w("z y")], references, levenshtein())
    assert (chosen.edits, chosen.reference_words) == (0, 2)
    assert Fraction(1 + 5, 20) == Fraction(3, 10) < Fraction(0 + 5, 2 + 10)


# Ties


def test_sclite_prefers_three_substitutions():
    hyp, ref = w("a b c"), w("c d e")
    everything = list(candidates(hyp, ref, sclite()))
    assert {counts(t)[:4] for t in everything if t.cost == 12} == {(0, 3, 0, 0), (1, 0, 2, 2)}
    assert counts(best([hyp], [ref], sclite())) == (0, 3, 0, 0, 0)
    assert score(best([hyp], [ref], sclite()), sclite(), "wer") == 1


def test_sclite_differs_from_levenshtein():
    # Five substitutions, or two matches, three insertions and three deletions: 5 < 6, but 20 > 18.
    hyp, ref = w("a b c x y"), w("x y d e f")
    assert counts(best([hyp], [ref], levenshtein())) == (0, 5, 0, 0, 0)
    assert counts(best([hyp], [ref], sclite())) == (2, 0, 3, 3, 0)


def test_errors_tie_for_the_longest_reference():
    references = {w("a"), w("a b c"), w("x y z u")}
    assert best([w("a b")], references, levenshtein()).reference_words == 3


def test_gains_tie_by_the_sign_of_the_gain():
    # One match each: 1/1 beats 1/2.  One insertion too many each: -1/2 beats -1/1.
    assert best([w("a")], {w("a"), w("a b")}, wrr()) == Totals(Fraction(-1), 1, 0, 0, 0, 0, 1)
    totals = best([w("x y z")], {w("a b"), w("a b"), w("c d")}, wrr())
    assert (totals.cost, totals.reference_words) == (1, 2)
    costly = replace(wrr(), cost=((Fraction(-1), Fraction(1), Fraction(1), Fraction(0)),))
    assert best([w("x")], {w("a"), w("a b")}, costly).reference_words == 2
    # A gain of zero takes the smallest: the empty reference is matched perfectly.
    assert best([()], {(), w("a")}, wrr()).reference_words == 0


def test_edits_before_moves():
    # Two substitutions, or a move and one substitution.
    totals = best([w("a b")], [w("b c")], levenshtein(), window=2)
    assert counts(totals) == (1, 1, 0, 0, 1)


def test_most_matches_then_fewest_deletions():
    # Two substitutions, or an insertion, a match and a deletion.
    assert counts(best([w("a b")], [w("b c")], levenshtein())) == (1, 0, 1, 1, 0)
    # A match and a deletion, or a match and a substitution: only other hypotheses can differ so.
    assert counts(best([w("a"), w("a x")], [w("a b")], levenshtein())) == (1, 1, 0, 0, 0)


def test_fewest_moves():
    # With moves for nothing only the last but two criteria keep the hypothesis in order.
    free = replace(levenshtein(), move_cost=Fraction(0))
    assert counts(best([w("a a")], [w("a a")], free, window=2)) == (2, 0, 0, 0, 0)


def test_rank_takes_the_sign_it_is_told():
    short, long = Totals(Fraction(0), reference_words=1), Totals(Fraction(0), reference_words=3)
    for sign, first in ((1, short), (0, short), (-1, long)):
        assert min((short, long), key=lambda totals, sign=sign: rank(totals, grr(), sign)) is first
        assert min((short, long), key=lambda totals, sign=sign: rank(totals, sclite(), sign)) is long


# Zero lengths


@pytest.mark.parametrize(
    ("name", "metric", "empty", "inserted", "deleted"),
    [
        ("wer", levenshtein(), 0, math.inf, 1),
        ("hyter", levenshtein(), 0, math.inf, 1),
        ("wer", sclite(), 0, math.inf, 1),
        ("wrr", wrr(), 1, -math.inf, 0),
        ("grr", grr(), 1, -math.inf, 0),
        ("grr", grr(4, "-0.9", 1), 1, math.inf, Fraction(-2, 3)),
    ],
)
def test_zero_lengths_score_as_defined(name, metric, empty, inserted, deleted):
    for hyp, ref, expected in (((), (), empty), (w("a b"), (), inserted), ((), w("a b"), deleted)):
        for find in (best, best_fast):
            assert score(find([hyp], [ref], metric), metric, name) == expected


def test_an_insertion_for_nothing_against_the_empty_reference_counts_as_empty():
    metric = grr(alpha=0)
    assert score(best([w("a")], [()], metric), metric, "grr") == 1


# Laws, on random cases


def random_string(rng, most, alphabet="abcd"):
    return tuple(rng.choice(alphabet) for _ in range(rng.randint(0, most)))


def by_word(op, hyp_word, ref_word):
    """Operations on the filler "a" are cheaper, and substitutions depend on both words."""
    filler = (hyp_word == "a") + (ref_word == "a")
    return -Fraction(filler, 4) if op is not Op.MATCH else Fraction(ref_word == "b", 8)


def random_metric(rng):
    alpha, beta = rng.choice(["-0.9", "0", "0.5", "1"]), rng.choice(["-0.5", "0", "1"])
    metric = rng.choice([levenshtein(), sclite(), wrr(), grr(rng.randint(1, 4), alpha, beta), machine(rng)])
    metric = replace(metric, move_cost=Fraction(rng.choice(["0", "0.5", "1", "2"])))
    return replace(metric, word_cost=by_word) if rng.random() < 0.3 else metric


def machine(rng):
    """An edit automaton without rhyme or reason."""
    memories = rng.randint(1, 3)
    after = [tuple(rng.randrange(memories) for _ in Op) for _ in range(memories)]
    cost = [tuple(Fraction(rng.randint(-2, 4), 2) for _ in Op) for _ in range(memories)]
    return Metric(tuple(after), tuple(cost))


@pytest.mark.parametrize("seed", range(100))
def test_best_fast_agrees_with_enumeration(seed):
    rng = random.Random(seed)
    metric, window, reordering = random_metric(rng), rng.choice([1, 1, 2, 3]), rng.choice(REORDERINGS)
    most = 4 if window == 1 else 3
    hypotheses = {random_string(rng, most) for _ in range(rng.randint(1, 2))}
    references = {random_string(rng, 4) for _ in range(rng.randint(1, 3))}
    slow = best(hypotheses, references, metric, window, reordering)
    assert slow == best_fast(hypotheses, references, metric, window, reordering)
    assert slow == k_best(hypotheses, references, metric, 1, window, reordering)[0]


@pytest.mark.parametrize("reordering", REORDERINGS)
def test_best_fast_agrees_on_a_wide_window(reordering):
    hyp, ref = w("c d a b"), w("a b e c d")
    for metric in (levenshtein(), grr()):
        assert best([hyp], [ref], metric, 4, reordering) == best_fast([hyp], [ref], metric, 4, reordering)


@pytest.mark.parametrize("seed", range(40))
def test_the_order_of_ties_fixes_every_count(seed):
    rng = random.Random(seed)
    metric = rng.choice([levenshtein(), sclite(), wrr(), grr(3, "-0.5", 1)])
    everything = {
        totals
        for hyp, ref in product([random_string(rng, 3) for _ in range(3)], repeat=2)
        for totals in candidates(hyp, ref, metric, 2)
    }
    for sign in (-1, 0, 1):
        assert len({rank(totals, metric, sign) for totals in everything}) == len(everything)


def test_lengths_are_kept():
    rng = random.Random(1)
    for _ in range(30):
        hyp, ref = random_string(rng, 3), random_string(rng, 3)
        for t in candidates(hyp, ref, grr(), 3):
            assert t.matches + t.substitutions + t.insertions == len(hyp)
            assert t.matches + t.substitutions + t.deletions == len(ref) == t.reference_words


def test_levenshtein_is_a_distance():
    rng = random.Random(2)

    def distance(x, y):
        return best_fast([x], [y], levenshtein()).cost

    for _ in range(60):
        x, y, z = (random_string(rng, 6) for _ in range(3))
        assert distance(x, y) == distance(y, x)
        assert (distance(x, y) == 0) == (x == y)
        assert distance(x, z) <= distance(x, y) + distance(y, z)


def test_one_reference_wrr_is_1_minus_wer_and_1_grr_is_wrr():
    rng = random.Random(3)
    for _ in range(60):
        hyp, ref = random_string(rng, 6), (*random_string(rng, 5), "a")
        errors, gain = best_fast([hyp], [ref], levenshtein()), best_fast([hyp], [ref], wrr())
        assert score(gain, wrr(), "wrr") == 1 - score(errors, levenshtein(), "wer")
        assert replace(errors, cost=gain.cost) == gain == best_fast([hyp], [ref], grr(1))


def test_substituting_equal_words_gains_nothing_in_c08():
    """The ★ arcs of eqs. 5 and 6 also read the matching word; the design's substitution does not."""
    rng = random.Random(6)
    for metric in (wrr(), grr(), grr(3, "-0.9", 1), grr(2, 1, "-0.9")):
        for _ in range(10):
            hyp, ref = random_string(rng, 4, "ab"), random_string(rng, 4, "ab")
            starred = (
                path
                for alignment in alignments(hyp, ref)
                for path in product(*((op, SUB) if op is MAT else (op,) for op in alignment))
            )
            assert best([hyp], [ref], metric).cost == min(measure(p, hyp, ref, metric).cost for p in starred)


def test_a_constant_per_word_changes_no_alignment_of_one_pair():
    """Each operation's cost less half a unit per word it reads: a sum fixed by the two lengths."""
    rng = random.Random(4)

    def rebate(op, hyp_word, ref_word):
        return -Fraction((hyp_word is not None) + (ref_word is not None), 2)

    for _ in range(40):
        hyp, ref, metric = random_string(rng, 4), random_string(rng, 4), rng.choice([sclite(), grr(), wrr()])
        plain = best_fast([hyp], [ref], metric, 2)
        rebated = best_fast([hyp], [ref], replace(metric, word_cost=rebate), 2)
        assert rebated == replace(plain, cost=plain.cost - Fraction(len(hyp) + len(ref), 2))


@pytest.mark.parametrize("seed", range(12))
def test_numerator_never_rises_with_window_or_references(seed):
    rng = random.Random(seed)
    hyp = random_string(rng, 6)
    references = [random_string(rng, 6) for _ in range(3)]
    for reordering in REORDERINGS:
        by_window = [best_fast([hyp], references, levenshtein(), k, reordering).cost for k in range(1, 7)]
        assert by_window == sorted(by_window, reverse=True)
    by_references = [best_fast([hyp], references[:n], levenshtein(), 2).cost for n in (1, 2, 3)]
    assert by_references == sorted(by_references, reverse=True)


@pytest.mark.parametrize("seed", range(20))
def test_moves_never_cost_more_than_jumps(seed):
    rng = random.Random(seed)
    hyp, ref = random_string(rng, 6), random_string(rng, 6)
    moves, jumps = (best_fast([hyp], [ref], levenshtein(), 4, reordering).cost for reordering in REORDERINGS)
    assert moves <= jumps <= best_fast([hyp], [ref], levenshtein()).cost


def test_a_window_of_one_does_not_reorder():
    rng = random.Random(5)
    for _ in range(20):
        hyp, ref = random_string(rng, 4), random_string(rng, 4)
        free = replace(levenshtein(), move_cost=Fraction(-9))
        assert best([hyp], [ref], free, 1).moves == 0
        assert best([hyp], [ref], free, 1) == best([hyp], [ref], levenshtein())


def test_the_score_may_rise_though_the_numerator_does_not():
    # Another path is chosen at a lower numerator, but it is much shorter.
    hyp, long, short = w("a b c x y z"), w("a b c d e f g h i"), w("c b")
    first, second = (best_fast([hyp], refs, levenshtein()) for refs in ([long], [long, short]))
    assert second.cost < first.cost
    assert score(second, levenshtein(), "wer") > score(first, levenshtein(), "wer")


def test_k_best_is_over_distinct_pairs():
    hypotheses, references = {w("a b"), w("a c")}, {w("a b"), w("a"), w("b a")}
    found = k_best(hypotheses, references, levenshtein(), 4, window=2)
    # ab/ab: 0.  At 1, ab/ba (a move) and ac/ab (a substitution) go before ab/a and ac/a: longer reference.
    assert [(t.cost, t.reference_words, t.edits, t.moves) for t in found] == [
        (0, 2, 0, 0),
        (1, 2, 0, 1),
        (1, 2, 1, 0),
        (1, 1, 1, 0),
    ]
    assert len(k_best(hypotheses, references, levenshtein(), 99)) == 6
