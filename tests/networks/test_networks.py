"""Looking into networks, normal form, drawings, other formats: against enumeration, OpenFst and what was written."""

from __future__ import annotations

import contextlib
import copy
import html
import json
import math
import random
import re
import shutil
import subprocess
from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from command import fstmetrics
from places import RANDOM_CASES
from random_networks import as_network, paths, random_network, strings, strings_of
from small_networks import network, openfst

import fstmetrics as fm
from fstmetrics.convert.network_files import ENDINGS, file_content
from fstmetrics.data.cards import Call, write_phrase
from fstmetrics.io import read_items
from fstmetrics.networks import drawing, text_form
from fstmetrics.networks.automata import from_lattice, from_machines
from fstmetrics.networks.validation import network_faults, network_remarks
from fstmetrics.support.limits import limited

CASES = RANDOM_CASES // 40


def cyclic() -> fm.Network:
    """a* b between two words."""
    loop = fm.Card("X", ((0, 0, "a"), (0, 1, "b")), frozenset({1}))
    return fm.Network([loop, fm.Card.from_phrases("S", ["x [X] y"])], "S", id="loop")


def chain(length: int) -> fm.Network:
    """A card that calls a card that calls a card ..."""
    cards = [fm.Card.from_phrases(f"C{i}", [f"a [C{i + 1}]", "b"]) for i in range(length)]
    return fm.Network([*cards, fm.Card.from_phrases(f"C{length}", ["c"])], "C0")


@pytest.mark.parametrize("first", range(0, CASES, 50))
def test_counts_lengths_and_paths_are_those_of_enumeration(first: int) -> None:
    for seed in range(first, first + 50):
        rng = random.Random(seed)
        cards = random_network(rng)
        net, expected = as_network(cards), paths(cards)
        found, info = fm.Paths(net), fm.network_info(net)
        assert found.count == info.paths == len(expected), seed
        assert Counter(found) == Counter(expected), seed
        assert (info.shortest, info.longest) == (min(map(len, expected)), max(map(len, expected))), seed
        assert info.mean_length == Fraction(sum(map(len, expected)), len(expected)), seed
        assert info.vocabulary == len({word for words in expected for word in words}), seed
        assert info.cards + info.unused_cards == len(cards), seed


def test_samples_are_uniform_over_paths() -> None:
    """Three of the four paths go through X, and one of these spells the same as the fourth."""
    net = network(X=["a", "b", "c"], S=["[X] .", "a ."])
    drawn = Counter(" ".join(words) for words in fm.Paths(net).sample(4000, seed=7))
    assert set(drawn) == {"a .", "b .", "c ."}
    assert abs(drawn["a ."] - 2000) < 150  # five standard deviations
    assert abs(drawn["b ."] - 1000) < 140
    assert list(fm.Paths(net).sample(5, seed=1)) == list(fm.Paths(net).sample(5, seed=1))


def test_huge_networks_are_counted_listed_and_sampled(shared: Path) -> None:
    net = fm.Network.read(shared / "synthetic-networks" / "networks" / "large-001.json.gz")
    found, info = fm.Paths(net), fm.network_info(net, max_expanded_arcs=1000)
    assert found.count == info.paths > 10**26
    assert (info.expanded_states, info.expanded_arcs) == (None, None)
    exact = fm.network_info(net)
    assert exact.expanded_arcs is not None
    assert exact.expanded_arcs <= info.most_expanded_arcs
    last = found[found.count - 1]
    for words in (
        found[0],
        last,
        *found.sample(3, seed=1),
        *(w for w, _ in zip(found, range(3), strict=False)),
    ):
        assert fm.wer(words, net) == 0
        assert info.shortest <= len(words) <= info.longest  # type: ignore[operator]
    with pytest.raises(IndexError):
        found[found.count]


def test_paths_of_all_synthetic_networks_agree_with_openfst(shared: Path) -> None:
    """Summed over the expansion in OpenFst's log semiring, which prints nine digits of the logarithm."""
    pywrapfst = pytest.importorskip("pywrapfst", reason="needs pynini: pip install 'fstmetrics[openfst]'")
    for file in sorted((shared / "synthetic-networks" / "networks").glob("combined-*.json.gz")):
        net = fm.Network.read(file)
        fst = fm.Lattice(net.rtn.expanded(10_000_000), net.symbols).to_pynini(fm.Scales(0, 0, 0))
        log = pywrapfst.arcmap(fst, map_type="to_log64")
        total = -float(str(pywrapfst.shortestdistance(log, reverse=True)[log.start()]))
        assert math.log(fm.Paths(net).count) == pytest.approx(total, abs=1e-6), file.name


@pytest.mark.parametrize(("words", "what"), [("ab", "315652 paths"), ("a", "18 words on a path")])
def test_digits_of_counts_have_an_end(words: str, what: str) -> None:
    """A hundred cards that call others twice: 2^100 digits, or words on the one path."""
    cards = [fm.Card.from_phrases("X0", list(words))]
    cards += [fm.Card.from_phrases(f"X{i}", [f"[X{i - 1}] [X{i - 1}]"]) for i in range(1, 101)]
    network = fm.Network(cards, "X100")
    with pytest.raises(fm.FstmetricsError, match=rf"more than 10\^{what}"):
        fm.network_info(network)
    if words == "a":
        assert fm.Paths(network).count == 1
        with limited(expansion=100_000), pytest.raises(fm.FstmetricsError, match="expansion"):
            fm.Paths(network)[0]
        for sides in ((network, "a a"), ("a a", network), ("x " * 100, network)):
            with pytest.raises(fm.SearchError, match="all paths of a card have more than 268435456 words"):
                fm.align(*sides)
        with pytest.raises(fm.FstmetricsError, match="all paths of a card"):
            fm.mbr(network)
    else:
        with pytest.raises(fm.FstmetricsError, match=rf"more than 10\^{what}"):
            fm.Paths(network)


def test_infinitely_many_paths() -> None:
    info = fm.network_info(cyclic())
    assert (info.paths, info.longest, info.mean_length, info.shortest) == (None, None, None, 3)
    with pytest.raises(fm.FstmetricsError, match="card 'X' is cyclic"):
        fm.Paths(cyclic())


def test_a_long_chain_of_calls_is_no_trouble() -> None:
    net = chain(3000)
    info = fm.network_info(net)
    assert (info.paths, info.depth, info.longest) == (3001, 3001, 3001)
    assert fm.Paths(net)[3000] == ("b",)
    assert strings_of(fm.spu(chain(3), chain(3))) == strings_of(chain(3))
    assert fm.Paths(fm.spu(net, net)).count == 3001
    assert fm.Paths(fm.normal_form(net)).count == 3001


# Normal form


@pytest.mark.parametrize("first", range(0, CASES, 50))
def test_normal_form_keeps_strings_and_is_deterministic_minimal_and_shared(first: int) -> None:
    for seed in range(first, first + 50):
        cards = random_network(random.Random(seed))
        normal = fm.normal_form(as_network(cards))
        assert strings_of(normal) == strings(cards), seed
        for card in normal.cards.values():
            ways = Counter((source, token) for source, _, token in card.arcs)
            assert max(ways.values(), default=1) == 1, seed
            assert all(token for *_, token in card.arcs), seed
        contents = {(card.span, card.finals, card.arcs) for card in normal.cards.values()}
        assert len(contents) == len(normal.cards), seed
        # Of the same strings of words and calls there is one such automaton, but for the numbers of its states.
        for same in (normal, as_network(cards, phrases=True)):
            assert sizes(fm.normal_form(same)) == sizes(normal), seed


def sizes(net: fm.Network) -> list[tuple[int, int]]:
    """States and arcs of every card."""
    return sorted((card.num_states, len(card.arcs)) for card in net.cards.values())


def test_normal_form_of_real_networks_is_equivalent_for_openfst(shared: Path) -> None:
    pynini = pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")
    for name in ("single-003", "combined-001", "combined-003"):
        net = fm.Network.read(shared / "synthetic-networks" / "networks" / f"{name}.json.gz")
        normal = fm.normal_form(net)
        before, after = fm.network_info(net), fm.network_info(normal)
        assert after.cards <= before.cards
        assert after.arcs <= before.arcs
        one, other = openfst(net), openfst(normal)
        table = one.output_symbols().copy()
        own = other.output_symbols().copy()
        other.relabel_tables(old_isymbols=own, new_isymbols=table, old_osymbols=own, new_osymbols=table)
        assert pynini.equivalent(one, other)


def test_normal_form_of_a_card_that_would_explode_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """(a|b)* a (a|b)^n has 2^n states when deterministic."""
    from fstmetrics.networks import pool as minimal

    n = 8
    arcs = [(0, 0, "a"), (0, 0, "b"), (0, 1, "a"), *((i, i + 1, w) for i in range(1, n + 1) for w in "ab")]
    net = fm.Network([fm.Card("S", tuple(arcs), frozenset({n + 1}))], "S")
    assert fm.normal_form(net).cards["S"].num_states == 2 ** (n + 1)
    monkeypatch.setattr(minimal, "MAX_STATES", 2 ** (n + 1) - 1)
    assert fm.normal_form(net).cards["S"].arcs == tuple(arcs)


# Drawings


def replaced(label: str) -> str:
    """What Graphviz makes of entities in a label."""
    return re.sub(r"&#?\w+;", lambda entity: html.unescape(entity[0]), label)


def drawn_strings(dot: str) -> set[tuple[str, ...]]:
    """The strings of a drawing of a whole network, read back from DOT."""
    arcs, finals = [], set()
    for line in dot.splitlines():
        if arc := re.fullmatch(r'  (\d+) -> (\d+) \[label="((?:\\.|[^"\\])*)"\];', line):
            labels = re.sub(r"\\([\"\\])", lambda m: m[1] if m[1] == '"' else "\0", arc[3]).split("\\n")
            arcs += [(int(arc[1]), int(arc[2]), replaced(label.replace("\0", "\\"))) for label in labels]
        elif "doublecircle" in line:
            finals.add(int(line.split()[0]))

    def walk(state: int) -> Any:
        if state in finals:
            yield ()
        for source, target, label in arcs:
            if source == state:
                yield from ((*([] if label == "ε" else [label]), *rest) for rest in walk(target))

    return set(walk(0))


@pytest.mark.parametrize("seed", range(0, CASES, 5))
def test_a_drawing_has_the_strings_of_the_network(seed: int) -> None:
    cards = random_network(random.Random(seed))
    assert drawn_strings(drawing.draw(as_network(cards))) == strings(cards)


def test_hostile_words_are_drawn_as_they_are() -> None:
    words = [
        '"',
        "\\",
        "<b>&amp;",
        "&amp;amp;",
        "&#65;",
        "&",
        "R&D;",
        "&;",
        "\\n",
        "مرحبا",
        "東京",
        'a"b\\',
        "\\N",
    ]
    dot = drawing.draw(fm.Network([fm.Card.from_phrases("S", [write_phrase(words), "x"])], "S"))
    assert drawn_strings(dot) == {tuple(words), ("x",)}


def test_an_entity_is_a_word_like_others_in_svg(monkeypatch: pytest.MonkeyPatch) -> None:
    """Graphviz replaces entities in a label, and copies those of what comes out into its SVG, where readers replace
    them again."""
    given = []

    def run(command: object, input: bytes, **options: object) -> subprocess.CompletedProcess[bytes]:
        given.append(input.decode())
        return subprocess.CompletedProcess((), 0, b"", b"")

    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", run)
    dot = drawing.draw(fm.Network([fm.Card.from_phrases("S", ["&amp; &#65; R&D"])], "S"))
    for kind in ("png", "svg"):
        drawing.render(dot, kind)
    assert drawn_strings(given[0]) == drawn_strings(replaced(given[1])) == {("&amp;", "&#65;", "R&D")}


def test_pictures_by_graphviz() -> None:
    if shutil.which("dot") is None:
        pytest.skip("Graphviz is not installed")
    net = network(X=((1, 3), ["a", "b"]), S=((0, 3), ["the [X] \u202e<script> &amp;"]), source="x y z")
    svg = drawing.render(drawing.draw(net, ["S", "X"]), "svg")
    assert b"<svg" in svg
    assert b"<script>" not in svg
    assert b"1&#45;3" in svg
    assert b"&amp;amp;" in svg
    assert b"y z" in svg
    assert drawing.render(drawing.draw(net), "png").startswith(b"\x89PNG")
    with pytest.raises(fm.FstmetricsError, match="Graphviz failed"):
        drawing.render("digraph {", "svg")


def test_without_graphviz_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(fm.FstmetricsError, match=r"apt install graphviz.*\.dot"):
        drawing.render("digraph {}", "svg")


def test_drawings_have_a_limit(shared: Path) -> None:
    net = fm.Network.read(shared / "synthetic-networks" / "networks" / "large-000.json.gz")
    with pytest.raises(fm.FstmetricsError, match=r"--card NAME"):
        drawing.draw(net)
    assert "subgraph cluster_0" in drawing.draw(net, [net.root])
    with pytest.raises(fm.FstmetricsError, match="no card 'nobody'"):
        drawing.draw(net, ["nobody"])
    with pytest.raises(fm.FstmetricsError, match=r"3 arcs.*limit"):
        drawing.draw(network(S=["a b", "c"]), max_arcs=2)


# The text form


@pytest.mark.parametrize("seed", range(0, CASES, 5))
def test_the_text_form_comes_back(seed: int) -> None:
    cards = random_network(random.Random(seed))
    for net in (as_network(cards, id="n"), as_network(cards, phrases=True)):
        back = text_form.read_text_form(text_form.write_text_form(net))
        assert strings_of(back) == strings(cards)
        assert {n: c.span for n, c in back.cards.items()} == {n: c.span for n, c in net.cards.items()}
        assert (back.id, back.root) == (net.id, net.root)
    assert back == net  # phrases are kept as they are


def test_real_networks_come_back_from_the_text_form(shared: Path) -> None:
    for name in ("single-000", "combined-000", "large-001"):
        net = fm.Network.read(shared / "synthetic-networks" / "networks" / f"{name}.json.gz")
        back = text_form.read_text_form(text_form.write_text_form(net))
        assert fm.Paths(back).count == fm.Paths(net).count
        for words in fm.Paths(net).sample(5, seed=3):
            assert fm.wer(words, back) == 0


def test_what_annotators_type(tmp_path: Path) -> None:
    file = tmp_path / "pm.cards"
    file.write_text(
        "# a remark\n"
        "source: el primer ministro italiano\r\n"
        "\n"
        "[PRIME-MINISTER] 1-3: prime minister; PM;head of government ;\n"
        "[ITALIAN]3-4:Italian\n"
        "[OPT]: \"\"; ,\n"
        "[odd \\[1\\]]: a\\;b; \\[sic\\]: \\\\\n"
        "[S] 0-4:\n"
        "    the [ITALIAN] [PRIME-MINISTER] [OPT]\n"
        "\tthe [PRIME-MINISTER] of Italy; # no remark [odd \\[1\\]]\n"
    )  # fmt: skip
    net = fm.Network.read(file)
    assert (net.id, net.root, net.source) == ("pm", "S", ("el", "primer", "ministro", "italiano"))
    assert net.cards["PRIME-MINISTER"].phrases == ("prime minister", "PM", "head of government")
    assert net.cards["PRIME-MINISTER"].span == (1, 3)
    found = {" ".join(words) for words in fm.Paths(net)}
    assert {"the Italian PM", "the Italian PM ,", "the head of government of Italy", "# no remark a;b",
            "# no remark [sic]: \\"} <= found  # fmt: skip
    assert len(found) == 3 * 2 + 3 + 2


@pytest.mark.parametrize(
    ("phrases", "expected"),
    [
        ("; today", {"we go", "we go today"}),
        ("now;; today;", {"we go", "we go now", "we go today"}),
        ("now; today;", {"we go now", "we go today"}),
        (";", {"we go"}),
        ("\n  ; now\n  today;\n", {"we go", "we go now", "we go today"}),
        ('""; now', {"we go", "we go now"}),
    ],
)
def test_nothing_before_a_semicolon_is_the_empty_phrase(
    phrases: str, expected: set[str], tmp_path: Path
) -> None:
    network = text_form.read_text_form(f"[S]: we go [TIME]\n[TIME]: {phrases}\n")
    assert {" ".join(words) for words in fm.Paths(network)} == expected
    assert text_form.read_text_form(text_form.write_text_form(network)).to_dict() == network.to_dict()


@pytest.mark.parametrize(
    ("phrase", "sign"),
    [
        ("now\uff1b today", "\uff1b"), ("the \uff08very\uff09 big", "\uff08"), ("a, b / c", "/"), ("cat, dog", ","),
        ("(very) big", "("), ("a | b", "|"),
    ],
)  # fmt: skip
def test_signs_that_part_nothing_are_told(phrase: str, sign: str, tmp_path: Path) -> None:
    cards, text = tmp_path / "n.cards", tmp_path / "h.txt"
    cards.write_text(f"[S]: we go [TIME]\n[TIME]: {phrase}; then\n")
    text.write_text("we go then\n")
    checked = fstmetrics("network", "validate", cards)
    assert checked.status == 0
    assert f"has {sign!r}" in checked.out.replace("a full-width ", "")
    scored = fstmetrics("hyter", cards, text, "--json").summary
    assert any(repr(sign) in remark for remark in scored["remarks"])


def test_usual_phrases_have_no_remark(tmp_path: Path) -> None:
    cards = tmp_path / "n.cards"
    cards.write_text("[S]: yes, of course; Rome, the capital; 24/7; a , b; \\[sic\\]; :) ok\n")
    assert fstmetrics("network", "validate", cards).out == "1 network, none with faults\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[S]: a\nthe [X]\n", r"n\.cards:2: expected a card"),
        ("  a\n", r"n\.cards:1: a line that begins with white space"),
        ("[S]: a\n[S]: b\n", r"n\.cards:2: a second card 'S'"),
        ("id: a\nid: b\n[S]: a\n", r"n\.cards:2: id is given twice"),
        ("[S]: a [X]\n", r"card 'S' calls 'X'"),
        ("[S]: a\n[T]: b\n", r"the cards 'S', 'T' are called by no other: .*root: NAME"),
        (
            "[T]: a; b\n[S]: x[T]y[T]z\n",
            r"card 'S': phrase .*: two calls are joined in 'x\[T\]y\[T\]z': put a space",
        ),
        ("[T]: a; b\n[S]: [[T]]\n", r"card 'S': phrase .*: cannot read '\[\[T\]\]'"),
        ("[T]: a; b\n[S]: [t]\n", r"calls a card that is not there: unknown card 't'; did you mean T\?"),
        ("[S]: [T]\n[T]: [S]\n", r"no card is called by no other"),
        ("[S]: [T\n", r"cannot read '\[T'"),
        ("[S]:\n", r"card 'S' has no phrase"),
        ("# only this\n", r"there is no card"),
        ("[S] 3-1: a\n", r'"span" must be'),
    ],
)
def test_faults_of_the_text_form(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "n.cards"
    file.write_text(text)
    with pytest.raises(fm.InputError, match=message):
        fm.Network.read(file)


def test_what_the_text_form_cannot_hold_is_refused() -> None:
    many = tuple((i, i + 1, word) for i in range(14) for word in "ab")
    for net, message in (
        (cyclic(), "card 'X' is cyclic"),
        (fm.Network([fm.Card("S", many, frozenset({14}))], "S"), "16384 phrases"),
        (network(S=['""']), "empty phrase"),
        (fm.Network([fm.Card.from_phrases("S\n", ["a"])], "S\n"), "does not fit into a line"),
    ):
        with pytest.raises(fm.FstmetricsError, match=message):
            text_form.write_text_form(net)


# Other formats


def written(net: fm.Network, format: str, folder: Path) -> Path:
    content = file_content(net, format)
    file = folder / f"x{ENDINGS[format][0]}"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


@pytest.mark.parametrize("seed", range(0, CASES, 10))
def test_every_format_gives_the_strings_back(seed: int, tmp_path: Path) -> None:
    cards = random_network(random.Random(seed))
    net = as_network(cards)
    for format in ENDINGS:
        items = read_items(written(net, format, tmp_path)).items
        value = items[0].value
        if format == "far":
            value = from_machines({item.id or "": item.value for item in items})
        assert strings_of(value if isinstance(value, fm.Network) else from_lattice(value)) == strings(
            cards
        ), format


def test_openfst_reads_what_is_written_and_the_other_way_round(tmp_path: Path, shared: Path) -> None:
    pynini = pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")
    import pywrapfst

    net = fm.Network.read(shared / "synthetic-networks" / "networks" / "single-000.json.gz")
    single = pywrapfst.Fst.read(str(written(net, "openfst", tmp_path)))
    assert single.verify()
    assert pynini.equivalent(pynini.determinize(pynini.Fst.from_pywrapfst(single).rmepsilon()), openfst(net))
    reader = pywrapfst.FarReader.open(str(written(net, "far", tmp_path)))
    keys = []
    for kind in ("sttable", "stlist"):
        writer = pywrapfst.FarWriter.create(str(tmp_path / f"{kind}.far"), far_type=kind)
        reader.reset()
        while not reader.done():
            keys.append(reader.get_key())
            writer.add(reader.get_key(), reader.get_fst())
            reader.next()
        del writer
        machines = {item.id or "": item.value for item in read_items(tmp_path / f"{kind}.far").items}
        assert fm.Paths(from_machines(machines)).count == fm.Paths(net).count
    assert set(keys) == set(net.cards)


def test_calls_and_words_in_brackets_stay_apart_in_an_archive(tmp_path: Path) -> None:
    net = network(X=["a"], S=["[X] \\[X\\] \\\\"])
    machines = {item.id or "": item.value for item in read_items(written(net, "far", tmp_path)).items}
    assert list(fm.Paths(from_machines(machines))) == [("a", "[X]", "\\")]


@pytest.mark.parametrize("cut", range(0, 400, 7))
def test_damaged_archives_are_refused_with_the_byte(tmp_path: Path, cut: int) -> None:
    data = bytes(file_content(network(X=["a"], S=["[X] b"]), "far"))  # type: ignore[arg-type]
    rng = random.Random(cut)
    file = tmp_path / "x.far"
    file.write_bytes(data[: len(data) * cut // 400])
    with pytest.raises(fm.InputError, match=r"x\.far: "):
        read_items(file, format="far")
    flipped = bytearray(data)
    for _ in range(3):
        flipped[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    file.write_bytes(flipped)
    with contextlib.suppress(fm.InputError):
        read_items(file, format="far")


def test_what_openfst_cannot_hold_is_refused() -> None:
    net = fm.Network([fm.Card.from_phrases("S", ["a <eps>"])], "S")
    for format in ("openfst", "att", "far"):
        with pytest.raises(fm.FstmetricsError, match="'<eps>' means no word"):
            file_content(net, format)
    with pytest.raises(fm.FstmetricsError, match="0 would be read as no word"):
        file_content(network(S=["0 1"]), "att")
    with pytest.raises(fm.FstmetricsError, match=r"may have \d+ arcs, the limit is 5 .*far"):
        file_content(network(S=["a b c d e f"]), "openfst", max_arcs=5)
    with pytest.raises(fm.FstmetricsError, match="no path"):
        from_lattice(fm.Lattice.from_arcs([(0, 1, "a")], finals=[2]))


def test_the_root_of_an_archive_must_be_clear() -> None:
    machines = {name: fm.Lattice.from_arcs([(0, 1, "w")], finals=[1]) for name in "AB"}
    with pytest.raises(fm.FstmetricsError, match="'A', 'B' are called by no other"):
        from_machines(machines)
    assert from_machines(machines, "B").root == "B"


# Faults


def corrupted(rng: random.Random, data: dict[str, Any]) -> dict[str, Any]:
    """The object with one to three random changes, many of which make it invalid."""
    data = copy.deepcopy(data)
    for _ in range(rng.randint(1, 3)):
        holders = (
            [data, *(c for c in data["cards"].values() if isinstance(c, dict))]
            if isinstance(data.get("cards"), dict)
            else [data]
        )
        holder = rng.choice(holders)
        junk: list[Any] = [None, 3, "S", True, [], {}, [0, 1], [[0, 1, "a"]], ["a", "[A]"], ["[", "x ]"], [1, 0], [-1],
                           [[0, 9, "[B]"], [9, 1, "a b"]], {"S": {"phrases": ["[S]"]}}, [0, 10**9]]  # fmt: skip
        key = rng.choice([*holder, "span", "phrases", "arcs", "final", "start", "what"])
        if rng.random() < 0.3:
            holder.pop(key, None)
        else:
            holder[key] = rng.choice(junk)
    return data


@pytest.mark.parametrize("first", range(0, 8 * CASES, 100))
def test_there_is_a_fault_exactly_where_a_network_is_refused(first: int) -> None:
    for seed in range(first, first + 100):
        rng = random.Random(seed)
        data = corrupted(rng, as_network(random_network(rng), rng.random() < 0.5).to_dict())
        try:
            fm.Network.from_dict(data)
            refused = ""
        except fm.FstmetricsError as error:
            refused = str(error)
        faults = network_faults(data)
        assert bool(faults) == bool(refused), (seed, data, refused, faults)


def test_every_fault_is_named_with_its_card() -> None:
    data = {
        "format": "fstmetrics-network/1", "root": "R", "cards": {
            "S": {"phrases": ["a [X", "b ]", "c [NO] [NO] [ALSO]"]}, "Y": {"phrases": ["[Z]"], "span": [3, 1]},
            "Z": {"phrases": ["[Y]"]}, "P": {"phrases": ["[Q]"]}, "Q": {"phrases": ["x", "[P]", "[Y]"]},
            "A": {"arcs": [[0, 1, "a [b"], [0, "x", "c"]], "final": [1]}, "E": {"phrases": []},
            "T": {"arcs": [[0, 1, "a"], [2, 3, "b"]], "final": [1, 3, 4]}, "U": {"arcs": [], "final": [1]},
        },
    }  # fmt: skip
    found = [(fault.card, fault.message) for fault in network_faults(data)]
    expected = [
        (None, "the root 'R' is not among"), ("S", r"phrase 'a [X'"), ("S", "phrase 'b ]'"), ("Y", '"span" must be'),
        ("A", "arc 0: phrase 'a [b'"), ("A", "arc 1 must be"), ("E", "there is no phrase"), ("S", "calls 'NO'"),
        ("S", "calls 'ALSO'"), ("T", "final state 3 cannot"), ("T", "final state 4 cannot"), ("U", "has no path"),
        ("Y", "in a circle: Y -> Z -> Y"), ("P", "in a circle: P -> Q -> P"),
    ]  # fmt: skip
    assert len(found) == len(expected)
    for (card, message), (right_card, piece) in zip(found, expected, strict=True):
        assert card == right_card
        assert piece in message


def test_words_that_come_twice_in_a_row_at_a_call() -> None:
    net = network(
        S=["the [PM] said that that was [X] [X]"], PM=["the premier", "prime minister"], X=["it", "it is"]
    )
    assert [str(remark) for remark in network_remarks(net)] == [
        "card 'S': the word 'the' comes twice in a row on a path through 'the [PM]'",
        "card 'S': the word 'it' comes twice in a row on a path through '[X] [X]'",
    ]
    assert network_remarks(network(S=["the [PM] that [X]"], PM=["premier"], X=["it that"])) == []


@pytest.mark.parametrize("seed", range(60))
def test_words_that_come_twice_do_so_on_some_path(seed: int) -> None:
    """Where no word comes twice in a row on any path, nothing is remarked on."""
    one = as_network(random_network(random.Random(seed)), phrases=True)
    doubled = any(a == b for words in strings_of(one) for a, b in pairwise(words))
    remarks = [remark for remark in network_remarks(one) if "twice in a row" in remark.message]
    assert doubled or not remarks


def test_doubtful_networks_get_remarks() -> None:
    net = network(X=((0, 2), ["a", "a"]), Y=["y"], S=((1, 5), ["[X]"]), source="a b c")
    assert [str(remark) for remark in network_remarks(net)] == [
        "card 'X': the phrase 'a' is there twice",
        "card 'Y': is on no path from the root",
        "card 'S': the span 1-5 goes beyond the source, which has 3 words",
        "card 'S': calls 'X', whose span 0-2 is not within its own, 1-5",
    ]


def test_an_unnamed_network_comes_back_unnamed() -> None:
    data = json.loads(
        fm.Network(
            [fm.Card("S", ((0, 1, Call("X")),), frozenset({1})), fm.Card.from_phrases("X", ["a"])], "S"
        ).to_json()
    )
    assert "id" not in data
    assert fm.Network.from_dict(data, "stem").id == "stem"


def test_union_of_real_references_is_a_list_of_them(shared: Path) -> None:
    """Six references of a segment as networks: the error rate against their union is that against the list."""
    import gzip

    files = sorted((shared / "refs-wmt19-paraphrased").glob("*.ref.gz"))
    sets = [gzip.decompress(file.read_bytes()).decode().splitlines() for file in files]
    for references in list(zip(*sets, strict=True))[:60]:
        unique = list(dict.fromkeys(references))
        nets = [network(S=[write_phrase(reference.split())]) for reference in unique]
        combined = fm.union(*nets)
        hypothesis = references[0].split()[1:]
        assert fm.wer(hypothesis, combined) == fm.wer(hypothesis, unique)
        assert fm.Paths(combined).count == len({tuple(reference.split()) for reference in unique})


def test_the_text_form_from_python() -> None:
    network = fm.Network.from_text("[CAT]: cat; hat\n[S]: the [CAT] sat\n", id="n1")
    assert (network.id, network.root, network.card_names) == ("n1", "S", ("CAT", "S"))
    with pytest.raises(fm.InputError, match=r"^line 2: expected a card"):
        fm.Network.from_text("[S]: a\nb\n")
    with pytest.raises(fm.FstmetricsError, match="text"):
        fm.Network.from_text(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(5))
def test_membership_is_that_of_the_list_of_paths(seed: int) -> None:
    """And the number of paths that of the list, where no string has two."""
    cards = random_network(random.Random(seed))
    network = as_network(cards)
    listed = fm.Paths(network)
    every = [*listed]
    assert len(listed) == len(every) == listed.count == len(paths(cards))
    assert listed
    for words in every[:20]:
        assert words in network
        assert " ".join(words) in network
        assert (*words, "zzz") not in network
        assert (words[1:] in network) == (words[1:] in every)


def test_paths_are_a_sequence_however_many_there_are() -> None:
    cards = [fm.Card.from_phrases("X", ["a", "b", "c"]), fm.Card.from_phrases("S", ["[X] [X] d", "e"])]
    paths = fm.networks.Paths(fm.Network(cards, "S"))
    every = list(paths)
    assert len(every) == len(paths) == 10
    ends = [None, *range(-12, 13, 3)]
    for start, stop, step in product(ends, ends, [None, 1, 2, -1, -3]):
        assert paths[start:stop:step] == every[start:stop:step]
    assert [paths[number] for number in range(-10, 10)] == every + every
    for number in (-11, 10):
        with pytest.raises(IndexError):
            paths[number]
    doubled = [fm.Card.from_phrases("C0", ["a", "b"])]
    doubled += [fm.Card.from_phrases(f"C{n}", [f"[C{n - 1}] [C{n - 1}]"]) for n in range(1, 7)]
    many = fm.networks.Paths(fm.Network(doubled, "C6"))
    assert many.count == 2**64
    with pytest.raises(OverflowError, match=r"Paths\.count has the number"):
        len(many)
    assert many[0:2] == [many[0], many[1]]
    assert many[-1] == ("b",) * 64 == many[2**64 - 1]
    with pytest.raises(fm.FstmetricsError, match="paths are asked for at once, the limit is"):
        many[:]
