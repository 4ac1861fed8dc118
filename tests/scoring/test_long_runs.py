"""Runs of any length: killed, stopped, on a full disk, with bad items, on several threads; docs/long-runs.md."""

from __future__ import annotations

import gzip
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import pytest
from command import HYTER, ORACLE, Outcome, fstmetrics, started, with_options, written
from long_runs import WORDS, archive, is_killed, peak, references
from places import RANDOM_CASES
from time_limits import ended, ran, wait_until

import fstmetrics as fm
from fstmetrics.scoring import run_files, work
from fstmetrics.scoring.journal import Unfinished
from fstmetrics.scoring.native_records import NativeRecords
from fstmetrics.support import signals
from fstmetrics.support.signals import Stopped

KILLS = min(200, RANDOM_CASES // 50)


def run_over(items: int, damaged: set[str], tmp_path: Path) -> list[str]:
    """A run over an archive, some of whose items are bad."""
    ids = [f"utt-{i:03}" for i in range(items)]
    ref = written(tmp_path / "ref.txt", references(ids, 1))
    lattices = written(tmp_path / "lat.ark", archive(ids, 2, damaged))
    output = str(tmp_path / "o.jsonl")
    return ["oracle", str(ref), str(lattices), "--keep-going", "--output", output, "--json"]


@pytest.fixture
def oracle(tmp_path: Path) -> list[str]:
    return run_over(100, {"utt-020", "utt-077"}, tmp_path)


def test_nothing_is_kept_where_every_item_is_left_out(tmp_path: Path) -> None:
    faulty = {f"utt-{i:03}" for i in range(4)}
    outcome = fstmetrics(*run_over(4, faulty, tmp_path))
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.splitlines()[-1] == "fstmetrics: there is no item to score"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["lat.ark", "ref.txt"]
    assert fstmetrics(*run_over(4, set(), tmp_path)).status == 0
    (tmp_path / "o.jsonl").unlink()
    assert fstmetrics(*run_over(4, faulty - {"utt-000"}, tmp_path)).status == 1  # one is scored


def test_killed_runs_go_on(tmp_path: Path) -> None:
    oracle = run_over(40, {"utt-010", "utt-033"}, tmp_path)
    whole = fstmetrics(*oracle)
    assert whole.status == 1
    output = tmp_path / "o.jsonl"
    expected = output.read_bytes()
    random_numbers = random.Random(7)
    kills = 0
    while kills < KILLS:
        output.unlink()
        while is_killed([*oracle, "--resume"], random_numbers.randrange(1, len(expected) // 3)):
            kills += 1
            assert not output.exists()
            if random_numbers.random() < 0.1:
                break
        assert fstmetrics(*oracle, "--resume").out == whole.out
        assert output.read_bytes() == expected
        assert sorted(os.listdir(tmp_path)) == ["lat.ark", "o.jsonl", "ref.txt"]


# A run that is never complete, so that it is not over before a signal comes, however fast the machine is.
ENDLESS = (
    "import time; from fstmetrics.scoring.journal import Unfinished; "
    "Unfinished.complete = lambda run: [time.sleep(0.01) for _ in iter(int, 1)]; "
    "from fstmetrics.__main__ import main; main()"
)


def wait_for_items(journal: Path, process: subprocess.Popen[bytes]) -> None:
    def begun() -> bool:
        return process.poll() is not None or (journal.exists() and journal.read_bytes().count(b"\n") > 1)

    wait_until(begun, "an item is in the journal")


@pytest.mark.parametrize(
    ("number", "status"),
    [
        (signal.SIGINT, 130),
        (signal.SIGTERM, 143),
        (signal.SIGHUP, 129),
        (signal.SIGXCPU, 152),
        (signal.SIGKILL, -signal.SIGKILL),
    ],
)
def test_signals_leave_what_is_finished(number: int, status: int, tmp_path: Path) -> None:
    text = written(tmp_path / "r", "a b c d e f g h\n" * 10000)
    output = tmp_path / "o.jsonl"
    command = ["score", text, text, "--output", output]
    process = started(*command, program=("-c", ENDLESS), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    wait_for_items(tmp_path / "o.jsonl.journal", process)
    process.send_signal(number)
    _, err = ended(process)
    assert process.returncode == status
    assert sorted(os.listdir(tmp_path)) == ["o.jsonl.journal", "o.jsonl.partial", "r"]
    finished = (tmp_path / "o.jsonl.partial").read_bytes().count(b"\n")
    if status > 0:
        items = "item is" if finished == 1 else "items are"
        said = f"{finished} finished {items} in {output}.partial; the same command with --resume continues from there"
        assert err.decode().strip() == f"fstmetrics: stopped; {said}"
    before = time.process_time()
    assert "[ 0 / 80000," in fstmetrics(*command, "--resume").out
    assert output.read_bytes().count(b"\n") == 10000
    assert time.process_time() - before < 60
    assert sorted(os.listdir(tmp_path)) == ["o.jsonl", "r"]


@pytest.mark.parametrize(
    ("file", "share", "batches"),
    [(0, 0.5, 1), (0, 1, 1), (1, 0.5, 1), (1, 1, 2)],
    ids=["within its records", "behind them", "within its line of the journal", "behind it"],
)
def test_a_signal_while_the_second_batch_is_written(
    file: int, share: float, batches: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said to be finished is what lies in the files: the batch counts once all of it is there."""
    text, append = written(tmp_path / "r", "a b c d e f g h\n" * 100), Unfinished._append
    written_batches: list[int] = []
    stops: list[Stopped] = []  # one signal comes; what inputs hold is written behind it

    def stopped(self: Unfinished[Any], number: int, data: bytes) -> None:
        if number == 0:
            written_batches.append(data.count(b"\n"))
        if number == file and len(written_batches) == 2 and not stops:
            append(self, number, data[: int(len(data) * share)])
            stops.append(Stopped(signal.SIGTERM))
            raise stops[0]
        append(self, number, data)

    monkeypatch.setattr(Unfinished, "_append", stopped)
    outcome = fstmetrics("score", text, text, "--output", tmp_path / "o")
    finished = sum(written_batches[:batches])
    assert (tmp_path / "o.partial").read_bytes().count(b"\n") == finished
    assert outcome.status == 143
    assert (
        f"fstmetrics: stopped; {finished} finished {'item is' if finished == 1 else 'items are'} in"
        in outcome.err
    )
    monkeypatch.undo()
    assert "[ 0 / 800," in fstmetrics("score", text, text, "--output", tmp_path / "o", "--resume").out
    assert (tmp_path / "o").read_bytes().count(b"\n") == 100


def test_a_signal_right_behind_the_end_leaves_the_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have their name, and nothing else is left, or said."""
    text, replace = written(tmp_path / "r", "a b\n" * 5), os.replace

    def stopped(source: str, target: str) -> None:
        replace(source, target)
        raise Stopped(signal.SIGTERM)

    monkeypatch.setattr(os, "replace", stopped)
    outcome = fstmetrics("score", text, text, "--output", tmp_path / "o")
    said = f"fstmetrics: stopped; all items are finished and in {tmp_path}/o\n"
    assert (outcome.status, outcome.out, outcome.err) == (143, "", said)
    assert (tmp_path / "o").read_bytes().count(b"\n") == 5
    assert sorted(os.listdir(tmp_path)) == ["o", "r"]


def test_a_signal_that_python_drops_comes_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one does that comes in a callback: of an import, of a weak reference, of an object that goes."""

    class Late:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGTERM)

    def write(self: Unfinished, records: bytes, entries: bytes, items: int) -> None:
        written_items(self, records, entries, items)
        Late()
        time.sleep(60)  # until it comes

    text, written_items = written(tmp_path / "r", "a b\n" * 5), Unfinished.write_written
    unraisable: list[object] = []
    monkeypatch.setattr(Unfinished, "write_written", write)
    monkeypatch.setattr(sys, "unraisablehook", unraisable.append)
    outcome = fstmetrics("score", text, text, "--output", tmp_path / "o")
    assert (outcome.status, outcome.out) == (143, "")
    assert outcome.err.startswith("fstmetrics: stopped; 1 finished item is in ")
    assert not unraisable
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


@pytest.mark.parametrize("as_import_error", [False, True])
def test_a_signal_that_a_library_drops_comes_again(
    as_import_error: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As lxml does, compiled, with any error of its first lines, and who imports what need not be there."""

    def write(self: Unfinished, records: bytes, entries: bytes, items: int) -> None:
        written_items(self, records, entries, items)
        try:
            try:
                os.kill(os.getpid(), signal.SIGTERM)
            except BaseException as error:
                raise ImportError("not there") from error if as_import_error else None
        except ImportError:
            pass
        time.sleep(60)  # until it comes

    text, written_items = written(tmp_path / "r", "a b\n" * 5), Unfinished.write_written
    monkeypatch.setattr(signals, "_last", -math.inf)  # the test before sent one, too
    monkeypatch.setattr(Unfinished, "write_written", write)
    outcome = fstmetrics("score", text, text, "--output", tmp_path / "o")
    assert (outcome.status, outcome.out) == (143, "")
    assert outcome.err.startswith("fstmetrics: stopped; 1 finished item is in ")
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


def test_what_tidies_up_is_not_disturbed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it takes, and whatever else fails meanwhile, the signal does not come again."""
    tidied: list[str] = []

    def write(self: Unfinished, records: bytes, entries: bytes, items: int) -> None:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
        finally:
            time.sleep(0.3)
            try:
                raise ValueError
            except ValueError:
                time.sleep(0.3)
            tidied.append("all")

    text = written(tmp_path / "r", "a b\n" * 5)
    monkeypatch.setattr(signals, "_last", -math.inf)  # the test before sent one, too
    monkeypatch.setattr(Unfinished, "write_written", write)
    assert fstmetrics("score", text, text, "--output", tmp_path / "o").status == 143
    assert tidied == ["all"]


def test_a_run_stopped_before_its_first_item_leaves_nothing(tmp_path: Path) -> None:
    ref, lattices = written(tmp_path / "r", "u a\n"), written(tmp_path / "l.ark", archive(["u"], 1, {"u"}))
    outcome = fstmetrics("oracle", ref, lattices, "--output", tmp_path / "o")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith(f"fstmetrics: {lattices}:1: lattice 'u' has no final state")
    assert sorted(os.listdir(tmp_path)) == ["l.ark", "r"]


@pytest.mark.parametrize("limit", [3000, 10000, 20001])
def test_a_full_disk_loses_nothing(limit: int, oracle: list[str], tmp_path: Path) -> None:
    whole = fstmetrics(*oracle)
    output = tmp_path / "o.jsonl"
    expected = output.read_bytes()
    assert len(expected) > limit
    output.unlink()
    script = (
        "import sys, resource; from fstmetrics.engine import search as batching; "
        "batching.FIRST_BATCH = batching.LARGEST_BATCH = 4; "
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit})); from fstmetrics.cli import main; main()"
    )
    stopped = ran([sys.executable, "-c", script, *oracle], capture_output=True, text=True)
    assert (stopped.returncode, stopped.stdout) == (2, "")
    *faults, last = stopped.stderr.splitlines()
    assert last.startswith(f"fstmetrics: {output}: cannot be written: File too large; ")
    assert "finished items are in" in last
    assert all("no final state" in line for line in faults)
    records = (tmp_path / "o.jsonl.partial").read_bytes()
    assert expected.startswith(records)
    assert records.endswith(b"\n")
    assert fstmetrics(*oracle, "--resume").out == whole.out
    assert output.read_bytes() == expected


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_device() -> None:
    outcome = fstmetrics("oracle", *ORACLE, "--output", "/dev/full")
    assert (outcome.status, outcome.err) == (
        2,
        "fstmetrics: /dev/full: cannot be written: No space left on device\n",
    )


def stopped_in_the_middle(oracle: list[str], tmp_path: Path) -> None:
    assert is_killed(oracle, 20000)
    assert (tmp_path / "o.jsonl.partial").stat().st_size > 1000


def test_other_settings_are_refused(oracle: list[str], tmp_path: Path) -> None:
    stopped_in_the_middle(oracle, tmp_path)
    partial = f"{tmp_path}/o.jsonl.partial is of a run with other settings: "
    for options, said in (
        (["--metric", "grr"], 'metric was "metric:wer" and is "metric:grr|'),
        (["--lm-scale", "3"], 'scales was "as the files say" and is {"lm": 3.0}'),
        (["--lowercase"], "lowercase was false and is true"),
        (["--nbest", "2", "--alignment"], "nbest was 1 and is 2; alignment was false and is true"),
    ):
        outcome = fstmetrics(*oracle, *options, "--resume")
        assert outcome.status == 2
        assert outcome.err.startswith(f"fstmetrics: {partial}")
        assert said in outcome.err, outcome.err
        assert outcome.err.endswith(f"; {anew(tmp_path / 'o.jsonl')}\n")
    ref = tmp_path / "ref.txt"
    before = os.stat(ref)
    written(ref, references([f"utt-{i:03}" for i in range(100)], 3) + "\n" * 7)
    size = ref.stat().st_size
    os.utime(ref, ns=(0, 1_500_000_000_000_000_009))
    said = (
        rf"fstmetrics: {re.escape(partial)}{re.escape(str(ref))} had {before.st_size} bytes of [-0-9]+ [:0-9]+ and "
        rf"has {size} bytes of 2017-07-14 02:40:00 \(UTC\); {re.escape(anew(tmp_path / 'o.jsonl'))}\n"
    )
    refused = fstmetrics(*oracle, "--resume")
    assert (refused.status, refused.out) == (2, "")
    assert re.fullmatch(said, refused.err), refused.err
    for ending in ("partial", "journal"):  # as it says
        (tmp_path / f"o.jsonl.{ending}").unlink()
    assert fstmetrics(*oracle).status == 1
    assert sorted(os.listdir(tmp_path)) == ["lat.ark", "o.jsonl", "ref.txt"]


def anew(output: Path) -> str:
    """What a message says of a run that is to begin anew."""
    return f"to start anew, remove {output}.partial and {output}.journal, or give --output another name"


TEXTS = ["r", "h", "--output", "o"]


@pytest.mark.parametrize(
    "command",
    [
        ["score", *TEXTS],
        ["score", *TEXTS, "--metric", "bleu"],
        ["score", *TEXTS, "--shard", "2/3"],
        ["hyter", *TEXTS],
        ["oracle", "r", "lat.ark", "--output", "o"],
        ["mbr", "lat.ark", "--output", "o"],
        ["score", *TEXTS, "--jobs", "2"],
    ],
    ids=" ".join,
)
def test_a_new_run_is_not_written_over_a_stopped_one(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever its settings are; --resume, and another name, work, and so does what the message says."""
    monkeypatch.chdir(tmp_path)
    ids = [f"u-{i}" for i in range(200)]
    for name, seed in (("r", 1), ("h", 2)):
        written(tmp_path / name, references(ids, seed))
    written(tmp_path / "lat.ark", archive(ids, 3))
    whole = fstmetrics(*command)
    assert whole.status == 0
    records = (tmp_path / "o").read_bytes()
    for path in tmp_path.glob("o*"):
        path.unlink()
    assert is_killed(command, len(records) // 2)
    before = contents(tmp_path)
    assert before["o.journal"].count(b"\n") > 1
    for options in ((), ("--lowercase",), ("--keep-going",)):
        outcome = fstmetrics(*command, *options)
        assert (outcome.status, outcome.out) == (2, "")
        assert outcome.err == (
            f"fstmetrics: {tmp_path}/o.partial has finished items of a run that was stopped, and a new run would be "
            f"written over them; --resume continues from there; {anew(tmp_path / 'o')}\n"
        )
        assert contents(tmp_path) == before
    assert fstmetrics(*with_options(command, ["--output", "other"])).status == 0
    assert (tmp_path / "other").read_bytes() == records
    assert fstmetrics(*command, "--resume").out == whole.out
    assert (tmp_path / "o").read_bytes() == records


@pytest.mark.parametrize("damage", ["first line", "version"])
def test_a_new_run_is_not_written_over_what_it_cannot_read(
    damage: str, oracle: list[str], tmp_path: Path
) -> None:
    stopped_in_the_middle(oracle, tmp_path)
    journal = tmp_path / "o.jsonl.journal"
    first, _, rest = journal.read_bytes().partition(b"\n")
    changed = (
        first.replace(b'"nbest": 1', b'"nbest": 2') if damage == "first line" else first.replace(b"/7", b"/3")
    )
    assert changed != first
    journal.write_bytes(changed + b"\n" + rest)
    before = contents(tmp_path)
    assert "has finished items of a run that was stopped" in fstmetrics(*oracle).err
    assert contents(tmp_path) == before


def test_a_run_that_finished_nothing_is_started_anew(oracle: list[str], tmp_path: Path) -> None:
    """As when it was killed while it wrote the first record."""
    whole = fstmetrics(*oracle)
    (tmp_path / "o.jsonl").unlink()
    assert is_killed(oracle, 1300)
    assert (tmp_path / "o.jsonl.journal").read_bytes().count(b"\n") == 1
    assert fstmetrics(*oracle).out == whole.out
    assert sorted(os.listdir(tmp_path)) == ["lat.ark", "o.jsonl", "ref.txt"]


def test_missing_references_are_known_at_the_end(oracle: list[str], tmp_path: Path) -> None:
    """What is finished by then is kept for another try."""
    oracle.remove("--keep-going")
    ids = [f"utt-{i:03}" for i in range(100)]
    written(tmp_path / "lat.ark", archive(ids[:-1], 2))
    stopped = fstmetrics(*oracle)
    assert stopped.status == 2
    assert f"no hypothesis for utt-099 in {tmp_path}/lat.ark (--missing skip leaves" in stopped.err
    assert "99 finished items are in" in stopped.err
    going_on = fstmetrics(*oracle, "--missing", "skip", "--resume")
    assert '"items": 99, "skipped": 1,' in going_on.out
    records = (tmp_path / "o.jsonl").read_bytes()
    assert fstmetrics(*oracle, "--missing", "skip").out == going_on.out
    assert (tmp_path / "o.jsonl").read_bytes() == records


@pytest.mark.parametrize("form", ["text", "packed"])
def test_items_before_one_without_a_reference_are_kept(form: str, tmp_path: Path) -> None:
    """Also where all of them came in one block of native columns."""
    ids = [f"u{n}" for n in range(6)]
    lattices = written(tmp_path / "lat", archive(ids, 1))
    if form == "packed":
        assert fstmetrics("pack", lattices, tmp_path / "lat.packed").status == 0
        lattices = tmp_path / "lat.packed"
    reference = written(tmp_path / "ref", references(ids[:4], 1))
    outcome = fstmetrics("oracle", reference, lattices, "--output", tmp_path / "o.jsonl")
    assert outcome.status == 2
    assert "u4" in outcome.err
    records = (tmp_path / "o.jsonl.partial").read_text().splitlines()
    assert [json.loads(record)["id"] for record in records] == ids[:4]


def test_sides_that_have_changed_places(tmp_path: Path) -> None:
    """The same files with the same ids, but insertions would be deletions from there on."""
    ids = [f"u-{i}" for i in range(200)]
    texts = [written(tmp_path / name, references(ids, seed)) for name, seed in (("r", 1), ("h", 2))]
    output = str(tmp_path / "o")
    assert is_killed(["score", *map(str, texts), "--output", output], 8000)
    outcome = fstmetrics("score", *reversed(texts), "--output", output, "--resume")
    assert (outcome.status, outcome.out) == (2, "")
    r, h = texts
    assert f"is of a run with other settings: the inputs were {h}, {r} and are {r}, {h};" in outcome.err
    assert fstmetrics("score", *texts, "--output", output, "--resume").status == 0


def test_a_grammar_that_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_files, "BYTES_A_SECOND", 1e15)
    ids = [f"u-{i}" for i in range(200)]
    texts = [written(tmp_path / name, references(ids, seed)) for name, seed in (("r", 1), ("h", 2))]
    grammar, output = written(tmp_path / "g.grammar", "hat -> cap\n"), str(tmp_path / "o")
    command = ["score", *map(str, texts), "--grammar", f"{grammar}@0.5", "--output", output]
    assert is_killed(command, 8000)
    written(grammar, "mat -> cap\n")
    outcome = fstmetrics(*command, "--resume")
    assert (outcome.status, outcome.out) == (2, "")
    said = (
        f"is of a run with other settings: {grammar} is not what it was: it has as many bytes, and others; "
    )
    assert said in outcome.err


def test_other_items_are_refused(tmp_path: Path) -> None:
    ids = [f"u-{i}" for i in range(100)]
    folder = tmp_path / "lattices"
    folder.mkdir()
    for id in ids:
        written(folder / f"{id}.ark", archive([id], 1))
    ref = written(tmp_path / "ref.txt", references(ids, 1))
    command = ["oracle", str(ref), str(folder), "--output", str(tmp_path / "o")]
    assert is_killed(command, 16000)
    (folder / "u-3.ark").unlink()
    written(folder / "u-200.ark", archive(["u-200"], 1))
    outcome = fstmetrics(*command, "--missing", "skip", "--resume")
    assert outcome.status == 2
    assert (
        "inputs or --missing have changed since the run was stopped: item 'u-3' was next, now it is 'u-4'; "
        f"{anew(tmp_path / 'o')}" in outcome.err
    )


def test_two_runs_do_not_write_the_same_file(oracle: list[str], tmp_path: Path) -> None:
    import fcntl

    stopped_in_the_middle(oracle, tmp_path)
    with (tmp_path / "o.jsonl.journal").open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        outcome = fstmetrics(*oracle)
        assert outcome.status == 2
        assert outcome.err == f"fstmetrics: {tmp_path}/o.jsonl.partial is being written by another run\n"
        assert file.tell() > 1000
    assert fstmetrics(*oracle, "--resume").status == 1


@pytest.mark.parametrize(
    "damage", [b"", b"\n", b"{}\n", b"[1, 2\n", b"[5, [[1, 2]]]\n", b"\x00" * 20 + b"\n", b"{"]
)
def test_a_damaged_journal(damage: bytes, oracle: list[str], tmp_path: Path) -> None:
    """What follows its first line is cut off where it is not whole; without that line it is refused."""
    whole = fstmetrics(*oracle)
    expected = (tmp_path / "o.jsonl").read_bytes()
    stopped_in_the_middle(oracle, tmp_path)
    journal = tmp_path / "o.jsonl.journal"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:3]) + damage)
    assert fstmetrics(*oracle, "--resume").out == whole.out
    assert (tmp_path / "o.jsonl").read_bytes() == expected
    stopped_in_the_middle(oracle, tmp_path)
    journal.write_bytes(damage)
    before = contents(tmp_path)
    for options in ((), ("--resume",)):
        check_foreign(fstmetrics(*oracle, *options), tmp_path)
        assert contents(tmp_path) == before


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def check_foreign(outcome: Outcome, tmp_path: Path) -> None:
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert re.search(
        r"o\.jsonl\.(journal|partial) is there already.*; move it.*, or give --output", outcome.err
    )


def check_unknown(outcome: Outcome, tmp_path: Path) -> None:
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == (
        f"fstmetrics: {tmp_path}/o.jsonl.journal:1: the line with the settings of the run that was stopped is damaged "
        f"or missing, so it is not known whether this run may go on; {anew(tmp_path / 'o.jsonl')}\n"
    )


def test_a_byte_of_the_settings_that_has_changed(oracle: list[str], tmp_path: Path) -> None:
    """Wherever it is, also where the settings are still JSON, and even the right ones."""
    whole = fstmetrics(*oracle)
    stopped_in_the_middle(oracle, tmp_path)
    journal = tmp_path / "o.jsonl.journal"
    before = journal.read_bytes()
    records = (tmp_path / "o.jsonl.partial").read_bytes()
    settings = before.index(b"\n")
    for place in range(0, settings, 7):
        for flip in (1, 4):
            data = bytearray(before)
            data[place] ^= flip
            journal.write_bytes(data)
            is_ours = re.match(rb'\[\d+, {"format": "fstmetrics-journal/', data)
            (check_unknown if is_ours else check_foreign)(fstmetrics(*oracle, "--resume"), tmp_path)
    journal.unlink()
    check_foreign(fstmetrics(*oracle, "--resume"), tmp_path)
    assert sorted(os.listdir(tmp_path)) == ["lat.ark", "o.jsonl", "o.jsonl.partial", "ref.txt"]
    assert (tmp_path / "o.jsonl.partial").read_bytes() == records
    journal.write_bytes(before)
    assert fstmetrics(*oracle, "--resume").out == whole.out


@pytest.mark.parametrize("options", [(), ("--resume",)])
@pytest.mark.parametrize(
    "foreign",
    [
        {"partial": "precious\n"},
        {"journal": "precious\n"},
        {"journal": "precious"},
        {"journal": "[1, 2]\n", "partial": ""},
        {"journal": '[7, {"format": "diary/1"}]\n'},
        {"journal": "", "partial": "precious\n"},
        {"journal": "[12", "partial": "precious\n"},
        {"journal": "precious\n", "partial": "precious\n"},
    ],
    ids=str,
)
def test_files_of_others_beside_the_output_are_left_alone(
    foreign: dict[str, str], options: tuple[str, ...], oracle: list[str], tmp_path: Path
) -> None:
    for ending, content in foreign.items():
        written(tmp_path / f"o.jsonl.{ending}", content)
    before = contents(tmp_path)
    check_foreign(fstmetrics(*oracle, *options), tmp_path)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("options", [(), ("--resume",)])
@pytest.mark.parametrize("file", ["partial", "journal"])
@pytest.mark.parametrize("content", ["", "precious\n"])
def test_nothing_is_written_through_hard_links(
    content: str, file: str, options: tuple[str, ...], oracle: list[str], tmp_path: Path
) -> None:
    """Also where the other name is of a run's own file, as of a copy that shares its content."""
    link = tmp_path / f"o.jsonl.{file}"
    if content:
        stopped_in_the_middle(oracle, tmp_path)
        os.link(link, tmp_path / "victim")
    else:
        os.link(written(tmp_path / "victim", ""), link)
    before = contents(tmp_path)
    outcome = fstmetrics(*oracle, *options)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == (
        f"fstmetrics: {link} has a second name (a hard link), and a run writes through none; remove it\n"
    )
    assert contents(tmp_path) == before


def test_a_journal_of_another_version(oracle: list[str], tmp_path: Path) -> None:
    stopped_in_the_middle(oracle, tmp_path)
    journal = tmp_path / "o.jsonl.journal"
    header = {"format": "fstmetrics-journal/9", "settings": {}}
    first = json.dumps([zlib.crc32(json.dumps(header).encode() + b"\n"), header])
    journal.write_bytes(first.encode() + journal.read_bytes()[journal.read_bytes().index(b"\n") :])
    outcome = fstmetrics(*oracle, "--resume")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "expected format fstmetrics-journal/7, found 'fstmetrics-journal/9'" in outcome.err


@pytest.mark.parametrize("share", [0, 0.5])
def test_a_run_that_was_stopped_in_its_first_line(share: float, oracle: list[str], tmp_path: Path) -> None:
    """Nothing was finished, so nothing can be lost."""
    whole = fstmetrics(*oracle)
    stopped_in_the_middle(oracle, tmp_path)
    journal, partial = tmp_path / "o.jsonl.journal", tmp_path / "o.jsonl.partial"
    journal.write_bytes(journal.read_bytes()[: int(share * journal.read_bytes().index(b"\n"))])
    partial.write_bytes(b"")
    assert fstmetrics(*oracle, "--resume").out == whole.out
    assert sorted(os.listdir(tmp_path)) == ["lat.ark", "o.jsonl", "ref.txt"]


def test_a_signal_before_what_is_finished_was_gone_through(
    oracle: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that goes on and is stopped at once loses nothing of what was finished before."""
    whole = fstmetrics(*oracle)
    stopped_in_the_middle(oracle, tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.glob("o.jsonl.*")}
    batch = Unfinished._batch
    for batches in (0, 2):
        seen: list[object] = []

        def stopped(
            self: Unfinished[Any], *given: Any, seen: list[object] = seen, last: int = batches
        ) -> Any:
            seen.append(given)
            if len(seen) > last:
                raise Stopped(signal.SIGTERM)
            return batch(self, *given)

        monkeypatch.setattr(Unfinished, "_batch", stopped)
        outcome = fstmetrics(*oracle, "--resume")
        said = f"what was finished before is in {tmp_path}/o.jsonl.partial; the same command with --resume"
        assert outcome.status == 143
        assert outcome.err == f"fstmetrics: stopped; {said} continues from there\n"
        assert {path: path.read_bytes() for path in tmp_path.glob("o.jsonl.*")} == before
    monkeypatch.undo()
    assert fstmetrics(*oracle, "--resume").out == whole.out


def test_a_signal_behind_the_last_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The records have their name: the run is over, and says so."""
    text, replace = written(tmp_path / "r", "a b\n" * 9), os.replace

    def stopped(*paths: str) -> None:
        replace(*paths)
        raise Stopped(signal.SIGTERM)

    monkeypatch.setattr(os, "replace", stopped)
    outcome = fstmetrics("score", text, text, "--output", tmp_path / "o")
    assert (outcome.status, outcome.out) == (143, "")
    assert outcome.err == f"fstmetrics: stopped; all items are finished and in {tmp_path}/o\n"
    assert sorted(os.listdir(tmp_path)) == ["o", "r"]
    assert (tmp_path / "o").read_text().count("\n") == 9


def test_a_run_that_ends_while_another_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it opened has meanwhile become the other's output, which it must not touch."""
    import fcntl

    text, flock = written(tmp_path / "r", "a b\n" * 9), fcntl.flock
    first = fstmetrics("score", text, text, "--output", tmp_path / "o")
    records = (tmp_path / "o").read_bytes()

    def late(file: int, how: int) -> None:
        if monkeypatch:
            monkeypatch.undo()
            fstmetrics("score", text, text, "--output", tmp_path / "o")
        flock(file, how)

    monkeypatch.setattr(fcntl, "flock", late)
    outcome = fstmetrics("score", text, text, "--output", tmp_path / "o")
    assert outcome.err == f"fstmetrics: {tmp_path}/o.partial is being written by another run\n"
    assert (tmp_path / "o").read_bytes() == records
    assert fstmetrics("score", text, text, "--output", tmp_path / "o").out == first.out
    assert sorted(os.listdir(tmp_path)) == ["o", "r"]


@pytest.mark.parametrize("file", ["partial", "journal"])
@pytest.mark.parametrize("kind", ["fifo", "folder"])
def test_what_lies_beside_is_no_file(file: str, kind: str, tmp_path: Path) -> None:
    """Above all, no pipe is waited for."""
    text, place = written(tmp_path / "r", "a b\n"), tmp_path / f"o.{file}"
    os.mkfifo(place) if kind == "fifo" else place.mkdir()
    outcome = fstmetrics("score", text, text, "--output", tmp_path / "o")
    assert outcome.err == f"fstmetrics: {place} is no plain file, and a run writes through none; remove it\n"
    assert sorted(os.listdir(tmp_path)) == sorted([place.name, "r"])


@pytest.mark.parametrize("options", [(), ("--resume",)])
@pytest.mark.parametrize("file", ["partial", "journal"])
def test_nothing_is_written_through_links(
    file: str, options: tuple[str, ...], oracle: list[str], tmp_path: Path
) -> None:
    victim, link = written(tmp_path / "victim", "precious\n"), tmp_path / f"o.jsonl.{file}"
    for target in (victim, tmp_path / "missing"):
        link.symlink_to(target)
        outcome = fstmetrics(*oracle, *options)
        assert (outcome.status, outcome.out) == (2, "")
        assert outcome.err == f"fstmetrics: {link} is a link, and a run writes through none; remove it\n"
        assert victim.read_text() == "precious\n"
        assert sorted(os.listdir(tmp_path)) == sorted(["lat.ark", "ref.txt", "victim", link.name])
        link.unlink()


def test_a_link_that_comes_at_the_last_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    victim = written(tmp_path / "victim", "precious\n")
    (tmp_path / "o.partial").symlink_to(victim)
    monkeypatch.setattr(os.path, "lexists", lambda path: False)
    run = Unfinished(str(tmp_path / "o"), {}, False)
    with pytest.raises(fm.FstmetricsError, match="cannot be written"):
        run.__enter__()
    assert victim.read_text() == "precious\n"


@pytest.mark.parametrize("file", ["partial", "journal"])
@pytest.mark.parametrize("where", [0.1, 0.5, 0.9])
def test_a_byte_that_has_changed(file: str, where: float, oracle: list[str], tmp_path: Path) -> None:
    """Its item and those after it are done again."""
    whole = fstmetrics(*oracle)
    expected = (tmp_path / "o.jsonl").read_bytes()
    stopped_in_the_middle(oracle, tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.glob("o.jsonl.*")}
    assert len(before) == 2
    for flip in (1, 16):
        for path, data in before.items():
            path.write_bytes(data)
        data = bytearray(before[tmp_path / f"o.jsonl.{file}"])
        first = data.index(b"\n") + 1 if file == "journal" else 0  # the settings are another matter
        data[first + int(where * (len(data) - first))] ^= flip
        (tmp_path / f"o.jsonl.{file}").write_bytes(data)
        assert fstmetrics(*oracle, "--resume").out == whole.out
        assert (tmp_path / "o.jsonl").read_bytes() == expected


def test_resume_needs_a_file() -> None:
    for options in ((), ("--output", "-")):
        outcome = fstmetrics("oracle", *ORACLE, *options, "--resume")
        assert (outcome.status, outcome.out) == (2, "")
        assert "--resume continues the records of --output FILE" in outcome.err


def test_resume_where_nothing_was_stopped(oracle: list[str], tmp_path: Path) -> None:
    first = fstmetrics(*oracle, "--resume")
    records = (tmp_path / "o.jsonl").read_bytes()
    assert fstmetrics(*oracle, "--resume").out == first.out
    assert (tmp_path / "o.jsonl").read_bytes() == records


@pytest.mark.parametrize(
    "command",
    [
        ["oracle", *ORACLE, "--metric", "grr"],
        ["oracle", *ORACLE, "--nbest", "3"],
        ["hyter", *HYTER, "--window", "3"],
        ["oracle", "ref.txt", "lat.ark", "--keep-going"],
    ],
)
def test_any_number_of_jobs_gives_the_same(
    command: list[str], oracle: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = []
    for jobs in (1, 2, 3, 8):
        outcome = fstmetrics(*command, "--output", "o", "--json", "--jobs", jobs)
        found.append((outcome.status, outcome.out, outcome.err, (tmp_path / "o").read_bytes()))
    assert found == [found[0]] * 4
    assert found[0][0] == (1 if "--keep-going" in command else 0)


def bad_folder(tmp_path: Path) -> tuple[Path, Path]:
    """A damaged lattice, one without a path, one with a cycle, and two good ones."""
    folder = tmp_path / "lattices"
    folder.mkdir()
    good = "N=2 L=1\nI=0\nI=1\nJ=0 S=0 E=1 W=a\n"
    for name, text in (
        ("u-1.slf", good),
        ("u-2.slf", good.replace("E=1", "E=9")),
        ("u-3.slf", "N=3 L=2 start=0 end=2\nI=0\nI=1\nI=2\nJ=0 S=0 E=1 W=a\nJ=1 S=1 E=0 W=b\n"),
        ("u-4.slf", good.replace("W=a", "W=b")),
        ("u-5.slf", "N=3 L=2 start=0 end=2\nI=0\nI=1\nI=2\nJ=0 S=0 E=1 W=a\nJ=1 S=0 E=1 W=b\n"),
    ):
        written(folder / name, text)
    return written(tmp_path / "refs.txt", "".join(f"u-{i} a\n" for i in range(1, 6))), folder


def test_bad_items_of_a_folder(tmp_path: Path) -> None:
    ref, folder = bad_folder(tmp_path)
    stopped = fstmetrics("oracle", ref, folder)
    assert (stopped.status, stopped.out) == (2, "")
    assert stopped.err.startswith(f"fstmetrics: {folder}/u-2.slf:4: state 9 is out of range")
    outcome = fstmetrics("oracle", ref, folder, "--keep-going", "--output", tmp_path / "o")
    assert outcome.status == 1
    faults = outcome.err.splitlines()
    assert len(faults) == 3
    assert "u-2.slf:4: state 9" in faults[0]
    assert "u-3" in faults[1]
    assert "u-5: no path" in faults[2]
    assert (
        "2 items\n3 left out: not readable, or not scored because of an error\n"
        in "\n".join(sorted(outcome.out.splitlines(), key=lambda line: not line.endswith("items")))
        or "3 left out: not readable, or not scored because of an error\n" in outcome.out
    )
    assert (tmp_path / "o").read_text().count("\n") == 2
    found = fstmetrics("oracle", ref, folder, "--keep-going", "--json")
    assert found.status == 1
    assert '"items": 2, "skipped": 0, "faults": 3,' in found.out


def test_a_search_limit_is_a_bad_item(tmp_path: Path) -> None:
    cyclic = "u-2\n0 1 a 1,2,\n1 0 b 1,2,\n1\n\n"
    lattices = written(tmp_path / "l.ark", "u-1\n0 1 a 1,2,\n1\n\n" + cyclic + "u-3\n0 1 c 1,2,\n1\n\n")
    ref = written(tmp_path / "r", "u-1 a\nu-2 b\nu-3 c\n")
    outcome = fstmetrics("oracle", ref, lattices, "--keep-going", "--output", "-")
    assert [line.split('"')[3] for line in outcome.out.splitlines()] == ["u-1", "u-3"]
    assert (outcome.status, outcome.err.count("\n")) == (1, 1)
    assert "u-2" in outcome.err


def test_nothing_follows_a_damaged_machine_in_a_binary_archive(tmp_path: Path) -> None:
    from written import Drawn, kaldi_binary

    one, two, three = (
        kaldi_binary(f"u-{i}", Drawn([(0, 1, "a", 1, 2)], {1: (0, 0)}), {"a": 7, "": 0}) for i in (1, 2, 3)
    )
    lattices = written(tmp_path / "l.ark", one + two[:-9] + three)
    ref = written(tmp_path / "r", "u-1 7\nu-2 7\nu-3 7\n")
    stopped = fstmetrics("oracle", ref, lattices)
    assert stopped.status == 2
    outcome = fstmetrics("oracle", ref, lattices, "--keep-going", "--json")
    assert outcome.status == 1
    assert '"items": 1, "skipped": 2, "faults": 1,' in outcome.out
    assert outcome.err == stopped.err
    assert "l.ark: byte " in outcome.err


def test_keep_going_leaves_out_what_has_no_partner(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", "u-1 a b\nu-2 c\n"), written(tmp_path / "h", "u-1 a b\nu-3 d\n")
    outcome = fstmetrics("score", ref, hyp, "--keep-going")
    assert outcome.status == 1
    assert (
        "\n1 item; 2 left out: h has nothing for 1 of their ids, and r has nothing for 1 of their ids\n"
        in outcome.out
    )
    assert fstmetrics("score", ref, hyp, "--keep-going", "--missing", "skip").status == 0
    assert fstmetrics("score", ref, ref, "--keep-going").status == 0
    written(tmp_path / "h", "u-8 a b\nu-9 d\n")
    told = ("--format", "kaldi-text", "--ref-format", "kaldi-text")
    assert "nothing to score" in fstmetrics("score", ref, hyp, "--keep-going", *told).err


def content(form: str, ids: list[str]) -> str:
    """A file of many items, each of which takes about as much as 100 kB."""
    if form == "n-best":
        entry = " ".join(WORDS * 3)
        return "".join(f"{id} ||| {entry} {i} ||| ||| -1\n" for id in ids for i in range(80))
    if form == "plf":
        node = "('the',-1,1),('a',-2,1),('cat',-3,1),"
        return ("(" + f"({node})," * 300 + ")\n") * len(ids)
    arcs = "".join(f"{i} {i + 1} {WORDS[i % 10]} 1.25,2.5,1_2_3\n" * 3 for i in range(300)) + "300 0,0,\n\n"
    return "".join(f"{id}\n{arcs}" for id in ids)


@pytest.mark.parametrize("form", ["archive", "gzip", "folder", "stdin", "n-best", "plf"])
def test_memory_does_not_grow_with_the_run(form: str, tmp_path: Path) -> None:
    """One batch after the other: 600 items more take no more than a batch; all at once they would take 100 MB."""
    peaks = []
    for items in (200, 800):
        ids = [f"utt-{i:04}" for i in range(items)]
        plain = "the cat\n" * items
        ref = written(tmp_path / f"ref{items}.txt", plain if form == "plf" else references(ids, 1))
        lattices = tmp_path / f"lat{items}"
        if form == "folder":
            lattices.mkdir()
            for id in ids:
                written(lattices / f"{id}.ark", content(form, [id]))
        else:
            text = content(form, ids).encode()
            written(lattices, gzip.compress(text, 1) if form == "gzip" else text)
        stdin, path = (lattices, "-") if form == "stdin" else (None, lattices)
        peaks.append(peak("oracle", ref, path, "--output", tmp_path / "o", stdin=stdin))
    assert peaks[1] - peaks[0] < 30e6, peaks


def test_an_error_says_how_the_run_goes_on(tmp_path: Path) -> None:
    """The same command alone would meet the same item again."""
    ids = [f"u-{i:02}" for i in range(9)]
    lattices = written(tmp_path / "l.ark", archive(ids, 1, {"u-07"}))
    command = ["oracle", written(tmp_path / "r", references(ids, 1)), lattices, "--output", tmp_path / "o"]
    failed = fstmetrics(*command)
    assert failed.status == 2
    how = "after that is fixed, or with --keep-going, the same command with --resume continues from there"
    assert re.search(rf"has no final state.*; \d finished items are in .*/o.partial; {how}\n$", failed.err)
    assert not (tmp_path / "o").exists()
    assert fstmetrics(*command, "--resume", "--keep-going").status == 1
    assert (tmp_path / "o").read_text().count("\n") == 8


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_record_that_needs_too_much_memory(
    jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Columns are left for single records, and the item of the one that is too large is named; the others are kept."""
    ids = [f"u{n}" for n in range(9)]
    texts = [written(tmp_path / name, references(ids, seed)) for seed, name in enumerate(("ref", "hyp"))]
    command = ["score", *texts, "--format", "kaldi-text", "--jobs", jobs]
    assert fstmetrics(*command, "--output", tmp_path / "whole.jsonl").status == 0
    whole = (tmp_path / "whole.jsonl").read_bytes()

    def full(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(NativeRecords, "written", full)
    assert fstmetrics(*command, "--output", tmp_path / "some.jsonl").status == 0
    assert (tmp_path / "some.jsonl").read_bytes() == whole
    written_json = work.written_json

    def large(record: Any) -> str:
        if record["id"] == "u5":
            raise MemoryError
        return written_json(record)

    monkeypatch.setattr(work, "written_json", large)
    refused = fstmetrics(*command, "--output", tmp_path / "few.jsonl")
    assert refused.status == 2
    assert refused.err.startswith("fstmetrics: item u5: its record needs more memory than there is")
    assert (tmp_path / "few.jsonl.partial").read_bytes() == b"".join(whole.splitlines(True)[:5])
