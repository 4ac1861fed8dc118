"""Tables to paste: the same numbers as text and JSON have, in every form, of scores, oracles and comparisons."""

from __future__ import annotations

import csv
import io
import math
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import EXAMPLES, HYTER, ORACLE, fstmetrics, written

from fstmetrics.reports.table_forms import latex as latex_text
from fstmetrics.support.printable import Best, marked

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
# Commands with tables, which their JSON object has as lists.
WRITTEN: dict[str, tuple[object, ...]] = {
    "errors": ("errors", *SPEECH[:2], "--top", "0"),
    "two systems": ("errors", *SPEECH[:2], "--against", SPEECH[2], "--top", "0"),
    "loops": ("errors", *SPEECH[:2], "--loops", "--longer-than", "0"),
    "speakers": ("speakers", EXAMPLES / "speakers" / "ref.stm", EXAMPLES / "speakers" / "hyp.stm"),
    "correlate": ("correlate", EXAMPLES / "correlate" / "scores.tsv", "--samples", "99"),
    "metrics tested": (
        "correlate", EXAMPLES / "correlate" / "scores.tsv", "--samples", "99", "--test", "perm-both",
    ),
    "rankings": ("rankings", EXAMPLES / "correlate" / "scores.tsv", "--ranks", "human", "--higher"),
    "latency": (
        "latency", *(EXAMPLES / "streaming" / name for name in ("a.log", "b.log")), "--segments",
        EXAMPLES / "streaming" / "talks.yaml", "--ref", EXAMPLES / "streaming" / "ref.txt", "--samples", "99",
    ),
    "partials": (
        "partials", EXAMPLES / "streaming" / "partials.jsonl", "--ref", EXAMPLES / "streaming" / "words.ctm",
    ),
    "tune": (
        "tune", EXAMPLES / "tuning" / "nbest.txt", "--ref", EXAMPLES / "tuning" / "ref.txt", "--weights",
        EXAMPLES / "tuning" / "start.weights", "--metric", "wer", "--metric", "bleu", "--starts", "1",
    ),
    "variants": (
        "variants", EXAMPLES / "translations" / "first.txt", "--ref", EXAMPLES / "translations" / "ref.txt",
    ),
    "savings": ("grammar", "savings", *SPEECH[:2], "--grammar", "en.spelling,en.fillers"),
    "grammars": ("grammar", "list"),
    "networks": ("network", "info", HYTER[0]),
    "features": ("features", *HYTER),
    "profiles": (
        "compare", "--ref", *(EXAMPLES / "profiles" / name for name in ("ref.txt", "north.txt", "river.txt")),
        "--profiles", "none,whisper-en", "--top", "0",
    ),
}  # fmt: skip


def rows_of(text: str, delimiter: str = ",") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


RUNS = SCORED | {name: run for name, run in WRITTEN.items() if name not in ("networks", "features")}


@pytest.mark.parametrize("run", RUNS)
def test_markdown_and_latex_have_the_tables_of_the_text(run: str) -> None:
    shown = fstmetrics(*RUNS[run]).out.splitlines()
    tables = {tuple(line.split()) for line in shown if re.search(r"\d", line) and "|" not in line}
    pasted = fstmetrics(*RUNS[run], "--markdown").out.splitlines()
    rows = [line.strip("| ").split("|") for line in pasted if line.startswith("|") and "--" not in line]
    latex = fstmetrics(*RUNS[run], "--latex").out.splitlines()
    for row in rows:
        cells = [cell.strip().replace("\\", "").replace("**", "") for cell in row]
        if any(re.search(r"\d", cell) for cell in cells[1:]):
            assert tuple(" ".join(cells).split()) in tables
            assert any(all(latex_text(cell) in line for cell in cells) for line in latex)
    widths = {line.count("|") - line.count(r"\|") for line in pasted if line.startswith("|")}
    assert len(rows) > 1
    assert all(width > 2 for width in widths)
    assert sum(line.startswith(r"\begin{tabular}") for line in latex) == sum(
        line.startswith("|---") for line in pasted
    )
    signatures = [line for line in shown if line.startswith("fstmetrics|")]
    assert [line.strip("`") for line in pasted if "fstmetrics|" in line] == signatures
    assert [line.removeprefix("% ") for line in latex if "fstmetrics|" in line] == signatures


def lists_of(summary: dict[str, Any], name: str = "") -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The lists of objects in a summary, or in an object of it."""
    for key, value in summary.items():
        if isinstance(value, dict) and not name and key != "settings":
            yield from lists_of(value, f"{key}_")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield name + key, value


@pytest.mark.parametrize(("form", "delimiter"), [("csv", ","), ("tsv", "\t")])
@pytest.mark.parametrize("run", WRITTEN)
def test_rows_are_those_of_json(run: str, form: str, delimiter: str) -> None:
    found = rows_of(fstmetrics(*WRITTEN[run], f"--{form}").out, delimiter)
    printed = fstmetrics(*WRITTEN[run], "--json")
    summary = {"networks": printed.records} if run == "networks" else printed.summary
    tables = dict(lists_of(summary))
    assert tables
    assert {row["table"] for row in found} - {"all"} == set(tables)
    for name, expected in tables.items():
        rows = [row for row in found if row["table"] == name]
        assert len(rows) == len(expected)
        for row, each in zip(rows, expected, strict=True):
            plain = {key: value for key, value in each.items() if not isinstance(value, list | dict)}
            assert {key: row[key] for key in plain} == {
                key: "" if value is None else str(value) for key, value in plain.items()
            }
    for row in found[:1] if found[0]["table"] == "all" else ():
        plain = {key: value for key, value in summary.items() if key in row and not isinstance(value, list)}
        assert all(row[key] == ("" if value is None else str(value)) for key, value in plain.items())


@pytest.mark.parametrize("form", ["markdown", "latex"])
@pytest.mark.parametrize("run", ["networks", "features"])
def test_tables_of_a_row_an_item(run: str, form: str) -> None:
    first = [row[1] for row in map(list, map(dict.values, rows_of(fstmetrics(*WRITTEN[run], "--csv").out)))]
    pasted = fstmetrics(*WRITTEN[run], f"--{form}").out.splitlines()
    assert [
        line.strip("| ").split()[0] for line in pasted if line.strip("| ").startswith(tuple(first))
    ] == first


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


def test_the_best_is_bold() -> None:
    command = ("compare", "--ref", *SPEECH, "--metric", "wer,bleu,per", "--samples", "99")
    found = fstmetrics(*command, "--json").summary["systems"]
    markdown, latex = (fstmetrics(*command, form).out for form in ("--markdown", "--latex"))
    assert found["new"]["wer"]["score"] < found["old"]["wer"]["score"]
    assert found["new"]["bleu"]["score"] > found["old"]["bleu"]["score"]
    for name, digits in (("wer", 4), ("bleu", 2)):
        score = f"{found['new'][name]['score']:.{digits}f}"
        assert f"**{score}**" in markdown
        assert rf"\textbf{{{score}}}" in latex
    assert markdown.count("**0") + markdown.count("**6") == 2  # per is the same
    text = fstmetrics(*command, terminal=True).out
    assert "\x1b" not in fstmetrics(*command).out
    assert f"\x1b[1m{found['new']['wer']['score']:.4f}" in text
    levels = fstmetrics(*WRITTEN["latency"], "--markdown").out
    assert re.search(r"\| a \| \S+ \| \S+ \| \*\*\d", levels)  # less latency
    assert re.search(r"\| b \| \*\*", levels)  # more quality


def test_equal_and_missing_numbers_are_not_bold() -> None:
    cells = ["1", "1", "2", "-"]
    best = [type(cell) is Best for cell in marked(cells, [0.51, 0.52, 0.6, None], False, "{:.0f}".format)]
    assert best == [False] * 4 or best == [True, True, True, False]
    assert marked(["a", "a"], [1.0, 1.0], True, str) == ["a", "a"]
    assert not any(type(cell) is Best for cell in marked(["a", "a"], [1.0, 1.0], True, str))
    assert [type(c) is Best for c in marked(["1", "2", "-"], [1.0, 2.0, math.nan], True, str)] == [
        False, True, False,
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_rates_in_percent(form: str) -> None:
    layout = () if form == "text" else (f"--{form}",)
    score = fstmetrics("score", *FIELDS, "--metric", "wer,bleu", "--by", "speaker", *layout, "--percent").out
    found = fstmetrics("score", *FIELDS, "--metric", "wer,bleu", "--by", "speaker", "--json").summary
    wer, bleu = found["metrics"]
    for number in (100 * wer["score"], bleu["score"], 100 * wer["by"]["speaker"][0]["low"]):
        assert f"{number:.2f}" in score
    assert f"{wer['score']:.4f}" not in score
    assert "items, rates in percent\n" in score
    command = ("compare", "--ref", *SPEECH, "--samples", "99", *layout)
    compared = fstmetrics(*command[:5], "--json", "--samples", "99").summary
    text = fstmetrics(*command, "--percent").out
    assert f"{100 * compared['systems']['old']['wer']['score']:.2f}" in text
    assert f"{100 * compared['tests'][0]['delta']:+.2f}" in text
    assert ("54 items, rates in percent" in text) is (form == "text")


def test_percent_leaves_data_and_scores_of_others_alone(tmp_path: Path) -> None:
    for form in ("--json", "--csv"):
        plain, percent = (fstmetrics("score", *FIELDS, form, *more).out for more in ((), ("--percent",)))
        assert plain == percent
    scores = written(
        tmp_path / "comet.tsv", "system\tsegment\tcomet\na\t1\t0.5\nb\t1\t0.25\na\t2\t0.75\nb\t2\t1\n"
    )
    out = fstmetrics("compare", "--scores", f"comet={scores}", "--samples", "9", "--percent").out
    assert re.search(r"^a +0\.6250 ", out, re.MULTILINE)
    text = fstmetrics("errors", *SPEECH[:2], "--loops", "--longer-than", "0", "--percent").out
    assert "wer 21.71; with each of them as one error" in text


def test_scores_of_items_are_a_table_that_other_commands_read(tmp_path: Path) -> None:
    table = tmp_path / "items.tsv"
    command = ("compare", "--ref", *SPEECH, "--metric", "wer,bleu", "--samples", "99", "--items", table)
    summary = fstmetrics(*command, "--json").summary
    rows = rows_of(table.read_text(), "\t")
    assert [row["system"] for row in rows] == ["old"] * 54 + ["new"] * 54
    own = {row["id"]: row for row in fstmetrics("score", *SPEECH[:2], "--output", "-").records}
    assert all(float(row["wer"]) == own[row["segment"]]["score"] for row in rows[:54])
    again = fstmetrics("compare", "--scores", f"bleu={table}", "--samples", "99", "--json").summary
    bleu = [float(row["bleu"]) for row in rows[:54]]
    assert again["systems"]["old"]["bleu"]["score"] == pytest.approx(sum(bleu) / 54)
    assert summary["settings"]["items"] == 54


PROGRAM = """
import sys
from fstmetrics.reports import table_forms as made

def asciidoc(parts):
    for part in parts:
        yield from [part] if isinstance(part, str) else ["|===", *("|" + "|".join(row) for row in part.rows), "|==="]

made.FORMS["asciidoc"] = made.TableForm("AsciiDoc tables", asciidoc)
made.FORMS["bars"] = made.TableForm("one table with bars", delimiter="|")

from fstmetrics.cli import cli
cli.main(sys.argv[1:], "fstmetrics")
"""
OF_ALL: dict[str, tuple[object, ...]] = {
    "score": ("score", *FIELDS, "--by", "speaker"),
    "compare": ("compare", "--ref", *SPEECH, "--samples", "9"),
    "errors": ("errors", *SPEECH[:2]),
    "profiles": WRITTEN["profiles"],
}


@pytest.mark.parametrize("form", ["asciidoc", "bars"])
@pytest.mark.parametrize("name", OF_ALL)
def test_a_row_of_the_table_is_a_form_of_every_command(name: str, form: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, OF_ALL[name]), f"--{form}"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    if form == "asciidoc":
        assert lines[0] == "|==="
        assert lines.count("|===") % 2 == 0
        assert "fstmetrics|" in done.stdout
    else:
        assert len({line.count("|") for line in lines if '"' not in line}) == 1 < len(lines)
