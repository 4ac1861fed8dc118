"""Whether the differences of runs are real: `standings`, all pairs under all metrics, and those of groups of items.

`speech_tests` has the tests of two speech recognisers that stand beside the bootstrap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics import FstmetricsError, Statistics
from fstmetrics.analysis.record_table import RecordTable, parts_of
from fstmetrics.engine.aligned_paths import Paths
from fstmetrics.engine.resampling import Resampling
from fstmetrics.io.record_schema import quotient_of
from fstmetrics.significance import Comparison, Design, compare_statistics
from fstmetrics.significance.compare_statistics import compare_items
from fstmetrics.significance.sc_stats import pairs_of_segments, segments, sentence_verdict

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]

# Resamples, as many as `compare` takes by default; fewer where there are many items, whose p values vary less.
SAMPLES, FEWER = 10_000, 1000
MANY = 20_000


def pairs_of(systems: int) -> list[tuple[int, int]]:
    """All pairs of systems, in the order in which p values and the like are listed."""
    return list(combinations(range(systems), 2))


@dataclass(frozen=True)
class Standing:
    """Systems under one metric.

    Attributes:
        scores: of each system.
        intervals: 95% intervals of them; None where there is nothing to divide by in a resample.
        p: two-sided p values of the bootstrap, of each pair that is compared; nan where there is nothing to test.
        changes: 95% intervals of what the second of each pair is above the first; None likewise.
        samples: how often the items were resampled.
    """

    scores: Sequence[float]
    intervals: Sequence[tuple[float, float]] | None
    p: Sequence[float]
    changes: Sequence[tuple[float, float] | None]
    samples: int


def standings(systems: Sequence[Sequence[Statistics]]) -> list[Standing]:
    """Systems under each metric, in all pairs of `pairs_of`.

    Args:
        systems: of each, its statistics under every metric, all of the same items. A metric without statistics of
            items has scores only.
    """
    samples = SAMPLES if max(len(found) for found in systems[0]) < MANY else FEWER
    design = Design(resampling=Resampling(samples), pairs="all")
    try:
        found = compare_statistics(_named(systems), design)
    except FstmetricsError:  # resamples with nothing to divide by, under every metric
        pairs = len(pairs_of(len(systems)))
        untested = [np.nan] * pairs, [None] * pairs
        return [
            Standing([found.score for found in row], None, *untested, 0) for row in zip(*systems, strict=True)
        ]
    return [_standing(found, m) for m in range(len(systems[0]))]


def _named(systems: Sequence[Sequence[Statistics]]) -> dict[str, dict[str, Statistics]]:
    """By the numbers of systems and metrics, whose names may be alike."""
    return {str(n): {str(m): found for m, found in enumerate(system)} for n, system in enumerate(systems)}


def _standing(found: Comparison, m: int, of_group: bool = False) -> Standing:
    """Under a metric, by its number; of a group without p of items in which the two do not differ."""
    scores = [row[str(m)] for row in found.systems.values()]
    ends = [(s.low, s.high) for s in scores if s.low is not None and s.high is not None]
    known = ends if len(ends) == len(scores) else None
    tests = [test for test in found.tests if test.metric == str(m)]
    changes = [None if t.low is None or t.high is None else (t.low, t.high) for t in tests]
    p = [np.nan if of_group and t.low == t.high == 0 else t.p for t in tests]
    pairs = len(pairs_of(len(scores))) if found.design.pairs == "all" else len(scores) - 1
    lacking, samples = pairs - len(tests), found.design.resampling.samples if known else 0
    return Standing(
        [s.score for s in scores], known, [*p, *[np.nan] * lacking], [*changes, *[None] * lacking], samples
    )


def standings_by(
    systems: Sequence[Sequence[Statistics]], groups: Integers, number: int, asked: bool
) -> list[list[Standing | None]]:
    """The same of the items of each group alone, of each system but the first against it, as of `compare --by`.

    Args:
        systems: as of `standings`.
        groups: of every item, from 1; 0 is none.
        number: of groups.
        asked: whether they are of a field that was asked for; others get fewer resamples.

    Returns:
        By metric, by group; None of a group without an item, and under a metric without statistics of items.
    """
    order = np.argsort(groups, kind="stable")
    ends = np.searchsorted(groups[order], np.arange(1, number + 2)).tolist()
    design = Design(resampling=Resampling(SAMPLES if asked else FEWER))
    found: list[list[Standing | None]] = [[] for _ in systems[0]]
    for begin, end in pairwise(ends):
        part = compare_items(_named(systems), design, order[begin:end]) if end > begin else None
        for m, column in enumerate(found):
            column.append(_standing(part, m, True) if part and str(m) in part.metrics else None)
    return found


def speech_tests(first: RecordTable, second: RecordTable) -> Iterator[tuple[str, float, str]]:
    """The tests of two speech recognisers: the name, the p value, and what there is to say of it."""
    yield from _mapsswe(first, second)
    if quotient_of(first.metric) == "errors":
        right = sentence_verdict(first.errors.astype(np.float64), second.errors.astype(np.float64))
        yield "McNemar", right.p, "on items without any error"


def _mapsswe(first: RecordTable, second: RecordTable) -> Iterator[tuple[str, float, str]]:
    """The test on segments, of word error rates."""
    if first.metric != "wer" or first.has("*").any() or second.has("*").any():
        return
    try:
        # Of some items at a time: only their texts are in memory.
        found = [_segments(*parts) for parts in parts_of(first, second)]
    except FstmetricsError:  # strings too long for its alignments
        return
    pairs = pairs_of_segments(np.concatenate(found))
    yield "MAPSSWE", pairs.p, f"on {pairs.segments:,} segments with errors, as NIST's sc_stats"


def _segments(first: RecordTable, second: RecordTable) -> Integers:
    """Errors of both systems in the segments of some items; those that both have right have none."""
    some = np.flatnonzero(first.errors + second.errors)
    one, two = (Paths(*table.chosen(some).all_sides()) for table in (first, second))
    return segments(one, two, one.errors, two.errors)
