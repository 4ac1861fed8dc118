"""Fields of items that `compare` is given beside the files: `labelled` adds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from fstmetrics.evaluation.item_blocks import SPEAKER, speakers_told
from fstmetrics.evaluation.systems import Columns
from fstmetrics.readers.score_files import read_documents
from fstmetrics.support.equal_rows import Repeated
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.source import Source
from fstmetrics.values.fields import Fields, merged
from fstmetrics.values.groupings import Grouping


def labelled(
    columns: Columns,
    told: Sequence[Fields],
    labels: Sequence[str],
    documents: str | None,
    by: Sequence[Grouping],
    speakers: str | None,
) -> Columns:
    """The same items with the fields of label files; and with speakers, where these are asked for.

    Args:
        columns: what was read.
        told: fields that other files tell, of each item; those of the outputs and references count before them.
        labels: FIELD=FILE, each.
        documents: WMT's file of domains and documents.
        by: what tables are made by.
        speakers: as the option is given.

    Raises:
        FstmetricsError: a file of another number of lines, or no FIELD=FILE.
    """
    if not isinstance(told, Repeated):
        fields: Sequence[Fields] = [merged([*pair]) for pair in zip(columns.fields, told, strict=True)]
        columns = replace(columns, fields=fields)
    found: dict[str, Sequence[Any]] = {}
    if documents is not None:
        found["domain"], found["document"] = read_documents(documents)
        _check(documents, len(found["domain"]), len(columns.fields))
    for argument in labels:
        field, _, path = argument.partition("=")
        if not field or not path:
            raise FstmetricsError(f"--labels is FIELD=FILE, as domain=domains.txt, not {argument!r:.80}")
        found[field] = _lines(path, len(columns.fields))
    wanted = any(SPEAKER in grouping.fields for grouping in by)
    if wanted and SPEAKER not in found:
        found[SPEAKER] = speakers_told(columns, speakers, "--by speaker")
    if not found:
        return columns
    rows = [dict(zip(found, values, strict=True)) for values in zip(*found.values(), strict=True)]
    fields = [{**own, **more} for own, more in zip(columns.fields, rows, strict=True)]
    return replace(columns, fields=fields)


def _lines(path: str, items: int) -> list[str]:
    """A value an item; an empty line is none.

    Raises:
        InputError: another number of lines.
    """
    lines = [line.strip() for _, line in Source.open(path).lines()]
    _check(path, len(lines), items)
    return lines


def _check(path: str, lines: int, items: int) -> None:
    if lines != items:
        raise InputError(f"{lines} lines, but there are {items} items: one line an item is expected", path)
