"""OpenFst as second referee on middling inputs, and [C08] §4.3's automata against the paper's description."""

from __future__ import annotations

import random
from typing import Any

import pytest

import fstmetrics as fm
from fstmetrics.openfst.classical import STAR

pynini = pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")

VOCABULARY = [f"w{i}" for i in range(12)]
METRICS = [fm.WER(), fm.WRR(), fm.GRR(), fm.GRR(3, -0.9, 1), fm.GRR(2, 0.5, -0.25), fm.Sclite()]


def random_lattice(rng: random.Random, states: int, arcs: int) -> fm.Lattice:
    """A lattice whose states are in order, with a spine so that there is a path."""
    triples = [(i, i + 1, rng.choice(VOCABULARY)) for i in range(states - 1)]
    for _ in range(arcs):
        a = rng.randrange(states - 1)
        b = min(states - 1, a + rng.randint(1, 5))
        triples.append((a, b, rng.choice([*VOCABULARY, "<eps>"])))
    return fm.Lattice.from_arcs(triples, finals=[states - 1])


def distance(fst: Any) -> float:
    """The cost of the best path; -1 weights make no negative cycle here, so Bellman-Ford ends."""
    return float(str(pynini.shortestdistance(fst, reverse=True)[fst.start()]))


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.signature())
@pytest.mark.parametrize("seed", range(5))
def test_oracle_equals_composition_with_the_classical_automaton(metric: fm.Metric, seed: int) -> None:
    rng = random.Random(seed)
    lattice = random_lattice(rng, 40, 200)
    reference = " ".join(rng.choice(VOCABULARY) for _ in range(25))
    names = fm.SymbolTable(VOCABULARY)
    classical = metric.compile(reference, names)
    # Labels must be those of the one table: the lattice numbers its words as they come.
    fst = lattice.to_pynini(fm.Scales(0, 0, 0)).relabel_tables(
        old_isymbols=lattice.to_pynini().input_symbols(), new_isymbols=classical.input_symbols(),
        old_osymbols=lattice.to_pynini().input_symbols(), new_osymbols=classical.input_symbols(),
    )  # fmt: skip
    composed = pynini.compose(fst.arcsort("olabel"), classical.arcsort("ilabel"))
    assert fm.align(lattice, reference, metric).cost == pytest.approx(distance(composed), abs=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_both_sides_branching_equals_composition(seed: int) -> None:
    """Lattice o Levenshtein o lattice, the literal recipe of [H12], against both routes."""
    rng = random.Random(seed)
    lattices = [random_lattice(rng, 15, 40), random_lattice(rng, 18, 40)]
    fsts = []
    names = pynini.SymbolTable()
    names.add_symbol("<eps>", 0)
    for word in VOCABULARY:
        names.add_symbol(word)
    for lattice in lattices:
        own = lattice.to_pynini(fm.Scales(0, 0, 0))
        table = own.input_symbols().copy()
        fsts.append(
            own.relabel_tables(old_isymbols=table, new_isymbols=names, old_osymbols=table, new_osymbols=names)
        )
    edits = pynini.Fst()
    state = edits.add_state()
    edits.set_start(state)
    edits.set_final(state)
    labels = range(len(VOCABULARY) + 1)
    for a in labels:
        for b in labels:
            if a or b:
                edits.add_arc(state, pynini.Arc(a, b, 0 if a == b else 1, state))
    composed = pynini.compose(pynini.compose(fsts[0], edits.arcsort("ilabel")).arcsort("olabel"), fsts[1])
    for route in ("topological", "best-first", "dijkstra"):
        result = fm.align(lattices[0], lattices[1], options=fm.SearchOptions(route=route))
        assert result.edits == distance(composed)


def arcs_of(fst: Any) -> set[tuple[int, int, str, float]]:
    names = fst.input_symbols()
    return {
        (s, arc.nextstate, names.find(arc.ilabel), float(str(arc.weight)))
        for s in fst.states()
        for arc in fst.arcs(s)
    }


def test_wrr_automaton_is_that_of_the_paper() -> None:
    """[C08] eq. 5: states 0..|r|; match gain 1, epsilon 0, star 0, and star loops of gain -1."""
    fst = fm.WRR().compile("a b")
    expected = {(i, i + 1, w, -1.0) for i, w in ((0, "a"), (1, "b"))}
    expected |= {(i, i + 1, w, 0.0) for i in (0, 1) for w in ("<eps>", STAR)}
    expected |= {(i, i, STAR, 1.0) for i in (0, 1, 2)}
    assert arcs_of(fst) == expected
    assert [s for s in fst.states() if str(fst.final(s)) == "0"] == [2]


def test_grr_automaton_is_that_of_the_paper() -> None:
    """[C08] eq. 6: states (i, m), m = 0..3; match to (i+1, min(m+1, 3)) with gain m + 1; all else to memory 0."""
    alpha, beta = 0.5, 0.25
    fst = fm.GRR(4, alpha, beta).compile("a b")

    def state(i: int, m: int) -> int:
        return 4 * i + m

    expected = set()
    for m in range(4):
        for i, w in ((0, "a"), (1, "b")):
            expected.add((state(i, m), state(i + 1, min(m + 1, 3)), w, -(m + 1.0)))
            expected.add((state(i, m), state(i + 1, 0), "<eps>", beta))
            expected.add((state(i, m), state(i + 1, 0), STAR, 0.0))
        for i in (0, 1, 2):
            expected.add((state(i, m), state(i, 0), STAR, alpha))
    assert arcs_of(fst) == expected
    assert fst.start() == state(0, 0)
    assert [s for s in fst.states() if str(fst.final(s)) == "0"] == [state(2, m) for m in range(4)]


def test_spelled_out_star_costs_by_word() -> None:
    def cost(op: str, hypothesis: str | None, reference: str | None) -> float:
        return 0.25 if "uh" in (hypothesis, reference) else float(op != "match")

    metric = fm.EditMetric(cost=cost)
    fst = metric.compile("uh a", fm.SymbolTable(["uh", "a", "b"]))
    assert (1, 2, "b", 1.0) in arcs_of(fst)
    assert (2, 2, "uh", 0.25) in arcs_of(fst)
    assert (2, 2, "a", 1.0) in arcs_of(fst)
    with pytest.raises(fm.FstmetricsError, match="symbol table"):
        metric.compile("uh a")


# Costs under which a word had better stand for itself: a match costs more, or leads to where all is dear.
DEAR = [
    fm.EditMetric(3, 1, 1, 1),
    fm.EditMetric(memory=[[(1, 0), (0, 1), (0, 1), (0, 1)], [(1, 9), (1, 9), (1, 9), (1, 9)]]),
]


@pytest.mark.parametrize("metric", [*DEAR, fm.WER(), fm.GRR(3), fm.HyTER(1)], ids=lambda m: m.signature())
def test_a_spelled_out_star_is_no_match(metric: fm.Metric) -> None:
    names = fm.SymbolTable(["a", "b", "c"])
    rng = random.Random(7)
    for said, reference in [("a b", "a b")] + [
        tuple(" ".join(rng.choice("abc") for _ in range(rng.randint(1, 5))) for _ in "hr") for _ in range(40)
    ]:
        classical = metric.compile(reference, names)
        hypothesis = pynini.accep(said, token_type=classical.input_symbols())
        composed = pynini.compose(hypothesis, classical.copy().arcsort("ilabel"))
        assert distance(composed) == fm.align(said, reference, metric).cost, (said, reference)


@pytest.mark.parametrize("metric", DEAR, ids=lambda m: m.signature())
def test_a_star_that_could_be_a_better_match_is_refused(metric: fm.Metric) -> None:
    with pytest.raises(fm.FstmetricsError, match="★ would let a word stand for itself"):
        metric.compile("a b")


def test_a_star_that_is_a_word_of_the_reference_is_refused() -> None:
    with pytest.raises(fm.FstmetricsError, match="the reference has the word ★"):
        fm.WER().compile("a ★")
    assert fm.WER().compile("a ★", fm.SymbolTable(["a", "★"])).num_states() == 3


@pytest.mark.parametrize("symbols", [None, fm.SymbolTable(["a", "b"])])
def test_a_metric_that_reorders_has_no_automaton_of_the_reference(symbols: fm.SymbolTable | None) -> None:
    with pytest.raises(fm.FstmetricsError, match=r"hyter reorders .* window of 3, .*fstmetrics.compile\("):
        fm.HyTER(3).compile("a b", symbols)


def test_unknown_reference_word_is_named() -> None:
    with pytest.raises(fm.FstmetricsError, match="'zebra' is not in the symbol table"):
        fm.WER().compile("zebra", fm.SymbolTable(["cat"]))


@pytest.mark.parametrize("seed", range(3))
def test_round_trip_through_pynini(seed: int) -> None:
    lattice = random_lattice(random.Random(seed), 12, 20)
    back = fm.Lattice.from_pynini(lattice.to_pynini())

    def words(lat: fm.Lattice) -> list[tuple[int, int, str]]:
        a = lat.automaton
        return sorted(
            (s, d, lat.symbols.words[w])
            for s, d, w in zip(a.sources.tolist(), a.destinations.tolist(), a.labels.tolist(), strict=True)
        )

    assert words(back) == words(lattice)
    assert back.automaton.finals.tolist() == lattice.automaton.finals.tolist()
