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
    said, advice = (
        "no spaces part the words of most texts, as of '今天天气很好一。'",
        ": --tokenize zh, ja-mecab,",
    )
    for call in (("score", ref, one, "-m", "bleu"), ("compare", "--ref", ref, one, two, "-m", "bleu")):
        assert advice in fstmetrics(*call).out.partition(said)[2]
        assert said not in fstmetrics(*call, "--tokenize", "zh").out
    with pytest.warns(UserWarning, match=r"^no spaces .*: normalisation=Normalisation[(]tokenize='zh'[)]"):
        fm.score(texts, texts, "bleu")
    with pytest.warns(UserWarning, match=r"or TER[(]normalized=True, asian_support=True[)]$"):
        fm.score(texts, texts, "ter")


# Texts, options, and what is advised; "" where nothing is said. Of shards it is said where they are merged.
UNSPACED, PARTED = ["今天天气很好一。", "我喜欢猫", "สวัสดีครับ"], ["今天 天气 很 好", "我 喜欢 猫", "你 好"]
PHRASES = ["good morning", "thank you", "turn left", "yes please", "stop"]
TOKENIZERS = "--tokenize zh, ja-mecab, ko-mecab or char"
SAID_OF_TEXTS = [
    *((UNSPACED, f"-m {name}", TOKENIZERS) for name in ("bleu-sbp", "sentence-bleu", "nist", "gtm", "terp")),
    (UNSPACED, "-m bleu --tokenize intl", TOKENIZERS),
    (UNSPACED, "-m bleu --tokenize none", TOKENIZERS),
    (UNSPACED, "-m ter", f"{TOKENIZERS}, or --ter-normalized --ter-asian-support"),
    (UNSPACED, "-m ter --ter-normalized --ter-asian-support", ""),
    (UNSPACED, "-m ter --tokenize char", ""),
    (UNSPACED, "-m bleu --tokenize char", ""),
    (UNSPACED, "-m bleu --unit char-no-space", ""),
    *((UNSPACED, f"-m {name}", "") for name in ("chrf", "chrf++", "cer", "per")),
    *((texts, f"-m {name}", "") for texts in (PARTED, PHRASES, PHRASES[-1:] * 5) for name in ("bleu", "ter")),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "options", "advice"), SAID_OF_TEXTS)
def test_what_is_said_of_spaces_fits_the_metric(
    texts: list[str], options: str, advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ref, hyp = written(tmp_path / "ref", "\n".join(texts)), written(tmp_path / "hyp", "\n".join(texts))
    found = fstmetrics("score", ref, hyp, *options.split(), "--format", "plain", "--json").summary["remarks"]
    told = [remark for remark in found if "no spaces part" in remark]
    assert [remark.rpartition(" counts as one word: ")[2] for remark in told] == [advice] * bool(advice)


def test_of_shards_it_is_said_when_they_are_merged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "ref", "\n".join(f"{n}\t{text}" for n, text in enumerate(UNSPACED * 2)))
    for n in (1, 2):
        fstmetrics("score", "ref", "ref", "-m", "bleu", "--shard", f"{n}/2", "--output", f"{n}.jsonl")
    assert "no spaces part the words" in fstmetrics("merge", "1.jsonl", "2.jsonl", "-o", "all.jsonl").out
