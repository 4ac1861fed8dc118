"""Errors by script under the unit mixed: the parts are those of the whole."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics import Normalisation
from fstmetrics.engine.word_classes import script_totals

COUNTS = ("edits", "matches", "substitutions", "insertions", "deletions")


def test_scripts_add_up_to_the_whole_and_each_is_counted_by_its_words() -> None:
    draw = random.Random(8)
    words = ["我", "买", "手机", "iPhone", "phone", "です", "カメラ", "42", "서울", "，"]
    mixed = Normalisation(unit="mixed")
    for _ in range(200):
        hypothesis, reference = (" ".join(draw.choices(words, k=draw.randrange(8))) for _ in range(2))
        result = fm.align(hypothesis, reference, normalisation=mixed)
        found = script_totals(result.alignment)
        for name in (*COUNTS, "path_length"):
            assert sum(getattr(each, name) for each in found.values()) == getattr(result.totals, name)
        units = mixed.words(reference)
        expected = {
            "Han": sum(len(unit) == 1 and "一" <= unit <= "鿿" for unit in units),
            "Latin": sum(unit.isascii() and unit.isalpha() for unit in units),
            "Kana": sum(unit in ("です", "カメラ") for unit in units),
            "Hangul": units.count("서울"),
            "other": units.count("42") + units.count("，"),
        }
        assert {name: each.path_length for name, each in found.items() if each.path_length} == {
            name: n for name, n in expected.items() if n
        }


@pytest.mark.parametrize("options", [["--unit", "mixed"], ["--profile", "mixed"]])
def test_score_shows_scripts(tmp_path: Path, options: list[str]) -> None:
    ref, hyp = (
        written(tmp_path / "ref", "我要买iPhone\n你好\n"),
        written(tmp_path / "hyp", "我要卖phone\n你\n"),
    )
    shown = fstmetrics("score", ref, hyp, *options).out
    assert "Han    0.4000      2    1    0    1      3          5\n" in shown
    assert "Latin  1.0000      1    1    0    0      0          1\n" in shown
    whole = json.loads(fstmetrics("score", ref, hyp, *options, "--json").out)
    assert {name: each["score"] for name, each in whole["scripts"].items()} == {"Han": 0.4, "Latin": 1.0}
    for name in COUNTS:
        assert sum(each[name] for each in whole["scripts"].values()) == whole[name]
    parts = [str(tmp_path / f"part{shard}") for shard in (1, 2)]
    for shard, part in enumerate(parts, 1):
        assert fstmetrics("score", ref, hyp, *options, "--shard", f"{shard}/2", "--output", part).status == 0
    merged = json.loads(fstmetrics("merge", *parts, "--output", tmp_path / "all", "--json").out)
    assert merged["scripts"] == whole["scripts"]
    assert "scripts" not in json.loads(fstmetrics("score", ref, hyp, "--json").out)


def test_words_that_no_script_is_asked_for_are_as_before(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "我 要\n")
    assert "Han" not in fstmetrics("score", ref, ref).out
    assert "Han" not in fstmetrics("score", ref, ref, "--unit", "mixed", "--metric", "bleu").out
