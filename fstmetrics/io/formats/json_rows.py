"""Rows in JSON Lines, an object a line, or in one JSON list of objects: manifests of NeMo and Lhotse, exported tables.

One object of columns is a table, too, each a list or, as pandas writes it by default, an object by labels of the rows.
Numbers and texts beside columns of both sides are left out.

A cut of Lhotse is a row with the fields of its one supervision, and of what is `custom` in either. Its times are those
of the supervision, which begins so long after the cut as its `start` says.

Of a folder of Lhotse Shar the cuts of all shards are read, `cuts.000000.jsonl.gz` and so on; sound and features stay
unread. Other texts of the cuts may be in fields of their own, `hyp.000000.jsonl.gz`: rows with `cut_id`, which are
tables as others, `hyp.*.jsonl.gz`. Source: Lhotse, "Lhotse Shar: storage format optimized for sequential I/O and
modularity".
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from fstmetrics._native import JsonRowForm
from fstmetrics.data.segments import MICROSECONDS
from fstmetrics.io.arcs import shown
from fstmetrics.io.blocks import Block
from fstmetrics.io.detection.head import whole_number
from fstmetrics.io.detection.json_signs import columns_in
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.register import SHIPPED
from fstmetrics.io.rows import FIRST, Row, Rows, first_lines, items_of_rows, parsed_once, table_block
from fstmetrics.support.errors import InputError
from fstmetrics.support.file_sets import files_in
from fstmetrics.support.row_columns import flat
from fstmetrics.support.source import Source

# Parts of a Lhotse cut that say nothing of its speech.
LEFT_OUT = ("recording", "features", "supervisions", "custom", "alignment")
# An object whose first value is a list, or an object by the numbers of rows.
BY_COLUMNS = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*(?:\[|\{\s*"0"\s*:)')


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; ValueError for a key that comes twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        both = ", ".join(shown(json.dumps(value)) for name, value in pairs if name == twice)
        raise ValueError(f"the key {shown(twice)} comes twice in one object, with {both}")
    return found


_DECODER = json.JSONDecoder(parse_int=whole_number, object_pairs_hook=_object)


def decoded(text: str) -> Any:
    """A value of JSON. Raises json.JSONDecodeError, RecursionError, and ValueError for a key that comes twice."""
    return _DECODER.decode(text)


def json_fault(
    source: Source, error: ValueError | RecursionError, line: int | None = None, what: str = ""
) -> InputError:
    """What parsing JSON raises, as an error of a file; in a line, which `error` tells where that is not given.

    Args:
        source: the file.
        error: what was raised.
        line: the line.
        what: what the file is none of, where brackets are nested too deeply.
    """
    if isinstance(error, json.JSONDecodeError):
        said = f"not JSON: {error.msg} (column {error.colno})"
        return source.error(said, error.lineno if line is None else line)
    is_deep = isinstance(error, RecursionError)
    return source.error(f"{what}brackets are nested too deeply" if is_deep else str(error), line)


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The items of one side, in the order of the file.

    Raises:
        InputError: not JSON (with the line), a row that is no object, or as of `items_of_rows`.
    """
    yield from items_of_rows(table_of(source, options.table.columns), options)


def block(source: Source, options: ReadOptions) -> Block | None:
    """The same as columns, where each line is an object with an id and one text, and nothing is wrong with any.

    Raises:
        InputError: the file cannot be read.
    """
    begin = source.beginning.removeprefix(BOM_UTF8).lstrip()
    if options.alternations is not None or not begin.startswith(b"{") or BY_COLUMNS.match(source.beginning):
        return None
    lines = first_lines(source, FIRST)
    try:
        head = None if lines is None else _of_lines(lines)
    except InputError:
        return None
    return table_block(source, options, head, JsonRowForm) if head and head.rows else None


def table_of(
    source: Source, given: Collection[str] = (), is_item: Callable[[Row], bool] | None = None
) -> Rows:
    """The rows of a file.

    Args:
        source: the file.
        given: columns that the caller names.
        is_item: tells of one object that it is an item, though its lists may be columns.

    Raises:
        InputError: not JSON (with the line), or a row that is no object.
    """
    return parsed_once(source, "jsonl", partial(_rows, given=given, is_item=is_item))


def _rows(source: Source, given: Collection[str], is_item: Callable[[Row], bool] | None) -> Rows:
    if source.text.lstrip().startswith("["):
        return Rows(source, _of_list(source))
    if (columns := _of_columns(source, given, is_item)) is not None:
        return Rows(source, columns)
    return _of_values(source) or _of_lines(source)


def json_values(source: Source) -> list[tuple[int, Any]]:
    """The values of a file, one after the other, with the lines where they begin.

    Raises:
        InputError: not JSON (with the line), or a key that comes twice in an object.
    """
    text, found = source.text, []
    at = _behind_space(text, 0)
    while at < len(text):
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError) as error:
            raise json_fault(source, error) from None
        except ValueError as error:
            raise source.error(str(error), text.count("\n", 0, at) + 1) from None
        found.append((text.count("\n", 0, at) + 1, value))
        at = _behind_space(text, end)
    return found


def _behind_space(text: str, at: int) -> int:
    while text[at : at + 1].isspace():
        at += 1
    return at


def _of_values(source: Source) -> Rows | None:
    """Objects over several lines, as jq prints them; None where the first line is one, or no beginning of one."""
    first = next((line.strip() for _, line in source.lines() if line.strip()), "")
    if not first.endswith(("{", "[", ",")):
        return None
    values = json_values(source)
    for line, value in values:
        if type(value) is not dict:
            raise source.error(f"expected a JSON object, found {shown(json.dumps(value))}", line)
    return Rows(
        source, [_row_at(source, line, value) for line, value in values], [line for line, _ in values]
    )


def _row_at(source: Source, line: int, value: dict[str, Any]) -> Row:
    try:
        return _row(value)
    except ValueError as error:
        raise source.error(str(error), line) from None


def _of_lines(source: Source) -> Rows:
    lines: list[int] = []
    rows: list[Row] = []
    for number, line in source.lines():
        text = line.strip()
        if not text:
            continue
        try:
            value, end = _DECODER.raw_decode(text)
        except (ValueError, RecursionError) as error:
            raise json_fault(source, error, number) from None
        if end < len(text):
            raise source.error(
                f"expected one JSON object a line, found {shown(text[end:].lstrip())} behind it", number
            )
        if type(value) is not dict:
            raise source.error(f"expected a JSON object, found {shown(text)}", number)
        lines.append(number)
        rows.append(_row_at(source, number, value))
    return Rows(source, rows, lines)


def _of_list(source: Source) -> list[Row]:
    try:
        values = _DECODER.decode(source.text)
    except (ValueError, RecursionError) as error:
        raise json_fault(source, error) from None
    rows = []
    for number, value in enumerate(values, 1):
        if type(value) is not dict:
            raise source.error(f"row {number}: expected a JSON object, found {shown(json.dumps(value))}")
        try:
            rows.append(_row(value))
        except ValueError as error:
            raise source.error(f"row {number}: {error}") from None
    return rows


def _of_columns(
    source: Source, given: Collection[str], is_item: Callable[[Row], bool] | None
) -> list[Row] | None:
    """The rows of a file that is one object of columns; None for anything else."""
    try:
        table = _DECODER.decode(source.text)
    except (ValueError, RecursionError):  # other rows follow, or it is none
        return None
    if (
        type(table) is not dict
        or (is_item and is_item(table))
        or (columns := columns_in(table, given)) is None
    ):
        return None
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def _row(value: dict[str, Any]) -> Row:
    """A row with its objects flattened; ValueError for a cut that is not of one supervision."""
    if type(value.get("supervisions")) is list or type(value.get("tracks")) is list:
        return _cut(value)
    if "recording_id" in value and type(value.get("custom")) is dict:
        return flat({**value["custom"], **{name: each for name, each in value.items() if name != "custom"}})
    return flat(value)


def _cut(cut: Mapping[str, Any]) -> Row:
    supervisions = cut.get("supervisions")
    if not isinstance(supervisions, list):
        raise ValueError("a mixed cut has no text of its own; write its cuts, or a manifest of supervisions")
    if len(supervisions) != 1 or type(supervisions[0]) is not dict:
        raise ValueError(
            f"the cut has {len(supervisions)} supervisions, expected one: cut it by trim_to_supervisions() of Lhotse, "
            "or give the manifest of supervisions"
        )
    (one,) = supervisions
    found: dict[str, Any] = {}
    for part in (one.get("custom"), cut.get("custom"), one, cut):
        if type(part) is dict:
            found.update((name, value) for name, value in part.items() if name not in LEFT_OUT)
    offset, begin, duration = cut.get("start"), one.get("start"), one.get("duration")
    if all(type(time) in (int, float) for time in (offset, begin, duration)):
        found["start"], found["duration"] = round(offset + begin, MICROSECONDS), duration
    # That it was read from a cut is seen from this column.
    return flat({**found, "supervisions": supervisions})


def shards(folder: Path) -> list[Path]:
    """The files of cuts of a folder of Lhotse Shar, in order."""
    return [path for path in files_in(str(folder)) if re.fullmatch(SHIPPED["shar"].mark, path.name)]


SHAR_FORMAT = Format(
    "shar", "folder of Lhotse Shar: cuts.000000.jsonl.gz, ...", read, has_sides=True, folder=shards,
)  # fmt: skip
FORMAT = Format(
    "jsonl",
    "rows in JSON Lines or a JSON list: manifests of NeMo and Lhotse, tables",
    read,
    block=block,
    has_sides=True,
)
