"""Whole commands as a user runs them: `Command`, and `used`, the time and the memory that one takes."""

from __future__ import annotations

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import peers
from bench.measure import DisagreementError, Use

# Starts a process from a small one, as the peak of a process begins with that of the one that started it.
LAUNCHER = """
import json, os, resource, sys, time
begin = time.perf_counter()
child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
wall, use = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([status, wall, use.ru_utime + use.ru_stime, use.ru_maxrss / 1e3]), file=sys.stderr)
"""


class StoppedError(Exception):
    """A command took longer than it may."""


@dataclass(frozen=True)
class Command:
    """What is typed.

    Attributes:
        name: what the page calls it.
        words: the command; the first is looked up beside Python, then in the path.
        answer: of what it prints, the numbers that all commands of a question must have; None: it has none of them.
        leaves_out: what the others do and it does not.
        hint: how to install it.
    """

    name: str
    words: Sequence[str]
    answer: Callable[[str], Sequence[float]] | None = None
    leaves_out: str = ""
    hint: str = ""

    @property
    def program(self) -> str:
        """What the program is called."""
        return self.name.split()[0].strip(",:")

    def found(self) -> list[str]:
        """The command with the path of its program; raises MissingError."""
        beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        program = shutil.which(self.words[0], path=beside)
        if program is None:
            raise peers.MissingError(self.hint or f"needs {self.words[0]}")
        return [program, *self.words[1:]]


def used(command: Command, folder: Path, seconds: float | None = None) -> tuple[Use, str]:
    """What a command takes, with all processes that it starts, and what it prints: on standard output, or else on the
    other one.

    Args:
        folder: in which it runs.
        seconds: after which it is stopped.

    Raises:
        MissingError: it is not installed.
        StoppedError: it was stopped.
        RuntimeError: it failed.
    """
    words = [sys.executable, "-I", "-S", "-c", LAUNCHER, *command.found()]
    process = subprocess.Popen(
        words,
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        raise StoppedError(command.name) from None
    *said, last = err.strip().splitlines()
    status, wall, cpu, peak = json.loads(last)
    if status:
        raise RuntimeError(f"{command.name} failed: {' '.join(said[-3:])}")
    return Use(wall, cpu, peak), out or "\n".join(said)


def middle(uses: Sequence[Use]) -> Use:
    """The median of each number."""
    return Use(*(statistics.median(column) for column in zip(*uses, strict=True)))


def check_same(question: str, answers: dict[str, Sequence[float]]) -> None:
    """Raise a DisagreementError where commands say different numbers."""
    first = next(iter(answers.values()), ())
    for name, answer in answers.items():
        if len(answer) != len(first) or any(abs(a - b) > 1e-9 for a, b in zip(answer, first, strict=True)):
            raise DisagreementError(f"{question} {answers} ({name})")


def cpu_of_process(*command: str) -> float:
    """CPU milliseconds of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def environment() -> dict[str, str]:
    """Installed packages have their bytecode: it is not made anew, whatever the environment says."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
