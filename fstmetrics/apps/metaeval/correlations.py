"""Correlation of metrics with people, of systems, documents and segments: `correlate`, and `Correlation`, its result.

A *unit* is a segment or a document. Scores of error metrics are turned round first, so that a positive coefficient
means that metric and people agree.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from fstmetrics import FstmetricsError
from fstmetrics.apps.metaeval.coefficient_names import BY_ITEM, OLD, Wanted
from fstmetrics.apps.metaeval.coefficients import (
    USUAL_OF_POINTS,
    WMT_VARIANTS,
    pairwise_accuracy,
    segment_kendall,
)
from fstmetrics.apps.metaeval.resampled import Intervals, People, segment_values, soft_values, varies
from fstmetrics.apps.metaeval.segment_coefficients import COUNTING_TIES, Group
from fstmetrics.apps.metaeval.soft_accuracy import spa
from fstmetrics.apps.metaeval.table import Scored, ScoreTable
from fstmetrics.apps.metaeval.tie_calibration import calibrations
from fstmetrics.data.exact_means import Means, with_ties
from fstmetrics.support.arguments import NUMBER, instance, items_of

if TYPE_CHECKING:
    from fstmetrics.apps.metaeval.coefficients import Floats, Integers

Level = Literal["system", "document", "segment"]
# A function of metric and human scores, shape [systems, units].
OnUnits = Callable[["Floats", "Floats"], float]
Progress = Callable[[str, int, int], None]
# Numbers of a table of weights that are held at once, and the least number of rows.
CELLS, LEAST = 1 << 23, 8
# Documents of each size that may be drawn; each is a row of a table with a column a segment.
MOST_DOCUMENTS = 10_000


@dataclass(frozen=True, slots=True)
class Correlation:
    """One coefficient.

    Attributes:
        metric, level, coefficient: names.
        value: nan where it is undefined.
        low, high: its interval; nan without one.
        points: what is correlated: so many systems, or translations of documents or segments.
        size: of documents drawn at random, in segments; else 0.
        group: which segments are compared with which: `item`, `system`, or None for all.
        epsilon: of acc-eq; else nan.
        rank: of the metric among those that were tested with this coefficient, from 1; 0 where none was.
        part: the domain or document, where coefficients are found for each; else "".
        tied: of acc-eq: the share of pairs that are ties of the metric at this epsilon; else nan.
    """

    metric: str
    level: Level
    coefficient: str
    value: float
    low: float
    high: float
    points: int
    size: int = 0
    group: Group = None
    epsilon: float = math.nan
    rank: int = 0
    part: str = ""
    tied: float = math.nan


@dataclass(frozen=True)
class Documents:
    """Documents drawn at random, as in [H12 table 3].

    Attributes:
        sizes: numbers of segments.
        number: documents of each size.
        seed: of the random numbers.
    """

    sizes: tuple[int, ...] = (1, 2, 4, 8, 16, 32, 64)
    number: int = 50
    seed: int = 1

    def __post_init__(self) -> None:
        if not 2 <= self.number <= MOST_DOCUMENTS:
            raise FstmetricsError(
                f"documents of each size must be from 2 to {MOST_DOCUMENTS}, not {self.number}"
            )

    def weights(self, size: int, pool: Integers, segments: int) -> Floats:
        """Documents of `size` segments, drawn from the pool without replacement, each by itself; [documents, segments].

        Raises:
            FstmetricsError: the pool is smaller than that.
        """
        if not 1 <= size <= len(pool):
            raise FstmetricsError(
                f"documents of {size} segments cannot be drawn from {len(pool)}, which all systems have"
            )
        random = np.random.Generator(np.random.PCG64([self.seed, size]))
        weights = np.zeros((self.number, segments))
        for row in weights:
            row[random.choice(pool, size=size, replace=False)] = 1
        return weights


def correlate(
    table: ScoreTable,
    levels: Sequence[Level] = ("system", "segment"),
    *,
    documents: Documents | None = None,
    intervals: Intervals = Intervals(),  # noqa: B008 (frozen)
    threshold: float = 0.0,
    coefficients: Sequence[Wanted] | None = None,
    more: Sequence[Wanted] = (),
    progress: Progress = lambda what, done, of: None,
) -> list[Correlation]:
    """Correlate every metric of a table with people's scores.

    Args:
        table: scores.
        levels: of `system`: Pearson, Spearman, tau-b and pairwise accuracy of whole systems, each over all segments
            that it has scores of; of `document` and `segment`: Pearson, Spearman and tau-b of all translations
            together, and for segments WMT's taus, which compare translations of one segment.
        documents: for the level `document`, what to draw; None for the table's own documents.
        intervals: how to find intervals.
        threshold: see `segment_kendall`.
        coefficients: only these, each at its levels.
        more: others beside those that are found by default.
        progress: told what is being done, and how far it is.

    Raises:
        FstmetricsError: fewer than two systems, or documents asked for where there are none.

    >>> table = ScoreTable.of(["a", "b", "c"], {"m": [[1, 2], [2, 3], [5, 4]]}, [[1, 1], [2, 3], [3, 4]])
    >>> found = correlate(table, ["system"], intervals=Intervals(samples=0))
    >>> [(c.coefficient, round(c.value, 3)) for c in found]
    [('pearson', 0.954), ('spearman', 1.0), ('kendall', 1.0), ('accuracy', 1.0)]
    """
    instance(ScoreTable).check(table, "table")
    instance(Intervals).check(intervals, "intervals")
    NUMBER.check(threshold, "threshold")
    levels = items_of(levels, "levels")
    if not levels or not all(isinstance(level, str) and level in get_args(Level) for level in levels):
        raise FstmetricsError(f"levels are some of {', '.join(get_args(Level))}, not {levels!r:.80}")
    check_systems(table)
    wmt: dict[str, OnUnits] = {
        name: partial(segment_kendall, variant=name, threshold=threshold) for name in WMT_VARIANTS
    }
    people: People = {}
    found: list[Correlation] = []
    if "system" in levels and not table.human.present.any():  # scores of whole systems only
        levels, more = [level for level in levels if level != "segment"], ()
    tasks = [(level, name) for level in levels for name in table.metrics]
    for done, (level, name) in enumerate(tasks):
        progress(f"{level}s, {name}", done, len(tasks))
        if level == "system":
            known, others = _chosen(USUAL_OF_SYSTEMS, level, coefficients, more)
            found += _of_systems(table, name, known, intervals)
            found += [_other_of_systems(table, name, other, intervals, people) for other in others]
        elif not table.metrics[name].present.any():
            continue  # scores of whole systems only
        elif level == "segment":
            units = segment_points(table, name)
            known, others = _chosen({**POOLED, **wmt}, level, coefficients, more)
            found += _of_units(name, level, units, known, intervals)
            found += [_other_of_segments(name, units, other, threshold, intervals) for other in others]
        else:
            known, others = _chosen(POOLED, level, coefficients, more)
            for size, units in _document_points(table, name, documents):
                found += _of_units(name, level, units, known, intervals, size)
                found += [
                    replace(_other_of_segments(name, units, o, threshold, intervals), level=level, size=size)
                    for o in others
                ]
    return found if coefficients is None else _in_order(found, coefficients)


def _in_order(found: list[Correlation], coefficients: Sequence[Wanted]) -> list[Correlation]:
    """The coefficients of each metric and level as they were asked for."""
    order = {(each.name, each.group): place for place, each in enumerate(coefficients)}
    by_name = {each.name: place for place, each in enumerate(coefficients)}
    tables: dict[tuple[str, str, int], int] = {}
    for c in found:
        tables.setdefault((c.level, c.metric, c.size), len(tables))
    return sorted(
        found,
        key=lambda c: (
            tables[c.level, c.metric, c.size],
            order.get((c.coefficient, c.group), by_name[c.coefficient]),
        ),
    )


def _chosen(
    functions: dict[str, Any], level: Level, coefficients: Sequence[Wanted] | None, more: Sequence[Wanted]
) -> tuple[dict[str, Any], list[Wanted]]:
    """Those that have intervals, by the names that are asked for, and the others."""
    if coefficients is None:
        return functions, [each for each in more if each.is_at(level)]
    by_new = {OLD.get(name, name): function for name, function in functions.items()}
    known: dict[str, Any] = {}
    others: list[Wanted] = []
    for each in coefficients:
        new = OLD.get(each.name, each.name)
        if not each.is_at(level):
            continue
        if new in by_new and each.group == ("item" if each.name in BY_ITEM else None):
            known[each.name] = by_new[new]
        else:
            others.append(each)
    return known, others


def _other_of_systems(
    table: ScoreTable, metric: str, wanted: Wanted, intervals: Intervals, people: People
) -> Correlation:
    if wanted.name in COUNTING_TIES:
        intervals = replace(intervals, samples=0)
    if wanted.name != "spa":
        return _of_systems(table, metric, {wanted.name: wanted.of_systems}, intervals)[0]
    x, y = segment_points(table, metric)
    value, resampled = math.nan, []
    if varies(y):
        value, resampled = spa(x, y), soft_values(x, y, intervals, people)
    return Correlation(metric, "system", "spa", value, *intervals.interval(resampled), len(table.systems))


def _other_of_segments(
    metric: str, units: tuple[Floats, Floats], wanted: Wanted, threshold: float, intervals: Intervals
) -> Correlation:
    x, y = units
    value, epsilon, tied, resampled = math.nan, math.nan, math.nan, list[float]()
    if varies(y):
        value, epsilon = wanted.of_segments(x, y, threshold)
        resampled = segment_values(x, y, wanted, threshold, intervals)
    points = int(np.count_nonzero(~(np.isnan(x) | np.isnan(y))))
    if not math.isnan(epsilon):
        tied = float(calibrations(x[None], y[None], wanted.group, epsilon)[0, 2])
    low, high = intervals.interval(resampled)
    return Correlation(
        metric, "segment", wanted.name, value, low, high, points, 0, wanted.group, epsilon, tied=tied
    )


def check_systems(table: ScoreTable) -> None:
    """Raise a FstmetricsError if there are fewer than two systems."""
    if len(table.systems) < 2:
        raise FstmetricsError(
            f"correlation needs two systems or more; found {', '.join(table.systems) or 'none'}"
        )


def system_points(table: ScoreTable, metric: str) -> tuple[Floats, Floats]:
    """A metric's and people's scores of whole systems, shape [systems], higher is better."""
    scored = table.metrics[metric]
    return scored.sign * scored.whole(), table.human.sign * table.human.whole()


def segment_points(table: ScoreTable, metric: str) -> tuple[Floats, Floats]:
    """Scores of segments, shape [systems, segments], higher is better; nan where either side has none."""
    x, y = (each.items if each.sign == 1 else -each.items for each in (table.metrics[metric], table.human))
    missing = np.isnan(x)
    missing |= np.isnan(y)
    if missing.any():
        return np.where(missing, np.nan, x), np.where(missing, np.nan, y)
    return x, y


def document_points(table: ScoreTable, metric: str, weights: Iterable[Floats]) -> tuple[Floats, Floats]:
    """Scores of documents, [systems, documents], each side's over all segments that it has scored.

    Args:
        table, metric: the scores, and whose.
        weights: how often a segment is in each document, shape [documents, segments]; tables of some documents each.
    """
    sides = table.metrics[metric], table.human
    parts = [[side.means(some) for side in sides] for some in weights]
    x, y = (
        side.sign * with_ties(Means(*(np.concatenate(column, axis=1) for column in zip(*found, strict=True))))
        for side, found in zip(sides, zip(*parts, strict=True), strict=True)
    )
    return x, y


def _document_points(
    table: ScoreTable, metric: str, documents: Documents | None
) -> Iterator[tuple[int, tuple[Floats, Floats]]]:
    """The table's own documents (size 0), or those drawn at random, size by size."""
    if documents is not None:
        x = segment_points(table, metric)[0]
        pool = np.flatnonzero(~np.isnan(x).any(axis=0))
        for size in documents.sizes:
            weights = documents.weights(size, pool, len(table.segments))
            yield size, document_points(table, metric, [weights])
        return
    if table.documents is None:
        raise FstmetricsError(
            "the scores do not say which segments make a document (a table with a column document does); "
            "--documents 1,2,4,8 draws some of these sizes at random"
        )
    yield 0, document_points(table, metric, _own_documents(table.documents))


def _own_documents(documents: Sequence[str]) -> Iterator[Floats]:
    """Which segments are in each document, a few documents at a time, shape [documents, segments]."""
    names = list(dict.fromkeys(documents))
    numbers = {name: number for number, name in enumerate(names)}
    of_segments = np.array([numbers[name] for name in documents])
    first = 0
    for size in _blocks(len(names), len(of_segments)):
        yield (of_segments == np.arange(first, first + size)[:, None]).astype(np.float64)
        first += size


def _of_all(name: str) -> OnUnits:
    """A coefficient of all translations together; those without a score are left out."""

    def coefficient(x: Floats, y: Floats) -> float:
        there = ~(np.isnan(x) | np.isnan(y))
        if there.all():
            return USUAL_OF_POINTS[name](x.ravel(), y.ravel())
        return USUAL_OF_POINTS[name](x[there], y[there])

    return coefficient


def _of_units(
    metric: str,
    level: Level,
    units: tuple[Floats, Floats],
    coefficients: dict[str, OnUnits],
    intervals: Intervals,
    size: int = 0,
) -> list[Correlation]:
    x, y = units
    points = int(np.count_nonzero(~(np.isnan(x) | np.isnan(y))))
    resampled = []
    for draw in intervals.draws(*x.shape):
        a, b = x[np.ix_(*draw)], y[np.ix_(*draw)]
        resampled.append([coefficient(a, b) for coefficient in coefficients.values()])
    columns = list(zip(*resampled, strict=True)) or [()] * len(coefficients)
    return [
        Correlation(
            metric, level, name, coefficient(x, y), *intervals.interval(column), points, size,
            "item" if name in BY_ITEM else None,
        )
        for (name, coefficient), column in zip(coefficients.items(), columns, strict=True)
    ]  # fmt: skip


def _of_systems(
    table: ScoreTable, metric: str, coefficients: dict[str, Any], intervals: Intervals
) -> list[Correlation]:
    x, y = system_points(table, metric)
    known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    resampled = resampled_systems(table, metric, intervals)
    return [
        Correlation(metric, "system", name, coefficient(x[known], y[known]),
                    *intervals.interval([coefficient(a, b) for a, b, _ in resampled]), len(known))
        for name, coefficient in coefficients.items()
    ]  # fmt: skip


def resampled_systems(
    table: ScoreTable, metric: str, intervals: Intervals
) -> list[tuple[Floats, Floats, Integers]]:
    """A metric's and people's scores of systems on resamples, and which these are; without those that have no score."""
    if not intervals.samples:
        return []
    x, y = system_points(table, metric)
    known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    segments = len(table.segments)
    draws = intervals.draws(len(known), segments)
    found = []
    for size in _blocks(intervals.samples, segments):
        weights, drawn = np.empty((size, segments)), []
        for row, (which, where) in zip(weights, draws, strict=False):
            row[:] = np.bincount(where, minlength=segments)
            drawn.append(which)
        x, y = (each.sign * _resampled(each, weights) for each in (table.metrics[metric], table.human))
        for b, which in enumerate(drawn):
            a, h = x[known[which], b], y[known[which], b]
            there = np.isfinite(a) & np.isfinite(h)
            found.append((a[there], h[there], which[there]))
    return found


def _blocks(rows: int, columns: int) -> Iterator[int]:
    """How many rows of a table of numbers are held at a time: all of a small one, of others a multiple of `LEAST`.

    So the sums of products of rows are the same to the last bit, however many rows there are.
    """
    size = max(CELLS // max(columns, 1) // LEAST, 1) * LEAST
    while rows:
        block = size if rows >= size + LEAST else rows
        yield block
        rows -= block


def _resampled(scored: Scored, weights: Floats) -> Floats:
    """Scores of systems on resamples of segments; those that are given for whole systems stay as they are."""
    if scored.systems is not None and not scored.present.any():
        return np.repeat(scored.systems[:, None], len(weights), axis=1)
    return scored.scores(weights)


# Those that have intervals.
USUAL_OF_SYSTEMS = USUAL_OF_POINTS | {"accuracy": pairwise_accuracy}
POOLED: dict[str, OnUnits] = {name: _of_all(name) for name in USUAL_OF_POINTS}
