"""A comparison of systems as text, JSON, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fstmetrics.metrics.corpus import CorpusMetric
from fstmetrics.reports.records import finite
from fstmetrics.reports.summary import Row, folded_lines, items_line, number
from fstmetrics.significance.comparison import Comparison, TestResult
from fstmetrics.significance.tests import as_test
from fstmetrics.significance.texts import is_searched
from fstmetrics.version import __version__

# Levels that tables mark, strictest first.
LEVELS = ((0.01, "**"), (0.05, "*"))
# Resamples below which a summary warns: fewer give intervals and p values that change with the seed.
ENOUGH = 1000
# Below this, four decimals would show nothing.
SMALL = 0.00005


def text_lines(
    comparison: Comparison, remarks: Sequence[str] = (), width: int | None = None
) -> Iterator[str]:
    """A table a metric, folded to a width, what was tested, and the signature of each metric."""
    for name, metric in comparison.metrics.items():
        yield from folded_lines(_rows(comparison, name, metric), width)
        yield ""
    yield items_line(comparison.items, 0)
    yield describe(comparison)
    yield from few_resamples(comparison)
    for name, metric in comparison.metrics.items():
        if not metric.columns:
            yield f"{name} is computed from whole corpora only: there is nothing to resample, so it is not tested"
    yield from remarks
    yield from signatures(comparison)


def describe(comparison: Comparison) -> str:
    """The test and the intervals, in one line."""
    design = comparison.design
    test, settings = as_test(design.test), design.settings()
    sides = "one-sided" if settings["sides"] == 1 else "two-sided"
    samples, seed = design.resampling.samples, design.resampling.seed
    p = f"p = (c + 1) / ({samples} + 1)" if test.draws else "p is exact"
    corrected = "; p corrected by Holm's method" if design.correction == "holm" else ""
    return (
        f"p: {test.description}, {sides}, {p}{corrected}; intervals: {100 * design.confidence:g}% of {samples} "
        f"bootstrap resamples, seed {seed}"
    )


def few_resamples(comparison: Comparison) -> Iterator[str]:
    """A warning where resamples are too few to say much."""
    samples = comparison.design.resampling.samples
    if samples >= ENOUGH:
        return
    least = (
        f"no p can be below {1 / (samples + 1):.2g}, and " if as_test(comparison.design.test).draws else ""
    )
    yield f"few resamples: {least}intervals are rough; --samples {ENOUGH} or more are usual"


def signatures(comparison: Comparison) -> Iterator[str]:
    """What was computed, a line a metric."""
    for name, metric in comparison.metrics.items():
        normalisation = comparison.normalisations.get(name)
        words = normalisation.signature() if normalisation else ""
        wider = f"grammars:{comparison.grammars}" if comparison.grammars and is_searched(metric) else ""
        parts = ["fstmetrics", metric.signature(), words, wider, f"version:{__version__}"]
        yield "|".join(filter(None, parts))


def as_json(comparison: Comparison, settings: dict[str, Any]) -> dict[str, Any]:
    """Scores, tests and settings as one JSON object; infinite scores are null."""
    systems = {
        system: {
            metric: {
                "score": finite(found.score),
                "low": found.low,
                "high": found.high,
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


def _test_record(result: TestResult) -> dict[str, Any]:
    record: dict[str, Any] = {
        "baseline": result.baseline,
        "system": result.system,
        "metric": result.metric,
        "test": result.test,
        "delta": finite(result.delta),
        "p": result.p,
    }
    if result.signs:
        record |= {"better": result.signs.better, "worse": result.signs.worse, "equal": result.signs.equal}
    return record


def _rows(comparison: Comparison, name: str, metric: CorpusMetric) -> list[Row]:
    """The table of one metric: scores, and the tests against the first system; then the other way round."""
    results = [result for result in comparison.tests if result.metric == name]
    signs = ["better", "worse", "equal"] if any(result.signs for result in results) else []
    direction = "higher is better" if metric.recognition else "lower is better"
    head = [
        f"{name}, {direction}",
        "score",
        "low",
        "high",
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
        row = [system, number(found.score, metric.percent), *cells]
        rows.append(row + (_test_cells(forward[system], metric) if system in forward else []))
    for result in results:
        if result.baseline != baseline:
            row = [f"{result.system} against {result.baseline}", "", "", ""]
            rows.append(row + _test_cells(result, metric))
    return [tuple(row + [""] * (len(head) - len(row))) for row in rows]


def _test_cells(result: TestResult, metric: CorpusMetric) -> list[str]:
    signs = result.signs
    counts = [str(signs.better), str(signs.worse), str(signs.equal)] if signs else []
    delta = number(result.delta, metric.percent)
    return [delta if delta.startswith("-") else f"+{delta}", *counts, p_text(result.p), p_text(result.p_holm)]


def p_text(p: float) -> str:
    """A p value with four decimals, or as a power of ten.

    >>> p_text(0.0436), p_text(2**-99)
    ('0.0436', '1.6e-30')
    """
    return f"{p:.4f}" if p >= SMALL else f"{p:.1e}"


def markdown_lines(comparison: Comparison) -> Iterator[str]:
    """One table of scores, a column a metric; stars mark differences from the first system."""
    header, rows = _grid(comparison)
    yield "| " + " | ".join(map(_markdown, header)) + " |"
    yield "|---" + "|---:" * (len(header) - 1) + "|"
    for system, cells in rows:
        marked = [score + mark.replace("*", r"\*") + shown for score, mark, shown in cells]
        yield "| " + " | ".join([_markdown(system), *marked]) + " |"
    yield ""
    yield _note(comparison).replace("*", r"\*")
    for warning in few_resamples(comparison):
        yield f"\n{warning}"


def latex_lines(comparison: Comparison) -> Iterator[str]:
    """The same table for LaTeX with booktabs."""
    header, rows = _grid(comparison)
    yield r"% \usepackage{booktabs}"
    yield rf"\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}"
    yield r"\toprule"
    yield " & ".join(map(_latex, header)) + r" \\"
    yield r"\midrule"
    for system, cells in rows:
        marked = [
            _latex_number(score) + (f"$^{{{mark}}}$" if mark else "") + shown for score, mark, shown in cells
        ]
        yield " & ".join([_latex(system), *marked]) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield f"% {_note(comparison)}"
    for warning in few_resamples(comparison):
        yield f"% {warning}"


def _grid(comparison: Comparison) -> tuple[list[str], list[tuple[str, list[tuple[str, str, str]]]]]:
    """Header, and for each system its score, mark and p value under each metric."""
    header = [
        "system",
        *(f"{name} {'↑' if metric.recognition else '↓'}" for name, metric in comparison.metrics.items()),
    ]
    baseline = next(iter(comparison.systems))
    tests = {(t.system, t.metric): t for t in comparison.tests if t.baseline == baseline}
    rows = []
    for system, scores in comparison.systems.items():
        cells = []
        for name, metric in comparison.metrics.items():
            test = tests.get((system, name))
            mark = next((mark for level, mark in LEVELS if test and test.p < level), "")
            shown = f" (p {p_text(test.p)})" if test else ""
            cells.append((number(scores[name].score, metric.percent), mark, shown))
        rows.append((system, cells))
    return header, rows


def _note(comparison: Comparison) -> str:
    levels = ", ".join(f"{mark} p < {level:g}" for level, mark in reversed(LEVELS))
    return f"{levels} against {next(iter(comparison.systems))}; {describe(comparison)}"


def _markdown(text: str) -> str:
    return "".join("\\" + c if c in r"\`*_{}[]<>|" else c for c in text)


def _latex(text: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {c: "\\" + c for c in "&%$#_{}"} | {"↑": r"$\uparrow$", "↓": r"$\downarrow$"}
    return "".join(special.get(c, c) for c in text)


def _latex_number(text: str) -> str:
    return f"${text}$" if text.startswith("-") else text
