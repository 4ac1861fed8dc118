"""A comparison as tables to paste, Markdown, LaTeX, CSV and TSV: `formed_lines`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fstmetrics.data.groupings import keyed, labels
from fstmetrics.metrics import CorpusMetric
from fstmetrics.reports.comparison_json import comparison_dict
from fstmetrics.reports.comparison_report import describe, details, notes, signature_lines, warnings
from fstmetrics.reports.comparison_tables import (
    SCORE_COLUMNS,
    TEST_COLUMNS,
    Columns,
    Found,
    columns_of,
    mark_best,
    p_text,
    shown_values,
    signed,
    test_rows,
)
from fstmetrics.reports.table_forms import (
    Form,
    flat,
    latex,
    latex_lines,
    markdown,
    markdown_lines,
    separated_lines,
)
from fstmetrics.significance.comparison import Comparison, TestResult
from fstmetrics.support.printable import number

# Levels that tables mark, strictest first.
LEVELS = ((0.01, "**"), (0.05, "*"))


@dataclass
class _Cell:
    """What a system, or a test, has under a metric: its number, the stars behind it, and what stands behind these.

    A number that is `Best` is bold.
    """

    number: str = ""
    mark: str = ""
    rest: str = ""


@dataclass(frozen=True)
class _Grid:
    """A table.

    Attributes:
        header: of all columns.
        rows: the texts that a row begins with, and its cells.
    """

    header: list[str]
    rows: list[tuple[list[str], list[_Cell]]]

    @property
    def texts(self) -> int:
        """How many columns are texts."""
        return len(self.rows[0][0])


def formed_lines(comparison: Comparison, form: Form) -> Iterator[str]:
    """Tables of scores, of all items and by each field, in a form; stars mark differences from the first system.

    What the caption should say stands below them. CSV and TSV are one table, whose numbers are in full.
    """
    if form in ("csv", "tsv"):
        return separated_lines(list(_records(comparison)), form)
    return {"markdown": _markdown_lines, "latex": _latex_lines}[form](comparison)


def _markdown_lines(comparison: Comparison) -> Iterator[str]:
    for grid in _grids(comparison):
        shown = (
            [
                *map(markdown, names),
                *(markdown(cell.number) + markdown(cell.mark + cell.rest) for cell in cells),
            ]
            for names, cells in grid.rows
        )
        yield from markdown_lines(grid.header, shown, grid.texts)
        yield ""
    yield markdown(_note(comparison))
    for said in filter(None, map(describe, comparison.others)):
        yield from ("", markdown(said))
    lines = tuple(signature_lines(comparison))
    plain = (*map(markdown, (*details(comparison), *notes(comparison))), *warnings(comparison))
    for line in (*plain, *(f"`{line}`" for line in lines)):
        yield from ("", line)


def _latex_lines(comparison: Comparison) -> Iterator[str]:
    yield r"% \usepackage{booktabs}"
    for grid in _grids(comparison):
        rows = ([*map(latex, names), *map(_latex_cell, cells)] for names, cells in grid.rows)
        yield from latex_lines(grid.header, rows, grid.texts)
    lines = tuple(signature_lines(comparison))
    more = (*details(comparison), *notes(comparison), *warnings(comparison), *lines)
    for line in (_note(comparison), *filter(None, map(describe, comparison.others)), *more):
        yield f"% {line}"


def _records(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """A row for each system and metric, of all items and by field, with its test against the first system.

    Where all pairs are tested, or a test goes the other way round, a row for each test follows.
    """
    found = comparison_dict(comparison, {})
    parts: list[tuple[dict[str, Any], dict[str, Any]]] = [({"items": comparison.items}, found)]
    for field, groups in found.get("by", {}).items():
        parts += [
            ({"by": field, "value": group["value"], "items": group["items"]}, group) for group in groups
        ]
    for place, part in parts:
        keys = ("system", "metric", "baseline", "test")
        tests = {tuple(test[key] for key in keys): test for test in part["tests"]}
        if not any(map(comparison.is_corrected, comparison.tests)):
            for test in tests.values():
                test.pop("p_holm", None)
        baseline = next(iter(comparison.systems)) if comparison.design.pairs == "baseline" else None
        for system, scores in part["systems"].items():
            for metric, numbers in scores.items():
                own = {"metric": metric, "system": system, **place, **numbers}
                yield flat(own | tests.pop((system, metric, baseline, comparison.design.test), {}))
        yield from (flat(place | test) for test in tests.values())


def _grids(comparison: Comparison) -> Iterator[_Grid]:
    """The table of all items, and one a field: a row a value and system."""
    yield _grid(comparison)
    for head, *tested in test_rows(comparison) if comparison.others else ():
        yield _Grid(list(head), [([row[0]], [_Cell(cell) for cell in row[1:]]) for row in tested])
    for field, groups in comparison.by.items():
        metrics = {name: metric for name, metric in comparison.metrics.items() if metric.columns}
        if not metrics:
            continue
        rows = []
        values = shown_values(comparison, field)
        for title, value in zip(labels(list(map(keyed, values))), values, strict=True):
            group = groups[value]
            for system in group.systems:
                names = [title, system]
                rows.append((names, [_Cell(str(group.items)), *_score_cells(group, system, metrics)]))
            _mark_best(group, [cells[1:] for _, cells in rows[-len(group.systems) :]], metrics)
        yield _Grid([field, "system", "items", *_titles(metrics)], rows)


def _titles(metrics: Mapping[str, CorpusMetric]) -> Iterator[str]:
    return (f"{name} {'↑' if metric.recognition else '↓'}" for name, metric in metrics.items())


def _score_cells(comparison: Comparison, system: str, metrics: Iterable[str]) -> list[_Cell]:
    return [_score_cell(comparison, system, name) for name in metrics]


def _mark_best(comparison: Comparison, rows: Sequence[Sequence[_Cell]], metrics: Iterable[str]) -> None:
    """Mark the best number of each column; a row is a system."""
    for column, name in enumerate(metrics):
        cells = [[row[column].number] for row in rows]
        mark_best(cells, 0, list(comparison.systems.values()), name, comparison.metrics[name])
        for row, (text,) in zip(rows, cells, strict=True):
            row[column].number = text


def _grid(comparison: Comparison) -> _Grid:
    """A row a system, and a row a test."""
    names = comparison.metrics
    header = ["system", *_titles(names)]
    rows = [([system], _score_cells(comparison, system, names)) for system in comparison.systems]
    _mark_best(comparison, [cells for _, cells in rows], names)
    for other in dict.fromkeys(t.baseline for t in comparison.tests):
        for system in dict.fromkeys(t.system for t in comparison.tests if t.baseline == other):
            cells = [_test_cell(comparison, other, system, name) for name in names]
            rows.append(([f"{system} against {other}"], cells))
    return _Grid(header, rows)


def _score_cell(comparison: Comparison, system: str, metric: str) -> _Cell:
    """The score, its interval, and p of the difference from the first system."""
    found, own = comparison.systems[system][metric], comparison.metrics[metric]
    every = comparison.design.pairs == "all"
    test = None if every else _test(comparison, next(iter(comparison.systems)), system, metric)
    mark, p = _marked(comparison, test) if test else ("", "")
    return _Cell(number(found.score, own.percent), mark, _behind(SCORE_COLUMNS, comparison, found, own) + p)


def _test_cell(comparison: Comparison, baseline: str, system: str, metric: str) -> _Cell:
    """The difference, its interval, the relative change and p; nothing where there is no test."""
    test = _test(comparison, baseline, system, metric)
    if test is None:
        return _Cell()
    own = comparison.metrics[metric]
    mark, p = _marked(comparison, test)
    return _Cell(signed(test.delta, own.percent), mark, _behind(TEST_COLUMNS, comparison, test, own) + p)


def _behind(columns: Columns[Found], comparison: Comparison, found: Found, metric: CorpusMetric) -> str:
    """What stands behind a score or a difference."""
    own = [each for each in columns_of(columns, comparison, [found]) if each.heading]
    texts = {each.heading: each.text(found, metric) or "-" for each in own}
    there = [one for one in own if one.value(found) is not None]
    return "".join(one.pasted[0].format(texts[one.heading], heading=one.heading, **texts) for one in there)


def _told(columns: Columns[Found], comparison: Comparison, found: Sequence[Found]) -> str:
    """What the note says of what stands there."""
    confidence = 100 * comparison.design.confidence
    own = [each for each in columns_of(columns, comparison, found) if each.heading]
    own = [each for each in own if any(each.value(one) is not None for one in found)]
    return "".join(each.pasted[1].format(heading=each.heading, confidence=confidence) for each in own)


def _test(comparison: Comparison, baseline: str, system: str, metric: str) -> TestResult | None:
    of = (baseline, system, metric)
    return next((t for t in comparison.tests if (t.baseline, t.system, t.metric) == of), None)


def _marked(comparison: Comparison, test: TestResult) -> tuple[str, str]:
    """Stars, and the p that they go by; where it is corrected, the plain one stands before it.

    There are no stars where the test does not find for the system with the better score.
    """
    p = comparison.decisive(test)
    plain = f"p {p_text(test.p)}, " if comparison.is_corrected(test) else ""
    name = "p Holm" if plain else "p"
    stars = next((mark for level, mark in LEVELS if p < level), "")
    agree = test.favours is not None and not comparison.contradicts(test)
    return stars if agree else "", f" ({plain}{name} {p_text(p)})"


def _note(comparison: Comparison) -> str:
    """What the table shows."""
    scores = [score for each in comparison.systems.values() for score in each.values()]
    cell = _told(SCORE_COLUMNS, comparison, scores)
    said = "".join(f"; {told}" for told in filter(None, [describe(comparison)]))
    if not comparison.tests:
        return f"{cell}{said}"
    first = next(iter(comparison.systems))
    levels = ", ".join(f"{mark} p < {level:g}" for level, mark in reversed(LEVELS))
    every = comparison.design.pairs == "all"
    rows = f"; rows `A against B`: {_told(TEST_COLUMNS, comparison, comparison.tests)} (its p)"
    of_first = "" if every else f" (p of the difference from {first})"
    return f"{cell}{of_first}, {levels}{rows}{said}"


def _latex_cell(cell: _Cell) -> str:
    mark, rest = f"^{{{cell.mark}}}" if cell.mark else "", cell.rest.replace("%", r"\%")
    if cell.number[:1] in ("-", "+"):
        return f"${cell.number}{mark}${rest}"
    return latex(cell.number) + (f"${mark}$" if mark else "") + rest
