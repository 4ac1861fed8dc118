"""A comparison for programs: `comparison_dict`, a JSON object, and `frame_columns`, the columns of a frame."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from fstmetrics.data.groupings import json_value
from fstmetrics.reports.comparison_report import families, sacrebleu_signatures, signatures
from fstmetrics.reports.comparison_tables import SCORE_COLUMNS, TEST_COLUMNS, Columns, Found, columns_of
from fstmetrics.significance.comparison import Comparison
from fstmetrics.significance.p_values import CORRECTIONS
from fstmetrics.support.json_text import finite


def comparison_dict(
    comparison: Comparison, settings: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, Any]:
    """Scores, tests and settings as one JSON object; infinite scores are null. `settings` are further ones."""
    settings = {
        **comparison.design.settings(),
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
