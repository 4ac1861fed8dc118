"""Times and what is made of them: `cpu_ms`, `wall_ms`, and `Line`, one line of the table."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import fstmetrics as fm

Clock = Callable[[], float]

# A reading of the clock costs about a microsecond, so a block of calls between two readings takes at least this.
BLOCK_MS = 0.3
BLOCKS = 7
# Past this, a call is not repeated.
ENOUGH_MS = 1500.0

Sense = Literal["at least", "at most"]


class DisagreementError(AssertionError):
    """Two programmes gave different answers: no time may be printed."""


def agree(what: str, ours: float, theirs: float, peer: str) -> None:
    """Raises: DisagreementError: the answers differ."""
    if not math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9):
        raise DisagreementError(f"{what}: fstmetrics says {ours}, {peer} says {theirs}")


def cpu_ms(call: Callable[[], Any]) -> float:
    """Median CPU milliseconds of a call, after one that warms up."""
    return _timed(call, time.process_time, warm=True)


def wall_ms(call: Callable[[], Any]) -> float:
    """Median milliseconds by the clock on the wall, for what uses several cores."""
    return _timed(call, time.perf_counter, warm=True)


def wall_ms_once(call: Callable[[], Any]) -> float:
    """Milliseconds by the clock of one call, for whole processes."""
    return _block(call, 1, time.perf_counter)


def cpu_ms_cold(call: Callable[[], Any]) -> float:
    """Median CPU milliseconds of a call that makes its own fresh objects."""
    return _timed(call, time.process_time, warm=False)


def _timed(call: Callable[[], Any], clock: Clock, warm: bool) -> float:
    if warm:
        call()
    once = _block(call, 1, clock)
    if once > ENOUGH_MS:
        return once
    calls = max(1, math.ceil(BLOCK_MS / max(once, 1e-4)))
    return statistics.median(_block(call, calls, clock) for _ in range(BLOCKS))


def _block(call: Callable[[], Any], calls: int, clock: Clock) -> float:
    start = clock()
    for _ in range(calls):
        call()
    return (clock() - start) * 1e3 / calls


def explored(result: fm.Result) -> int:
    """Product states or cells of a search."""
    assert result.stats is not None
    return result.stats.expanded


class Use(NamedTuple):
    """What a process and those that it started took: seconds by the clock, CPU seconds, and the most memory of one of
    them at a time, in MB."""

    wall: float
    cpu: float
    peak: float


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: our time and one peer's on the same problems, and the goal.

    Attributes:
        work: what was done.
        peer: against what.
        ours, theirs: median of the problems' times, in `unit`; None where there is nothing to show.
        value: what the goal is about: the median ratio theirs / ours of the problems, unless the row says otherwise.
        worst: the least favourable ratio of a problem.
        goal, sense: what `value` should be at least or at most; None where the line is for information.
        explored, their_explored: median of states or cells explored.
        note: why there is no value, or what the value is.
        refused: our search gave up; the note says why.
        share: of problems whose ratio is good enough; None in rows that do not ask for it.
        ours_is, our_use, their_use: of whole commands, ours, and what either took.
        leaves_out: what the peer's command does not do.
    """

    work: str
    peer: str
    ours: float | None = None
    theirs: float | None = None
    value: float | None = None
    worst: float | None = None
    goal: float | None = None
    sense: Sense = "at least"
    unit: str = "ms"
    explored: float | None = None
    their_explored: float | None = None
    note: str = ""
    refused: bool = False
    share: float | None = None
    ours_is: str = ""
    our_use: Use | None = None
    their_use: Use | None = None
    leaves_out: str = ""

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached; None without a goal or without a value."""
        if self.refused:
            return False
        if self.goal is None or self.value is None:
            return None
        return self.value >= self.goal if self.sense == "at least" else self.value <= self.goal


def ratio_line(
    work: str,
    peer: str,
    ours: Sequence[float],
    theirs: Sequence[float],
    goal: float | None = None,
    **rest: Any,
) -> Line:
    """How many times faster than a peer, problem by problem: median and worst."""
    ratios = [t / o for o, t in zip(ours, theirs, strict=True)]
    median = statistics.median
    return Line(work, peer, median(ours), median(theirs), median(ratios), min(ratios), goal, **rest)


def cost_line(
    work: str,
    other: str,
    ours: Sequence[float],
    base: Sequence[float],
    goal: float | None = None,
    **rest: Any,
) -> Line:
    """How many times the time of another call of ours, problem by problem: median and worst."""
    ratios = [o / b for o, b in zip(ours, base, strict=True)]
    median = statistics.median
    return Line(work, other, median(ours), median(base), median(ratios), max(ratios), goal, "at most", **rest)


def missing(work: str, peer: str, hint: str, goal: float | None = None) -> Line:
    """A line that says what to install."""
    return Line(work, peer, goal=goal, note=hint)
