"""What a label is no word, and which table names it: AT&T text, Kaldi text, OpenFst's binary machines and archives."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import fstmetrics

import fstmetrics as fm
from fstmetrics.io.formats import openfst_binary

NAMES = ("<eps>", "<epsilon>", "@0@", "\u03b5", "-", "EPS", "nothing")


def _written(folder: Path, name: str, data: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def _machine(labels: list[tuple[int, int]], inputs: list[str] | None, outputs: list[str] | None) -> bytes:
    """A chain of arcs with these input and output labels, and the tables of both, the first word with number 0."""

    def string(text: str) -> bytes:
        data = text.encode()
        return struct.pack("<i", len(data)) + data

    def table(words: list[str]) -> bytes:
        head = struct.pack("<i", openfst_binary.SYMBOLS_MAGIC) + string("t")
        entries = b"".join(string(word) + struct.pack("<q", key) for key, word in enumerate(words))
        return head + struct.pack("<qq", len(words), len(words)) + entries

    flags = (1 if inputs else 0) | (2 if outputs else 0)
    head = struct.pack("<iiQqqq", 2, flags, 3, 0, len(labels) + 1, len(labels))
    tables = b"".join(table(words) for words in (inputs, outputs) if words)
    states = b"".join(
        struct.pack("<fqiifi", np.inf, 1, one, other, 0.0, at + 1) for at, (one, other) in enumerate(labels)
    )
    kind = openfst_binary.MAGIC + string("vector") + string("standard")
    return kind + head + tables + states + struct.pack("<fq", 0.0, 0)


def _score(folder: Path, path: Path, reference: str, *options: object) -> Any:
    text = _written(folder, "ref.txt", f"{reference}\n")
    return fstmetrics("oracle", text, path, *options, "--metric", "wer", "--json")


@pytest.mark.parametrize("name", NAMES)
def test_the_word_of_number_0_is_none(name: str, tmp_path: Path) -> None:
    table = _written(tmp_path, "words.txt", f"{name} 0\ngood 1\nmorning 2\n")
    files = {
        "a.fst.txt": f"0 1 {name}\n1 2 good\n2 3 {name} 0.5\n3 4 morning\n4\n",
        "t.fst.txt": f"0 1 x {name}\n1 2 y good\n2 3 x {name} 0.5\n3 4 {name} morning\n4\n",
        "c.ark.txt": f"u\n0 1 {name} 0,0,\n1 2 good 0,0,\n2 3 {name} 0,0,\n3 4 morning 0,0,\n4 0,0,\n\n",
        "l.ark.txt": f"u\n0 1 3 {name} 0,0\n1 2 4 good 0,0\n2 3 0 {name} 0,0\n3 4 7 morning 0,0\n4 0,0\n\n",
        "i.fst.txt": "0 1 0\n1 2 1\n2 3 0 0.5\n3 4 2\n4\n",
        "b.fst": _machine([(0, 0), (1, 1), (0, 0), (2, 2)], None, None),
    }
    for file, data in files.items():
        found = _score(tmp_path, _written(tmp_path, file, data), "good morning", "--symbols", table).summary
        assert (found["edits"], found["matches"]) == (0, 2), file
    own = _machine([(0, 0), (1, 1), (0, 0), (2, 2)], None, [name, "good", "morning"])
    for file, data in (("own.fst", own), ("own.far", b"".join(openfst_binary.far_pieces([("u", own)])))):
        assert _score(tmp_path, _written(tmp_path, file, data), "good morning").summary["edits"] == 0


@pytest.mark.parametrize("name", ["<eps>", "<epsilon>", "@0@", "@_EPSILON_SYMBOL_@"])
def test_names_of_no_word_need_no_table(name: str, tmp_path: Path) -> None:
    files = {
        "a.fst.txt": f"0 1 {name}\n1 2 good\n2 3 morning\n3\n",
        "c.ark.txt": f"u\n0 1 {name} 0,0,\n1 2 good 0,0,\n2 3 morning 0,0,\n3 0,0,\n\n",
    }
    for file, data in files.items():
        assert _score(tmp_path, _written(tmp_path, file, data), "good morning").summary["edits"] == 0
    lattice = fm.Lattice.from_arcs([(0, 1, name), (1, 2, "good")], finals=[2])
    assert lattice.best_path().words == ("good",)


def test_a_letter_that_may_be_no_word_is_refused_without_a_table(tmp_path: Path) -> None:
    for file, data in {
        "a.fst.txt": "0 1 \u03b5\n1 2 good\n2\n", "c.ark.txt": "u\n0 1 \u03b5 0,0,\n1 2 good 0,0,\n2 0,0,\n\n",
    }.items():  # fmt: skip
        refused = _score(tmp_path, _written(tmp_path, file, data), "good")
        assert refused.status == 2
        assert "--symbols" in refused.err


def test_a_word_that_the_table_lacks_is_refused(tmp_path: Path) -> None:
    table = _written(tmp_path, "words.txt", "<eps> 0\ngood 1\n")
    for file, data in {
        "a.fst.txt": "0 1 good\n1 2 morning\n2\n",
        "t.fst.txt": "0 1 good good\n1 2 good morning\n2\n",
        "c.ark.txt": "u\n0 1 good 0,0,\n1 2 morning 0,0,\n2 0,0,\n\n",
    }.items():
        refused = _score(tmp_path, _written(tmp_path, file, data), "good morning", "--symbols", table)
        assert refused.status == 2
        assert f"label 'morning' is not in the symbol table {table}" in refused.err


def test_a_table_in_which_0_is_a_word_is_told(tmp_path: Path) -> None:
    path = _written(tmp_path, "a.fst.txt", "0 1 0\n1 2 1\n2\n")
    for word, is_told in (
        ("the", True),
        ("it's", True),
        ("\u6211", True),
        *((name, False) for name in NAMES[:-1]),
    ):
        table = _written(tmp_path, "words.txt", f"{word} 0\ngood 1\n")
        found = _score(tmp_path, path, "good", "--symbols", table).summary
        assert found["edits"] == 0
        assert any("label 0 is no word" in remark for remark in found["remarks"]) is is_told, word


@pytest.mark.parametrize("space", ["\u00a0", "\u202f", "\u3000", "\v", "\f", "\u0085", "\u2028", "\r"])
def test_fields_are_parted_by_blanks_alone(space: str, tmp_path: Path) -> None:
    """An acceptor stays one, and the word is a phrase."""
    for file, data in {
        "a.fst.txt": f"0 1 good{space}morning\n1 2 sir\n2\n",
        "w.fst.txt": f"0\t1\tgood{space}morning\t0.5\n1\t2\tsir\n2\n",
        "c.ark.txt": f"u\n0 1 good{space}morning 0,0,\n1 2 sir 0,0,\n2 0,0,\n\n",
    }.items():
        found = _score(tmp_path, _written(tmp_path, file, data), "good morning sir").summary
        assert (found["edits"], found["matches"]) == (0, 3), file
        lines = data.replace("\n", "\r\n")
        found = _score(tmp_path, _written(tmp_path, file, lines), "good morning sir").summary
        assert (found["edits"], found["matches"]) == (0, 3), file


@pytest.mark.parametrize(
    ("file", "data"),
    [
        ("a.fst.txt", "0\t1\t\t0.5\n1\t2\tsir\n2\n"),
        ("a.fst.txt", "0\t1\t\n1\t2\tsir\n2\n"),
        ("a.fst.txt", "0 1  0.5\n1 2 sir\n2\n"),
        ("a.fst.txt", "0\t1\ta\t\t0.5\n1\t2\tb\tsir\t1\n2\n"),
        ("a.fst.txt", "0 1 a  0.5\n1 2 b sir 1\n2\n"),
        ("a.fst.txt", "0\t1\tgood morning\n1\t2\tsir\n2\n"),
        ("a.fst.txt", "0\t1\tgood morning\t0.5\n1\t2\tsir\n2\n"),
        ("a.fst.txt", "0\t1\tgood old morning\tgood day\t0.5\n1\t2\tsir\tsir\n2\n"),
        ("c.ark.txt", "u\n0\t1\t\t0.5,1,\n1\t2\tsir\t0,0,\n2\t0,0,\n\n"),
        ("c.ark.txt", "u\n0 1  0.5,1,\n1 2 sir 0,0,\n2 0,0,\n\n"),
        ("c.ark.txt", "u\n0\t1\tgood morning\t0.5,1,\n1\t2\tsir\t0,0,\n2\t0,0,\n\n"),
        ("l.ark.txt", "u\n0\t1\t12\t\t0.5,1\n1\t2\t3\tsir\t0,0\n2\t0,0\n\n"),
    ],
)
def test_an_empty_or_torn_label_is_refused(file: str, data: str, tmp_path: Path) -> None:
    refused = _score(tmp_path, _written(tmp_path, file, data), "good morning sir")
    line = 2 if ".ark" in file else 1
    assert refused.status == 2, refused.err
    assert f"{file}:{line}: " in refused.err
    assert "0.5" in refused.err or "space" in refused.err or "empty" in refused.err


def test_weights_that_are_padded_stay_weights(tmp_path: Path) -> None:
    data = "  0   1 good  0.5\n  1   2 morning   12\n  2  0.25\n"
    found = _score(tmp_path, _written(tmp_path, "a.fst.txt", data), "good morning").summary
    assert found["edits"] == 0
    data = "  0   1    7  0.5\n  1   2   12\n  2\n"
    assert _score(tmp_path, _written(tmp_path, "i.fst.txt", data), "7 12").summary["edits"] == 0


def test_a_table_of_inputs_does_not_name_outputs(tmp_path: Path) -> None:
    inputs = ["<eps>", "gee", "em", "day"]
    labels = [(1, 2), (2, 1), (3, 0)]
    table = _written(tmp_path, "words.txt", "<eps> 0\nmorning 1\ngood 2\n")
    machine = _machine(labels, inputs, None)
    for file, data in (("t.fst", machine), ("t.far", b"".join(openfst_binary.far_pieces([("u", machine)])))):
        path = _written(tmp_path, file, data)
        refused = _score(tmp_path, path, "good morning")
        assert refused.status == 2
        assert "without a symbol table" in refused.err
        assert _score(tmp_path, path, "good morning", "--symbols", table).summary["edits"] == 0
    # Of an acceptor, both are one.
    acceptor = _written(tmp_path, "a.fst", _machine([(1, 1), (2, 2)], inputs, None))
    assert _score(tmp_path, acceptor, "gee em").summary["edits"] == 0
    both = _written(tmp_path, "b.fst", _machine(labels, inputs, ["<eps>", "morning", "good"]))
    assert _score(tmp_path, both, "good morning").summary["edits"] == 0
    assert _score(tmp_path, both, "good morning", "--symbols", table).summary["edits"] == 0


def test_objects_with_a_table_of_inputs_alone(tmp_path: Path) -> None:
    pynini = pytest.importorskip("pynini")
    table = pynini.SymbolTable()
    for word in ("<eps>", "gee", "em", "day"):
        table.add_symbol(word)
    transducer = pynini.Fst.read_from_string(_machine([(1, 2), (2, 1)], None, None)).set_input_symbols(table)
    assert fm.Lattice.from_pynini(transducer, numbers=True).numbered is False
    with pytest.raises(fm.FstmetricsError, match="bytes of a string"):
        fm.Lattice.from_pynini(transducer)
    acceptor = pynini.Fst.read_from_string(_machine([(1, 1), (2, 2)], None, None)).set_input_symbols(table)
    assert fm.Lattice.from_pynini(acceptor).best_path().words == ("gee", "em")


@pytest.mark.parametrize("lines", ["good morning\t1\nsir\t2\n", "good morning 1\n", "a\tb\t1\n", "1\n"])
def test_lines_of_a_table(lines: str, tmp_path: Path) -> None:
    table = _written(tmp_path, "words.txt", f"<eps>\t0\n{lines}")
    path = _written(tmp_path, "i.fst.txt", "0 1 1\n1 2 2\n2\n")
    found = _score(tmp_path, path, "good morning sir", "--symbols", table)
    if lines.endswith("sir\t2\n"):
        assert found.summary["edits"] == 0
    else:
        assert found.status == 2
        assert "words.txt:2: " in found.err
