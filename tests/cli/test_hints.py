"""What `score` says the score would be by other rules: it is what that command line prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import EXAMPLES, fstmetrics, written

CASED = (EXAMPLES / "profiles" / "ref.txt", EXAMPLES / "profiles" / "north.txt")
CHINESE = ["你好世界今天天气", "我们去公园吧好", "他是一个学生吗"] * 8


@pytest.fixture
def chinese(tmp_path: Path) -> tuple[Path, Path]:
    ref = written(tmp_path / "ref.txt", "".join(f"{line}\n" for line in CHINESE))
    hyp = written(tmp_path / "hyp.txt", "".join(f"{line[:-1]}些\n" for line in CHINESE))
    return ref, hyp


def test_the_hint_is_what_the_command_prints(chinese: tuple[Path, Path]) -> None:
    for files, option in ((CASED, ("--profile", "whisper-en")), (chinese, ("--unit", "char"))):
        hint = fstmetrics("score", *files).err
        found = re.fullmatch(r"with (.+) it would be (\w+) ([\d.]+)\n", hint)
        assert found
        assert found[1].split() == list(option)
        summary = fstmetrics("score", *files, *option, "--json").summary
        assert (found[2], found[3]) == (summary["metric"], f"{summary['score']:.4f}")
        percent = fstmetrics("score", *files, "--percent").err
        assert f"{100 * summary['score']:.2f}" in percent


@pytest.mark.parametrize(
    "options",
    [
        ("--json",),
        ("--csv",),
        ("--profile", "whisper-en"),
        ("--lowercase", "--remove-punctuation"),
    ],
)
def test_no_hint_where_nobody_reads_it_or_nothing_is_owed(options: tuple[str, ...]) -> None:
    assert fstmetrics("score", *CASED, *options).err == ""


def test_no_hint_where_words_differ(tmp_path: Path) -> None:
    ref, hyp = (written(tmp_path / name, f"{name} two three four\n" * 30) for name in ("one", "five"))
    assert fstmetrics("score", ref, hyp).err == ""
    text = CASED[1].read_bytes()
    assert fstmetrics("score", CASED[0], "-", stdin=text).err == ""  # which cannot be read again


def test_a_sweep_whose_best_is_at_the_edge() -> None:
    files = (EXAMPLES / "oracle" / "ref.txt", EXAMPLES / "oracle" / "lattices")
    said = "at the edge of the lm scales that were tried (7 to 9): try more"
    assert said in fstmetrics("oracle", *files, "--lm-scale", "7:9").out
    found = fstmetrics("oracle", *files, "--lm-scale", "1:30", "--json").summary["sweep"]
    best = next(row for row in found if row["best"])
    out = fstmetrics("oracle", *files, "--lm-scale", "1:30").out
    assert ("at the edge" in out) == (best["lm_scale"] in (1, 30))
