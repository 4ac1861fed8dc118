"""Tables to paste: the same numbers as text and JSON have, in every form, of scores, oracles and comparisons."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
from command import EXAMPLES, HYTER, ORACLE, fstmetrics, written

FIELDS = (EXAMPLES / "fields" / "ref.stm", EXAMPLES / "fields" / "hyp.trn")
SPEECH = [EXAMPLES / "speech" / name for name in ("ref.trn", "old.trn", "new.trn")]
SCORED: dict[str, tuple[object, ...]] = {
    "score": ("score", *FIELDS),
    "fields": ("score", *FIELDS, "--by", "speaker"),
    "several": ("score", *FIELDS, "--metric", "wer,BLEU,cer", "--by", "speaker"),
    "text": ("score", *FIELDS, "--metric", "chrf++", "--by", "speaker"),
    "oracle": ("oracle", *ORACLE, "--beam", "4,8"),
    "sweep": ("oracle", *ORACLE, "--lm-scale", "7:9"),
    "hyter": ("hyter", *HYTER, "--window", "3"),
}


def rows_of(text: str, delimiter: str = ",") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


@pytest.mark.parametrize("run", SCORED)
def test_markdown_and_latex_have_the_tables_of_the_text(run: str) -> None:
    shown = fstmetrics(*SCORED[run]).out.splitlines()
    tables = {tuple(line.split()) for line in shown if re.search(r"\d", line) and "|" not in line}
    pasted = fstmetrics(*SCORED[run], "--markdown").out.splitlines()
    rows = [line.strip("| ").split("|") for line in pasted if line.startswith("|") and "--" not in line]
    latex = fstmetrics(*SCORED[run], "--latex").out.splitlines()
    for row in rows:
        cells = [cell.strip().replace("\\", "") for cell in row]
        if any(re.search(r"\d", cell) for cell in cells[1:]):
            assert tuple(" ".join(cells).split()) in tables
            assert any(all(cell.replace("%", r"\%") in line for cell in cells) for line in latex)
    widths = {line.count("|") - line.count(r"\|") for line in pasted if line.startswith("|")}
    assert len(rows) > 1
    assert all(width > 2 for width in widths)
    assert sum(line.startswith(r"\begin{tabular}") for line in latex) == sum(
        line.startswith("|---") for line in pasted
    )
    signatures = [line for line in shown if line.startswith("fstmetrics|")]
    assert [line.strip("`") for line in pasted if "fstmetrics|" in line] == signatures
    assert [line.removeprefix("% ") for line in latex if "fstmetrics|" in line] == signatures


@pytest.mark.parametrize(("form", "delimiter"), [("csv", ","), ("tsv", "\t")])
@pytest.mark.parametrize("run", SCORED)
def test_columns_have_the_numbers_of_json_in_full(run: str, form: str, delimiter: str) -> None:
    found = rows_of(fstmetrics(*SCORED[run], f"--{form}").out, delimiter)
    summary = fstmetrics(*SCORED[run], "--json").summary
    summaries: list[dict[str, Any]] = summary.get("metrics", [summary])
    for one in summaries:
        own = [row for row in found if row["metric"] == one["metric"]]
        assert float(own[0]["score"]) == one["score"]
        assert int(own[0]["items"]) == one["items"]
        assert "edits" not in one or int(own[0]["edits"]) == one["edits"]
        by = [row for row in own if row.get("by")]
        expected = one.get("by", {}).get("speaker", [])
        assert [(row["value"], float(row["score"]), float(row["low"])) for row in by] == [
            (each["value"], each["score"], each["low"]) for each in expected
        ]
        named = {row["row"]: float(row["score"]) for row in own if row.get("row")}
        if one.get("one_best"):
            assert named["1-best"] == one["one_best"]["score"]
            assert one.get("oracle") or named["oracle"] == one["score"]
        assert [named[f"oracle at beam {each['beam']:g}"] for each in one.get("beams", [])] == [
            each["score"] for each in one.get("beams", [])
        ]


def test_comparisons_as_columns() -> None:
    command = ("compare", "--ref", *SPEECH, "--metric", "wer,cer", "--samples", "99")
    summary = fstmetrics(*command, "--json").summary
    found = rows_of(fstmetrics(*command, "--csv").out)
    assert [(row["metric"], row["system"]) for row in found] == [
        (metric, system) for system in summary["systems"] for metric in ("wer", "cer")
    ]
    for row in found:
        scores = summary["systems"][row["system"]][row["metric"]]
        assert [float(row[name]) for name in ("score", "low", "high")] == [
            scores[name] for name in ("score", "low", "high")
        ]
        tests = [t for t in summary["tests"] if (t["system"], t["metric"]) == (row["system"], row["metric"])]
        assert [row["p"]] == ([str(test["p"]) for test in tests] or [""])
        assert "p_holm" not in row
    command = (*command, f"third={SPEECH[1]}", "--correction", "holm")
    corrected = rows_of(fstmetrics(*command, "--csv").out)
    tests = fstmetrics(*command, "--json").summary["tests"]
    found_p = {(row["system"], row["metric"]): float(row["p_holm"]) for row in corrected if row["p"]}
    assert found_p == {(test["system"], test["metric"]): test["p_holm"] for test in tests}
    every = rows_of(
        fstmetrics("compare", "--ref", *SPEECH, "x=" + str(SPEECH[1]), "--pairs", "all", "--tsv").out, "\t"
    )
    assert sum(bool(row["p"]) for row in every) == 3
    assert sum(bool(row["score"]) for row in every) == 3


def test_cells_are_quoted(tmp_path: Path) -> None:
    rows = '{"id": "a", "ref": "x y", "hyp": "x", "topic": "one, \\"two\\"\\tthree|4_5"}\n'
    table = written(tmp_path / "rows.jsonl", rows)
    command = ("score", table, "--fields", "id=id,ref=ref,hyp=hyp", "--by", "topic")
    value = 'one, "two"\tthree|4_5'
    assert rows_of(fstmetrics(*command, "--csv").out)[1]["value"] == value
    assert rows_of(fstmetrics(*command, "--tsv").out, "\t")[1]["value"] == value
    assert r"three\|4\_5" in fstmetrics(*command, "--markdown").out
    assert r"three\textbar{}4\_5" in fstmetrics(*command, "--latex").out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--csv", "--json"], "--json and --csv: a table is printed in one form"),
        (["--markdown", "--latex"], "--markdown and --latex"),
        (["--csv", "--alignment"], "--csv prints tables, and --alignment something else"),
        (["--csv", "--nbest", "2"], "--nbest something else"),
        (["--latex", "--report", "dtl"], "--report something else"),
        (["--tsv", "--output", "-"], "--output - something else"),
        (["--tsv", "--shard", "1/2", "--output", "a.jsonl"], "--shard something else"),
    ],
)
def test_two_things_on_one_output_are_refused(options: list[str], message: str) -> None:
    outcome = fstmetrics("score", *FIELDS, *options)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert message in outcome.err


def test_records_are_written_beside_a_table(tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    outcome = fstmetrics("score", *FIELDS, "--csv", "--alignment", "--output", output)
    assert outcome.status == 0
    assert len(output.read_text().splitlines()) == 8
    assert rows_of(outcome.out)[0]["items"] == "8"


def test_details_are_numbers_in_cells_of_their_own() -> None:
    command = ("compare", "--ref", *SPEECH, "--metric", "bleu,per", "--samples", "99", "--csv")
    bleu, per, *_ = rows_of(fstmetrics(*command).out)
    found = fstmetrics("score", *SPEECH[:2], "--metric", "bleu", "--json").summary
    assert [float(bleu[f"precisions_{n}"]) for n in (1, 2, 3, 4)] == found["precisions"]
    assert (per["marks_._correct"], bleu["marks_._correct"]) == ("0", "")
    assert not any(cell[:1] in ("[", "{") for row in (bleu, per) for cell in row.values())
