"""Batches that workers get: what comes back is what a run here has, whatever happens to workers and items."""

from __future__ import annotations

import json
import pickle
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from command import ORACLE, fstmetrics, written
from engine_runs import assert_memory_that_does_not_suffice_is_told, items_of_much_memory
from time_limits import ran

from fstmetrics._native import TextColumn
from fstmetrics.apps.distributed import spark_engine
from fstmetrics.batches import dispatch
from fstmetrics.batches.dispatch import BatchWork, worked
from fstmetrics.batches.parcels import (
    Call,
    Parcel,
    apart,
    carried,
    packed,
    pairs_of,
    read_from,
    unpacked,
    written_to,
)
from fstmetrics.io import open_stream
from fstmetrics.metrics.wer import WER
from fstmetrics.scoring.pair_blocks import Pair, PairBlock
from fstmetrics.scoring.path_scoring import PathScoring
from fstmetrics.scoring.sums import Sums
from fstmetrics.scoring.work import Work
from fstmetrics.support.errors import FstmetricsError

PAIRS = [Pair(f"u{n}", f"a b w{n % 7}", (f"a w{n % 5}",)) for n in range(50)]


class Fragile:
    """Workers that die of some items, and say of no batch but the last ones what came of it."""

    def __init__(self, deadly: set[str]) -> None:
        self.deadly = deadly
        self.sizes: list[int] = []
        self.most_waiting = 0

    def map(self, work: Call, given: Iterable[Parcel]) -> Iterator[Parcel | None]:
        work = pickle.loads(pickle.dumps(work))
        waiting: list[Parcel] = []
        for each in given:
            waiting.append(each)
            if len(waiting) == 3:
                yield self._answer(work, waiting.pop(0))
        for each in waiting:
            yield self._answer(work, each)

    def _answer(self, work: Call, given: Parcel) -> Parcel | None:
        pairs = [pair for block in apart(given) for pair in block]
        self.sizes.append(len(pairs))
        return None if self.deadly & {pair.id or "" for pair in pairs} else work(given)

    def close(self) -> None:
        """Nothing was started."""


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "FIRST_SIZE", 8)


def test_only_the_item_that_a_worker_dies_of_is_left_out() -> None:
    work = BatchWork(Work(PathScoring(WER()), keep_going=True))
    found = list(worked([PairBlock.of(PAIRS)], work, Fragile({"u17", "u18"})))
    assert [pair for some in found for pair in some.pairs] == PAIRS
    faults = [(some.pairs[place].id, said) for some in found for place, said in some.faults.items()]
    message = "item {}: the worker that scored it died or ran out of memory, each time; it was left out"
    assert faults == [(id, message.format(id)) for id in ("u17", "u18")]
    assert sum(len(some.sums or ()) for some in found) == len(PAIRS) - 2


def test_an_item_that_a_worker_dies_of_ends_a_run_behind_those_before_it() -> None:
    work = BatchWork(Work(PathScoring(WER())))
    done = []
    with pytest.raises(FstmetricsError, match=r"^item u17: the worker that scored it died"):
        done.extend(len(some.pairs) for some in worked([PairBlock.of(PAIRS)], work, Fragile({"u17"})))
    # A run that ends has given what came before.
    counted = 0
    for some in _until_error(worked([PairBlock.of(PAIRS)], work, Fragile({"u17"}))):
        counted += len(some.pairs)
    assert counted == 17


@pytest.mark.parametrize("kind", [FstmetricsError, MemoryError])
def test_items_before_one_that_fails_are_kept(kind: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever batches they are in, as of runs here."""
    search = PathScoring.results

    def failing(self: PathScoring, pairs: PairBlock) -> object:
        if any(pair.id == "u29" for pair in pairs):
            raise kind("item u29: no")
        return search(self, pairs)

    monkeypatch.setattr(PathScoring, "results", failing)
    work = BatchWork(Work(PathScoring(WER()), records=True))
    kept = b""
    for some in _until_error(worked([PairBlock.of(PAIRS)], work, Fragile(set()))):
        kept += some.written[0] if some.written else "".join(line for line, _ in some.items).encode()
    assert [json.loads(line)["id"] for line in kept.splitlines()] == [f"u{n}" for n in range(29)]
    with pytest.raises(FstmetricsError, match=r"^item u29: "):
        list(worked([PairBlock.of(PAIRS)], work, Fragile(set())))


def _until_error(batches: Iterator[dispatch.Worked[object]]) -> Iterator[dispatch.Worked[object]]:
    try:
        yield from batches
    except FstmetricsError:
        return


def test_memory_that_does_not_suffice_is_said_of_its_item(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = PathScoring.results

    def large(self: PathScoring, pairs: PairBlock) -> object:
        if any(pair.id == "u3" for pair in pairs):
            raise MemoryError
        return search(self, pairs)

    monkeypatch.setattr(PathScoring, "results", large)
    found = list(
        worked([PairBlock.of(PAIRS)], BatchWork(Work(PathScoring(WER()), keep_going=True)), Fragile(set()))
    )
    assert [some.pairs[place].id for some in found for place in some.faults] == ["u3"]
    inputs = [written(tmp_path / name, "".join(f"u{n} a\n" for n in range(9))) for name in ("ref", "hyp")]
    output, message = tmp_path / "out.jsonl", "fstmetrics: item u3: it needs more memory than there is"
    outcome = fstmetrics("score", *inputs, "--output", output, "--keep-going")
    assert (outcome.status, outcome.err) == (1, f"{message}\n")
    assert len(output.read_text().splitlines()) == 8
    output.unlink()
    outcome = fstmetrics("score", *inputs, "--output", output)
    assert outcome.status == 2
    assert outcome.err.startswith(f"{message}; 3 finished items are in")


def test_sums_of_batches_do_not_depend_on_their_sizes() -> None:
    work: BatchWork[object] = BatchWork(Work(PathScoring(WER())))
    for size in (1, 3, 50):
        blocks = [PairBlock.of(PAIRS[begin : begin + size]) for begin in range(0, 50, size)]
        random.Random(size).shuffle(blocks)
        total = None
        for some in worked(blocks, work, Fragile(set())):
            assert some.sums is not None
            total = some.sums if total is None else (total.update(some.sums), total)[1]
        assert total is not None
        (here,) = Work(PathScoring(WER()))(PairBlock.of(PAIRS))
        sums = Sums()
        sums.add_all(here.columns or ())
        assert total == sums


def test_columns_of_lattices_and_texts_are_carried_as_they_are(tmp_path: Path) -> None:
    packed = tmp_path / "lattices.packed"
    assert fstmetrics("pack", ORACLE[1], packed).status == 0
    stream = open_stream(str(packed))
    assert stream is not None
    (block,) = stream.blocks()
    column = block.values
    names = TextColumn([f"u{n}" for n in range(len(column))])
    pairs = PairBlock(names, column, (names,), [{"speaker": "ann"}] * len(column))
    again = pairs_of(carried(pairs))
    assert again.is_native
    assert list(map(bytes, carried(again))) == list(map(bytes, carried(pairs)))
    assert [str(pair) for pair in again] == [str(pair) for pair in pairs]


def test_metrics_of_strings_refuse_an_engine(tmp_path: Path) -> None:
    inputs = [written(tmp_path / name, "a b\n") for name in ("ref", "hyp")]
    outcome = fstmetrics("score", "--metric", "bleu", *inputs, "--on", "ray")
    assert outcome.status == 2
    assert outcome.err.startswith("fstmetrics: --on is for metrics of best paths")


@pytest.mark.parametrize("is_memory", [True, False])
def test_parcels_are_the_same_behind_a_file(is_memory: bool, tmp_path: Path) -> None:
    values = ["a", np.arange(5), np.zeros((0, 3)), pickle.PickleBuffer(b""), pickle.PickleBuffer(b"abc")]
    path = str(tmp_path / "parcel")
    written_to(path, packed(values))
    parcel = read_from(path, is_memory)
    assert [buffer.ctypes.data % 8 for buffer in parcel] == [0] * len(parcel)
    text, numbers, empty, nothing, some = unpacked(parcel)
    assert (text, numbers.tolist(), empty.shape, bytes(nothing), bytes(some)) == (
        "a", [0, 1, 2, 3, 4], (0, 3), b"", b"abc",
    )  # fmt: skip


def test_a_folder_in_memory_without_room_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Containers have 64 MB there."""
    monkeypatch.setattr(spark_engine, "ROOM", 1 << 62)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    exchange = spark_engine.exchange_of(is_one_machine=True)
    assert exchange is not None
    name = exchange.given(packed("a batch"))
    assert Path(name).is_relative_to(tmp_path)
    answer = exchange.worker(_upper)(name)
    found = exchange.answer(answer, name)
    assert found is not None
    assert unpacked(found) == "A BATCH"
    exchange.close()
    assert not list(tmp_path.iterdir())


def _upper(given: Parcel) -> Parcel:
    return packed(unpacked(given).upper())


def test_a_folder_of_batches_that_is_full_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FSTMETRICS_EXCHANGE", str(tmp_path))
    exchange = spark_engine.exchange_of(is_one_machine=False)
    assert exchange is not None

    def full(path: str, parcel: Parcel) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(spark_engine, "written_to", full)
    message = f"batches cannot be exchanged in {tmp_path}: No space left on device"
    with pytest.raises(FstmetricsError, match=message):
        exchange.given(packed("a batch"))
    exchange.close()


def test_records_are_printed_as_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an engine hands back is memory, which standard output has to have as text."""
    monkeypatch.setattr(dispatch, "engine_of", lambda name, jobs: Fragile(set()))
    inputs = [written(tmp_path / name, "".join(f"u{n} a ä\n" for n in range(9))) for name in ("ref", "hyp")]
    here = fstmetrics("score", *inputs, "--output", "-")
    assert fstmetrics("score", *inputs, "--output", "-", "--on", "ray") == here
    assert here.out.count('"u') == 9


HOLDS = """
import sys, time
from fstmetrics.apps.distributed.spark_engine import FileExchange
from fstmetrics.batches.parcels import packed
exchange = FileExchange(sys.argv[1], True)
exchange.given(packed("a batch"))
print("made", flush=True)
time.sleep(600)
"""


def test_what_killed_runs_left_in_memory_is_removed(tmp_path: Path) -> None:
    """That of runs that go on is not, nor what is called alike."""
    others = [tmp_path / "fstmetrics-batches-none", tmp_path / "elsewhere"]
    for folder in others:
        folder.mkdir()
    (tmp_path / "fstmetrics-batches-link").symlink_to(others[1])
    alive = spark_engine.FileExchange(str(tmp_path), is_memory=True)
    before = set(tmp_path.iterdir())
    with subprocess.Popen([sys.executable, "-c", HOLDS, str(tmp_path)], stdout=subprocess.PIPE) as killed:
        try:
            assert killed.stdout is not None
            assert killed.stdout.readline() == b"made\n"
            spark_engine.remove_left_behind(str(tmp_path))
            (left,) = set(tmp_path.iterdir()) - before
            assert len(list(left.iterdir())) == 2
        finally:
            killed.kill()
    assert left.exists()
    spark_engine.FileExchange(str(tmp_path), is_memory=True).close()
    assert set(tmp_path.iterdir()) == before
    alive.close()
    assert set(tmp_path.iterdir()) == {*others, tmp_path / "fstmetrics-batches-link"}


# A process that may have 192 MB more than it has when it begins to read.
LITTLE_MEMORY = """
import resource, runpy, sys
from pathlib import Path
import numpy, fstmetrics.scoring.scored_files, fstmetrics.batches, fstmetrics.scoring.native_records
size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + (192 << 20),) * 2)
runpy.run_module("fstmetrics", run_name="__main__")
"""
NEEDS_LIMITS = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system has no /proc")


@NEEDS_LIMITS
@pytest.mark.parametrize("keep_going", [True, False])
def test_memory_that_is_used_up_is_said_of_its_item(keep_going: bool, tmp_path: Path) -> None:
    """Really, by the system's limit; the others are scored and kept."""
    pairs = items_of_much_memory()
    inputs = [
        written(tmp_path / "ref", "".join(f"{pair.id} {pair.references[0]}\n" for pair in pairs)),
        written(tmp_path / "hyp", "".join(f"{pair.id} {pair.hypothesis}\n" for pair in pairs)),
    ]
    command = [sys.executable, "-c", LITTLE_MEMORY, "score", *inputs, "--metric", "grr", "--jobs", "1"]
    command += ["--max", "cells=10000000000", "--output", tmp_path / "out.jsonl"]
    ended = ran(
        [*map(str, command), *(["--keep-going"] if keep_going else [])], capture_output=True, text=True
    )
    assert ended.stderr.startswith("fstmetrics: item u3: there is not enough memory for this search: ")
    assert (ended.returncode, ended.stderr.count("\n")) == (1 if keep_going else 2, 1)
    kept = tmp_path / ("out.jsonl" if keep_going else "out.jsonl.partial")
    ids = [json.loads(line)["id"] for line in kept.read_text().splitlines()]
    assert ids == [f"u{n}" for n in range(9) if n != 3][: 8 if keep_going else 3]


@NEEDS_LIMITS
def test_memory_that_a_worker_has_used_up_is_said_of_its_item(monkeypatch: pytest.MonkeyPatch) -> None:
    class Here(Fragile):
        def map(self, work: Call, given: Iterable[Parcel]) -> Iterator[Parcel | None]:
            return map(work, given)

    assert_memory_that_does_not_suffice_is_told(Here(set()), monkeypatch)
