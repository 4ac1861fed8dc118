"""`compare --on` an engine prints what it prints on this machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from command import EXAMPLES, HYTER, ORACLE, fstmetrics, written
from engine_runs import Pickling, mortal, texts

import fstmetrics as fm
from fstmetrics.batches import dispatch
from fstmetrics.batches.dispatch import statistics_runner
from fstmetrics.batches.parcels import Parcel
from fstmetrics.engine import search
from fstmetrics.significance import TESTS, block_statistics

SPEECH = [EXAMPLES / "speech" / f"{name}.trn" for name in ("ref", "old", "new")]
SIGN_TEST = [EXAMPLES / "sign-test" / f"{name}.txt" for name in ("ref", "long", "short")]
RUNS = [
    [*SPEECH, "--test", "mapsswe"],
    [*SPEECH, "--by", "speaker", "--metric", "wer,mean-wer,bleu"],
    [*SIGN_TEST, "--metric", "bleu,ter,nist,wer", "--json"],
    [ORACLE[0], f"lattices={ORACLE[1]}"],
    [SIGN_TEST[0], f"old={SIGN_TEST[1]},{SIGN_TEST[2]}", f"new={SIGN_TEST[2]},{SIGN_TEST[1]}"],
]


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "FIRST_SIZE", 7)
    monkeypatch.setattr(dispatch, "LARGEST_SIZE", 11)
    monkeypatch.setattr(block_statistics, "BATCH", 5)


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("test", TESTS)
def test_every_test_is_the_same_in_batches(test: str, tmp_path: Path) -> None:
    sides = [Path(path).read_text(encoding="utf-8").splitlines() for path in texts(tmp_path, 60)]
    references, one = ([line.split(None, 1)[1] for line in side] for side in sides)
    systems = {"one": one, "two": [*one[1:], "a b"]}
    blocks = [f"s{number % 4}" for number in range(60)] if TESTS[test].compares == "blocks" else None
    of_speech = TESTS[test].compares != "items"
    metrics = ["wer"] if of_speech else ["wer", "bleu", "chrf", "nist", "mean-wer"]

    def found(**more: Any) -> dict[str, Any]:
        return fm.compare(
            systems, references, metrics, test=test, samples=20, blocks=blocks, **more
        ).as_dict()

    assert found(run=statistics_runner(Pickling())) == found()


def test_progress_is_told_in_batches() -> None:
    told: list[tuple[str, int, int]] = []
    fm.compare(
        {"a": ["x"] * 30, "b": ["x"] * 30}, ["x y"] * 30, ["wer"], samples=10,
        run=statistics_runner(Pickling()), progress=lambda *each: told.append(each),
    )  # fmt: skip
    assert ("wer of b", 60, 60) in told


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    """Ray with two workers."""
    pytest.importorskip("ray", reason="Ray is not installed")
    from fstmetrics.batches.dispatch import engine_of

    found = engine_of("ray", 2)
    try:
        yield found
    finally:
        found.close()


@pytest.mark.usefixtures("ray", "small_batches")
def test_commands_print_the_same_on_ray(tmp_path: Path) -> None:
    wrong = written(tmp_path / "wrong", "u1 a\n")
    for run in [*RUNS, [SPEECH[0], wrong], [*HYTER[:1], "--metric", "wer"]]:
        arguments = ["compare", "--ref", *run, "--samples", "50"]
        assert fstmetrics(*arguments, "--on", "ray") == fstmetrics(*arguments, "--on", "local")


class Killing(Pickling):
    """An engine whose worker is killed once."""

    def __init__(self, engine: Any, folder: Path) -> None:
        self._engine, self._folder = engine, folder

    def map(self, work: Any, given: Iterable[Parcel]) -> Iterator[Parcel | None]:
        found: Iterator[Parcel | None] = self._engine.map(mortal(work, self._folder), given)
        return found


def test_a_worker_that_is_killed_does_not_show(
    ray: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "FIRST_SIZE", 10)
    monkeypatch.setattr(dispatch, "MOST_GROWTH", 1)
    systems, references = {"a": ["x y"] * 60, "b": ["x"] * 60}, ["x"] * 60
    run = statistics_runner(Killing(ray, tmp_path))
    found = fm.compare(systems, references, "wer", samples=20, run=run)
    assert (tmp_path / "call3").exists()
    assert found.as_dict() == fm.compare(systems, references, "wer", samples=20).as_dict()


def test_errors_name_the_place_of_an_item_in_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not that in its batch, on this machine and on engines, of texts without ids."""
    monkeypatch.setattr(dispatch, "FIRST_SIZE", 7)
    monkeypatch.setattr(block_statistics, "BATCH", 5)
    monkeypatch.setattr(block_statistics, "COLUMN_BATCH", 5)
    monkeypatch.setattr(search, "FIRST_BATCH", 6)
    monkeypatch.setattr(search, "LARGEST_BATCH", 6)
    monkeypatch.setattr(dispatch, "engine_of", lambda name, jobs: Pickling())
    lines = ["a b"] * 40
    lines[33] = "a b " * 100
    references = written(tmp_path / "ref", "\n".join(lines) + "\n")
    lines[33] = "b c a " * 100
    heard = written(tmp_path / "hyp", "\n".join(lines) + "\n")
    for command in (
        ["compare", "--ref", references, heard, references, "--metric", "grr", "--max", "cells=100"],
        ["score", references, heard, "--metric", "grr", "--max", "cells=100"],
        ["score", references, heard, "--metric", "grr", "--max", "cells=100", "--keep-going"],
    ):
        for on in ("local", "ray"):
            outcome = fstmetrics(*command, "--on", on)
            assert "item 33 (from 0): " in outcome.err, (command, on)
    shard = ["--shard", "2/3", "--output", tmp_path / "shard"]
    assert "item 34 (from 0)" not in fstmetrics(*command, *shard).err
    assert "item 33 (from 0)" in fstmetrics(*command, "--shard", "1/3", "--output", tmp_path / "shard").err
