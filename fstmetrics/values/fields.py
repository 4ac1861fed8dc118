"""Named fields of an item, as its speaker or its duration: `Fields`.

The same fields have the same names whatever the file: `speaker`, `session`, `file`, `channel`, and in seconds `start`,
`end` and `duration`. A file with columns of its own keeps their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fstmetrics.support.arguments import described, items_of
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed

Field = str | int | float | bool | None
Fields = Mapping[str, Field]
# What Python gives: columns by name, or the fields of each item, in order or by id.
FieldsGiven = Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]] | Mapping[str, Mapping[str, Any]]

# What pandas has for a value that is not there, beside None and nan.
NOT_THERE = frozenset({"NAType", "NaTType"})

# The field of who speaks.
SPEAKER = "speaker"

NO_FIELDS: Fields = {}  # one for all items without any; nobody writes to it


def no_fields() -> Fields:
    """Those of an item that has none."""
    return NO_FIELDS


def present(value: Field) -> Field:
    """The value of a field; None where it says nothing: null, an empty text, or no number (nan).

    >>> present("ann"), present(0), present(""), present(float("nan"))
    ('ann', 0, None, None)
    """
    return None if value == "" or value != value else value


def merged(sides: list[Fields]) -> Fields:
    """The fields of all sides of an item; where two have a value of the same, the first one's.

    >>> merged([{"speaker": "ann"}, {}, {"speaker": "bob", "domain": "news"}])
    {'speaker': 'ann', 'domain': 'news'}
    """
    found = [fields for fields in sides if fields]
    if len(found) < 2:
        return found[0] if found else NO_FIELDS
    every: dict[str, Field] = {}
    for fields in found:
        for name, value in fields.items():
            if name not in every or present(every[name]) is None:
                every[name] = value
    return every


def fields_of_items(given: object, items: int) -> list[Fields]:
    """The fields of each item.

    Args:
        given: a dict of columns (lists, or columns of numpy, pandas, polars, pyarrow), or a dict an item.
        items: how many there are.

    Raises:
        FstmetricsError: another number of items, or a value that is no text, number, True, False or None. What is no
            number (nan) is None.

    >>> fields_of_items({"speaker": ["ann", "bob"]}, 2)
    [{'speaker': 'ann'}, {'speaker': 'bob'}]
    """
    rows: Sequence[Any]
    if isinstance(given, Mapping):
        columns = {name: items_of(values, f"fields[{name!r}]") for name, values in given.items()}
        for name, values in columns.items():
            _refuse_other_number(len(values), items, f"fields[{name!r}]")
        rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    else:
        rows = items_of(given, "fields")
        _refuse_other_number(len(rows), items, "fields")
    return [_checked(row, number) for number, row in enumerate(rows)]


def fields_by_id(given: object, ids: Sequence[str]) -> list[Fields]:
    """The fields of items that pair by id, in the order of their ids.

    Args:
        given: a dict of an item's fields for each id.
        ids: of the items.

    Raises:
        FstmetricsError: something else, an id that it lacks, or a value as of `fields_of_items`.

    >>> fields_by_id({"u1": {"speaker": "ann"}, "u2": {"speaker": "bob"}}, ["u2", "u1"])
    [{'speaker': 'bob'}, {'speaker': 'ann'}]
    """
    if not isinstance(given, Mapping) or not all(isinstance(row, Mapping) for row in given.values()):
        raise FstmetricsError(
            "the items pair by id, so their fields are by id, too: {id: {'speaker': ...}}, not in an order"
        )
    known = {str(id): row for id, row in given.items()}
    lacking = [id for id in ids if id not in known]
    if lacking:
        raise FstmetricsError(f"fields are missing for {listed(lacking)}")
    return [_checked(known[id], number) for number, id in enumerate(ids)]


def _refuse_other_number(found: int, items: int, name: str) -> None:
    if found != items:
        raise FstmetricsError(f"{name} has {found} values for {items} items")


def _checked(row: object, number: int) -> Fields:
    if not isinstance(row, Mapping):
        raise FstmetricsError(f"fields[{number}] must be a dict of an item's fields, not {described(row)}")
    if any(type(value).__name__ in NOT_THERE for value in row.values()):
        row = {name: None if type(value).__name__ in NOT_THERE else value for name, value in row.items()}
    for name, value in row.items():
        if not isinstance(name, str):
            raise FstmetricsError(f"fields[{number}]: the name of a field is a string, not {described(name)}")
        if not (value is None or isinstance(value, str | int | float | bool)):
            raise FstmetricsError(
                f"fields[{number}]: {name!r} must be a text, a number, True, False or None, not {described(value)}"
            )
    lacking = [name for name, value in row.items() if value is None or value != value]
    return {**row, **dict.fromkeys(lacking)} if lacking else row


def columns_of(items: Sequence[Fields], taken: Iterable[str]) -> dict[str, list[Field]]:
    """The fields of items as columns; None where an item lacks one.

    Args:
        items: their fields.
        taken: names of other columns; a field of such a name is called `field_NAME`.

    >>> columns_of([{"speaker": "ann", "score": 3}, {}], ["id", "score"])
    {'speaker': ['ann', None], 'field_score': [3, None]}
    """
    names = dict.fromkeys(name for fields in items for name in fields)
    others = {*taken}
    return {
        f"field_{name}" if name in others else name: [fields.get(name) for fields in items] for name in names
    }
