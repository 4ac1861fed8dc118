"""The data of a page as text: `packed_pieces`, JSON and columns of numbers, compressed, in letters that HTML leaves
alone. A browser reads it back by `atob` and `DecompressionStream`.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.support.json_text import json_pieces, written_json

if TYPE_CHECKING:
    import numpy.typing as npt

    Column = npt.NDArray[Any]

# Most that gzip does is done at this level; the next one takes twice as long for a twentieth of the size.
LEVEL = 5
# Added to the window of zlib: with the head and the end of gzip.
GZIP = 16
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


def packed_pieces(data: Mapping[str, Any], columns: Mapping[str, Column]) -> Iterator[str]:
    """Data and columns in base64, piece by piece.

    Args:
        data: goes as JSON.
        columns: integers or floating point numbers, shape [n] each, by name.

    >>> import gzip
    >>> text = "".join(packed_pieces({"title": "<a>"}, {"counts": np.array([1, 300])}))
    >>> gzip.decompress(base64.b64decode(text))[ALIGNED:].partition(b"  ")[0]
    b'{"data":{"title":"<a>"},"columns":{"counts":["Uint16Array",0,2]}}'
    """
    places, at = {}, 0
    small = {name: narrowed(column) for name, column in columns.items()}
    for name, column in small.items():
        places[name] = [ARRAYS[column.dtype.str[1:]], at, len(column)]
        at += column.nbytes + -column.nbytes % ALIGNED
    texts = (
        '{"data":',
        *json_pieces(data, compact=True),
        f',"columns":{written_json(places, compact=True)}}}',
    )
    head = [
        text.encode("utf-8", "backslashreplace") for text in texts
    ]  # halves of surrogate pairs, as JSON has them
    head.append(b" " * (-sum(map(len, head)) % ALIGNED))
    size = sum(map(len, head)).to_bytes(ALIGNED, "little")
    parts = (piece for column in small.values() for piece in (column.data, bytes(-column.nbytes % ALIGNED)))
    compressor, waiting = zlib.compressobj(LEVEL, wbits=zlib.MAX_WBITS + GZIP), b""
    for part in chain((size,), head, parts):
        waiting += compressor.compress(part)
        some = len(waiting) - len(waiting) % 3  # bytes that are letters of their own
        yield base64.b64encode(waiting[:some]).decode()
        waiting = waiting[some:]
    yield base64.b64encode(waiting + compressor.flush()).decode()


def narrowed(column: Column) -> Column:
    """The column in the narrowest type that browsers have arrays of."""
    if column.dtype.kind == "f":
        return column.astype("<f8", copy=False)
    low, high = (int(column.min()), int(column.max())) if len(column) else (0, 0)
    if low < 0:
        return _checked(column, "<i4", low, high)
    return _checked(column, "u1" if high < 2**8 else "<u2" if high < 2**16 else "<u4", low, high)


def _checked(column: Column, name: str, low: int, high: int) -> Column:
    limits = np.iinfo(name)
    if not limits.min <= low <= high <= limits.max:  # a float has them up to 2^53
        return column.astype("<f8")
    return column.astype(name, copy=False)
