"""A comparison of systems as text and JSON; as Markdown and LaTeX in `comparison_tables`.

A comparison of systems as one table to paste, a column a metric: `markdown_lines`, `latex_lines`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from fstmetrics.evaluation.significance.comparison import Comparison, Design, SystemScore, TestResult
from fstmetrics.evaluation.significance.p_values import as_test
from fstmetrics.evaluation.significance.sc_stats import TABLED
from fstmetrics.evaluation.significance.texts import is_searched
from fstmetrics.metrics.corpus import CorpusMetric
from fstmetrics.reports.json_records import signature_of
from fstmetrics.reports.summary import Row, folded_lines, items_lines, number
from fstmetrics.support.json_text import finite
from fstmetrics.support.printable import counted

# Resamples below which a summary warns: fewer give intervals and p values that change with the seed.
ENOUGH = 1000
# Items below which it warns, by the usual rule of thumb: resamples of a handful hardly differ.
MANY = 30
# p values that differ by more are printed otherwise by sc_stats.
PRINTED = 0.005
# Speakers below which it warns: sc_stats' normal distribution of ranks wants as many.
FEW_BLOCKS = 8
# Columns of counts of errors, and their names in records, which have them in this order.
COUNT_COLUMNS = {"sub": "substitutions", "del": "deletions", "ins": "insertions"}
ERRORS = ("edits", "substitutions", "insertions", "deletions", "path_length")
# What tables show of the tests of sc_stats.
SHOWN = ("segments", "mean", "std_dev", "Z")
# Below this, four decimals would show nothing.
SMALL = 0.00005


def text_lines(
    comparison: Comparison, remarks: Sequence[str] = (), width: int | None = None
) -> Iterator[str]:
    """A table a metric, folded to a width, what was tested, and the signature of each metric."""
    for rows in tables(comparison):
        yield from folded_lines(rows, width)
        yield ""
    yield from items_lines(comparison.items)
    yield describe(comparison)
    yield from warnings(comparison)
    for name, metric in comparison.metrics.items():
        if not metric.columns:
            yield f"{name} is computed from whole corpora only: there is nothing to resample, so it is not tested"
    yield from remarks
    yield from signatures(comparison)


def tables(comparison: Comparison) -> Iterator[list[Row]]:
    """A table a metric: scores with their intervals, and the tests."""
    for name, metric in comparison.metrics.items():
        yield _rows(comparison, name, metric)


def describe(comparison: Comparison) -> str:
    """The test, if there was one, and the intervals, in one line."""
    design = comparison.design
    samples, seed = design.resampling.samples, design.resampling.seed
    resampled = f" of {counted(len(design.blocks), design.blocks.name) if design.blocks else 'items'}"
    intervals = (
        f"intervals: {100 * design.confidence:g}% of {samples} bootstrap resamples{resampled}, seed {seed}"
    )
    if not comparison.tests:
        return intervals
    test, settings = as_test(design.test), design.settings()
    sides = "one-sided" if settings["sides"] == 1 else "two-sided"
    exact = "p is exact" if test.distribution == "binomial" else "p by the normal distribution"
    p = f"p = (c + 1) / ({samples} + 1)" if test.draws else exact
    corrected = "; p Holm decides, corrected by Holm's method" if design.correction == "holm" else ""
    return f"p: {_described(design)}, {sides}, {p}{corrected}; {intervals}"


def _described(design: Design) -> str:
    """The test, and what it compares or resamples."""
    description = as_test(design.test).description
    if design.blocks is None:
        return description
    blocks = counted(len(design.blocks), design.blocks.name)
    if design.test == "sign":
        return f"sign test of {blocks}"
    return f"{description}, of {blocks}" if design.compares in ("items", "blocks") else description


def warnings(comparison: Comparison) -> Iterator[str]:
    """Where texts look tokenized; where resamples are too few to say much, or items too few to be resampled; exact
    tests need no resamples."""
    for system, found in comparison.statistics.items():
        yield from dict.fromkeys(f"{system}: {each.remark}" for each in found.values() if each.remark)
    design, items = comparison.design, comparison.items
    samples = design.resampling.samples
    draws = bool(comparison.tests) and as_test(comparison.design.test).draws
    if samples < ENOUGH:
        least = f"no p can be below {1 / (samples + 1):.2g}, and " if draws else ""
        yield f"few resamples: {least}intervals are rough; --samples {ENOUGH} or more are usual"
    for result in comparison.tests:
        if result.signs and abs(result.details.get(TABLED, result.p) - result.p) > PRINTED:
            yield (
                f"{result.system}: sc_stats 2.4.10 prints p {result.details[TABLED]:.3f} for this test; beyond 20 "
                "counts its formula is wrong, and p above is the exact one"
            )
        few = result.details.get("segments", MANY)
        if few < MANY:
            yield (
                f"few segments: {result.system} and {result.baseline} differ in {few}, and the normal distribution of "
                f"MAPSSWE wants {MANY} or more"
            )
    if design.blocks and len(design.blocks) < FEW_BLOCKS:
        yield (
            f"few {design.blocks.name}s: {len(design.blocks)} are a small sample of all there could be; "
            f"{FEW_BLOCKS} or more are usual"
        )
    elif items < MANY:
        what = "p values and intervals" if draws else "intervals"
        yield f"few items: {what} take {items} as a sample of all there could be; {MANY} or more are usual"


def signatures(comparison: Comparison) -> Iterator[str]:
    """What was computed, a line a metric."""
    for name, metric in comparison.metrics.items():
        normalisation = comparison.normalisations.get(name)
        wider = [f"grammars:{comparison.grammars}"] if comparison.grammars and is_searched(metric) else []
        yield signature_of(metric, normalisation, [*comparison.conditions.get(name, ()), *wider])


def comparison_dict(
    comparison: Comparison, settings: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, Any]:
    """Scores, tests and settings as one JSON object; infinite scores are null. `settings` are further ones."""
    systems = {
        system: {
            metric: {
                "score": finite(found.score),
                "low": found.low,
                "high": found.high,
                **(_counts(found) if comparison.shows_counts else {}),
            }
            for metric, found in scores.items()
        }
        for system, scores in comparison.systems.items()
    }
    settings = {
        **comparison.design.settings(),
        "items": comparison.items,
        "metrics": {name: metric.settings() for name, metric in comparison.metrics.items()},
        **settings,
        "signatures": list(signatures(comparison)),
    }
    return {"systems": systems, "tests": list(map(_test_record, comparison.tests)), "settings": settings}


def _counts(found: SystemScore) -> dict[str, int]:
    """The counts of errors, by the names that records have for them; of metrics that have none, nothing."""
    totals = found.totals
    return {} if totals is None else {name: getattr(totals, name) for name in ERRORS}


def _test_record(result: TestResult) -> dict[str, Any]:
    record: dict[str, Any] = {
        "baseline": result.baseline,
        "system": result.system,
        "metric": result.metric,
        "test": result.test,
        "delta": finite(result.delta),
        "p": result.p,
        "p_holm": result.p_holm,
    }
    if result.signs:
        record |= {"better": result.signs.better, "worse": result.signs.worse, "equal": result.signs.equal}
    if result.statistic is not None:
        record |= {
            "systems": [result.baseline, result.system],
            "statistic": result.statistic,
            **result.details,
        }
    return record


def _rows(comparison: Comparison, name: str, metric: CorpusMetric) -> list[Row]:
    """The table of one metric: scores, and the tests against the first system; then the other way round."""
    results = [result for result in comparison.tests if result.metric == name]
    signs = ["better", "worse", "equal"] if any(result.signs for result in results) else []
    signs += [name for name in SHOWN if any(_shown(result, name) is not None for result in results)]
    counts = comparison.shows_counts and any(scores[name].totals for scores in comparison.systems.values())
    columns = list(COUNT_COLUMNS) if counts else []
    direction = "higher is better" if metric.recognition else "lower is better"
    head = [
        f"{name}, {direction}",
        "score",
        "low",
        "high",
        *columns,
        *(["delta", *signs, "p", "p Holm"] if results else []),
    ]
    rows = [head]
    baseline = next(iter(comparison.systems))
    forward = {result.system: result for result in results if result.baseline == baseline}
    for system, scores in comparison.systems.items():
        found = scores[name]
        cells = [
            number(value, metric.percent) if value is not None else "" for value in (found.low, found.high)
        ]
        cells += [str(getattr(found.totals, COUNT_COLUMNS[column])) for column in columns]
        row = [system, number(found.score, metric.percent), *cells]
        rows.append(row + (_test_cells(forward[system], metric) if system in forward else []))
    for result in results:
        if result.baseline != baseline:
            row = [f"{result.system} against {result.baseline}", "", "", "", *[""] * len(columns)]
            rows.append(row + _test_cells(result, metric))
    return [tuple(row + [""] * (len(head) - len(row))) for row in rows]


def _test_cells(result: TestResult, metric: CorpusMetric) -> list[str]:
    signs = result.signs
    counts = [str(signs.better), str(signs.worse), str(signs.equal)] if signs else []
    counts += [_cell(value) for name in SHOWN if (value := _shown(result, name)) is not None]
    delta = number(result.delta, metric.percent)
    return [delta if delta.startswith("-") else f"+{delta}", *counts, p_text(result.p), p_text(result.p_holm)]


def _shown(result: TestResult, name: str) -> float | None:
    """What a column of a test of sc_stats shows."""
    if name == "Z":
        return None if result.statistic is None or result.signs else result.statistic
    return result.details.get(name)


def _cell(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.3f}"


def p_text(p: float) -> str:
    """A p value with four decimals, or as a power of ten.

    >>> p_text(0.0436), p_text(2**-99)
    ('0.0436', '1.6e-30')
    """
    return f"{p:.4f}" if p >= SMALL else f"{p:.1e}"


# Levels that tables mark, strictest first.
LEVELS = ((0.01, "**"), (0.05, "*"))


@dataclass(frozen=True)
class _Cell:
    """What a system, or a test, has under a metric: its number, the stars behind it, and what stands behind these."""

    number: str = ""
    mark: str = ""
    rest: str = ""


def markdown_lines(comparison: Comparison) -> Iterator[str]:
    """One table of scores; stars mark differences from the first system."""
    header, rows = _grid(comparison)
    yield "| " + " | ".join(map(_markdown, header)) + " |"
    yield "|---" + "|---:" * (len(header) - 1) + "|"
    for name, cells in rows:
        shown = [_markdown(cell.number + cell.mark + cell.rest) for cell in cells]
        yield "| " + " | ".join([_markdown(name), *shown]) + " |"
    yield ""
    yield _markdown(_note(comparison))
    for line in (*warnings(comparison), *(f"`{line}`" for line in signatures(comparison))):
        yield from ("", line)


def latex_lines(comparison: Comparison) -> Iterator[str]:
    """The same table for LaTeX with booktabs; what the caption should say stands below it, as comments."""
    header, rows = _grid(comparison)
    yield r"% \usepackage{booktabs}"
    yield rf"\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}"
    yield r"\toprule"
    yield " & ".join(map(_latex, header)) + r" \\"
    yield r"\midrule"
    for name, cells in rows:
        yield " & ".join([_latex(name), *map(_latex_cell, cells)]) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    for line in (_note(comparison), *warnings(comparison), *signatures(comparison)):
        yield f"% {line}"


def _grid(comparison: Comparison) -> tuple[list[str], list[tuple[str, list[_Cell]]]]:
    """Header; a row a system; and a row a test of the first system against another, if there are some."""
    names = comparison.metrics
    header = ["system", *(f"{name} {'↑' if m.recognition else '↓'}" for name, m in names.items())]
    baseline = next(iter(comparison.systems))
    rows = [
        (system, [_score_cell(comparison, system, name) for name in names]) for system in comparison.systems
    ]
    for other in dict.fromkeys(t.baseline for t in comparison.tests if t.baseline != baseline):
        for system in dict.fromkeys(t.system for t in comparison.tests if t.baseline == other):
            cells = [_test_cell(comparison, other, system, name) for name in names]
            rows.append((f"{system} against {other}", cells))
    return header, rows


def _score_cell(comparison: Comparison, system: str, metric: str) -> _Cell:
    """The score, its interval, and p of the difference from the first system."""
    found, percent = comparison.systems[system][metric], comparison.metrics[metric].percent
    interval = ""
    if found.low is not None and found.high is not None:
        interval = f" [{number(found.low, percent)}, {number(found.high, percent)}]"
    test = _test(comparison, next(iter(comparison.systems)), system, metric)
    mark, p = _marked(comparison, test) if test else ("", "")
    return _Cell(number(found.score, percent), mark, interval + p)


def _test_cell(comparison: Comparison, baseline: str, system: str, metric: str) -> _Cell:
    """The difference and its p; nothing where there is no test."""
    test = _test(comparison, baseline, system, metric)
    if test is None:
        return _Cell()
    delta = number(test.delta, comparison.metrics[metric].percent)
    return _Cell(delta if delta.startswith("-") else f"+{delta}", *_marked(comparison, test))


def _test(comparison: Comparison, baseline: str, system: str, metric: str) -> TestResult | None:
    of = (baseline, system, metric)
    return next((t for t in comparison.tests if (t.baseline, t.system, t.metric) == of), None)


def _marked(comparison: Comparison, test: TestResult) -> tuple[str, str]:
    """Stars, and the p that they go by; where it is corrected, the plain one stands before it."""
    p = comparison.decisive(test)
    plain = f"p {p_text(test.p)}, " if comparison.design.correction == "holm" else ""
    name = "p Holm" if plain else "p"
    return next((mark for level, mark in LEVELS if p < level), ""), f" ({plain}{name} {p_text(p)})"


def _note(comparison: Comparison) -> str:
    """What the table shows."""
    cell = f"score [{100 * comparison.design.confidence:g}% interval]"
    if not comparison.tests:
        return f"{cell}; {describe(comparison)}"
    baseline = next(iter(comparison.systems))
    levels = ", ".join(f"{mark} p < {level:g}" for level, mark in reversed(LEVELS))
    reverse = any(test.baseline != baseline for test in comparison.tests)
    rows = "; rows `A against B`: difference A minus B (its p)" if reverse else ""
    return f"{cell} (p of the difference from {baseline}), {levels}{rows}; {describe(comparison)}"


def _markdown(text: str) -> str:
    return "".join("\\" + c if c in r"\`*_{}[]<>|" else c for c in text)


def _latex(text: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {"|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}"}
    special |= {"[": "{[}"}  # at the beginning of a row it would be an option of the \\ before it
    special |= {c: "\\" + c for c in "&%$#_{}"} | {"↑": r"$\uparrow$", "↓": r"$\downarrow$"}
    return "".join(special.get(c, c) for c in text)


def _latex_cell(cell: _Cell) -> str:
    mark = f"^{{{cell.mark}}}" if cell.mark else ""
    if cell.number[:1] in ("-", "+"):
        return f"${cell.number}{mark}${cell.rest}"
    return cell.number + (f"${mark}$" if mark else "") + cell.rest
