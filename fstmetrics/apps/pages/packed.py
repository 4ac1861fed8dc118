"""The data of a page as text: `packed`, JSON and columns of numbers, compressed, in letters that HTML leaves alone.

A browser reads it back by `atob` and `DecompressionStream`; `unpacked` does so here.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.support.json_text import written_json

if TYPE_CHECKING:
    import numpy.typing as npt

    Column = npt.NDArray[Any]

# Most that gzip does is done at this level; the next one takes twice as long for a twentieth of the size.
LEVEL = 5
# Columns begin at multiples of this, as typed arrays of browsers must.
ALIGNED = 8
# Numbers as browsers have them in arrays, by numpy's kind and size.
ARRAYS = {
    "u1": "Uint8Array",
    "u2": "Uint16Array",
    "u4": "Uint32Array",
    "i4": "Int32Array",
    "f8": "Float64Array",
}


def packed(data: Mapping[str, Any], columns: Mapping[str, Column]) -> str:
    """Data and columns in base64.

    Args:
        data: goes as JSON.
        columns: integers or floating point numbers, shape [n] each, by name.

    >>> unpacked(packed({"title": "<a>"}, {"counts": np.array([1, 300])}))
    ({'title': '<a>'}, {'counts': array([  1, 300], dtype=uint16)})
    """
    places, parts, at = {}, [], 0
    for name, column in columns.items():
        small = narrowed(column)
        places[name] = [ARRAYS[small.dtype.str[1:]], at, len(small)]
        content = small.tobytes()
        parts.append(content + bytes(-len(content) % ALIGNED))
        at += len(parts[-1])
    text = written_json({"data": data, "columns": places}, compact=True)
    head = text.encode("utf-8", "backslashreplace")  # halves of surrogate pairs, as JSON has them
    head += b" " * (-len(head) % ALIGNED)
    content = len(head).to_bytes(ALIGNED, "little") + head + b"".join(parts)
    return base64.b64encode(gzip.compress(content, LEVEL, mtime=0)).decode()


def unpacked(text: str) -> tuple[dict[str, Any], dict[str, Column]]:
    """What `packed` made a text of."""
    content = gzip.decompress(base64.b64decode(text))
    begin = ALIGNED + int.from_bytes(content[:ALIGNED], "little")
    head = json.loads(content[ALIGNED:begin])
    types = {array: f"<{name}" for name, array in ARRAYS.items()}
    columns = {
        name: np.frombuffer(content, types[array], length, begin + at)
        for name, (array, at, length) in head["columns"].items()
    }
    return head["data"], columns


def narrowed(column: Column) -> Column:
    """The column in the narrowest type that browsers have arrays of."""
    if column.dtype.kind == "f":
        return column.astype("<f8")
    low, high = (int(column.min()), int(column.max())) if len(column) else (0, 0)
    if low < 0:
        return _checked(column, "<i4", low, high)
    return _checked(column, "u1" if high < 2**8 else "<u2" if high < 2**16 else "<u4", low, high)


def _checked(column: Column, name: str, low: int, high: int) -> Column:
    limits = np.iinfo(name)
    if not limits.min <= low <= high <= limits.max:  # a float has them up to 2^53
        return column.astype("<f8")
    return column.astype(name)
