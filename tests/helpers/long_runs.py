"""For tests of long runs: archives of small lattices, runs that are killed at any byte of their output, and peaks."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from unittest import mock

from command import fstmetrics
from time_limits import LIMIT, forked_status

from fstmetrics.engine import search as batching

WORDS = ["the", "a", "cat", "hat", "sat", "on", "mat", "down", "up", "again"]


def archive(ids: list[str], seed: int, damaged: set[str] = frozenset()) -> str:  # type: ignore[assignment]
    """Small lattices in Kaldi's text form, some of them without a final state."""
    random_numbers = random.Random(seed)
    text = ""
    for id in ids:
        states = random_numbers.randint(2, 9)
        text += f"{id}\n"
        for state in range(states):
            for _ in range(random_numbers.randint(1, 3)):
                cost = random_numbers.randint(0, 9)
                text += f"{state} {state + 1} {random_numbers.choice(WORDS)} {cost},{cost}.5,1_2\n"
        text += "\n" if id in damaged else f"{states} 0,0,\n\n"
    return text


def references(ids: list[str], seed: int) -> str:
    random_numbers = random.Random(seed)
    return "".join(
        f"{id} {' '.join(random_numbers.choices(WORDS, k=random_numbers.randint(1, 9)))}\n" for id in ids
    )


@contextlib.contextmanager
def small_batches() -> object:  # type: ignore[misc]
    with mock.patch.object(batching, "FIRST_BATCH", 3), mock.patch.object(batching, "LARGEST_BATCH", 8):
        yield


def is_killed(arguments: list[str], after: int) -> bool:
    """Run a command in a process of its own that is killed (-9) as soon as it has written so many bytes."""
    child = os.fork()
    if child == 0:
        try:
            write, left = os.write, [after]

            def write_or_die(file: int, data: memoryview) -> int:
                done = write(file, data[: left[0]])
                left[0] -= done
                if left[0] <= 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return done

            with mock.patch.object(os, "write", write_or_die), small_batches():
                fstmetrics(*arguments)
        finally:
            os._exit(0)
    return os.WIFSIGNALED(forked_status(child))


# For programs that measure themselves.
OWN_PEAK = """
def peak():  # of this process, in kB; ru_maxrss would begin with the peak of the one that started it
    from pathlib import Path
    status = Path("/proc/self/status")
    return int(status.read_text().split("VmHWM:", 1)[1].split()[0]) if status.exists() else 0
"""
# How many items a batch has depends on how fast the machine is; here it does not.
FIXED_BATCHES = (
    "from fstmetrics.engine import search as batching; batching.FIRST_BATCH = batching.LARGEST_BATCH = 32; "
    "from fstmetrics.__main__ import main; main()"
)


def peak(*arguments: object, stdin: Path | None = None) -> int:
    """Bytes of a command at its largest, with batches of one size; started from a small process, as what starts it
    counts, too."""
    script = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, "-c", script, sys.executable, "-c", FIXED_BATCHES, *map(str, arguments)]
    with open(stdin or os.devnull, "rb") as stream:
        run = subprocess.run(
            command, stdin=stream, capture_output=True, text=True, check=True, timeout=5 * LIMIT
        )
    return 1024 * int(run.stdout)
