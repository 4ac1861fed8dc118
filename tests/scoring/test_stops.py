"""Every command that writes, stopped at random moments, once or twice: nothing half-written stays behind."""

from __future__ import annotations

import itertools
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType

import pytest
from command import HYTER, ORACLE, fstmetrics, started, written
from time_limits import ended, ran, ready

from fstmetrics.scoring import journal
from fstmetrics.scoring.journal import Unfinished
from fstmetrics.support import signals

# Stops of each command; more of them by hand.
STOPS = int(os.environ.get("FSTMETRICS_STOPS", "2"))
LATTICES = ORACLE[1]
COMMANDS = {
    "oracle": f"oracle {ORACLE[0]} {LATTICES} --metric grr --output out",
    "mbr": f"mbr {LATTICES} --output out",
    "hyter": f"hyter {HYTER[0]} {HYTER[1]} --window 3 --output out",
    "score": "score lines lines --output out",
    "bleu": "score lines lines --metric bleu --output out",
    "convert": f"convert {LATTICES} out --to kaldi-lattice --write-symbols symbols --lossy",
    "convert-folder": f"convert {LATTICES} out/ --to att --lossy",
    "features": f"features {HYTER[0]} {HYTER[1]} --output out",
    "tune": "tune nbest --ref few --weights weights --metric wer --starts 200 -o out",
    "show": "show records --limit 0 --style csv --output out",
    "report": "report records --output out",
    "union": f"network union {HYTER[0]}/station.json {HYTER[0]}/station.json --output out --to json",
    "build": "network build some --output out",
    "draw": f"network draw {HYTER[0]}/station.json --output out --to dot",
    "correlate": "correlate scores --samples 50 --output out --plot picture.png",
    "variants": "variants some --ref some --plot picture.png",
}  # fmt: skip
# Says that Python is there, which has its own way to stop while it starts.
READY = (
    "import os; from fstmetrics.__main__ import main; from fstmetrics.support.signals import listen\n"
    "listen(); os.write(1, b'.'); main()"
)
# What a run leaves behind that may go on.
UNFINISHED = ("out.journal", "out.partial")


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    written(folder / "lines", "".join(f"a b c {i} d e f g\n" for i in range(2000)))
    fstmetrics("score", folder / "lines", folder / "lines", "--alignment", "--output", folder / "records")
    written(folder / "some", "".join(f"a b c {i} d e f g\n" for i in range(200)))
    written(folder / "few", "".join(f"a b c {i}\n" for i in range(20)))
    rng = random.Random(1)
    entries = (
        f"{i} ||| a b {rng.choice('cd')} {i} ||| x= {rng.gauss(0, 1)} y= {rng.gauss(0, 1)}\n"
        for i in range(20)
        for _ in range(20)
    )
    written(folder / "nbest", "".join(entries))
    written(folder / "weights", "x 1\ny 1\n")
    lines = "".join(f"s{i % 4}\t{i // 4}\t{i % 7}\t{i % 5}\n" for i in range(400))
    written(folder / "scores", "system\tsegment\thuman\tbleu\n" + lines)
    return folder


@pytest.mark.parametrize(
    ("name", "closed"), [("score", (2,)), ("mbr", (1,)), ("report", (1, 2)), ("draw", (0, 1, 2))]
)
def test_streams_that_are_closed(name: str, closed: tuple[int, ...], inputs: Path, tmp_path: Path) -> None:
    """They are as /dev/null; above all, no output file gets the number of one, and with it what is said there."""
    found = []
    for streams in ((), closed):
        folder = tmp_path / str(len(found))
        shutil.copytree(inputs, folder)
        redirected = " ".join(f"{number}>&-" for number in streams)
        script = f'exec "$@" {redirected}'
        command = [sys.executable, "-m", "fstmetrics", *COMMANDS[name].split()]
        done = ran(["sh", "-c", script, "sh", *command], cwd=folder, capture_output=True)
        assert done.returncode == 0, done.stderr
        found.append(outputs(folder))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "command", ["score lines lines --output -", "convert lines - --to seglst", "show records"]
)
def test_nobody_hears_what_is_printed(command: str, inputs: Path) -> None:
    script = [sys.executable, "-m", "fstmetrics", *command.split()]
    done = ran(["sh", "-c", 'exec "$@" >&-', "sh", *script], cwd=inputs, capture_output=True)
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"Traceback" not in done.stderr


def outputs(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.mark.parametrize("name", COMMANDS)
def test_stopped_at_any_moment(name: str, inputs: Path, tmp_path: Path) -> None:
    if "picture" in COMMANDS[name]:
        pytest.importorskip("matplotlib")
    seed = int(os.environ.get("FSTMETRICS_SEED", "1"))
    random_numbers = random.Random(f"{name} {seed}")
    folder = tmp_path / "whole"
    shutil.copytree(inputs, folder)
    before = outputs(folder)
    command = COMMANDS[name].split()
    begin = time.monotonic()
    process = started(*command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, err = ended(process)
    assert process.returncode == 0, err
    seconds = time.monotonic() - begin
    whole, summary = outputs(folder), err.decode()
    assert whole.keys() > before.keys()
    for number in range(STOPS):
        folder = tmp_path / str(number)
        shutil.copytree(inputs, folder)
        check_stopped(command, folder, random_numbers, seconds, before, whole, summary)
        shutil.rmtree(folder)


def check_stopped(
    command: list[str],
    folder: Path,
    random_numbers: random.Random,
    seconds: float,
    before: dict[str, bytes],
    whole: dict[str, bytes],
    summary: str,
) -> None:
    """One run; half of them get a second signal at once, as from a terminal and what was started from it."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = started(*command, program=("-c", READY), cwd=folder, **pipes)
    assert ready(process) == b"."
    first, second = random_numbers.sample(signals.SIGNALS, 2)
    time.sleep(random_numbers.uniform(0, 1.2 * seconds))
    process.send_signal(first)
    if random_numbers.random() < 0.5:
        time.sleep(random_numbers.choice([0, 0.001, 0.005, 0.02]))
        process.send_signal(second)
    _, err = ended(process)
    found, said = outputs(folder), err.decode()
    assert not [path for path in folder.rglob("*") if path.is_dir() and path.name.startswith(".")], said
    if process.returncode == 0 or "all items are finished" in said:
        assert found == whole
        return
    assert process.returncode in [128 + number for number in signals.SIGNALS], (process.returncode, said)
    *before_the_end, last = said.splitlines()  # all may be written, and the summary begun
    assert last.startswith("fstmetrics: stopped"), said
    assert not before_the_end or summary.startswith("\n".join(before_the_end) + "\n"), (said, summary)
    left = found.keys() - before.keys()
    if "has the best weights so far" in said:
        assert left == {"out"}
        lines = found["out"].decode().splitlines()
        assert [line.split()[0] for line in lines] == ["x", "y"]
        left = set()
    assert left == set(UNFINISHED) or all(found[name] == whole[name] for name in left), (left, said)
    assert {name: found[name] for name in before} == before
    if left == set(UNFINISHED):
        assert "the same command with --resume continues from there" in said
        resumed = started(*command, "--resume", cwd=folder, stdout=subprocess.DEVNULL)
        ended(resumed)
        assert resumed.returncode == 0
        assert outputs(folder) == whole


class StopAtCall:
    """A profiler that raises a signal right behind one of the calls of the journal to the system, as it may come."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.calls = 0

    def __call__(self, frame: FrameType, event: str, called: object) -> None:
        if event == "c_return" and frame.f_code.co_filename == journal.__file__:
            self.calls += 1
            if self.calls == self.number:
                signal.raise_signal(signal.SIGINT)


def journaled(path: Path, resume: bool, stop: bool = False) -> None:
    """A run of two batches with a journal, or one that is stopped between them."""
    with suppress(EOFError), Unfinished(str(path), {}, resume) as run:
        for batch in (b"one\n", b"two\n")[sum(1 for _ in run.entries()) :]:
            run.write_written(batch, b'["id", [], null, {}]', 1)
            if stop:
                raise EOFError
        run.complete()


@pytest.mark.parametrize("resume", [False, True])
def test_stopped_behind_any_call_to_the_system(
    resume: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both files stay, or neither: a journal alone would be in the way of the next run and say nothing."""
    found = set()
    for number in itertools.count(1):
        folder = tmp_path / str(number)
        folder.mkdir()
        if resume:
            journaled(folder / "out", resume, stop=True)
        monkeypatch.setattr(signals, "_last", -math.inf)
        profiler = StopAtCall(number)
        with suppress(signals.Stopped), signals.raising():
            sys.setprofile(profiler)
            try:
                journaled(folder / "out", resume)
            finally:
                sys.setprofile(None)
        left = tuple(sorted(os.listdir(folder)))
        found.add(left)
        journaled(folder / "out", left == UNFINISHED)
        assert (folder / "out").read_bytes() == b"one\ntwo\n"
        if profiler.calls < number:
            break
    assert found == {UNFINISHED, ("out",)} | (set() if resume else {()})
