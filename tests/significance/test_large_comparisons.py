"""Statistics on disk, sums in blocks and texts in their files give the comparison of those in memory, bit for bit."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from command import fstmetrics
from texts_in_files import leave_in_files

import fstmetrics as fm
from fstmetrics.engine import item_tables, resampling
from fstmetrics.engine.item_tables import ItemTable
from fstmetrics.engine.resampling import Resampling, bootstrap_sums, chosen_sums
from fstmetrics.significance import TESTS

WORDS = ["the", "a", "cat", "dog", "sat", "on", "mat", "moon", "barked", "late"]
ITEMS = 70


def texts(seed: int, wrong: float) -> list[str]:
    """References where nothing is wrong, else outputs with substitutions and deletions."""
    rng, noise = random.Random(5), random.Random(seed)
    lines = [rng.choices(WORDS, k=rng.randint(3, 9)) for _ in range(ITEMS)]
    return [
        " ".join(
            noise.choice(WORDS) if noise.random() < wrong else w for w in line if noise.random() >= wrong / 3
        )
        for line in lines
    ]


REFERENCES = texts(0, 0)
SYSTEMS = {"old": texts(1, 0.3), "new": texts(2, 0.2), "other": texts(3, 0.25)}
SPEAKERS = [f"s{number % 9}" for number in range(ITEMS)]


def in_small_parts(patch: pytest.MonkeyPatch) -> None:
    """All statistics on disk, a few rows and weights at a time."""
    patch.setattr(item_tables, "SHARE", 1 << 62)
    patch.setattr(item_tables, "PART", 13)
    for name, number in {"BLOCK": 2 * ITEMS, "TOGETHER": 1, "FEW_ITEMS": 4, "TILE_ITEMS": 4, "TILE_COLUMNS": 2,
                         "TILE_SAMPLES": 1, "CELLS": 1}.items():  # fmt: skip
        patch.setattr(resampling, name, number)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("runs", [False, True], ids=["one run", "two runs"])
def test_every_test_finds_the_same_on_disk(test: str, runs: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if runs and TESTS[test].compares == "segments":
        pytest.skip("MAPSSWE is of one run")
    of_words = TESTS[test].compares in ("segments", "sentences")
    metrics = ["wer"] if of_words else ["wer", "bleu", "bleu-sbp", "ter"]
    systems = {n: fm.Runs([s, SYSTEMS["other"]]) if runs and not of_words else s for n, s in SYSTEMS.items()}
    blocks = SPEAKERS if TESTS[test].compares == "blocks" else None

    def found() -> dict[str, object]:
        by = {} if runs else {"fields": {"speaker": SPEAKERS}, "by": "speaker"}
        comparison = fm.compare(
            systems, REFERENCES, metrics, test=test, samples=50, pairs="all", blocks=blocks, **by
        )
        assert comparison.statistics["old"]["wer"].table.is_filed == on_disk
        return comparison.as_dict()

    on_disk = False
    in_memory = found()
    in_small_parts(monkeypatch)
    on_disk = True
    assert json.dumps(found()) == json.dumps(in_memory)


def test_means_of_item_scores_are_the_same_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def found() -> str:
        return json.dumps(
            fm.compare(SYSTEMS, REFERENCES, ["mean-wer", "sentence-bleu"], samples=50).as_dict()
        )

    in_memory = found()
    monkeypatch.setattr(item_tables, "SHARE", 1 << 62)
    monkeypatch.setattr(item_tables, "PART", 13)
    assert found() == in_memory


@pytest.mark.parametrize("sums", [bootstrap_sums, chosen_sums])
def test_sums_of_whole_numbers_are_exact_in_any_parts(sums, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    """In one product, in tiles of single precision, and where single precision is not enough."""
    rng = np.random.default_rng(1)
    kinds = [np.uint8, np.int16, np.int32]
    tables = [ItemTable(rng.integers(0, np.iinfo(kind).max, (300, 3)).astype(kind)) for kind in kinds]
    whole = sums(tables, Resampling(30))
    monkeypatch.setattr(resampling, "FEW_ITEMS", 64)
    for tile in (8, 64):
        for columns in (2, 32):
            monkeypatch.setattr(resampling, "TILE_ITEMS", tile)
            monkeypatch.setattr(resampling, "TILE_COLUMNS", columns)
            monkeypatch.setattr(resampling, "CELLS", 1000)
            for one, other in zip(whole, sums(tables, Resampling(30)), strict=True):
                assert np.array_equal(one, other)


@pytest.mark.parametrize("form", ["{text}", "u{number} {text}", "{text} (s{number}-u{number})"])
@pytest.mark.parametrize("metric", ["wer", "bleu,chrf", "sclite,wrr,nist"])
def test_texts_in_their_files_give_the_same(
    form: str, metric: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = []
    for name, lines in {"ref": REFERENCES, **SYSTEMS}.items():
        paths.append(tmp_path / name)
        written = (form.format(text=text, number=number) for number, text in enumerate(lines, 100))
        paths[-1].write_text("".join(line + "\n" for line in written), encoding="utf-8")

    def found() -> tuple[str, str]:
        outcome = fstmetrics("compare", "--ref", *paths, "--metric", metric, "--samples", 50, "--json")
        assert outcome.status == 0, outcome.err
        return outcome.out, outcome.err

    at_once = found()
    leave_in_files(monkeypatch)
    in_small_parts(monkeypatch)
    assert found() == at_once
