"""The tables of a comparison as rows of cells: `tables`, a table a metric, then those of all pairs and by field.

To add a column: a row of `SCORE_COLUMNS` or `TEST_COLUMNS`. Text, notebooks, JSON, CSV, Markdown, LaTeX and frames show
what is there. A number that nobody has found yet is first a field of `SystemScore` or `TestResult`
(significance/comparison.py), filled in by `_score` and `_result` of significance/compare_statistics.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any, Generic, TypeVar

from fstmetrics.data.groupings import keyed, labels
from fstmetrics.metrics.corpus_metric import CorpusMetric
from fstmetrics.reports.field_tables import MOST_VALUES
from fstmetrics.reports.summary import Row
from fstmetrics.significance.comparison import LEVEL, ByValue, Comparison, SystemScore, TestResult, Value
from fstmetrics.significance.p_values import CORRECTIONS, TESTS
from fstmetrics.support.printable import marked, number

Found = TypeVar("Found", SystemScore, TestResult)
# What Wilcoxon's test counts: the rank sums of either side.
RANKS = ("ranks_better", "ranks_worse")
# What stands where a test has no number.
NONE = "-"
# Below this, four decimals would show nothing.
SMALL = 0.00005


def signed(value: float | None, percent: bool | None) -> str:
    """A difference of scores, or a part in percent, with its sign; `-` where there is none."""
    text = "-" if value is None else number(value, percent)
    return text if text[:1] == "-" else f"+{text}"


def p_text(p: float, _: object = None) -> str:
    """A p value with four decimals, or as a power of ten; `-` where there is none.

    >>> p_text(0.0436), p_text(2**-99), p_text(math.nan)
    ('0.0436', '1.6e-30', '-')
    """
    return NONE if math.isnan(p) else f"{p:.4f}" if p >= SMALL else f"{p:.1e}"


def _statistic(value: float | None, _: object) -> str:
    return "" if value is None else NONE if math.isnan(value) else f"{value:.3f}"


@dataclass(frozen=True)
class Column(Generic[Found]):
    """What there is of scores, or of tests.

    Attributes:
        name: in JSON, CSV and frames; empty: not there, or among the details of a test.
        heading: in tables of text; empty: neither there nor in Markdown and LaTeX.
        value: of a score or test; None where there is none.
        has: of which JSON has it; tables have it if any of theirs is one. None: of all.
        cell: the value as text, told whether scores are percentages. None: as `text` says.
        pasted: what stands behind the score or difference in Markdown and LaTeX, if there is a value, with headings in
            braces for texts of columns; and what the line below says of it.
        last: whether it is behind the others in tables of text.
        frame: its place in frames; 0: neither there nor in tables of text by a field.
        asked: in which comparisons it is at all; None: in all.
    """

    name: str
    heading: str
    value: Callable[[Found], Any]
    has: Callable[[Found], object] | None = None
    cell: Callable[[Any, bool | None], str] | None = None
    pasted: tuple[str, str] = (", {heading} {}", ", {heading}")
    last: bool = False
    frame: int = 9
    asked: Callable[[Comparison], object] | None = None

    def text(self, found: Found, metric: CorpusMetric) -> str:
        """The value; whole numbers and words as they are, none as nothing."""
        value, percent = self.value(found), metric.percent
        if self.cell is not None:
            return self.cell(value, percent)
        return "" if value is None else number(value, percent) if isinstance(value, float) else str(value)


Columns = Iterable[Column[Found]]


def _count(owner: str, name: str) -> Callable[[Any], Any]:
    return lambda found: getattr(getattr(found, owner), name, None)


def _corrected(name: str) -> Callable[[TestResult], float]:
    return lambda found: found.corrected[name]


def _asks(correction: str, comparison: Comparison) -> bool:
    return comparison.design.correction == correction


def decisive_heading(comparison: Comparison, tests: Iterable[TestResult]) -> str:
    """What the p is called that decides: the corrected one where one of the tests is."""
    is_corrected = any(map(comparison.is_corrected, tests))
    return CORRECTIONS[comparison.design.correction].heading if is_corrected else "p"


def _detail(name: str, heading: str, cell: Callable[[Any, bool | None], str] | None) -> Column[TestResult]:
    return Column("", heading, lambda t: t.details.get(name), lambda t: name in t.details, cell, NO, frame=0)


# What Markdown and LaTeX leave out, or have with another column.
NO = ("", "")
SCORE_COLUMNS: tuple[Column[SystemScore], ...] = (
    Column("score", "score", attrgetter("score"), cell=number, pasted=("", "score")),
    Column("low", "low", attrgetter("low"), pasted=(" [{low}, {high}]", " [{confidence:g}% interval]")),
    Column("high", "high", attrgetter("high"), pasted=NO),
    Column("undefined_resamples", "", attrgetter("undefined"), attrgetter("undefined"), frame=0),
    Column("runs", "", lambda s: list(s.runs), attrgetter("runs"), frame=0),
    Column("s_sel", "s_sel", attrgetter("s_sel"), attrgetter("runs"), pasted=NO, frame=0),
    Column("s_opt", "s_opt", attrgetter("s_opt"), attrgetter("runs"), pasted=(" ({s_sel}/{s_opt})", " (s_sel/s_opt)"),
           frame=0),
    *(Column(name, heading, _count("totals", name), attrgetter("totals"), pasted=NO, last=heading == "ins",
             frame=0, asked=attrgetter("shows_counts"))
      for name, heading in (("edits", ""), ("substitutions", "sub"), ("insertions", "ins"), ("deletions", "del"),
                            ("path_length", ""))),
)  # fmt: skip
TEST_COLUMNS: tuple[Column[TestResult], ...] = (
    *(Column(name, "", attrgetter(name), frame=frame)
      for name, frame in (("baseline", 1), ("system", 0), ("metric", 0), ("test", 1))),
    Column("delta", "delta", attrgetter("delta"), None, signed, ("", "difference A minus B"), frame=1),
    Column("delta_low", "from", attrgetter("low"), None, signed, (" [{from}, {to}]", " [its interval]"),
           frame=3),
    Column("delta_high", "to", attrgetter("high"), None, signed, NO, frame=3),
    Column("relative", "relative %", attrgetter("relative"), None, lambda part, _: signed(part and 100 * part, True),
           (", {relative %}%", ", as a part of B"), frame=3),
    Column("p", "p", attrgetter("p"), None, p_text, NO, last=True, frame=2),
    *(Column(f"p_{name}", "", _corrected(name), frame=2) for name in CORRECTIONS),
    *(Column("", heading, _corrected(name), lambda t: t.family > 1, p_text, NO, last=True, frame=0,
             asked=partial(_asks, name)) for name, (_, heading, _) in CORRECTIONS.items()),
    *(Column(name, name, _count("signs", name), attrgetter("signs"), pasted=pasted)
      for name, pasted in (("better", (" {better} better, {worse} worse", ", for how many A is better and worse")),
                           ("worse", NO), ("equal", NO))),
    *(_detail(name, name.replace("_", " "), lambda ranks, _: f"{ranks:g}") for name in RANKS),
    *(_detail(name, name, cell) for name, cell in (("segments", None), ("mean", _statistic), ("std_dev", _statistic))),
    Column("favours", "", attrgetter("favours"), attrgetter("goes_by_counts"), frame=5),
    Column("systems", "", lambda t: [t.baseline, t.system], lambda t: t.statistic is not None, frame=0),
    Column("statistic", "", attrgetter("statistic"), lambda t: t.statistic is not None, frame=4),
    Column("", "Z", attrgetter("statistic"), lambda t: t.statistic is not None and not t.signs, _statistic, NO,
           frame=0),
)  # fmt: skip


def columns_of(columns: Columns[Found], whole: Comparison, found: Sequence[Found]) -> list[Column[Found]]:
    """The columns that a table of some scores or tests has."""
    own = [each for each in columns if each.asked is None or each.asked(whole)]
    return [each for each in own if each.has is None or any(map(each.has, found))]


def _shown(columns: Columns[Found], comparison: Comparison, found: Sequence[Found]) -> list[Column[Found]]:
    """Those of a table of text, in its order; none where there are no scores or tests."""
    own = columns_of([each for each in columns if each.heading], comparison, found) if found else []
    return sorted(own, key=attrgetter("last"))


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
    yield from test_rows(comparison, None) if comparison.others else ()
    for field, groups in comparison.by.items():
        for name, metric in comparison.metrics.items():
            if metric.columns:
                yield field_rows(groups, shown_values(groups), name, metric)
        yield from test_rows(comparison, field) if comparison.others else ()


def _rows(comparison: Comparison, name: str, metric: CorpusMetric) -> list[Row]:
    """The table of one metric: scores, and the tests against the first system; then the other way round."""
    results = [result for result in comparison.tests if result.metric == name]
    columns = _shown(SCORE_COLUMNS, comparison, [scores[name] for scores in comparison.systems.values()])
    tests = _shown(TEST_COLUMNS, comparison, results)
    heads = [*[each.heading for each in columns], *[each.heading for each in tests]]
    head = [f"{name}, {direction(metric)}", *heads]
    rows = [head]
    baseline = next(iter(comparison.systems))
    forward = {result.system: result for result in results if result.baseline == baseline}
    for system, scores in comparison.systems.items():
        row = [system, *[each.text(scores[name], metric) for each in columns]]
        rows.append(row + [each.text(forward[system], metric) for each in tests if system in forward])
    mark_best(rows[1:], 1, list(comparison.systems.values()), name, metric)
    for result in results:
        if result.baseline != baseline:
            row = [f"{result.system} against {result.baseline}", *[""] * len(columns)]
            rows.append(row + [each.text(result, metric) for each in tests])
    return [tuple(row + [""] * (len(head) - len(row))) for row in rows]


def test_rows(comparison: Comparison, field: str | None) -> Iterator[list[Row]]:
    """Several tests of a metric side by side, as sc_stats has them: p, and for which system a test finds, or `same`.

    Args:
        comparison: with `others`.
        field: show those of each of its values, against the first system; None: those of all items.
    """
    every, first = [comparison, *comparison.others], next(iter(comparison.systems))
    tests = sorted((each.design.test for each in every), key=list(TESTS).index)
    by, head, parts = "", [], {"": comparison}
    if field is not None:
        values = shown_values(comparison.by[field])
        by, head, titles = f" by {field}", ["system"], labels(list(map(keyed, values)))
        parts = {title: comparison.by[field][value] for title, value in zip(titles, values, strict=True)}
    for name in dict.fromkeys(test.metric for each in every for test in each.tests):
        cells: dict[tuple[str, ...], dict[str, str]] = {}
        for title, part in parts.items():
            for each, test in ((one, test) for one in (part, *part.others) for test in one.tests):
                if test.metric == name and (field is None or test.baseline == first):
                    pair = f"{test.system} against {test.baseline}"
                    own = cells.setdefault((pair,) if field is None else (title, pair), {})
                    p = each.decisive(test)
                    winner = test.favours if p < LEVEL and test.favours else "same"
                    own[test.test] = NONE if math.isnan(p) else f"{p_text(p)} {winner}"
        rows = ((*pair, *(own.get(test, NONE) for test in tests)) for pair, own in cells.items())
        yield [(f"{name}{by}: p by test", *head, *tests), *rows]


def _ranked_rows(comparison: Comparison, name: str, metric: CorpusMetric) -> list[Row]:
    """The systems, the best first, with the number of their cluster where there are tests."""
    columns = _shown(SCORE_COLUMNS, comparison, [scores[name] for scores in comparison.systems.values()])
    place = {}
    if metric.columns:
        clusters = comparison.clusters(name)
        place = {system: str(n) for n, cluster in enumerate(clusters, 1) for system in cluster}
    heads = [each.heading for each in columns]
    rows = [[f"{name}, {direction(metric)}", *heads, *(["cluster"] if place else [])]]
    ranking = comparison.ranking(name)
    for system in ranking:
        cells = [each.text(comparison.systems[system][name], metric) for each in columns]
        rows.append([system, *cells, *([place[system]] if place else [])])
    mark_best(rows[1:], 1, [comparison.systems[system] for system in ranking], name, metric)
    return [tuple(row) for row in rows]


def _pair_rows(comparison: Comparison, name: str) -> list[Row]:
    """p of all pairs above the diagonal; where it is corrected, the corrected p below it."""
    found = _of_pairs(comparison, name)
    heading = decisive_heading(comparison, found.values())

    def cell(i: int, j: int, test: TestResult) -> str:
        return p_text(test.p) if j > i else "" if heading == "p" else p_text(comparison.decisive(test))

    title = f"{name}: p" if heading == "p" else f"{name}: p \\ {heading}"
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


def field_rows(of_field: ByValue, values: Sequence[Value], name: str, metric: CorpusMetric) -> list[Row]:
    """A row a value and system, of some values; the tests are those against the first system."""
    groups = [of_field[value] for value in values]
    baseline = next(iter(groups[0].systems))
    results = [t for group in groups for t in group.tests if t.metric == name and t.baseline == baseline]
    scores = [own[name] for group in groups for own in group.systems.values()]
    columns = [each for each in _shown(SCORE_COLUMNS, groups[0], scores) if each.frame]
    tests = _shown(TEST_COLUMNS, groups[0], results)
    heads = [*[each.heading for each in columns], *[each.heading for each in tests]]
    head = [f"{name} by {of_field.grouping.name}", "system", "items", *heads]
    rows = [head]
    for title, group in zip(labels(list(map(keyed, values))), groups, strict=True):
        forward = {t.system: t for t in group.tests if t.metric == name and t.baseline == baseline}
        for system, found in group.systems.items():
            cells = [each.text(found[name], metric) for each in columns]
            row = [title, system, str(group.items), *cells]
            rows.append(row + [each.text(forward[system], metric) for each in tests if system in forward])
        mark_best(rows[-len(group.systems) :], 3, list(group.systems.values()), name, metric)
    return [tuple(row + [""] * (len(head) - len(row))) for row in rows]


def shown_values(groups: ByValue) -> list[Value]:
    """The values that a table by a field has: of many, those with the most items."""
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
