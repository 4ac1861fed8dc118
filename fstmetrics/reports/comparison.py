"""A comparison of systems as text and JSON; as Markdown and LaTeX in `comparison_tables`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fstmetrics.metrics.corpus import CorpusMetric
from fstmetrics.reports.records import finite, signature_of
from fstmetrics.reports.summary import Row, folded_lines, items_lines, number
from fstmetrics.significance.comparison import Comparison, TestResult
from fstmetrics.significance.tests import as_test
from fstmetrics.significance.texts import is_searched

# Resamples below which a summary warns: fewer give intervals and p values that change with the seed.
ENOUGH = 1000
# Items below which it warns, by the usual rule of thumb: resamples of a handful hardly differ.
MANY = 30
# Below this, four decimals would show nothing.
SMALL = 0.00005


def text_lines(
    comparison: Comparison, remarks: Sequence[str] = (), width: int | None = None
) -> Iterator[str]:
    """A table a metric, folded to a width, what was tested, and the signature of each metric."""
    for name, metric in comparison.metrics.items():
        yield from folded_lines(_rows(comparison, name, metric), width)
        yield ""
    yield from items_lines(comparison.items)
    yield describe(comparison)
    yield from warnings(comparison)
    for name, metric in comparison.metrics.items():
        if not metric.columns:
            yield f"{name} is computed from whole corpora only: there is nothing to resample, so it is not tested"
    yield from remarks
    yield from signatures(comparison)


def describe(comparison: Comparison) -> str:
    """The test, if there was one, and the intervals, in one line."""
    design = comparison.design
    samples, seed = design.resampling.samples, design.resampling.seed
    intervals = f"intervals: {100 * design.confidence:g}% of {samples} bootstrap resamples, seed {seed}"
    if not comparison.tests:
        return intervals
    test, settings = as_test(design.test), design.settings()
    sides = "one-sided" if settings["sides"] == 1 else "two-sided"
    p = f"p = (c + 1) / ({samples} + 1)" if test.draws else "p is exact"
    corrected = "; p Holm decides, corrected by Holm's method" if design.correction == "holm" else ""
    return f"p: {test.description}, {sides}, {p}{corrected}; {intervals}"


def warnings(comparison: Comparison) -> Iterator[str]:
    """Where texts look tokenized; where resamples are too few to say much, or items too few to be resampled; exact
    tests need no resamples."""
    for system, found in comparison.statistics.items():
        yield from dict.fromkeys(f"{system}: {each.remark}" for each in found.values() if each.remark)
    samples, items = comparison.design.resampling.samples, comparison.items
    draws = bool(comparison.tests) and as_test(comparison.design.test).draws
    if samples < ENOUGH:
        least = f"no p can be below {1 / (samples + 1):.2g}, and " if draws else ""
        yield f"few resamples: {least}intervals are rough; --samples {ENOUGH} or more are usual"
    if items < MANY:
        what = "p values and intervals" if draws else "intervals"
        yield f"few items: {what} take {items} to stand for all there could be; {MANY} or more are usual"


def signatures(comparison: Comparison) -> Iterator[str]:
    """What was computed, a line a metric."""
    for name, metric in comparison.metrics.items():
        normalisation = comparison.normalisations.get(name)
        wider = [f"grammars:{comparison.grammars}"] if comparison.grammars and is_searched(metric) else []
        yield signature_of(metric, normalisation, [*comparison.conditions.get(name, ()), *wider])


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
        "p_holm": result.p_holm,
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
