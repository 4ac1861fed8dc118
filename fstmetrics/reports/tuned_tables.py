"""How `tune` shows what it found: `tuned_lines`, `weight_lines`, `matrix_lines`, and `tuned_summary` for JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fstmetrics.decoding.tuning.tuned_weights import Tuned
from fstmetrics.metrics.corpus import CorpusMetric, name_of
from fstmetrics.reports.summary import table_lines
from fstmetrics.support.json_text import finite
from fstmetrics.support.printable import number
from fstmetrics.values.normalisation import Unit

# So many weights are shown, those that changed the most.
MOST = 30


def tuned_lines(found: Mapping[CorpusMetric, Tuned], unit: Unit) -> Iterator[str]:
    """For each metric that was tuned towards, its score at the start and at the end."""
    rows: list[tuple[str, ...]] = [("tuned towards", "start", "tuned")]
    for metric, tuned in found.items():
        scores = (number(score, metric.percent) for score in (tuned.start_score, tuned.score))
        rows.append((name_of(metric.name, unit), *scores))
    yield from table_lines(rows)


def weight_lines(start: Mapping[str, float], tuned: Tuned) -> Iterator[str]:
    """The weights at the start and at the end; of many, those that changed the most."""
    names = list(tuned.weights)
    if len(names) > MOST:
        changed = sorted(names, key=lambda name: -abs(tuned.weights[name] - start.get(name, 0.0)))
        names = [name for name in names if name in set(changed[:MOST])]
    rows = [("feature", "start", "tuned")]
    rows += [(name, f"{start.get(name, 0.0):.6g}", f"{tuned.weights[name]:.6g}") for name in names]
    yield from table_lines(rows)
    if len(names) < len(tuned.weights):
        yield f"and {len(tuned.weights) - len(names)} more features"


def matrix_lines(
    scores: Mapping[str, Sequence[float]], metrics: Sequence[CorpusMetric], unit: Unit
) -> Iterator[str]:
    """The table of [L11, table 4]: a row for each metric that was tuned towards, a column for each that measures.

    Args:
        scores: by row, one score a metric.
        metrics: the columns.
        unit: what was compared.
    """
    rows: list[tuple[str, ...]] = [("tuned towards", *(name_of(metric.name, unit) for metric in metrics))]
    rows += [
        (name, *(number(score, metric.percent) for score, metric in zip(row, metrics, strict=True)))
        for name, row in scores.items()
    ]
    yield from table_lines(rows)


def tuned_summary(
    found: Mapping[CorpusMetric, Tuned],
    matrix: Mapping[str, Sequence[float]],
    settings: Mapping[str, Any],
    unit: Unit,
) -> dict[str, Any]:
    """The object of `--json`."""
    names = [name_of(metric.name, unit) for metric in found]
    return {
        **settings,
        "tuned": [
            {
                "metric": name,
                "start_score": finite(tuned.start_score),
                "score": finite(tuned.score),
                "scores": list(map(finite, tuned.scores)),
                "weights": tuned.weights,
            }
            for name, tuned in zip(names, found.values(), strict=True)
        ],
        "matrix": {row: dict(zip(names, map(finite, scores), strict=True)) for row, scores in matrix.items()},
    }
