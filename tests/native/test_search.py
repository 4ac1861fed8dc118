"""Laziness, counters, limits, the choice of a route, and what each route refuses."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import fstmetrics as fm


def doubling_network(depth: int) -> fm.Network:
    """A card reads its word and the card below twice, or one word and no more: up to 2^depth words a path."""
    cards = [fm.Card.from_phrases("C0", ["a", "b"])]
    for i in range(1, depth + 1):
        cards.append(fm.Card.from_phrases(f"C{i}", [f"w{i} [C{i - 1}] [C{i - 1}]", f"v{i}"]))
    return fm.Network(cards, f"C{depth}")


def wide_network(cards: int, choices: int) -> fm.Network:
    """A sentence of `cards` places, each with `choices` phrases of two words of its own."""
    made = [
        fm.Card.from_phrases(f"C{i}", [f"w{i}.{j} v{i}.{j}" for j in range(choices)]) for i in range(cards)
    ]
    return fm.Network([*made, fm.Card.from_phrases("S", [" ".join(f"[C{i}]" for i in range(cards))])], "S")


def test_nothing_is_expanded_before_the_search_asks() -> None:
    """A perfect hypothesis: A* looks at about one path of 200^20, and the counters prove it."""
    network = wide_network(20, 200)
    hypothesis = " ".join(f"w{i}.7 v{i}.7" for i in range(20))
    result = fm.align(hypothesis, network, fm.HyTER(), options=fm.SearchOptions(route="best-first"))
    assert result.edits == 0
    assert result.stats is not None
    assert network.rtn.expanded_arcs > 8000
    assert result.stats.expanded < 20 * 8
    # Every alternative's first state is named when its card is entered, none is read beyond its first word.
    assert result.stats.reference_states < 20 * 210


def test_a_network_too_large_to_expand_is_searched_lazily() -> None:
    network = doubling_network(40)
    assert network.rtn.expanded_arcs > 10**12
    hypothesis = "w40 v39 w39 v38 x w38 v37 v37"
    lazily = fm.SearchOptions(route="best-first")
    result = fm.align(hypothesis, network, options=lazily)
    assert " ".join(result.closest) == "w40 v39 w39 v38 w38 v37 v37"
    assert result.stats is not None
    assert result.stats.expanded < 100
    with pytest.raises(fm.SearchError, match="max_nodes"):
        fm.align(hypothesis, network, options=fm.SearchOptions(route="best-first", max_nodes=10))
    chart = fm.align(hypothesis, network)
    assert chart.stats is not None
    assert (chart.stats.route, chart.totals) == ("chart", result.totals)
    assert chart.stats.expanded < 20_000
    with pytest.raises(fm.SearchError, match="max_expanded_arcs"):
        fm.align(hypothesis, network, "wrr", options=fm.SearchOptions(route="topological"))
    with pytest.raises(fm.SearchError, match="2199023255551 words do not fit exact integers"):
        fm.align(hypothesis, network, "wrr")
    smaller = fm.align("w24 v23 w23 v22 x w22 v21 v21", doubling_network(24), "wrr")
    assert (smaller.score, smaller.stats and smaller.stats.route) == (6 / 7, "chart")


def test_windows_are_read_lazily() -> None:
    words = " ".join(f"w{i}" for i in range(40))
    metric = fm.HyTER(window=10)
    result = fm.align(words, words, metric, options=fm.SearchOptions(route="best-first"))
    assert result.edits + result.moves == 0
    assert result.stats is not None
    assert result.stats.hypothesis_states < 40 * 12  # of 40 * 2^9 * 9


def test_estimates_save_work_over_dijkstra() -> None:
    network = wide_network(8, 4)
    hypothesis = "x " + " ".join(f"w{i}.1 y{i}" for i in range(8))
    expanded = {}
    for route in ("best-first", "dijkstra"):
        result = fm.align(hypothesis, network, fm.HyTER(3), options=fm.SearchOptions(route=route))
        assert result.stats is not None
        expanded[route] = result.stats.expanded
        assert (result.edits, result.moves) == (9, 0)
    assert expanded["best-first"] * 2 < expanded["dijkstra"]


def cyclic_lattice() -> fm.Lattice:
    """a (b a)*"""
    return fm.Lattice.from_arcs([(0, 1, "a"), (1, 2, "b"), (2, 1, "a")], finals=[1])


@pytest.mark.parametrize("route", ["topological", "best-first", "dijkstra", "auto"])
def test_cyclic_references(route: str) -> None:
    options = fm.SearchOptions(route=route)
    result = fm.align("a b a b x a b a", cyclic_lattice(), options=options)
    assert (result.edits, result.path_length, result.score) == (1, 7, 1 / 7)
    assert " ".join(result.closest) == "a b a b a b a"
    result = fm.align("", cyclic_lattice(), options=options)
    assert (result.edits, result.closest) == (1, ("a",))
    assert [r.edits for r in fm.align("a b", cyclic_lattice(), nbest=3, options=options).nbest] == [1, 1, 3]


def test_cyclic_references_with_gains() -> None:
    """Matches gain and deletions are free: the shortest reference that matches all of H."""
    result = fm.align("a b a b a", cyclic_lattice(), "wrr")
    assert (result.score, result.closest) == (1.0, tuple("ababa"))


@pytest.mark.parametrize("epsilon_cycle", [[(1, 1, "")], [(1, 2, ""), (2, 1, "")]])
@pytest.mark.parametrize("route", ["topological", "best-first"])
def test_epsilon_cycles_on_the_reference_side(epsilon_cycle: list[tuple[int, int, str]], route: str) -> None:
    lattice = fm.Lattice.from_arcs([(0, 1, "a"), *epsilon_cycle, (1, 3, "b")], finals=[3])
    assert fm.align("a b", lattice, options=fm.SearchOptions(route=route)).edits == 0


def test_cyclic_hypothesis_is_refused() -> None:
    with pytest.raises(fm.SearchError, match="hypothesis has a cycle"):
        fm.align(cyclic_lattice(), "a b a")
    with pytest.raises(fm.FstmetricsError, match="cycle"):
        cyclic_lattice().best_path()


def test_free_deletions_on_a_cycle_are_refused() -> None:
    for route in ("topological", "best-first", "auto"):
        metric = fm.EditMetric(deletion=0, insertion=1, substitution=1)
        with pytest.raises(fm.SearchError, match=r"cycle|cyclic"):
            fm.align("a", cyclic_lattice(), metric, options=fm.SearchOptions(route=route))


def test_negative_costs_are_refused_by_best_first() -> None:
    with pytest.raises(fm.SearchError, match="negative costs"):
        fm.align("a", "a", "grr", options=fm.SearchOptions(route="best-first"))


def test_limits_name_the_option() -> None:
    network = wide_network(5, 5)
    with pytest.raises(fm.SearchError, match="max_expanded_arcs"):
        fm.align("a", network, options=fm.SearchOptions(route="topological", max_expanded_arcs=10))
    with pytest.raises(fm.SearchError, match="max_cells"):
        fm.align("a", network, options=fm.SearchOptions(route="topological", max_cells=10))
    chart = fm.align("a", network, options=fm.SearchOptions(max_expanded_arcs=10))
    assert chart.stats is not None
    assert chart.stats.route == "chart"
    lazily = fm.align(network, network, options=fm.SearchOptions(max_expanded_arcs=10))
    assert lazily.stats is not None
    assert lazily.stats.route == "best-first"


def test_unknown_route() -> None:
    with pytest.raises(
        ValueError,
        match="unknown route 'magic'; known are auto, bit-parallel, string-pair, unit-rows, rows, graphs",
    ):
        fm.align("a", "a", options=fm.SearchOptions(route="magic"))


def route_of(result: fm.Result) -> str:
    assert result.stats is not None
    return result.stats.route


def chain_of(words: str, length: int) -> fm.Lattice:
    """All strings of so many words."""
    return fm.Lattice.from_arcs([(i, i + 1, w) for i in range(length) for w in words], finals=[length])


@pytest.mark.parametrize(
    ("words", "length"),
    [
        ("ab", 33),  # 31 edits, all of which have to be searched for
        ("ab", 34),  # 32
        ("ab", 400),
        ("xy", 400),  # 400 edits, known at once: words that the string lacks
        ("xa", 400),  # 399, of which none is certain
    ],
)
def test_answers_far_away_are_left_to_tables(words: str, length: int) -> None:
    """Level by level, a set for every state and level would be much memory, and slower."""
    lattice = chain_of(words, length)
    for hypothesis, reference in (("a b", lattice), (lattice, "a b")):
        found = fm.align(hypothesis, reference)
        assert route_of(found) != "bit-parallel"
        level_by_level = fm.SearchOptions(route="bit-parallel")
        assert found.totals == fm.align(hypothesis, reference, options=level_by_level).totals
        assert fm.wer(hypothesis, reference) == found.score
    assert found.edits == length - (0 if words == "xy" else 2 if words == "ab" else 1)


@pytest.mark.parametrize("words", ["x", "ab", "abc"])
def test_nothing_against_a_long_graph_is_left_to_tables(words: str) -> None:
    """There is no time for one level; in a thread of its own, which keeps no space of other searches."""
    lattice = chain_of(words, 60)
    for hypothesis, reference in (("", lattice), (lattice, "")):
        with ThreadPoolExecutor(1) as fresh:
            found = fresh.submit(fm.align, hypothesis, reference).result()
        assert found.edits == 60
        assert fm.wer(hypothesis, reference) == found.score


def late_lattice(length: int, late: int, words: str = "ab") -> fm.Lattice:
    """A chain whose words are all `x` until `late` places before its end."""
    early = [(i, i + 1, "x") for i in range(length - late)]
    return fm.Lattice.from_arcs(
        early + [(i, i + 1, w) for i in range(length - late, length) for w in words], finals=[length]
    )


@pytest.mark.parametrize(
    ("late", "words", "metric", "route"),
    [
        (300, 40, "wer", "topological"),  # all 40 words can be placed from the beginning on
        (300, 40, "wrr", "topological"),
        (300, 40, "sclite", "topological"),
        (300, 160, "wer", "unit-rows"),  # more than half a path has places for
        (300, 160, "wrr", "rows"),
        (180, 40, "wer", "unit-rows"),  # not on the first half of it: 120 places without one of the words
        (180, 40, "wrr", "rows"),
        (189, 40, "wer", "unit-rows"),
        (190, 40, "wer", "topological"),  # 110 and 40
        (300, 40, "grr", "rows"),  # words in a row are best: fewer cells tie
    ],
)
def test_where_nearly_all_cells_tie_they_are_not_settled_afterwards(
    late: int, words: int, metric: str, route: str
) -> None:
    lattice = late_lattice(300, late)
    string = "a b " * (words // 2)
    for sides in ((string, lattice), (lattice, string)):
        found = fm.align(*sides, metric)
        assert route_of(found) == route
        others = [found.totals]
        for other in ("unit-rows", "rows", "topological"):
            if other == "unit-rows" and metric != "wer":
                continue
            others.append(fm.align(*sides, metric, options=fm.SearchOptions(route=other)).totals)
        assert set(others) == {found.totals}
        if metric == "wer":
            assert fm.wer(*sides) == found.score


def test_a_table_too_large_for_the_topological_route_is_left_to_rows() -> None:
    lattice, string = late_lattice(300, 300), "a b " * 20
    limit = 301 * 41
    routes = [
        route_of(fm.align(lattice, string, metric, options=fm.SearchOptions(max_cells=cells)))
        for metric in ("wer", "wrr")
        for cells in (limit, limit - 1)
    ]
    assert routes == ["topological", "unit-rows", "topological", "rows"]


def test_automatic_route() -> None:
    """The rule of docs/routes.md."""
    lattice = fm.Lattice.from_arcs([(0, 1, "a"), (0, 1, "b")], finals=[1])
    assert route_of(fm.align("a b c", "a b c")) == "bit-parallel"
    assert route_of(fm.align("a b c", "a b c", fm.HyTER(6))) == "bit-parallel"
    chain = chain_of("ab", 31)
    assert route_of(fm.align(" ".join("a" * 31), chain)) in ("bit-parallel", "unit-rows")
    assert route_of(fm.align(" ".join("a" * 70), chain)) == "unit-rows"
    assert route_of(fm.align(" ".join("a" * 32), chain, fm.HyTER(2))) == "bit-parallel"
    # Beyond their reach, but within that of rows: other costs.
    assert route_of(fm.align("a b c", "a b c", "grr")) == "rows"
    words = " ".join(f"w{i % 7}" for i in range(5000))
    bits = words.rsplit(" ", 4937)[0]  # 63 words
    assert route_of(fm.align(bits, words)) == "bit-parallel"
    assert (
        route_of(fm.align(f"x {bits}", f"{bits} x")) == "string-pair"
    )  # 64 words, and nothing alike at the ends
    assert route_of(fm.align(f"x {bits}", f"{bits} x", "wrr")) == "rows"
    assert route_of(fm.align(f"x {bits}", f"x {bits} x", "wrr")) == "bit-parallel"
    half = words[: len(words) // 4]
    counts = fm.SearchOptions(alignment=False)
    assert route_of(fm.align(f"x {half}", f"{half} x", options=counts)) == "string-pair"
    assert route_of(fm.align(lattice, lattice)) == "topological"  # so few pairs
    assert route_of(fm.align(chain_of("ab", 31), chain_of("abc", 31))) == "graphs"
    # Beyond all of these: k-best, a wide window, a cycle, memories, costs by word, a dear match.
    assert route_of(fm.align("a b c", "a b c", nbest=2)) == "topological"
    assert route_of(fm.align("a b c d e f g", "a b c", fm.HyTER(7))) == "topological"
    assert route_of(fm.align("a b", cyclic_lattice())) == "topological"
    assert route_of(fm.align(lattice, lattice, "grr")) == "topological"
    far_too_large = doubling_network(40)
    assert route_of(fm.align("w40 v39", far_too_large)) == "chart"
    assert route_of(fm.align(doubling_network(24), "w24 v23 v23", "grr", nbest=2)) == "chart"
    many = " ".join(["w40 v39"] * 3000)  # a chart of so many contexts would take minutes
    with pytest.raises(fm.SearchError, match="the best-first route met more than 1000 product states"):
        fm.align(many, far_too_large, options=fm.SearchOptions(max_nodes=1000))
    by_word = fm.EditMetric(cost=lambda op, h, r: float(op != "match"))
    assert route_of(fm.align("a", "a", by_word)) == "topological"
    assert route_of(fm.align("a", "a", fm.EditMetric(match=2))) == "topological"
    # 5,000 x 5,000 arcs are more than 20 million pairs.
    small = fm.SearchOptions(max_nodes=1000)
    with pytest.raises(fm.SearchError, match="max_nodes"):
        fm.align(words, words[::-1], by_word, options=small)


@pytest.mark.parametrize("words", [12, 40])
def test_a_confusion_network_is_taken_by_its_pairs_of_states_not_by_its_arcs(words: int) -> None:
    """Of hundreds of words side by side, only those of the string are looked at."""
    arcs = [(i, i + 1, f"w{i + j}") for i in range(words) for j in range(500)]
    lattice = fm.Lattice.from_arcs(arcs, finals=[words])
    text = " ".join(f"w{i}" for i in range(words))
    assert route_of(fm.align(lattice, text)) == "bit-parallel"


def test_routes_of_unit_costs_show_the_same_of_equally_good_alignments() -> None:
    rng = random.Random(1)
    for _ in range(200):
        length = rng.randint(1, 20)
        arcs = [
            (i, min(length, i + rng.randint(1, 2)), rng.choice("abc"))
            for i in range(length)
            for _ in range(3)
        ]
        lattice = fm.Lattice.from_arcs(arcs, finals=[length])
        text = " ".join(rng.choices("abcd", k=rng.randint(1, 25)))
        bits, rows = (
            fm.align(lattice, text, options=fm.SearchOptions(route=route)).alignment
            for route in ("bit-parallel", "unit-rows")
        )
        assert bits == rows


def test_of_equally_good_alignments_errors_of_one_side_come_first() -> None:
    for route in ("bit-parallel", "unit-rows"):
        result = fm.align("Appeared calm", "Orejuela appeared calm", options=fm.SearchOptions(route=route))
        assert "".join(pair.op for pair in result.alignment) == "DS="


def test_routes_of_a_string_say_what_they_take() -> None:
    with pytest.raises(fm.SearchError, match="at most 63 words"):
        fm.align("a", "a", "grr", options=fm.SearchOptions(route="bit-parallel"))
    with pytest.raises(fm.SearchError, match="a plain string on one side"):
        fm.align("a b", "a", fm.HyTER(2), options=fm.SearchOptions(route="rows"))
    with pytest.raises(fm.SearchError, match="a plain string on both sides"):
        fm.align("a b", fm.Alternatives(["a", "b"]), "grr", options=fm.SearchOptions(route="string-pair"))
    with pytest.raises(fm.SearchError, match="route unit-rows cannot be used"):
        fm.align("a b", "a", "grr", options=fm.SearchOptions(route="unit-rows"))


def test_threads_give_the_same_results() -> None:
    network = wide_network(10, 20)
    hypotheses = [" ".join(f"w{i}.{(i * k) % 23}" for i in range(10)) for k in range(100)]
    options = [fm.SearchOptions(threads=threads) for threads in (1, 2, 5)]
    results = [fm.score(hypotheses, [network] * 100, fm.HyTER(3), options=o) for o in options]
    assert results[0] == results[1] == results[2]


def test_long_sentences_and_many_decimals_need_wide_integers() -> None:
    """Ranked costs beyond 64 bits: 1,000 words, and a cost of 15 decimals."""
    words = [f"w{i % 7}" for i in range(1000)]
    metric = fm.GRR(4, 0.123456789012345, 0.1)
    result = fm.align(words, words[:-1], metric)
    assert result.gain == pytest.approx(999 * 4 - 6 - 0.123456789012345, abs=1e-9)
    with pytest.raises(fm.FstmetricsError, match="more than 18 decimals"):
        fm.GRR(4, 1e-19)
    with pytest.raises(fm.SearchError, match="fewer decimals"):
        fm.align(words, words, fm.EditMetric(substitution=1e-18, insertion=1, deletion=1))


def plain_distance(hypothesis: list[str], reference: list[str]) -> int:
    """Levenshtein's table, a row at a time."""
    row = np.arange(len(reference) + 1)
    words = np.array(reference)
    steps = np.arange(len(reference) + 1)
    for word in hypothesis:
        below = np.minimum(row[:-1] + (words != word), row[1:] + 1)
        row = np.minimum.accumulate(np.concatenate([[row[0] + 1], below]) - steps) + steps
    return int(row[-1])


@pytest.mark.parametrize("words", [300, 9000])  # 16 and 32 bits a cell
def test_long_transcripts(words: int) -> None:
    """What is kept for ties grows with the paths, not with the table: this needed gigabytes once."""
    rng = random.Random(words)
    reference = [f"w{rng.randrange(50)}" for _ in range(words)]
    hypothesis = [w if rng.random() < 0.9 else "x" for w in reference if rng.random() < 0.95]
    result = fm.align(hypothesis, reference, options=fm.SearchOptions(route="rows"))
    assert result.edits == plain_distance(hypothesis, reference)
    assert result.hypothesis == tuple(hypothesis)
    assert result.closest == tuple(reference)


def test_many_equally_good_sequences_are_gone_through_in_depth() -> None:
    """Each of 400 places has five words: 5^400 sequences miss by as many words; three of them take a moment."""
    words = [f"w{i}" for i in range(5)]
    arcs = [(i, i + 1, word) for i in range(400) for word in words]
    lattice = fm.Lattice.from_arcs(arcs, finals=[400])
    options = fm.SearchOptions(max_nodes=2_000_000)
    best = fm.align(lattice, "x y z", nbest=3, options=options)
    assert [path.edits for path in best.nbest] == [400] * 3
    assert len({path.hypothesis for path in best.nbest}) == 3


def test_k_best_stays_in_the_memory_it_is_given() -> None:
    arcs = [(i, i + 1, f"w{j}") for i in range(30) for j in range(20)]
    lattice = fm.Lattice.from_arcs(arcs, finals=[30])
    with pytest.raises(fm.SearchError, match="memory of 100 nodes; raise max_nodes"):
        fm.align(lattice, "w1 w2 w3", nbest=5, options=fm.SearchOptions(max_nodes=100))
