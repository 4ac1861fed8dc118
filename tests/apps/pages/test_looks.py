"""How objects look where people look at them: one short line, and in a notebook as HTML and SVG."""

from __future__ import annotations

import random
import re
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from xml.dom import minidom

import pytest

import fstmetrics as fm

EXAMPLES = Path(fm.__file__).parent / "examples"
WORDS = "i believe that a single lady can get on very nicely upon an income of about sixty pounds"


@pytest.fixture(scope="module")
def lattice() -> fm.Lattice:
    return fm.Lattice.read(EXAMPLES / "oracle" / "lattices" / "holmes23.slf.gz")


@pytest.fixture(scope="module")
def network() -> fm.Network:
    return fm.Network.read(EXAMPLES / "hyter" / "networks" / "station.json")


def many_paths(doublings: int) -> fm.Network:
    """2 to the power of 2 ** doublings paths."""
    cards = [fm.Card.from_phrases("C0", ["a", "b"])]
    cards += [fm.Card.from_phrases(f"C{n + 1}", [f"[C{n}] [C{n}]"]) for n in range(doublings)]
    return fm.Network(cards, f"C{doublings}")


def test_every_object_says_in_a_short_line_what_it_is(lattice: fm.Lattice, network: fm.Network) -> None:
    nbest = fm.NBest("x", (("a", "b"), ("c",)), ("a b", "c"), (-1.0, -2.0))
    (aligned,) = fm.score({"s 1": "where train station is"}, {"s 1": network}, fm.HyTER(window=3))
    corpus = fm.score(["a b", "c"], ["a x", "c"])
    compared = fm.compare({"long": ["a b"], "short": ["a"]}, ["a b"], [fm.WER()], samples=100)
    lines = [
        (lattice, "Lattice(id='holmes23', states=46, arcs=84)"),
        (network, "Network(id='station', root='S', cards=3)"),
        (network.cards["STATION"], "Card(name='STATION', arcs=8, span=None)"),
        (nbest, "NBest(id='x', entries=2, scored=True)"),
        (aligned, "Result('s 1', hyter 0.4000, 4 hits, 0 sub, 0 ins, 1 del, 1 move)"),
        (corpus, "CorpusResult(wer 0.3333, 2 hits, 1 sub, 0 ins, 0 del, 2 items)"),
        (compared, "Comparison(systems=['long', 'short'], metrics=['wer'], items=1)"),
        (fm.oracle(lattice, WORDS), "OracleResult(wer 0.0000, 18 hits, 0 sub, 0 ins, 0 del, 1-best 0.3333)"),
        (fm.network_info(network), "NetworkInfo('station', 3 cards, 34 states, 38 arcs, 27 paths)"),
        (fm.Paths(network), "Paths(27)"),
        (fm.Paths(many_paths(12)), "Paths(about 10^1233)"),
        (fm.mbr(nbest), "MBR('x', wer, 'a b', expected loss 0.5379)"),
        (fm.Grammar.load("en.contractions"), "Grammar(name='en.contractions', rules=74)"),
        (fm.Alternatives(["a", "b"]), "Alternatives(items=('a', 'b'))"),
        (
            fm.Normalisation(lowercase=True, ignore=frozenset({"uh"})),
            "Normalisation(lowercase=True, ignore=['uh'])",
        ),
        (fm.SearchOptions(threads=2), "SearchOptions(threads=2)"),
        (fm.Limits(cells=7), "Limits(cells=7)"),
    ]
    assert [repr(thing) for thing, _ in lines] == [line for _, line in lines]


def test_a_repr_is_short_whatever_is_in_the_object() -> None:
    long = "w" * 10_000
    for thing in (
        fm.score({long: long}, {long: long})[0],
        fm.Alternatives([long] * 10_000),
        fm.Normalisation(ignore=frozenset(map(str, range(10_000)))),
        fm.NBest(long, ((long,),), (long,)),
        fm.Card.from_phrases(long, [long]),
        fm.mbr(fm.NBest(long, ((long,),), (long,))),
        fm.score([long] * 500, [long] * 500).items,
    ):
        assert len(repr(thing)) < 250, type(thing)


class Text(HTMLParser):
    """The text of a page, what its elements are, and whether each is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.elements, self.open = "", set[str](), list[str]()
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.open.append(tag)
        assert {name for name, _ in attrs} <= {"style", "title"}
        assert not any("url" in (value or "") for _, value in attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text = " ".join([*self.text.split(), *data.split()])


PLAIN = {"div", "span", "b", "table", "tr", "th", "td", "details", "summary"}
BAD = "<script>alert(1)</script>&amp;\x1b"


def html_of(thing: object) -> Text:
    page = Text(thing._repr_html_())  # type: ignore[attr-defined]
    assert page.elements <= PLAIN
    return page


def test_a_result_shows_both_sides_over_the_operations() -> None:
    page = html_of(fm.align("a x c d", "a b c"))
    assert page.text.endswith("a a x b S c c d * I S substitution, I insertion")
    assert "wer 0.6667" in page.text


def test_a_reordered_hypothesis_is_shown_as_given_too(network: fm.Network) -> None:
    page = html_of(fm.align("where train station is", network, fm.HyTER(window=3)))
    assert "as given: where train station is" in page.text
    assert "D deletion, < reordering move, of words underlined" in page.text


def test_an_oracle_shows_the_1_best_and_a_result_its_k_best_paths(lattice: fm.Lattice) -> None:
    assert (
        "1-best: wer 0.3333 (5 sub, 1 ins, 0 del; 18 reference words)"
        in html_of(fm.oracle(lattice, WORDS)).text
    )
    page = html_of(fm.align(lattice, WORDS, nbest=3))
    assert "3 best paths" in page.text
    assert page.text.count("nicely") == 2 + 2 * 3


def test_a_corpus_shows_its_numbers_and_the_worst_items() -> None:
    hypotheses = {f"u{n}": "a b c d" for n in range(9)} | {"bad": "x", "worse": "x y"}
    page = html_of(fm.score(hypotheses, {id: "a b c d" if id[0] == "u" else "a" for id in hypotheses}))
    assert page.text.index("worse wer 2.0000") < page.text.index("bad wer 1.0000")
    assert "0.0789" in page.text
    assert "u1" not in page.text
    many = html_of(fm.score(["x"] * 30, ["a"] * 30))
    assert "… and 25 more with errors" in many.text


def test_a_comparison_shows_scores_intervals_and_p_values() -> None:
    compared = fm.compare(
        {"A": ["a b"] * 40, "B": ["a"] * 40}, ["a b"] * 40, [fm.WER(), fm.BLEU()], samples=100
    )
    page = html_of(compared)
    for shown in (
        "wer, lower is better",
        "bleu, higher is better",
        "0.5000",
        "+0.5000",
        "40 items",
        "0.0099",
    ):
        assert shown in page.text


def test_other_results_are_tables_too(lattice: fm.Lattice, network: fm.Network) -> None:
    assert "bleu mean" in html_of(fm.score(["a b"], ["a b"], "bleu")).text
    assert "holds 1 of the probability" in html_of(fm.mbr(lattice, nbest=3)).text
    assert "about 10^1233" in html_of(fm.network_info(many_paths(12))).text
    assert (
        html_of(fm.NBest("x", (("a",), ("b",)), ("a", "b"), (-1.0, -2.5))).text
        == "x score entry 1 -1 a 2 -2.5 b"
    )
    assert "vocabulary 21" in html_of(fm.network_info(network)).text


def test_words_and_names_never_become_markup() -> None:
    results = fm.score({BAD: BAD}, {BAD: "<i>"})
    compared = fm.compare({BAD: [BAD], "<b>": ["x"]}, [BAD], [fm.WER()], samples=10)
    network = fm.Network([fm.Card.from_phrases("S", [BAD])], "S", id=BAD)
    nbest = fm.NBest(BAD, ((BAD,), ("<i>",)), (BAD, "<i>"))
    for thing in (results, results[0], compared, fm.mbr(nbest, nbest=2), fm.network_info(network)):
        page = html_of(thing)
        assert "script" not in page.elements
        assert r"\x1b" in page.text
    minidom.parseString(network._repr_svg_() or "")
    assert "<script" not in (network._repr_svg_() or "")


def test_long_things_are_cut_and_say_how_much_more_there_is() -> None:
    words = [f"w{n}" for n in range(5000)]
    page = fm.align(words, words[1:])._repr_html_()
    assert "… and 4800 more operations" in page
    assert len(page) < 100_000
    long = fm.align(["x" * 10**6], ["y" * 10**6])._repr_html_()
    assert len(long) < 10_000
    nbest = [" ".join(words[n : n + 30]) for n in range(100)]
    assert "… and 30 more rows" in fm.align(fm.Alternatives(nbest), nbest[0], nbest=50)._repr_html_()


def svg_words(svg: str) -> list[str]:
    return sorted(
        str(each.firstChild.data) for each in minidom.parseString(svg).getElementsByTagName("tspan")
    )


def test_small_lattices_and_networks_are_drawn_with_all_their_words() -> None:
    lattice = fm.Lattice.from_strings(["a b c", "a x c", "天气"])
    svg = lattice._repr_svg_()
    assert svg
    assert svg_words(svg) == ["a", "b", "c", "c", "x", "天气"]
    assert svg.count("<circle") == lattice.num_states + len(lattice.automaton.finals)
    network = fm.Network(
        [fm.Card.from_phrases("S", ["a [X]"]), fm.Card.from_phrases("X", ["<b>", "y z"])], "S"
    )
    assert svg_words(network._repr_svg_() or "") == ["<b>", "a", "y", "z"]


def test_parallel_arcs_are_one_line_and_many_are_counted() -> None:
    arcs = [(0, 1, f"w{n}") for n in range(9)]
    assert svg_words(fm.Lattice.from_arcs(arcs, finals=[1])._repr_svg_() or "")[-1] == "… 4 more"


def test_circles_and_loops_are_drawn() -> None:
    arcs = ((0, 1, "a"), (1, 2, "b"), (2, 1, "again"), (2, 2, "uh"), (0, 2, "skip"))
    network = fm.Network([fm.Card("S", arcs, frozenset({2}))], "S")
    assert svg_words(network._repr_svg_() or "") == ["a", "again", "b", "skip", "uh"]


def places_of(svg: str) -> list[tuple[float, float, float, float]]:
    """Left, right, top and bottom of every label and state."""
    page = minidom.parseString(svg)
    found = []
    for text in page.getElementsByTagName("tspan"):
        x, y, half = (
            float(text.getAttribute("x")),
            float(text.getAttribute("y")),
            3 * len(text.firstChild.data),
        )
        found.append((x - half, x + half, y - 9, y + 2))
    for state in {(c.getAttribute("cx"), c.getAttribute("cy")) for c in page.getElementsByTagName("circle")}:
        x, y = map(float, state)
        found.append((x - 5, x + 5, y - 5, y + 5))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_no_label_or_state_lies_on_another(seed: int) -> None:
    rng = random.Random(seed)
    last = rng.randrange(2, 14)
    arcs = [(n, n + 1, "word") for n in range(last)]
    arcs += [
        (*sorted(rng.sample(range(last + 1), 2)), rng.choice(["a", "longer", "of"])) for _ in range(2 * last)
    ]
    svg = fm.Lattice.from_arcs(arcs, finals=[last])._repr_svg_()
    assert svg
    for one, other in combinations(places_of(svg), 2):
        apart = one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]
        assert apart, (one, other)


def test_what_is_too_large_is_not_drawn(lattice: fm.Lattice) -> None:
    assert lattice._repr_svg_()
    assert fm.Lattice.from_strings(["a " * 300])._repr_svg_() is None
    assert many_paths(12)._repr_svg_() is None
    passing = [(n, n + 1, "a") for n in range(110)] + [(0, n, "b") for n in range(2, 110)]
    assert fm.Lattice.from_arcs(passing, finals=[110])._repr_svg_() is None


def test_numbers_of_a_table_are_to_the_right_and_words_to_the_left(lattice: fm.Lattice) -> None:
    page = fm.align(lattice, WORDS, nbest=2)._repr_html_()
    cells = re.findall(r"text-align:(\w+)[^>]*>([^<]*)</td>", page)
    assert [side for side, _ in cells] == ["left", "right", "right", "left", "left"] * 2
