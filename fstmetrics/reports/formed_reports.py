"""A report in a form of tables, `formed_lines`, and its summary as rows of data, `summary_rows`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from fstmetrics.reports.summary import Part, Table
from fstmetrics.reports.table_forms import FORMS, Form, cells, separated_lines

# Members of a summary that say how its numbers came about, and those of rows that are as long as the data.
ABOUT = ("settings", "formats", "pairing", "signature")
LONG = ("delays", "scores")


def formed_lines(
    parts: Iterable[Part], rows: Callable[[], Iterable[Mapping[str, Any]]], form: Form
) -> Iterator[str]:
    """What is printed in a form.

    Args:
        parts: for tables to paste, in their order; blocks for other programs are left out.
        rows: makes the rows of one table of data.
        form: which of `FORMS`.
    """
    _, pasted, delimiter = FORMS[form]
    if pasted is None:
        return separated_lines(list(rows()), delimiter)
    return pasted(part for part in parts if part and isinstance(part, Table | str))


def summary_rows(summary: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The JSON object of a report as rows: a row of what it has by itself, then those of each list of objects in it.

    The column `table` says which: `all`, or the name of the list. What the numbers depend on, and remarks, stand in
    JSON only, and so do lists in rows of lists.

    >>> found = {"items": 2, "errors": [{"op": "I", "count": 1}], "moves": {"moves": 0, "words": []}, "settings": {}}
    >>> list(summary_rows(found))
    [{'table': 'all', 'items': 2, 'moves_moves': 0}, {'table': 'errors', 'op': 'I', 'count': 1}]
    """
    own: dict[str, Any] = {}
    tables: dict[str, Sequence[Mapping[str, Any]]] = {}
    for name, value in summary.items():
        if name in ABOUT:
            continue
        for key, inner in value.items() if isinstance(value, Mapping) else [("", value)]:
            title = f"{name}_{key}" if key else name
            if _is_table(inner):
                tables[title] = inner
            elif not isinstance(inner, list | tuple):  # of names or remarks, or a table without rows
                own |= cells(title, inner)
    if own:
        yield {"table": "all"} | own
    for title, rows in tables.items():
        for row in rows:
            members = (
                cells(name, value)
                for name, value in row.items()
                if not (_is_table(value) or (name in LONG and isinstance(value, list | tuple)))
            )
            yield {"table": title} | {name: cell for each in members for name, cell in each}


def _is_table(value: Any) -> TypeGuard[Sequence[Mapping[str, Any]]]:
    are_rows = isinstance(value, list | tuple) and bool(value)
    return are_rows and all(isinstance(row, Mapping) for row in value)
