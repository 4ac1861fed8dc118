"""Lattices of integer labels without a symbol table: refused against words, scored against numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from command import fstmetrics

import fstmetrics as fm
from fstmetrics.io.formats.openfst_binary import vector_bytes
from fstmetrics.lattices.hope_and_fear import Weighing

REFUSED = "integer labels without a symbol table"
ATT = "0 1 17\n1 2 4\n2\n"
# The words 17 and 4 in every format that holds numbers.
TEXTS = {
    "u.att": ATT,
    "u.lats": "u\n0 1 17 1,2,\n1 2 4 0,0,\n2 0,0,\n\n",
    "u.k2": "0 1 17 0\n1 2 4 0\n2 3 -1 0\n3\n",
}
TABLE = "<eps> 0\nthe 17\ncat 4\n"


def numbered() -> fm.Lattice:
    lattice = fm.Lattice.from_arcs([(0, 1, "17"), (1, 2, "4")], finals=[2], id="u")
    lattice.numbered = True
    return lattice


def read(folder: Path, name: str, text: str, symbols: str | None = None) -> fm.Lattice:
    path = folder / name
    path.write_text(text)
    if symbols is None:
        return fm.Lattice.read(path)
    (folder / "words.txt").write_text(symbols)
    return fm.Lattice.read(path, symbols=folder / "words.txt")


@pytest.mark.parametrize("name", TEXTS)
def test_numbers_of_a_file_are_no_words_unless_a_table_names_them(tmp_path: Path, name: str) -> None:
    lattice = read(tmp_path, name, TEXTS[name])
    assert lattice.numbered
    with pytest.raises(fm.FstmetricsError, match=REFUSED):
        fm.wer(lattice, "the cat")
    assert fm.wer(lattice, "17 4") == 0
    named = read(tmp_path, name, TEXTS[name], TABLE)
    assert not named.numbered
    assert fm.wer(named, "the cat") == 0


def test_numbers_of_a_machine_without_a_table(tmp_path: Path) -> None:
    labels = np.array([0, 17, 4], dtype=np.int32)
    automaton = numbered().automaton
    zeros = np.zeros(2), np.zeros(1)
    (tmp_path / "u.fst").write_bytes(vector_bytes(automaton, *zeros, labels=labels))
    lattice = fm.Lattice.read(tmp_path / "u.fst")
    assert lattice.numbered
    with pytest.raises(fm.FstmetricsError, match=REFUSED):
        fm.oracle(lattice, "the cat")
    (tmp_path / "v.fst").write_bytes(vector_bytes(automaton, *zeros, symbols=fm.SymbolTable(["the", "cat"])))
    assert fm.wer(fm.Lattice.read(tmp_path / "v.fst"), "the cat") == 0


WAYS: dict[str, Callable[[fm.Lattice, object], object]] = {
    "wer": fm.wer,
    "wrr": fm.wrr,
    "grr": fm.grr,
    "align": fm.align,
    "oracle": fm.oracle,
    "score": lambda h, r: fm.score([h], [r]),
    "grammars": lambda h, r: fm.align(h, r, grammars=["en.contractions"]),
    "hyter": lambda h, r: fm.align(h, r, fm.HyTER()),
    "beam": lambda h, r: fm.oracle(h, r, beams=3),
    "hope": lambda h, r: Weighing(fm.WER(), 0.5).hope(h, r),  # type: ignore[arg-type]
    "alternatives": lambda h, r: fm.align(fm.Alternatives([h, "5"]), r),
    "pruned": lambda h, r: fm.align(h.pruned(5), r),
    "weighed": lambda h, r: fm.align(h.weighed(fm.Scales(2)), r),
    "letters": lambda h, r: fm.align(h, r, normalisation=fm.Normalisation(unit="char")),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "words",
    [
        "the cat",
        ("the", "cat"),
        "17 cat",
        "17 0",
        "017",
        ["the cat", "17 4"],
        fm.Network.from_json(
            '{"format": "fstmetrics-network/1", "root": "S", "cards": {"S": {"phrases": ["the cat"]}}}'
        ),
        fm.Lattice.from_strings([["the", "cat"]]),
    ],
    ids=repr,
)
def test_no_function_scores_numbers_against_words(way: str, words: object) -> None:
    with pytest.raises(fm.FstmetricsError, match=REFUSED):
        WAYS[way](numbered(), words)


@pytest.mark.parametrize("way", sorted(set(WAYS) - {"letters"}))
@pytest.mark.parametrize(
    "numbers", ["17 4", "", "<s> 17 4 </s>", ("17", "5"), ["17 4", "9"], numbered()], ids=repr
)
def test_every_function_scores_numbers_against_numbers(way: str, numbers: object) -> None:
    WAYS[way](numbered(), numbers)


def test_numbers_on_the_reference_side_are_refused_too() -> None:
    for hypothesis in ("the cat", ["the", "cat"], fm.Lattice.from_strings([["the"]])):
        with pytest.raises(fm.FstmetricsError, match=REFUSED):
            fm.wer(hypothesis, numbered())
    assert fm.wer("17 4", numbered()) == 0


def test_words_that_look_like_numbers_are_words() -> None:
    """A lattice made of words, or named by a table, may hold any, numerals among them."""
    lattice = fm.Lattice.from_arcs([(0, 1, "17")], finals=[1])
    assert fm.wer(lattice, "seventeen") == 1


def test_on_the_command_line_numbers_without_symbols_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("u the cat\n")
    (tmp_path / "u.lats").write_text(TEXTS["u.lats"])
    for command in ("oracle", "score"):
        outcome = fstmetrics(command, tmp_path / "ref", tmp_path / "u.lats")
        assert (outcome.status, outcome.out) == (2, "")
        assert REFUSED in outcome.err
        assert "--symbols FILE" in outcome.err


def test_kaldifst_machines_bring_their_symbols() -> None:
    kaldifst = pytest.importorskip("kaldifst", reason="kaldifst is not installed")
    for machine in (kaldifst.Lattice(), kaldifst.StdVectorFst()):
        lattice = machine_of(kaldifst, machine)
        assert lattice.numbered
        assert not fm.Lattice.from_kaldifst(machine, numbers=True).numbered
        table = kaldifst.SymbolTable()
        for label, word in enumerate(["<eps>", "the", "cat"]):
            table.add_symbol(word, label)
        assert fm.Lattice.from_kaldifst(machine, table).best_path().words == ("the", "cat")
        machine.input_symbols = table
        assert fm.Lattice.from_kaldifst(machine).best_path().words == ("the", "cat")
        other = kaldifst.SymbolTable()
        for label, word in enumerate(["<eps>", "le", "chat"]):
            other.add_symbol(word, label)
        machine.output_symbols = other
        assert fm.Lattice.from_kaldifst(machine).best_path().words == ("le", "chat")
        short = kaldifst.SymbolTable()
        short.add_symbol("<eps>", 0)
        machine.output_symbols = short
        with pytest.raises(fm.FstmetricsError, match="label 1 is not in the symbol table"):
            fm.Lattice.from_kaldifst(machine)


def machine_of(kaldifst: object, machine: object) -> fm.Lattice:
    """The words 1 and 2 in a machine of either kind."""
    is_lattice = isinstance(machine, kaldifst.Lattice)  # type: ignore[attr-defined]
    weight = kaldifst.LatticeWeight(0, 0) if is_lattice else 0.0  # type: ignore[attr-defined]
    arc = kaldifst.LatticeArc if is_lattice else kaldifst.StdArc  # type: ignore[attr-defined]
    for _ in range(3):
        machine.add_state()  # type: ignore[attr-defined]
    machine.start = 0  # type: ignore[attr-defined]
    machine.set_final(2, weight)  # type: ignore[attr-defined]
    for state in (0, 1):
        machine.add_arc(state, arc(state + 1, state + 1, weight, state + 1))  # type: ignore[attr-defined]
    return fm.Lattice.from_kaldifst(machine)


def test_bytes_of_pynini_are_no_words() -> None:
    pynini = pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")
    for text in ("the cat", "café", "1"):
        with pytest.raises(fm.FstmetricsError, match="bytes of a string"):
            fm.Lattice.from_pynini(pynini.accep(text))
    assert fm.Lattice.from_pynini(pynini.accep("a"), numbers=True).best_path().words == ("97",)
    assert fm.Lattice.from_pynini(pynini.accep("a"), {97: "the"}).best_path().words == ("the",)
    # Characters beyond bytes, and pywrapfst's machines, are integers like those of any other file.
    assert fm.Lattice.from_pynini(pynini.accep("猫", token_type="utf8")).numbered
    assert not fm.Lattice.from_pynini(pynini.accep("")).numbered


def test_k2_machines_bring_their_symbols() -> None:
    """By k2's documentation: `labels_sym` and `aux_labels_sym` are tables, whose `ids` list their labels."""

    arcs = np.array([[0, 1, 1], [1, 2, 2], [2, 3, -1]], dtype=np.int32)
    fsa = SimpleNamespace(shape=(4, None), arcs=SimpleNamespace(values=lambda: arcs), scores=np.zeros(3))
    assert fm.Lattice.from_k2(fsa).numbered
    assert not fm.Lattice.from_k2(fsa, numbers=True).numbered
    fsa.labels_sym = K2Symbols({0: "<eps>", 1: "the", 2: "cat"})
    assert fm.Lattice.from_k2(fsa).best_path().words == ("the", "cat")
    fsa.aux_labels = np.array([2, 1, -1])
    assert fm.Lattice.from_k2(fsa).numbered  # the table is that of the inputs
    fsa.aux_labels_sym = fsa.labels_sym
    assert fm.Lattice.from_k2(fsa).best_path().words == ("cat", "the")


class K2Symbols:
    """The public part of `k2.SymbolTable` that is used: `ids` and `[]`."""

    def __init__(self, words: dict[int, str]) -> None:
        self.ids, self._words = list(words), words

    def __getitem__(self, label: int) -> str:
        return self._words[label]
