"""Columns of a table that a caller hands over: `columns_of`; those that may tell its rows apart: `key_columns`;
those of texts: `text_columns`.

Rows as dicts, columns in a dict, frames of pandas and polars, tables and batches of pyarrow, datasets of Hugging Face,
arrays of records, and whatever has Arrow's stream (`__arrow_c_stream__`), which pyarrow reads. No library of tables is
imported: they are known by what their objects have.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from fstmetrics.support.arguments import TO_LIST, column, described, items_of, refuse_other_labels
from fstmetrics.support.errors import FstmetricsError, need
from fstmetrics.support.names import did_you_mean

# Types of values that fields may have, and those of pandas for what is not there.
PLAIN = frozenset({"str", "int", "float", "bool", "NoneType", "NAType", "NaTType"})
ARROW = ("__arrow_c_stream__", "__arrow_c_array__")


def columns_of(
    table: object,
    names: Sequence[str],
    argument: str = "the table",
    optional: Collection[str] = (),
    usual: str | None = None,
) -> dict[str, list[Any]]:
    """Columns by their names, as lists of Python's own objects; the table is gone through once.

    Args:
        table: what was handed over.
        names: of the columns; that of an object's column is `object.column`.
        argument: what messages call the table.
        optional: names that a row may lack, if not all do; its value is None then.
        usual: a column that is given, too, if the table has it.

    Raises:
        FstmetricsError: no table; a column, or a row's value, that is not there; two columns of one name; pyarrow is
            needed and not installed.

    >>> columns_of([{"text": "a", "n": 1}, {"text": "b", "n": 2}], ["n", "text"])
    {'n': [1, 2], 'text': ['a', 'b']}
    """
    if (found := _by_columns(table)) is not None:
        known, column = found
        if usual is not None and usual in known and usual not in names:
            names = [*names, usual]
        outer = {name: name if name in known else name.partition(".")[0] for name in names}
        if missing := [name for name in names if outer[name] not in known]:
            raise _missing(missing[0], known, argument)
        if twice := [name for name in names if list(known).count(name) > 1]:
            raise FstmetricsError(f"{argument} has two columns that are called {twice[0]!r}; rename one")
        if isinstance(table, Mapping):
            refuse_other_labels(
                {f"table[{str(name)!r}]": each for name, each in table.items() if str(name) in outer.values()}
            )
        taken = {name: column(name) for name in outer.values()}
        for name, whole in outer.items():
            if name not in taken:
                taken |= columns_of([{whole: value} for value in taken[whole]], [name], argument)
        return taken
    if not isinstance(table, Iterable) or isinstance(table, str | bytes):
        raise FstmetricsError(f"{argument}: expected rows or a table with columns, not {described(table)}")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    lacking, first = {*optional}, None
    for number, row in enumerate(table):
        if not isinstance(row, Mapping):
            raise FstmetricsError(
                f"{argument}[{number}]: expected a row, a dict by columns, not "
                f"{'a named tuple; give row._asdict() of each' if hasattr(row, '_asdict') else described(row)}"
                f"{'; columns of texts go without their names' * isinstance(row, str)}"
            )
        if None in row:  # where `csv.DictReader` puts them
            raise FstmetricsError(
                f"{argument}[{number}] has more cells than the head, {row[None]!r:.80}: a cell with a comma needs "
                "quotation marks"
            )
        if number == 0 and usual is not None and usual in row:
            columns.setdefault(usual, [])
        if not columns.keys() <= row.keys():
            row = flat(row)
        for name, values in columns.items():
            if name not in row and name not in optional:
                raise _missing(name, list(map(str, row)), f"{argument}[{number}]")
            values.append(row.get(name))
        if lacking:
            first = row if number == 0 else first
            lacking.difference_update(row)
    if first is not None and (missing := [name for name in names if name in lacking]):
        raise _missing(missing[0], list(map(str, first)), f"{argument}[0]")
    return columns


def flat(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row whose objects are flattened.

    >>> flat({"audio": {"path": "a.wav", "rate": {"hz": 1}}, "text": "a"})
    {'audio.path': 'a.wav', 'audio.rate.hz': 1, 'text': 'a'}

    Raises:
        ValueError: two columns of one name, as of `{"a.b": 1, "a": {"b": 2}}`; or more levels than Python can go down.
    """
    if dict not in map(type, row.values()):
        return row
    try:
        pairs = list(columns_of_row(row))
    except RecursionError:
        raise ValueError("brackets are nested too deeply") from None
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"two columns are called {twice!r}, one of them within an object")
    return found


def columns_of_row(row: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The columns of a row, and of the objects in it, with their values."""
    for name, value in row.items():
        if type(value) is dict:
            yield from ((f"{name}.{inner}", each) for inner, each in columns_of_row(value))
        else:
            yield name, value


def frame_columns(table: Any, beside: Collection[str | None]) -> dict[str, list[Any]]:
    """The columns of texts, numbers and truth values that a frame of pandas or polars has beside some; else none."""
    if not (hasattr(type(table), "iloc") or hasattr(type(table), "get_column")):
        return {}
    names = list(table.columns)
    wanted = [
        name for name in names if isinstance(name, str) and name not in beside and names.count(name) == 1
    ]
    columns = {name: _listed(table[name]) for name in wanted}
    return {
        name: values for name, values in columns.items() if PLAIN.issuperset(type(v).__name__ for v in values)
    }


def lasting(table: Any, name: str | None) -> Any:
    """A table that can be gone through twice: of rows of an iterator a list, of a stream of Arrow its table; of rows in
    a dict by their labels, which have a column of this name, and of columns that are such dicts, as `to_dict("index")`
    and `to_dict()` of pandas have them, rows with the labels as `id`.
    """
    if isinstance(table, Mapping) and table and all(isinstance(each, Mapping) for each in table.values()):
        if name not in table and all(name in row for row in table.values()):
            return [{"id": str(label), **row} for label, row in table.items()]
        return [
            {"id": str(label)} | {name: values[label] for name, values in table.items() if label in values}
            for label in dict.fromkeys(chain.from_iterable(table.values()))
        ]
    if (rows := column(table)) is not None:
        return rows
    if hasattr(type(table), "read_all"):
        return table.read_all()
    if isinstance(table, Iterator):
        return list(table)
    is_known = any(hasattr(type(table), name) for name in ("columns", "column_names", "collect"))
    if hasattr(type(table), ARROW[0]) and not is_known:
        return need("pyarrow", f"a {type(table).__name__}", "tables").table(table)
    return table


def key_columns(table: Any, beside: Collection[str | None]) -> dict[str, list[Any]]:
    """The columns, beside some, in which every row has another text, or every row another whole number.

    Columns of sounds, lists and other things are not looked at where a table says the types of its columns.
    """
    return {
        name: values
        for name, values in _columns_beside(table, beside).items()
        if {*map(type, values)} in ({str}, {int}) and len({*values}) == len(values) > 1
    }


def text_columns(table: Any, beside: Collection[str | None]) -> dict[str, list[str]]:
    """The columns, beside some, in which every row has a text; those are looked at that `key_columns` looks at."""
    return {
        name: values
        for name, values in _columns_beside(table, beside).items()
        if {*map(type, values)} == {str}
    }


def _columns_beside(table: Any, beside: Collection[str | None]) -> dict[str, list[Any]]:
    if (found := _by_columns(table)) is not None:
        names, column = found
        return {name: column(name) for name in names if name not in beside and _may_be_key(table, name)}
    rows = list(table)
    names = list(map(str, rows[0])) if rows else []
    return {name: [row.get(name) for row in rows] for name in names if name not in beside}


def _may_be_key(table: Any, name: str) -> bool:
    """Whether a dataset of Hugging Face says of a column that it is of texts or whole numbers; True of other tables."""
    features = getattr(table, "features", None)
    if not isinstance(features, Mapping):
        return True
    return str(getattr(features[name], "dtype", "")) in ("string", "large_string", "int32", "int64")


def _missing(name: str, known: Sequence[str], argument: str) -> FstmetricsError:
    guess = did_you_mean(name, known)
    return FstmetricsError(
        f"{argument} has no column {name!r}; it has {', '.join(known) or 'none'}{f'; {guess}' if guess else ''}"
    )


# The names of the columns, and what makes a list of one.
Found = tuple[Sequence[str], Callable[[str], list[Any]]]


def _by_columns(table: Any) -> Found | None:
    """How columns are had; None where there are rows alone."""
    kind = type(table)
    if isinstance(table, Mapping):
        named = {str(name): values for name, values in table.items()}
        return list(map(str, table)), lambda name: items_of(
            named[name], f"the values of {name!r}", "; of one row give [row]" * isinstance(named[name], str)
        )
    if records := getattr(getattr(table, "dtype", None), "names", None):
        return records, lambda name: _listed(table[name])
    if hasattr(kind, "collect") and hasattr(kind, "collect_schema"):
        table, kind = (whole := table.collect()), type(whole)  # what polars has not computed yet
    if hasattr(kind, "iloc") or hasattr(kind, "get_column"):  # pandas, polars
        names = [*map(str, table.columns)]
        return names, lambda name: _listed(table[table.columns[names.index(name)]])
    if hasattr(kind, "with_format") and hasattr(kind, "num_rows"):  # datasets
        plain = table.with_format(None)
        return table.column_names, lambda name: list(plain[name])
    if hasattr(kind, "read_all"):  # a reader of pyarrow
        table, kind = (whole := table.read_all()), type(whole)
    if not hasattr(kind, "column_names") and any(hasattr(kind, name) for name in ARROW):
        table = need("pyarrow", f"a {kind.__name__}", "tables").table(table)
    if hasattr(type(table), "column_names") and hasattr(type(table), "column"):  # pyarrow
        return list(table.schema.names), lambda name: _listed(table.column(name))
    return None


def _listed(values: Any) -> list[Any]:
    """A column as a list."""
    for name in TO_LIST:
        if hasattr(type(values), name):
            return list(getattr(values, name)())
    return list(values)
