"""Columns of Arrow as sides: `ArrowSide`, which reads what a column holds, row by row or without a copy.

A column is text, lists of texts, packed lattices, the text of one item in any format, or places in archives;
docs/batches.md has the types. pyarrow is imported where a batch comes in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics._native import TextColumn
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.optional import need
from fstmetrics.values.nbest import NBest

if TYPE_CHECKING:
    import pyarrow as pa

# Values of rows, and what is wrong with rows by their number; what values have there is not looked at.
Values = tuple[Sequence[Any], Mapping[int, str]]


class ArrowSide:
    """The hypotheses or the references of a batch.

    Args:
        name: of the column.
        type: of its values.
        is_hypothesis: whether lists of texts are n-best lists; those of references are several references.

    Attributes:
        references: how many there are, as signatures have it.

    Raises:
        FstmetricsError: a type that is none of a side.
    """

    def __init__(self, name: str, type: pa.DataType, is_hypothesis: bool) -> None:
        self._name, self._is_hypothesis = name, is_hypothesis
        self.references = "1"
        self._read = self._reader(type)

    def _reader(self, type: pa.DataType) -> Callable[[pa.Array], Values]:
        pa = need("pyarrow", "scoring batches", "tables")
        if pa.types.is_dictionary(type):
            type = type.value_type
        if is_text(type):
            return texts
        if is_list(type) and is_text(type.value_type):
            fixed = pa.types.is_fixed_size_list(type)
            self.references = str(type.list_size) if fixed else "var"
            return self._lists
        raise FstmetricsError(
            f"column {self._name!r}: expected text or lists of texts, found {type}; docs/batches.md has the types"
        )

    def read(self, column: pa.Array) -> Values:
        """The values of rows; a null is a fault."""
        values, faults = self._read(column)
        if column.null_count:
            nulls = np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False)).tolist()
            faults = {**faults, **dict.fromkeys(nulls, f"{self._name} is null")}
        return values, faults

    def _lists(self, column: pa.Array) -> Values:
        made: list[Any] = []
        faults: dict[int, str] = {}
        for row, several in enumerate(column.to_pylist()):
            made.append(several)
            if several is None:
                continue
            if not several:
                faults[row] = f"{self._name} is an empty list; one empty text is ['']"
            elif None in several:
                faults[row] = f"{self._name} has a null among its texts"
            elif self._is_hypothesis:
                made[row] = NBest("", tuple(tuple(text.split()) for text in several), tuple(several))
            else:
                made[row] = tuple(several)
        return made, faults


def is_text(type: pa.DataType) -> bool:
    """Whether values are strings."""
    pa = need("pyarrow", "scoring batches", "tables")
    views = getattr(pa.types, "is_string_view", lambda _: False)
    return bool(pa.types.is_string(type) or pa.types.is_large_string(type) or views(type))


def is_list(type: pa.DataType) -> bool:
    """Whether values are lists."""
    pa = need("pyarrow", "scoring batches", "tables")
    return bool(pa.types.is_list(type) or pa.types.is_large_list(type) or pa.types.is_fixed_size_list(type))


def texts(column: pa.Array) -> tuple[TextColumn, Mapping[int, str]]:
    """Strings where they are in memory; nulls are empty."""
    pa = need("pyarrow", "scoring batches", "tables")
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        column = column.cast(pa.large_string())
    _, offsets, data = column.buffers()
    if not len(column) or offsets is None:
        return TextColumn([]), {}
    part = slice(column.offset, column.offset + len(column) + 1)
    content = np.frombuffer(data, np.uint8) if data else EMPTY
    if pa.types.is_string(column.type):
        return TextColumn.of_buffers(np.frombuffer(offsets, np.int32)[part], content), {}
    return TextColumn.of_buffers(np.frombuffer(offsets, np.int64)[part], content), {}


EMPTY = np.zeros(0, np.uint8)
