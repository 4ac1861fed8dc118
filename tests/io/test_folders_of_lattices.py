"""Folders of files with one lattice each: read in native columns, and file by file, which is the slow obvious way."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any

import pytest
from command import Outcome, fstmetrics, written

import fstmetrics as fm
from fstmetrics._native import LatticeColumn
from fstmetrics.convert.files import WRITERS
from fstmetrics.data.lattice import Scales
from fstmetrics.io.blocks import lattices_of
from fstmetrics.io.items import Item
from fstmetrics.io.writing import WriteOptions

COUNT = 40
WORDS = ["the", "a", "cat", "hat", "don't", "naïve"]
# A file in each way of writing lattices as one of its kind has it.
SPHINX = """# -logbase 1.000100e+00
Frames 9
Nodes 3 (NODEID WORD STARTFRAME FIRST-ENDFRAME LAST-ENDFRAME)
0 <s> 0 1 2 ; 0
1 {0} 2 3 4 ; 0
2 {1}(2) 5 6 7 ; 0
Initial 0
Final 2
BestSegAscr 0 (NODEID ENDFRAME ASCORE)
Edges (FROM-NODEID TO-NODEID ASCORE)
0 1 -{2}
1 2 -100
0 2 -346
End
"""
FORMS = {
    "slf": ".slf", "att": ".fst.txt", "att-transducer": ".fst.txt", "k2": ".k2", "sphinx": ".lat", "openfst": ".fst"
}  # fmt: skip


def lattice(chance: random.Random) -> fm.Lattice:
    states = chance.randrange(3, 7)
    arcs = [(state, state + 1) for state in range(states - 1)]
    arcs += [tuple(sorted(chance.sample(range(states), 2))) for _ in range(chance.randrange(5))]  # type: ignore[misc]
    sources, destinations = zip(*arcs, strict=True)
    return fm.Lattice.from_arrays(
        sources, destinations, chance.choices([*WORDS, ""], k=len(arcs)), finals=[states - 1],
        costs=[(chance.randrange(9) / 4, 0.0) for _ in arcs],
        scales=Scales(lm=chance.choice([1.0, 9.5]), word_penalty=chance.choice([0.0, 1.0])),
    )  # fmt: skip


def content(form: str, chance: random.Random, table: dict[str, int]) -> bytes:
    """A file in one of the formats; k2 has numbers of the table."""
    if form == "sphinx":
        return SPHINX.format(chance.choice(WORDS), chance.choice(WORDS), chance.randrange(999)).encode()
    made = lattice(chance)
    if form == "k2":
        automaton, words, last = made.automaton, made.symbols.words, made.num_states
        columns = zip(automaton.sources, automaton.destinations, automaton.labels, strict=True)
        arcs = [f"{a} {b} {table[words[label]]} {-chance.randrange(9)}\n" for a, b, label in columns]
        return "".join([*arcs, f"{last - 1} {last} -1 0\n", f"{last}\n"]).encode()
    writer = WRITERS["att" if form == "att-transducer" else form]
    data = b"".join(writer.pieces(iter([Item("u", made)]), WriteOptions()))
    if form != "att-transducer":
        return data
    rows = [line.split("\t") for line in data.decode().splitlines()]
    return "".join(
        "\t".join([*row[:2], "0", *row[2:]] if len(row) > 2 else row) + "\n" for row in rows
    ).encode()


def folder(form: str, damaged: bool, tmp_path: Path) -> tuple[Path, Path, Path]:
    """The folder, references in another order, and a symbol table."""
    chance, place = random.Random(form), tmp_path / "lattices"
    place.mkdir()
    table = {word: number for number, word in enumerate(["", *WORDS])}
    for number in range(COUNT):
        data = content(form, chance, table)
        if damaged and number in (7, 31):
            data = data[: -chance.randrange(2, len(data) // 3)]
        packed = number % 5 == 0
        name = f"u{number}{FORMS[form]}" + (".gz" if packed else "")
        (place / name).write_bytes(gzip.compress(data) if packed else data)
    ids = chance.sample(range(COUNT), COUNT)
    texts = "".join(f"u{n} {' '.join(chance.choices(WORDS, k=4))}\n" for n in ids)
    symbols = "".join(f"{word or '<eps>'} {number}\n" for word, number in table.items())
    return place, written(tmp_path / "ref.txt", texts), written(tmp_path / "words.txt", symbols)


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("damaged", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_records_are_those_of_reading_file_by_file(
    form: str, damaged: bool, jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lattices, references, symbols = folder(form, damaged, tmp_path)
    columns: list[int] = []

    def seen(values: Any) -> LatticeColumn | None:
        found = lattices_of(values)
        columns.extend([len(found)] if found is not None else [])
        return found

    def run(name: str, *options: str) -> tuple[Outcome, bytes]:
        named = ("--symbols", symbols) if form == "k2" else ()
        given = (
            "--format",
            form,
            *named,
            "--ref-format",
            "kaldi-text",
            "--jobs",
            jobs,
            "--keep-going",
            *options,
        )
        done = fstmetrics("oracle", references, lattices, *given, "--output", tmp_path / name)
        return done, (tmp_path / name).read_bytes()

    for options in ((), ("--depth", "--beam", "1"), ("--lm-scale", "3", "--alignment")):
        with monkeypatch.context() as patch:
            patch.setattr("fstmetrics.scoring.pair_blocks.lattices_of", seen)
            fast, records = run("fast.jsonl", *options)
        with monkeypatch.context() as patch:
            patch.setattr("fstmetrics.scoring.pair_blocks.lattices_of", lambda values: None)
            slow, expected = run("slow.jsonl", *options)
        assert (fast.status, fast.out) == (slow.status, slow.out)
        assert fast.err.replace("fast.jsonl", "") == slow.err.replace("slow.jsonl", "")
        assert fast.status == (1 if damaged else 0)
        assert records == expected
        assert records.count(b"\n") == COUNT - 2 * damaged
    assert damaged or sum(columns) == 3 * COUNT
