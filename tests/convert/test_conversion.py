"""Conversions: what goes out through a writer comes back through the reader, and what would not is refused."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conversions import FORMAT_OF, MESHES, PRECISION, SAID, read, written
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from places import ROOT
from random_networks import as_network, random_network
from round_trips import apart, double, lattices, meshes, network_paths, network_strings, paths, single

import fstmetrics as fm
from fstmetrics.convert import convert
from fstmetrics.convert.files import WRITERS
from fstmetrics.data.cards import Call, Card
from fstmetrics.data.lattice import word_automaton
from fstmetrics.data.segments import TimedWords
from fstmetrics.data.symbols import WILDCARD
from fstmetrics.data.times import Times
from fstmetrics.data.transcripts import Transcript
from fstmetrics.io import FORMATS, Item, NBest, ReadOptions, Source
from fstmetrics.io.writing import Writer
from fstmetrics.io.written_words import Numbering
from fstmetrics.networks.automata import expanded, from_lattice, from_machines

LATTICE_WRITERS = [name for name, w in WRITERS.items() if w.carries.content == "lattice"]
EXACT = [name for name in LATTICE_WRITERS if name not in PRECISION and name != "plf"]


def written_or_refused(
    name: str, items: list[Item], expected: str, numbering: Numbering | None = None, **fitting: Any
) -> bytes | None:
    """A file's content, or None where it is refused with the message expected."""
    try:
        return written(name, items, numbering, **fitting)
    except fm.FstmetricsError as error:
        if not re.search(expected, str(error)):
            raise
        return None


def round_trip(name: str, found: list[fm.Lattice], folder: Path, numbers: bool) -> list[Item]:
    numbering = Numbering() if numbers else None
    if not WRITERS[name].carries.several:
        found = found[:1]
    data = written(name, [Item(f"u{i}", lattice) for i, lattice in enumerate(found)], numbering)
    items = read(name, data, folder, numbering)
    assert len(items) == len(found)
    assert not any(item.left_out for item in items)
    if WRITERS[name].carries.ids:
        assert [item.id for item in items] == [f"u{i}" for i in range(len(found))]
    return items


@pytest.mark.parametrize("name", LATTICE_WRITERS)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_lattices_come_back_with_every_path_and_every_cost(
    name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    carries = WRITERS[name].carries
    found = data.draw(st.lists(fitting_lattices(name), min_size=1, max_size=3))
    for numbers in {carries.numbers == "always", carries.numbers != "never"}:
        items = round_trip(name, found, tmp_path_factory.getbasetemp(), numbers)
        for lattice, item in zip(found, items, strict=False):
            assert_same(name, item.value, lattice)


def fitting_lattices(name: str) -> st.SearchStrategy[fm.Lattice]:
    """Lattices that a format has room for."""
    carries = WRITERS[name].carries
    if name in MESHES:
        return meshes(least=1 if name == "moses-cn" else 0)
    costs = st.floats(-1e6, 1e6) if name == "pfsg" else single if carries.rounding else double
    return lattices(costs.map(abs) if name == "plf" else costs, carries.costs == "apart")


def assert_same(name: str, found: fm.Lattice, expected: fm.Lattice) -> None:
    """The same paths, and the same costs of each: exactly, or in the format's own precision."""
    if name not in PRECISION:
        assert apart(found) == apart(expected)
        return
    sums = [
        sorted((said, sum(g for g, _ in costs), sum(a for _, a in costs)) for said, costs in paths(lattice))
        for lattice in (found, expected)
    ]
    assert [said for said, *_ in sums[0]] == [said for said, *_ in sums[1]]
    for one, other in zip(*sums, strict=True):
        assert one[1:] == pytest.approx(other[1:], abs=PRECISION[name], rel=1e-12)


@pytest.mark.parametrize("name", LATTICE_WRITERS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_words_that_are_numbers_come_back_or_are_refused(
    name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    digits = st.sampled_from(["", "0", "1", "7", "-1", "007", "2147483647", "2147483648", "12345678901"])
    lattice = data.draw(
        meshes(digits, 1)
        if name in MESHES
        else lattices(st.floats(0, 1e6), False, digits)
        if name == "pfsg"
        else lattices(single.map(abs), False, digits)
    )
    content = written_or_refused(name, [Item("u", lattice)], "all words are numbers|the format holds numbers")
    if content is None:
        return
    (item,) = read(name, content, tmp_path_factory.getbasetemp())
    assert_same(name, item.value, lattice)


@given(lattices(double), st.sampled_from([fm.Scales(12.0), fm.Scales(0.5, 2.0, -0.25)]))
@settings(max_examples=50, deadline=None)
def test_scales_multiply_costs(lattice: fm.Lattice, scales: fm.Scales) -> None:
    """A format with one cost has the path costs that the scales make of both."""
    with_penalty = {}
    for said, costs in paths(lattice):
        counted = sum(word not in ("<s>", "</s>") for word in said)
        total = sum(scales.lm * g + scales.acoustic * a for g, a in costs) + scales.word_penalty * counted
        with_penalty.setdefault(said, []).append(total)
    data = written_or_refused("att", [Item("u", lattice)], "too large", scales=scales)
    if data is None:
        return
    (item,) = FORMATS["att"].read(Source("u.att", data), ReadOptions())
    found: dict[tuple[str, ...], list[float]] = {}
    for said, costs in paths(item.value):
        found.setdefault(said, []).append(sum(g for g, _ in costs))
    assert found.keys() == with_penalty.keys()
    for said, totals in found.items():
        scale = max(1.0, *(abs(v) for _, costs in paths(lattice) for pair in costs for v in pair)) * 24
        assert sorted(totals) == pytest.approx(sorted(with_penalty[said]), rel=1e-9, abs=1e-12 * scale)


@pytest.mark.parametrize("seed", range(30))
def test_networks_come_back(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    network = as_network(random_network(rng), phrases=seed % 2 == 0, id="n")
    for name in ("network", "cards"):
        (item,) = read(name, written(name, [Item("n", network)]), tmp_path)
        assert network_strings(item.value) == network_strings(network)
        assert {n: c.span for n, c in item.value.cards.items()} == {
            n: c.span for n, c in network.cards.items()
        }
        assert item.value.id == "n"
    for name in LATTICE_WRITERS:
        if name in MESHES:
            continue
        numbering = Numbering() if WRITERS[name].carries.numbers == "always" else None
        (item,) = read(name, written(name, [Item("n", network)], numbering, lossy=True), tmp_path, numbering)
        found = item.value
        said = (
            network_strings(found) if isinstance(found, fm.Network) else {words for words, _ in paths(found)}
        )
        assert said == network_strings(network)
    path = tmp_path / "n.far"
    path.write_bytes(written("far-cards", [Item("n", network)], lossy=True))
    convert(str(path), str(tmp_path / "back.json"))
    assert network_strings(fm.Network.read(tmp_path / "back.json")) == network_strings(network)


SENTENCES = st.lists(SAID, max_size=5).map(tuple)


@pytest.mark.parametrize("name", ["plain", "kaldi-text", "trn"])
@settings(max_examples=100, deadline=None)
@given(sentences=st.lists(SENTENCES, min_size=1, max_size=3))
def test_sentences_come_back(
    name: str, sentences: list[tuple[str, ...]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    items = [Item(f"u-{i}" if name != "plain" else None, words) for i, words in enumerate(sentences)]
    found = read(name, written(name, items), tmp_path_factory.getbasetemp())
    assert [(item.id, item.value) for item in found] == [(item.id, item.value) for item in items]


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("i've { um / uh / @ } as { far { a / b } / (x) } as", "sclite"),
        ("a {b|c d|} {e|f}", "braces"),
        ("[noise] [a|b|c/d]", "brackets"),
        ("{ a / b }", "sclite"),
    ],
)
def test_choices_come_back_as_trn(text: str, notation: Any, tmp_path: Path) -> None:
    transcript = Transcript.parse(text, notation)
    (item,) = read("trn", written("trn", [Item("u-1", transcript)]), tmp_path)
    expected, found = ({said for said, _ in paths(t.lattice)} for t in (transcript, item.value))
    assert found == expected
    with pytest.raises(fm.FstmetricsError, match="all alternatives but the first"):
        written("plain", [Item(None, transcript)])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("we (uh) met", ("we", "uh", "met")),
        (r"\(uh) { (uh) / um / @ } a (b\/c) (d)", ("(uh)", "uh", "a", "b/c", "d")),
        ("{ (uh) / @ } x { a (e) / y z }", ("uh", "x", "a", "e")),
        ("{ um / (uh) } x", ("um", "x")),
        ("(uh)", ("uh",)),
        (r"(\@) (\(x))", ("@", "(x)")),
    ],
)
def test_words_in_parentheses_stay_so_or_are_a_loss(text: str, said: tuple[str, ...], tmp_path: Path) -> None:
    transcript = Transcript.parse(text, "sclite", tags=True)
    items = [Item("u-1", transcript)]
    assert written("trn", items).decode() == f"{text} (u-1)\n"
    with pytest.raises(fm.FstmetricsError, match=r"would lose the parentheses of \(word\), which"):
        written("kaldi-text", items)
    with pytest.raises(fm.FstmetricsError, match=r"would lose that \(word\) is one in a hypothesis"):
        written("slf", items)
    (item,) = read("kaldi-text", written("kaldi-text", items, lossy=True), tmp_path)
    assert item.value == said


STRETCHES = st.recursive(
    st.sampled_from(["a", "b", "<*>", "<*>", "(x)", r"\<*>", r"\{", "@", r"\@", r"\(x)"]),
    lambda inner: st.lists(st.lists(inner, min_size=1, max_size=2).map(" ".join), min_size=1, max_size=3).map(
        lambda each: "{ " + " / ".join(each) + " }"
    ),
    max_leaves=6,
)


def open_paths(transcript: Transcript) -> set[tuple[str, ...]]:
    """What it says, an open stretch being one word of its own."""
    lattice = transcript.lattice
    automaton, words = lattice.automaton, lattice.symbols.words
    arcs = list(zip(automaton.sources, automaton.destinations, automaton.labels, strict=True))
    loops = {a for a, b, _ in arcs if a == b}
    assert loops == {a for a, _, label in arcs if words[label] == WILDCARD}
    kept = [(int(a), int(b), WILDCARD if b in loops else words[label]) for a, b, label in arcs if a != b]
    straight = fm.Lattice.from_arrays(
        *zip(*kept, strict=True), finals=automaton.finals, num_states=automaton.num_states
    )
    return {said for said, _ in paths(straight)}


@pytest.mark.parametrize("name", [name for name in WRITERS if name != "ctm"])
@settings(max_examples=30, deadline=None)
@given(texts=st.lists(STRETCHES, min_size=1, max_size=3).map(" ".join))
@example(texts="a { b / @ } { c / <*> }")
@example(texts="a <*> <*> c")
@example(texts="<*>")
def test_open_stretches_come_back_or_are_refused(
    name: str, texts: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    transcript = Transcript.parse(texts, "sclite", tags=True)
    assume(transcript.has_wildcards)
    items = [Item("u-1" if name != "plain" else None, transcript)]
    if not WRITERS[name].carries.choices:
        with pytest.raises(
            fm.FstmetricsError, match=re.escape(f"writing {name} would lose open stretches (<*>)")
        ):
            written(name, items)
        if WRITERS[name].carries.content == "text":
            said = {tuple(w for w in path if w != WILDCARD) for path in open_paths(transcript)}
            (item,) = read(name, written(name, items, lossy=True), tmp_path_factory.getbasetemp())
            assert item.value in said
        return
    (item,) = read(name, written(name, items), tmp_path_factory.getbasetemp())
    assert open_paths(item.value) == open_paths(transcript)


@pytest.mark.parametrize("name", ["nbest", "nbest-kaldi", "nbest-lines"])
@given(
    entries=st.lists(SENTENCES, min_size=1, max_size=4),
    scores=st.none() | st.lists(double, min_size=4, max_size=4),
)
@settings(max_examples=60, deadline=None)
def test_lists_come_back_or_are_refused(
    name: str, entries: Any, scores: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    kept = None if scores is None else tuple(scores[: len(entries)])
    nbest = NBest("u-1", tuple(entries), tuple(map(" ".join, entries)), kept)
    item = Item("u-1", nbest)
    if kept is not None and not WRITERS[name].carries.scores:
        with pytest.raises(fm.FstmetricsError, match="scores"):
            written(name, [item])
        return
    data = written_or_refused(name, [item], "parts the fields")
    if data is None:
        assert any("|||" in word for words in entries for word in words)
        return
    (found,) = FORMAT_OF[name].read(Source("u-1.nbest", data), ReadOptions())
    assert (found.value.entries, found.value.scores) == (nbest.entries, kept)


def test_scores_become_costs_and_ranks_stay() -> None:
    nbest = NBest("u", (("a", "b"), (), ("a",)), ("a b", "", "a"), (-1.5, -2.0, -7.0))
    (item,) = FORMATS["att"].read(Source("u.att", written("att", [Item("u", nbest)])), ReadOptions())
    assert {said: sum(g for g, _ in costs) for said, costs in paths(item.value)} == {
        ("a", "b"): 1.5, (): 2.0, ("a",): 7.0,
    }  # fmt: skip
    with pytest.raises(fm.FstmetricsError, match="ranks, which are not those of the scores"):
        written("att", [Item("u", NBest("u", (("a",), ("b",)), ("a", "b"), (-2.0, -1.0)))])
    with pytest.raises(fm.FstmetricsError, match="lose ranks;"):
        written("att", [Item("u", NBest("u", (("a",), ("b",)), ("a", "b")))])


LATTICE = fm.Lattice.from_arrays([0, 0], [1, 1], ["a", "b"], finals=[1], costs=[[1, 2], [3, 4]], id="u")
SCALED = fm.Lattice(LATTICE.automaton, LATTICE.symbols, id="u", scales=fm.Scales(12.0, 1.0, -0.5))
CARDS = fm.Network(
    [fm.Card.from_phrases("S", ["a [X]"]), fm.Card.from_phrases("X", ["b"], (0, 1))], "S", id="n"
)


@pytest.mark.parametrize(
    ("name", "value", "lost"),
    [
        ("att", LATTICE, "acoustic costs apart from graph costs"),
        ("far", LATTICE, "acoustic costs apart from graph costs"),
        ("kaldi-lattice-text", SCALED, r"the file's own scales \(lm=12,acoustic=1,word-penalty=-0.5\)"),
        ("cards", LATTICE, "costs"),
        ("plain", LATTICE, "all paths but the best, costs"),
        ("nbest", LATTICE, "all paths but the best, costs"),
        ("att", CARDS, "source spans, cards and their calls"),
        ("far-cards", CARDS, "source spans"),
        ("plain", NBest("u", (("a",), ("b",)), ("a", "b"), (1.0, 0.0)), "all entries but the first, scores"),
    ],
)  # fmt: skip
def test_what_would_be_lost_is_named(name: str, value: Any, lost: str) -> None:
    with pytest.raises(
        fm.FstmetricsError, match=f"writing {name} would lose {lost}; --lossy writes it without them"
    ):
        written(name, [Item(None if name == "plain" else "u", value)])
    assert written(name, [Item("u", value)], lossy=True)


def test_scales_of_slf_stay_or_are_multiplied_in(tmp_path: Path) -> None:
    (item,) = read("slf", written("slf", [Item("u", SCALED)]), tmp_path)
    assert item.value.scales == SCALED.scales
    assert apart(item.value) == apart(SCALED)
    (item,) = read(
        "kaldi-lattice-text", written("kaldi-lattice-text", [Item("u", SCALED)], lossy=True), tmp_path
    )
    assert sorted(costs for _, costs in paths(item.value)) == [
        [(11.5, 2.0), (0.0, 0.0)],
        [(35.5, 4.0), (0.0, 0.0)],
    ]
    assert item.value.best_path().cost == SCALED.best_path().cost


def said(name: str, items: list[Item]) -> set[tuple[str, ...]]:
    """The word sequences of the one item of a file."""
    if name == "far-cards":
        return network_strings(from_machines({str(item.id): item.value for item in items}))
    (item,) = items
    if isinstance(item.value, NBest):
        return set(item.value.entries)
    if isinstance(item.value, fm.Network):
        return network_strings(item.value)
    if isinstance(item.value, TimedWords):
        return {item.value.transcript().words or ()}
    return {item.value} if isinstance(item.value, tuple) else {words for words, _ in paths(item.value)}


# Every character that Python takes for white space, and what means no word or means something somewhere.
ODD_WORDS = [
    "<eps>", "<epsilon>", "NULL", "!NULL", "*EPS*", "*DELETE*", "-", "a b", " a", "\xa0x", "\x85", "x\u2028y", "a\nb",
    "\x1c", "\x1fa", "\u3000", "a\0", "\ud800", "\udc80b", "\ufeff", "|||", "a|b", "[X]", "[", "\\",
    "back\\slash", "a;b", "#", "@", "(w)", "{", "}", "/", '""', "'", "0", "7",
]  # fmt: skip
REFUSALS = (
    "word|the line .* has a character in it|begin with U\\+FEFF|parts the fields|the format holds numbers|"
    "all words are numbers"
)


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("numbers", [False, True])
def test_words_that_would_not_come_back_are_refused(name: str, numbers: bool, tmp_path: Path) -> None:
    """Through every writer there is; what white space parts comes back as several words."""
    if (WRITERS[name].carries.numbers, numbers) in (("always", False), ("never", True)):
        return
    refused = []
    for word in ODD_WORDS:
        for words in ((word,), ("x", word), (word, "y")):
            numbering = Numbering() if numbers else None
            item = Item("u" if name != "plain" else None, chain(words, name == "ctm"))
            data = written_or_refused(name, [item], REFUSALS, numbering)
            if data is None:
                refused.append(word)
            else:
                parted = tuple(part for each in words for part in each.split())
                assert said(name, read(name, data, tmp_path, numbering)) == {parted}, word
    if name == "packed":  # which says where words begin and end
        assert set(refused) == {"a\0", "\ud800", "\udc80b"}
        return
    if name != "k2" and not name.startswith("kaldi-lattice"):  # which hold numbers
        assert {"a b", "\xa0x", "x\u2028y"}.isdisjoint(refused)
    assert "a\0" in refused or name == "network"
    assert len(set(refused)) < len(ODD_WORDS)


@pytest.mark.parametrize("id", ["u\0", "u\ud800"])
@pytest.mark.parametrize("name", [name for name, writer in WRITERS.items() if writer.carries.ids])
def test_ids_that_no_text_holds(name: str, id: str, tmp_path: Path) -> None:
    """JSON holds them."""
    item = Item(id, chain(("a",), timed=True) if name == "ctm" else ("a",))
    data = written_or_refused(name, [item], "the (id|recording) .* has a character in it", Numbering())
    if data is not None:
        assert name == "seglst"
        assert read(name, data, tmp_path)[0].id == id


def chain(words: tuple[str, ...], timed: bool = False) -> fm.Lattice:
    """One path of any words, as a machine with a symbol table has it, each a second long where they have times."""
    arcs = [(i, i + 1, word) for i, word in enumerate(words)]
    automaton, symbols = word_automaton(arcs, len(words) + 1, 0, [len(words)])
    times = Times(np.arange(len(words) + 1.0), "seconds") if timed else None
    return fm.Lattice(automaton, symbols, id="u", times=times)


@pytest.mark.parametrize("name", LATTICE_WRITERS)
@pytest.mark.parametrize("word", ["<eps>", "*DELETE*", "a\0", "\ud800"])
def test_lattices_of_sentences_have_no_words_that_stand_for_none(name: str, word: str) -> None:
    with pytest.raises(fm.FstmetricsError, match="word"):
        written(name, [Item("u", (word,))], Numbering())


def test_costs_beyond_32_bits_are_refused() -> None:
    lattice = fm.Lattice.from_arrays([0], [1], ["a"], finals=[1], costs=[[1e39, 0]])
    for name in ("openfst", "far", "kaldi-lattice", "kaldi-lattice4"):
        with pytest.raises(fm.FstmetricsError, match="too large for 32-bit floats"):
            written(name, [Item("u", lattice)], Numbering())


def test_costs_beyond_bytelogs_are_refused() -> None:
    lattice = fm.Lattice.from_arrays([0], [1], ["a"], finals=[1], costs=[[-1e305, 0]])
    with pytest.raises(fm.FstmetricsError, match="too large for pfsg"):
        written("pfsg", [Item("u", lattice)])


def test_lattices_without_a_path(tmp_path: Path) -> None:
    empty = fm.Lattice.from_arrays([0], [1], ["a"], finals=[], num_states=2)
    unreached = fm.Lattice.from_arrays([1], [2], ["a"], finals=[2], num_states=3)
    for lattice in (empty, unreached):
        for name in ("att", "slf", "kaldi-lattice-text", "kaldi-lattice4-text", "plf", "srilm-mesh", "k2"):
            with pytest.raises(fm.FstmetricsError, match="no path from the start"):
                written(name, [Item("u", lattice)])
        for name in ("kaldi-lattice", "kaldi-lattice4", "openfst", "far"):
            numbering = Numbering()
            (item,) = read(name, written(name, [Item("u", lattice)], numbering), tmp_path, numbering)
            assert not item.value.prepared.has_path


def test_no_word_is_taken_for_a_byte_order_mark() -> None:
    for name in ("plain", "kaldi-text", "moses-cn"):
        with pytest.raises(fm.FstmetricsError, match="read as a byte order mark"):
            written(name, [Item(None if name == "plain" else "\ufeffu", ("\ufeffa", "b"))])
    assert written("plain", [Item(None, ("a", "\ufeffb"))])


def test_a_grammar_of_srilm_is_not_called_as_one_of_its_words(tmp_path: Path) -> None:
    lattice = fm.Lattice.from_strings([["u", "u_"]])
    (item,) = read("pfsg", written("pfsg", [Item("u", lattice)]), tmp_path)
    assert apart(item.value) == apart(lattice)


def test_plf_and_meshes_refuse_what_they_cannot_hold() -> None:
    def made(arcs: list[tuple[int, int, str]], costs: Any = None) -> list[Item]:
        columns = zip(*arcs, strict=True)
        return [Item("u", fm.Lattice.from_arrays(*columns, finals=[2], costs=costs))]

    chain = [(0, 1, "a"), (1, 2, "b")]
    for name, items, message in (
        ("plf", made(chain, [[-1, 0], [2, 0]]), "a cost of -1, and the format has logs of probabilities"),
        ("srilm-mesh", made([*chain, (0, 2, "c")]), "no confusion network: an arc leads past a column"),
        ("moses-cn", made([*chain, (0, 2, "c")]), "no confusion network: an arc leads past a column"),
        ("srilm-mesh", made(chain, [[-1, 0], [2, 0]]), "a cost is not that of a posterior"),
        ("srilm-mesh", made(chain, [[800, 0], [2, 0]]), "a cost is not that of a posterior"),
        ("moses-cn", made([(0, 1, "a|b"), (1, 2, "b")]), "a bar parts a word from its factors"),
        ("plf", made([*chain, (1, 0, "c")]), "has a cycle, and the format has room for none"),
    ):
        with pytest.raises(fm.FstmetricsError, match=message):
            written(name, items)


@pytest.mark.parametrize("name", ["network", *EXACT])
@settings(max_examples=20, deadline=None)
@given(lattice=lattices(single, False), inner=lattices(single, False), outer=single)
def test_costs_of_cards_are_carried(
    name: str, lattice: fm.Lattice, inner: fm.Lattice, outer: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A card called twice: every path of the expansion costs what the calls and the cards' paths cost."""
    card = from_lattice(inner, costs=True).cards["S"]
    calls = Card(
        "R", ((0, 1, Call("X")), (1, 2, "w"), (2, 3, Call("X"))), frozenset({3}), costs=((outer, 0.0),) * 3
    )
    network = fm.Network([calls, replace(card, name="X")], "R", id="n")
    expected = Counter(
        ((*one, "w", *two), tuple(c for c in [(outer, 0.0), *costs, *[(outer, 0.0)] * 2, *others] if c != (0.0, 0.0)))
        for one, costs in paths(inner) for two, others in paths(inner)
    )  # fmt: skip
    numbering = Numbering() if WRITERS[name].carries.numbers == "always" else None
    data = written(name, [Item("n", network)], numbering, lossy=name != "network")
    (item,) = read(name, data, tmp_path_factory.getbasetemp(), numbering)
    found = item.value
    assert (network_paths(found) if isinstance(found, fm.Network) else apart(found)) == expected
    if name == "network":
        (item,) = read(name, written(name, [Item("n", lattice)]), tmp_path_factory.getbasetemp())
        assert apart(expanded(item.value)) == apart(lattice)


HOLDS = {
    "text": "sentences",
    "timed": "words with times",
    "n-best": "ranked sentences",
    "lattice": "lattices",
    "network": "networks",
}
COSTS = {"none": "no", "sum": "one an arc", "apart": "graph and acoustic"}
NUMBERS = {"never": "words", "if asked": "words, or numbers", "always": "numbers"}


def row(writer: Writer) -> str:
    """A format's line in the documentation."""
    carries = writer.carries
    special = (
        (carries.choices, "choices"), (carries.calls, "cards"), (carries.spans, "source spans"),
        (carries.scales, "scales"), (carries.times, "times"), (carries.acyclic, "no cycles"),
        (carries.turns, "speakers, times"),
    )  # fmt: skip
    holds = ", ".join([HOLDS[carries.content], *(what for has, what in special if has)])
    costs = (
        "scores"
        if carries.scores
        else COSTS[carries.costs] + (f", {carries.rounding.name}" if carries.rounding else "")
    )
    items = ("many, with ids" if carries.ids else "many") if carries.several else "one"
    ending = f"`{writer.extensions[0]}`" if writer.extensions else ""
    return f"| `{writer.name}` | {ending} | {holds} | {items} | {costs} | {NUMBERS[carries.numbers]} |"


def squeezed(row: str) -> str:
    """A row of a table without the spaces that line it up."""
    return re.sub(" +", " ", row)


def test_the_documentation_says_what_formats_hold() -> None:
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    table = [line for line in page.splitlines() if line.startswith("| `") and line.count("|") == 7][1:]
    assert list(map(squeezed, table)) == [squeezed(row(writer)) for writer in WRITERS.values()]
    only_read = [f"`{format.name}`" for format in FORMATS.values() if not format.writers]
    assert f"Only read: {', '.join(only_read)}." in " ".join(page.split())


def test_the_documentation_names_every_format_read() -> None:
    """With the ids of its items, where the file's name says them."""
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    cells = [
        re.split(r" +\| +", line.strip("| "))
        for line in page.splitlines()
        if re.match(r"\| `[a-z0-9][a-z0-9-]*` +\|", line)
    ]
    ids = {row[0].strip("`"): row[2] for row in cells if len(row) == 3}
    assert ids.keys() == FORMATS.keys()
    for name, format in FORMATS.items():
        if format.id_of:
            assert ids[name].startswith("the file's name"), name
