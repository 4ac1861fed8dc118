"""Unions of networks: against the definition by enumeration, against OpenFst, [H12 fig. 1], and at full size."""

from __future__ import annotations

import random
import time
from itertools import pairwise, permutations

import pytest
from places import RANDOM_CASES
from random_networks import as_network, random_network, spu_strings, strings, strings_of
from small_networks import figure_1, network, openfst

import fstmetrics as fm

CASES = RANDOM_CASES // 20


def test_figure_1_of_the_paper() -> None:
    one, other = figure_1()
    union, spu = fm.union(one, other), fm.spu(one, other)
    assert [len(strings_of(n)) for n in (one, other, union, spu)] == [4, 4, 7, 9]
    sentence = "the approval level was practically zero"
    assert fm.wer(sentence, spu) == 0
    assert fm.wer(sentence, union) == pytest.approx(1 / 6)


@pytest.mark.parametrize("first", range(0, CASES, 50))
def test_unions_are_what_the_definition_says(first: int) -> None:
    for seed in range(first, first + 50):
        rng = random.Random(seed)
        parts = [random_network(rng) for _ in range(rng.randint(1, 4))]
        networks = [as_network(part, rng.random() < 0.5) for part in parts]
        union, spu = fm.union(*networks), fm.spu(*networks)
        assert strings_of(union) == frozenset().union(*map(strings, parts)), seed
        assert strings_of(spu) == spu_strings(parts), seed
        assert strings_of(spu) >= strings_of(union), seed


@pytest.mark.parametrize("seed", range(CASES // 10))
def test_the_order_does_not_matter(seed: int) -> None:
    rng = random.Random(-seed)
    networks = [as_network(random_network(rng), rng.random() < 0.5) for _ in range(rng.choice((3, 3, 4)))]
    assert len({strings_of(fm.spu(*order)) for order in permutations(networks)}) == 1
    assert len({strings_of(fm.union(*order)) for order in permutations(networks)}) == 1


def test_three_networks_at_once_are_more_than_one_after_the_other() -> None:
    """a-b and b-c share strings, a-c do not: all at once they are one card."""
    parts = [network(X=((0, 1), x), S=((0, 2), ["[X] ."])) for x in (["a", "b"], ["b", "c"], ["c", "d"])]
    assert strings_of(fm.spu(*parts)) == {(w, ".") for w in "abcd"}
    assert fm.spu(*parts).cards["X"].phrases == ("a", "b", "c", "d")


def test_cards_of_one_span_that_call_each_other_across_annotators() -> None:
    """A calls B here, B calls A there, and both are merged with their namesakes: no circle may come of it."""
    one = network(B=((0, 2), ["y"]), A=((0, 2), ["[B] x", "y"]), S=((0, 3), ["[A] .", "[B] !"]))
    other = network(A=((0, 2), ["y", "v"]), B=((0, 2), ["[A] z", "y"]), S=((0, 3), ["[A] .", "[B] !"]))
    combined = fm.spu(one, other)
    words = {"y x", "y", "v", "y z", "v z"}
    assert strings_of(combined) == {(*w.split(), end) for w in words for end in ".!"}


def test_a_card_without_a_span_is_part_of_its_caller() -> None:
    """X has no span, so it is not merged by itself; Y, which it calls, is."""
    one = network(Y=((1, 2), ["a", "b"]), X=["[Y] x"], S=((0, 3), ["[X]"]))
    other = network(Y=((1, 2), ["b", "c"]), X=["[Y] x", "q"], S=((0, 3), ["[X] !"]))
    assert strings_of(fm.spu(one, other)) == {
        ("a", "x"), ("b", "x"), ("c", "x"), ("a", "x", "!"), ("b", "x", "!"), ("c", "x", "!"), ("q", "!"),
    }  # fmt: skip


def test_the_empty_phrase_is_a_string_in_common() -> None:
    one = network(X=((0, 1), ["", "a"]), S=((0, 2), ["[X] s"]))
    card = fm.Card("X", ((0, 1, ""), (1, 2, ""), (0, 3, "b")), frozenset({2, 3}), 0, (0, 1))
    other = fm.Network([card, fm.Card.from_phrases("S", ["[X] s"], (0, 2))], "S")
    assert strings_of(fm.spu(one, other)) == {("s",), ("a", "s"), ("b", "s")}


def test_cards_of_one_network_are_merged_through_another_only() -> None:
    one = network(X=((0, 1), ["a", "b"]), Y=((0, 1), ["a", "c"]), S=((0, 2), ["[X] x", "[Y] y"]))
    assert strings_of(fm.spu(one)) == strings_of(one)
    other = network(X=((0, 1), ["a"]), S=((0, 2), ["[X] z"]))
    assert len(strings_of(fm.spu(one, other))) == 9


def test_a_cyclic_card_is_compared_too() -> None:
    """a* b and a a b share a string, a* b and a a c do not."""

    def cyclic() -> fm.Network:
        loop = fm.Card("X", ((0, 0, "a"), (0, 1, "b")), frozenset({1}), 0, (0, 1))
        return fm.Network([loop, fm.Card.from_phrases("S", ["[X] s"], (0, 2))], "S")

    merged = fm.spu(cyclic(), network(X=((0, 1), ["a a b", "d"]), S=((0, 2), ["[X] t"])))
    apart = fm.spu(cyclic(), network(X=((0, 1), ["a a c", "d"]), S=((0, 2), ["[X] t"])))
    assert [fm.wer("d s", merged), fm.wer("a b s", merged), fm.wer("a b t", merged)] == [0, 0, 0]
    assert [fm.wer("d s", apart), fm.wer("a b s", apart), fm.wer("a b t", apart)] == [
        0.5,
        0,
        pytest.approx(1 / 3),
    ]


def ambiguous(states: int, end: str) -> fm.Network:
    """A card with very many paths over two words, all of which end alike."""
    steps = [(i, i + n, word) for i in range(states) for n in (1, 2) if i + n <= states for word in "ab"]
    card = fm.Card("X", (*steps, (states, states + 1, end)), frozenset({states + 1}), 0, (0, 1))
    return fm.Network([card, fm.Card.from_phrases("S", ["[X] s"], (0, 2))], "S")


def test_cards_too_ambiguous_to_compare_are_refused_by_name() -> None:
    """Exact or refused; what is settled within the limit is settled."""
    one, other = ambiguous(50, "p"), ambiguous(50, "q")
    assert fm.Paths(fm.spu(one, other)).count == 2 * fm.Paths(one).count
    with pytest.raises(
        fm.SearchError, match=r"'X' and 'X' of span \(0, 1\) cannot be compared within 100 pairs"
    ):
        fm.spu(one, other, max_pairs=100)
    assert (
        len(fm.spu(ambiguous(50, "p"), network(X=((0, 1), ["c"]), S=((0, 2), ["[X]"])), max_pairs=100).cards)
        == 3
    )


def test_names_sources_and_ids() -> None:
    one = network(X=["a"], S=["[X]"], id="s1", source="el gato")
    other = network(X=["b"], S=["[X] ."], id="s1")
    combined = fm.union(one, other)
    assert combined.id == "s1"
    assert combined.source == ("el", "gato")
    assert set(combined.cards) == {"X", "X~2", "S"}
    assert fm.union(one, one) == one
    assert fm.union(one, network(S=["c"], id="s2")).id == ""
    with pytest.raises(
        fm.FstmetricsError, match=r"different sentences: the source of 's1' is 'el gato'.*'el perro'"
    ):
        fm.spu(one, other, network(S=["c"], source="el perro"))
    with pytest.raises(fm.FstmetricsError, match="no network"):
        fm.spu()


def test_brackets_in_names_and_words_survive() -> None:
    card = fm.Card.from_phrases("A [1]", [r"\[sic\] a\;b", "c"], (0, 1))
    one = fm.Network([card, fm.Card.from_phrases("S", [r"[A \[1\]] x"])], "S")
    other = network(X=((0, 1), ["c", "d"]), S=["[X] y"])
    combined = fm.spu(one, other)
    assert set(combined.cards) == {"A [1]", "S"}
    assert [fm.wer(words, combined) for words in ("[sic] a;b y", "d x", "[sic] ; y")] == [
        0,
        0,
        pytest.approx(1 / 3),
    ]


def spanned(rng: random.Random, words: int, own: str) -> fm.Network:
    """A binary tree of spans over a source of so many words, each card with phrases of its own and common ones."""
    cards: list[fm.Card] = []

    def grow(begin: int, end: int) -> str:
        name = f"C{begin}-{end}"
        if end - begin == 1:
            phrases = [f"w{begin}", f"w{begin} x{begin}", f"{own}{begin}"]
        else:
            middle = (begin + end) // 2
            left, right = grow(begin, middle), grow(middle, end)
            phrases = [f"[{left}] [{right}]", f"[{right}] of [{left}]", f"{own}{begin} [{right}]"]
        cards.append(fm.Card.from_phrases(name, phrases, (begin, end)))
        return name

    root = grow(0, words)
    return fm.Network(cards, root)


def as_arcs(net: fm.Network) -> fm.Network:
    """The same with cards given by arcs, in which equal phrases are not seen at a glance."""
    cards = [fm.Card(c.name, tuple(reversed(c.arcs)), c.finals, c.start, c.span) for c in net.cards.values()]
    return fm.Network(cards, net.root)


@pytest.mark.parametrize("form", [lambda net: net, as_arcs], ids=["phrases", "arcs"])
def test_ten_to_the_ten_paths_combine_within_a_second(form: object, remarks: list[str]) -> None:
    parts = [form(spanned(random.Random(0), 24, own)) for own in "pq"]  # type: ignore[operator]
    assert all(fm.network_info(part).paths >= 10**10 for part in parts)
    begin = time.process_time()
    combined = fm.spu(*parts)
    seconds = time.process_time() - begin
    remarks.append(f"source-phrase-level union of two networks with 10^10 paths: {seconds:.2f} s")
    assert seconds < 1
    assert fm.network_info(combined).paths > fm.network_info(fm.union(*parts)).paths


def annotators(net: fm.Network) -> list[fm.Network]:
    """The networks of the annotators A0, A1, ... of whom a synthetic network is the union, spans put in.

    Cards of one number are by construction different views of one source phrase; a card's span begins at its number
    and is as long as calls nest below it.
    """
    heights: dict[str, int] = {}

    def height(name: str) -> int:
        return max((1 + height(called) for called in net.cards[name].calls()), default=1)

    for name in net.cards:
        number = name.rpartition(".C")[2]
        heights[number] = max(heights.get(number, 0), height(name))

    def spanned_card(name: str) -> fm.Card:
        card, number = net.cards[name], name.rpartition(".C")[2]
        span = (int(number), int(number) + heights[number])
        return fm.Card(card.name, card.arcs, card.finals, card.start, span)

    def reachable(root: str) -> set[str]:
        return {root}.union(*map(reachable, net.cards[root].calls()))

    return [fm.Network(map(spanned_card, reachable(root)), root) for root in net.cards[net.root].calls()]


def test_spu_of_real_shapes_contains_union_contains_parts(shared: object) -> None:
    """The annotators of the synthetic networks, OpenFst being the judge: difference with the larger is empty."""
    pynini = pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")
    whole = fm.Network.read(f"{shared}/synthetic-networks/networks/combined-003.json.gz")
    parts = annotators(whole)[:3]
    union, spu = fm.union(*parts), fm.spu(*parts)
    chain = [openfst(net) for net in (parts[1], union, spu)]
    table = chain[-1].output_symbols().copy()  # type: ignore[attr-defined]
    for fst in chain:
        for _, word in fst.output_symbols():  # type: ignore[attr-defined]
            table.add_symbol(word)
    for fst in chain:
        own = fst.output_symbols().copy()  # type: ignore[attr-defined]
        fst.relabel_tables(old_isymbols=own, new_isymbols=table, old_osymbols=own, new_osymbols=table)  # type: ignore[attr-defined]
    for smaller, larger in pairwise(chain):
        assert pynini.difference(smaller, larger).num_states() == 0
        assert pynini.difference(larger, smaller).num_states() > 0


def test_a_circle_through_a_card_without_a_span_is_left_out() -> None:
    """X calls G, which has no span, and G calls Y of X's span: X's own version of Y, which leads to no other X."""
    one = fm.Network(
        [
            fm.Card.from_phrases("S", ["s [X]"], (0, 3)),
            fm.Card.from_phrases("X", ["x", "p [G]"], (1, 2)),
            fm.Card.from_phrases("G", ["g [Y]"]),
            fm.Card.from_phrases("Y", ["y", "z"], (1, 2)),
        ],
        "S",
    )
    other = fm.Network(
        [
            fm.Card.from_phrases("S", ["s [Y]"], (0, 3)),
            fm.Card.from_phrases("Y", ["y", "q [H]"], (1, 2)),
            fm.Card.from_phrases("H", ["h [X]"]),
            fm.Card.from_phrases("X", ["x"], (1, 2)),
        ],
        "S",
    )
    held = {" ".join(words) for words in fm.Paths(fm.spu(one, other))}
    assert held == {"s x", "s y", "s z", "s p g y", "s p g z", "s q h x"}
