"""Whether the rows of two tables pair as their makers meant: what is in doubt is refused, and asked for by `--fields`.

- `refuse_other_columns`: no column is known to be the id, and one may be.
- `refuse_contradicted`: the ids are numbers of rows, and another column pairs other rows.
"""

from __future__ import annotations

from collections.abc import Sequence

from fstmetrics.data.fields import names_of
from fstmetrics.io.column_roles import (
    ID,
    IDS,
    OPTION,
    plain_name,
)
from fstmetrics.io.ids import file_names, name_of
from fstmetrics.io.items import Items
from fstmetrics.io.rows import is_id, written_id
from fstmetrics.support.errors import InputError
from fstmetrics.support.names import folded_id, listed


def refuse_other_columns(first: Items, other: Items) -> None:
    """Refuse two tables without known ids that have a column in common, or the same values in two columns.

    Args:
        first, other: the tables.

    Raises:
        InputError: a column may pair them.
    """
    ours = {plain_name(name): name for name in reversed(first.columns)}
    if shared := sorted(name for name in set(other.columns) if plain_name(name) in ours):
        raise InputError(
            f"has no column that is known to be the id, and shares {listed(shared, 4)} with {first.path}: say "
            f"which column has the ids, {OPTION} {ID}=COLUMN (docs/tables.md#ids)",
            other.path,
        )
    theirs = _different_ids(other)
    for column, ids in _different_ids(first).items():
        for name, others in theirs.items():
            rows = {id: row for row, id in enumerate(others)}
            if any(rows.get(id, row) != row for row, id in enumerate(ids)):
                raise InputError(
                    f"has no column that is known to be the id, and {name!r} has values of {column!r} of {first.path}, "
                    f"in other rows: say which columns have the ids, {OPTION} {ID}={column},{ID}={name}; or {OPTION} "
                    f"{ID}= where row N belongs to row N (docs/tables.md#ids)",
                    other.path,
                )


def refuse_contradicted(first: Items, other: Items) -> None:
    """Refuse two tables whose ids are whole numbers where another known column, all different, pairs other rows.

    Args:
        first, other: the tables, which pair by their ids.

    Raises:
        InputError: the numbers may be no more than those of rows.
    """
    if not all(str(item.id).isdecimal() for side in (first, other) for item in side.items[:1]):
        return
    theirs = {name for name in other.columns if plain_name(name) in IDS}
    for column in (name for name in first.columns if name in theirs):
        by_id = [
            {item.id: name_of(str(item.fields[column])) for item in side.items if item.fields.get(column)}
            for side in (first, other)
        ]
        known = [set(values.values()) for values in by_id]
        if any(len(values) < len(side.items) for values, side in zip(known, (first, other), strict=True)):
            continue
        ours, others = by_id
        for id, value in ours.items():
            if id in others and others[id] != value and (value in known[1] or others[id] in known[0]):
                raise InputError(
                    f"id {id} has the {column} {others[id]!r} and in {first.path} {value!r}: say which column has the "
                    f"ids, {OPTION} {ID}={column} or the column of {id}",
                    other.path,
                )


def _different_ids(table: Items) -> dict[str, Sequence[str]]:
    """The fields that all rows have, with a text or a whole number that comes once, as ids pair by them, by name."""
    found: dict[str, Sequence[str]] = {}
    rows = [item.fields for item in table.items]
    for name in names_of(rows[:1]):
        values = [row.get(name) for row in rows]
        if all(is_id(value) and (type(value) is not float or value.is_integer()) for value in values):
            ids = list(map(written_id, values))
            for same in (list(map(folded_id, file_names(ids) or ids)), ids):
                if len(set(same)) == len(same) > 1:
                    found[name] = same
                    break
    return found
