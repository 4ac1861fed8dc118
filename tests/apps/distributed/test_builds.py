"""Builds of fstmetrics: a worker of another one scores nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import fstmetrics
from fstmetrics.apps.distributed.engine_faults import check_build, worker_build
from fstmetrics.batches.builds import Build, differs, own_build
from fstmetrics.batches.dispatch import BatchWork
from fstmetrics.batches.parcels import carried, together, unpacked
from fstmetrics.metrics.wer import WER
from fstmetrics.scoring.pair_blocks import Pair, PairBlock
from fstmetrics.scoring.path_scoring import PathScoring
from fstmetrics.scoring.work import Work
from fstmetrics.support.errors import FstmetricsError

HERE = Build("0.1.0", 1, 2, "Linux x86_64")


@pytest.mark.parametrize(
    ("workers", "message"),
    [
        (HERE, ""),
        (
            HERE._replace(version="0.2.0"),
            "workers have fstmetrics 0.2.0, this machine has 0.1.0; install the same",
        ),
        (
            HERE._replace(modules=5),
            "workers have fstmetrics 0.1.0 of another commit (its modules differ); install the",
        ),
        (
            HERE._replace(native=5),
            "workers have another build of fstmetrics 0.1.0 (the compiled module differs); ",
        ),
        (HERE._replace(native=5, machine="Linux aarch64"), ""),  # cannot be compared
    ],
)
def test_what_differs_is_told(workers: Build, message: str) -> None:
    found = differs(workers, HERE)
    assert found.startswith(message)
    assert bool(found) == bool(message)


def test_a_build_is_that_of_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deeper").mkdir()
    for name in ("__init__.py", "deeper/one.py"):
        (tmp_path / name).write_text("a = 1\n")
    monkeypatch.setattr(fstmetrics, "__file__", str(tmp_path / "__init__.py"))
    found = [own_build.__wrapped__()]
    (tmp_path / "deeper" / "one.py").write_text("a = 2\n")
    found.append(own_build.__wrapped__())
    (tmp_path / "deeper" / "one.py").rename(tmp_path / "deeper" / "two.py")
    found.append(own_build.__wrapped__())
    (tmp_path / "notes.txt").touch()
    assert own_build.__wrapped__() == found[-1]
    assert len(set(found)) == 3


def test_a_worker_of_another_build_scores_nothing() -> None:
    """Also one that comes later than the first, which is asked when the engine starts."""
    pairs = PairBlock.of([Pair("u1", "a b", ("a",))])
    work = BatchWork(Work(PathScoring(WER()), keep_going=True), build=tuple(own_build()._replace(modules=1)))
    _, (found, fault) = unpacked(work(together([carried(pairs)])))
    assert found == []
    assert isinstance(fault, FstmetricsError)
    assert "of another commit" in str(fault)


def test_what_a_worker_says_is_checked() -> None:
    check_build(worker_build())
    for found, message in (
        (("0.0.1", *worker_build()[1:]), r"workers have fstmetrics 0\.0\.1, this machine"),
        ("0.1.0", "workers have fstmetrics of an unknown version"),
        (None, "workers have fstmetrics of an unknown version"),
    ):
        with pytest.raises(FstmetricsError, match=message):
            check_build(found)
