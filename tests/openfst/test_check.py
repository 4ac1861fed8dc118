"""`--check openfst`: items of a run solved again by OpenFst, and a folder of machines where the answers differ."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import EXAMPLES, HYTER, ORACLE, fstmetrics, written

import fstmetrics as fm
from fstmetrics.openfst import referee
from fstmetrics.openfst.folder import folder_of_item

pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The hypotheses that OpenFst was asked about."""
    found: list[str] = []
    own = referee.judged

    def judged(result: fm.Result, hypothesis: Any, *others: Any) -> referee.Refereed:
        found.append(hypothesis if isinstance(hypothesis, str) else hypothesis.id)
        return own(result, hypothesis, *others)

    monkeypatch.setattr(referee, "judged", judged)
    return found


@pytest.fixture
def wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An engine that is one edit off where the hypothesis has the word `wrong`."""
    own = referee.judged

    def judged(result: fm.Result, hypothesis: Any, *others: Any) -> referee.Refereed:
        if "wrong" in str(hypothesis):
            totals = result.totals
            result = fm.Result(
                result.metric, totals._replace(units=totals.units + 1, matches=totals.matches + 1)
            )
        return own(result, hypothesis, *others)

    monkeypatch.setattr(referee, "judged", judged)
    monkeypatch.setattr(referee, "_WRITTEN", {})
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "ref.txt", "u1 a b\nu2 a c\nu3 d\n")
    written(tmp_path / "hyp.txt", "u1 a b\nu2 wrong c\nu3 e\n")
    return tmp_path


COMMANDS = [
    ("oracle", *ORACLE), ("oracle", *ORACLE, "--beam", 8), ("oracle", *ORACLE, "--lm-scale", "1,2"),
    ("oracle", *ORACLE, "--nbest", 2, "--output", "-"), ("oracle", *ORACLE, "--metric", "grr", "--jobs", 2),
    ("hyter", *HYTER, "--window", 3), ("hyter", *HYTER, "--window", 2, "--reordering", "jumps"),
    ("score", EXAMPLES / "alternations" / "optional.trn", EXAMPLES / "alternations" / "optional-hyp.trn",
     "--metric", "sclite", "--optional-words", "correct"),
    ("score", EXAMPLES / "alternations" / "wildcards.trn", EXAMPLES / "alternations" / "wildcards-hyp.txt"),
    ("score", EXAMPLES / "speech" / "ref.trn", EXAMPLES / "speech" / "new.trn", "--grammar", "en.speech"),
    ("score", EXAMPLES / "references" / "one.txt", EXAMPLES / "references" / "hyp.txt", "--unit", "char", "--ref",
     EXAMPLES / "references" / "two.txt"),
]  # fmt: skip


@pytest.mark.parametrize(
    "command", COMMANDS, ids=lambda command: " ".join(str(part) for part in command)[-50:]
)
def test_right_answers_are_as_without_a_check(command: tuple[object, ...], asked: list[str]) -> None:
    plain, checked = fstmetrics(*command), fstmetrics(*command, "--check", "openfst")
    assert (plain.status, checked.status) == (0, 0), checked.err
    said = "solved again by OpenFst, with the same answers: every item"
    assert [line for line in checked.out.splitlines() if line != said] == plain.out.splitlines()
    assert (said in checked.out) or "-" in command
    assert asked


@pytest.mark.parametrize(("every", "which"), [("", [0, 1, 2]), ("=2", [0, 2]), ("=3", [0]), ("=1000", [0])])
def test_every_so_manyth_item_is_solved_again(
    every: str, which: list[int], asked: list[str], tmp_path: Path
) -> None:
    texts = ["a b", "a x", "d"]
    for name, lines in (("ref.txt", ["a b", "a c", "d"]), ("hyp.txt", texts)):
        written(tmp_path / name, "".join(f"{line}\n" for line in lines))
    command = ("score", tmp_path / "ref.txt", tmp_path / "hyp.txt", "--check", f"openfst{every}")
    for jobs in (1, 2):
        asked.clear()
        found = fstmetrics(*command, "--jobs", jobs, "--json")
        assert asked == [texts[place] for place in which]
        assert found.summary["settings"]["check"] == f"openfst{every or '=1'}"
    asked.clear()
    assert fstmetrics(*command, "--shard", "2/2", "--output", tmp_path / "records.jsonl").status == 0
    assert asked == [texts[place] for place in which if place == 1]


def test_a_difference_ends_the_run_with_status_1_and_leaves_the_machines(wrong: Path) -> None:
    found = fstmetrics("score", "ref.txt", "hyp.txt", "--check", "openfst", "--output", "records.jsonl")
    assert (found.status, found.out) == (1, "")
    assert found.err.count("\n") == 1
    expected = "item u2: OpenFst has another answer: cost 2 by the engine, 1 by OpenFst; "
    assert expected in found.err
    assert f"the machines are in {Path('fstmetrics-check', 'u2')}" in found.err
    assert not (wrong / "records.jsonl").exists()
    assert [path.name for path in (wrong / "fstmetrics-check").iterdir()] == ["u2"]
    names = {path.name for path in (wrong / "fstmetrics-check" / "u2").iterdir()}
    assert {"h.fst", "t-left.fst", "t-right.fst", "r.fst", "words.txt", "run.sh"} <= names
    if shutil.which("fstcompose"):
        done = subprocess.run(
            ["sh", "fstmetrics-check/u2/run.sh"], capture_output=True, text=True, check=True
        )
        assert done.stdout.startswith("cost: 1\n")
    # What an earlier run left is kept.
    referee._WRITTEN.clear()
    again = fstmetrics("score", "ref.txt", "hyp.txt", "--check", "openfst")
    assert f"the machines are in {Path('fstmetrics-check', 'u2-2')}" in again.err


def test_a_run_that_keeps_going_leaves_the_item_out(wrong: Path) -> None:
    found = fstmetrics(
        "score", "ref.txt", "hyp.txt", "--check", "openfst", "--keep-going", "--output", "records.jsonl"
    )
    assert found.status == 1
    assert "item u2: OpenFst has another answer" in found.err
    ids = [json.loads(line)["id"] for line in (wrong / "records.jsonl").read_text().splitlines()]
    assert ids == ["u1", "u3"]


def test_an_item_that_is_not_checked_is_not_found_wrong(wrong: Path) -> None:
    assert fstmetrics("score", "ref.txt", "hyp.txt", "--check", "openfst=2").status == 0
    assert not (wrong / "fstmetrics-check").exists()


def test_machines_that_cannot_be_written_are_told(wrong: Path) -> None:
    written(wrong / "fstmetrics-check", "a file")
    found = fstmetrics("score", "ref.txt", "hyp.txt", "--check", "openfst")
    assert found.status == 1
    assert "its machines are not written: " in found.err


def test_without_pynini_nothing_is_scored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pynini", None)
    written(tmp_path / "ref.txt", "a\n")
    for command in ("score", "oracle", "hyter"):
        found = fstmetrics(command, tmp_path / "ref.txt", tmp_path / "no-such", "--check", "openfst")
        assert found.status == 2
        assert "needs pynini, which is not installed: pip install 'fstmetrics[openfst]'" in found.err


def test_folders_of_items_stay_in_the_folder() -> None:
    for id in ("../x", "/etc", "a/b", ".", "..", "", None, "a" * 200, "a\nb", ".hidden"):
        assert folder_of_item("check", id, 7) == str(Path("check", "item-7"))
    assert folder_of_item("check", "spk1-utt_2.a", 7) == str(Path("check", "spk1-utt_2.a"))
