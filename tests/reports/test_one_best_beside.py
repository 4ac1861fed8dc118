"""The words of a 1-best beside those of the oracle: in results, records, on the terminal and in `show`."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from command import ORACLE, fstmetrics, written

import fstmetrics as fm
from fstmetrics.engine.oracle_results import parts_of
from fstmetrics.reports.alignment import one_best_text, pieces_of
from fstmetrics.support.printable import cells_of

LATTICES = {lattice.id: lattice for lattice in fm.Lattice.read_all(ORACLE[1])}


@pytest.mark.parametrize("seed", range(200))
def test_parts_lead_from_one_to_the_other_by_the_fewest_edits(seed: int) -> None:
    draw = random.Random(seed)
    oracle, own = (tuple(draw.choices("abc", k=draw.randint(0, 8))) for _ in range(2))
    parts = parts_of(oracle, own)
    made: list[str] = []
    at = 0
    for part in parts:
        made += [*oracle[at : part.at], *part.one_best]
        assert oracle[part.at : part.at + len(part.oracle)] == part.oracle
        at = part.at + len(part.oracle)
    assert (*made, *oracle[at:]) == own
    edits = fm.align(own, oracle).edits if oracle or own else 0
    assert sum(max(len(part.oracle), len(part.one_best)) for part in parts) == edits
    pieces = pieces_of(own, parts)
    assert [w for same, part in pieces for w in (*same, *(part.one_best if part else ()))] == list(own)
    assert [w for same, part in pieces for w in (*same, *(part.oracle if part else ()))] == list(oracle)


def test_a_path_with_the_same_words_has_no_parts() -> None:
    assert parts_of(("a", "b"), ("a", "b")) == parts_of((), ()) == ()
    assert one_best_text(["a", "b"], ()).plain == "1-best: a b (the same words)"
    assert fm.oracle("a b", "a b").parts == ()


def test_records_with_alignments_have_the_parts_and_others_do_not(tmp_path: Path) -> None:
    records = fstmetrics("oracle", *ORACLE, "--alignment", "--output", "-").records
    for record in records:
        own = record["one_best"]
        assert own["hypothesis"] == [h for _, h, _ in own["alignment"] if h is not None]
        assert own["closest"] == [r for _, _, r in own["alignment"] if r is not None]
        parts = parts_of(record["hypothesis"], own["hypothesis"])
        assert own["parts"] == [part.as_dict() for part in parts] != []
    bare = fstmetrics("oracle", *ORACLE, "--output", "-").records
    assert all({"parts", "alignment", "closest"}.isdisjoint(record["one_best"]) for record in bare)


def test_the_terminal_and_show_print_them(tmp_path: Path) -> None:
    line = (
        "1-best: [hi -> i] believe that a single lady [ten -> can] get on very nicely [up on and -> upon an]\n"
        "        income of about sixty [bonds -> pounds]\n"
    )
    assert line in fstmetrics("oracle", *ORACLE, "--alignment").out
    assert line in fstmetrics("oracle", *ORACLE, "--alignment", "--nbest", "2").out
    path = tmp_path / "records.jsonl"
    fstmetrics("oracle", *ORACLE, "--alignment", "--output", path)
    assert line in fstmetrics("show", path).out
    fstmetrics("show", path, "--output", tmp_path / "shown.txt")
    assert line in (tmp_path / "shown.txt").read_text()


def test_characters_are_joined(tmp_path: Path) -> None:
    ref, lattice = (
        written(tmp_path / "ref", "u1 ab c\n"),
        written(tmp_path / "lat.txt", "u1\n0 1 ab 5,0,\n0 1 xb 1,0,\n1 2 c 0,0,\n2\n\n"),
    )
    out = fstmetrics("oracle", ref, lattice, "--unit", "char", "--alignment").out
    assert "1-best: [x -> a]b c" in out


@pytest.mark.parametrize(
    "parts",
    [[{"at": -1, "oracle": [], "one_best": []}], [{"at": 0, "oracle": ["a"]}], {"at": 0}, [["a"]], "x"],
)
def test_damaged_parts_are_refused(parts: object, tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    fstmetrics("oracle", *ORACLE, "--alignment", "--output", path)
    first, *rest = path.read_text().splitlines()
    record = json.loads(first)
    record["one_best"]["parts"] = parts
    damaged = json.dumps(record)
    path.write_text("\n".join([damaged, *rest]) + "\n")
    for command in ("show", "report"):
        ran = fstmetrics(command, path)
        assert ran.status == 2
        assert "records.jsonl:1" in ran.err


def test_lines_are_wrapped_by_cells() -> None:
    text = one_best_text(["語"] * 30, [], "", width=30).plain
    assert max(cells_of(line) for line in text.splitlines()) <= 30
    assert "".join(text.split()) == "1-best:" + "語" * 30 + "(thesamewords)"
