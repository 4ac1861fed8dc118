"""Runs on Ray are runs on this machine: the same bytes, also where a worker is killed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from command import fstmetrics
from engine_runs import (
    ODD_COMPARISONS,
    ODD_RUNS,
    RUNS,
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
    assert_places_scored,
    assert_scored,
    assert_wrong_answers_are_told,
    free_port,
    in_time,
    is_listening,
    other_schemas,
    rows_and_records,
    rows_of_places,
    running,
    texts,
)
from later_modules import later
from time_limits import ran

from fstmetrics.apps.distributed import ray_engine
from fstmetrics.batches import scorer
from fstmetrics.support.errors import FstmetricsError

ray_data = later("ray.data", "Ray is not installed")


@pytest.fixture(scope="module")
def engine() -> Iterator[Any]:
    """Ray with two workers."""
    from fstmetrics.apps.distributed.ray_engine import RayEngine

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
def test_openfst_judges_in_workers_as_here(tmp_path: Path) -> None:
    assert_checks_are_as_here("ray", tmp_path)


def test_workers_import_what_is_installed_and_a_wrong_answer_is_told(tmp_path: Path) -> None:
    assert_wrong_answers_are_told("ray", tmp_path)


@pytest.mark.usefixtures("engine")
def test_odd_options_do_as_here(tmp_path: Path) -> None:
    assert_odd_runs_are_as_here("ray", tmp_path, [*ODD_RUNS, *ODD_COMPARISONS])


@pytest.mark.usefixtures("engine")
def test_faults_of_files_and_of_searches_are_told_as_here(tmp_path: Path) -> None:
    assert_faults_as_here("ray", tmp_path)


@pytest.mark.usefixtures("engine")
def test_faults_in_the_middle_of_runs_are_as_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_faults_in_the_middle_are_as_here("ray", tmp_path, monkeypatch)


def test_a_worker_that_is_killed_does_not_show(engine: Any, tmp_path: Path) -> None:
    assert_killed_worker_does_not_show(engine, tmp_path)


def test_only_the_item_that_kills_its_worker_is_left_out(
    engine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ray_engine, "RETRIES", 1)  # each takes a second
    assert_deadly_item_is_named(engine, tmp_path)
    assert capsys.readouterr().out == ""  # Ray's own messages would be among the records


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system has no /proc")
def test_memory_that_a_worker_has_used_up_is_said_of_its_item(
    engine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_memory_that_does_not_suffice_is_told(engine, monkeypatch)


def test_a_run_does_not_wait_for_ever(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_no_run_waits_for_ever(engine, monkeypatch)


@pytest.mark.usefixtures("engine")
def test_workers_of_another_version_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_other_versions_are_refused("ray", tmp_path, monkeypatch)


@pytest.mark.usefixtures("engine")
def test_a_data_set_is_scored_to_parquet_and_goes_on(tmp_path: Path) -> None:
    from fstmetrics.apps.distributed.ray import score_dataset

    rows, records = rows_and_records(tmp_path)
    data = ray_data.from_items(rows, override_num_blocks=3)
    output = tmp_path / "out"
    in_time(score_dataset, data, scorer("wer", records=True), str(output))
    assert_scored(output, records)
    assert_other_results_are_refused(lambda *given, **more: score_dataset(data, *given, **more), output)
    assert_scored(output, records)
    fewer = data.filter(lambda row: row["id"] != "ann-7")
    with pytest.raises(
        FstmetricsError, match="has results of the id 'ann-7', which the rows lack; use another"
    ):
        in_time(score_dataset, fewer, scorer("wer", records=True), str(output), resume=True)
    first = sorted(output.glob("*.parquet"))[0]
    first.unlink()
    in_time(score_dataset, data, scorer("wer", records=True), str(output), resume=True)
    assert_scored(output, records)


@pytest.mark.usefixtures("engine")
def test_a_folder_is_the_callers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are in other folders; rows without an id, too, are scored once."""
    from fstmetrics.apps.distributed.ray import score_dataset

    (tmp_path / "caller").mkdir()
    monkeypatch.chdir(tmp_path / "caller")
    rows = [{"id": id, "hypothesis": "a b", "reference": "a c"} for id in ("u1", "u2", None, None)]
    data = ray_data.from_items(rows, override_num_blocks=2)
    for resume in (False, True):
        found = in_time(score_dataset, data, scorer("wer"), Path("out"), resume=resume)
        assert found.count() == 4
        assert {path.name for path in tmp_path.iterdir()} == {"caller"}
        assert_ids_and_faults(tmp_path / "caller" / "out")


@pytest.mark.usefixtures("engine")
def test_a_folder_that_workers_do_not_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one on a disk of the caller's machine; no part is said to be empty."""
    from fstmetrics.apps.distributed import ray as data_sets

    data = ray_data.from_items([{"id": "u1", "hypothesis": "a", "reference": "a"}])
    monkeypatch.setattr(data_sets, "marked", lambda output: nullcontext("a file that is not there"))
    message = f"^{tmp_path}/out: the worker on .* does not see this folder, .*; give a folder that all machines share, "
    with pytest.raises(FstmetricsError, match=message):
        in_time(data_sets.score_dataset, data, scorer("wer"), tmp_path / "out")
    monkeypatch.setattr(data_sets, "marked", lambda output: nullcontext(None))
    monkeypatch.setattr(data_sets, "_write", lambda *given: None)  # where nobody sees it
    with pytest.raises(
        FstmetricsError, match=f"^{tmp_path}/out: Ray has written results, and none are there: "
    ):
        in_time(data_sets.score_dataset, data, scorer("wer"), tmp_path / "out")
    assert not list(tmp_path.rglob("*.parquet"))


@pytest.mark.usefixtures("engine")
def test_a_table_of_places_is_scored_where_the_archive_is(tmp_path: Path) -> None:
    from fstmetrics.apps.distributed.ray import score_dataset

    rows, records = rows_of_places(tmp_path)
    data = ray_data.from_items(rows, override_num_blocks=2)
    in_time(score_dataset, data, scorer("wer", oracle=True, records=True), str(tmp_path / "out"))
    assert_places_scored(tmp_path / "out", records)


@pytest.mark.usefixtures("engine")
def test_two_schemas_in_one_data_set_are_told(tmp_path: Path) -> None:
    from fstmetrics.apps.distributed.ray import score_dataset

    sets = other_schemas(tmp_path)
    in_time(score_dataset, ray_data.read_parquet(sets["lacking"]), scorer("wer"), str(tmp_path / "out"))
    assert_lacking_columns_are_faults(tmp_path / "out")
    with pytest.raises(TypeError, match="Unable to merge: Field id has incompatible types"):  # of pyarrow
        ray_data.read_parquet(sets["numbers"]).schema()
    with pytest.raises(FstmetricsError, match="packed lattices of version 1 have other fields: arcs2"):
        score_dataset(ray_data.read_parquet(sets["later"]), scorer("wer"), str(tmp_path / "none"))
    assert not (tmp_path / "none").exists()


def test_ray_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    outcome = fstmetrics("score", *texts(tmp_path, 3), "--on", "ray")
    assert outcome.status == 2
    assert outcome.err.endswith("--on ray needs ray, which is not installed: pip install 'fstmetrics[ray]'\n")


def test_an_address_where_nothing_listens_is_named(tmp_path: Path) -> None:
    assert_nobody_listens("ray", "RAY_ADDRESS", "127.0.0.1:{}", tmp_path)
    assert_nobody_listens("ray", "RAY_ADDRESS", "ray://127.0.0.1:{}", tmp_path)


@pytest.mark.parametrize("mode", ["disabled", "token"])
def test_a_cluster_that_runs_is_found_by_its_address(mode: str, tmp_path: Path) -> None:
    port = free_port()
    command = [
        sys.executable,
        "-c",
        "from ray.scripts.scripts import main; main()",
    ]  # `ray`, for these packages
    with TemporaryDirectory(dir="/tmp") as short:  # sockets have short paths
        head = [
            *command,
            "start",
            "--head",
            "--block",
            f"--port={port}",
            f"--temp-dir={short}",
            "--num-cpus=2",
        ]
        head += ["--node-ip-address=127.0.0.1", "--include-dashboard=false", "--disable-usage-stats"]
        settings = {"RAY_AUTH_MODE": mode, "HOME": short}  # no files of tokens in the home of whoever tests
        if mode == "token":
            ran(
                [*command, "get-auth-token", "--generate"],
                capture_output=True,
                env={**os.environ, **settings},
            )
        with running(head, ready=lambda: is_listening(port), named="ray start", settings=settings):
            settings["RAY_ADDRESS"] = f"127.0.0.1:{port}"
            assert_as_here_in_processes("ray", settings, tmp_path)


@pytest.mark.usefixtures("engine")
def test_no_rows_are_an_empty_result(tmp_path: Path) -> None:
    """Of data that a filter has emptied; others are added to it later."""
    from fstmetrics.apps.distributed.ray import score_dataset

    rows, records = rows_and_records(tmp_path)
    data = ray_data.from_items(rows, override_num_blocks=2)
    scoring, output = scorer("wer", records=True), tmp_path / "out"
    for resume in (False, True):
        found = in_time(score_dataset, data.filter(lambda row: False), scoring, str(output), resume=resume)
        assert found.count() == 0
        assert "record" in found.schema().names
    in_time(score_dataset, data, scoring, str(output), resume=True)
    assert_scored(output, records)


def test_frames_of_pandas_are_refused_with_what_to_do() -> None:
    from fstmetrics.apps.distributed.ray import score_dataset

    pandas = pytest.importorskip("pandas")
    with pytest.raises(
        FstmetricsError,
        match=r"not DataFrame; of pandas give ray\.data\.from_pandas",
    ):
        score_dataset(pandas.DataFrame({"id": ["1"], "hypothesis": ["a"], "reference": ["a"]}), scorer("wer"))
