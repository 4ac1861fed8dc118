"""Whether the difference of two runs is real: `verdict`, for all items and for those with a value of a field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.analysis.record_table import RecordTable
from fstmetrics.evaluation.agreement.scored_runs import Quotient
from fstmetrics.evaluation.significance import Design, compare_statistics
from fstmetrics.evaluation.significance.matched_pairs import Paths, matched_pairs
from fstmetrics.evaluation.significance.p_values import bootstrap_p
from fstmetrics.evaluation.significance.sc_stats import sentence_verdict
from fstmetrics.metrics import as_corpus_metric
from fstmetrics.metrics.corpus import CorpusMetric, metric_of
from fstmetrics.readers.record_schema import ALIGNMENT_RATES, ERROR_RATES, RECOGNITION_RATES
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
        samples: how often the items were resampled for the intervals.
    """

    scores: Sequence[tuple[float, float, float]]
    tests: Sequence[tuple[str, float, str]]
    samples: int


def statistics_of(table: RecordTable) -> Statistics | None:
    """What the score of each item is made of, and how; None where records do not tell."""
    metric, counts = metric_of(table.metric), table.counts
    edits, matches, length = counts["edits"], counts["matches"], counts["path_length"]
    if metric in RECOGNITION_RATES:
        return _statistics(Quotient(table.metric, True), table.gain, table.max_gain)
    if metric in ERROR_RATES:
        return _statistics(Quotient(table.metric, False), table.errors, length)
    if metric == "mer":
        return _statistics(Quotient(table.metric, False), edits, edits + matches)
    if metric in ALIGNMENT_RATES:
        spoken = matches + counts["substitutions"] + counts["insertions"]
        return _statistics(as_corpus_metric(metric), matches, length, spoken)
    return None


def _statistics(metric: CorpusMetric, *columns: npt.NDArray[Any]) -> Statistics:
    return Statistics(metric, np.stack(columns, axis=1).astype(np.float64))


def verdict(first: RecordTable, second: RecordTable) -> Verdict | None:
    """Test two systems.

    Args:
        first, second: their records, of the same items in the same order.

    Returns:
        None where there is nothing to test: scores that records do not tell, or nothing to divide by in a resample.
    """
    one, two = statistics_of(first), statistics_of(second)
    if one is None or two is None:
        return None
    metric = one.metric
    samples = SAMPLES if len(first) < MANY else FEWER
    systems = {"first": {metric.name: one}, "second": {metric.name: two}}
    try:
        found = compare_statistics(systems, Design(resampling=Resampling(samples)))
    except FstmetricsError:
        return None
    scores = [found.systems[name][metric.name] for name in systems]
    if any(score.low is None or score.high is None for score in scores):
        return None
    mine, theirs = first.errors, second.errors
    right = sentence_verdict(mine.astype(np.float64), theirs.astype(np.float64))
    mcnemar = [("McNemar", right.p, "on items without any error")]
    return Verdict(
        [(score.score, float(score.low or 0), float(score.high or 0)) for score in scores],
        [
            *_mapsswe(first, second),
            ("bootstrap", found.tests[0].p, f"{samples:,} resamples of the items"),
            *(mcnemar if metric_of(first.metric) in ERROR_RATES else []),
        ],
        samples,
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
    one, two = statistics_of(first), statistics_of(second)
    if one is None or two is None:
        return [None] * number
    order = np.argsort(groups, kind="stable")
    ends = np.searchsorted(groups[order], np.arange(1, number + 2))
    found = []
    for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        some = order[begin:end]
        found.append(_p(one.metric, one.values[some], two.values[some]))
    return found


def _p(metric: CorpusMetric, first: Table, second: Table) -> float | None:
    """The bootstrap's p alone, as of `compare_statistics`."""
    if len(first) < FEWEST or (first == second).all():
        return None
    resampled = [metric.corpus_score(sums) for sums in bootstrap_sums([first, second], Resampling(FEWER))]
    if not all(np.isfinite(scores).all() for scores in resampled):
        return None
    one, two = (float(metric.corpus_score(table.sum(axis=0))) for table in (first, second))
    return bootstrap_p(two - one, resampled[1] - resampled[0])
