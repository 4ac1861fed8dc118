"""What records say (docs/records.md), by the kinds of their metrics.

That records are as they should be, the native parser checks (native/formats/record_columns.cc): what it lets through
needs no further look.

Their alignments by columns: `Aligned`; `native/formats/alignment_notation.h` says how records write them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

from fstmetrics._native import RecordSchema, operation_columns, paid_moves
from fstmetrics.metrics import METRICS, Metric
from fstmetrics.metrics.corpus_metric import SESSION_RATES, metric_of, name_of
from fstmetrics.metrics.path_metric import EditTable, Quotient
from fstmetrics.metrics.registry import PathName
from fstmetrics.support.json_text import parsed_json

# Numbers of a record that are not counts.
MEASURES = ("score", "gain", "max_gain", "reference_digest")
# Metrics of best paths that ship. Scores of cer are of the metric wer; the costs of `edit` are not in records.
PATH_METRICS = frozenset(get_args(PathName)) - {"cer"} | SESSION_RATES | {"edit"}


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
    return metric in PATH_METRICS or path_metric(metric) is not None


def path_metric(metric: str) -> type[Metric] | None:
    """The class of a metric of best paths, by the name that records have for its scores; None of any other.

    >>> path_metric("cer"), path_metric("bleu")
    (<class 'fstmetrics.metrics.wer.WER'>, None)
    """
    found = METRICS.get(metric_of(metric))
    return found if found is not None and issubclass(found, Metric) else None


def quotient_of(metric: str) -> Quotient | None:
    """What the score of a record divides, by the name of its metric; None where counts do not tell.

    How a rate follows from `counts` say `sums` of record_columns.cc, `statistics_of` of apps/pages/shown.py, and
    `scoreOf` and `parts` of its views.js.

    >>> quotient_of("char-hyter"), quotient_of("grr"), quotient_of("mer"), quotient_of("bleu")
    ('errors', 'gain', 'counts', None)
    """
    if metric_of(metric) in SESSION_RATES:
        return "errors"
    found = path_metric(metric)
    return None if found is None else vars(found).get("quotient")


def rate_numerator(record: Mapping[str, Any]) -> float:
    """What the score of an error rate divides: edits, moves and what rewrites cost.

    >>> rate_numerator({"edits": 1, "moves": 0, "rules": [{"cost": 0.5}]})
    1.5
    """
    errors: float = record["edits"] + record["moves"] + sum(rule["cost"] for rule in record.get("rules", ()))
    return errors


def word_edits(metric: str) -> EditTable | None:
    """What edits cost under a metric whose records count those of words in their order; None of any other.

    >>> word_edits("sclite").cost, word_edits("hyter"), word_edits("grr")
    (((0, 4, 3, 3),), None, None)
    """
    found = path_metric(metric)
    if found is None or quotient_of(metric) not in ("errors", "counts"):
        return None
    table = found().table
    return None if table.move_cost else table


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


class Aligned(NamedTuple):
    """An alignment by columns, a letter or word an operation.

    Attributes:
        operations: the letters.
        hypothesis, reference: the words; None where a side has none.
        positions: of every operation, the position of its hypothesis word in the string as given; None for a deletion.
            Empty where nothing is reordered.
        paid: of every operation, whether a reordering move is paid there; empty where nothing is reordered.
        nbest: the alignments of the k best paths, where more than one was asked for.
    """

    operations: str = ""
    hypothesis: tuple[str | None, ...] = ()
    reference: tuple[str | None, ...] = ()
    positions: tuple[int | None, ...] = ()
    paid: tuple[bool, ...] = ()
    nbest: tuple[Aligned, ...] = ()


def aligned_of(record: Mapping[str, Any]) -> Aligned:
    """The alignment of a record that has one, with its order and its n-best list."""
    further = () if "statistics" in record else tuple(map(aligned_of, record.get("nbest", ())))
    aligned = Aligned(*operation_columns(record["alignment"]), nbest=further)
    if not record["moves"]:
        return aligned
    order = record["order"]
    readings = (paid_moves(order, jumps) for jumps in (False, True))
    paid = next(reading for reading in readings if sum(reading) == record["moves"])
    taken = iter(zip(order, paid, strict=True))
    both = [(None, False) if word is None else next(taken) for word in aligned.hypothesis]
    positions, at = zip(*both, strict=True)
    return aligned._replace(positions=positions, paid=at)
