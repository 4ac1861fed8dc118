"""A symbol with white space in it is a phrase, its words one after the other: in every reader, on every route."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import fstmetrics

import fstmetrics as fm
from fstmetrics.data.cards import Card
from fstmetrics.data.symbols import SymbolTable
from fstmetrics.io.formats import openfst_binary
from fstmetrics.io.writing import WriteOptions

# What separates words of text: a space, and others that no format of lattices takes for the end of a field.
SPACES = (
    " ",
    "\u00a0",
    "\u202f",
    "\u3000",
    "\u2028",
    "\u0085",
    "\v",
    "\f",
    "\x1c",
    "\u00a0 ",
    "\u2003\u2003",
)
# In both lattices and references: the phrase is likelier than the other word, and its words are counted.
REFERENCE = "good evening sir"
TABLE = {1: "good{}morning", 2: "hello", 3: "sir"}


def _named(space: str) -> list[str]:
    return [word.format(space) for word in TABLE.values()]


def _automaton() -> fm.Lattice:
    """The lattice, whose words are not looked at."""
    return fm.Lattice.from_arrays(
        [0, 0, 1], [1, 1, 2], ["a", "b", "c"], finals=[2], costs=[(0.25, 0), (2, 0), (0, 0)], id="u"
    )


def _with_phrase(space: str) -> fm.Lattice:
    """A lattice as a reader must not make it: to be written."""
    lattice = _automaton()
    lattice.symbols = SymbolTable(_named(space))
    return lattice


def _openfst(space: str) -> bytes:
    automaton = _automaton().automaton
    costs = automaton.arc_costs[:, 0], automaton.final_costs[:, 0]
    return openfst_binary.vector_bytes(automaton, *costs, symbols=SymbolTable(_named(space)))


def _packed(space: str) -> bytes:
    from fstmetrics.io.formats import packed_lattices
    from fstmetrics.io.items import Item

    return b"".join(packed_lattices.write(iter([Item("u", _with_phrase(space))]), WriteOptions()))


def _rows(*lines: str) -> Callable[[str], bytes]:
    text = "".join(f"{line}\n" for line in lines)
    return lambda space: text.replace("~", space).encode()


def _json(value: Any) -> Callable[[str], bytes]:
    return lambda space: json.dumps(value).replace("~", json.dumps(space)[1:-1]).encode()


SPHINX = """# -logbase 2.0
Frames 30
Nodes 4 (NODEID WORD STARTFRAME FIRST-ENDFRAME LAST-ENDFRAME)
0 good~morning 0 9 9
1 hello 0 9 9
2 sir 10 19 19
3 <s> 0 0 0
Initial 3
Final 2
BestSegAscr 0 (NODEID ENDFRAME ASCORE)
Edges (FROM-NODEID TO-NODEID ASCORE)
3 0 -1
3 1 -9
0 2 -1
1 2 -1
End"""
GRAPH = {"format": "fstmetrics-network/1", "root": "S"}
CDEC = (
    '{"rules":[1,"[X] ||| x ||| good~morning",2,"[X] ||| y ||| hello",3,"[X] ||| [X] z ||| [1] sir"],'
    '"features":["f"],"edges":[{"tail":[],"feats":[0,-1],"rule":1},{"tail":[],"feats":[0,-2],"rule":2}],'
    '"node":{"in_edges":[0,1]},"edges":[{"tail":[0],"feats":[],"rule":3}],"node":{"in_edges":[2]}}'
)
# By format: what is in the file. `~` is the space.
FILES: dict[str, tuple[str, Callable[[str], bytes]]] = {
    "att": ("u.fst.txt", _rows("0\t1\tgood~morning\t0.25", "0\t1\thello\t2", "1\t2\tsir", "2")),
    "att-transducer": (
        "t.fst.txt", _rows("0 1 1 good~morning 0.25", "0 1 2 hello 2", "1 2 3 sir", "2"),
    ),
    "kaldi-lattice": (
        "u.ark.txt", _rows("u", "0 1 good~morning 0.25,0,", "0 1 hello 2,0,", "1 2 sir 0,0,", "2 0,0,", ""),
    ),
    "slf": (
        "u.slf", _rows("VERSION=1.0", "N=3 L=3", "I=0 t=0", "I=1 t=1", "I=2 t=2",
                       'J=0 S=0 E=1 W="good~morning" l=-0.25', "J=1 S=0 E=1 W=hello l=-2", "J=2 S=1 E=2 W=sir l=0"),
    ),
    "slf-nodes": (
        "n.slf", _rows("VERSION=1.0", "N=4 L=4", "I=0 W=!NULL", 'I=1 W="good~morning"', "I=2 W=hello", "I=3 W=sir",
                       "J=0 S=0 E=1 l=-0.25", "J=1 S=0 E=2 l=-2", "J=2 S=1 E=3 l=0", "J=3 S=2 E=3 l=0"),
    ),
    "slf-network": (
        "s.slf", _rows("SUBLAT=greeting", "N=2 L=2", "I=0", "I=1", 'J=0 S=0 E=1 W="good~morning" l=-0.25',
                       "J=1 S=0 E=1 W=hello l=-2", ".", "N=4 L=3", "I=0 W=!NULL", "I=1 L=greeting", "I=2 W=sir",
                       "I=3 W=!NULL", "J=0 S=0 E=1", "J=1 S=1 E=2", "J=2 S=2 E=3"),
    ),
    "plf": ("l.plf", _rows("((('good~morning',-0.25,1),('hello',-2,1),),(('sir',0,1),),)")),
    "plf-probabilities": ("p.plf", _rows("((('good~morning',0.6,1),('hello',0.4,1),),(('sir',1.0,1),),)")),
    "plf-unscored": ("l.plf", _rows("((('good~morning',0.6,1),),(('sir',1.0,1),),)")),
    "moses-cn": ("c.cn", _rows("good~morning 0.6 hello 0.4", "sir 1.0", "")),
    "moses-graph": (
        "g.moses", _rows("0 hyp=0 stack=0",
                         "0 hyp=1 stack=1 back=0 score=-1 transition=-0.25 forward=3 fscore=-1 covered=0-0 "
                         "out=good~morning",
                         "0 hyp=3 stack=2 back=1 score=-2 transition=-1 forward=-1 fscore=-2 covered=1-1 out=sir"),
    ),
    "pfsg": (
        "u.pfsg", _rows("name u", "nodes 5 NULL good~morning hello sir NULL", "initial 0", "final 4", "transitions 5",
                        "0 1 -2500", "0 2 -20000", "1 3 0", "2 3 0", "3 4 0"),
    ),
    "srilm-mesh": (
        "u.mesh", _rows("name u", "numaligns 2", "posterior 1", "align 0 good~morning 0.6 hello 0.4", "align 1 sir 1"),
    ),
    "srilm-lattice": (
        "u.wlat", _rows("version 2", "name u", "initial 0", "final 3", "node 0 NULL 0 1 1 0.6 2 0.4",
                        "node 1 good~morning 1 0.6 4 0.6", "node 2 hello 1 0.4 4 0.4", "node 4 sir 2 1 3 1",
                        "node 3 NULL 3 1"),
    ),
    "sphinx": ("u.sphinx", _rows(*SPHINX.split("\n"))),
    "openfst": ("u.fst", _openfst),
    "far": ("u.far", lambda space: b"".join(openfst_binary.far_pieces([("u", _openfst(space))]))),
    "packed": ("u.packed", _packed),
    "network": (
        "a.json", _json(GRAPH | {"cards": {"S": {"arcs": [[0, 1, "good~morning", [0.25, 0]], [0, 1, "hello", [2, 0]],
                                                          [1, 2, "sir"]], "final": [2]}}}),
    ),
    "network-phrases": (
        "b.json", _json(GRAPH | {"cards": {"S": {"phrases": ["[X] sir"]}, "X": {"phrases": ["good~morning"]}}}),
    ),
    "cards": ("u.cards", _rows("[S]: [X] sir", "[X]: good~morning")),
    "cdec": ("u.hg", lambda space: CDEC.replace("~", json.dumps(space)[1:-1]).encode()),
    "target-graph": (
        "u.tg", _rows("# target ||| features ||| source-covered", "2 2", "1", "good~morning ||| lm=-1 ||| 1", "1",
                      "[0] sir ||| lm=0 ||| 2"),
    ),
}  # fmt: skip
ASKED = ("att-transducer", "plf-unscored")
# Where a space parts fields, it cannot be part of a word.
PARTED_BY_SPACES = {
    "att", "att-transducer", "kaldi-lattice", "moses-cn", "pfsg", "srilm-mesh", "srilm-lattice", "sphinx",
}  # fmt: skip
NETWORKS = {"slf-network", "network", "network-phrases", "cards", "cdec", "target-graph"}
CASES = [
    pytest.param(name, space, id=f"{name}-{space.encode('unicode_escape').decode()}")
    for name in FILES
    for space in SPACES
    if not (name in PARTED_BY_SPACES and " " in space)
    and not (name == "cards" and space in "\v\f\x1c\u0085\u2028")  # they end lines of that notation
]


def _written(name: str, space: str, folder: Path) -> tuple[str, list[str]]:
    file, make = FILES[name]
    path = folder / file
    path.write_bytes(make(space))
    options = ["--format", name] if name in ASKED else []
    return str(path), options


@pytest.fixture
def reference(tmp_path: Path) -> str:
    path = tmp_path / "ref.txt"
    path.write_text(f"{REFERENCE}\n")
    return str(path)


def _read(path: str, options: list[str]) -> Any:
    kind = options[-1] if options else None
    try:
        return fm.Lattice.read(path, format=kind)
    except fm.FstmetricsError:
        return fm.Network.read(path, format=kind)


@pytest.mark.parametrize(("name", "space"), CASES)
def test_each_reader_reads_a_phrase(name: str, space: str, tmp_path: Path) -> None:
    value = _read(*_written(name, space, tmp_path))
    words = set(value.symbols.words) - {"", "<s>", "</s>"}
    assert {"good", "morning", "sir"} <= words <= {"good", "morning", "sir", "hello"}
    found = fm.score([value], [REFERENCE], metric="wer")
    assert (found.edits, found.path_length) == (1, 3)
    assert fm.score([value], [REFERENCE], metric="grr").matches == 2


@pytest.mark.parametrize("name", FILES)
def test_each_route_takes_a_phrase(name: str, tmp_path: Path, reference: str) -> None:
    space = "\u00a0"
    path, options = _written(name, space, tmp_path)
    if name == "target-graph" or name == "cdec":
        options = [*options, "--weights", str(tmp_path / "weights")]
        (tmp_path / "weights").write_text("f 1\nlm 1\n")
    oracle = fstmetrics("oracle", reference, path, *options, "--metric", "wer", "--json").summary
    assert oracle["edits"] == 1
    assert oracle["path_length"] == 3
    has_costs = name not in ("network-phrases", "cards")
    if has_costs:
        assert oracle["one_best"]["edits"] == 1
    grr = fstmetrics("oracle", reference, path, *options, "--metric", "grr", "--json").summary
    assert grr["matches"] == 2
    if has_costs:
        best = fstmetrics("best", path, *options)
        assert (best.status, best.out.strip().split()[-3:]) == (0, ["good", "morning", "sir"]), best.err
    if name not in NETWORKS:
        mbr = fstmetrics("mbr", path, *options)
        assert (mbr.status, mbr.out.strip().split()[-3:]) == (0, ["good", "morning", "sir"]), mbr.err
    for to in ("slf", "network", "packed"):
        if to == "packed" and name in NETWORKS:
            continue
        made = tmp_path / f"made.{to}"
        done = fstmetrics("convert", path, *options, made, "--to", to, "--lossy")
        if done.status == 2 and "--lossy" in done.err:
            done = fstmetrics("convert", path, *options, made, "--to", to)
        assert done.status == 0, done.err
        again = fstmetrics("oracle", reference, made, "--metric", "wer", "--json").summary
        assert again["edits"] == 1
        assert again["path_length"] == 3
    as_reference = fstmetrics("hyter", path, reference, "--window", "1", "--json")
    assert as_reference.summary["edits"] == 1
    assert as_reference.summary["path_length"] == 3
    scored = fstmetrics("score", reference, path, *options, "--json")
    assert scored.summary["edits"] == 1


def test_a_table_of_symbols_names_phrases(tmp_path: Path, reference: str) -> None:
    table = tmp_path / "words.txt"
    for space in ("\u00a0", " ", "\u3000"):
        lines = "".join(f"{word.format(space)}\t{number}\n" for number, word in TABLE.items())
        table.write_text(f"<eps>\t0\n{lines}")
        automaton = _automaton().automaton
        costs = automaton.arc_costs[:, 0], automaton.final_costs[:, 0]
        files = {
            "u.fst": openfst_binary.vector_bytes(automaton, *costs),
            "u.fst.txt": b"0 1 1 0.25\n0 1 2 2\n1 2 3\n2\n",
            "u.ark": b"u " + openfst_binary.lattice_bytes(automaton, np.arange(4, dtype=np.int32), True),
            "u.ark.txt": b"u\n0 1 1 0.25,0,\n0 1 2 2,0,\n1 2 3 0,0,\n2 0,0,\n\n",
            "u.k2": b"0 1 1 -0.25\n0 1 2 -2\n1 2 3 0\n2 3 -1 0\n3\n",
            "lists.k2": b"0 1 1 [1] -0.25\n0 1 2 [2] -2\n1 2 3 [3] 0\n2 3 -1 [-1] 0\n3\n",
        }
        for name, data in files.items():
            path = tmp_path / name
            path.write_bytes(data)
            found = fstmetrics(
                "oracle", reference, path, "--symbols", table, "--metric", "wer", "--json"
            ).summary
            assert (found["edits"], found["path_length"], found["one_best"]["edits"]) == (1, 3, 1), name
            packed = tmp_path / f"{name}.packed"
            assert fstmetrics("pack", path, packed).status == 0
            found = fstmetrics(
                "oracle", reference, packed, "--symbols", table, "--metric", "wer", "--json"
            ).summary
            assert (found["edits"], found["path_length"]) == (1, 3), name


def _values(space: str) -> dict[str, Any]:
    phrase = f"good{space}morning"
    arcs = [(0, 1, phrase), (0, 1, "hello"), (1, 2, "sir")]
    columns = ([0, 0, 1], [1, 1, 2], [phrase, "hello", "sir"])
    costs = [(0.25, 0.0), (2.0, 0.0), (0.0, 0.0)]
    card = Card("S", tuple(arcs), frozenset({2}), costs=tuple(costs))
    plain = _automaton()
    return {
        "Lattice": fm.Lattice(plain.automaton, SymbolTable(_named(space))),
        "from_arcs": fm.Lattice.from_arcs(arcs, finals=[2]),
        "from_arrays": fm.Lattice.from_arrays(*columns, finals=[2], costs=costs),
        "from_strings": fm.Lattice.from_strings([[phrase, "sir"], ["hello", "sir"]]),
        "Network": fm.Network([card], "S"),
        "from_dict": fm.Network.from_dict(
            GRAPH | {"cards": {"S": {"arcs": [[0, 1, phrase], [1, 2, "sir"]], "final": [2]}}}
        ),
        "from_phrases": fm.Network([Card.from_phrases("S", [f"{phrase} sir"])], "S"),
        "NBest": fm.NBest(
            "u", ((phrase, "sir"), ("hello", "sir")), (f"{phrase} sir", "hello sir"), (-1.0, -2.0)
        ),
    }


@pytest.mark.parametrize("space", SPACES)
def test_values_of_python(space: str) -> None:
    for name, value in _values(space).items():
        found = fm.score([value], [REFERENCE], metric="wer")
        assert (found.edits, found.path_length) == (1, 3), name
        as_reference = fm.score(["good evening sir"], [value], metric="wer")
        assert (as_reference.edits, as_reference.path_length) == (1, 3), name
        assert (
            fm.score([value], [REFERENCE], metric="wer", normalisation=fm.Normalisation(unit="char")).edits
            == 3
        ), name


def test_costs_and_times_stay_with_the_first_word() -> None:
    from fstmetrics.data.times import Durations, Times

    columns: Any = ([0, 1, 0], [1, 2, 1], ["good morning", "dear sir there", "hello"])
    costs = [(1.0, 2.0), (4.0, 8.0), (16.0, 32.0)]
    lattice = fm.Lattice.from_arrays(
        *columns, finals=[2], costs=costs, times=Times(np.array([0.0, 1.0, 2.0]), "seconds")
    )
    assert [(best.words, best.cost) for best in lattice.best_paths(3)] == [
        (("good", "morning", "dear", "sir", "there"), 15.0), (("hello", "dear", "sir", "there"), 60.0),
    ]  # fmt: skip
    assert lattice.num_states == 3 + 1 + 2 == len(lattice.times.of_state)
    assert lattice.times.of_state.tolist() == [0.0, 1.0, 2.0, 1.0, 2.0, 2.0]
    # Arcs are in the order of the states that they leave.
    lattice = fm.Lattice.from_arrays(
        [0, 0, 1], [1, 1, 2], ["good morning", "hello", "dear sir"], finals=[2],
        times=Durations(np.array([3, 4, 5]), "frames"),
    )  # fmt: skip
    words = [lattice.symbols.words[label] for label in lattice.automaton.labels]
    assert dict(zip(words, lattice.times.of_arc.tolist(), strict=True)) == {
        "good": 3, "hello": 4, "dear": 5, "morning": 0, "sir": 0,
    }  # fmt: skip


def test_times_of_files_go_on(tmp_path: Path) -> None:
    lattice = fm.Lattice.read(_written("slf", "\u00a0", tmp_path)[0])
    assert lattice.times.of_state.tolist() == [0.0, 1.0, 2.0, 1.0]
    lattice = fm.Lattice.read(_written("sphinx", "\u00a0", tmp_path)[0])
    assert lattice.num_states == len(lattice.times.of_state)
    assert not math.isnan(lattice.times.of_state[0])


def test_what_is_nothing_but_space_is_no_word() -> None:
    for space in SPACES:
        lattice = fm.Lattice.from_arcs([(0, 1, space), (1, 2, "sir")], finals=[2])
        assert lattice.best_path().words == ("sir",)
        network = fm.Network([Card("S", ((0, 1, space), (1, 2, "sir")), frozenset({2}))], "S")
        assert network.best_path().words == ("sir",)


def test_a_wildcard_is_no_phrase() -> None:
    transcript = fm.Transcript.parse("good <*> sir", "sclite")
    assert transcript.has_wildcards
    assert fm.score(["good old sir"], [transcript]).edits == 0


def test_objects_of_openfst() -> None:
    pynini = pytest.importorskip("pynini")
    for space in SPACES:
        table = pynini.SymbolTable()
        table.add_symbol("<eps>")
        for word in _named(space):
            table.add_symbol(word)
        fst = pynini.Fst.read_from_string(openfst_binary.vector_bytes(_automaton().automaton))
        for value in (
            fm.Lattice.from_pynini(fst, table),
            fm.Lattice.from_pynini(fst, {n: word.format(space) for n, word in TABLE.items()}),
            fm.Lattice.from_pynini(fst.copy().set_input_symbols(table).set_output_symbols(table)),
        ):
            assert fm.score([value], [REFERENCE], metric="wer").edits == 1


def test_objects_of_kaldifst() -> None:
    pytest.importorskip("kaldifst")
    machine = _automaton().to_kaldifst()
    for space in SPACES:
        value = fm.Lattice.from_kaldifst(machine, {n: word.format(space) for n, word in TABLE.items()})
        assert fm.score([value], [REFERENCE], metric="wer").edits == 1
