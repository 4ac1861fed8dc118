"""The tables of a comparison as rows of cells: `tables`, a table a metric, then those of all pairs and by field."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from fstmetrics.data.groupings import keyed, labels
from fstmetrics.metrics.corpus import CorpusMetric
from fstmetrics.reports.field_tables import MOST_VALUES
from fstmetrics.reports.summary import Row
from fstmetrics.significance.comparison import LEVEL, Comparison, SystemScore, TestResult, Value
from fstmetrics.significance.p_values import TESTS
from fstmetrics.support.printable import marked, number

# Columns of counts of errors, and their names in records, which have them in this order.
COUNT_COLUMNS = {"sub": "substitutions", "del": "deletions", "ins": "insertions"}
# What tables show of sign tests, and of the tests of sc_stats; of Wilcoxon's, the rank sums of either side.
SIGNS = ("better", "worse", "equal")
RANKS = ("ranks_better", "ranks_worse")
RANK_COLUMNS = {"ranks better": RANKS[0], "ranks worse": RANKS[1]}
SHOWN = (*SIGNS, *RANK_COLUMNS, "segments", "mean", "std_dev", "Z")
# What stands where a test has no number.
NONE = "none"
# Below this, four decimals would show nothing.
SMALL = 0.00005


def tables(comparison: Comparison) -> Iterator[list[Row]]:
    """For each metric its scores with intervals and tests; of all pairs a table of their own; then by field."""
    for name, metric in comparison.metrics.items():
        if comparison.design.pairs == "all":
            yield _ranked_rows(comparison, name, metric)
            if len(comparison.systems) > 1 and metric.columns:
                yield _pair_rows(comparison, name)
                yield from _win_rows(comparison, name)
        else:
            yield _rows(comparison, name, metric)
    yield from test_rows(comparison) if comparison.others else ()
    for field in comparison.by:
        for name, metric in comparison.metrics.items():
            if metric.columns:
                yield _field_rows(comparison, field, name, metric)


def _rows(comparison: Comparison, name: str, metric: CorpusMetric) -> list[Row]:
    """The table of one metric: scores, and the tests against the first system; then the other way round."""
    results = [result for result in comparison.tests if result.metric == name]
    tests = _test_columns(results, any(map(comparison.is_corrected, results)))
    columns = _score_columns(comparison, name)
    head = [f"{name}, {direction(metric)}", *columns, *tests]
    rows = [head]
    baseline = next(iter(comparison.systems))
    forward = {result.system: result for result in results if result.baseline == baseline}
    for system, scores in comparison.systems.items():
        row = [system, *_score_cells(scores[name], metric, columns)]
        rows.append(row + (_test_cells(forward[system], metric, tests) if system in forward else []))
    mark_best(rows[1:], 1, list(comparison.systems.values()), name, metric)
    for result in results:
        if result.baseline != baseline:
            row = [f"{result.system} against {result.baseline}", *[""] * len(columns)]
            rows.append(row + _test_cells(result, metric, tests))
    return [tuple(row + [""] * (len(head) - len(row))) for row in rows]


def test_rows(comparison: Comparison) -> Iterator[list[Row]]:
    """The tests of a metric side by side, as sc_stats has them: p, and for which system a test finds, or `same`."""
    every = sorted([comparison, *comparison.others], key=lambda one: list(TESTS).index(one.design.test))
    for name in dict.fromkeys(test.metric for test in comparison.tests):
        rows: list[Row] = [(f"{name}: p by test", *(each.design.test for each in every))]
        own = [[test for test in each.tests if test.metric == name] for each in every]
        for of_pair in zip(*own, strict=True):
            cells = []
            for each, test in zip(every, of_pair, strict=True):
                p = each.decisive(test)
                winner = test.favours if p < LEVEL and test.favours else "same"
                cells.append(f"{p_text(p)} {winner}")
            rows.append((f"{of_pair[0].system} against {of_pair[0].baseline}", *cells))
        yield rows


def _ranked_rows(comparison: Comparison, name: str, metric: CorpusMetric) -> list[Row]:
    """The systems, the best first, with the number of their cluster where there are tests."""
    columns = _score_columns(comparison, name)
    place = {}
    if metric.columns:
        clusters = comparison.clusters(name)
        place = {system: str(n) for n, cluster in enumerate(clusters, 1) for system in cluster}
    rows = [[f"{name}, {direction(metric)}", *columns, *(["cluster"] if place else [])]]
    ranking = comparison.ranking(name)
    for system in ranking:
        cells = _score_cells(comparison.systems[system][name], metric, columns)
        rows.append([system, *cells, *([place[system]] if place else [])])
    mark_best(rows[1:], 1, [comparison.systems[system] for system in ranking], name, metric)
    return [tuple(row) for row in rows]


def _pair_rows(comparison: Comparison, name: str) -> list[Row]:
    """p of all pairs above the diagonal; where it is corrected, the corrected p below it."""
    found = _of_pairs(comparison, name)
    corrected = any(map(comparison.is_corrected, found.values()))

    def cell(i: int, j: int, test: TestResult) -> str:
        return p_text(test.p) if j > i else p_text(test.p_holm) if corrected else ""

    title = f"{name}: p \\ p Holm" if corrected else f"{name}: p"
    return _square(title, comparison.ranking(name), found, cell)


def _win_rows(comparison: Comparison, name: str) -> Iterator[list[Row]]:
    """What sign tests and their like count of all pairs: how often, or by how many ranks, a row beats a column."""
    found, ranking = _of_pairs(comparison, name), comparison.ranking(name)
    if any(test.signs for test in found.values()):

        def count(i: int, j: int, test: TestResult) -> str:
            assert test.signs is not None
            return str(test.signs.better if test.system == ranking[i] else test.signs.worse)

        yield _square(f"{name}: row better in", ranking, found, count)
    elif any(RANKS[0] in test.details for test in found.values()):

        def rank_sum(i: int, j: int, test: TestResult) -> str:
            return f"{test.details[RANKS[test.system != ranking[i]]]:g}"

        yield _square(f"{name}: ranks for row", ranking, found, rank_sum)


def _of_pairs(comparison: Comparison, name: str) -> dict[frozenset[str], TestResult]:
    return {frozenset((t.baseline, t.system)): t for t in comparison.tests if t.metric == name}


def _square(
    title: str,
    ranking: Sequence[str],
    tests: Mapping[frozenset[str], TestResult],
    cell: Callable[[int, int, TestResult], str],
) -> list[Row]:
    """A row and a column a system, the best first."""
    rows: list[Row] = [(title, *ranking)]
    for i, system in enumerate(ranking):
        found = [tests.get(frozenset((system, other))) for other in ranking]
        rows.append((system, *("" if t is None else cell(i, j, t) for j, t in enumerate(found))))
    return rows


def _field_rows(comparison: Comparison, field: str, name: str, metric: CorpusMetric) -> list[Row]:
    """A row a value and system; the tests are those against the first system."""
    values = shown_values(comparison, field)
    groups = [comparison.by[field][value] for value in values]
    baseline = next(iter(comparison.systems))
    results = [t for group in groups for t in group.tests if t.metric == name and t.baseline == baseline]
    columns = ["score", "low", "high"]
    corrected = any(map(next(iter(comparison.by[field].values())).is_corrected, results))
    tests = _test_columns(results, corrected)
    rows: list[list[str]] = [[f"{name} by {field}", "system", "items", *columns, *tests]]
    for title, group in zip(labels(list(map(keyed, values))), groups, strict=True):
        forward = {t.system: t for t in group.tests if t.metric == name and t.baseline == baseline}
        for system, scores in group.systems.items():
            row = [
                title,
                system,
                str(group.items),
                *_score_cells(scores[name], metric, columns),
            ]
            rows.append(row + (_test_cells(forward[system], metric, tests) if system in forward else []))
        mark_best(rows[-len(group.systems) :], 3, list(group.systems.values()), name, metric)
    return [tuple(row + [""] * (len(rows[0]) - len(row))) for row in rows]


def shown_values(comparison: Comparison, field: str) -> list[Value]:
    """The values that a table by a field has: of many, those with the most items."""
    groups = comparison.by[field]
    most = {keyed(value) for value in sorted(groups, key=lambda value: -groups[value].items)[:MOST_VALUES]}
    return [value for value in groups if keyed(value) in most]


def direction(metric: CorpusMetric) -> str:
    """Which scores are better."""
    return "higher is better" if metric.recognition else "lower is better"


def mark_best(
    rows: Sequence[list[str]],
    column: int,
    systems: Sequence[Mapping[str, SystemScore]],
    name: str,
    metric: CorpusMetric,
) -> None:
    """Mark the scores of the systems that are best under a metric, in a column of their rows."""
    scores = [found[name].score for found in systems]
    cells = [row[column] for row in rows]
    shown = partial(number, percent=metric.percent)
    for row, cell in zip(rows, marked(cells, scores, metric.recognition, shown), strict=True):
        row[column] = cell


def _score_columns(comparison: Comparison, name: str) -> list[str]:
    """The score, its interval; of several runs their deviations; the counts of errors of transcripts."""
    found = [scores[name] for scores in comparison.systems.values()]
    runs = ["s_sel", "s_opt"] if any(score.runs for score in found) else []
    counts = list(COUNT_COLUMNS) if comparison.shows_counts and any(score.totals for score in found) else []
    return ["score", "low", "high", *runs, *counts]


def _score_cells(found: SystemScore, metric: CorpusMetric, columns: list[str]) -> list[str]:
    cells = []
    for column in columns:
        if column in COUNT_COLUMNS:
            cells.append(str(getattr(found.totals, COUNT_COLUMNS[column])))
        else:
            value = getattr(found, column)
            cells.append("" if value is None else number(value, metric.percent))
    return cells


def _test_columns(results: Sequence[TestResult], corrected: bool) -> list[str]:
    """Names of the columns of tests: what was counted, p, and the corrected p where one decides."""
    if not results:
        return []
    known = {name for result in results for name in SHOWN if _shown(result, name) is not None}
    counted = [name for name in SHOWN if name in known]
    return ["delta", "from", "to", "relative %", *counted, "p", *(["p Holm"] if corrected else [])]


def _test_cells(result: TestResult, metric: CorpusMetric, columns: Iterable[str]) -> list[str]:
    ends = {"delta": result.delta, "from": result.low, "to": result.high}
    cells = []
    for column in columns:
        if column in ends:
            cells.append(signed(ends[column], metric.percent))
        elif column == "relative %":
            cells.append(signed(result.relative and 100 * result.relative, True))
        elif column in ("p", "p Holm"):
            cells.append(p_text(result.p if column == "p" else result.p_holm))
        elif (value := _shown(result, column)) is None:
            cells.append("")
        else:
            cells.append(f"{value:g}" if column in RANK_COLUMNS else _cell(value))
    return cells


def signed(value: float | None, percent: bool | None) -> str:
    """A difference of scores, or a part in percent, with its sign; `-` where there is none."""
    text = "-" if value is None else number(value, percent)
    return text if text[:1] == "-" else f"+{text}"


def _shown(result: TestResult, name: str) -> float | None:
    """What a column of counts shows."""
    if name in SIGNS:
        return getattr(result.signs, name, None)
    if name == "Z":
        return None if result.statistic is None or result.signs else result.statistic
    return result.details.get(RANK_COLUMNS.get(name, name))


def _cell(value: float) -> str:
    return str(value) if isinstance(value, int) else NONE if math.isnan(value) else f"{value:.3f}"


def p_text(p: float) -> str:
    """A p value with four decimals, or as a power of ten; `none` where there is none.

    >>> p_text(0.0436), p_text(2**-99), p_text(math.nan)
    ('0.0436', '1.6e-30', 'none')
    """
    return NONE if math.isnan(p) else f"{p:.4f}" if p >= SMALL else f"{p:.1e}"
