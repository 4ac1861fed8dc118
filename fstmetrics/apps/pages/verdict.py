"""Whether the differences of runs are real: `standings`, all pairs under all metrics, and those of groups of items.

`speech_tests` has the tests of two speech recognisers that stand beside the bootstrap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics import FstmetricsError, Statistics
from fstmetrics.analysis.record_table import RecordTable, parts_of
from fstmetrics.engine.aligned_paths import Paths
from fstmetrics.engine.resampling import Resampling, bootstrap_sums
from fstmetrics.io.record_schema import quotient_of
from fstmetrics.significance import Design, compare_statistics
from fstmetrics.significance.compare_statistics import scored_places
from fstmetrics.significance.matched_pairs import pairs_of_segments, segments
from fstmetrics.significance.p_values import bootstrap_p
from fstmetrics.significance.sc_stats import sentence_verdict

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]

# Items below which resamples of them say nothing.
FEWEST = 5
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
        p: two-sided p values of the bootstrap for each pair of `pairs_of`; None where there is nothing to test.
        samples: how often the items were resampled.
    """

    scores: Sequence[float]
    intervals: Sequence[tuple[float, float]] | None
    p: Sequence[float | None]
    samples: int


def standings(systems: Sequence[Sequence[Statistics]]) -> list[Standing]:
    """Systems under each metric.

    Args:
        systems: of each, its statistics under every metric, all of the same items. A metric without statistics of
            items has scores only.
    """
    samples = SAMPLES if max(len(found) for found in systems[0]) < MANY else FEWER
    named = [{str(m): found for m, found in enumerate(system)} for system in systems]
    try:
        return _compared(named, samples)
    except FstmetricsError:  # a resample with nothing to divide by: of which metric, each shows by itself
        return [_alone([system[m] for system in systems], samples) for m in range(len(systems[0]))]


def _alone(systems: Sequence[Statistics], samples: int) -> Standing:
    """Under one metric, without tests where there is nothing to divide by."""
    try:
        return _compared([{"0": found} for found in systems], samples)[0]
    except FstmetricsError:
        return Standing([found.score for found in systems], None, [None] * len(pairs_of(len(systems))), 0)


def _compared(systems: Sequence[Mapping[str, Statistics]], samples: int) -> list[Standing]:
    names = [str(n) for n in range(len(systems))]
    design = Design(resampling=Resampling(samples), pairs="all")
    found = compare_statistics(dict(zip(names, systems, strict=True)), design)
    tests = {(test.baseline, test.system, test.metric): test.p for test in found.tests}
    rows = []
    for m in systems[0]:
        scores = [found.systems[name][m] for name in names]
        ends = [(s.low, s.high) for s in scores if s.low is not None and s.high is not None]
        known = ends if len(ends) == len(scores) else None
        p = [tests.get((names[a], names[b], m)) for a, b in pairs_of(len(names))]
        rows.append(Standing([s.score for s in scores], known, p, samples if known else 0))
    return rows


def standings_by(
    systems: Sequence[Sequence[Statistics]], groups: Integers, number: int
) -> list[list[Standing | None]]:
    """The same of the items of each group alone, with fewer resamples.

    Args:
        systems: as of `standings`.
        groups: of every item, from 1; 0 is none.
        number: of groups.

    Returns:
        By metric, by group; None of a group without an item, and under a metric without statistics of items.
    """
    order = np.argsort(groups, kind="stable")
    ends = np.searchsorted(groups[order], np.arange(1, number + 2)).tolist()
    found: list[list[Standing | None]] = [[] for _ in systems[0]]
    for begin, end in pairwise(ends):
        rows = _standings(systems, order[begin:end]) if end > begin else None
        for m, column in enumerate(found):
            column.append(rows[m] if rows and systems[0][m].metric.columns else None)
    return found


def _standings(systems: Sequence[Sequence[Statistics]], items: Integers) -> list[Standing]:
    """Of some items."""
    tables = [[s.table.taken(items) if s.metric.columns else None for s in system] for system in systems]
    known = [table for row in tables for table in row if table is not None]
    is_tested = len(items) >= FEWEST and len(systems) > 1
    drawn: Iterator[Floats] = iter(bootstrap_sums(known, Resampling(FEWER)) if is_tested else ())
    metrics = [found.metric for found in systems[0]]
    resampled = [
        [
            None if table is None or not is_tested else np.asarray(metric.corpus_score(next(drawn)))
            for metric, table in zip(metrics, row, strict=True)
        ]
        for row in tables
    ]
    found = []
    for m, metric in enumerate(metrics):
        own = [None if table is None else table.values for table in (row[m] for row in tables)]
        scores = [np.nan if table is None else float(metric.corpus_score(table.sum(axis=0))) for table in own]
        # Without a score of some items, the others would have to be resampled by themselves.
        complete = scored_places([system[m] for system in systems]) is None
        p: list[float | None] = []
        for a, b in pairs_of(len(systems)):
            one, two = resampled[a][m], resampled[b][m]
            testable = one is not None and two is not None and not np.array_equal(own[a], own[b])  # type: ignore[arg-type]
            if testable and complete and np.isfinite(one).all() and np.isfinite(two).all():  # type: ignore[arg-type]
                p.append(bootstrap_p(scores[b] - scores[a], two - one))  # type: ignore[operator]
            else:
                p.append(None)
        found.append(Standing(scores, None, p, FEWER))
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
