"""Runs on other engines, compared with the same runs on this machine."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from command import HYTER, ORACLE, Outcome, fstmetrics, written

WORDS = ["a", "b", "c", "d", "e", "F"]
# Texts, their tables by field and words; best paths of lattices beside the decoder's own; networks.
RUNS = [
    ("score",),
    ("score", "--json"),
    ("score", "--alignment"),
    ("score", "--nbest", "2", "--unit", "char"),
    ("oracle", *ORACLE),
    ("oracle", *ORACLE, "--beam", "4", "--json"),
    ("mbr", ORACLE[1], "--candidates", "5", "--evidence", "20"),
    ("mbr", ORACLE[1], "--candidates", "5", "--evidence", "20", "--json", "--metric", "bleu"),
    ("hyter", *HYTER, "--window", "2"),
]


def texts(folder: Path, items: int) -> list[str]:
    """Files of references and hypotheses."""
    draw = random.Random(1)
    sides = []
    for name in ("ref.txt", "hyp.txt"):
        rows = (f"ann-{n} {' '.join(draw.choices(WORDS, k=1 + draw.randrange(7)))}\n" for n in range(items))
        sides.append(str(written(folder / name, "".join(rows))))
    return sides


def assert_as_here(on: str, folder: Path, run: Sequence[str]) -> Outcome:
    """Records, summary, exit status and faults are those of a run on this machine; returns how it ended."""
    arguments = list(run) if len(run) > 3 else [run[0], *texts(folder, 300), *run[1:]]
    there, here = folder / "there.jsonl", folder / "here.jsonl"
    for output in (True, False):
        outcomes = [
            fstmetrics(*arguments, *(("--output", path) if output else ()), "--on", place)
            for path, place in ((here, "local"), (there, on))
        ]
        assert outcomes[0] == replace(outcomes[1], err=outcomes[1].err.replace(str(there), str(here)))
        if output and here.exists():
            assert there.read_bytes() == here.read_bytes()
    return outcomes[0]


def dying_once(work: Callable[[bytes], bytes], folder: Path) -> Callable[[bytes], bytes]:
    """The function, whose process is killed where it is called for the third time, whichever that is."""

    def called(given: bytes) -> bytes:
        for number in range(1, 4):
            try:
                os.close(os.open(folder / f"call{number}", os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            if number == 3:
                os.kill(os.getpid(), signal.SIGKILL)
            break
        return work(given)

    return called


def rows_and_records(folder: Path) -> tuple[list[dict[str, str | None]], dict[str, str | None]]:
    """Rows of 40 items and one without a reference, and the record of each item; None of that one."""
    here = folder / "here.jsonl"
    paths = texts(folder, 40)
    assert fstmetrics("score", *paths, "--output", here).status == 0
    said, heard = (dict(line.split(" ", 1) for line in Path(path).read_text().splitlines()) for path in paths)
    rows: list[dict[str, str | None]] = [
        {"id": id, "hypothesis": heard[id], "reference": text} for id, text in said.items()
    ]
    records: dict[str, str | None] = dict(zip(said, here.read_text().splitlines(), strict=True))
    return [*rows, {"id": "null", "hypothesis": "a", "reference": None}], {**records, "null": None}


def assert_scored(output: Path, records: dict[str, str | None]) -> None:
    """The folder has one result of each item: its record, or the fault of the one without a reference."""
    from pyarrow.parquet import read_table

    found = [row for path in output.glob("*.parquet") for row in read_table(path).to_pylist()]
    assert len(found) == len(records)
    assert {row["id"]: row["record"] for row in found} == records
    assert [(row["id"], row["fault"]) for row in found if row["fault"]] == [("null", "reference is null")]
