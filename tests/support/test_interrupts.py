"""Signals end what takes long within half a second, be it in a kernel, in preparation or waiting for threads."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
from command import started
from time_limits import joined

import fstmetrics as fm
from fstmetrics import _native
from fstmetrics.engine.search import searched
from fstmetrics.metrics import Metric
from fstmetrics.metrics.grr import GRR
from fstmetrics.metrics.hyter import HyTER
from fstmetrics.metrics.wer import WER
from fstmetrics.support.signals import Stopped, raising

# Before the signal; the work takes many times as long.
BEFORE = 0.15
# Of the main thread's CPU time, so that it does not matter what else the machine does.
MOST = 0.5
VOCABULARY = 500
RANDOM = np.random.default_rng(1)


def words(count: int) -> str:
    return " ".join(f"w{i}" for i in RANDOM.integers(0, VOCABULARY, count))


def graph(length: int, wide: int) -> _native.Graph:
    """A lattice of `wide` words at each of `length` places."""
    sources = np.repeat(np.arange(length, dtype=np.int32), wide)
    labels = RANDOM.integers(1, VOCABULARY + 1, length * wide).astype(np.int32)
    automaton = _native.Automaton(
        length + 1, 0, sources, labels, sources + 1, np.array([length], dtype=np.int32)
    )
    return _native.Graph(automaton.prepared(), ("", *(f"w{i}" for i in range(VOCABULARY))))


@cache
def large() -> _native.Graph:
    return graph(200_000, 5)


@cache
def middling() -> _native.Graph:
    return graph(4_000, 5)


def find(
    hypothesis: _native.Graph | str,
    reference: _native.Graph | str,
    metric: Metric | None = None,
    route: str = "auto",
    nbest: int = 1,
    items: int = 1,
    threads: int = 1,
) -> Callable[[], object]:
    options = fm.SearchOptions(route=route, threads=threads)
    sides = [hypothesis] * items, [reference] * items
    return lambda: searched(None, *sides, metric or WER(), nbest, options)


def cards(depth: int) -> str:
    """A network in which each card calls the next twice, in two ways."""
    lines = [
        f'"C{i}": {{"phrases": ["[C{i + 1}] a{i} [C{i + 1}]", "b{i} [C{i + 1}]"]}}' for i in range(depth)
    ]
    return ", ".join([*lines, f'"C{depth}": {{"phrases": ["x", "y z"]}}'])


# What makes the sides ready, and returns the work.
WORKS: dict[str, Callable[[], Callable[[], object]]] = {
    "unit-rows": lambda: find(large(), words(5000), route="unit-rows"),
    "rows": lambda: find(large(), words(1000), GRR(2), "rows"),
    "topological": lambda: find(large(), words(200), route="topological"),
    "best-first": lambda: find(large(), words(1000), route="best-first"),
    "dijkstra": lambda: find(large(), words(1000), route="dijkstra"),
    "graphs": lambda: find(graph(1_500, 5), graph(1_500, 20), route="graphs", items=2000),
    "string-pair": lambda: find(words(300_000), words(300_000)),
    "level by level": lambda: find(words(60), large(), HyTER(6)),
    "k-best": lambda: find(middling(), words(300), nbest=1000),
    "other threads": lambda: find(large(), words(5000), items=4, threads=4),
    "many short items": lambda: find(words(60), words(60), items=500_000),
    "moves of TER": lambda: partial(
        fm.TER().statistics, [words(400).split()] * 500, [[words(400).split()]] * 500
    ),
    "exchanged scores": lambda: partial(
        fm.evaluation.perm_both,
        *RANDOM.normal(size=(3, 20, 3000)),
        "kendall",
        permutations=100_000,
        blocks=None,
    ),
    "fear": lambda: partial(searched, None, [middling()], [words(300)], WER(), 10, fear=True),
}


def cpu_after_signal(work: Callable[[], object]) -> float:
    """CPU seconds from an interrupt to the exception that it raises."""
    at, clock = [0.0], time.pthread_getcpuclockid(threading.get_ident())
    ended = threading.Event()

    def interrupt() -> None:
        if not ended.wait(BEFORE):
            at[0] = time.clock_gettime(clock)
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
        return time.thread_time() - at[0]
    finally:
        ended.set()
        joined(thread)


@pytest.mark.parametrize("name", WORKS)
def test_an_interrupt_ends_a_search_at_once(name: str) -> None:
    assert cpu_after_signal(WORKS[name]()) < MOST


def test_searches_after_an_interrupt_are_right() -> None:
    """Scratch space that threads keep is left as it was in the middle of something."""
    pairs = [(words(int(n)), words(int(n))) for n in RANDOM.integers(1, 80, 20)]
    small = [graph(30, 3) for _ in range(5)]

    def numbers() -> list[int]:
        found = [searched(None, [h], [r], WER()) for h, r in pairs]
        found += [
            searched(None, [g], [r], metric) for g in small for _, r in pairs for metric in (WER(), GRR())
        ]
        found += [searched(None, [r[:120]], [g], HyTER(3)) for g in small for _, r in pairs]
        return [count for each in found for count in each.counts(0, 0)]

    before = numbers()
    for name in ("unit-rows", "rows", "topological", "level by level", "graphs"):
        cpu_after_signal(WORKS[name]())
        assert numbers() == before


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_command_in_a_search(number: signal.Signals, jobs: int, tmp_path: Path) -> None:
    rows = "".join(
        f"{i} {i + 1} w{w} 0\n"
        for i, five in enumerate(RANDOM.integers(0, VOCABULARY, (30_000, 5)))
        for w in five
    )
    for name in ("u1", "u2"):
        (tmp_path / f"{name}.att").write_text(f"{rows}30000 0\n")
    (tmp_path / "ref").write_text(f"u1 {words(60_000)}\nu2 {words(60_000)}\n")
    command = ["oracle", tmp_path / "ref", tmp_path, "--jobs", str(jobs)]
    with started(*map(str, command)) as process:
        while process.poll() is None and cpu_of(process.pid) < 1.5:
            time.sleep(0.01)
        at = last = cpu_of(process.pid)
        process.send_signal(number)
        while process.poll() is None:
            last = max(last, cpu_of(process.pid))
            time.sleep(0.01)
    assert process.returncode == 128 + number
    assert last - at < MOST


def cpu_of(pid: int) -> float:
    """CPU seconds of the main thread; 0 where it is gone."""
    try:
        fields = Path(f"/proc/{pid}/task/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("is_cause", [True, False])
def test_a_stop_that_a_library_made_another_error_of_is_a_stop(is_cause: bool) -> None:
    """As a compiled module does while it is imported; an error while files are tidied up stays what it is."""
    error, stopped = ImportError("initialization failed"), Stopped(signal.SIGTERM)
    error.__context__ = stopped
    if is_cause:
        error.__cause__ = stopped
    with pytest.raises(Stopped if is_cause else ImportError), raising():
        raise error
