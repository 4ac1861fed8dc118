"""Whether the differences of runs are real: `standings`, all pairs under all metrics, and those of groups of items.

`speech_tests` has the tests of two speech recognisers that stand beside the bootstrap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.analysis.record_table import RecordTable
from fstmetrics.evaluation.significance.matched_pairs import Paths, matched_pairs
from fstmetrics.evaluation.significance.p_values import bootstrap_p
from fstmetrics.evaluation.significance.sc_stats import sentence_verdict
from fstmetrics.metrics.corpus import metric_of
from fstmetrics.readers.record_schema import ERROR_RATES
from fstmetrics.scoring.resampling import Resampling, bootstrap_sums
from fstmetrics.scoring.statistics import Statistics
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]

# Items below which resamples of them say nothing.
FEWEST = 5
# Resamples, as many as `compare` takes by default; fewer where there are many items, whose p values vary less.
SAMPLES, FEWER = 10_000, 1000
MANY = 20_000
# What is outside of an interval on either side.
OUTSIDE = 0.025


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
    items = max(len(found) for found in systems[0])
    everything = np.arange(items)
    return _standings(systems, everything, SAMPLES if items < MANY else FEWER, 1)


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
        rows = _standings(systems, order[begin:end], FEWER, FEWEST) if end > begin else None
        for m, column in enumerate(found):
            column.append(rows[m] if rows and systems[0][m].metric.columns else None)
    return found


def _standings(
    systems: Sequence[Sequence[Statistics]], items: Integers, samples: int, fewest: int
) -> list[Standing]:
    """Of some items; `fewest` of them are tested."""
    tables: list[list[Any]] = [
        [s.values[items] if s.metric.columns else None for s in system] for system in systems
    ]
    known = [table for row in tables for table in row if table is not None]
    drawn: Iterator[Floats] = iter(())
    if len(items) >= fewest:
        drawn = iter(bootstrap_sums(known, Resampling(samples)))
    resampled = [
        [
            None if table is None or len(items) < fewest else _scores(s, next(drawn))
            for s, table in zip(system, row, strict=True)
        ]
        for system, row in zip(systems, tables, strict=True)
    ]
    whole = len(items) == max(len(s) for s in systems[0])
    found = []
    for m in range(len(systems[0])):
        scores = [
            s[m].score if row[m] is None or whole else float(s[m].metric.corpus_score(row[m].sum(axis=0)))
            for s, row in zip(systems, tables, strict=True)
        ]
        several = [row[m] for row in resampled]
        found.append(_standing(scores, several, [row[m] for row in tables], samples, whole))
    return found


def _scores(statistics: Statistics, sums: Floats) -> Floats:
    return np.asarray(statistics.metric.corpus_score(sums), dtype=np.float64)


def _standing(
    scores: Sequence[float],
    resampled: Sequence[Floats | None],
    tables: Sequence[Floats | None],
    samples: int,
    alike: bool,
) -> Standing:
    """With `alike`, also systems that are the same in all items are tested."""
    finite = [rows is not None and bool(np.isfinite(rows).all()) for rows in resampled]
    p: list[float | None] = []
    for a, b in pairs_of(len(scores)):
        one, two = resampled[a], resampled[b]
        tested = finite[a] and finite[b] and (alike or not np.array_equal(tables[a], tables[b]))  # type: ignore[arg-type]
        p.append(bootstrap_p(scores[b] - scores[a], two - one) if tested else None)  # type: ignore[operator]
    if not all(finite):
        return Standing(scores, None, p, 0)
    outside = [OUTSIDE, 1 - OUTSIDE]
    intervals = [tuple(np.quantile(rows, outside).tolist()) for rows in resampled]  # type: ignore[arg-type]
    return Standing(scores, intervals, p, samples)


def speech_tests(first: RecordTable, second: RecordTable) -> Iterator[tuple[str, float, str]]:
    """The tests of two speech recognisers: the name, the p value, and what there is to say of it."""
    yield from _mapsswe(first, second)
    if metric_of(first.metric) in ERROR_RATES:
        right = sentence_verdict(first.errors.astype(np.float64), second.errors.astype(np.float64))
        yield "McNemar", right.p, "on items without any error"


def _mapsswe(first: RecordTable, second: RecordTable) -> Iterator[tuple[str, float, str]]:
    """The test on segments, of word error rates."""
    if first.metric != "wer" or first.has("*").any() or second.has("*").any():
        return
    # Items that both have right have no segment with an error.
    some = np.flatnonzero(first.errors + second.errors)
    one, two = (Paths(*table.chosen(some).all_sides()) for table in (first, second))
    try:
        found = matched_pairs(one, two, one.errors, two.errors)
    except FstmetricsError:  # strings too long for its alignments
        return
    yield "MAPSSWE", found.p, f"on {found.segments:,} segments with errors, as NIST's sc_stats"
