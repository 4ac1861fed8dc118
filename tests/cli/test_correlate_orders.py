"""What `correlate` prints does not depend on the order of the rows: the same to the last bit, or the same refusal."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from command import fstmetrics

HEAD = ("system", "document", "segment", "human", "m1", "m2")
LEVELS = ("system", "document", "segment", "system,document,segment")


def drawn(draw: random.Random) -> list[list[str]]:
    """A table of systems, documents and segments with scores of one decimal, ties, and gaps."""
    missing, absent, highest = draw.choice((0, 0.05, 0.3)), draw.choice((0, 0.1)), draw.choice((3, 10))

    def score() -> str:
        return "" if draw.random() < missing else f"{draw.randint(-1, highest) / 10:.1f}"

    rows = [
        [f"s{system}", f"d{document}", f"{document}-{segment}", score(), score(), score()]
        for system in range(draw.randint(2, 5))
        for document in range(draw.randint(1, 3))
        for segment in range(draw.randint(1, 4))
        if draw.random() >= absent
    ]
    return rows or [["s1", "d1", "1", "0.1", "0.2", "0.3"]]


def written_rows(rows: list[list[str]], path: Path) -> Path:
    """As a table; JSON Lines leave out what is missing."""
    if path.suffix == ".jsonl":
        objects = [
            {
                name: float(cell) if place > 2 else cell
                for place, (name, cell) in enumerate(zip(HEAD, row, strict=True))
                if cell
            }
            for row in rows
        ]
        path.write_text("".join(f"{json.dumps(each)}\n" for each in objects))
    else:
        mark = "\t" if path.suffix == ".tsv" else ","
        path.write_text("".join(f"{mark.join(row)}\n" for row in [list(HEAD), *rows]))
    return path


@pytest.mark.parametrize("suffix", [".tsv", ".csv", ".jsonl"])
@pytest.mark.parametrize("seed", range(8))
def test_the_order_of_rows_changes_nothing(seed: int, suffix: str, tmp_path: Path) -> None:
    draw = random.Random(seed)
    rows = drawn(draw)
    tests = [["--test", name] for name in ("perm-both", "perm-inputs", "williams")]
    options = ["--level", draw.choice(LEVELS), "--samples", "20", *draw.choice([[], *tests])]
    found = []
    for order in range(3):
        path = written_rows(rows if not order else draw.sample(rows, len(rows)), tmp_path / f"t{suffix}")
        for shown in ([], ["--json"]):
            outcome = fstmetrics("correlate", path, *options, *shown)
            found.append((outcome.status, outcome.out, re.sub(r":\d+:|line \d+", "", outcome.err)))
    assert len(set(found[::2])) == len(set(found[1::2])) == 1


def test_a_first_row_without_scores_is_one_of_a_table(tmp_path: Path) -> None:
    full = [["s1", "d", "1", "1", "2", "3"], ["s2", "d", "1", "2", "1", "1"], ["s1", "d", "2", "3", "2", "1"],
            ["s2", "d", "2", "1", "3", "2"]]  # fmt: skip
    bare = ["s2", "d", "3", "", "", ""]
    last, first = (
        fstmetrics("correlate", written_rows(rows, tmp_path / "t.jsonl"), "--samples", "20")
        for rows in ([*full, bare], [bare, *full])
    )
    assert (last.status, last.out) == (0, first.out)
