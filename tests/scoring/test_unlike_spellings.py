"""Remarks on errors that are owed to case or to forms of Unicode alone."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from command import fstmetrics, written

WORDS = "Élan naïf the Café opens Monday in Zürich with José and Zoë"
CASE = "most substitutions are of case: {}, and {} with --lowercase"
UNICODE = "most substitutions are of forms of Unicode: {}, and 0 with --normalise-unicode nfc"


def remarks(tmp_path: Path, ref: str, hyp: str, *options: str) -> list[str]:
    paths = [written(tmp_path / name, text) for name, text in (("ref.txt", ref), ("hyp.txt", hyp))]
    found = fstmetrics("score", *paths, *options, "--json").summary
    assert isinstance(found["remarks"], list)
    return [remark for remark in found["remarks"] if remark.startswith("most substitutions")]


def test_case_alone(tmp_path: Path) -> None:
    ref = f"{WORDS}\n" * 3
    hyp = ref.upper().replace("THE", "a", 2)
    assert remarks(tmp_path, ref, hyp) == [CASE.format(36, 2)]
    assert CASE.format(36, 2) in fstmetrics("score", tmp_path / "ref.txt", tmp_path / "hyp.txt").out
    assert remarks(tmp_path, ref, hyp, "--lowercase") == []
    assert remarks(tmp_path, ref, ref) == []


def test_forms_of_unicode_alone(tmp_path: Path) -> None:
    ref = f"{WORDS}\n" * 3
    hyp = unicodedata.normalize("NFD", ref)
    assert hyp != ref
    assert remarks(tmp_path, ref, hyp) == [UNICODE.format(18)]
    assert remarks(tmp_path, ref, hyp, "--normalise-unicode", "nfc") == []


@pytest.mark.parametrize(("wrong", "said"), [(5, True), (6, False)])
def test_more_than_half_of_the_substitutions(wrong: int, said: bool, tmp_path: Path) -> None:
    ref = " ".join(["Yes"] * 12)
    hyp = " ".join(["no"] * wrong + ["yes"] * (12 - wrong))
    assert remarks(tmp_path, ref, hyp) == ([CASE.format(12, wrong)] if said else [])


def test_a_few_substitutions_are_no_ground(tmp_path: Path) -> None:
    assert remarks(tmp_path, "Yes " * 9, "yes " * 9) == []
    assert remarks(tmp_path, "Yes " * 10, "yes " * 10) == [CASE.format(10, 0)]


def test_the_first_items_are_looked_at(tmp_path: Path) -> None:
    (said,) = remarks(tmp_path, "a Yes b\n" * 501, "a yes b\n" * 501)
    assert said == CASE.format("500 in the first 500 items", 0)
