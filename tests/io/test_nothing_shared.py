"""Where no id is on both sides nothing is scored, whatever becomes of missing items, and no message advises it."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import fstmetrics, written

LATTICE = "N=2 L=1\nJ=0 S=0 E=1 W=a\n"
# A command, the files that it is given, and whether an id is on both sides.
CASES: dict[str, tuple[str, dict[str, str], bool]] = {
    "texts": ("score", {"r.trn": "a (x)\nb (y)\n", "h.trn": "a (u)\nb (v)\n"}, False),
    "texts with one id": ("score", {"r.trn": "a (x)\nb (u)\n", "h.trn": "a (u)\nb (v)\n"}, True),
    "one item each": ("score", {"r.trn": "a (x)\n", "h.trn": "a (u)\n"}, False),
    "a folder of lattices": ("oracle", {"r.trn": "a (x)\n", "h/u.slf": LATTICE, "h/v.slf": LATTICE}, False),
    "a folder of lattices with one id": (
        "oracle", {"r.trn": "a (x)\nb (v)\n", "h/u.slf": LATTICE, "h/v.slf": LATTICE}, True
    ),
    "tables": ("score", {"r.csv": "id,text\nx,a\ny,b\n", "h.csv": "id,text\nu,a\nv,b\n"}, False),
    "times": ("score", {"r.stm": "f A s 0 1 a\n", "h.ctm": "g A 0.1 0.2 a\n"}, False),
    "times with one file": (
        "score", {"r.stm": "f A s 0 1 a\ng A s 0 1 b\n", "h.ctm": "g A 0.1 0.2 a\n"}, True
    ),
    "sessions": ("speakers", {"r.stm": "f A s 0 1 a\n", "h.stm": "g A s 0 1 a\n"}, False),
}  # fmt: skip


@pytest.mark.parametrize("missing", ["error", "skip", "empty"])
@pytest.mark.parametrize("name", CASES)
def test_nothing_is_scored_where_no_id_is_shared(name: str, missing: str, tmp_path: Path) -> None:
    command, files, is_shared = CASES[name]
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        written(tmp_path / path, content)
    paths = dict.fromkeys(tmp_path / path.partition("/")[0] for path in files)
    outcome = fstmetrics(command, *paths, "--missing", missing)
    assert outcome.status == (0 if is_shared and missing != "error" else 2)
    assert ("--missing" in outcome.err) == (is_shared and missing == "error")
    if outcome.status:
        assert (outcome.out, outcome.err.count("\n")) == ("", 1)
        assert missing == "error" or "there is nothing to score" in outcome.err


def test_an_empty_file_says_nothing_of_all_items(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r.trn", "a b (x)\nc (y)\n"), written(tmp_path / "h.trn", "")
    assert fstmetrics("score", ref, hyp, "--missing", "empty", "--json").summary["deletions"] == 3
