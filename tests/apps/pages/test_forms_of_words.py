"""Commands that write words, or prove records, print them as tables, too: as JSON, Markdown, LaTeX, CSV and TSV."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from command import EXAMPLES, fstmetrics, written

LATTICES, LISTS = EXAMPLES / "oracle" / "lattices", EXAMPLES / "tuning" / "nbest.txt"
SYSTEMS = [EXAMPLES / "systems" / f"{name}.ctm" for name in ("first", "second", "third")]
SEGMENTS = [EXAMPLES / "segment" / f"{name}.txt" for name in ("ref", "hyp")]
# For each command: what it is called with, the name of its rows in JSON, and of their words.
COMMANDS: dict[str, tuple[list[Any], str, str]] = {
    "best": (["best", LATTICES, "--nbest", "3"], "best", "words"),
    "best of lists": (["best", LISTS], "best", "words"),
    "mbr": (["mbr", LISTS], "records", "hypothesis"),
    "segment": (["segment", *SEGMENTS], "segments", "text"),
    "combine": (["combine", *SYSTEMS], "outputs", "hypothesis"),
    "median": (["combine", *SYSTEMS, "--method", "median"], "outputs", "hypothesis"),
}


def texts(name: str) -> tuple[dict[str, Any], list[str]]:
    """The JSON object of a command, and the words of its rows."""
    call, table, column = COMMANDS[name]
    told = fstmetrics(*call, "--json").summary
    words = [row[column] for row in told[table]]
    return told, [each if isinstance(each, str) else " ".join(each) for each in words]


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_columns_have_what_json_has(name: str, form: str) -> None:
    call, table, column = COMMANDS[name]
    told, words = texts(name)
    out = fstmetrics(*call, f"--{form}").out
    rows = list(csv.DictReader(io.StringIO(out), delimiter="," if form == "csv" else "\t"))
    assert [row[column] for row in rows if row["table"] == table] == words
    (first,) = (row for row in rows if row["table"] == "all")
    assert int(first["items"]) == told["items"] > 0


@pytest.mark.parametrize("name", COMMANDS)
def test_tables_to_paste_have_a_row_a_text(name: str) -> None:
    call = COMMANDS[name][0]
    _, words = texts(name)
    markdown = fstmetrics(*call, "--markdown").out.splitlines()
    latex = fstmetrics(*call, "--latex").out.splitlines()
    assert len([line for line in markdown if line.startswith("| ")]) == len(words) + 1
    assert len([line for line in latex if " & " in line]) == len(words) + 1
    for text in words:
        assert sum(f"| {text} |" in line for line in markdown) >= 1


def test_words_are_those_of_the_plain_call() -> None:
    _, words = texts("best of lists")
    plain = fstmetrics("best", LISTS, "--to", "plain").out.splitlines()
    assert words == plain
    _, words = texts("mbr")
    assert words == fstmetrics("mbr", LISTS, "--text", "plain").out.splitlines()


def test_candidates_of_mbr_have_a_row_each() -> None:
    out = fstmetrics("mbr", LISTS, "--nbest", 2, "--csv").out
    rows = [row for row in csv.DictReader(io.StringIO(out)) if row["table"] == "records"]
    records = fstmetrics("mbr", LISTS, "--nbest", 2, "--json").summary["records"]
    told = [(rank, " ".join(each["hypothesis"])) for r in records for rank, each in enumerate(r["nbest"], 1)]
    assert [(int(row["rank"]), row["hypothesis"]) for row in rows] == told


def test_costs_of_the_best_are_those_of_lists() -> None:
    told = fstmetrics("best", LATTICES, "--nbest", 3, "--json").summary["best"]
    lines = fstmetrics("best", LATTICES, "--nbest", 3, "--to", "nbest").out.splitlines()
    assert [row["cost"] for row in told] == [-float(line.split("|||")[3]) for line in lines]


@pytest.mark.parametrize("option", [("--to", "ctm"), ("-o", "words.txt")])
def test_a_table_of_the_best_is_printed(option: tuple[str, str], tmp_path: Path) -> None:
    outcome = fstmetrics("best", LATTICES, *option, "--csv")
    assert (outcome.status, outcome.out) == (2, "")
    assert "says how words are written, and a table is printed" in outcome.err


@pytest.mark.parametrize("form", ["markdown", "latex", "csv", "tsv", "json"])
def test_proofs_as_a_table(form: str, tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "ref.txt", "a b\nc d e\n"), written(tmp_path / "hyp.txt", "a x\nc e\n")
    records = tmp_path / "records.jsonl"
    assert fstmetrics("score", ref, hyp, "--alignment", "-o", records).status == 0
    fine = fstmetrics("verify", records, ref, hyp, f"--{form}")
    lines = [json.loads(line) for line in records.read_text().splitlines()]
    lines[1]["edits"] = 5
    records.write_text("".join(json.dumps(line) + "\n" for line in lines))
    wrong = fstmetrics("verify", records, ref, hyp, f"--{form}")
    assert (fine.status, wrong.status, fine.err, wrong.err) == (0, 1, "", "")
    assert "not proved" in wrong.out.replace(r"\_", "_")
    if form == "json":
        told = json.loads(fine.out)
        assert [told[name] for name in ("records", "proved", "edits", "path_length", "faults")] == [
            2,
            2,
            2,
            5,
            [],
        ]
        assert [json.loads(wrong.out)[name] for name in ("records", "proved", "edits")] == [2, 1, 1]
    elif form in ("csv", "tsv"):
        part = "," if form == "csv" else "\t"
        assert (
            fine.out
            == part.join(["table", "records", "proved", "edits", "moves", "path_length"])
            + "\n"
            + part.join(["all", "2", "2", "2", "0", "5"])
            + "\n"
        )


def test_shards_of_mbr_in_a_form(tmp_path: Path) -> None:
    parts = [tmp_path / f"{number}.jsonl" for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        assert fstmetrics("mbr", LISTS, "--shard", f"{number}/2", "-o", part).status == 0
    whole = fstmetrics("mbr", LISTS, "-o", tmp_path / "whole.jsonl", "--csv")
    merged = fstmetrics("merge", *parts, "-o", tmp_path / "all.jsonl", "--csv")
    assert (merged.status, merged.out) == (0, whole.out)
