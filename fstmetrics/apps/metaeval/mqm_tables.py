"""Errors that people marked (MQM), as tables: `mqm_parts`."""

from __future__ import annotations

from collections.abc import Iterator

from fstmetrics.io.scores.mqm_files import SEVERITIES, MqmErrors
from fstmetrics.reports.summary import Part, Row, Table
from fstmetrics.support.printable import number


def mqm_parts(found: MqmErrors) -> Iterator[Part]:
    """The scores of systems with their errors by severity, and errors by category and severity."""
    counts = {system: found.counts(system) for system in found.systems()}
    severities = [name for name in SEVERITIES if any(each == name for _, each in found.counts())]
    rows: list[Row] = [("system", "score", "segments", *severities)]
    for system, score in found.systems().items():
        own = counts[system]
        by_severity = (sum(n for (_, each), n in own.items() if each == name) for name in severities)
        segments = sum(cell[0] == system for cell in found.scores)
        rows.append((system, number(score), str(segments), *map(str, by_severity)))
    yield Table(rows)
    rows = [("errors", *counts, "all")]
    for (category, severity), total in sorted(found.counts().items(), key=lambda each: (-each[1], each[0])):
        own_counts = (str(own[category, severity]) for own in counts.values())
        rows.append((f"{category}, {severity}", *own_counts, str(total)))
    yield Table(rows)
    raters = len({error.rater for error in found.errors})
    yield (
        f"score: minus the weights of errors (major 5, non-translation 25, minor 1, minor punctuation 0.1), the mean "
        f"of segments; {raters} rater{'s' * (raters != 1)}"
    )
