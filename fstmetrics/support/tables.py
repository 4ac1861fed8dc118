"""Columns as tables of other libraries, which are loaded only here: `as_frame` for pandas, `as_arrow` for pyarrow.

What gives them as its own is `Tabular`. `arrow_stream` gives them to any library that knows Arrow's C interface, and
needs none.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics import _native
from fstmetrics._native import TextColumn
from fstmetrics.support.errors import need

if TYPE_CHECKING:
    import pandas
    import pyarrow

    from fstmetrics.support.arguments import Labelled

# A column a name: arrays of numpy or lists, all of one length; None is a missing value.
Columns = Mapping[str, Any]


def as_frame(columns: Columns, rows: Labelled | None = None) -> pandas.DataFrame:
    """A frame of pandas, with the index of the rows that were scored, where they had one.

    Raises:
        FstmetricsError: pandas is not installed.
    """
    return need("pandas", "to_pandas", "tables").DataFrame(dict(columns), rows and rows.index)


def as_arrow(columns: Columns) -> pyarrow.Table:
    """A table of Apache Arrow, which polars, DuckDB and Parquet take.

    Raises:
        FstmetricsError: pyarrow is not installed.
    """
    return need("pyarrow", "to_arrow", "tables").table(dict(columns))


class Tabular(ABC):
    """What has a table of numbers: its columns, as tables of other libraries."""

    @abstractmethod
    def columns(self) -> Columns:
        """The table, a column a name."""

    def to_pandas(self) -> pandas.DataFrame:
        """A frame of pandas; see `columns`.

        Raises:
            FstmetricsError: pandas is not installed.
        """
        return as_frame(self.columns(), getattr(self, "row_labels", None))

    def to_arrow(self) -> pyarrow.Table:
        """A table of Apache Arrow; see `columns`.

        Raises:
            FstmetricsError: pyarrow is not installed, or the values of a column are of several types.
        """
        return as_arrow(self.columns())


class Joined(NamedTuple):
    """Texts as Arrow has them: where each begins and the last one ends, and the bytes of all."""

    begins: np.ndarray[tuple[int], np.dtype[np.int64]]
    bytes: np.ndarray[tuple[int], np.dtype[np.uint8]]


# Name, format, missing values and buffers of a column, as `_native.arrow_stream` takes them.
ArrowColumn = tuple[str, str, int, list[Any]]
# Arrow's formats of numpy's types.
FORMATS = {"int64": "l", "int32": "i", "uint8": "C", "float64": "g"}


def arrow_stream(columns: Columns, rows: int) -> object:
    """The columns as a capsule of Arrow's C stream. Arrays of numpy are not copied where they are contiguous.

    >>> type(arrow_stream({"id": ["u1", None], "edits": np.array([0, 2])}, 2)).__name__
    'PyCapsule'
    """
    return _native.arrow_stream(rows, [_arrow_column(name, values) for name, values in columns.items()])


def _arrow_column(name: str, values: Any) -> ArrowColumn:
    if isinstance(values, Joined):
        return name, "U", 0, [None, *values]
    if isinstance(values, TextColumn):
        return name, "U", 0, [None, *values.joined()]
    if isinstance(values, np.ndarray):
        return name, FORMATS[values.dtype.name], 0, [None, np.ascontiguousarray(values)]
    return _of_list(name, list(values))


def _of_list(name: str, values: Sequence[Any]) -> ArrowColumn:
    """Values of one kind, or, if they are of several, as texts; None is a missing value."""
    there = [value is not None for value in values]
    kinds = {type(value) for value in values} - {type(None)}
    nulls = there.count(False)
    valid = _bits(there) if nulls else None
    if kinds == {bool}:
        return name, "b", nulls, [valid, _bits(list(map(bool, values)))]
    if kinds == {int} and all(value is None or -(2**63) <= value < 2**63 for value in values):
        return name, "l", nulls, [valid, np.array([value or 0 for value in values], dtype=np.int64)]
    if kinds and kinds <= {int, float}:
        return name, "g", nulls, [valid, np.array([value or 0 for value in values], dtype=np.float64)]
    texts = ["" if value is None else str(value) for value in values]
    return name, "U", nulls, [valid, *TextColumn(texts).joined()]


def _bits(values: Sequence[bool]) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.packbits(np.array(values, dtype=bool), bitorder="little")
