"""Runs on Spark are runs on this machine: the same bytes, also where a worker is killed."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import ORACLE, fstmetrics
from engine_runs import assert_as_here, assert_scored, dying_once, rows_and_records, texts

from fstmetrics.batches import PathScoring, scorer
from fstmetrics.cluster import batch_work
from fstmetrics.cluster.batch_work import BatchWork, worked
from fstmetrics.metrics import WER
from fstmetrics.runs.pair_blocks import Pair, PairBlock

pytest.importorskip("pyspark", reason="PySpark is not installed")
pytestmark = pytest.mark.skipif(shutil.which("java") is None, reason="Java is not installed")


@pytest.fixture(scope="module")
def engine() -> Iterator[Any]:
    """Spark with two workers."""
    from fstmetrics.cluster.spark import SparkEngine

    found = SparkEngine(2)
    try:
        yield found
    finally:
        found.close()


@pytest.mark.usefixtures("engine")
def test_commands_end_as_they_do_here(tmp_path: Path) -> None:
    for run in (("score",), ("oracle", *ORACLE, "--json")):
        assert_as_here("spark", tmp_path, run)


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


def test_a_frame_is_scored_to_parquet_and_goes_on(engine: Any, tmp_path: Path) -> None:
    from fstmetrics.cluster.spark import score_frame

    rows, records = rows_and_records(tmp_path)
    frame = engine.session.createDataFrame(
        rows, "id string, hypothesis string, reference string"
    ).repartition(3)
    engine.session.conf.set("spark.sql.shuffle.partitions", "2")
    output = tmp_path / "out"
    score_frame(frame.where("id <> 'ann-7'"), scorer("wer", records=True), str(output))
    score_frame(frame, scorer("wer", records=True), str(output), resume=True)
    assert_scored(output, records)


def test_spark_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.delitem(sys.modules, "pyspark.sql", raising=False)
    outcome = fstmetrics("score", *texts(tmp_path, 3), "--on", "spark")
    assert outcome.status == 2
    assert outcome.err.endswith(
        "--on spark needs pyspark, which is not installed: pip install 'fstmetrics[spark]'\n"
    )
