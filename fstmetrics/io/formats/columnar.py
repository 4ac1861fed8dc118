"""Tables in Parquet and Arrow files; pyarrow reads them (extra `tables`).

Only columns of texts, numbers, truth values and lists of texts are read, also those within structures, `audio.path`;
sound and other bytes stay unread. Decimal numbers become binary ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from fstmetrics.io.detection.text_signs import PARQUET
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.rows import Rows, items_of_rows, parsed_once
from fstmetrics.support.errors import FstmetricsError, need
from fstmetrics.support.source import Source

FILE_MARK = b"ARROW1"


def read_parquet(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The items of one side, in the order of the rows.

    Raises:
        InputError: pyarrow is not installed; a damaged file; or as of `items_of_rows`.
    """
    yield from items_of_rows(parsed_once(source, "parquet", lambda whole: _rows(whole, _parquet)), options)


def read_arrow(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The same of an Arrow file or stream."""
    yield from items_of_rows(parsed_once(source, "arrow", lambda whole: _rows(whole, _arrow)), options)


def read_rows(source: Source) -> Rows:
    """The rows of a Parquet or Arrow file, without meaning; errors as of `read_parquet`."""
    return _rows(source, _parquet if re.match(PARQUET, source.data) else _arrow)


def field_columns(table: Any) -> dict[str, list[Any]]:
    """The columns of a table of pyarrow that are fields of items, as of a file: texts, numbers and truth values."""
    arrow = need("pyarrow", "the table", "tables")
    flat = _flat(arrow, table)
    return {
        field.name: _values(arrow, column)
        for field, column in zip(flat.schema, flat.columns, strict=True)
        if _is_read(arrow, field.type) and not _is_list(arrow.types, field.type)
    }


def _flat(arrow: Any, table: Any) -> Any:
    """The table with the columns within structures as columns of their own."""
    while any(arrow.types.is_struct(field.type) for field in table.schema):
        table = table.flatten()
    return table


def _rows(source: Source, read: Callable[[Any, Source], tuple[Any, dict[str, str]]]) -> Rows:
    try:
        arrow = need("pyarrow", "the file", "tables")
    except FstmetricsError as error:
        raise source.error(str(error)) from None
    try:
        table, unread = read(arrow, source)
        table = _flat(arrow, table)
        unread |= {each.name: str(each.type) for each in table.schema if not _is_read(arrow, each.type)}
        table = table.select([place for place, each in enumerate(table.schema) if _is_read(arrow, each.type)])
        columns = [_values(arrow, column) for column in table.columns]
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise source.error(f"cannot be read by pyarrow: {' '.join(str(error).split())}") from None
    names = table.column_names
    if twice := [name for name in names if names.count(name) > 1]:
        raise source.error(f"two columns are called {twice[0]!r}")
    rows = [dict(zip(names, cells, strict=True)) for cells in zip(*columns, strict=True)]
    return Rows(source, rows, None, names, unread=unread)


def _values(arrow: Any, column: Any) -> list[Any]:
    values: list[Any] = column.to_pylist()
    if arrow.types.is_decimal(column.type):
        return [None if value is None else float(value) for value in values]
    return values


def _parquet(arrow: Any, source: Source) -> tuple[Any, dict[str, str]]:
    """The columns that are read, and the types of the others."""
    parquet = need("pyarrow.parquet", "the file", "tables").ParquetFile(arrow.BufferReader(source.data))
    leaves = list(_leaves(arrow, parquet.schema_arrow, ""))
    wanted = [path for path, kind in leaves if _is_read(arrow, kind)]
    return parquet.read(columns=wanted), {
        path: str(kind) for path, kind in leaves if not _is_read(arrow, kind)
    }


def _leaves(arrow: Any, fields: Any, before: str) -> Iterator[tuple[str, Any]]:
    """The columns of a table with their types, those within structures by path."""
    for field in fields:
        if arrow.types.is_struct(field.type):
            yield from _leaves(arrow, field.type, f"{before}{field.name}.")
        else:
            yield before + field.name, field.type


def _arrow(arrow: Any, source: Source) -> tuple[Any, dict[str, str]]:
    data = arrow.BufferReader(source.data)
    opened = arrow.ipc.open_file if source.data.startswith(FILE_MARK) else arrow.ipc.open_stream
    return opened(data).read_all(), {}


def _is_read(arrow: Any, kind: Any) -> bool:
    """Whether values of a type are texts, numbers, truth values, or lists of texts."""
    types = arrow.types
    if types.is_dictionary(kind):
        kind = kind.value_type
    if _is_list(types, kind):
        return bool(_is_text(types, kind.value_type))
    return bool(
        _is_text(types, kind) or types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind)
        or types.is_decimal(kind) or types.is_null(kind)
    )  # fmt: skip


def _is_list(types: Any, kind: Any) -> bool:
    return bool(types.is_list(kind) or types.is_large_list(kind))


def _is_text(types: Any, kind: Any) -> bool:
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


PARQUET_FORMAT = Format("parquet", "Parquet table; needs pyarrow", read_parquet, has_sides=True)
ARROW_FORMAT = Format("arrow", "Arrow table, a file or a stream; needs pyarrow", read_arrow, has_sides=True)
