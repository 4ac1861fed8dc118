"""Runs on Ray are runs on this machine: the same bytes, also where a worker is killed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from command import ORACLE, fstmetrics
from engine_runs import RUNS, assert_as_here, assert_scored, dying_once, rows_and_records, texts

from fstmetrics.batches import PathScoring, scorer
from fstmetrics.cluster import batch_work
from fstmetrics.cluster.batch_work import BatchWork, worked
from fstmetrics.metrics import WER
from fstmetrics.runs.pair_blocks import Pair, PairBlock

ray = pytest.importorskip("ray", reason="Ray is not installed")
pytest.importorskip("ray.data", reason="Ray Data is not installed")


@pytest.fixture(scope="module")
def engine() -> Iterator[Any]:
    """Ray with two workers."""
    from fstmetrics.cluster.ray import RayEngine

    found = RayEngine(2)
    try:
        yield found
    finally:
        found.close()


@pytest.mark.usefixtures("engine")
def test_commands_end_as_they_do_here(tmp_path: Path) -> None:
    for run in RUNS:
        assert_as_here("ray", tmp_path, run)


@pytest.mark.usefixtures("engine")
def test_faults_of_files_and_of_searches_are_told_as_here(tmp_path: Path) -> None:
    lattices = tmp_path / "lattices"
    copytree(ORACLE[1], lattices)
    damaged, endless = sorted(lattices.iterdir())[:2]
    damaged.write_bytes(damaged.read_bytes()[:100])
    endless.write_text("0 1 a\n1 0 b\n1\n")
    run = ["oracle", ORACLE[0], str(lattices)]
    outcome = assert_as_here("ray", tmp_path, [*run, "--keep-going"])
    assert (outcome.status, len(outcome.err.splitlines())) == (1, 2)
    outcome = assert_as_here("ray", tmp_path, run)
    assert outcome.status == 2


def test_a_worker_that_is_killed_does_not_show(
    engine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_work, "FIRST_SIZE", 10)
    pairs = PairBlock.of([Pair(f"u{n}", "a b", ("a",)) for n in range(60)])
    work = BatchWork(PathScoring(WER(), signature="mine"), records=True)
    expected = [line for line, _ in BatchWork._worked(work, pairs)[3]]
    mortal: Any = dying_once(work, tmp_path)
    mortal.keep_going = False
    found = [line for some in worked([pairs], mortal, engine) for line, _ in some.items]
    assert found == expected
    assert (tmp_path / "call3").exists()


@pytest.mark.usefixtures("engine")
def test_a_data_set_is_scored_to_parquet_and_goes_on(tmp_path: Path) -> None:
    from fstmetrics.cluster.ray import score_dataset

    rows, records = rows_and_records(tmp_path)
    data = ray.data.from_items(rows, override_num_blocks=3)
    output = tmp_path / "out"
    score_dataset(data, scorer("wer", records=True), str(output))
    assert_scored(output, records)
    first = sorted(output.glob("*.parquet"))[0]
    first.unlink()
    score_dataset(data, scorer("wer", records=True), str(output), resume=True)
    assert_scored(output, records)


def test_ray_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "ray", None)
    outcome = fstmetrics("score", *texts(tmp_path, 3), "--on", "ray")
    assert outcome.status == 2
    assert outcome.err.endswith("--on ray needs ray, which is not installed: pip install 'fstmetrics[ray]'\n")
