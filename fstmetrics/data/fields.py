"""Named fields of an item, as its speaker or its duration: `Fields`; those of many items, in columns.

The same fields have the same names whatever the file: `speaker`, `session`, `file`, `channel`, and in seconds `start`,
`end` and `duration`. A file with columns of its own keeps their names.

The fields of many items may be a list, native rows (`_native.FieldRows`), or rows that stay in their file, parts of
which are native: `merged_columns` has those of several sides; `names_of`, `coded` and `values_of` look at a field.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol, cast, overload, runtime_checkable

import numpy as np

from fstmetrics._native import FieldRows
from fstmetrics.support.arguments import described, is_table, items_of
from fstmetrics.support.equal_rows import EqualRows, Repeated
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed
from fstmetrics.support.printable import counted

if TYPE_CHECKING:
    import numpy.typing as npt

Sequence.register(FieldRows)

Field = str | int | float | bool | None
Fields = Mapping[str, Field]
# What Python gives: columns by name, or the fields of each item, in order or by id.
FieldsGiven = Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]] | Mapping[str, Mapping[str, Any]]

# What pandas has for a value that is not there, beside None and nan.
NOT_THERE = frozenset({"NAType", "NaTType"})

# The field of who speaks.
SPEAKER = "speaker"


class FixedFields(dict[str, Field]):
    """The fields of an item of a result; what changes them raises an FstmetricsError.

    >>> FixedFields(speaker="ann")
    {'speaker': 'ann'}
    """

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> Any:
        raise FstmetricsError(
            "the fields of a result do not change: score again with fields=, or take dict(fields)"
        )

    __setitem__ = __delitem__ = __ior__ = update = pop = popitem = clear = setdefault = _refuse

    def __hash__(self) -> int:  # type: ignore[override]  # dataclasses take defaults with a hash alone
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return FixedFields, (dict(self),)


NO_FIELDS: Fields = FixedFields()


def no_fields() -> Fields:
    """Those of an item that has none."""
    return NO_FIELDS


def present(value: Field) -> Field:
    """The value of a field; None where it says nothing: null, an empty text, or no number (nan).

    >>> present("ann"), present(0), present(""), present(float("nan"))
    ('ann', 0, None, None)
    """
    return None if value == "" or value != value else value


def first_given(fields: Mapping[Any, Any], names: Iterable[str]) -> Any:
    """The first of several fields that is there and not None; None where none is.

    >>> first_given({"spk": "ann", "speaker": None}, ("speaker", "spk"))
    'ann'
    """
    return next((fields[name] for name in names if fields.get(name) is not None), None)


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
    if is_table(given) or (
        isinstance(given, Mapping) and any(isinstance(v, Mapping) for v in given.values())
    ):
        raise FstmetricsError("fields are a dict of columns, {'speaker': [...]}; of a frame give dict(frame)")
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
        raise FstmetricsError(f"{name} has {counted(found, 'value')} for {counted(items, 'item')}")


def _checked(row: object, number: int) -> Fields:
    if not isinstance(row, Mapping):
        raise FstmetricsError(
            f"fields[{number}] must be a dict of an item's fields, not {described(row)}; of columns give "
            "{'speaker': [...]}"
        )
    if any(type(value).__name__ in NOT_THERE for value in row.values()):
        row = {name: None if type(value).__name__ in NOT_THERE else value for name, value in row.items()}
    for name, value in row.items():
        if not isinstance(name, str):
            raise FstmetricsError(f"fields[{number}]: the name of a field is a string, not {described(name)}")
        if isinstance(value, np.generic) and not isinstance(value, str | float):
            return _checked({**row, name: value.item()}, number)
        if not (value is None or isinstance(value, str | int | float | bool)):
            raise FstmetricsError(
                f"fields[{number}]: {name!r} must be a text, a number, True, False or None, not {described(value)}"
            )
    lacking = [name for name, value in row.items() if value is None or value != value]
    return FixedFields({**row, **dict.fromkeys(lacking)} if lacking else row)


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


# So many rows are looked at together.
TOGETHER = 1 << 14


@runtime_checkable
class NamedRows(Protocol):
    """Rows that know their names without being looked at one by one; slices of them are native."""

    def names(self) -> list[str]:
        """Those that rows have."""

    def __len__(self) -> int: ...


class MergedFields(EqualRows[Fields]):
    """The fields of several sides of the same items, merged when they are looked at.

    Args:
        sides: the fields of each side, in columns of the same length.
    """

    __slots__ = ("_sides",)

    def __init__(self, sides: Sequence[Sequence[Fields]]) -> None:
        self._sides = sides

    def __len__(self) -> int:
        return len(self._sides[0])

    @overload
    def __getitem__(self, index: int) -> Fields: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Fields]: ...
    def __getitem__(self, index: int | slice) -> Fields | Sequence[Fields]:
        if not isinstance(index, slice):
            return merged([side[index] for side in self._sides])
        parts = [side[index] for side in self._sides]
        if all(isinstance(part, FieldRows) for part in parts):
            return FieldRows.merged(cast("list[FieldRows]", parts))
        return [merged(list(each)) for each in zip(*parts, strict=True)]

    def __iter__(self) -> Iterator[Fields]:
        return chain.from_iterable(_parts(self))

    def names(self) -> list[str]:
        """Those that items have."""
        return list(dict.fromkeys(chain.from_iterable(map(names_of, self._sides))))


def merged_columns(sides: Sequence[Sequence[Fields]]) -> Sequence[Fields]:
    """The fields of all sides of the same items, as `merged` has those of one.

    >>> list(merged_columns([[{"speaker": "ann"}, {}], [{"speaker": "bob"}, {"speaker": "eve"}]]))
    [{'speaker': 'ann'}, {'speaker': 'eve'}]
    """
    if len(sides) == 1:
        return sides[0]
    if all(isinstance(side, NamedRows) for side in sides):
        return MergedFields(sides)
    return [merged(list(each)) for each in zip(*sides, strict=True)]


def names_of(fields: Sequence[Fields]) -> list[str]:
    """The names that items have, in the order in which they come.

    >>> names_of([{"speaker": "ann"}, {"domain": "news"}])
    ['speaker', 'domain']
    """
    if isinstance(fields, NamedRows):
        return fields.names()
    if isinstance(fields, Repeated):
        fields = fields[:1]
    return list(dict.fromkeys(chain.from_iterable(fields)))


def coded(fields: Sequence[Fields], name: str) -> tuple[npt.NDArray[np.int64], list[Field]]:
    """One field of all items: the number of each one's value, and the values in the order in which they come.

    A value is None where an item lacks it. Equal values of different types, as 1 and True, are different ones.

    >>> coded([{"speaker": "ann"}, {"speaker": "bob"}, {}, {"speaker": "ann"}], "speaker")[1]
    ['ann', 'bob', None]
    """
    if isinstance(fields, FieldRows):
        return fields.codes(name)
    numbers: dict[tuple[type, Field], int] = {}
    if not isinstance(fields, NamedRows):
        values = [some.get(name) for some in fields]
        codes = [numbers.setdefault((type(value), value), len(numbers)) for value in values]
        return np.array(codes, dtype=np.int64), [value for _, value in numbers]
    columns: list[npt.NDArray[np.int64]] = []
    for part in _parts(cast("Sequence[Fields]", fields)):
        own, found = coded(part, name)
        known = [numbers.setdefault((type(value), value), len(numbers)) for value in found]
        columns.append(np.array(known, dtype=np.int64)[own])
    return np.concatenate(columns) if columns else np.zeros(0, dtype=np.int64), [
        value for _, value in numbers
    ]


def values_of(fields: Sequence[Fields], name: str) -> list[Field]:
    """One field of all items; None where an item lacks it.

    >>> values_of([{"speaker": "ann"}, {}], "speaker")
    ['ann', None]
    """
    codes, values = coded(fields, name)
    return [values[code] for code in codes.tolist()]


def _parts(fields: Sequence[Fields]) -> Iterator[Sequence[Fields]]:
    for begin in range(0, len(fields), TOGETHER):
        yield fields[begin : begin + TOGETHER]
