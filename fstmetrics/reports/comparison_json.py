"""A comparison as a JSON object: `comparison_dict`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from fstmetrics.reports.comparison_report import (
    families,
    sacrebleu_signatures,
    signatures,
)
from fstmetrics.significance.comparison import (
    Comparison,
    SystemScore,
    TestResult,
    Value,
)
from fstmetrics.support.json_text import finite

# The counts of errors in records.
ERRORS = ("edits", "substitutions", "insertions", "deletions", "path_length")


def comparison_dict(
    comparison: Comparison, settings: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, Any]:
    """Scores, tests and settings as one JSON object; infinite scores are null. `settings` are further ones."""
    settings = {
        **comparison.design.settings(),
        **({"corrected_over": families(comparison)} if comparison.design.correction == "holm" else {}),
        "items": comparison.items,
        "metrics": {name: metric.settings() for name, metric in comparison.metrics.items()},
        **settings,
        "signatures": list(signatures(comparison)),
        "sacrebleu_signatures": sacrebleu_signatures(comparison),
    }
    by = {
        field: [
            {"value": _plain(value), "items": group.items, **_results(group)}
            for value, group in groups.items()
        ]
        for field, groups in comparison.by.items()
    }
    return {**_results(comparison), **({"by": by} if by else {}), "settings": settings}


def _plain(value: Value) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _results(comparison: Comparison) -> dict[str, Any]:
    """Scores and tests; clusters of systems where all pairs were tested."""
    systems = {
        system: {
            metric: {
                "score": finite(found.score),
                "low": found.low,
                "high": found.high,
                **({"undefined_resamples": found.undefined} if found.undefined else {}),
                **(
                    {"runs": list(found.runs), "s_sel": found.s_sel, "s_opt": found.s_opt}
                    if found.runs
                    else {}
                ),
                **(_counts(found) if comparison.shows_counts else {}),
                **_details(comparison, system, metric),
            }
            for metric, found in scores.items()
        }
        for system, scores in comparison.systems.items()
    }
    every = [test for each in (comparison, *comparison.others) for test in each.tests]
    found: dict[str, Any] = {"systems": systems, "tests": list(map(_test_record, every))}
    if comparison.design.pairs == "all" and comparison.tests:
        tested = [name for name, metric in comparison.metrics.items() if metric.columns]
        found["clusters"] = {name: comparison.clusters(name) for name in tested}
    return found


def _details(comparison: Comparison, system: str, metric: str) -> dict[str, Any]:
    """What the score comes from, where the metric has more to say of it."""
    statistics = comparison.statistics.get(system, {}).get(metric)
    values = statistics.detail_values if statistics is not None else {}
    return {"details": values} if values else {}


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
        "delta_low": result.low,
        "delta_high": result.high,
        "relative": result.relative,
        "p": finite(result.p),
        "p_holm": finite(result.p_holm),
    }
    if result.signs:
        record |= {"better": result.signs.better, "worse": result.signs.worse, "equal": result.signs.equal}
    if result.goes_by_counts:
        record["favours"] = result.favours
    if result.statistic is not None:
        record |= {
            "systems": [result.baseline, result.system],
            "statistic": finite(result.statistic),
            **result.details,
        }
    return record
