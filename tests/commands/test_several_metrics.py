"""Several metrics a call: the numbers are those of each alone, whatever names ask for them; `cer` among them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import EXAMPLES, HYTER, ORACLE, called, fstmetrics, written

import fstmetrics as fm

SPEECH = EXAMPLES / "speech"
RECOGNISED = (SPEECH / "ref.trn", SPEECH / "old.trn")
NAMES = {
    "BLEU": "bleu", "chrF2": "chrf", "chrF++": "chrf++", "chrF2++": "chrf++", "TER": "ter", "WER": "wer",
    "CER": "cer", "Sentence-BLEU": "sentence-bleu", "HyTER": "hyter", "MER": "mer",
}  # fmt: skip


def alone(command: str, paths: Any, metric: str, *options: object) -> dict[str, Any]:
    """The summary of one metric by a command of its own."""
    as_words = ("wer", "--unit", "char") if metric == "cer" else (metric,)
    return fstmetrics(command, *paths, "--metric", *as_words, "--json", *options).summary


@pytest.mark.parametrize("given", NAMES)
def test_names_have_no_case_and_are_those_of_others(given: str) -> None:
    found = fstmetrics("score", *RECOGNISED, "--metric", given, "--json").summary
    assert found == alone("score", RECOGNISED, NAMES[given])
    one, two = (fm.score(["a b c d", "e"], ["a b d", "e"], name) for name in (given, NAMES[given]))
    assert (one.score, one.signature) == (two.score, two.signature)


@pytest.mark.parametrize(
    ("command", "paths", "metrics", "options"),
    [
        ("score", RECOGNISED, ["wer", "cer", "bleu", "chrf++", "ter"], ()),
        ("score", RECOGNISED, ["cer", "wer"], ("--lowercase",)),
        ("score", RECOGNISED, ["bleu", "mer"], ("--by", "speaker")),
        ("score", RECOGNISED, ["grr", "chrf", "hyter"], ("--order", 2, "--chrf-beta", 3, "--window", 2)),
        ("oracle", ORACLE, ["wer", "grr", "cer"], ("--beam", "4,8")),
        ("hyter", HYTER, ["hyter", "wer", "cer"], ("--window", 3)),
    ],
)
def test_each_is_what_it_is_alone(
    command: str, paths: Any, metrics: list[str], options: tuple[object, ...]
) -> None:
    own = {"--order": "grr", "--chrf-beta": "chrf", "--window": "hyter"}
    found = fstmetrics(command, *paths, "--metric", ",".join(metrics), "--json", *options).summary
    for metric, summary in zip(metrics, found["metrics"], strict=True):
        kept = [
            part
            for name, value in zip(options[::2], options[1::2], strict=False)
            if own.get(str(name), metric) == metric
            for part in (name, value)
        ]
        kept += options if len(options) == 1 else []
        assert summary == alone(command, paths, metric, *kept)
        assert found["scores"][summary["metric"]] == summary["score"]
    assert found["items"] == found["metrics"][0]["items"]


def test_the_table_has_a_row_each(tmp_path: Path) -> None:
    reference = written(tmp_path / "r", "the cat sat on the mat\n")
    hypothesis = written(tmp_path / "h", "the cat sat on a mat\n")
    shown = fstmetrics("score", reference, hypothesis, "--metric", "BLEU,wer,cer").out.splitlines()
    assert [line.split() for line in shown[:4]] == [
        ["score", "mean", "edits", "sub", "ins", "del", "match", "ref", "length"],
        ["bleu", "53.73", "53.73"],
        ["wer", "0.1667", "0.1667", "1", "1", "0", "0", "5", "6"],
        ["cer", "0.1364", "0.1364", "3", "1", "0", "2", "19", "22"],
    ]
    assert shown[6].startswith("bleu: precisions")
    assert sum(line.startswith("fstmetrics|metric:") for line in shown) == 3
    assert sum("paired by order" in line for line in shown) == 1


def test_a_character_error_rate_beside_others_in_comparisons() -> None:
    systems = [SPEECH / name for name in ("old.trn", "new.trn")]
    found, one = (
        fstmetrics("compare", "--ref", RECOGNISED[0], *systems, "--json", *options).summary
        for options in (("--metric", "wer,CER"), ("--metric", "wer", "--unit", "char"))
    )
    for name in ("old", "new"):
        assert found["systems"][name]["cer"] == one["systems"][name]["cer"]
    assert (
        fstmetrics(
            "compare", "--ref", RECOGNISED[0], *systems, "--metric", "wer,cer", "--unit", "char"
        ).status
        == 2
    )


def test_calls_of_python(tmp_path: Path) -> None:
    found = called(fm.score_files, *RECOGNISED, metric=["cer", fm.WER(), "BLEU"])
    assert list(found) == ["cer", "wer", "bleu"]
    assert found["wer"].score == called(fm.score_files, *RECOGNISED).score
    assert found["cer"].summary() == called(fm.score_files, *RECOGNISED, unit="char").summary()
    assert found.status == 0
    expected = fstmetrics("score", *RECOGNISED, "--metric", "cer,wer,bleu", "--json").summary
    assert json.loads(json.dumps(found.summary())) == expected
    text = ("the cat sat on the mat", "the cat sat on a mat")
    assert (
        fm.cer(*text) == fm.align(*text, "cer").score == fm.score([text[0]], [text[1]], "cer").score == 3 / 20
    )
    lattice = fm.Lattice.from_strings(["a cat", "a bat"])
    as_characters = fm.oracle(lattice, "the cart", normalisation=fm.Normalisation(unit="char"))
    assert fm.oracle(lattice, "the cart", "cer").score == as_characters.score


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter"])
@pytest.mark.parametrize(
    ("hypothesis", "references"),
    [
        ("the cat sat on the mat", ["the cat sat on a mat"]),
        ("The cat , sat .", ["The cat, sat!", "A cat sat."]),
        ("a", ["b"]), ("a b", ["a b"]), ("", ["a"]), ("d c b a", ["a b c d"]),
    ],
)  # fmt: skip
def test_scores_of_a_sentence_are_those_of_sacrebleu(
    name: str, hypothesis: str, references: list[str]
) -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    expected = getattr(sacrebleu, f"sentence_{name}")(hypothesis, references).score
    assert getattr(fm, name)(hypothesis, references) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--metric", "wer,cer", "--output", "out"],
            "--output is of one metric, and these are several: wer,cer",
        ),
        (["--metric", "wer,mer", "--alignment"], "--alignment is of one metric"),
        (["--metric", "wer,mer", "--nbest", "2"], "--nbest is of one metric"),
        (["--metric", "wer,sclite", "--report", "sys"], "--report is of one metric"),
        (["--metric", "wer,cer", "--unit", "char"], "two of the metrics are called cer"),
        (["--metric", "wer,bluu"], "did you mean bleu?"),
        (["--metric", "wer,mean-wer"], "the mean of the item scores is always printed"),
        (["--metric", "wer,"], "unknown metric ''"),
        (["--metric", "cer,wer", "--order", "3"], "--order is for the metric grr, not for cer, wer"),
        (["--metric", "char-grr"], "ask for grr with --unit char"),
        (["--metric", "cer", "--unit", "mixed"], "the unit mixed does not fit cer: characters are compared"),
    ],
)
def test_what_is_of_one_metric_is_refused(options: list[str], message: str, tmp_path: Path) -> None:
    text = written(tmp_path / "t", "a b\n")
    outcome = fstmetrics("score", text, text, *options)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
    assert not Path("out").exists()


@pytest.mark.parametrize("options", [["--unit", "char-no-space"], ["--profile", "chinese-cer"]])
def test_characters_without_spaces_are_characters(options: list[str], tmp_path: Path) -> None:
    one, two = (
        written(tmp_path / "1", "今天 天气\nab c\nhello x\n"),
        written(tmp_path / "2", "今天天气\nab c\nhelo y\n"),
    )
    expected = fstmetrics("score", one, two, "--json", *options).summary
    assert (expected["score"], expected["metric"]) == (2 / 13, "cer")
    assert fstmetrics("score", one, two, "--metric", "cer", "--json", *options).summary == expected
    compared = fstmetrics("compare", "--ref", one, two, "--metric", "cer", "--json", *options).summary
    assert compared["systems"]["2"]["cer"]["score"] == 2 / 13
    without = fm.Normalisation(unit="char-no-space")
    assert fm.score(["a b"], ["ab"], "cer", normalisation=without).score == 0
    assert fm.align("a b", "ab", "cer", normalisation=without).score == 0


def test_what_is_left_out_of_means_is_said_of_several(tmp_path: Path) -> None:
    one, two = written(tmp_path / "1", "\na b\n"), written(tmp_path / "2", "x\na b\n")
    shown = fstmetrics("score", one, two, "--metric", "wer,cer").out
    said = "1 item has an empty reference and a hypothesis that is not: counted in the sums, not in the mean"
    assert [f"{name}: {said}" in shown for name in ("wer", "cer")] == [True, True]
    assert said in fstmetrics("score", one, two).out
    assert said in fstmetrics("hyter", one, two, "--window", 2).out

    only = fstmetrics("score", one, two, "--metric", "case").out
    assert ("no score of their own" in only, "empty reference" in only) == (True, False)


def test_what_finds_no_characters_by_itself_refuses_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {"lists": "0 ||| a ||| f= 1 ||| 1\n0 ||| b ||| f= 0 ||| 1\n", "ref": "a\n", "start": "f 1\n"}
    for name, text in files.items():
        written(tmp_path / name, text)
    outcome = fstmetrics("tune", "--ref", "ref", "--weights", "start", "lists", "--metric", "cer")
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "ask for wer with --unit char" in outcome.err


def test_expected_losses_under_cer_are_of_characters(tmp_path: Path) -> None:
    texts = ["dd", "dd c c a", "b dd a"]
    found = fm.mbr(texts, "cer", nbest=3)
    assert found.best == fm.mbr(texts, "wer", nbest=3, normalisation=fm.Normalisation(unit="char")).best
    assert found.words == ("b", "dd", "a")
    lists = written(tmp_path / "lists", "".join(f"0 ||| {text} ||| ||| 0\n" for text in texts))
    asked = fstmetrics("mbr", lists, "--metric", "cer")
    assert (asked.status, asked.out) == (0, "b dd a\n")
    by_unit = fstmetrics("mbr", lists, "--unit", "char")
    assert (asked.out, asked.err) == (by_unit.out, by_unit.err)
    refused = fstmetrics("mbr", lists, "--metric", "cer", "--unit", "mixed")
    assert (refused.status, "the unit mixed does not fit cer" in refused.err) == (2, True)
    several = fstmetrics("mbr", lists, "--metric", "wer,cer")
    assert (several.status, "expected one metric, not several: 'wer,cer'" in several.err) == (2, True)
