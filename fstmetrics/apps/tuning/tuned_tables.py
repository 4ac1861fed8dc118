"""How `tune` shows what it found: `tuned_table`, `weight_table`, `matrix_table`, and `tuned_summary` for JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from fstmetrics import CorpusMetric
from fstmetrics.apps.tuning.tuned_weights import Tuned
from fstmetrics.metrics.corpus_metric import name_of
from fstmetrics.reports.summary import Table
from fstmetrics.support.json_text import finite
from fstmetrics.support.printable import marked, number
from fstmetrics.text.normalisation import Unit

# So many weights are shown, those that changed the most.
MOST = 30


def tuned_table(found: Mapping[CorpusMetric, Tuned], unit: Unit) -> Table:
    """For each metric that was tuned towards, its score at the start and at the end."""
    rows: list[tuple[str, ...]] = [("tuned towards", "start", "tuned")]
    for metric, tuned in found.items():
        scores = (number(score, metric.percent) for score in (tuned.start_score, tuned.score))
        rows.append((name_of(metric.name, unit), *scores))
    return Table(rows)


def weight_table(start: Mapping[str, float], tuned: Tuned) -> Table:
    """The weights at the start and at the end; of many, those that changed the most."""
    names = list(tuned.weights)
    if len(names) > MOST:
        changed = sorted(names, key=lambda name: -abs(tuned.weights[name] - start.get(name, 0.0)))
        names = [name for name in names if name in set(changed[:MOST])]
    rows = [("feature", "start", "tuned")]
    rows += [(name, f"{start.get(name, 0.0):.6g}", f"{tuned.weights[name]:.6g}") for name in names]
    more = len(tuned.weights) - len(names)
    return Table(rows, notes=[f"and {more} more features"] if more else ())


def matrix_table(scores: Mapping[str, Sequence[float]], metrics: Sequence[CorpusMetric], unit: Unit) -> Table:
    """The table of [L11, table 4]: a row for each metric that was tuned towards, a column for each that measures.

    Args:
        scores: by row, one score a metric.
        metrics: the columns.
        unit: what was compared.
    """
    rows: list[tuple[str, ...]] = [("tuned towards", *(name_of(metric.name, unit) for metric in metrics))]
    columns = []
    for place, metric in enumerate(metrics):
        own, shown = [row[place] for row in scores.values()], partial(number, percent=metric.percent)
        columns.append(marked(list(map(shown, own)), own, metric.recognition, shown))
    rows += zip(scores, *columns, strict=True)
    return Table(rows)


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
