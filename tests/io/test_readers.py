"""The readers on real files and on written ones."""

from __future__ import annotations

import csv
import gzip
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from written import Drawn, att, drawn, kaldi_binary, kaldi_text, rows, slf, strings

from fstmetrics.data.lattice import Lattice, Scales
from fstmetrics.data.nbest import NBest
from fstmetrics.io import FORMATS, Item, Items, ReadOptions, Source, open_stream, read_items, read_one
from fstmetrics.io.written_words import read_symbols
from fstmetrics.support.errors import InputError

KNOWN = ReadOptions(known_ids=frozenset({"utt1"}))


def read(format: str, data: bytes | str, name: str = "x", options: ReadOptions | None = None) -> list[Item]:
    raw = data.encode() if isinstance(data, str) else data
    return list(FORMATS[format].read(Source(name, raw), options or ReadOptions()))


def lattice(format: str, data: bytes | str, name: str = "x") -> Lattice:
    (item,) = read(format, data, name)
    assert item.id == item.value.id
    return item.value


# --- Kaldi -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["mono", "tri1"])
def weather(request: pytest.FixtureRequest, shared: Path) -> Path:
    return shared / "asr-kaldi-weather" / request.param


@pytest.fixture(scope="module")
def weather_lattices(weather: Path) -> dict[str, Lattice]:
    symbols = weather.parent / "words.txt"
    archives = [read_items(path, symbols=symbols) for path in sorted(weather.glob("lat.[0-9]*.gz"))]
    assert {archive.formats for archive in archives} == {("kaldi-lattice",)}
    return {item.id: item.value for archive in archives for item in archive.items}


@pytest.mark.parametrize("lm_weight", [7, 10, 14, 17])
def test_kaldi_best_paths(weather: Path, weather_lattices: dict[str, Lattice], lm_weight: int) -> None:
    words = read_symbols(weather.parent / "words.txt")
    lines = gzip.decompress((weather / f"{lm_weight}.tra.gz").read_bytes()).decode().splitlines()
    assert len(lines) == len(weather_lattices) == 142
    for key, *labels in map(str.split, lines):
        best = weather_lattices[key].best_path(Scales(lm=lm_weight, acoustic=1))
        assert best.words == tuple(words[int(label)] for label in labels)


def test_kaldi_binary_and_text_are_the_same(weather: Path, weather_lattices: dict[str, Lattice]) -> None:
    text = read_items(weather / "lat.txt.gz", symbols=weather.parent / "words.txt")
    assert [item.id for item in text.items] == sorted(weather_lattices)
    for item in text.items:
        start, arcs, finals = rows(item.value)
        binary_start, binary_arcs, binary_finals = rows(weather_lattices[item.id])
        # The text has nine digits, enough for a float32 but not for its exact value as a float64.
        to_float32 = [(*arc[:3], *map(np.float32, arc[3:])) for arc in arcs]
        assert to_float32 == [(*arc[:3], *map(np.float32, arc[3:])) for arc in binary_arcs]
        assert start == binary_start
        assert {s: tuple(map(np.float32, c)) for s, c in finals.items()} == binary_finals


def test_kaldi_without_symbols_words_are_numbers(weather: Path) -> None:
    items = read_items(weather / "lat.1.gz").items
    assert all(word.isdigit() for item in items for word in item.value.symbols.words[1:])
    assert "0" not in items[0].value.symbols.words


@given(machine=drawn())
def test_kaldi_text_round_trip(machine: Drawn) -> None:
    for compact in (True, False):
        data = kaldi_text("first key ", machine, compact) + kaldi_text("2", machine, compact)
        items = read("kaldi-lattice", data)
        assert [item.id for item in items] == ["first key", "2"]
        assert rows(items[1].value) == (0, machine.arcs, machine.finals)


@given(machine=drawn())
def test_kaldi_binary_round_trip(machine: Drawn, tmp_path_factory: pytest.TempPathFactory) -> None:
    words = sorted({word for _, _, word, *_ in machine.arcs} - {""})
    table = tmp_path_factory.getbasetemp() / "words.txt"
    table.write_text("<eps> 0\n" + "".join(f"{word} {label}\n" for label, word in enumerate(words, 1)))
    labels = {"": 0} | {word: label for label, word in enumerate(words, 1)}
    for compact in (True, False):
        data = b"".join(kaldi_binary(key, machine, labels, compact) for key in ("utt-1", "utt-2"))
        items = read("kaldi-lattice", data, options=ReadOptions(symbols=str(table)))
        assert [item.id for item in items] == ["utt-1", "utt-2"]
        assert rows(items[1].value) == (0, machine.arcs, machine.finals)


def test_kaldi_text_forms() -> None:
    assert rows(lattice("kaldi-lattice", "k\n0 1 a\n0 1 b 1,2,\n1\n\n")) == (
        0, [(0, 1, "a", 0, 0), (0, 1, "b", 1, 2)], {1: (0, 0)}
    )  # fmt: skip
    assert rows(lattice("kaldi-lattice", "k\n3 1 7 a\n3 1 7 b 1,2\n1 0.5,2\n\n")) == (
        3, [(3, 1, "a", 0, 0), (3, 1, "b", 1, 2)], {1: (0.5, 2)}
    )  # fmt: skip
    # An empty lattice, which Kaldi writes for an utterance that failed, has no path.
    empty, one = read("kaldi-lattice", "none\n\nk\n0 1 a\n1\n\n")
    assert (empty.id, empty.value.num_arcs, empty.value.prepared.has_path) == ("none", 0, False)
    assert one.id == "k"


# --- SLF ---------------------------------------------------------------------------------------------


def test_theanolm_slf_is_kaldi_text(readers_data: Path) -> None:
    symbols = readers_data / "words.txt"
    kaldi = Lattice.read(readers_data / "lattice.lat", symbols=symbols)
    htk = Lattice.read(readers_data / "lattice.slf")
    assert (kaldi.id, htk.id) == ("utterance 123", "lattice")
    assert htk.scales == Scales(12.3, 1.0, -0.7)
    start, arcs, finals = rows(kaldi)
    # Kaldi's form has epsilon for !ENTER, and final costs for the links with !EXIT.
    outer = {"!ENTER": "", "!EXIT": None}
    htk_start, htk_arcs, htk_finals = rows(htk)
    htk_arcs = [(s, d, outer.get(word, word), *cost) for s, d, word, *cost in htk_arcs]
    assert start == htk_start
    assert arcs == sorted(arc for arc in htk_arcs if arc[2] is not None)
    assert finals == {s: tuple(cost) for s, _, word, *cost in htk_arcs if word is None}
    assert htk_finals == {23: (0, 0)}


def test_pocketsphinx_counts(shared: Path) -> None:
    folder = shared / "asr-pocketsphinx"
    with (folder / "oracle.tsv").open() as file:
        expected = {
            row["id"]: (row["nodes"], row["links"])
            for row in csv.DictReader(file, delimiter="\t")
            if row["links"]
        }
    items = read_items(folder, format="slf")
    assert items.formats == ("slf",)
    found = {item.id: (str(item.value.num_states), str(item.value.num_arcs)) for item in items.items}
    assert found == expected


def test_ami(shared: Path) -> None:
    items = read_items(shared / "asr-htk-ami").items
    assert [item.value.num_arcs for item in items] == [5842, 1410, 2678, 2211]
    best = items[2].value.best_path()
    assert best.words == ("OUR", "CORPORATE", "IMAGE", "HAS", "TO", "BE", "RECOGNISABLE")
    assert items[0].value.scales == Scales(14.0, 1.0, 0.0)


@given(machine=drawn())
def test_slf_round_trip(machine: Drawn) -> None:
    end = max(d for _, d, *_ in machine.arcs)
    assert rows(lattice("slf", slf(machine))) == (0, machine.arcs, {end: (0, 0)})


NODES = (
    "N=4 L=4\nI=0 W={0}\nI=1 W=b\nI=2 W=c\nI=3 W={3}\nJ=0 S=0 E=1\nJ=1 S=0 E=2\nJ=2 S=1 E=3\nJ=3 S=2 E=3\n"
)


@pytest.mark.parametrize(
    ("first", "last", "direction", "around", "arcs"),
    [
        ("!NULL", "!NULL", "", ("", ""), 4),
        ("!NULL", "!NULL", "dir=b", ("", ""), 4),
        ("a", "d", "", ("a", "d"), 5),
        ("a", "d", "dir=b", ("a", "d"), 5),
        # A sentence marker is no word, so it needs no arc where only its node would have it.
        ("<s>", "d", "", ("", "d"), 4),
        ("a", "</s>", "dir=b", ("a", ""), 4),
        ("a", "</s>", "dir=f", ("a", "</s>"), 5),
    ],
)
def test_slf_words_on_nodes(
    first: str, last: str, direction: str, around: tuple[str, str], arcs: int
) -> None:
    text = f"{direction}\n{NODES}".replace("{0}", first).replace("{3}", last)
    read = lattice("slf", text)
    before, after = ((word,) if word else () for word in around)
    assert strings(read) == {(*before, "b", *after), (*before, "c", *after)}
    assert read.num_arcs == arcs


@pytest.mark.parametrize(
    ("header", "scores", "graph", "acoustic"),
    [
        ("", "a=-2 l=-3", 3, 2),
        ("base=10", "a=-2 l=-3", 3 * math.log(10), 2 * math.log(10)),
        ("base=0", "a=0.5 l=0.25", math.log(4), math.log(2)),
        ("base=0", "a=0.5", 0, math.log(2)),
        ("acscale=0.5 prscale=3", "a=-2 l=-3 r=-1", 3, 4),
        ("base=2 prscale=2", "r=-1 p=0.3", 0, 2 * math.log(2)),
        ("ngscale=0", "a=-2 n=-3 ngram=-1", 0, 2),
        ("", "a=-2 n=0 ds=-4 x1=-2 v=3 d=:a,0.1:", 0, 2),
        ("base=0", "a=0.5 n=1", 0, math.log(2)),
    ],
)
def test_slf_scores(header: str, scores: str, graph: float, acoustic: float) -> None:
    read = lattice("slf", f"{header}\nN=2 L=1\nI=0\nI=1\nJ=0 S=0 E=1 W=a {scores}\n")
    assert read.automaton.arc_costs[0] == pytest.approx([graph, acoustic])


@pytest.mark.parametrize(
    ("field", "word"),
    [
        ('"new york"', "new york"), ("'a b'", "a b"), (r'"say \"x\""', 'say "x"'), ("don't", "don't"),
        ("'cause", "'cause"), (r"\'cause", "'cause"), (r"na\303\257ve", "naïve"), ("x=y", "x=y"), ('""', ""),
        ("o'", "o'"), ("#", "#"),
    ],
)  # fmt: skip
def test_slf_quotes(field: str, word: str) -> None:
    read = lattice("slf", f"N=2 L=1\nI=0\nI=1\nJ=0 S=0 E=1 W={field} l=-1\n")
    assert [words for words, _ in read.best_paths(1)] == [tuple(word.split())]
    assert read.best_path().cost == 1.0


def test_slf_long_names_and_no_node_lines() -> None:
    read = lattice(
        "slf", "NODES=2 LINKS=1\n# no I= lines\nJ=0 START=0 E=1 WORD=a acoustic=-1 language=-2\n", "a.b.slf"
    )
    assert (read.id, rows(read)) == ("a.b", (0, [(0, 1, "a", 2, 1)], {1: (0, 0)}))


def test_slf_comments_may_follow_fields() -> None:
    """As HTK's own reader has it."""
    read = lattice("slf", "# head\nN=2 L=1 # size\nI=0 #=\nI=1\nJ=0 S=0 E=1 W=a#b l=-1 # W=c\n")
    assert rows(read)[1] == [(0, 1, "a#b", 1.0, 0.0)]


def test_zero_probability_is_no_arc() -> None:
    read = lattice("slf", "base=0\nN=2 L=2\nJ=0 S=0 E=1 W=a a=0\nJ=1 S=0 E=1 W=b a=1\n")
    assert [arc[2] for arc in rows(read)[1]] == ["b"]
    assert [arc[2] for arc in rows(lattice("att", "0 1 a Infinity\n0 1 b\n1\n0 Infinity\n"))[1]] == ["b"]


# --- OpenFst -----------------------------------------------------------------------------------------


@given(machine=drawn())
def test_att_round_trip(machine: Drawn) -> None:
    read = lattice("att", att(machine), "a.fst.txt")
    arcs = sorted((s, d, word, graph, 0.0) for s, d, word, graph, _ in machine.arcs)
    assert (read.id, rows(read)) == (
        "a",
        (0, arcs, {s: (graph, 0) for s, (graph, _) in machine.finals.items()}),
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0 1 a\n1\n", ["a"]),
        ("0 1 a 0.5\n1 2\n", ["a"]),
        ("0 1 a b\n1\n", ["b"]),
        ("0 1 1 2 0.5\n0 1 1 3\n1\n", ["2", "3"]),
        ("0 1 7\n0 1 0\n1\n", ["", "7"]),
        ("0 1 7\n0 1 x\n1\n", ["7", "x"]),
        ("\n1 2 a Infinity\n1 2 b\n\n2\n", ["b"]),
    ],
)
def test_att_forms(text: str, words: list[str]) -> None:
    assert sorted(arc[2] for arc in rows(lattice("att", text))[1]) == words


def test_att_is_a_transducer_where_that_is_said() -> None:
    """Nothing in these lines tells an output from a cost."""
    text = "0 1 5 6\n1 2 7 8\n2 3\n"
    assert lattice("att", text).best_path()[:2] == (("5", "7"), 17.0)
    assert lattice("att-transducer", text).best_path()[:2] == (("6", "8"), 3.0)
    with pytest.raises(InputError, match="f:2: three fields, and this is a transducer"):
        read("att-transducer", "0 1 5 6\n1 2 7\n2\n", "f")


# Which words are none, where; in other formats NULL and the like are words.
@pytest.mark.parametrize(
    ("format", "text", "words"),
    [
        ("att", "0 1 NULL\n1\n", {("NULL",)}),
        ("att", "0 1 <eps>\n1\n", {()}),
        ("kaldi-lattice", "u\n0 1 NULL 1,1,\n1\n\n", {("NULL",)}),
        ("slf", "N=2 L=2\nJ=0 S=0 E=1 W=NULL\nJ=1 S=0 E=1 W=!NULL\n", {("NULL",), ()}),
        ("plf", "((('NULL',0.5,1),('*EPS*',0.5,1),),)\n", {("NULL",), ()}),
        ("moses-cn", "NULL|N 0.5 *EPS* 0.5\n\n", {("NULL",), ()}),
        ("srilm-mesh", "numaligns 1\nalign 0 NULL 0.5 *DELETE* 0.5\n", {("NULL",), ()}),
        ("srilm-lattice", "version 2\ninitial 0\nfinal 1\nnode 0 NULL 0 1 1 1\nnode 1 a 0 1\n", {("a",)}),
        ("pfsg", "name X\nnodes 2 NULL NULL\ninitial 0\nfinal 1\ntransitions 1\n0 1 0\n", {()}),
    ],
)
def test_words_that_are_none(format: str, text: str, words: set[tuple[str, ...]]) -> None:
    (item,) = read(format, text)
    assert strings(item.value) == words


def test_a_blank_line_inside_of_a_lattice_begins_no_other() -> None:
    with pytest.raises(
        InputError, match="f:5: expected a key, not an arc, '1 2 b 1,2,': is there a blank line"
    ):
        read("kaldi-lattice", "u 1\n0 1 a 1,2,\n1\n\n1 2 b 1,2,\n2\n", "f")
    with pytest.raises(InputError, match="f:3: expected a key, not an arc, '0 1 7 a 1,2'"):
        read("kaldi-lattice", "u 1\n\n0 1 7 a 1,2\n1\n", "f")


def test_att_symbols(tmp_path: Path) -> None:
    (tmp_path / "syms.txt").write_text("<epsilon> 0\na 1\n")
    (tmp_path / "n.fst.txt").write_text("0 1 1\n1 2 0\n2\n")
    (tmp_path / "w.fst.txt").write_text("0 1 a\n1 2 <epsilon>\n2\n")
    (tmp_path / "o.fst.txt").write_text("0 1 other\n1\n")
    assert strings(Lattice.read(tmp_path / "n.fst.txt", symbols=tmp_path / "syms.txt")) == {("a",)}
    # Words need no table; where there is one, they are in it.
    assert strings(Lattice.read(tmp_path / "w.fst.txt", symbols=tmp_path / "syms.txt")) == {("a",)}
    assert strings(Lattice.read(tmp_path / "o.fst.txt")) == {("other",)}
    with pytest.raises(InputError, match="'other' is not in the symbol table"):
        Lattice.read(tmp_path / "o.fst.txt", symbols=tmp_path / "syms.txt")


def test_sparse_states_cost_nothing() -> None:
    read = lattice("att", "5 2000000000 a\n2000000000 7 b\n7\n")
    assert (read.num_states, strings(read)) == (3, {("a", "b")})


def test_fstalign_binary(shared: Path) -> None:
    folder = shared / "expected-fstalign"
    read = Lattice.read(folder / "oracle_1.hyp.fst", symbols=folder / "oracle_1.symbols.txt")
    assert (read.id, read.automaton.start, read.automaton.finals.tolist()) == ("oracle_1.hyp", 1, [0])
    assert read.best_path().words[:3] == ("this", "isa", "test")


# What the const machines of the test data hold.
CONST = (
    0,
    [(0, 1, "a", 0.5, 0.0), (0, 2, "", 1.5, 0.0), (1, 3, "b", 2.5, 0.0), (2, 3, "c", 0.25, 0.0)],
    {2: (3.5, 0.0), 3: (1.0, 0.0)},
)


@given(machine=drawn())
def test_pynini_round_trip(machine: Drawn) -> None:
    pynini = pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")
    pywrapfst = pytest.importorskip("pywrapfst")
    arcs, finals = machine.arcs, machine.finals
    original = Lattice.from_arrays(
        [a[0] for a in arcs], [a[1] for a in arcs], [a[2] for a in arcs], finals=list(finals),
        costs=[a[3:] for a in arcs], final_costs=list(finals.values()),
    )  # fmt: skip
    fst = original.to_pynini(Scales(lm=1, acoustic=0))
    assert isinstance(fst, pynini.Fst)
    assert fst.verify()
    graph = sorted((*arc[:4], 0.0) for arc in arcs)
    expected = (0, graph, {state: (cost[0], 0) for state, cost in finals.items()})
    log64 = pywrapfst.arcmap(fst, map_type="to_log64")
    for other in (fst, pywrapfst.convert(fst, "const"), log64, pywrapfst.convert(log64, "const")):
        assert rows(Lattice.from_pynini(other, id="x")) == expected
        data = other.write_to_string()
        assert rows(lattice("openfst", data, "x.fst")) == expected


def test_const_machines(readers_data: Path) -> None:
    """As fstconvert writes them: both widths of weights, and aligned, which depends on the place in the file."""
    for name in ("const", "const-aligned", "const-log64", "const-log64-aligned"):
        assert rows(Lattice.read(readers_data / f"{name}.fst")) == CONST
    path = readers_data / "aligned.far"
    assert [rows(item.value) for item in read_items(path).items] == [CONST, CONST]
    stream = open_stream(str(path))
    assert isinstance(stream, Items)
    assert [rows(item.value.item().value) for item in stream] == [CONST, CONST]


def test_const_machines_that_are_not_read(readers_data: Path) -> None:
    data = (readers_data / "const.fst").read_bytes().replace(b"\x08\0\0\0standard", b"\x08\0\0\0lattice4")
    with pytest.raises(
        InputError, match="const machines with arcs of type 'lattice4' are not read, only standard, log"
    ):
        lattice("openfst", data)


def test_to_pynini_weights() -> None:
    pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")
    lattice = Lattice.from_arrays(
        [0, 1, 2], [1, 2, 3], ["<s>", "a", ""], finals=[3], costs=[(1, 2)] * 3, final_costs=[(1, 0)]
    )
    fst = lattice.to_pynini(Scales(lm=10, acoustic=1, word_penalty=0.5))
    weights = [float(arc.weight) for state in fst.states() for arc in fst.arcs(state)]
    assert (weights, float(fst.final(3))) == ([12, 12.5, 12], 10)
    assert dict(fst.output_symbols()) == {0: "<eps>", 1: "<s>", 2: "a"}
    assert strings(Lattice.from_pynini(fst, {0: "", 1: "x", 2: "y"})) == {("x", "y")}


# --- text and n-best lists ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "known", "format"),
    [
        ("a.txt", "the cat\na dog\n", (), "plain"),
        ("a.txt", "weather001_001 a b\nweather001_002\n", (), "kaldi-text"),
        ("a.txt", "0001 a\n0002 b\n", (), "kaldi-text"),
        ("a.txt", "AMI_3E05 a\nutt_12_b b\n", (), "kaldi-text"),
        ("a.txt", "utt-12 a\nutt-12 b\n", (), "kaldi-text"),
        ("a.txt", "utt-12 a\n\n", (), "plain"),
        ("a.txt", "utt-12 a\n\nutt-13 b\n", (), "kaldi-text"),
        ("a.txt", "utt-12 a\nso it is\n", (), "plain"),
        ("a.txt", "this- is what\n", (), "plain"),
        ("a.txt", "utt2 a\nutt1 b\n", ("utt1",), "kaldi-text"),
        ("a.txt", "the a\n", ("utt1",), "plain"),
        ("text", "one a\ntwo b\n", (), "kaldi-text"),
        ("text", "one a\none b\n", (), "kaldi-text"),
        ("a.txt", "", (), "plain"),
        ("a.txt", "0 ||| a b ||| x\n", (), "nbest"),
        ("a.nbest", "a b\n", (), "nbest-lines"),
        ("a.nbest", "0||| a b ||| x\n", (), "nbest"),
        ("a.lat", "VERSION=1.0\nN=0 L=0\n", (), "slf"),
        ("a.lat", "k\n0 1 a 1,2,\n1\n", (), "kaldi-lattice"),
        ("a.txt", "0 1 a 0.5\n1\n", (), "att"),
        ("a.txt", "0001 1 2 3\n0002 5\n", (), "kaldi-text"),
        ("a.fsm", "0 1 a 0.5\n", (), "att"),
        ("a", '{"format": "fstmetrics-network/1"}', (), "network"),
    ],
)
def test_formats_are_recognised_by_name_and_content(
    name: str, text: str, known: tuple[str, ...], format: str
) -> None:
    from fstmetrics.io.file_format import recognise

    assert recognise(Source(name, text.encode()), ReadOptions(known_ids=frozenset(known))).name == format


def test_plain_and_kaldi_text() -> None:
    items = read("plain", "a  b \r\n\nc")
    assert items == [Item(None, None, "a  b"), Item(None, None, ""), Item(None, None, "c")]
    assert [item.value for item in items] == [("a", "b"), (), ("c",)]
    items = read("kaldi-text", "u1  a  b\nu2\n")
    assert items == [Item("u1", None, "a  b"), Item("u2", None, "")]
    assert [item.value for item in items] == [("a", "b"), ()]
    assert read("plain", "") == []


def test_n_best_lists_of_moses(shared: Path) -> None:
    items = read_items(shared / "mt-moses" / "mert.extractor-txt" / "nbest.1.gz").items
    assert [item.id for item in items] == [None] * 10
    assert [len(item.value.entries) for item in items] == [100] * 10
    first = items[0].value
    assert first.id == "0"
    assert first.texts[0] == "mr president , we shall be in biarritz , look a little further ."
    assert first.entries[0][:2] == ("mr", "president")
    assert first.scores is not None
    assert first.scores[0] == -9.26049


def test_n_best_lists_of_joshua(shared: Path) -> None:
    items = read_items(shared / "mt-joshua" / "example.nbest.out.srilm.gz").items
    assert [len(item.value.entries) for item in items] == [300] * 5
    assert items[0].value.scores[0] == -135.267


def test_numbers_of_sentences_are_ids_only_where_they_are_known() -> None:
    numbered = "1 ||| b\n0 ||| a ||| f= 1 ||| -2 ||| 0-0\n1 ||| c d\n"
    first, second = read("nbest", numbered)
    assert (first.id, second.id, first.value.scores) == (None, None, (-2.0,))
    assert second.value == NBest("1", (("b",), ("c", "d")), ("b", "c d"))
    known = ReadOptions(known_ids=frozenset({"1"}))
    assert [item.id for item in read("nbest", numbered, options=known)] == ["1", "0"]
    assert [item.id for item in read("nbest", "u2 ||| a\nu1 ||| b\nu2 ||| c\n")] == ["u2", "u1"]
    assert [item.id for item in read("nbest", "0002 ||| a\n")] == ["0002"]
    # Where some number is left out they are ids, too: to be paired by order they would have to be whole.
    assert [item.id for item in read("nbest", "2 ||| b\n1 ||| a\n")] == ["2", "1"]


def test_n_best_lists_of_kaldi_and_of_lines(shared: Path) -> None:
    repeated = read("nbest-kaldi", "utt a b\nutt-1 c\nutt\n")
    assert [(item.id, item.value.entries) for item in repeated] == [
        ("utt", (("a", "b"), ())), ("utt-1", (("c",),))
    ]  # fmt: skip
    holmes = read_one(shared / "asr-pocketsphinx" / "holmes01.nbest.gz", NBest)
    assert (holmes.id, len(holmes.entries), holmes.scores) == ("holmes01", 100, None)


# --- files and folders -------------------------------------------------------------------------------


def test_one_item_is_asked_for_by_its_type(readers_data: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("the cat\na dog\n")
    assert read_one(readers_data / "lattice.slf", Lattice).id == "lattice"
    with pytest.raises(InputError, match="expected a NBest, found a Lattice"):
        read_one(readers_data / "lattice.slf", NBest)
    with pytest.raises(InputError, match="expected one Lattice, found 2 items"):
        read_one(tmp_path / "a.txt", Lattice)


def test_a_folder_is_its_files_that_are_read(tmp_path: Path, shared: Path) -> None:
    (tmp_path / "b.fsm").write_text("0 1 b\n1\n")
    (tmp_path / "a.slf").write_text("N=2 L=1\nJ=0 S=0 E=1 W=a\n")
    (tmp_path / "README.md").write_text("Not a lattice.\n")
    (tmp_path / "noise.bin").write_bytes(bytes(range(256)))
    (tmp_path / ".hidden.slf").write_text("no SLF")
    (tmp_path / "sub").mkdir()
    items = read_items(tmp_path)
    assert ([item.id for item in items.items], items.formats) == (["a", "b"], ("slf", "att"))
    assert [item.id for item in read_items(tmp_path, format="att").items] == ["b"]
    with pytest.raises(InputError, match="looks like format nbest"):
        read_items(tmp_path, format="nbest")
    with pytest.raises(InputError, match=r"nbest-lines, slf, sphinx"):
        read_items(shared / "asr-pocketsphinx")
    nbest = read_items(shared / "asr-pocketsphinx", format="nbest-lines")
    assert len(nbest.items) == 39


def test_a_text_of_a_folder_is_an_item_with_the_files_name(tmp_path: Path) -> None:
    (tmp_path / "2.txt").write_text("c\n")
    (tmp_path / "1.txt").write_text("a\n\n  b \n")
    (tmp_path / "10.txt").write_text("")
    (tmp_path / "3.txt").write_text("utt-1 a\nutt-2 b\n")
    with pytest.raises(InputError, match=r"3\.txt: its lines begin with what looks like ids \(utt-1, utt-2"):
        read_items(tmp_path)
    (tmp_path / "3.txt").write_text("utt-1 a\nso b\n")
    for format in (None, "plain"):
        items = read_items(tmp_path, format=format).items
        assert [(item.id, item.text) for item in items] == [
            ("1", "a b"), ("2", "c"), ("3", "utt-1 a so b"), ("10", "")
        ]  # fmt: skip
    (tmp_path / "10.txt").unlink()
    (tmp_path / "1.txt").unlink()
    (tmp_path / "3.txt").write_text("utt-1 a\nutt-2 b\n")
    items = read_items(tmp_path, format="kaldi-text").items
    assert [(item.id, item.text) for item in items] == [("c", ""), ("utt-1", "a"), ("utt-2", "b")]


def test_folder_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file to read"):
        read_items(tmp_path)
    (tmp_path / "1.ark").write_text("k\n0 1 a 1,2,\n1\n\n")
    (tmp_path / "2.ark").write_text("k\n0 1 a 1,2,\n1\n\n")
    with pytest.raises(InputError, match=r"2\.ark: id 'k' is already in .*1\.ark"):
        read_items(tmp_path)
    # A damaged file must not be left out in silence.
    (tmp_path / "2.ark").write_bytes(b"\x00\x01")
    with pytest.raises(InputError, match=r"2\.ark"):
        read_items(tmp_path, format="kaldi-lattice")


def test_a_network_has_the_id_of_its_file(shared: Path) -> None:
    from fstmetrics.data.network import Network

    network = read_one(shared / "synthetic-networks" / "networks" / "single-000.json.gz", Network)
    assert network.id == "single-000"
