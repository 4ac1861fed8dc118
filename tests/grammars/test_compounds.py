"""Compounds: what the search finds is what the definition lists, whatever the sides, the metric and the price."""

from __future__ import annotations

import random
from fractions import Fraction

import brute_force as slow
import compounds_by_definition as definition
import pytest
from places import RANDOM_CASES

import fstmetrics as fm
from fstmetrics._native import compound_items, partings
from fstmetrics.engine.results import Result
from fstmetrics.grammars.model import Grammar
from fstmetrics.support.errors import FstmetricsError, InputError, SearchError

CASES = RANDOM_CASES // 50
# Few letters, so that words are often others put together.
VOCABULARY = ("a", "b", "ab", "ba", "aab", "aba", "é", "éa")
Words = tuple[str, ...]

METRICS = {
    "wer": (fm.WER(), slow.levenshtein(), 1),
    "sclite": (fm.Sclite(), slow.sclite(), 1),
    "wrr": (fm.WRR(), slow.wrr(), 1),
    "grr": (fm.GRR(order=2), slow.grr(2), 1),
    "hyter": (fm.HyTER(window=2), slow.levenshtein(), 2),
}


def random_words(rng: random.Random, most: int) -> Words:
    return tuple(rng.choice(VOCABULARY) for _ in range(rng.randint(0, most)))


def random_pair(rng: random.Random, most: int) -> tuple[Words, Words]:
    """Two sentences; half of the time one is the other with spaces in other places."""
    hypothesis, reference = random_words(rng, most), random_words(rng, most)
    if rng.random() < 0.5:
        text = " ".join(reference)
        text = "".join(" " * (rng.random() < 0.3) + c for c in text if c != " " or rng.random() < 0.5)
        hypothesis = tuple(text.split())[: most + 1]
    return hypothesis, reference


def random_lattice(rng: random.Random, words: Words) -> tuple[fm.Lattice, set[Words]]:
    """Acyclic, with epsilons and a path of these words, and its strings."""
    states = len(words) + 2
    arcs = [(i, i + 1, word) for i, word in enumerate((*words, ""))]
    for _ in range(rng.randint(0, 2)):
        source = rng.randrange(states - 1)
        arcs.append((source, rng.randrange(source + 1, states), rng.choice(["", *VOCABULARY])))
    machine = slow.Machine(0, frozenset([states - 1]), tuple((s, word, t) for s, t, word in arcs))
    return fm.Lattice.from_arcs(arcs, finals=[states - 1]), slow.strings(machine)


def as_totals(result: Result) -> slow.Totals:
    t = result.totals
    cost = Fraction(t.units, result.metric.table.scale)
    return slow.Totals(
        cost, t.matches, t.substitutions, t.insertions, t.deletions, t.moves, result.path_length
    )


def check_rewrites(result: Result, references: set[Words], price: Fraction) -> None:
    """Every word of a compound is a hit, and taking the rewrites back gives a reference as it was."""
    hits = [pair.op == "=" for pair in result.alignment if pair.reference is not None]
    words = list(result.closest)
    for rewrite in reversed(result.rewrites):
        stretch = slice(rewrite.position, rewrite.position + len(rewrite.after))
        assert rewrite.rule == ("join" if len(rewrite.after) == 1 else "split")
        assert "".join(rewrite.before) == "".join(rewrite.after)
        assert all(hits[stretch])
        assert rewrite.cost == float(price)
        words[stretch] = rewrite.before
    assert tuple(words) in references


@pytest.mark.parametrize("metric", [fm.Sclite(), fm.MER(), fm.WIL()], ids=lambda metric: metric.name)
def test_metrics_of_counts_have_no_room_for_costs(metric: fm.Metric) -> None:
    grammar = fm.Grammar.load("compounds")
    assert fm.align("a bc", "a b c", metric, grammars=grammar).score in (0, 1)
    with pytest.raises(fm.FstmetricsError, match="has no room for what rewrites cost"):
        fm.align("a bc", "a b c", metric, grammars=grammar.at_cost(Fraction(1, 2)))


@pytest.mark.parametrize(
    ("name", "price"),
    [(name, price) for name in METRICS for price in ("0", "1/2", "1") if name != "sclite" or price == "0"],
)
def test_strings_and_alternatives(name: str, price: str) -> None:
    metric, definition_of_it, window = METRICS[name]
    grammar = fm.Grammar.load("compounds").at_cost(Fraction(price))
    rng = random.Random(f"{name}{price}")
    used = 0
    for _ in range(CASES):
        hypothesis, reference = random_pair(rng, 3)
        references = [reference, *(random_words(rng, 3) for _ in range(rng.choice((0, 0, 1))))]
        result = fm.align(hypothesis, fm.Alternatives(references), metric, grammars=grammar)
        best = definition.best([hypothesis], references, definition_of_it, Fraction(price), window)
        assert as_totals(result) == best, (hypothesis, references)
        check_rewrites(result, set(references), Fraction(price))
        used += len(result.rewrites) > 0
    assert used > CASES / 20


@pytest.mark.parametrize("route", ["auto", "topological", "best-first", "dijkstra"])
@pytest.mark.parametrize("price", ["0", "1/2"])
def test_lattices_on_both_sides(route: str, price: str) -> None:
    grammar = fm.Grammar.load("compounds").at_cost(Fraction(price))
    rng = random.Random(f"{route}{price}")
    used = 0
    for _ in range(CASES // 2):
        pair = random_pair(rng, 2)
        (hypothesis, spoken), (reference, written) = (random_lattice(rng, words) for words in pair)
        options = fm.SearchOptions(route=route)
        result = fm.align(hypothesis, reference, grammars=grammar, options=options)
        best = definition.best(spoken, written, slow.levenshtein(), Fraction(price))
        assert as_totals(result) == best
        check_rewrites(result, written, Fraction(price))
        used += len(result.rewrites) > 0
    assert used > CASES / 50


def test_n_best_pairs_are_of_compounds_too() -> None:
    rng = random.Random(3)
    for _ in range(CASES // 2):
        words, reference = random_pair(rng, 3)
        hypothesis, spoken = random_lattice(rng, words)
        result = fm.align(hypothesis, reference, grammars="compounds", nbest=4)
        best = definition.best(spoken, [reference], slow.levenshtein())
        assert as_totals(result.nbest[0]) == best
        assert result.nbest == tuple(sorted(result.nbest, key=lambda path: path.edits))
        for path in result.nbest:
            check_rewrites(path, {reference}, Fraction(0))


def test_items_of_a_corpus_are_what_they_are_alone() -> None:
    rng = random.Random(4)
    hypotheses = [" ".join(random_words(rng, 5)) for _ in range(200)]
    references = [" ".join(random_words(rng, 5)) for _ in range(200)]
    corpus = fm.score(hypotheses, references, grammars="compounds")
    alone = [fm.align(h, r, grammars="compounds") for h, r in zip(hypotheses, references, strict=True)]
    assert [item.totals for item in corpus] == [item.totals for item in alone]
    assert any(item.rewrites for item in corpus)


def test_items_that_are_passed_over_have_no_compound() -> None:
    rng = random.Random(5)
    pairs = [(random_words(rng, 3), random_words(rng, 3)) for _ in range(500)]
    chosen = set(compound_items(*map(list, zip(*pairs, strict=True))).tolist())
    assert 0 < len(chosen) < 500
    for number, (hypothesis, reference) in enumerate(pairs):
        if number not in chosen:
            plain = slow.best([hypothesis], [reference], slow.levenshtein())
            assert definition.best([hypothesis], [reference], slow.levenshtein()) == plain


def test_partings_are_all_ways_to_cut_a_word() -> None:
    parts = ["a", "b", "ab", "é", "aba"]
    owners, offsets, numbers = partings(["aba", "éé", "c", "a"], parts, 100)
    found = [
        (owner, tuple(parts[n] for n in numbers[begin:end]))
        for owner, begin, end in zip(owners.tolist(), offsets, offsets[1:], strict=False)
    ]
    assert found == [(0, ("a", "b", "a")), (0, ("ab", "a")), (1, ("é", "é"))]
    assert len(partings(["a" * 16, "a" * 17], ["a"], 100)[0]) == 1  # 2 to 16 parts
    half = "a" * 128
    assert len(partings([half * 2, half * 2 + "a"], [half, "a"], 100)[0]) == 1  # at most 256 bytes


def test_hostile_words_take_no_time() -> None:
    long = "a" * 300_000
    assert fm.align(f"{long} a a", f"{long}a {long}", grammars="compounds").edits == 3
    assert compound_items([f"{long} a"], [f"{long}a aa a"]).tolist() == [0]
    assert len(partings([], ["a"], 10)[0]) == len(partings(["aa"], [], 10)[0]) == 0


def test_compounds_go_with_other_grammars_in_one_pass() -> None:
    both = ["compounds", Grammar.parse("colour = color")]
    assert fm.align("someone s color", "some one s colour", grammars=both).edits == 0
    # What one grammar has written is not rewritten by the other.
    assert fm.align("do nut", "donut", grammars=["compounds", Grammar.parse("donut = doughnut")]).edits == 0
    assert (
        fm.align("dough nut", "donut", grammars=["compounds", Grammar.parse("donut = doughnut")]).edits == 2
    )


def test_epsilons_and_ignored_words_do_not_part_a_compound() -> None:
    ignoring = fm.Normalisation(ignore=frozenset(["uh"]))
    result = fm.align("someone came", "some uh one came", normalisation=ignoring, grammars="compounds")
    assert result.edits == 0
    assert fm.align("someone came", "some uh one came", grammars="compounds").edits == 3


def test_case_counts_unless_it_is_folded() -> None:
    pair = "Straßenbahn", "Straßen Bahn"
    assert fm.align(*pair, grammars="compounds").edits == 2
    folded = fm.Normalisation(lowercase=True)
    assert fm.align(*pair, grammars="compounds", normalisation=folded).edits == 0


def test_a_network_is_rewritten_across_its_cards() -> None:
    cards = [
        fm.Card.from_phrases("S", ["we met some [WHO] there"]),
        fm.Card.from_phrases("WHO", ["one", "people"]),
    ]
    network = fm.Network(cards, "S", id="n")
    for hypothesis, edits in (("we met someone there", 0), ("we met somepeople there", 0), ("someone", 3)):
        assert fm.align(hypothesis, network, grammars="compounds").edits == edits


def test_a_forest_of_hypotheses() -> None:
    rng = random.Random(6)
    for _ in range(CASES // 2):
        words, reference = random_pair(rng, 2)
        others = {random_words(rng, 2) for _ in range(2)}
        phrases = [" ".join(phrase) for phrase in (words, *others)]
        forest = fm.Network(
            [fm.Card.from_phrases("S", ["[A] ab", "ab"]), fm.Card.from_phrases("A", phrases)], "S"
        )
        spoken = {("ab",), *((*phrase, "ab") for phrase in (words, *others))}
        result = fm.align(forest, [*reference, "ab"], grammars="compounds")
        assert as_totals(result) == definition.best(spoken, [(*reference, "ab")], slow.levenshtein())


def test_signature_and_records_tell_compounds_apart() -> None:
    corpus = fm.score(["some one came"], ["someone came"], grammars="compounds@0.5")
    assert corpus.grammars == "compounds@0.5"
    assert corpus[0].as_dict()["rules"] == [
        {
            "grammar": "compounds", "rule": "split", "line": 7, "before": ["someone"], "after": ["some", "one"],
            "position": 0, "cost": 0.5,
        }
    ]  # fmt: skip


def test_what_compounds_are_not_for_is_refused() -> None:
    with pytest.raises(FstmetricsError, match=r"compounds has rules of hits alone.* not of characters"):
        fm.align("a", "a", normalisation=fm.Normalisation(unit="char"), grammars="compounds")
    loop = fm.Lattice.from_arcs([(0, 0, "ab"), (0, 1, "ab")], finals=[1])
    with pytest.raises(FstmetricsError, match=r"compounds has rules of hits alone.* acyclic references"):
        fm.align("a b", loop, grammars="compounds")
    with pytest.raises(SearchError, match="bit-parallel cannot"):
        fm.align("a b", "ab", grammars="compounds", options=fm.SearchOptions(route="bit-parallel"))
    lattice = fm.Lattice.from_arrays([0], [1], ["a"], costs=[(1.0, 0.0)], finals=[1])
    with pytest.raises(
        FstmetricsError, match="compounds has rules of hits alone, which hope and fear do not take"
    ):
        fm.oracle(lattice, "a", grammars="compounds", model_weight=1.0)
    many = fm.align(tuple("a" * n for n in range(1, 40)), "a" * 60, "wer")
    assert many.edits == 39
    with pytest.raises(FstmetricsError, match="in more than 100000 ways"):
        fm.align(tuple("a" * n for n in range(1, 40)), "a" * 60, grammars="compounds")


@pytest.mark.parametrize("line", ["compounds:", "compounds: merge", "compounds: join slit"])
def test_a_grammar_says_join_or_split(line: str) -> None:
    with pytest.raises(InputError, match="compounds: join, split or fragment"):
        Grammar.parse(line)


def test_one_direction_alone() -> None:
    join, split = Grammar.parse("compounds: join"), Grammar.parse("compounds: split @ 0.5")
    assert [fm.align("ab", "a b", grammars=g).edits for g in (join, split)] == [0, 2]
    assert [fm.align("a b", "ab", grammars=g).cost for g in (join, split)] == [2, 0.5]
