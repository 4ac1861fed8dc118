"""A column of a comparison's tables is a row of one table, and then in every form."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from command import written

import fstmetrics as fm
from fstmetrics.reports.formed_comparisons import formed_lines

PROGRAM = """
import json
from operator import attrgetter
from fstmetrics.reports import comparison_tables as made

made.SCORE_COLUMNS += (made.Column("draws", "drawn", attrgetter("undefined")),)
made.TEST_COLUMNS += (made.Column("tested", "of tests", attrgetter("family")),)

import fstmetrics as fm
from fstmetrics.reports.formed_comparisons import formed_lines

found = fm.compare(
    {"a": ["x y", "z"], "b": ["x", "z"]}, ["x y", "z"], "wer", samples=9, fields={"side": ["l", "l"]}, by="side"
)
forms = {form: list(formed_lines(found, form)) for form in ("markdown", "latex", "csv", "tsv")}
shown = {"text": str(found).splitlines(), "notebook": [found._repr_html_()], **forms}
print(json.dumps({"shown": shown, "dict": found.as_dict(), "frame": found.columns()}))
"""


def test_a_row_of_the_table_is_a_column_in_every_form() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    shown = found["shown"]
    heads = [line for line in shown["text"] if "score" in line and "delta" in line]
    assert len(heads) == 2  # of all items, and by the field
    assert all("  drawn " in line and "  of tests " in line for line in heads)
    of_b = [line for line in shown["text"] if "+0.3333" in line]
    assert len(of_b) == 2
    assert all({"0", "1"} < set(line.split()) for line in of_b)  # whole numbers are written as such
    assert shown["notebook"][0].count(">drawn<") == shown["notebook"][0].count(">of tests<") == 2
    for form in ("markdown", "latex"):
        text = "\n".join(shown[form])
        assert text.count(", drawn 0") == 4
        assert ", of tests 1 (p" in text
        assert ", drawn (p of the difference from a)" in text
        assert "], of tests (its p)" in text  # nothing is a part of 0
    for form, gap in (("csv", ","), ("tsv", "\t")):
        assert {"draws", "tested"} <= set(shown[form][0].split(gap))
    for part in (found["dict"], *found["dict"]["by"]["side"]):
        assert part["systems"]["b"]["wer"]["draws"] == 0
        assert part["tests"][0]["tested"] == 1
    assert found["frame"]["draws"] == [0, 0]
    assert found["frame"]["tested"] == [None, 1]


def test_runs_of_a_single_item_have_no_spread_of_sentences() -> None:
    runs = {"a": fm.Runs([["x y"], ["x"]]), "b": fm.Runs([["x"], ["x"]])}
    found = fm.compare(runs, ["x y"], "wer", samples=9)
    for form in ("markdown", "latex"):
        text = "\n".join(formed_lines(found, form))
        assert "(-/0.3536)" in text
        assert "(0.0000/" not in text


CORRECTED = """
import json, sys
from fstmetrics.significance import p_values as made

made.CORRECTIONS["bonferroni"] = made.Correction(lambda p: [min(1, len(p) * x) for x in p], "p Bonf", "Bonferroni")

from fstmetrics.cli import cli
cli.main(sys.argv[1:], "fstmetrics")
"""


def test_a_row_of_the_table_is_a_correction_everywhere(tmp_path: Path) -> None:
    texts = {"ref": "x y\nz w\nu v\n", "a": "x y\nz w\nu\n", "b": "x\nz\nu\n", "c": "x\nz w\nu v\n"}
    files = [written(tmp_path / name, text * 2) for name, text in texts.items()]

    def shown(*options: str) -> str:
        command = ("compare", "--ref", *files, "--metric", "wer", "--samples", "99", *options)
        given = [sys.executable, "-c", CORRECTED, *map(str, command), "--correction", "bonferroni"]
        return subprocess.run(given, capture_output=True, text=True, check=True).stdout

    tests = json.loads(shown("--json"))["tests"]
    assert [test["p_bonferroni"] for test in tests] == [min(1, 2 * test["p"]) for test in tests]
    for form in ((), ("--markdown",), ("--latex",), ("--pairs", "all")):
        told = shown(*form)
        assert "p Bonf" in told
        assert "p Holm" not in told
        assert "corrected by Bonferroni over" in told
