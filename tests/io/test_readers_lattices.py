"""Lattices of SRILM, Moses, cdec, Sphinx and k2: small files by hand, real ones against second parsers."""

from __future__ import annotations

import ast
import gzip
import math
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hostile import mutated
from small_files import CITY, GRAPH, K2, MESH, PFSG, PLF_LINE, RAGGED, SPHINX, WLAT
from small_paths import one, paths, read
from written import rows

import fstmetrics as fm
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.symbols import SENTENCE_MARKERS
from fstmetrics.data.times import Times
from fstmetrics.io import FORMATS, ReadOptions, Source, read_items
from fstmetrics.io.file_format import recognise
from fstmetrics.lattices.oracles import OracleSearch
from fstmetrics.support.errors import InputError


def costs(**probabilities: float) -> Counter[tuple[tuple[str, ...], float]]:
    """Paths of words joined by `_`, each with the negative log of its probability."""
    return Counter(
        {
            (tuple(w for w in words.split("_") if w), round(0.0 - math.log(p), 6)): 1
            for words, p in probabilities.items()
        }
    )


def test_inf_and_nan_are_words_where_the_file_says_that_it_is_a_transducer() -> None:
    assert set(one("att", "0 1 a nan\n0 1 b two\n1\n")) == {(("nan",), 0.0), (("two",), 0.0)}
    assert set(one("att", "0 1 a inf\n0 1 b two 0.5\n1\n")) == {(("inf",), 0.0), (("two",), 0.5)}
    assert set(one("att-transducer", "0 1 a inf\n1\n")) == {(("inf",), 0.0)}
    assert set(one("att", "0 1 inf 0.5\n0 1 b Infinity\n1\n")) == {(("inf",), 0.5)}


# --- SRILM ----------------------------------------------------------------------------------------------


def test_a_mesh_of_srilm_has_probabilities_of_words() -> None:
    expected = costs(we_were_how=0.375, were_how=0.125, **{"we_we're_how": 0.375, "we're_how": 0.125})
    assert one("srilm-mesh", MESH) == expected
    assert read("srilm-mesh", MESH, "a/u7.mesh")[0].id == "u7"


def test_srilm_lattice_costs_are_logs_of_probabilities() -> None:
    assert one("srilm-lattice", WLAT) == costs(_=0.2, we=0.2, we_know=0.6)
    # A word on the initial node is said, too.
    assert one("srilm-lattice", WLAT.replace("5 NULL", "5 oh")) == costs(oh_=0.2, oh_we=0.2, oh_we_know=0.6)


def test_pfsg_without_categories_is_a_lattice() -> None:
    # SRILM's own unit: 10000.5 times a natural log, so -6931 is ln 0.5.
    assert one("pfsg", PFSG) == Counter({(("the", "CITY"), 0.694065): 1, (("hat",), 0.19999): 1})


def test_pfsg_with_categories_is_a_network() -> None:
    (item,) = read("pfsg", PFSG + CITY)
    assert list(item.value.cards) == ["S", "CITY"]
    assert item.value.root == "S"
    derivation = item.value.best_path()
    assert derivation.words == ("hat",)
    assert derivation.cost == pytest.approx(2000 / 10000.5)
    result = fm.align(item.value, "the new york boston")
    assert (result.edits, result.path_length) == (0, 4)


# --- Moses and cdec -------------------------------------------------------------------------------------


def by_eval(text: str) -> list[list[tuple[int, int, str, float | None]]]:
    """PLF by Python's own parser of literals: arcs with a single score, and None for other scores."""
    lattices = []
    for line in text.splitlines():
        nodes = ast.literal_eval(line.strip()) if line.strip() else ()
        arcs: list[tuple[int, int, str, float | None]] = []
        for number, node in enumerate(nodes):
            for word, *scores, length in node:
                single = len(scores) == 1 and isinstance(scores[0], (int, float))
                score = float(scores[0]) if single else None if scores else 0.0
                arcs.append((number, number + length, "" if word == "*EPS*" else word, score))
        lattices.append(arcs)
    return lattices


def found_arcs(lattice: Lattice) -> list[tuple[int, int, str, float]]:
    return [(s, d, word, graph) for s, d, word, graph, _ in rows(lattice)[1]]


@pytest.mark.parametrize(
    ("name", "probabilities"),
    [
        ("asr-fisher-callhome/fisher_dev.plf.es.gz", False),
        ("mt-cdec/compound-split.examples.de.out.plf", False),
        ("mt-joshua/test.plf", True),
        ("mt-moses/phrase.lattice-surface/to-translate.txt", True),
        ("mt-moses/phrase.lattice.mem/to-translate.txt", True),
    ],
)
def test_plf_is_what_python_reads(shared: Path, name: str, probabilities: bool) -> None:
    path = shared / name
    data = path.read_bytes()
    expected = by_eval((gzip.decompress(data) if name.endswith(".gz") else data).decode())
    items = read_items(path)
    assert items.formats == ("plf",)
    assert len(items.items) == len(expected)
    for item, arcs in zip(items.items, expected, strict=True):
        if probabilities:
            arcs = [(s, d, w, -math.log(p)) for s, d, w, p in arcs if p]
        else:
            arcs = [(s, d, w, -(p or 0.0)) for s, d, w, p in arcs]
        assert found_arcs(item.value) == sorted(arcs)
        assert item.value.automaton.finals.tolist() == [max((arc[1] for arc in arcs), default=0)]


def test_plf_features_are_read_without_scores(shared: Path) -> None:
    path = shared / "mt-cdec" / "lattice.input.txt"
    with pytest.raises(InputError, match=r":2: found several scores.*the format plf-unscored"):
        read_items(path)
    expected = by_eval(path.read_text())
    items = read_items(path, format="plf-unscored").items
    assert [found_arcs(item.value) for item in items] == [
        sorted((s, d, word, 0.0) for s, d, word, _ in arcs) for arcs in expected
    ]
    assert ("D'",) in {words for words, _ in paths(items[1].value)}


def test_plf_features_with_weights(shared: Path, tmp_path: Path) -> None:
    """Costs by hand from the features that cdec printed for these lattices (lattice.gold.stdout)."""
    weights = tmp_path / "weights"
    weights.write_text("LatticeCost_0 -2\nUsesDPrime 1000\nother 7\n")
    first, second = read_items(shared / "mt-cdec" / "lattice.input.txt", weights=weights).items
    assert paths(first.value) == Counter({(("AB",), 0.25): 1, (("C", "B"), 4.5): 1, (("A", "B"), 5.0): 1})
    assert paths(second.value) == Counter({(("D'",), 0.2 - 1000): 1, (("B",), 0.0): 1, (("A",), 1.0): 1})
    for several in ("1, 2", "{'a': x}"):
        with pytest.raises(InputError, match=r"^f:1: (expected one score|column)"):
            list(FORMATS["plf"].read(
                Source("f", f"((('a',{several},1),),)".encode()), ReadOptions(weights=str(weights))
            ))  # fmt: skip


def test_plf_agrees_with_the_recogniser(shared: Path) -> None:
    """As the data's notes say: the 1-best equals the best path for about 98.4 % of lines."""
    folder = shared / "asr-fisher-callhome"
    with gzip.open(folder / "fisher_dev.asr.es.gz", "rt") as file:
        recognised = [tuple(line.split()) for line in file]
    lattices = [item.value for item in read_items(folder / "fisher_dev.plf.es.gz").items]
    same = sum(
        lattice.best_path().words == words
        for lattice, words in zip(lattices, recognised, strict=True)
        if lattice.num_arcs
    )
    assert 0.98 < same / sum(1 for lattice in lattices if lattice.num_arcs) < 0.99


def test_plf_may_be_written_in_several_ways() -> None:
    assert one("plf", r"((('it\'s \\',-1,1),('*EPS*', -2, 2),),(('b', 0,1),),)") == Counter(
        {(("it's", "\\", "b"), 1.0): 1, ((), 2.0): 1}
    )
    assert one("plf", "((('a',.5,1),('b',1e-1,1),('no',0,1)))") == costs(a=0.5, b=0.1)
    assert one("plf", "( ( ( 'a' , -1 , 1 ) , ( 'b' , 1 ) ) )") == Counter(
        {(("a",), 1.0): 1, (("b",), 0.0): 1}
    )
    assert [paths(item.value) for item in read("plf", "((('a',0,1),),)\n\n")] == [
        Counter({(("a",), 0.0): 1}),
        Counter({((), 0.0): 1}),
    ]
    for several in ("(('a',-1,-2,1),)", "(('a',{'x':-1},1),)"):
        with pytest.raises(InputError, match="several scores, named ones"):
            read("plf", f"({several},)")
        assert one("plf-unscored", f"({several},)") == Counter({(("a",), 0.0): 1})


@pytest.mark.parametrize(
    "words", [("it's", "it"), ("it", "it's"), ('say"so', '"'), ("a'b\"c", "\\"), ("''", "('b',1,1)")]
)
def test_plf_is_read_as_python_writes_it(words: tuple[str, str]) -> None:
    lattice = (tuple((word, -0.5, 1) for word in words), (("so", 0, 1),))
    expected = Counter({((word, "so"), 0.5): 1 for word in words})
    assert one("plf", repr(lattice)) == one("plf", repr(lattice).replace(" ", "")) == expected


def test_a_damaged_plf_line_takes_no_longer() -> None:
    for text in (
        "((('a'," + "1" * 200_000,
        "((('" + "\\'" * 200_000,
        '((("' + '\\"' * 200_000,
        "(" * 200_000,
        "((('a'," + "1," * 200_000,
    ):
        with pytest.raises(InputError, match=":1: column"):
            read("plf", text)


def test_moses_search_graph() -> None:
    (item,) = read("moses-graph", GRAPH)
    assert item.id == "4"
    assert paths(item.value) == Counter(
        {(("this", "is", "it"), 2.5): 1, (("this", "was", "out=it"), 2.25): 1, ((), 4.0): 1}
    )


def test_moses_search_graphs_come_by_number() -> None:
    def sentences(*numbers: int) -> list[str | None]:
        text = "".join(GRAPH.replace("4 hyp", f"{number} hyp") for number in numbers)
        return [item.id for item in read("moses-graph", text)]

    assert sentences(1, 0) == [None, None]
    assert sentences(2, 1) == ["2", "1"]


def test_moses_confusion_networks(shared: Path) -> None:
    items = read_items(shared / "mt-moses" / "phrase.confusionNet-surface-only.mem" / "to-translate.txt")
    assert items.formats == ("moses-cn",)
    assert [item.id for item in items.items] == [None] * 3
    # Moses' own sum of the logs along its input path, InputFeature0 of its first translation.
    assert items.items[0].value.best_path().words == ("damit", "ist", "der", "arbeitsplan")
    assert items.items[0].value.best_path().cost == pytest.approx(5.24383, abs=1e-5)
    # Probability 0 is no arc; factors are no part of the word.
    assert Counter(word for *_, word, _, _ in rows(items.items[1].value)[1])["dies"] == 0


# --- Sphinx ---------------------------------------------------------------------------------------------


def trimmed(lattice: Lattice) -> tuple[list[tuple[int, int, str]], np.ndarray]:
    """The useful arcs, states numbered by their order in the file, and their acoustic costs."""
    start, arcs, finals = rows(lattice)
    forwards: dict[int, list[int]] = {}
    backwards: dict[int, list[int]] = {}
    for source, destination, *_ in arcs:
        forwards.setdefault(source, []).append(destination)
        backwards.setdefault(destination, []).append(source)

    def reached(states: list[int], following: dict[int, list[int]]) -> set[int]:
        found, pending = set(states), list(states)
        while pending:
            new = set(following.get(pending.pop(), ())) - found
            found |= new
            pending.extend(new)
        return found

    useful = sorted(reached([start], forwards) & reached(list(finals), backwards))
    number = {state: i for i, state in enumerate(useful)}
    kept = sorted(
        (number[s], number[d], "<s>" if word in SENTENCE_MARKERS else word, graph + acoustic)
        for s, d, word, graph, acoustic in arcs
        if s in number and d in number
    )
    return [arc[:3] for arc in kept], np.array([arc[3] for arc in kept])


SMALL = ["cards-002", "cards-005", "holmes01", "holmes03", "holmes09", "holmes11", "holmes21", "holmes23"]


def test_sphinx_lattices_are_the_slf_of_the_same_decoder(shared: Path) -> None:
    """Node for node and arc for arc, so they have the same paths at the same costs; fillers are no words in both."""
    folder = shared / "asr-pocketsphinx"
    for name in SMALL:
        (sphinx,), (slf,) = (read_items(folder / f"{name}.{kind}.gz").items for kind in ("lat", "slf"))
        assert sphinx.id == slf.id == name
        (arcs, acoustic), (expected, expected_acoustic) = trimmed(sphinx.value), trimmed(slf.value)
        assert arcs == expected
        # Those of SLF are written with six decimals, and log zero, -43440, is many of the integer logs' units away.
        assert np.allclose(acoustic, expected_acoustic, rtol=2e-5, atol=1e-5)
        depth, other = sphinx.value.depth, slf.value.depth
        assert (depth.unit, other.unit) == ("frames", "seconds")
        assert (depth.max, depth.mean) == (other.max, pytest.approx(other.mean, rel=0.02))


def test_sphinx_oracles(shared: Path) -> None:
    folder = shared / "asr-pocketsphinx"
    lines = [line.split("\t") for line in (folder / "oracle.tsv").read_text().splitlines()]
    expected = {line[0]: (int(line[1]), int(line[3])) for line in lines if line[0] in SMALL}
    references = dict(line.split(" ", 1) for line in (folder / "ref.txt").read_text().splitlines())
    items = [read_items(folder / f"{name}.lat.gz").items[0] for name in SMALL]
    pairs = ((item.id, item.value, references[item.id or ""]) for item in items)
    assert {r.id: (r.path_length, r.edits) for r in OracleSearch(fm.WER()).results(pairs)} == expected


def test_sphinx_words_fillers_and_base() -> None:
    half = math.log(2)
    assert one("sphinx", SPHINX) == Counter(
        {(("well", "clothes"), round(5 * half, 6)): 1, (("well",), round(5 * half, 6)): 1}
    )
    last = SPHINX.replace("0 </s> 20", "0 there 20")
    assert {words for words, _ in one("sphinx", last)} == {("well", "clothes", "there"), ("well", "there")}


def spoken(lattice: fm.Lattice) -> set[tuple[str, float, float]]:
    """Every word, and the times of the states between which it stands."""
    automaton, words = lattice.automaton, lattice.symbols.words
    assert isinstance(lattice.times, Times)
    time = lattice.times.of_state.tolist()
    arcs = zip(
        automaton.labels.tolist(), automaton.sources.tolist(), automaton.destinations.tolist(), strict=True
    )
    return {(words[label], time[a], time[b]) for label, a, b in arcs if words[label]}


def test_words_stand_between_the_times_at_which_they_are_said() -> None:
    """Sphinx has nodes where their words begin, HTK where they end, but not in files that pocketsphinx writes."""
    (item,) = FORMATS["sphinx"].read(Source("a.lat", SPHINX.encode()), ReadOptions())
    assert spoken(item.value) == {("well", 0, 10), ("clothes", 10, 20)}
    slf = (
        "VERSION=1.0\nN=3 L=2\nI=0 t=0 W=one\nI=1 t=0.5 W=two\nI=2 t=0.75 W=!NULL\nJ=0 S=0 E=1\nJ=1 S=1 E=2\n"
    )
    pocketsphinx = f"# Lattice generated by PocketSphinx\n#\n{slf}"
    (item,) = FORMATS["slf"].read(Source("a.slf", pocketsphinx.encode()), ReadOptions())
    assert spoken(item.value) == {("one", 0, 0.5), ("two", 0.5, 0.75)}
    (item,) = FORMATS["slf"].read(Source("a.slf", slf.replace("W=one", "W=!NULL").encode()), ReadOptions())
    assert spoken(item.value) == {("two", 0, 0.5)}


# --- k2 -------------------------------------------------------------------------------------------------


def test_text_of_k2_has_words_or_numbers(tmp_path: Path) -> None:
    symbols = tmp_path / "words.txt"
    symbols.write_text("<eps> 0\nhello 10\nbye 7\n")
    assert one("k2", K2) == Counter({(("10",), -0.5): 1, ((), 0.5): 1})
    assert one("k2", K2, symbols=symbols) == Counter({(("hello",), -0.5): 1, ((), 0.5): 1})
    # Output labels are the words; so with three fields there are no scores.
    assert one("k2", "0 1 10 7 0.25\n1 2 -1 -1 0\n2\n", symbols=symbols) == Counter({(("bye",), -0.25): 1})
    assert one("k2", "0 1 10\n1 2 -1\n2\n") == Counter({(("10",), 0.0): 1})
    # The same arcs without -1 are AT&T text.
    assert read_items(Source("a.txt", K2.encode())).formats == ("k2",)
    assert read_items(Source("a.txt", b"0 1 10 0.1\n1\n")).formats == ("att",)


def test_k2_text_with_lists_of_labels(tmp_path: Path) -> None:
    expected = Counter(
        {(("11", "13", "14"), 5.4): 1, (("11", "16", "17", "18"), 11.6): 1, (("12", "15"), 7.4): 1}
    )
    assert one("k2", RAGGED) == expected
    assert read_items(Source("a.txt", RAGGED.encode())).formats == ("k2",)
    symbols = tmp_path / "words.txt"
    symbols.write_text("<eps> 0\na 11\nb 13\nc 14\nd 16\ne 17\nf 18\ng 12\nh 15\n")
    words = {"11": "a", "13": "b", "14": "c", "16": "d", "17": "e", "18": "f", "12": "g", "15": "h"}
    assert one("k2", RAGGED, symbols=symbols) == Counter(
        {(tuple(words[label] for label in labels), cost): 1 for (labels, cost) in expected}
    )
    # Scores may be left out; one word an arc is what output labels say.
    assert one("k2", "0 1 5 [7]\n1 2 -1 [-1]\n2\n") == one("k2", "0 1 5 7 0\n1 2 -1 -1 0\n2\n")
    for text, left_out in ((RAGGED, ("input labels",)), ("0 1 5 [5] 1\n1 2 -1 [-1] 0\n2\n", ())):
        (item,) = FORMATS["k2"].read(Source("f", text.encode()), ReadOptions(tell_left_out=True))
        assert item.left_out == left_out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "0 1 2 22 [11] -1.2\n1 2 -1 -1 [] 0\n2\n",
            "f:1: an arc with several labels or lists of labels, .*take off",
        ),
        ("0 1 2 [22] [11] -1.2\n1 2 -1 [] [] 0\n2\n", "f:1: an arc with several labels or lists"),
        ("0 1 2 [11] 0\n1 2 -1 4 0\n2\n", "f:2: expected .* all lines with as many fields as the first"),
        ("0 1 2 [11] 0\n1 2 -1 [4\n2\n", "f:2: expected .* all lines with as many"),
        ("0 1 2 [-1] 0\n1 2 -1 [] 0\n2\n", "f:1: a label is a non-negative integer here, not '-1'"),
        ("0 1 2 [1 a] 0\n1 2 -1 [] 0\n2\n", "f:1: a label is a non-negative integer here, not 'a'"),
        (
            "0 1 2 [1 2] 0\n1 2 3 [] 0\n2\n",
            "f:2: label '3' into state 2: -1 must be on the arcs into the final",
        ),
        (
            "0 999999999999 2 [1 2] 0\n1 2 -1 [] 0\n2\n",
            "f:1: state 999999999999 is out of range",
        ),
        ("0 1 2 [1 2] 0\n1 99999999999 -1 [] 0\n99999999999\n", "f:2: state 99999999999 is out of range"),
    ],
)
def test_k2_lists_that_are_not_read(text: str, message: str) -> None:
    """All of them are known for k2's, whatever else is wrong."""
    with pytest.raises(InputError, match=message):
        FORMATS["k2"].read(Source("f", text.encode()), ReadOptions()).__next__()
    if "lists" in message:
        with pytest.raises(InputError, match=message):
            read_items(Source("f", text.encode()))


# --- all of them ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "format"),
    [
        ("a.txt", MESH, "srilm-mesh"),
        ("a.txt", MESH.split("\n", 1)[1], "srilm-mesh"),
        ("a.txt", WLAT, "srilm-lattice"),
        ("a.txt", PFSG, "pfsg"),
        ("a.lat", SPHINX, "sphinx"),
        ("a.lat", GRAPH, "moses-graph"),
        ("a.txt", "((('a',0,1),),)\n", "plf"),
        ("a.txt", '((("a",0,1),),)\n', "plf"),
        ("a.txt", "a 0.5 b 0.5\n\nc|NN 1.0\n\n", "moses-cn"),
        ("a.txt", "a 1 b 2\n", "plain"),
        ("a.txt", K2, "k2"),
    ],
)
def test_formats_are_recognised_with_other_line_ends_and_marks(name: str, text: str, format: str) -> None:
    for data in (text, text.replace("\n", "\r\n"), "\ufeff" + text):
        items = read_items(Source(name, data.encode()))
        assert items.formats == (format,)
        assert [rows(i.value) for i in items.items if isinstance(i.value, Lattice)] == [
            rows(i.value) for i in read(format, text) if isinstance(i.value, Lattice)
        ]


@pytest.mark.parametrize(
    "format", ["k2", "moses-cn", "moses-graph", "pfsg", "plf", "sphinx", "srilm-lattice", "srilm-mesh"]
)
def test_a_blank_file_is_empty(format: str) -> None:
    with pytest.raises(InputError, match="f: is empty"):
        read(format, " \n")


def test_moses_word_graph_is_refused() -> None:
    graph = "VERSION=1.0\nUTTERANCE=0\nJ=0\tS=0\tE=1\ta=-1, -2\tl=-3\tr=0\tw=this is\n"
    with pytest.raises(InputError, match="Moses word graph: it does not say which states are final"):
        read_items(Source("a.wg", graph.encode()))


DAMAGED = [
    ("srilm-mesh", MESH),
    ("srilm-lattice", WLAT),
    ("pfsg", PFSG + CITY),
    ("plf", PLF_LINE * 3),
    ("plf-unscored", "((('a',{'b':1},1),('b',1),('c',1,2,1),),)\n"),
    ("moses-graph", GRAPH),
    ("moses-cn", "a|B 0.5 b|c 0.5\nc|d 1.0\n\nc 1\n"),
    ("sphinx", SPHINX),
    ("k2", K2),
]


@pytest.mark.parametrize(("format", "text"), DAMAGED)
def test_damaged_files_are_read_or_refused(format: str, text: str) -> None:
    dice = random.Random(9)
    outcomes = Counter[bool]()
    for _ in range(300):
        source = Source("f", mutated(text.encode(), dice))
        for chosen in (FORMATS[format], None):
            try:
                list((chosen or recognise(source, ReadOptions())).read(source, ReadOptions()))
                outcomes[True] += 1
            except InputError:
                outcomes[False] += 1
    assert min(outcomes[True], outcomes[False]) > 10
