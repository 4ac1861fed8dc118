"""Rewriting against slow referees: what the definition lists, and composition by pynini."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from places import RANDOM_CASES

import fstmetrics as fm
from fstmetrics._native import Graph, search
from fstmetrics.engine.results import Result
from fstmetrics.grammars.model import Grammar, Rule
from fstmetrics.grammars.widening import Seen, Widening
from fstmetrics.support.errors import FstmetricsError, SearchError
from fstmetrics.text.normalisation import Normalisation

CASES = RANDOM_CASES // 10
ALPHABET = "abcd"
Words = tuple[str, ...]


def random_words(rng: random.Random, least: int, most: int) -> Words:
    return tuple(rng.choice(ALPHABET) for _ in range(rng.randint(least, most)))


def random_grammar(rng: random.Random, costs: tuple[str, ...] = ("0",)) -> Grammar:
    rules = []
    for number in range(rng.randint(1, 4)):
        kind = rng.choice(("to", "both", "any"))
        sides = [random_words(rng, 1, 3)]
        sides += [random_words(rng, 0 if kind == "to" else 1, 3) for _ in range(rng.randint(1, 2))]
        rules.append(Rule(tuple(sides), kind, "rule", number, Fraction(rng.choice(costs))))
    return Grammar("random", tuple(rules))


def random_lattice(rng: random.Random) -> fm.Lattice:
    """Acyclic, with epsilons, its end always reached."""
    states = rng.randint(2, 5)
    arcs = [(i, i + 1, rng.choice(["", *ALPHABET])) for i in range(states - 1)]
    for _ in range(rng.randint(0, 5)):
        source = rng.randrange(states - 1)
        arcs.append((source, rng.randrange(source + 1, states), rng.choice(["", *ALPHABET])))
    return fm.Lattice.from_arcs(arcs, finals=[states - 1])


def strings(machine: object) -> set[Words]:
    """The word sequences of a lattice."""
    assert isinstance(machine, fm.Lattice)
    a, words = machine.automaton, machine.symbols.words
    arcs = list(zip(a.sources.tolist(), a.destinations.tolist(), [words[i] for i in a.labels], strict=True))

    def from_state(state: int) -> Iterator[Words]:
        if state in a.finals:
            yield ()
        for source, target, word in arcs:
            if source == state:
                yield from ((word, *rest) if word else rest for rest in from_state(target))

    return set(from_state(a.start))


def rewritings(words: Words, grammar: Grammar) -> Iterator[tuple[Words, Fraction]]:
    """By the definition: from left to right, each word is copied, or a stretch that a side covers is rewritten."""
    if not words:
        yield (), Fraction(0)
        return
    yield from (((words[0], *rest), cost) for rest, cost in rewritings(words[1:], grammar))
    for rule in grammar.rules:
        for i, side in enumerate(rule.sides):
            if rule.matches(i) and side and words[: len(side)] == side:
                for rest, cost in rewritings(words[len(side) :], grammar):
                    for j in rule.outputs(i):
                        # A side that is written as itself is no rewrite.
                        yield rule.sides[j] + rest, cost + (rule.cost if rule.sides[j] != side else 0)


def language(texts: set[Words], grammar: Grammar) -> dict[Words, Fraction]:
    found: dict[Words, Fraction] = {}
    for text in texts:
        for words, cost in rewritings(text, grammar):
            found[words] = min(cost, found.get(words, cost))
    return found


def widened_language(lattice: fm.Lattice, grammar: Grammar) -> dict[Words, Fraction]:
    """What the engine made, spelled out."""
    wider = Widening((grammar,), Normalisation())(Seen.plain(lattice.prepared, lattice.symbols))
    if wider is None:
        return dict.fromkeys(strings(lattice), Fraction(0))
    machine, scale = wider.machine, 60
    costs = wider.arc_costs(scale)
    arcs = list(
        zip(
            machine.sources.tolist(),
            machine.destinations.tolist(),
            [wider.symbols.words[i] for i in machine.labels],
            [0 if costs is None else int(costs[i]) for i in machine.origins],
            strict=True,
        )
    )

    def from_state(state: int) -> Iterator[tuple[Words, int]]:
        if state in machine.finals:
            yield (), 0
        for source, target, word, cost in arcs:
            if source == state:
                for rest, more in from_state(target):
                    yield ((word, *rest) if word else rest), cost + more

    found: dict[Words, Fraction] = {}
    for words, cost in from_state(machine.start):
        found[words] = min(Fraction(cost, scale), found.get(words, Fraction(cost, scale)))
    return found


@pytest.mark.parametrize("costs", [("0",), ("0", "0.5", "1/3", "2")])
def test_widened_references_are_what_the_definition_lists(costs: tuple[str, ...]) -> None:
    rng = random.Random(7)
    changed = 0
    for _ in range(CASES):
        lattice, grammar = random_lattice(rng), random_grammar(rng, costs)
        expected = language(strings(lattice), grammar)
        assert widened_language(lattice, grammar) == expected
        changed += len(expected) > len(strings(lattice))
    assert changed > CASES / 2


def test_composition_by_pynini_gives_the_same_strings_and_costs() -> None:
    pynini = pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")
    rng = random.Random(8)
    for _ in range(CASES // 4):
        lattice, grammar = random_lattice(rng), random_grammar(rng, ("0", "0.5", "2"))
        rules = grammar.to_pynini(ALPHABET)
        reference = lattice.to_pynini()
        reference.relabel_tables(
            old_isymbols=reference.input_symbols(), new_isymbols=rules.input_symbols(),
            old_osymbols=reference.output_symbols(), new_osymbols=rules.input_symbols(),
        )  # fmt: skip
        composed = pynini.compose(reference, rules).project("output").rmepsilon()
        table, found = rules.input_symbols(), {}
        for labels, _, weight in composed.paths(input_token_type=table).items():
            words = tuple(labels.split())
            found[words] = min(float(weight), found.get(words, float(weight)))
        assert found == {words: float(cost) for words, cost in widened_language(lattice, grammar).items()}


def rank(result: Result, cost: Fraction = Fraction(0)) -> tuple[object, ...]:
    """The tie rules of error rates (docs/scores.md)."""
    t = result.totals
    whole = Fraction(t.units, result.metric.table.scale) + cost
    return whole, -t.path_length, t.edits, t.moves, -t.matches, t.deletions


METRICS = [fm.WER(), fm.HyTER(window=2), fm.EditMetric(substitution=2, insertion="0.5")]


@pytest.mark.parametrize("route", ["auto", "topological", "best-first", "dijkstra"])
@pytest.mark.parametrize("metric", METRICS, ids=["wer", "hyter", "weighted"])
@pytest.mark.parametrize("costs", [("0",), ("0", "0.5", "1/3")], ids=["free", "priced"])
def test_scores_are_the_best_over_all_rewritings(
    route: str, metric: fm.Metric, costs: tuple[str, ...]
) -> None:
    rng = random.Random(9)
    options = fm.SearchOptions(route=route)
    for _ in range(CASES // 20):
        lattice, grammar = random_lattice(rng), random_grammar(rng, costs)
        hypothesis = random_words(rng, 0, 4)
        result = fm.align(hypothesis, lattice, metric, grammars=grammar, options=options)
        texts = language(strings(lattice), grammar)
        best = min(rank(fm.align(hypothesis, words, metric), cost) for words, cost in texts.items())
        assert rank(result) == best
        check_rewrites(result, lattice, grammar)


def check_rewrites(result: Result, lattice: fm.Lattice, grammar: Grammar) -> None:
    """Taking the rewrites back gives a path of the reference as it was, and their costs are in the total."""
    words, paid = list(result.closest), Fraction(0)
    for rewrite in reversed(result.rewrites):
        end = rewrite.position + len(rewrite.after)
        assert tuple(words[rewrite.position : end]) == rewrite.after
        words[rewrite.position : end] = rewrite.before
        paid += grammar.rules[rewrite.line].cost
    assert tuple(words) in strings(lattice)
    assert language({tuple(words)}, grammar)[result.closest] <= paid
    if isinstance(result.metric.table.scale, int) and result.metric.name in ("wer", "hyter"):
        assert Fraction(result.totals.units, result.metric.table.scale) == result.edits + result.moves + paid


def test_gains_pay_for_rewriting_too() -> None:
    rng = random.Random(10)
    for _ in range(CASES // 20):
        lattice, grammar = random_lattice(rng), random_grammar(rng, ("0", "0.5"))
        hypothesis, metric = random_words(rng, 0, 4), fm.GRR(order=2, alpha=0.5)
        result = fm.align(hypothesis, lattice, metric, grammars=grammar)
        texts = language(strings(lattice), grammar)
        gains = [fm.align(hypothesis, words, metric).numerator - cost for words, cost in texts.items()]
        assert result.numerator == max(gains)


def test_matches_cross_the_cards_of_a_network() -> None:
    cards = [
        fm.Card.from_phrases("S", ["he [DO] go", "he [DO] [NEG]"]),
        fm.Card.from_phrases("DO", ["do", "did"]),
    ]
    cards.append(fm.Card.from_phrases("NEG", ["not go", "never go"]))
    network = fm.Network(cards, "S", id="n")
    grammar = Grammar.parse("do not <-> don't\nhe did not -> she didn't")
    assert fm.align("he don't go", network, grammars=grammar).edits == 0
    assert fm.align("she didn't go", network, grammars=grammar).edits == 0
    assert fm.align("she don't go", network, grammars=grammar).edits == 1
    assert fm.align("he didn't go", network, grammars=grammar).edits == 1


def test_rewriting_is_one_pass() -> None:
    grammar = Grammar.parse("a -> b\nb -> c")
    assert fm.align("b b", "a b", grammars=grammar).edits == 0
    assert fm.align("c", "a", grammars=grammar).edits == 1
    overlapping = Grammar.parse("a b -> x\nb c -> y")
    assert fm.align("x y", "a b c", grammars=overlapping).edits == 1
    assert fm.align("x c", "a b c", grammars=overlapping).edits == 0


def test_alternatives_and_lattices_on_both_sides() -> None:
    grammar = Grammar.parse("don't <-> do not")
    hypothesis = fm.Lattice.from_arcs([(0, 1, "I"), (1, 2, "do"), (1, 2, "did"), (2, 3, "not")], finals=[3])
    result = fm.oracle(hypothesis, ["you won't", "I don't"], grammars=grammar)
    assert result.edits == 0
    assert result.closest == ("I", "do", "not")
    assert result.one_best is not None


def test_what_is_widened_is_kept_with_a_network() -> None:
    network = fm.Network([fm.Card.from_phrases("S", ["do not"])], "S", id="n")
    grammar, other = Grammar.parse("don't <-> do not"), Grammar.parse("not ->")
    assert [fm.align("don't", network, grammars=g).edits for g in (grammar, other, grammar, ())] == [
        0,
        1,
        0,
        2,
    ]


def test_characters_are_rewritten_as_words() -> None:
    normal = fm.Normalisation(unit="char")
    assert (
        fm.align("I don't", "I do not", normalisation=normal, grammars=Grammar.parse("do not -> don't")).edits
        == 0
    )
    assert fm.align("I don't", "I do not", normalisation=normal).edits == 2
    with pytest.raises(FstmetricsError, match="characters"):
        fm.align("a", "a", normalisation=normal, grammars=Grammar.parse("a -> b @ 1"))


def test_a_grammar_with_costs_refuses_cyclic_references() -> None:
    priced = Grammar.parse("a -> b @ 0.5")
    loop = fm.Lattice.from_arcs([(0, 0, "a"), (0, 1, "a")], finals=[1])
    with pytest.raises(FstmetricsError, match="acyclic"):
        fm.align("a", loop, grammars=priced)
    assert fm.align("b b b", loop, grammars=Grammar.parse("a -> b")).edits == 0


# What a rewrite at a cost of 1 keeps from every quick route, though the metric's own costs stay 0 and 1.
@pytest.mark.parametrize("route", ["bit-parallel", "string-pair", "unit-rows", "rows", "graphs"])
def test_quick_routes_refuse_costs_of_rewriting(route: str) -> None:
    priced, options = Grammar.parse("a -> b @ 1"), fm.SearchOptions(route=route)
    with pytest.raises(SearchError, match=f"{route} cannot.* rewriting"):
        fm.align("b", "a", grammars=priced, options=options)


@pytest.mark.parametrize("words", [1, 40, 80])
@pytest.mark.parametrize("branching", [False, True], ids=["string", "graph"])
def test_rewriting_is_paid_for_whatever_auto_takes(words: int, branching: bool) -> None:
    text = " ".join(["x"] * words)
    spoken = fm.Lattice.from_arcs(
        [(0, 1, "b"), (0, 1, "y"), *((i, i + 1, "x") for i in range(1, words + 1))], finals=[words + 1]
    )
    hypothesis = spoken if branching else f"b {text}"
    for price, cost in (("0", 0), ("0.3", 0.3), ("1", 1)):
        result = fm.align(hypothesis, f"a {text}", grammars=Grammar.parse(f"a -> b @ {price}"))
        assert result.cost == cost
        assert (result.stats and result.stats.route) in ("topological", "best-first") or price == "0"
        assert result.closest[0] == ("b" if price != "1" or result.rewrites else "a")


def test_an_engine_graph_with_costs_has_acyclic_paths() -> None:
    line = fm.Lattice.from_arcs([(0, 1, "a")], finals=[1])
    loop = fm.Lattice.from_arcs([(0, 0, "a"), (0, 1, "a")], finals=[1])
    cost = np.array([2], dtype=np.int64)
    graph = Graph(line.prepared, line.symbols.words, cost)
    table = fm.WER().table
    asked = (table.native, 1, "moves", None, "auto", 1, True, 1000, 1000, 1000, 1)
    assert search(["a"], [graph], *asked).counts(0, 0)[0] == 2
    assert search([graph], ["a"], *asked).counts(0, 0)[0] == 2
    cheap = Graph(line.prepared, line.symbols.words, -cost)
    assert search([cheap], [graph], *asked).counts(0, 0)[0] == 0
    assert search([graph], [cheap], *asked).counts(0, 0)[0] == 0
    longer = fm.Lattice.from_arcs([(0, 1, "a"), (1, 2, "a")], finals=[2])
    for machine, costs in ((longer, cost), (loop, cost), (loop, np.array([1, 1]))):
        with pytest.raises(ValueError, match="costs of arcs"):
            Graph(machine.prepared, machine.symbols.words, costs)


def test_what_is_kept_is_for_one_unit_and_one_scale() -> None:
    """A network keeps its widened side: words are not taken for characters, nor a metric's units for another's."""
    network = fm.Network([fm.Card.from_phrases("S", ["do not"])], "S", id="n")
    free, priced = Grammar.parse("do not -> don't"), Grammar.parse("do not -> don't @ 0.3")
    letters = fm.Normalisation(unit="char")
    for _ in range(2):
        assert fm.align("don't", network, grammars=free).path_length == 1
        assert fm.align("don't", network, normalisation=letters, grammars=free).path_length == 5
        for metric in (fm.WER(), fm.EditMetric(substitution="0.5"), fm.WER()):
            assert fm.align("don't", network, metric, grammars=priced).cost == 0.3


def test_rewrites_of_a_corpus_are_told_item_by_item() -> None:
    grammar = Grammar.parse("a -> b\nc ->")
    corpus = fm.score(["b", "a", "", "x"], ["a", "a", "c", "c"], grammars=grammar)
    assert [[(r.before, r.after) for r in item.rewrites] for item in corpus] == [
        [(("a",), ("b",))],
        [],
        [(("c",), ())],
        [],
    ]
    assert pickle.loads(pickle.dumps(corpus.items[0])).rewrites == corpus.items[0].rewrites
    bare = fm.score(["b"], ["a"], grammars=grammar, options=fm.SearchOptions(alignment=False))
    assert bare.items[0].rewrites == ()
    assert bare.edits == 0


@pytest.mark.parametrize("metric", ["bleu", "mean-wer"])
def test_metrics_without_best_paths_take_no_grammars(metric: str) -> None:
    with pytest.raises(FstmetricsError, match=f"{metric} takes none"):
        fm.score(["b"], ["a"], metric, grammars=Grammar.parse("a -> b"))  # type: ignore[call-overload]


def test_kbest_finds_rewritten_paths() -> None:
    found = fm.align("x", "a b", nbest=3, grammars=Grammar.parse("a b -> x ; y z")).nbest
    assert [" ".join(path.closest) for path in found] == ["x", "y z", "a b"] or {
        path.edits for path in found[1:]
    } == {2}
    assert found[0].edits == 0
    assert [rewrite.after for rewrite in found[0].rewrites] == [("x",)]


@pytest.mark.parametrize("route", ["topological", "best-first", "chart"])
@pytest.mark.parametrize("metric", METRICS, ids=["wer", "hyter", "weighted"])
def test_kbest_pairs_pay_for_rewriting(route: str, metric: fm.Metric) -> None:
    rng = random.Random(12)
    priced = 0
    for _ in range(CASES // 20):
        lattice, grammar = random_lattice(rng), random_grammar(rng, ("0", "0.5", "1/3"))
        spoken = {random_words(rng, 0, 4) for _ in range(1 if metric.window > 1 else 2)}
        texts = language(strings(lattice), grammar)
        if len(texts) > 40 or (route == "chart" and metric.window > 1):
            continue
        phrases = [" ".join(words) for words in spoken]
        network = fm.Network([fm.Card.from_phrases("S", phrases)], "S")
        hypothesis = next(iter(spoken)) if metric.window > 1 else network
        ranks = sorted(
            rank(fm.align(said, words, metric), cost) for said in spoken for words, cost in texts.items()
        )
        options = fm.SearchOptions(route=route)
        found = fm.align(hypothesis, lattice, metric, nbest=4, grammars=grammar, options=options).nbest
        assert [rank(path) for path in found] == ranks[:4]
        assert len({(path.hypothesis, path.closest) for path in found}) == len(found)
        for path in found:
            check_rewrites(path, lattice, grammar)
            priced += any(rewrite.cost for rewrite in path.rewrites)
    assert priced or metric.window > 1


def test_priced_and_free_results_do_not_add_up_by_mistake() -> None:
    free = fm.align("b", "a", grammars=Grammar.parse("a -> b"))
    priced = fm.align("b", "a", grammars=Grammar.parse("a -> b @ 0.5"))
    assert (free.cost, priced.cost, priced.score) == (0.0, 0.5, 0.5)
    with pytest.raises(FstmetricsError, match="different metrics"):
        _ = free + priced


def test_chains_and_diamonds_of_epsilons_inside_a_match() -> None:
    grammar = Grammar.parse("a b -> c")
    chain = [(0, 1, "a"), *((i, i + 1, "") for i in range(1, 100_000)), (100_000, 100_001, "b")]
    assert fm.align("c", fm.Lattice.from_arcs(chain, finals=[100_001]), grammars=grammar).edits == 0
    diamonds = [(i, i + 1, "") for i in range(1, 61) for _ in range(2)]
    lattice = fm.Lattice.from_arcs([(0, 1, "a"), *diamonds, (61, 62, "b")], finals=[62])
    assert fm.align("c", lattice, grammars=grammar).edits == 0


def test_too_many_matches_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fstmetrics.grammars.widening.MAX_MATCHES", 3)
    grammar = Grammar.parse("a -> b", "mine")
    assert fm.align("b b b", "a a a", grammars=grammar).edits == 0
    with pytest.raises(FstmetricsError, match="grammar mine: rules apply at more than 3 places"):
        fm.align("b", "a a a a", grammars=grammar)


def test_large_networks_are_widened_in_one_go() -> None:
    """10^5 arcs and 10^4 matches in well under a second."""
    import time

    arcs = [(i, i + 1, word) for i in range(25_000) for word in ("do", "not", "x", "y")]
    lattice = fm.Lattice.from_arcs(arcs, finals=[25_000])
    begin = time.process_time()
    wider = Widening((Grammar.parse("do not <-> don't"),), Normalisation())(
        Seen.plain(lattice.prepared, lattice.symbols)
    )
    assert time.process_time() - begin < 2
    assert wider is not None
    assert wider.machine.num_arcs == 100_000 + 24_999
