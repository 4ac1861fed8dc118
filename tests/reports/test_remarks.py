"""Remarks of one kind are one on the command line; --verbose, JSON and Python have all."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics.reports.summary import FEW, shortened
from fstmetrics.support.printable import ARE_SHORT

SYSTEMS = ("one", "two", "three", "four", "five", "six")
TOKENIZED = "they look tokenized, and are tokenized again by 13a"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with systems whose outputs look tokenized."""
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(("ref", *SYSTEMS)):
        ends = 100 + number if number else 110
        written(tmp_path / f"{name}.txt", "the cat sat .\n" * ends + "the cat\n" * (110 - ends))
    return tmp_path


CALL = ("compare", "--ref", "ref.txt", *(f"{name}.txt" for name in SYSTEMS), "--metric", "bleu")


def test_what_is_said_of_many_systems_is_said_once(here: Path) -> None:
    short, long = fstmetrics(*CALL), fstmetrics(*CALL, "--verbose")
    assert (short.status, short.out.count(TOKENIZED), long.out.count(TOKENIZED)) == (0, 1, len(SYSTEMS))
    assert (
        "  the same, with other numbers, of two, three, four and 2 more (--verbose shows each)\n" in short.out
    )
    lines = {line for line in long.out.splitlines() if TOKENIZED not in line}
    assert lines == {
        line for line in short.out.splitlines() if TOKENIZED not in line and "--verbose" not in line
    }


def test_json_and_python_have_all(here: Path) -> None:
    files = []
    for name in SYSTEMS:
        written(here / f"{name}.stm", f"{name} 1 a 0 1 the cat (uh) sat\n")
        files.append(f"{name}.stm")
    call = ("score", "*.stm", "*.stm")
    found = fm.score_files(references="*.stm", hypotheses="*.stm")
    told = fstmetrics(*call, "--json").summary["remarks"]
    assert told == list(found.remarks)
    assert told == fstmetrics(*call, "--json", "--verbose").summary["remarks"]


@pytest.mark.parametrize("command", ["score", "oracle", "hyter", "combine", "mbr", "network info", "doctor"])
def test_every_command_has_the_option(command: str) -> None:
    found = [line for line in fstmetrics(*command.split(), "--help").out.splitlines() if "--verbose" in line]
    assert len(found) == 1


def test_no_kind_is_left_out_and_few_are_as_they_are() -> None:
    before = ARE_SHORT.set(True)
    try:
        kinds = [f"{name}: what is said of {name * 3}" for name in "abcdefg"]
        assert shortened(kinds) == kinds
        assert shortened(["a: 1 x", "b: 2 x", "c: 3 x"][:FEW]) == ["a: 1 x", "b: 2 x", "c: 3 x"]
        assert shortened(["a: odd", "b: odd", "c: odd", "z"])[:2] == [
            "a: odd",
            "  the same of b, c (--verbose shows each)",
        ]
        many = [f"remark of kind {'x' * n}" for n in range(100)]
        assert shortened(many) == many
    finally:
        ARE_SHORT.reset(before)
    assert shortened(many) == many


@pytest.mark.parametrize("numbers", ["一二三", "一二三四五六七八九十"])
def test_bleu_of_texts_without_spaces_says_so(
    numbers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = [f"今天天气很好{number}。" for number in numbers]
    ref, one, two = (written(tmp_path / name, "\n".join(texts)) for name in ("ref.zh", "one.zh", "two.zh"))
    said = "bleu finds hardly a pair of words: where no spaces part words, --tokenize zh,"
    for call in (("score", ref, one, "-m", "bleu"), ("compare", "--ref", ref, one, two, "-m", "bleu")):
        assert said in fstmetrics(*call).out
        assert said not in fstmetrics(*call, "--tokenize", "zh").out
    with pytest.warns(UserWarning, match=r"^bleu finds hardly a pair of words"):
        fm.score(texts, texts, "bleu")
