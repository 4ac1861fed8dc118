"""Lattices to and from the objects of other libraries, and files that other libraries read."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from round_trips import apart, lattices, paths, single

import fstmetrics as fm
from fstmetrics.convert.files import WRITERS
from fstmetrics.data.cards import Call, Card
from fstmetrics.io.items import Item
from fstmetrics.io.writing import WriteOptions
from fstmetrics.io.written_words import Numbering


@given(lattices(single))
@settings(max_examples=80, deadline=None)
def test_kaldifst_and_back(lattice: fm.Lattice) -> None:
    pytest.importorskip("kaldifst", reason="kaldifst is not installed")
    numbers = dict(enumerate(lattice.symbols.words))
    back = fm.Lattice.from_kaldifst(lattice.to_kaldifst(), numbers, id="x")
    assert (apart(back), back.id) == (apart(lattice), "x")
    others = {7 * number: word for number, word in numbers.items()}
    assert apart(fm.Lattice.from_kaldifst(lattice.to_kaldifst(others), others)) == apart(lattice)


def test_words_go_to_kaldifst_and_back_without_a_table() -> None:
    pytest.importorskip("kaldifst", reason="kaldifst is not installed")
    lattice = fm.Lattice.from_strings(["the cat", "the hat"], costs=[1, 0])
    for table in (None, {5: "cat", 7: "the", 9: "hat"}):
        machine = lattice.to_kaldifst(table)
        assert fm.Lattice.from_kaldifst(machine).best_paths(3) == lattice.best_paths(3)
        assert not fm.Lattice.from_kaldifst(machine).numbered
    numbered = fm.Lattice.from_kaldifst(fm.Lattice.from_strings(["<eps> cat"]).to_kaldifst())
    assert numbered.numbered  # its first word would be read as none
    again = fm.Lattice.from_kaldifst(numbered.to_kaldifst())
    with pytest.raises(fm.FstmetricsError, match="integer labels without a symbol table"):
        fm.wer(again, "cat")


@pytest.mark.parametrize("kind", ["kaldifst", "pynini", "k2"])
def test_bytes_of_a_string_are_no_words(kind: str) -> None:
    """Neither by the library that compiles strings to bytes, nor by those that a caller gave such labels."""
    labels = list(b"the cat")
    if kind == "pynini":
        pynini = pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")
        for string in (pynini.accep("the cat"), pynini.accep("the cat", token_type="utf8")):
            with pytest.raises(fm.FstmetricsError, match="its labels look like the bytes of a string"):
                fm.Lattice.from_pynini(string)
        assert fm.Lattice.from_pynini(pynini.accep("the cat"), numbers=True).best_path().words[0] == "116"
        return
    if kind == "kaldifst":
        kaldifst = pytest.importorskip("kaldifst", reason="kaldifst is not installed")
        lattice = fm.Lattice.from_kaldifst(kaldifst.make_linear_acceptor(labels))
    else:
        rows = [[i, i + 1, label, 0] for i, label in enumerate(labels)] + [
            [len(labels), len(labels) + 1, -1, 0]
        ]
        arcs = SimpleNamespace(values=lambda: np.array(rows))
        fsa = SimpleNamespace(shape=(len(rows) + 1, None), arcs=arcs, scores=np.zeros(len(rows)))
        lattice = fm.Lattice.from_k2(fsa)
        fsa.labels_sym = {label: chr(label) for label in labels}
        assert fm.Lattice.from_k2(fsa).best_path().words == tuple("thecat")  # the attached table counts
    with pytest.raises(fm.FstmetricsError, match="integer labels without a symbol table"):
        fm.wer(lattice, "the cat")
    assert fm.wer(lattice, " ".join(map(str, labels))) == 0


def test_machines_without_a_start_have_no_path(tmp_path: Path) -> None:
    pywrapfst = pytest.importorskip("pywrapfst")
    kaldifst = pytest.importorskip("kaldifst", reason="kaldifst is not installed")
    fst, other = pywrapfst.VectorFst(), kaldifst.StdVectorFst()
    for machine in (fst, other):
        machine.add_state()
        machine.set_final(0, *(() if machine is fst else (0.5,)))
    fst.write(str(tmp_path / "x.fst"))
    pywrapfst.convert(fst, "const").write(str(tmp_path / "y.fst"))
    for lattice in (
        fm.Lattice.read(tmp_path / "x.fst"),
        fm.Lattice.read(tmp_path / "y.fst"),
        fm.Lattice.from_pynini(fst),
        fm.Lattice.from_kaldifst(other),
    ):
        assert (lattice.num_states, lattice.prepared.has_path) == (1, False)


@given(lattices(single))
@settings(max_examples=60, deadline=None)
def test_kaldifst_reads_what_is_written(
    tmp_path_factory: pytest.TempPathFactory, lattice: fm.Lattice
) -> None:
    """The machines of an archive, without the key before them, by kaldifst's own reader."""
    kaldifst = pytest.importorskip("kaldifst", reason="kaldifst is not installed")
    path, numbering = tmp_path_factory.getbasetemp() / "lattice.fst", Numbering()
    data = b"".join(WRITERS["kaldi-lattice4"].write(iter([Item("u", lattice)]), WriteOptions(numbering)))
    path.write_bytes(data.removeprefix(b"u "))
    words = {number: word for word, number in numbering.numbers.items()}
    assert apart(fm.Lattice.from_kaldifst(kaldifst.Lattice.read(str(path)), words)) == apart(lattice)


@given(lattices(single, False))
@settings(max_examples=40, deadline=None)
def test_pynini_and_kaldifst_read_openfst(
    tmp_path_factory: pytest.TempPathFactory, lattice: fm.Lattice
) -> None:
    path = tmp_path_factory.getbasetemp() / "machine.fst"
    path.write_bytes(b"".join(WRITERS["openfst"].write(iter([Item("u", lattice)]), WriteOptions())))
    words = dict(enumerate(lattice.symbols.words))
    if find_spec("kaldifst"):
        import kaldifst

        assert apart(fm.Lattice.from_kaldifst(kaldifst.StdVectorFst.read(str(path)), words)) == apart(lattice)
    pynini = pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")
    fst = pynini.Fst.read(str(path))
    assert fst.verify()
    assert apart(fm.Lattice.from_pynini(fst)) == apart(lattice)


@pytest.mark.parametrize("costly", [False, True])
def test_networks_to_pynini(costly: bool) -> None:
    pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")
    costs = ((0.5, 0.25), (1.0, 0.0)) if costly else ()
    inner = Card("X", ((0, 1, "b"), (0, 1, "")), frozenset({1}), costs=costs)
    network = fm.Network([Card("S", ((0, 1, "a"), (1, 2, Call("X"))), frozenset({2})), inner], "S")
    found = {
        said: sum(g for g, _ in all_costs)
        for said, all_costs in paths(fm.Lattice.from_pynini(network.to_pynini()))
    }
    assert found == ({("a", "b"): 0.75, ("a",): 1.0} if costly else {("a", "b"): 0.0, ("a",): 0.0})


def test_pywrapfst_reads_archives(tmp_path: Path) -> None:
    pywrapfst = pytest.importorskip("pywrapfst", reason="needs pynini: pip install 'fstmetrics[openfst]'")
    found = {key: fm.Lattice.from_strings([key.split("-")], id=key) for key in ("b-b", "a-c", "a-b-é")}
    items = iter([Item(key, lattice) for key, lattice in found.items()])
    path = tmp_path / "x.far"
    path.write_bytes(b"".join(WRITERS["far"].write(items, WriteOptions())))
    reader = pywrapfst.FarReader.open(str(path))
    keys = []
    while not reader.done():
        keys.append(reader.get_key())
        assert apart(fm.Lattice.from_pynini(reader.get_fst())) == apart(found[keys[-1]])
        next(reader)
    assert keys == sorted(found)
    assert not reader.error()


def fsa_of(text: str, aux_labels: Any = None) -> SimpleNamespace:
    """What `k2.Fsa.from_str` makes of a text, by k2's documentation: the same attributes, numpy for torch."""
    *rows, final = (line.split() for line in text.splitlines())
    arcs = np.array([[int(field) for field in row[:3]] for row in rows], dtype=np.int32).reshape(-1, 3)
    scores = np.array([float(row[3]) for row in rows], dtype=np.float32)
    given = {} if aux_labels is None else {"aux_labels": aux_labels}
    return SimpleNamespace(
        arcs=SimpleNamespace(values=lambda: arcs), scores=scores, shape=(int(final[0]) + 1, None), **given
    )


@given(lattices(single, False))
@settings(max_examples=60, deadline=None)
def test_stand_in_for_k2_and_back(lattice: fm.Lattice) -> None:
    module = SimpleNamespace(Fsa=SimpleNamespace(from_str=fsa_of))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "k2", module)
        fsa = lattice.to_k2()
    sources = fsa.arcs.values()[:, 0].tolist()
    assert sources == sorted(sources)
    back = fm.Lattice.from_k2(fsa, dict(enumerate(lattice.symbols.words)))
    assert apart(back) == apart(lattice)


def test_k2_outputs_are_the_words() -> None:
    """The example of k2's documentation, an acceptor and a transducer."""
    text = "0 1 10 0.1\n0 2 20 0.2\n1 3 -1 0.3\n2 3 -1 0.4\n3"
    found = fm.Lattice.from_k2(fsa_of(text), {10: "ten", 20: "twenty"})
    assert sorted(said for said, _ in paths(found)) == [("ten",), ("twenty",)]
    outputs = np.array([7, 0, -1, -1])
    found = fm.Lattice.from_k2(fsa_of(text, outputs))
    assert sorted(said for said, _ in paths(found)) == [(), ("7",)]
    assert found.best_path().cost == pytest.approx(-0.6)
    with pytest.raises(fm.FstmetricsError, match="not a vector of them"):
        fm.Lattice.from_k2(SimpleNamespace(shape=(2, None, None)))
    with pytest.raises(fm.FstmetricsError, match="label 20 is not in the symbol table given"):
        fm.Lattice.from_k2(fsa_of(text), {10: "ten"})


def test_what_is_not_installed_is_named() -> None:
    lattice = fm.Lattice.from_strings([["a"]])
    for name, convert_to in (("kaldifst", lattice.to_kaldifst), ("k2", lattice.to_k2)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(sys.modules, name, None)
            with pytest.raises(fm.FstmetricsError, match=f"needs {name}, which is not installed"):
                convert_to()
