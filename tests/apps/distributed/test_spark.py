"""Runs on Spark are runs on this machine: the same bytes, also where a worker is killed."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import ORACLE, fstmetrics
from engine_runs import (
    ODD_COMPARISONS,
    ODD_RUNS,
    assert_as_here,
    assert_as_here_in_processes,
    assert_checks_are_as_here,
    assert_deadly_item_is_named,
    assert_faults_as_here,
    assert_faults_in_the_middle_are_as_here,
    assert_ids_and_faults,
    assert_killed_worker_does_not_show,
    assert_lacking_columns_are_faults,
    assert_memory_that_does_not_suffice_is_told,
    assert_no_run_waits_for_ever,
    assert_nobody_listens,
    assert_odd_runs_are_as_here,
    assert_other_results_are_refused,
    assert_other_versions_are_refused,
    assert_scored,
    assert_wrong_answers_are_told,
    free_port,
    in_time,
    is_listening,
    merge_of,
    other_schemas,
    rows_and_records,
    running,
    texts,
)
from time_limits import ran

from fstmetrics.batches import merge, scorer
from fstmetrics.support.errors import FstmetricsError

pyspark = pytest.importorskip("pyspark", reason="PySpark is not installed")
pytestmark = pytest.mark.skipif(shutil.which("java") is None, reason="Java is not installed")


@pytest.fixture(scope="module")
def engine() -> Iterator[Any]:
    """Spark with two workers."""
    from fstmetrics.apps.distributed.spark_engine import SparkEngine

    found = SparkEngine(2)
    try:
        yield found
    finally:
        found.close()


@pytest.mark.usefixtures("engine")
def test_commands_end_as_they_do_here(tmp_path: Path) -> None:
    for run in (("score",), ("oracle", *ORACLE, "--json")):
        assert_as_here("spark", tmp_path, run)


@pytest.mark.usefixtures("engine")
def test_openfst_judges_in_workers_as_here(tmp_path: Path) -> None:
    assert_checks_are_as_here("spark", tmp_path)


def test_workers_import_what_is_installed_and_a_wrong_answer_is_told(tmp_path: Path) -> None:
    assert_wrong_answers_are_told("spark", tmp_path)


@pytest.mark.usefixtures("engine")
def test_odd_options_do_as_here(tmp_path: Path) -> None:
    assert_odd_runs_are_as_here("spark", tmp_path, [*ODD_RUNS[::5], *ODD_COMPARISONS[:1]])


@pytest.mark.usefixtures("engine")
def test_faults_of_files_and_of_searches_are_told_as_here(tmp_path: Path) -> None:
    assert_faults_as_here("spark", tmp_path)


@pytest.mark.usefixtures("engine")
def test_faults_in_the_middle_of_runs_are_as_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_faults_in_the_middle_are_as_here("spark", tmp_path, monkeypatch)


def test_a_worker_that_is_killed_does_not_show(engine: Any, tmp_path: Path) -> None:
    assert_killed_worker_does_not_show(engine, tmp_path)


def test_only_the_item_that_kills_its_worker_is_left_out(engine: Any, tmp_path: Path) -> None:
    assert_deadly_item_is_named(engine, tmp_path)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system has no /proc")
def test_memory_that_a_worker_has_used_up_is_said_of_its_item(
    engine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_memory_that_does_not_suffice_is_told(engine, monkeypatch)


def test_a_run_does_not_wait_for_ever(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_no_run_waits_for_ever(engine, monkeypatch)


@pytest.mark.usefixtures("engine")
def test_workers_of_another_version_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_other_versions_are_refused("spark", tmp_path, monkeypatch)


def test_a_frame_is_scored_to_parquet_and_goes_on(engine: Any, tmp_path: Path) -> None:
    from fstmetrics.apps.distributed.spark import score_frame

    rows, records = rows_and_records(tmp_path)
    frame = engine.session.createDataFrame(
        rows, "id string, hypothesis string, reference string"
    ).repartition(3)
    engine.session.conf.set("spark.sql.shuffle.partitions", "2")
    output = tmp_path / "out"
    in_time(score_frame, frame.where("id <> 'ann-7'"), scorer("wer", records=True), str(output))
    assert_other_results_are_refused(lambda *given, **more: score_frame(frame, *given, **more), output)
    results = in_time(score_frame, frame, scorer("wer", records=True), str(output), resume=True)
    assert_scored(output, records)
    assert merge([results.toArrow()]).corpus("wer").score == merge_of(output).corpus("wer").score
    fewer = frame.where("id <> 'ann-7'")
    with pytest.raises(
        FstmetricsError, match="has results of the id 'ann-7', which the rows lack; use another"
    ):
        in_time(score_frame, fewer, scorer("wer", records=True), str(output), resume=True)
    assert_scored(output, records)


def test_a_folder_is_the_callers(engine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark's processes are in other folders; rows without an id, too, are scored once."""
    from fstmetrics.apps.distributed.spark import score_frame

    (tmp_path / "caller").mkdir()
    monkeypatch.chdir(tmp_path / "caller")
    rows = [(id, "a b", "a c") for id in ("u1", "u2", None, None)]
    frame = engine.session.createDataFrame(rows, "id string, hypothesis string, reference string")
    for resume in (False, True):
        found = score_frame(frame, scorer("wer"), Path("out"), resume=resume)
        assert found.count() == 4
        assert {path.name for path in tmp_path.iterdir()} == {"caller"}
        assert_ids_and_faults(tmp_path / "caller" / "out")


def test_two_schemas_in_one_frame_are_told(engine: Any, tmp_path: Path) -> None:
    """By one line, where Spark itself finds out, and where a worker does."""
    from fstmetrics.apps.distributed.spark import score_frame

    def scored(name: str) -> None:
        frame = engine.session.read.parquet(sets[name])
        in_time(score_frame, frame, scorer("wer"), str(tmp_path / f"{name}-out"))

    sets = other_schemas(tmp_path)
    scored("lacking")
    assert_lacking_columns_are_faults(tmp_path / "lacking-out")
    with pytest.raises(
        FstmetricsError, match=r"^Spark has failed: [^\n]*1\.parquet[^\n]*column \[id\][^\n]*$"
    ):
        scored("numbers")
    with pytest.raises(FstmetricsError, match=r"^packed lattices: a value of arcs is null, and none may be$"):
        scored("later")
    for name in ("numbers", "later"):
        assert not list((tmp_path / f"{name}-out").rglob("*.parquet"))


def test_spark_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.delitem(sys.modules, "pyspark.sql", raising=False)
    outcome = fstmetrics("score", *texts(tmp_path, 3), "--on", "spark")
    assert outcome.status == 2
    assert outcome.err.endswith(
        "--on spark needs pyspark, which is not installed: pip install 'fstmetrics[spark]'\n"
    )


def test_a_master_where_nothing_listens_is_named(tmp_path: Path) -> None:
    assert_nobody_listens(
        "spark", "PYSPARK_SUBMIT_ARGS", "--master spark://127.0.0.1:{} pyspark-shell", tmp_path
    )


def test_a_spark_without_java_is_one_line(tmp_path: Path) -> None:
    settings = {**os.environ, "JAVA_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "fstmetrics", "score", *texts(tmp_path, 3), "--on", "spark"]
    ended = ran(command, capture_output=True, text=True, env=settings)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.splitlines()[-1].startswith("fstmetrics: Spark does not start: ")
    assert ended.stderr.endswith("; it needs Java 17 or later\n")
    assert "Traceback" not in ended.stderr


def test_a_standalone_cluster_is_found_by_its_master(tmp_path: Path) -> None:
    """With two executors, which are processes of their own, of one CPU each."""
    port, pages = free_port(), [free_port(), free_port()]
    folder = Path(pyspark.__file__).parent
    start = [str(folder / "bin" / "spark-class"), "org.apache.spark.deploy"]
    address = ["--host", "127.0.0.1", "--port", str(port), "--webui-port", str(pages[0])]
    limits = ["--cores", "2", "--memory", "1g", "--webui-port", str(pages[1]), "--work-dir", str(tmp_path)]
    commands = (
        [start[0], f"{start[1]}.master.Master", *address],
        [start[0], f"{start[1]}.worker.Worker", *limits, f"spark://127.0.0.1:{port}"],
    )
    # Java starts faster where it compiles less.
    settings = {
        "SPARK_HOME": str(folder),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1",
    }
    options = "--conf spark.ui.enabled=false --conf spark.executor.memory=512m --conf spark.executor.cores=1"
    submitted = {
        **settings,
        "PYSPARK_SUBMIT_ARGS": f"--master spark://127.0.0.1:{port} {options} pyspark-shell",
        "PYSPARK_PYTHON": sys.executable,
    }
    with running(*commands, ready=lambda: is_listening(port), named="Spark's master", settings=settings):
        assert_as_here_in_processes("spark", submitted, tmp_path)


def test_frames_of_pandas_are_refused_with_what_to_do() -> None:
    from fstmetrics.apps.distributed.spark import score_frame

    pandas = pytest.importorskip("pandas")
    with pytest.raises(
        FstmetricsError,
        match=r"not pandas DataFrame; of pandas give spark\.create",
    ):
        score_frame(pandas.DataFrame({"id": ["1"], "hypothesis": ["a"], "reference": ["a"]}), scorer("wer"))
