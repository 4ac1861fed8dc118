"""A comparison in a form of tables, `formed_lines`; as JSON, `comparison_dict`; as columns, `frame_columns`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from fstmetrics.data.groupings import json_value, keyed, labels
from fstmetrics.metrics import CorpusMetric
from fstmetrics.reports import table_forms
from fstmetrics.reports.comparison_report import (
    describe,
    details,
    families,
    notes,
    sacrebleu_signatures,
    signature_lines,
    signatures,
    warnings,
)
from fstmetrics.reports.comparison_tables import (
    SCORE_COLUMNS,
    TEST_COLUMNS,
    Columns,
    Found,
    columns_of,
    decisive_heading,
    mark_best,
    p_text,
    shown_values,
    signed,
    test_rows,
)
from fstmetrics.reports.summary import Part, Row, Table
from fstmetrics.reports.table_forms import Cell, Form, flat
from fstmetrics.significance.comparison import Comparison, TestResult
from fstmetrics.significance.p_values import CORRECTIONS
from fstmetrics.support.json_text import finite
from fstmetrics.support.printable import number

# Levels that tables mark, strictest first.
LEVELS = ((0.01, "**"), (0.05, "*"))


def formed_lines(comparison: Comparison, form: Form) -> Iterator[str]:
    """Tables of scores, of all items and by each field, in a form; stars mark differences from the first system.

    What the caption should say stands below them. CSV and TSV are one table, whose numbers are in full.
    """
    return table_forms.formed_lines(_parts(comparison), partial(_records, comparison), form)


def _parts(comparison: Comparison) -> Iterator[Part]:
    yield from _tables(comparison)
    yield _note(comparison)
    yield from filter(None, map(describe, comparison.others))
    yield from (*details(comparison), *notes(comparison), *warnings(comparison), *signature_lines(comparison))


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
                for name in CORRECTIONS:
                    test.pop(f"p_{name}", None)
        baseline = next(iter(comparison.systems)) if comparison.design.pairs == "baseline" else None
        for system, scores in part["systems"].items():
            for metric, numbers in scores.items():
                own = {"metric": metric, "system": system, **place, **numbers}
                yield flat(own | tests.pop((system, metric, baseline, comparison.design.test), {}))
        yield from (flat(place | test) for test in tests.values())


def _tables(comparison: Comparison) -> Iterator[Table]:
    """The table of all items, and one a field: a row a value and system."""
    yield _table(comparison)
    yield from _test_tables(comparison, None)
    for field, groups in comparison.by.items():
        metrics = {name: metric for name, metric in comparison.metrics.items() if metric.columns}
        if not metrics:
            continue
        rows: list[Row] = [(field, "system", "items", *_titles(metrics))]
        values = shown_values(groups)
        for title, value in zip(labels(list(map(keyed, values))), values, strict=True):
            group = groups[value]
            for system, cells in _score_rows(group, metrics):
                rows.append((title, system, str(group.items), *cells))
        yield Table(rows, 2)
        yield from _test_tables(comparison, field)


def _test_tables(comparison: Comparison, field: str | None) -> Iterator[Table]:
    if comparison.others:
        yield from (Table(rows, 1 if field is None else 2) for rows in test_rows(comparison, field))


def _titles(metrics: Mapping[str, CorpusMetric]) -> Iterator[str]:
    return (f"{name} {'↑' if metric.recognition else '↓'}" for name, metric in metrics.items())


def _score_rows(
    comparison: Comparison, metrics: Mapping[str, CorpusMetric]
) -> Iterator[tuple[str, list[Cell]]]:
    """The cells of each system, the best number of each column marked."""
    rows = {
        system: [_score_cell(comparison, system, name) for name in metrics] for system in comparison.systems
    }
    for column, (name, metric) in enumerate(metrics.items()):
        numbers = [[cells[column].number] for cells in rows.values()]
        mark_best(numbers, 0, list(comparison.systems.values()), name, metric)
        for cells, (text,) in zip(rows.values(), numbers, strict=True):
            cells[column] = Cell(text, cells[column].mark, cells[column].rest)
    yield from rows.items()


def _table(comparison: Comparison) -> Table:
    """A row a system, and a row a test."""
    names = comparison.metrics
    rows: list[Row] = [("system", *_titles(names))]
    rows += [(system, *cells) for system, cells in _score_rows(comparison, names)]
    for other in dict.fromkeys(t.baseline for t in comparison.tests):
        for system in dict.fromkeys(t.system for t in comparison.tests if t.baseline == other):
            cells = (_test_cell(comparison, other, system, name) for name in names)
            rows.append((f"{system} against {other}", *cells))
    return Table(rows)


def _score_cell(comparison: Comparison, system: str, metric: str) -> Cell:
    """The score, its interval, and p of the difference from the first system."""
    found, own = comparison.systems[system][metric], comparison.metrics[metric]
    every = comparison.design.pairs == "all"
    test = None if every else _test(comparison, next(iter(comparison.systems)), system, metric)
    mark, p = _marked(comparison, test) if test else ("", "")
    return Cell(number(found.score, own.percent), mark, _behind(SCORE_COLUMNS, comparison, found, own) + p)


def _test_cell(comparison: Comparison, baseline: str, system: str, metric: str) -> Cell:
    """The difference, its interval, the relative change and p; nothing where there is no test."""
    test = _test(comparison, baseline, system, metric)
    if test is None:
        return Cell()
    own = comparison.metrics[metric]
    mark, p = _marked(comparison, test)
    return Cell(signed(test.delta, own.percent), mark, _behind(TEST_COLUMNS, comparison, test, own) + p)


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
    name = decisive_heading(comparison, [test])
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


def comparison_dict(
    comparison: Comparison, settings: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, Any]:
    """Scores, tests and settings as one JSON object; infinite scores are null. `settings` are further ones."""
    others = comparison.others
    settings = {
        **comparison.design.settings(),
        **({"other_tests": [each.design.settings() for each in others]} if others else {}),
        **({"corrected_over": families(comparison)} if comparison.design.correction in CORRECTIONS else {}),
        "items": comparison.items,
        "metrics": {name: metric.settings() for name, metric in comparison.metrics.items()},
        **settings,
        "signatures": list(signatures(comparison)),
        "sacrebleu_signatures": sacrebleu_signatures(comparison),
    }
    by = {
        field: [
            {"value": json_value(value), "items": group.items, **_results(group)}
            for value, group in groups.items()
        ]
        for field, groups in comparison.by.items()
    }
    return {**_results(comparison), **({"by": by} if by else {}), "settings": settings}


def _results(comparison: Comparison) -> dict[str, Any]:
    """Scores and tests; clusters of systems where all pairs were tested."""
    systems = {
        system: {
            metric: _members(SCORE_COLUMNS, comparison, found) | _details(comparison, system, metric)
            for metric, found in scores.items()
        }
        for system, scores in comparison.systems.items()
    }
    every = [(each, test) for each in (comparison, *comparison.others) for test in each.tests]
    tests = [_members(TEST_COLUMNS, each, test) | dict(test.details) for each, test in every]
    found: dict[str, Any] = {"systems": systems, "tests": tests}
    if comparison.design.pairs == "all" and comparison.tests:
        tested = [name for name, metric in comparison.metrics.items() if metric.columns]
        found["clusters"] = {name: comparison.clusters(name) for name in tested}
    return found


def _details(comparison: Comparison, system: str, metric: str) -> dict[str, Any]:
    """What the score comes from, where the metric has more to say of it."""
    statistics = comparison.statistics.get(system, {}).get(metric)
    values = statistics.detail_values if statistics is not None else {}
    return {"details": values} if values else {}


def _members(columns: Columns[Found], comparison: Comparison, found: Found) -> dict[str, Any]:
    """What columns have of a score or test."""
    own = {each.name: each.value(found) for each in columns_of(columns, comparison, [found]) if each.name}
    return {name: finite(value) if isinstance(value, float) else value for name, value in own.items()}


def frame_columns(comparison: Comparison) -> dict[str, list[Any]]:
    """What `Comparison.columns` gives."""
    first = next(iter(comparison.systems))
    against = {(t.system, t.metric): t for t in comparison.tests if t.baseline == first}
    others = [test for test in comparison.tests if test.baseline != first]
    others += [test for each in comparison.others for test in each.tests]
    keys = [(system, metric) for metric in comparison.metrics for system in comparison.systems]
    tests = [*map(against.get, keys), *others]
    keys += [(test.system, test.metric) for test in others]
    scores = [comparison.systems[system][metric] for system, metric in keys]
    found: dict[str, list[Any]] = {"metric": [key[1] for key in keys], "system": [key[0] for key in keys]}
    for own in columns_of(SCORE_COLUMNS, comparison, scores):
        if own.frame:
            found[own.name] = list(map(own.value, scores))
    framed = {
        each.name: each
        for one in (comparison, *comparison.others)
        for each in columns_of(TEST_COLUMNS, one, one.tests)
        if each.frame
    }
    for each in sorted(framed.values(), key=attrgetter("frame")):
        found[each.name] = [test and each.value(test) for test in tests]
    return found
