"""`fstmetrics oracle` with several scales and word penalties: each row is what one run with its weights finds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from command import EXAMPLES, ORACLE, fstmetrics, written

import fstmetrics as fm

# Two words cheap in graph costs, one word cheap in acoustic costs.
LATTICE = "u1\n0 1 x 5,10,\n0 2 y 1,6,\n2 1 z 2,6,\n1\n\n"


def rows(*options: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = fstmetrics("oracle", *ORACLE, "--json", *options).summary["sweep"]
    return found


def weights(found: list[dict[str, Any]]) -> list[tuple[float | None, float | None]]:
    return [(row["lm_scale"], row["word_penalty"]) for row in found]


def test_each_row_is_the_one_best_of_a_run_with_its_scales() -> None:
    found = rows("--lm-scale", "7:9", "--word-penalty", "0,10", "--acoustic-scale", "0.5")
    assert weights(found) == [(lm, penalty) for lm in (7, 8, 9) for penalty in (0, 10)]
    assert len({row["edits"] for row in found}) > 1
    for row in found:
        scales = row["scales"]
        assert scales["word_penalty"] == row["word_penalty"]
        alone = fstmetrics(
            "oracle", *ORACLE, "--json", "--lm-scale", str(scales["lm"]), "--acoustic-scale", "0.5",
            "--word-penalty", str(scales["word_penalty"]),
        ).summary["one_best"]  # fmt: skip
        assert {name: row[name] for name in alone} == alone


PENALIZED = "u1\n0 1 x 1.0,100,\n1 2 y 1.0,100,\n0 2 the 1.0,213,\n2 0,0,\n\n"
SLF = (
    "VERSION=1.0\nUTTERANCE=u1\nlmscale=10 wdpenalty={}\nN=3 L=3\nI=0\nI=1\nI=2\nJ=0 S=0 E=1 W=x a=-100 l=-1\n"
    "J=1 S=1 E=2 W=y a=-100 l=-1\nJ=2 S=0 E=2 W=the a=-213 l=-1\n"
)


@pytest.mark.parametrize(
    ("penalty", "words"), [("0", "x y"), ("2.9", "x y"), ("3.1", "the"), ("5", "the"), ("-5", "x y")]
)
def test_a_word_penalty_is_the_same_cost_in_runs_sweeps_and_files(
    penalty: str, words: str, tmp_path: Path
) -> None:
    """x y costs 10 x 2 + 200 + 2 penalties, the 10 x 1 + 213 + 1 penalty."""
    lattice, ref = written(tmp_path / "p.lat", PENALIZED), written(tmp_path / "r", f"u1 {words}\n")
    weights = ("--lm-scale", "10", "--word-penalty", penalty)
    assert fstmetrics("best", lattice, *weights).out == f"u1 {words}\n"
    assert fstmetrics("mbr", lattice, *weights, "--scale", "9").out == f"u1 {words}\n"
    run = ("oracle", ref, lattice, "--json", "--acoustic-scale", "1")
    assert fstmetrics(*run, *weights).summary["one_best"]["edits"] == 0
    (row, other) = fstmetrics(*run, "--lm-scale", "10", "--word-penalty", f"{penalty},99").summary["sweep"]
    assert (row["edits"], row["scales"]["word_penalty"], other["word_penalty"]) == (0, float(penalty), 99)
    slf = written(tmp_path / "u1.slf", SLF.format(-float(penalty)))
    (row, _) = fstmetrics("oracle", ref, slf, "--json", "--lm-scale", "10,12").summary["sweep"]
    assert (row["edits"], row["word_penalty"]) == (0, float(penalty))


def test_the_best_row_is_found_with_its_acoustic_scale(tmp_path: Path) -> None:
    lattice, ref = written(tmp_path / "p.lat", PENALIZED), written(tmp_path / "r", "u1 the\n")
    out = fstmetrics("oracle", ref, lattice, "--acoustic-scale", "0.1", "--lm-scale", "1,2").out
    said = re.search(r"alone it is (.*)", out)
    assert said
    assert said[1] == "--lm-scale 2 --acoustic-scale 0.1"
    assert fstmetrics("best", lattice, *said[1].split()).out == "u1 the\n"


def test_one_row_is_the_best_and_is_the_one_best_of_the_summary() -> None:
    ran = fstmetrics("oracle", *ORACLE, "--json", "--word-penalty", "0:40:10").summary
    (best,) = (row for row in ran["sweep"] if row["best"])
    assert best["score"] == min(row["score"] for row in ran["sweep"])
    assert ran["one_best"]["edits"] == best["edits"]
    out = fstmetrics("oracle", *ORACLE, "--word-penalty", "0:40:10").out
    (marked,) = re.findall(r"^ *1 +(\S+) +(\S+) .* best$", out, re.MULTILINE)
    assert marked == (f"{best['word_penalty']:g}", f"{best['score']:.4f}")
    penalty = best["scales"]["word_penalty"]
    assert f"1-best: the best of 5 rows; alone it is --lm-scale 1 --word-penalty {penalty:g}\n" in out


def test_of_a_metric_that_recognises_the_best_row_has_the_highest_score() -> None:
    found = rows("--word-penalty", "0,20", "--metric", "wrr")
    assert [row["best"] for row in found] == [row["score"] == max(r["score"] for r in found) for row in found]


@pytest.mark.parametrize(
    ("written_as", "values"),
    [
        ("7:9", [7, 8, 9]), ("0:.3:.1", [0, 0.1, 0.2, 0.3]), ("1,.5,1", [1, 0.5]), ("2,4:5", [2, 4, 5]), ("3:3", [3]),
        ("-1:0:.5", [-1, -0.5, 0]), ("1:2:4", [1]),
    ],
)  # fmt: skip
def test_ranges_are_decimals_with_both_ends(written_as: str, values: list[float]) -> None:
    assert weights(rows("--lm-scale", written_as)) == [(value, 0) for value in values]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("7:x", "'x' is no number"), ("a", "'a' is no number"), ("7:", "'' is no number"), ("1,,2", "'' is no number"),
        ("9:7", "'9:7' ends below its beginning"), ("1:2:0", "a step is above 0"), ("1:2:3:4", "more than three parts"),
        ("0:1:1e-9", "more than 1000 numbers"), ("1:nan", "'nan' is no number"), ("1e10", "beyond 1e+09"),
    ],
)  # fmt: skip
def test_ranges_that_are_none_are_one_line(wrong: str, message: str) -> None:
    for option in ("--lm-scale", "--word-penalty"):
        ran = fstmetrics("oracle", *ORACLE, option, wrong)
        assert ran.status == 2
        (line,) = ran.err.splitlines()
        assert f"expected a number, a range A:B or A:B:STEP, or a list A,B,..., not {wrong!r}: " in line
        assert message in line
        assert option in line


@pytest.mark.parametrize("other", [("--beam", "3"), ("--beam", "2,8"), ("--model-weight", "1")])
def test_what_needs_one_set_of_scales_is_refused(other: tuple[str, str]) -> None:
    ran = fstmetrics("oracle", *ORACLE, "--lm-scale", "7:17", *other)
    assert (ran.status, ran.out) == (2, "")
    assert (
        f"{other[0]} needs one weight of graph costs and one word penalty, and --lm-scale gives several"
        in ran.err
    )


def test_lists_without_costs_have_no_sweep(tmp_path: Path) -> None:
    lists = written(tmp_path / "lists", "0 ||| a b ||| ||| -1\n0 ||| a ||| ||| -2\n")
    ran = fstmetrics("oracle", written(tmp_path / "ref", "a b\n"), lists, "--lm-scale", "1,2")
    assert ran.status == 2
    assert "an n-best list has no graph and acoustic costs; several scales" in ran.err


def test_forests_are_swept(tmp_path: Path) -> None:
    folder = EXAMPLES / "forests"
    options = (
        "oracle",
        folder / "ref.txt",
        folder / "house.graph",
        "--weights",
        folder / "weights.txt",
        "--json",
    )
    found = fstmetrics(*options, "--word-penalty", "-9,0,9").summary["sweep"]
    for row, penalty in zip(found, (-9, 0, 9), strict=True):
        assert (
            row["edits"] == fstmetrics(*options, "--word-penalty", str(penalty)).summary["one_best"]["edits"]
        )


def test_records_have_the_rows_and_no_one_best_and_runs_go_on(tmp_path: Path) -> None:
    ref, lattice = written(tmp_path / "ref", "u1 x\n"), written(tmp_path / "lat.txt", LATTICE)
    ran = fstmetrics("oracle", ref, lattice, "--lm-scale", "0.5,2", "--output", "-")
    (record,) = ran.records
    assert record["one_best"] is None
    assert [(row["lm_scale"], row["hypothesis"]) for row in record["sweep"]] == [
        (0.5, ["x"]),
        (2, ["y", "z"]),
    ]
    arguments = ("oracle", *ORACLE, "--word-penalty", "0,9", "--json", "--output", tmp_path / "records.jsonl")
    first = fstmetrics(*arguments).summary
    journal = fstmetrics(*arguments, "--resume").summary
    assert first == journal


def test_an_empty_hypothesis_is_the_same_in_all_rows(tmp_path: Path) -> None:
    ref, lattice = written(tmp_path / "ref", "u1 x\nu2 a b\n"), written(tmp_path / "lat.txt", LATTICE)
    found = fstmetrics("oracle", ref, lattice, "--lm-scale", "0.5,2", "--missing", "empty", "--json").summary[
        "sweep"
    ]
    assert [(row["edits"], row["path_length"]) for row in found] == [(2, 3), (4, 3)]


def test_python_has_the_same_rows() -> None:
    lattice = fm.Lattice.read_all(EXAMPLES / "oracle" / "lattices")[0]
    result = fm.oracle(lattice, "a b", lm_scales=[7, 8], word_penalties=[0, 1.5])
    assert result.one_best is None
    for row in result.sweep:
        lm, penalty = row.weighting.lm_scale or 0, row.weighting.word_penalty or 0
        scales = fm.Scales(lm, 1, penalty)
        assert row.scales == scales
        assert row.result.hypothesis == lattice.best_path(scales).words
    assert json.dumps(result.as_dict()["sweep"])
    with pytest.raises(
        fm.FstmetricsError, match="a scale or word penalty of a sweep is a finite number, not 'x'"
    ):
        fm.oracle(lattice, "a b", lm_scales=["x"])  # type: ignore[list-item]


@pytest.mark.parametrize("system", ["mono", "tri1"])
def test_a_sweep_is_kaldis_table(shared: Path, system: str) -> None:
    """The errors and words of compute-wer for each LM weight."""
    folder = shared / "asr-kaldi-weather"
    ran = fstmetrics(
        "oracle", folder / "ref.txt", folder / system / "lat.txt.gz", "--symbols", folder / "words.txt",
        "--lm-scale", "7:17", "--json",
    )  # fmt: skip
    assert [row["lm_scale"] for row in ran.summary["sweep"]] == list(range(7, 18))
    for row in ran.summary["sweep"]:
        text = (folder / system / f"wer_{row['lm_scale']:g}").read_text()
        line = re.search(r"\[ (\d+) / (\d+), ", text)
        assert line
        assert [row["edits"], row["path_length"]] == [int(count) for count in line.groups()]
    (best,) = (row["lm_scale"] for row in ran.summary["sweep"] if row["best"])
    assert best == {"mono": 16, "tri1": 17}[system]


def test_rows_of_some_items_are_marked(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "u1 x\nu2 a b\n")
    bad = written(tmp_path / "lat.txt", LATTICE + "u2\n0 0 a 1,0,\n0\n\n")
    ran = fstmetrics("oracle", ref, bad, "--lm-scale", "0.5,2", "--keep-going")
    assert ran.status == 1
    (head,) = (line for line in ran.out.splitlines() if line.startswith("lm scale"))
    assert head.endswith("ref words  [PARTIAL]")


def test_more_rows_than_anybody_reads_are_refused() -> None:
    ran = fstmetrics("oracle", *ORACLE, "--lm-scale", "1:200", "--word-penalty", "1:200")
    assert (ran.status, ran.out) == (2, "")
    assert "--lm-scale and --word-penalty make 40000 rows, more than 10000; give larger steps" in ran.err


@pytest.mark.parametrize("system", ["mono", "tri1"])
def test_rows_are_what_score_sh_finds(shared: Path, system: str) -> None:
    """Acoustic costs divided by LMWT, then a penalty for each word: lattice-scale and lattice-add-penalty."""
    folder = shared / "asr-kaldi-weather"
    lattices = fm.Lattice.read_all(folder / system / "lat.txt.gz", symbols=folder / "words.txt")
    grid = [(lm, penalty) for lm in (7, 12, 17) for penalty in (0, 0.5, 1)]
    for lattice in lattices[::5]:
        found = {
            lm: fm.oracle(lattice, "x", lm_scales=[lm], word_penalties=[0, lm / 2, lm]).sweep
            for lm in (7, 12, 17)
        }
        expected = [lattice.best_path(fm.Scales(1, 1 / lm, penalty)).words for lm, penalty in grid]
        assert [row.result.hypothesis for rows in found.values() for row in rows] == expected
