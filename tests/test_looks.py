"""How objects look where people look at them: one short line, and in a notebook as HTML and SVG."""

from __future__ import annotations

from pathlib import Path

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
