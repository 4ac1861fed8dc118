"""`score --times`: how far the times of matched words differ."""

from __future__ import annotations

import csv
import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest
from command import fstmetrics, written
from error_cases import content, error_cases, label
from slow_word_times import Matched, said

import fstmetrics as fm
from fstmetrics.engine.time_differences import TimesOfWords

CASES = error_cases("word_times")
REF = (
    "ann-1 1 0.00 0.30 the\nann-1 1 0.50 0.20 Cat\nann-1 1 0.90 0.10 sat\n"
    "bob-1 1 0.10 0.20 uh\nbob-1 1 0.40 0.60 everything\nbob-1 1 1.0 0.2 @\n"
)
# `the` 50 ms late; `cat` 20 ms late at its begin, 120 ms at its end, over the word behind it; an insertion; `sat`
# 0.1 ms beyond 200 ms; `uh` is missing; `everything` as in the reference, but 30 ms early at its end.
HYP = (
    "ann-1 1 0.05 0.30 the\nann-1 1 0.52 0.30 cat\nann-1 1 0.70 0.10 then\nann-1 1 1.1001 0.10 sat\n"
    "bob-1 1 0.40 0.57 everything\n"
)


def close(value: Any) -> Any:
    """The same numbers, whatever order they are added up in."""
    if isinstance(value, dict):
        return {name: close(each) for name, each in value.items()}
    return value if value is None or isinstance(value, str) else pytest.approx(value, rel=1e-12, abs=1e-12)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("case", CASES["case"], ids=label)
def test_what_is_refused(case: dict[str, str], here: Path) -> None:
    for name, text in CASES["files"].items():
        written(here / name, text)
    if "file" in case:
        written(here / case["file"], content(case))
    outcome = fstmetrics(*case["command"].split())
    assert case["message"] in outcome.err
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert not (here / "records.jsonl").exists()


def test_numbers_by_hand(here: Path) -> None:
    written(here / "ref.ctm", REF)
    written(here / "hyp.ctm", HYP)
    arguments = ("score", "ref.ctm", "hyp.ctm", "--times", "--lowercase")
    outcome = fstmetrics(*arguments, "--by", "speaker", "--speakers", "spu_id", "--json")
    found = json.loads(outcome.out)["times"]
    assert found["words"] == 4
    onset = {"mean_abs": (50 + 20 + 200.1 + 0) / 4, "median_abs": 35, "bias": (50 + 20 + 200.1 + 0) / 4}
    assert found["onset"] == close(onset | {"within_50": 0.75, "within_100": 0.75, "within_200": 0.75})
    offset = {"mean_abs": (50 + 120 + 200.1 + 30) / 4, "median_abs": 85, "bias": (50 + 120 + 200.1 - 30) / 4}
    assert found["offset"] == close(offset | {"within_50": 0.5, "within_100": 0.5, "within_200": 0.75})
    assert {name: each["words"] for name, each in found["by_length"].items()} == {"1-3": 3, "4-6": 0, "7+": 1}
    positions = {name: each["words"] for name, each in found["by_position"].items()}
    assert positions == {"first": 1, "last": 2, "others": 1}
    assert found["by_length"]["4-6"]["onset"] == dict.fromkeys(
        onset | {f"within_{n}": 0 for n in (50, 100, 200)}
    )
    ann, bob = found["by"]["speaker"]
    assert (ann["value"], ann["words"], bob["value"], bob["words"]) == ("ann", 3, "bob", 1)
    assert bob["offset"]["bias"] == -30

    # Without --lowercase `Cat` is another word.
    fewer = json.loads(fstmetrics("score", "ref.ctm", "hyp.ctm", "--times", "--json").out)["times"]
    assert (fewer["words"], fewer["by_position"]["others"]["words"]) == (3, 0)
    assert "by" not in fewer


def recording(ctm: str, name: str) -> str:
    """The words of a file of a ctm as JSON of Whisper."""
    rows = [line.split() for line in ctm.splitlines() if line.startswith(f"{name} ")]
    words = [
        {"word": f" {r[4]}", "start": float(r[2]), "end": float(r[2]) + float(r[3])}
        for r in rows
        if r[4] != "@"
    ]
    part = {"start": 0, "end": 9, "text": "".join(word["word"] for word in words), "words": words}
    return json.dumps({"segments": [part]})


def test_json_of_whisper_has_the_same_times_as_ctm(here: Path) -> None:
    for side, ctm in (("ref", REF), ("hyp", HYP)):
        written(here / f"{side}.ctm", ctm)
        (here / side).mkdir()
        for name in ("ann-1", "bob-1"):
            written(here / side / f"{name}.json", recording(ctm, name))
    for options in (("--lowercase",), ("--lowercase", "--metric", "sclite")):
        wanted = fstmetrics("score", "ref.ctm", "hyp.ctm", "--times", "--json", *options).summary["times"]
        for ref, hyp in (("ref.ctm", "hyp"), ("ref", "hyp.ctm"), ("ref", "hyp")):
            found = fstmetrics("score", ref, hyp, "--times", "--json", *options).summary
            assert found["times"] == close(wanted), (ref, hyp)
    # Times are looked for where they are asked for alone.
    assert fstmetrics("score", "ref", "hyp", "--json").summary["edits"] == 3


def test_tables(here: Path) -> None:
    written(here / "ref.ctm", REF)
    written(here / "hyp.ctm", HYP)
    arguments = ("score", "ref.ctm", "hyp.ctm", "--lowercase")
    plain, text = fstmetrics(*arguments).out, fstmetrics(*arguments, "--times").out
    assert text.startswith(plain)  # the times stand below, and change nothing
    rows = [line.split() for line in text.removeprefix(plain).splitlines()]
    assert ["all", "4", "67.5", "35.0", "+67.5", "75.00%", "75.00%", "75.00%"] in rows
    assert ["last", "word", "2", "115.0", "115.0", "+85.0", "50.00%", "50.00%", "50.00%"] in rows
    assert ["4-6", "characters", "0", *"------"] in rows
    for form in ("markdown", "latex"):
        formed = fstmetrics(*arguments, "--times", f"--{form}").out
        assert formed.count("first word") == 2
    table = list(csv.DictReader(fstmetrics(*arguments, "--times", "--csv").out.splitlines()))
    offsets = [(row["by"], row["value"], row["words"]) for row in table if row["times"] == "offset"]
    assert offsets[:2] == [("all", "", "4"), ("length", "1-3", "3")]
    assert [float(row["bias_ms"]) for row in table if row["by"] == "all"] == [67.525, 85.025]


def test_python_and_records(here: Path) -> None:
    ref, hyp = written(here / "ref.ctm", REF), written(here / "hyp.ctm", HYP)
    score = fm.score_files(references=ref, hypotheses=hyp, times=True, lowercase=True)
    assert isinstance(score.times, TimesOfWords)
    assert score.times.every.of("onset").bias == 67.525
    outcome = fstmetrics("score", str(ref), str(hyp), "--times", "--lowercase", "--json")
    assert json.loads(outcome.out)["times"] == score.summary()["times"] == score.times.as_dict()
    without = fm.score_files(references=ref, hypotheses=hyp, lowercase=True)
    assert without.times is None
    assert "times" not in without.summary()
    assert without.signature == score.signature
    fm.score_files(
        references=ref,
        hypotheses=hyp,
        times=True,
        lowercase=True,
        alignment=True,
        output=here / "timed.jsonl",
        jobs=2,
    )
    fm.score_files(
        references=ref, hypotheses=hyp, lowercase=True, alignment=True, output=here / "plain.jsonl"
    )
    assert (here / "timed.jsonl").read_bytes() == (here / "plain.jsonl").read_bytes()


WORDS = ("a", "a", "b", "the", "Then", "then", "evening", "(uh)", "@")


def random_side(draw: random.Random, files: int) -> list[str]:
    """Lines of ctm: few different words, begins in order, ends in any."""
    lines = []
    for file in range(files):
        begin = 0
        for _ in range(draw.randrange(12)):
            begin += draw.choice((0, 10, 50, 100, 137))
            lines.append(
                f"s{file % 2}-{file} 1 {begin / 1000} {draw.choice((0, 50, 400)) / 1000} {draw.choice(WORDS)}"
            )
    return lines


@pytest.mark.parametrize("metric", ["wer", "sclite"])
@pytest.mark.parametrize("seed", range(20))
def test_equal_to_the_slow_computation(metric: str, seed: int, here: Path) -> None:
    draw = random.Random(seed)
    sides = [random_side(draw, 12), random_side(draw, 12)]
    ref, hyp = (
        written(here / f"{name}.ctm", "\n".join([*lines, ""]))
        for name, lines in zip("rh", sides, strict=True)
    )
    options: dict[str, Any] = {
        "metric": metric,
        "missing": "empty",
        "optional_words": "word",
        "ignore": ["b"],
    }
    options |= {"lowercase": bool(seed % 2)}
    shown = fm.score_files(references=ref, hypotheses=hyp, alignment=True, **options)
    matched = Matched()
    for result in shown.results:
        kept = [[word for word in said(lines, str(result.id)) if word[0] != "b"] for lines in sides]
        matched.add(str(result.id), *kept, [pair.op for pair in result.alignment])
    assert len(matched.rows) == shown.summary()["matches"] > 3
    found = fm.score_files(
        references=ref, hypotheses=hyp, times=True, by=["speaker"], speakers="spu_id", **options
    ).summary()["times"]
    by = {row.pop("value"): row for row in found.pop("by")["speaker"]}
    assert found == close(matched.all())
    for speaker in by:
        assert by[speaker] == close(matched.where(lambda *row, speaker=speaker: row[3].startswith(speaker)))


def test_compressed_files_of_other_line_ends(here: Path) -> None:
    written(here / "ref.ctm", REF)
    (here / "hyp.ctm.gz").write_bytes(
        gzip.compress(("\ufeff;; a comment\r\n" + HYP.replace("\n", "\r\n\r\n")).encode())
    )
    found = json.loads(fstmetrics("score", "ref.ctm", "hyp.ctm.gz", "--times", "--lowercase", "--json").out)
    assert found["times"]["words"] == 4


def test_items_without_matched_words(here: Path) -> None:
    written(here / "ref.ctm", "f 1 0 1 a\n")
    written(here / "hyp.ctm", "f 1 0 1 b\n")
    found = json.loads(fstmetrics("score", "ref.ctm", "hyp.ctm", "--times", "--json").out)["times"]
    assert (found["words"], found["onset"]["mean_abs"], found["offset"]["within_50"]) == (0, None, None)
    rows = [line.split() for line in fstmetrics("score", "ref.ctm", "hyp.ctm", "--times").out.splitlines()]
    assert rows.count(["all", "0", *"------"]) == 2


def test_times_in_other_units_are_remarked_on(tmp_path: Path) -> None:
    seconds = written(tmp_path / "r.ctm", "".join(f"u 1 {n * 40} 0.5 w{n}\n" for n in range(9)))
    later = written(tmp_path / "h.ctm", "".join(f"u 1 {n * 40000} 500 w{n}\n" for n in range(9)))
    said = "half of the matched words begin 159.8 s or more apart: are the times of both sides in seconds"
    told = fstmetrics("score", seconds, later, "--times").out
    assert "s or more apart: are the times of both sides in seconds, from the same beginning?" in told, said
    near = written(tmp_path / "n.ctm", "".join(f"u 1 {n * 40 + 2} 0.5 w{n}\n" for n in range(9)))
    assert "or more apart" not in fstmetrics("score", seconds, near, "--times").out
