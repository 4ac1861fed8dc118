"""Whether the difference of two runs is real: `verdict`, for all items and for those with a value of a field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.analysis.record_table import RecordTable
from fstmetrics.evaluation.agreement.scored_runs import Quotient
from fstmetrics.evaluation.significance import Design, compare_statistics
from fstmetrics.evaluation.significance.matched_pairs import Paths, matched_pairs
from fstmetrics.evaluation.significance.p_values import bootstrap_p
from fstmetrics.evaluation.significance.sc_stats import sentence_verdict
from fstmetrics.metrics.corpus import metric_of
from fstmetrics.readers.record_lines import ERROR_RATES, RECOGNITION_RATES
from fstmetrics.scoring.resampling import Resampling, bootstrap_sums
from fstmetrics.scoring.statistics import Statistics
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus import Table

    Integers = npt.NDArray[np.int64]

# Items below which resamples of them say nothing.
FEWEST = 5
# Resamples, as many as `compare` takes by default; fewer where there are many items, whose p values vary less.
SAMPLES, FEWER = 10_000, 1000
MANY = 20_000


@dataclass(frozen=True)
class Verdict:
    """Two systems and the difference of their scores.

    Attributes:
        scores: each system's score with the low and the high end of its 95% interval.
        tests: each test's name, two-sided p value, and what there is to say of it; the first one decides.
    """

    scores: Sequence[tuple[float, float, float]]
    tests: Sequence[tuple[str, float, str]]


def quotients(table: RecordTable) -> npt.NDArray[np.float64] | None:
    """Numerator and denominator of each item's score, shape [items, 2]; None where records do not tell."""
    metric = metric_of(table.metric)
    if metric in RECOGNITION_RATES:
        return np.stack([table.gain, table.max_gain], axis=1)
    if metric in ERROR_RATES:
        return np.stack([table.errors, table.counts["path_length"]], axis=1).astype(np.float64)
    return None


def _metric(table: RecordTable) -> Quotient:
    return Quotient(table.metric, metric_of(table.metric) in RECOGNITION_RATES)


def verdict(first: RecordTable, second: RecordTable) -> Verdict | None:
    """Test two systems.

    Args:
        first, second: their records, of the same items in the same order.

    Returns:
        None where there is nothing to test: scores that records do not tell, or nothing to divide by in a resample.
    """
    tables = quotients(first), quotients(second)
    if tables[0] is None or tables[1] is None:
        return None
    metric = _metric(first)
    samples = SAMPLES if len(first) < MANY else FEWER
    systems = {
        name: {metric.name: Statistics(metric, values)}
        for name, values in (("first", tables[0]), ("second", tables[1]))
    }
    try:
        found = compare_statistics(systems, Design(resampling=Resampling(samples)))
    except FstmetricsError:
        return None
    scores = [found.systems[name][metric.name] for name in systems]
    if any(score.low is None or score.high is None for score in scores):
        return None
    mine, theirs = first.errors, second.errors
    right = sentence_verdict(mine.astype(np.float64), theirs.astype(np.float64))
    return Verdict(
        [(score.score, float(score.low or 0), float(score.high or 0)) for score in scores],
        [
            *_mapsswe(first, second),
            ("bootstrap", found.tests[0].p, f"{samples:,} resamples of the items"),
            ("McNemar", right.p, "on items without any error"),
        ],
    )


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


def verdicts_by(first: RecordTable, second: RecordTable, groups: Integers, number: int) -> list[float | None]:
    """The same test for the items of each group.

    Args:
        first, second: two systems on the same items in the same order.
        groups: of every item, from 1.
        number: of groups.

    Returns:
        The p value of each group; None where there is nothing to test.
    """
    tables = quotients(first), quotients(second)
    if tables[0] is None or tables[1] is None:
        return [None] * number
    metric = _metric(first)
    order = np.argsort(groups, kind="stable")
    ends = np.searchsorted(groups[order], np.arange(1, number + 2))
    found = []
    for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        some = order[begin:end]
        found.append(_p(metric, tables[0][some], tables[1][some]))
    return found


def _p(metric: Quotient, first: Table, second: Table) -> float | None:
    """The bootstrap's p alone, as of `compare_statistics`."""
    if len(first) < FEWEST or (first == second).all():
        return None
    resampled = [metric.corpus_score(sums) for sums in bootstrap_sums([first, second], Resampling(FEWER))]
    if not all(np.isfinite(scores).all() for scores in resampled):
        return None
    one, two = (float(metric.corpus_score(table.sum(axis=0))) for table in (first, second))
    return bootstrap_p(two - one, resampled[1] - resampled[0])
