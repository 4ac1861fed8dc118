"""What records say (docs/records.md), by the kinds of their metrics.

That records are as they should be, the native parser checks (native/formats/record_columns.cc): what it lets through
needs no further look.
"""

from __future__ import annotations

from fstmetrics._native import RecordSchema
from fstmetrics.metrics import METRICS, Metric
from fstmetrics.metrics.corpus import SESSION_RATES, metric_of, name_of
from fstmetrics.support.json_text import parsed_json

COUNTS = ("edits", "matches", "substitutions", "insertions", "deletions", "moves", "path_length")
# Numbers of a record that are not counts.
MEASURES = ("score", "gain", "max_gain", "reference_digest")
# What scores divide: edits and moves by words, or gain by max_gain; the costs of `edit` are not in records.
ERROR_RATES = frozenset({"wer", "hyter", "sclite"}) | SESSION_RATES
RECOGNITION_RATES = frozenset({"wrr", "grr"})
# Rates of the counts of a path that is best under WER.
ALIGNMENT_RATES = frozenset({"mer", "wil", "wip"})
PATH_METRICS = ERROR_RATES | RECOGNITION_RATES | {"edit"}


def unit_of(metric: str) -> str:
    """What the counts of a record are of, by the name of its metric.

    >>> unit_of("wer"), unit_of("cer")
    ('word', 'character')
    """
    return "word" if metric_of(metric) == metric else "character"


def aligns_itself(metric: str) -> bool:
    """Whether the alignments of records are those of their metric; a score of strings has word edits beside it.

    >>> aligns_itself("cer"), aligns_itself("bleu")
    (True, False)
    """
    return _has_paths(metric_of(metric))


def _has_paths(metric: str) -> bool:
    """Whether a metric has best paths, be it one of another package."""
    return metric in PATH_METRICS or (metric in METRICS and issubclass(METRICS[metric], Metric))


def add_rule(schema: RecordSchema, name: bytes) -> None:
    """Tell the native parser of a metric, by what records call it, as JSON."""
    called = parsed_json(name.decode())
    metric = metric_of(called)
    columns = METRICS[metric].columns if metric in METRICS else ()
    has_paths = _has_paths(metric) and (
        metric in SESSION_RATES or called in (metric, name_of(metric, "char"))
    )
    schema.add(
        name,
        ("wer" if metric in SESSION_RATES else metric) if has_paths else "",
        has_paths,
        list(columns) if isinstance(columns, tuple) else None,  # some have more for higher orders
    )
