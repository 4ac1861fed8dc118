"""What the commands compute, write and print."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from command import BRIEF, COUNTS, EXAMPLES, HYTER, ORACLE, ORACLE_FIELDS, check_record, fstmetrics, written

import fstmetrics as fm
from fstmetrics.cli import cli
from fstmetrics.engine.oracle_results import OracleResult
from fstmetrics.scoring.request import Request


@pytest.fixture
def ref(tmp_path: Path) -> Path:
    return written(tmp_path / "ref.txt", "the cat sat on the mat\na b c\nx y\n")


@pytest.fixture
def hyp(tmp_path: Path) -> Path:
    return written(tmp_path / "hyp.txt", "the cat on the the mat\na b c\n\n")


COMMANDS = [
    (("score",), "wer", set()),
    (("score", "--metric", "wrr"), "wrr", set()),
    (("score", "--metric", "grr", "--order", "2", "--beta", "-0.25"), "grr", set()),
    (("score", "--metric", "sclite"), "sclite", set()),
    (("hyter",), "hyter", {"cards"}),
    (("hyter", "--window", "3"), "hyter", {"order", "cards"}),
    (("hyter", "--window", "2", "--reordering", "jumps"), "hyter", {"order", "cards"}),
    (("oracle", "--metric", "grr", "--alpha", "-0.9", "--beta", "1"), "grr", ORACLE_FIELDS),
]


@pytest.mark.parametrize(("command", "metric", "fields"), COMMANDS)
@pytest.mark.parametrize("alignment", [False, True])
def test_records_and_summary(
    command: tuple[str, ...],
    metric: str,
    fields: set[str],
    alignment: bool,
    ref: Path,
    hyp: Path,
    tmp_path: Path,
) -> None:
    """Fields, types, and the corpus sums; the same numbers where no words are asked for."""
    paths = (ref, hyp) if command[0] == "score" else HYTER if command[0] == "hyter" else ORACLE
    output = tmp_path / "o.jsonl"
    extra = ["--alignment"] if alignment else []
    found = fstmetrics(*command, *paths, *extra, "--output", output, "--json").summary
    records = [json.loads(line) for line in output.read_text().splitlines()]
    for record in records:
        check_record(record, metric, fields | {"alignment"} if alignment else fields)
    for name in (*COUNTS, *(("gain", "max_gain") if metric in ("wrr", "grr") else ())):
        assert found[name] == pytest.approx(sum(record[name] for record in records)), name
    assert found["items"] == len(records)
    scores = [record["score"] for record in records if record["score"] is not None]
    assert found["mean_score"] == pytest.approx(sum(scores) / len(scores))
    assert fstmetrics(*command, *paths, "--json").summary == found
    assert "NaN" not in output.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hyp.txt", "o.jsonl", "ref.txt"]


def test_the_summary_has_all_counts(ref: Path, hyp: Path) -> None:
    found = fstmetrics("score", ref, hyp, "--json").summary
    expected = {
        "metric": "wer", "items": 3, "skipped": 0, "score": 4 / 11, "infinite_scores": 0, "items_with_errors": 2,
        "edits": 4, "matches": 8, "substitutions": 0, "insertions": 1, "deletions": 3, "moves": 0, "path_length": 11,
        "gain": None, "max_gain": None,
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected
    assert found["mean_score"] == pytest.approx((2 / 6 + 0 + 1) / 3)
    settings = found["settings"]
    assert settings["formats"] == {str(ref): "plain", str(hyp): "plain"}
    assert (settings["unit"], settings["missing"], settings["route"]) == ("word", "error", "auto")
    assert f"version:{fm.__version__}" in found["signature"]


def test_kaldi_lines(tmp_path: Path) -> None:
    """332 errors in 5056 words as compute-wer prints them, and halves rounded as in single precision."""
    ref = written(tmp_path / "r", "w " * 4764 + "r " * 192 + "d " * 100 + "\n\n")
    hyp = written(tmp_path / "h", "w " * 4764 + "s " * 192 + "\n" + "i " * 40 + "\n")
    lines = fstmetrics("score", ref, hyp).out.splitlines()
    assert lines[:2] == ["%WER 6.57 [ 332 / 5056, 40 ins, 100 del, 192 sub ]", "%SER 100.00 [ 2 / 2 ]"]
    assert lines[-1].startswith("fstmetrics|metric:wer|")


def test_characters_have_an_error_rate_of_characters(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", "abcd\n"), written(tmp_path / "h", "abxd\n")
    assert fstmetrics("score", ref, hyp, "--unit", "char").out.startswith("%CER 25.00 [ 1 / 4,")


def test_long_times_are_printed_in_full(tmp_path: Path) -> None:
    lattice = "VERSION=1.0\nN=2 L=1\nI=0 t=0\nI=1 t=10677100\nJ=0 S=0 E=1 W=a\n"
    outcome = fstmetrics(
        "oracle", written(tmp_path / "r", "a\n"), written(tmp_path / "x.slf", lattice), "--depth"
    )
    assert "depth 1.00 arcs over 10677100 seconds, 1 at most" in outcome.out


def test_names_that_may_have_been_meant_come_first(ref: Path, hyp: Path) -> None:
    for command, meant in (("oracel", "oracle"), ("network inof", "info"), ("grammar lst", "list")):
        assert (
            f"no such command {command.split()[-1]!r}; did you mean {meant}?"
            in fstmetrics(*command.split()).err
        )
    assert "no such command 'zzz'" in fstmetrics("zzz").err
    formats = {
        ("score", ref, hyp, "--format"): "kaldi-data, kaldi-text or",
        ("convert", ref, hyp, "--to"): "kaldi-text,",
    }
    for option, meant in formats.items():
        assert f"unknown format 'kaldi'; did you mean {meant}" in fstmetrics(*option, "kaldi").err


def test_kaldi_rounds_in_single_precision(tmp_path: Path) -> None:
    """3 / 4000: 0.075 per cent is below the half as a double, above it as a float."""
    ref, hyp = written(tmp_path / "r", "w " * 4000), written(tmp_path / "h", "w " * 3997)
    assert fstmetrics("score", ref, hyp).out.startswith("%WER 0.08 [ 3 / 4000, 0 ins, 3 del, 0 sub ]\n")


def test_only_word_error_rates_print_kaldi_lines(ref: Path, hyp: Path) -> None:
    assert fstmetrics("score", ref, hyp, "--metric", "sclite").out.startswith("%WER ")
    out = fstmetrics("score", ref, hyp, "--metric", "wrr").out
    assert "%" not in out
    assert "gain" in out


def test_oracle_stands_beside_the_one_best(tmp_path: Path) -> None:
    out = fstmetrics("oracle", *ORACLE, "--output", tmp_path / "o").out
    assert "oracle  0.0667" in out
    assert "1-best  0.3778" in out
    assert "density 28.97 arcs per reference word (2607 arcs)" in out
    records = [json.loads(line) for line in (tmp_path / "o").read_text().splitlines()]
    found = fstmetrics("oracle", *ORACLE, "--json").summary
    assert found["arcs"] == sum(record["arcs"] for record in records) == 2607
    for record in records:
        assert set(record["one_best"]) == BRIEF | {"hypothesis"}
        assert record["density"] == record["arcs"] / record["path_length"]
    for name in COUNTS:
        assert found["one_best"][name] == sum(record["one_best"][name] for record in records)


@pytest.mark.parametrize("route", ["topological", "best-first", "dijkstra"])
def test_routes_agree(route: str) -> None:
    for command in (("oracle", *ORACLE), ("hyter", *HYTER, "--window", "3")):
        by_default, found = (fstmetrics(*command, "--json", "--route", r).summary for r in ("auto", route))
        assert found["settings"].pop("route") == route
        del by_default["settings"]["route"]
        assert found == by_default


def best_words(tmp_path: Path, *options: str) -> list[str]:
    """The 1-best of a lattice of two words or one: x (graph 5, acoustic 10), y z (2 + 1 and 6 + 6)."""
    lattice = "u1\n0 1 x 5,10,\n0 2 y 2,6,\n2 1 z 1,6,\n1 0,0,\n\n"
    ref = written(tmp_path / "r.txt", "u1 x\n")
    records = fstmetrics(
        "oracle", ref, written(tmp_path / "lat.txt", lattice), *options, "--output", "-"
    ).records
    assert records[0]["hypothesis"] == ["x"]
    words: list[str] = records[0]["one_best"]["hypothesis"]
    return words


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--lm-scale", "2"), ["y", "z"]),  # 10 + 10 > 6 + 12
        (("--lm-scale", "0.5"), ["x"]),  # 2.5 + 10 < 1.5 + 12
        (("--acoustic-scale", "0.1"), ["y", "z"]),  # 5 + 1 > 3 + 1.2
        (("--acoustic-scale", "2"), ["x"]),  # 5 + 20 < 3 + 24
        (("--word-penalty", "0.5"), ["x"]),  # 15.5 < 16
        (("--word-penalty", "-0.5"), ["y", "z"]),  # 14.5 > 14
        (("--lm-scale", "2", "--word-penalty", "3"), ["x"]),  # 23 < 24
    ],
)
def test_scales_change_the_one_best(options: tuple[str, ...], words: list[str], tmp_path: Path) -> None:
    assert best_words(tmp_path, *options) == words


def test_scales_are_said(tmp_path: Path) -> None:
    acoustic = "; acoustic scores only, maybe not the decoder's path\n"
    asked = fstmetrics("oracle", *ORACLE, "--lm-scale", "2", "--word-penalty", "0.5").out
    assert f"1-best with lm 2, acoustic 1, word penalty 0.5{acoustic}" in asked
    assert f"1-best with lm 1, acoustic 1, word penalty 0{acoustic}" in fstmetrics("oracle", *ORACLE).out
    assert "1-best with" not in fstmetrics("oracle", ORACLE[0], ORACLE[0], "--format", "kaldi-text").out
    found = fstmetrics("oracle", *ORACLE, "--lm-scale", "2", "--json").summary
    assert found["settings"]["scales"] == {"lm": 2.0}


def test_weights_that_nobody_gave_are_said_where_both_costs_are_there(tmp_path: Path) -> None:
    slf = "VERSION=1.0\n{}N=3 L=2\nJ=0 S=0 E=1 W=a {}\nJ=1 S=1 E=2 W=b a=-1\n"
    ref, lattice = written(tmp_path / "r", "a b\n"), tmp_path / "1.slf"
    advice = "; the files name no other weights: --lm-scale 7:17 tries some\n"
    unweighted = "\n1-best with lm 1, acoustic 1, word penalty 0"
    for header, scores, options, line in (
        ("", "a=-1 l=-2", (), unweighted + advice),
        ("lmscale=1\n", "a=-1 l=-2", (), unweighted + advice),
        ("", "a=-1 l=-2", ("--lm-scale", "1"), f"{unweighted}\n"),
        ("", "a=-1 l=-2", ("--word-penalty", "0"), f"{unweighted}\n"),
        ("lmscale=2\n", "a=-1 l=-2", (), "\n1-best with lm 2, acoustic 1, word penalty 0\n"),
        (
            "",
            "a=-1",
            (),
            f"{unweighted}; acoustic scores only, maybe not the decoder's path\n",
        ),
    ):
        written(lattice, slf.format(header, scores))
        outcome = fstmetrics("oracle", ref, lattice, *options)
        assert line in outcome.out, (header, scores, options, outcome)
    written(lattice, slf.format("", "a=-1 l=-2"))
    tried = fstmetrics("oracle", ref, lattice, "--lm-scale", "7:17")
    assert (tried.status, advice in tried.out) == (0, False)


def test_forests_without_weights_have_no_one_best() -> None:
    """Neither a row nor a word of it, but how to get one; with weights no lattice is spoken of."""
    ref, forest = EXAMPLES / "forests" / "ref.txt", EXAMPLES / "forests" / "house.graph"
    bare = fstmetrics("oracle", ref, forest).out
    assert "no 1-best: the forests have no scores; --weights FILE" in bare
    assert "1-best with" not in bare
    weighted = fstmetrics("oracle", ref, forest, "--weights", EXAMPLES / "forests" / "weights.txt").out
    assert "1-best with lm 1, acoustic 1, word penalty 0\n" in weighted
    assert "the lattices have" not in weighted


def test_scales_of_files_and_missing_scores_are_said(tmp_path: Path) -> None:
    slf = "VERSION=1.0\n{}N=3 L=2\nJ=0 S=0 E=1 W=a {}\nJ=1 S=1 E=2 W=b {}\n"
    ref, folder = written(tmp_path / "r", "a b\n" * 2), tmp_path / "lattices"
    folder.mkdir()
    written(folder / "1.slf", slf.format("lmscale=12 wdpenalty=-3\n", "a=-1 l=-2", "a=-1 l=-1"))
    written(folder / "2.slf", slf.format("lmscale=8\n", "l=-2", ""))
    said = fstmetrics("oracle", ref, folder, "--ref-format", "plain").out
    assert "1-best with lm 8 to 12, acoustic 1, word penalty 0 to 3\n" in said
    (folder / "1.slf").unlink()
    written(tmp_path / "r", "a b\n")
    assert "; the lattices have graph scores only\n" in fstmetrics("oracle", ref, folder).out
    written(folder / "2.slf", slf.format("", "", ""))
    assert (
        "; the lattices have no scores, so the 1-best is any path\n" in fstmetrics("oracle", ref, folder).out
    )


def curve(text: str, ref: str, tmp_path: Path, *options: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    command = ("oracle", written(tmp_path / "r", ref), written(tmp_path / "n", text), *options)
    return fstmetrics(*command, "--output", "-").records, fstmetrics(*command, "--json").summary


def test_nbest_lists_have_a_curve(tmp_path: Path) -> None:
    """The reference has 12 words; entry i gets i of them right. The second list has two entries only."""
    reference = [f"w{i}" for i in range(12)]
    entries = [reference[: i + 1] + ["x"] * (11 - i) for i in range(12)]
    text = "".join(f"0 ||| {' '.join(words)} ||| f=0 ||| {-i}\n" for i, words in enumerate(entries))
    text += "1 ||| b ||| f=0 ||| 0\n1 ||| a ||| f=0 ||| -1\n"
    records, found = curve(text, " ".join(reference) + "\na\n", tmp_path)
    assert [record["id"] for record in records] == [None, None]
    check_record(records[0], "wer", ORACLE_FIELDS | {"after"})
    assert [(a["entries"], a["edits"]) for a in records[0]["after"]] == [
        (1, 11),
        (2, 10),
        (5, 7),
        (10, 2),
        (12, 0),
    ]
    assert [(a["entries"], a["edits"]) for a in records[1]["after"]] == [(1, 1), (2, 0)]
    assert [(a["entries"], a["edits"]) for a in found["after"]] == [
        (1, 12),
        (2, 10),
        (5, 7),
        (10, 2),
        (12, 0),
    ]
    assert set(found["after"][0]) == BRIEF | {"entries"}
    assert found["one_best"]["edits"] == 12
    out = fstmetrics("oracle", tmp_path / "r", tmp_path / "n").out
    assert "oracle of first 10" in out
    assert "1.08 entries per reference word (14 entries)" in out


def test_a_missing_nbest_list_keeps_the_curve(tmp_path: Path) -> None:
    text = "u-1 ||| a ||| 0\nu-1 ||| b ||| 0\n"
    records, found = curve(text, "u-1 b\nu-2 c d\n", tmp_path, "--missing", "empty")
    assert [record["edits"] for record in records] == [0, 2]
    assert [(a["entries"], a["edits"]) for a in found["after"]] == [(1, 3), (2, 2)]


def test_nbest_paths_in_records_and_on_the_terminal(tmp_path: Path) -> None:
    records = fstmetrics("oracle", *ORACLE, "--nbest", "3", "--output", "-", "--alignment").records
    for record in records:
        check_record(record, "wer", ORACLE_FIELDS | {"nbest", "alignment"})
        assert 1 <= len(record["nbest"]) <= 3
        best = record["nbest"]
        for path in best:
            check_record(path, "wer", {"alignment"})
        assert [path["edits"] for path in best] == sorted(path["edits"] for path in best)
        assert best[0]["hypothesis"] == record["hypothesis"]
        assert len({(*path["hypothesis"], "|", *path["closest"]) for path in best}) == len(best)
    out = fstmetrics("oracle", *ORACLE, "--nbest", "3").out
    assert out.count("     HYP ") == sum(len(record["nbest"]) for record in records)
    assert "  3. holmes37  wer " in out


def test_alignment_on_the_terminal() -> None:
    out = fstmetrics("hyter", *HYTER, "--window", "3", "--alignment").out
    assert out.startswith(
        "S substitution, I insertion, D deletion, ORD the hypothesis as reordered, < reordering move\n\n"
    )
    rows = out[out.index("station  ") :].splitlines()
    assert rows[0] == "station  hyter 0.4000  (0 sub, 0 ins, 1 del, 1 move; 5 reference words)"
    assert rows[1:5] == [
        "HYP where train station is",
        "ORD where is *** train station",
        "REF where is the train station",
        "          <  D",
    ]
    assert "reordering move" not in fstmetrics("score", HYTER[1], HYTER[1], "--alignment").out


def test_alignment_of_wide_words_lines_up(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", "今天 天气 很 好\n"), written(tmp_path / "h", "今天 很 好 吧\n")
    rows = fstmetrics("score", ref, hyp, "--alignment").out.splitlines()
    assert rows[2] == "item 1  wer 0.5000  (0 sub, 1 ins, 1 del; 4 reference words)"
    assert rows[3:6] == ["HYP 今天 **** 很 好 吧", "REF 今天 天气 很 好 **", "         D          I"]
    rows = fstmetrics("score", ref, hyp, "--alignment", "--unit", "char").out.splitlines()
    assert rows[4] == "REF 今 天 ␣ 天 气 ␣ 很 ␣ 好"


def test_words_are_kept_only_for_somebody_to_see() -> None:
    assert not Request().search.alignment
    assert not Request(as_json=True).search.alignment
    for request in (Request(alignment=True), Request(nbest=2), Request(output="o"), Request(output="-")):
        assert request.search.alignment
    lattice = fm.Lattice.from_arcs([(0, 1, "a"), (0, 1, "b")], finals=[1])
    bare = fm.oracle(lattice, "b", nbest=2).counts_only()
    assert isinstance(bare, OracleResult)
    assert bare.hypothesis == bare.closest == bare.alignment == bare.nbest == ()
    assert bare.one_best is not None
    assert bare.one_best.alignment == ()
    assert (bare.edits, bare.matches, bare.one_best.edits, bare.density) == (0, 1, 1, 2)


def test_demo() -> None:
    outcome = fstmetrics("demo")
    assert (outcome.status, outcome.err) == (0, "")
    assert "%WER 6.67 [ 6 / 90, 1 ins, 0 del, 5 sub ]" in outcome.out
    assert "hyter  0.2121  0.2444" in outcome.out
    assert "\x1b" not in outcome.out
    assert all(len(line) <= 100 for line in outcome.out.splitlines() if "|" not in line and line[:1] != "$")


def test_commands_of_the_demo_can_be_run_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = fstmetrics("demo").out
    commands = [line.removeprefix("$ fstmetrics ") for line in out.splitlines() if line.startswith("$ ")]
    assert len(commands) == 2
    for command in commands:
        found = fstmetrics(*shlex.split(command))
        assert found.status == 0
        assert found.out in out


def commands_of(group: click.Group, *names: str) -> Iterator[tuple[str, ...]]:
    """The names that lead to each command, groups included."""
    yield names
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from commands_of(command, *names, name)
        else:
            yield (*names, name)


@pytest.mark.parametrize("columns", [80, 120])
def test_help_fits_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No line is folded by the terminal, no summary of a command is cut off, and no type has a name of click's."""
    monkeypatch.setenv("COLUMNS", str(columns))
    for names in commands_of(cli):
        out = fstmetrics(*names, "--help", "all").out
        options = out.partition("\n  -h, --help")[0]  # tables below are as wide as they are
        assert [line for line in options.splitlines() if len(line) > columns] == []
        assert "RANGE" not in out
        if "\nCommands:\n" in out:
            assert "...\n" not in out.partition("\nCommands:\n")[2]


def test_every_command_has_help() -> None:
    for arguments in (("--help",), ("score", "-h"), ("oracle", "-h"), ("hyter", "-h"), ("demo", "-h")):
        outcome = fstmetrics(*arguments)
        assert outcome.status == 0
        assert outcome.out.startswith("Usage: fstmetrics")
    assert fm.__version__ in fstmetrics("--version").out
    assert fstmetrics().status == 2


def test_help_of_a_command_is_the_same_after_an_unknown_option() -> None:
    """In a process of its own: click keeps the help option of a command from the first time on."""
    code = (
        "from command import fstmetrics\n"
        "assert 'it is an option of' in fstmetrics('demo', '--samples', '3').err\n"
        "assert fstmetrics('convert', '-h').status == 0"
    )
    helpers = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "helpers")}
    subprocess.run([sys.executable, "-c", code], check=True, env=helpers)
