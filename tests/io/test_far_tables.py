"""Archives (FAR) with one symbol table for all machines, ours and OpenFst's, against OpenFst's own tools."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from command import fstmetrics
from round_trips import apart, network_strings, paths

import fstmetrics as fm
from fstmetrics.data.cards import Call, Card
from fstmetrics.io import read_items

needs_openfst = pytest.mark.skipif(not shutil.which("fstreplace"), reason="OpenFst's tools are not installed")


def network(cards: int) -> fm.Network:
    """A root, which is not the first by name, and cards with words of their own."""
    names = [f"C{i:04}" for i in range(cards)]
    inner = [Card.from_phrases(name, [f"{name.lower()} x", "y"]) for name in names]
    calls = tuple((i, i + 1, Call(name)) for i, name in enumerate(names))
    return fm.Network([Card("S", calls, frozenset({cards})), *inner], "S", id="n")


def archive(cards: int, folder: Path) -> Path:
    (folder / "n.json").write_text(network(cards).to_json())
    outcome = fstmetrics("convert", folder / "n.json", folder / "n.far", "--to", "far-cards")
    assert (outcome.status, outcome.err) == (0, "")
    return folder / "n.far"


def test_many_cards_take_one_table(tmp_path: Path) -> None:
    """With a table in each, 500 cards took 25 MB."""
    path = archive(500, tmp_path)
    assert path.stat().st_size < 200_000
    outcome = fstmetrics("convert", path, tmp_path / "back.json")
    assert (outcome.status, outcome.err) == (0, "")
    back = fm.Network.read(tmp_path / "back.json")
    for name, card in network(500).cards.items():
        if name != "S":
            found = network_strings(fm.Network([back.cards[name]], name))
            assert found == network_strings(fm.Network([card], name))


@needs_openfst
def test_fstreplace_makes_the_expansion(tmp_path: Path) -> None:
    """OpenFst's own tools take the machines apart, put them together, and find the words."""
    path = archive(3, tmp_path)

    def run(*command: object) -> None:
        subprocess.run([str(part) for part in command], cwd=tmp_path, check=True, capture_output=True)

    run("farextract", "--filename_prefix=m.", path)
    run("fstsymbols", "--save_isymbols=words.txt", "m.S", "same.fst")
    number = dict(line.split() for line in (tmp_path / "words.txt").read_text().splitlines())
    parts = [part for i in range(3) for part in (f"m.C000{i}", number[f"[C000{i}]"])]
    run("fstreplace", "--epsilon_on_replace", "m.S", 999, *parts, "whole.fst")
    found = {words for words, _ in paths(fm.Lattice.read(tmp_path / "whole.fst"))}
    assert found == network_strings(network(3))


@needs_openfst
def test_archives_of_farcompilestrings(tmp_path: Path) -> None:
    """It stores the table in the first machine alone."""
    (tmp_path / "words.txt").write_text("<eps> 0\nthe 1\ncat 2\nhat 3\n")
    (tmp_path / "text").write_text("the cat\nthe hat\nhat\n")
    command = [
        "farcompilestrings",
        "--symbols=words.txt",
        "--keep_symbols",
        "--generate_keys=1",
        "text",
        "x.far",
    ]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    items = read_items(tmp_path / "x.far").items
    assert [list(apart(item.value)) for item in items] == [
        [(("the", "cat"), ())],
        [(("the", "hat"), ())],
        [(("hat",), ())],
    ]
