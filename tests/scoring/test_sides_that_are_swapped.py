"""Remarks where names of files say that they are on the other side, and where both sides are the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import EXAMPLES, fstmetrics, written

import fstmetrics as fm

SPOKEN = "m 1 a 0 1 a cat sat\nm 1 b 2 3 on the mat\n"


def said(command: str, *given: object) -> list[str]:
    """The remarks on sides."""
    outcome = fstmetrics(command, *given)
    assert outcome.status == 0, outcome.err
    signs = ("by their names", "is on both sides", "byte for byte")
    return [line for line in (outcome.out + outcome.err).splitlines() if any(sign in line for sign in signs)]


@pytest.mark.parametrize(
    ("references", "hypotheses", "is_told"),
    [
        ("hypothesis.txt", "reference.txt", True),
        ("hyp1.trn.txt", "test-ref.en", True),
        ("preds.txt", "gold", True),
        ("reference.txt", "hypothesis.txt", False),
        ("hyp.txt", "other.txt", False),
        ("a.txt", "ref.txt", True),
        ("a.txt", "b.txt", False),
        ("ref.hyp", "reference.txt", False),
        ("hyp.txt", "ref_of_hyp.txt", False),
        ("hypertext.txt", "preference.txt", False),
        ("predicate.txt", "referee.txt", False),
    ],
)
def test_names_that_say_that_files_are_in_the_wrong_order(
    references: str, hypotheses: str, is_told: bool, tmp_path: Path
) -> None:
    ref, hyp = (
        written(tmp_path / references, "a cat sat\n"),
        written(tmp_path / hypotheses, "a cat sat down\n"),
    )
    remark = (
        f"{ref} is taken as references, and {hyp} as hypotheses; by their names it is the other way round: the "
        f"references, {hyp}, come first, or behind --ref"
    )
    assert said("score", ref, hyp) == [remark] * is_told
    assert said("score", ref, hyp, "--metric", "bleu") == [remark] * is_told
    assert said("errors", ref, hyp) == [remark] * is_told
    other = written(tmp_path / "z.txt", "a cat\n")
    assert (
        said("compare", "--ref", ref, other, hyp, "--metric", "wer", "--samples", "9") == [remark] * is_told
    )
    assert (remark in fstmetrics("score", ref, hyp, "--json").summary["remarks"]) == is_told
    ref.write_text(SPOKEN)
    hyp.write_text(SPOKEN.replace("cat", "dog"))
    stm = ("--format", "stm", "--ref-format", "stm")
    assert said("speakers", ref, hyp, *stm) == [remark] * is_told


def test_a_system_in_the_place_of_the_references(tmp_path: Path) -> None:
    """As `compare` has them: SYSTEM SYSTEM --ref REF."""
    one, two, ref, other, hyp = (
        written(tmp_path / name, "a cat sat\n")
        for name in ("mono.txt", "tri.txt", "ref.txt", "ref2.txt", "hyp.txt")
    )
    remark = (
        f"{one} is taken as references, too: if it is another system's, fstmetrics compare --ref {ref} {one} {two} "
        "scores both"
    )
    for metric in ("wer", "bleu"):
        asked = ("--metric", metric, "--json")
        assert remark in fstmetrics("score", one, two, "--ref", ref, *asked).summary["remarks"]
        for given in ((one, hyp, "--ref", ref), (ref, two, "--ref", other), (one, two, "--ref", hyp)):
            remarks = fstmetrics("score", *given, *asked).summary["remarks"]
            assert not [each for each in remarks if "if it is another system's" in each]


def test_one_file_on_both_sides(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref.txt", "a cat sat\n")
    remark = [f"{ref} is on both sides, and compared with itself"]
    other = written(tmp_path / "other.txt", "a cat sat\n")
    assert said("score", ref, ref) == remark
    assert remark[0] in said("score", other, ref, "--ref", ref)
    assert said("compare", "--ref", ref, other, ref, "--metric", "wer", "--samples", "9") == remark
    assert said("score", ref, other) == []  # a short text may be all right
    spoken = written(tmp_path / "spoken.stm", SPOKEN)
    assert said("speakers", spoken, spoken) == [f"{spoken} is on both sides, and compared with itself"]
    lattices = EXAMPLES / "oracle" / "lattices"
    assert said("oracle", EXAMPLES / "oracle" / "ref.txt", lattices) == []


def test_a_copy_of_the_references(tmp_path: Path) -> None:
    lines = "".join(f"this is the sentence of number {number} here\n" for number in range(40))
    ref, copy = written(tmp_path / "ref.txt", lines), written(tmp_path / "copy.txt", lines)
    assert said("score", ref, copy) == [f"{copy} and {ref} are the same, byte for byte"]
    assert said("score", ref, written(tmp_path / "cased.txt", lines.upper()), "--lowercase") == []
    assert said("score", ref, written(tmp_path / "short.txt", "".join(lines[:-5] + "hers\n"))) == []


def test_columns_of_one_table_are_two_sides(tmp_path: Path) -> None:
    rows = "".join(f"{number},a cat sat,a cat sat down\n" for number in range(80))
    table = written(tmp_path / "rows.csv", f"id,reference,hypothesis\n{rows}")
    assert said("score", table) == []
    assert said("score", table, table, "--fields", "ref=reference,hyp=hypothesis") == []


def test_manifests_that_are_exchanged(tmp_path: Path) -> None:
    ref = written(tmp_path / "a.json", '{"audio_filepath": "a.wav", "text": "a cat sat"}\n')
    hyp = written(tmp_path / "b.json", '{"audio_filepath": "a.wav", "pred_text": "a cat"}\n')
    refused = fstmetrics("score", hyp, ref)
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert "pred_text usually is the hypothesis (the order is REF HYP): say which column it is" in refused.err
    followed = fstmetrics("score", hyp, ref, "--fields", "ref=pred_text", "--json").summary["remarks"]
    assert any("reference pred_text, which usually is the hypothesis" in remark for remark in followed)
    right = fstmetrics("score", ref, hyp, "--json").summary
    assert right["path_length"] == 3
    assert not any("usually" in remark for remark in right["remarks"])


def test_lists_under_a_metric_of_strings(tmp_path: Path) -> None:
    ref = written(tmp_path / "r.txt", "a cat sat\n")
    lists = written(tmp_path / "n.moses", "0 ||| a cat sat ||| m=1 ||| 1\n0 ||| a cat ||| m=1 ||| 0\n")
    refused = fstmetrics("score", ref, lists, "--metric", "bleu")
    assert (refused.status, refused.out) == (2, "")
    assert f"{lists}: bleu compares strings, and not lattices or n-best lists" in refused.err
    assert fstmetrics("oracle", ref, lists, "--metric", "bleu").status == 0
    assert fstmetrics("score", ref, lists).status == 0
    with pytest.raises(fm.FstmetricsError, match="bleu compares strings, not n-best lists"):
        fm.score([fm.NBest("u", ["a cat"])], ["a cat"], "bleu")
