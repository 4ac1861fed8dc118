"""Tables of statistics in files have the numbers of those in memory, and leave no file behind."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

import fstmetrics as fm
from fstmetrics.engine import item_tables
from fstmetrics.engine.item_tables import ItemTable, Room, TableWriter

RNG = np.random.default_rng(3)
TABLES = {
    "bytes": RNG.integers(0, 256, (40, 3)).astype(float),
    "gains and losses": RNG.integers(-128, 128, (40, 2)).astype(float),
    "wider and wider": np.cumprod(np.full((40, 1), -2.0), axis=0),
    "beyond exact integers": np.array([[1.0], [2.0**53], [-3.0]] * 5),
    "broken numbers": RNG.random((40, 2)),
    "negative zero": np.array([[1.0, 2.0], [-0.0, 0.0], [3.0, 4.0]]),
    "no items": np.zeros((0, 2)),
}


def made(rows: np.ndarray, room: int, at_a_time: int = 7) -> ItemTable:
    """A table of rows that come a few at a time."""
    writer = TableWriter(rows.shape[1], Room(room))
    for begin in range(0, len(rows), at_a_time):
        writer.add(rows[begin : begin + at_a_time])
    return writer.table()


@pytest.fixture(params=[0, 30, 1 << 20])
def room(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(item_tables, "PART", 11)
    return int(request.param)


@pytest.mark.parametrize("rows", TABLES.values(), ids=list(TABLES))
def test_numbers_are_those_that_were_added(rows: np.ndarray, room: int) -> None:
    table, whole = made(rows, room), ItemTable(rows)
    assert table.is_filed == (table.raw(0, len(table)).nbytes > room or (room == 30 and len(rows) > 30))
    assert table.values.tobytes() == rows.tobytes()
    assert table.sums.tobytes() == whole.sums.tobytes()
    assert b"".join(part.tobytes() for part in table.parts()) == rows.tobytes()
    assert table.extent == whole.extent
    places = np.arange(len(rows)) % 3 == 1
    assert table.taken(places).values.tobytes() == rows[places].tobytes()
    assert table.taken(np.flatnonzero(places).tolist()).values.tobytes() == rows[places].tobytes()


def test_whole_numbers_take_the_bytes_that_the_largest_needs() -> None:
    sizes = {255: 1, 256: 2, -1: 1, -129: 2, 65_536: 4, 2**40: 8}
    for number, size in sizes.items():
        assert made(np.array([[float(number)]]), 100).raw(0, 1).dtype.itemsize == size


def test_files_of_statistics_have_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    table = made(TABLES["bytes"], 0)
    assert table.is_filed
    assert os.listdir(tmp_path) == []


def test_a_process_that_is_killed_leaves_no_file(tmp_path: Path) -> None:
    program = (
        "import numpy, os, signal\nfrom fstmetrics.engine.item_tables import Room, TableWriter\n"
        "writer = TableWriter(1, Room(0))\nwriter.add(numpy.ones((1000, 1)))\nassert writer.table().is_filed\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "TMPDIR": str(tmp_path)}, timeout=60, check=False
    )
    assert found.returncode == -9
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with open("/dev/full", "r+b", buffering=0) as full:
        monkeypatch.setattr(tempfile, "TemporaryFile", lambda buffering: full)
        with pytest.raises(fm.FstmetricsError, match=r"No space left on device; TMPDIR=FOLDER"):
            made(TABLES["bytes"], 0)


def test_memory_follows_the_limit_of_bytes() -> None:
    with fm.limited(bytes=6400):
        assert Room().left == 100
