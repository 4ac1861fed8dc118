"""Waiting with an end: for threads, processes and what they do. A test that would hang fails, and says for what it
waited."""

from __future__ import annotations

import faulthandler
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

# Seconds after which what is waited for no longer comes, on a machine that does much else.
LIMIT = 120.0


def joined(thread: threading.Thread, limit: float = LIMIT) -> None:
    """Wait for the end of a thread; where it does not come, all threads' stacks are in the output of the test."""
    thread.join(limit)
    if thread.is_alive():
        faulthandler.dump_traceback(sys.__stderr__)
        pytest.fail(f"thread {thread.name!r} still runs after {limit} s")


def ended(process: subprocess.Popen[Any], limit: float = LIMIT) -> tuple[bytes, bytes]:
    """Wait for the end of a process; returns what it printed. One that does not end is killed."""
    try:
        out, err = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        pytest.fail(f"{process.args} still ran after {limit} s; it printed {out!r} and {err!r}")
    return out, err


def ran(command: list[Any], limit: float = LIMIT, **options: Any) -> subprocess.CompletedProcess[Any]:
    """`subprocess.run` of a command that must end, whose status nobody has looked at."""
    try:
        return subprocess.run(command, timeout=limit, check=False, **options)
    except subprocess.TimeoutExpired as late:
        pytest.fail(f"{command} still ran after {limit} s; it printed {late.output!r} and {late.stderr!r}")


def forked_status(child: int, limit: float = LIMIT) -> int:
    """Wait for the end of a forked process, as `os.waitpid` has it. One that does not end is killed."""
    handle = os.pidfd_open(child) if hasattr(os, "pidfd_open") else None
    if handle is not None:
        try:
            is_over = bool(select.select([handle], [], [], limit)[0])
        finally:
            os.close(handle)
        if not is_over:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            pytest.fail(f"a forked process still ran after {limit} s")
    return os.waitpid(child, 0)[1]


def wait_until(what: Callable[[], object], named: str, limit: float = LIMIT) -> None:
    """Ask again and again, until it is so.

    Args:
        what: whether it is so.
        named: for the message.
        limit: seconds.
    """
    end = time.monotonic() + limit
    while not what():
        if time.monotonic() > end:
            pytest.fail(f"{named}: not so after {limit} s")
        time.sleep(0.005)


def ready(process: subprocess.Popen[bytes], limit: float = LIMIT) -> bytes:
    """The first byte that a process prints."""
    assert process.stdout
    if not select.select([process.stdout], [], [], limit)[0]:
        process.kill()
        pytest.fail(f"{process.args} printed nothing in {limit} s; {process.communicate()[1]!r}")
    return process.stdout.read(1)
