"""N-best lists in rows of JSON: a column that holds a list of texts, or of objects with a text and a score.

The best choice comes first. Lists of Whisper, NeMo and sherpa are written so, under names of many kinds; HyPoradise has
`input` for the list and `output` for the reference.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from fstmetrics.readers.arcs import shown
from fstmetrics.readers.columns import HYPOTHESES, HYPOTHESIS, REFERENCE, Given
from fstmetrics.readers.formats import json_rows
from fstmetrics.readers.items import Format, Item, ReadOptions
from fstmetrics.readers.rows import Rows, items_of_rows
from fstmetrics.support.source import Source

# Names of columns that hold lists.
LISTS = (
    "nbest", "n_best", "nbests", "nbest_hypotheses", "n_best_hypotheses", "beams", "hyps", "hypotheses",
    "alternatives", "candidates", "predictions", *HYPOTHESES,
)  # fmt: skip
# The columns of HyPoradise (Chen et al. 2023, NeurIPS).
INPUT, OUTPUT = "input", "output"
# In an entry that is an object: its text, its score.
TEXTS = ("text", "hypothesis", "hyp", "transcript", "transcription", "pred_text", "sentence")
SCORES = ("score", "total_score", "log_prob", "logprob", "avg_logprob", "confidence")


def sniff(source: Source) -> bool:
    """Whether the first row has a list of texts under such a name."""
    first = json_rows.first_row(source)
    return first is not None and _column(first) is not None


def _column(row: Mapping[str, Any]) -> str | None:
    """The column of the list; None where a row has none."""
    names = [INPUT] if isinstance(row.get(OUTPUT), str) else []
    return next((name for name in (*LISTS, *names) if _is_list(row.get(name))), None)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_entry, value))


def _is_entry(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, dict) and _text_of(value) is not None)


def _text_of(entry: Mapping[str, Any]) -> str | None:
    return next((entry[name] for name in TEXTS if isinstance(entry.get(name), str)), None)


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The lists of the rows, in the order of the file; or their references, where those are wanted.

    Raises:
        InputError: as of rows; a row without a list of texts; scores in some entries of a list only, or one
            that is not finite.
    """
    table = json_rows.table_of(source)
    given = _given(table.rows[0], options.table.given) if table.rows else options.table.given
    options = replace(options, table=replace(options.table, given=given))
    if options.table.side == "reference":
        yield from items_of_rows(table, options)
    else:
        yield from items_of_rows(
            table, replace(options, table=replace(options.table, side="hypothesis")), _entries
        )


def _given(first: Mapping[str, Any], given: Given) -> Given:
    """The columns, with those that this format knows."""
    found: dict[str, tuple[str, ...]] = {}
    if column := _column(first):
        found[HYPOTHESIS] = (column,)
        if column == INPUT:
            found[REFERENCE] = (OUTPUT,)
    return {**found, **given}


def _entries(
    table: Rows, row: int, name: str, value: Any
) -> tuple[tuple[str, ...], tuple[float, ...] | None]:
    if not _is_list(value):
        raise table.error(row, f"{name!r} is no list of texts, but {shown(str(value))}")
    texts = tuple(entry if isinstance(entry, str) else _text_of(entry) or "" for entry in value)
    scores = [_score(entry) for entry in value]
    for score in scores:
        if score is not None and not math.isfinite(score):
            raise table.error(row, f"a score in {name!r} is {score}, expected a finite number")
    given = tuple(score for score in scores if score is not None)
    if given and len(given) < len(texts):
        raise table.error(row, f"{len(given)} of the {len(texts)} entries of {name!r} have a score")
    return texts, given or None


def _score(entry: Any) -> float | None:
    if not isinstance(entry, dict):
        return None
    values = (entry.get(name) for name in SCORES)
    return next((float(v) for v in values if isinstance(v, int | float)), None)


FORMAT = Format(
    "nbest-json", "n-best lists in rows of JSON: a list of texts in a column", read, "n-best",
    signature=json_rows.OBJECT, sniff=sniff, before=("jsonl",), has_sides=True,
)  # fmt: skip
