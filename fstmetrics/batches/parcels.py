"""Objects as lists of buffers and back, `packed` and `unpacked`: what is large among them is not copied.

The first buffer is a pickle, the others are the arrays and the bytes in a `PickleBuffer` that belong to it.
`written_to` and `read_from` are for parcels in files.

`carried` and `pairs_of`: pairs as parcels and back; columns of texts and lattices stay columns. `together` and `apart`
are for the parcels of several blocks.
"""

from __future__ import annotations

import mmap
import pickle
from collections.abc import Callable, Sequence
from itertools import accumulate, chain, islice, pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from fstmetrics._native import LatticeColumn, TextColumn
from fstmetrics.io.blocks import Column
from fstmetrics.io.formats import packed_lattices
from fstmetrics.scoring.pair_blocks import PairBlock

Parcel: TypeAlias = "Sequence[np.ndarray[Any, np.dtype[np.uint8]]]"
Call: TypeAlias = "Callable[[Parcel], Parcel]"
# Arrays in a file begin where numpy's do in memory.
ALIGNMENT = 64
NUMBER = np.dtype("<i8")


def packed(value: object) -> Parcel:
    """An object that can be pickled.

    >>> unpacked(packed(("a", [1, 2])))
    ('a', [1, 2])
    """
    buffers: list[pickle.PickleBuffer] = []
    first = pickle.dumps(value, pickle.HIGHEST_PROTOCOL, buffer_callback=buffers.append)
    contents: list[bytes | memoryview] = [first, *(buffer.raw() for buffer in buffers)]
    return [np.frombuffer(content, np.uint8) for content in contents]


def unpacked(parcel: Parcel) -> Any:
    """The object again; it lasts no longer than the buffers do."""
    first, *others = parcel
    return pickle.loads(first.data, buffers=[other.data for other in others])


def size_of(parcel: Parcel) -> int:
    """How many bytes it has."""
    return sum(buffer.size for buffer in parcel)


def written_to(path: str, parcel: Parcel) -> None:
    """Write a parcel into a file: how many buffers, how long each is, and their bytes, each at a multiple of 64.

    Raises:
        OSError: it cannot be written.
    """
    sizes = [buffer.size for buffer in parcel]
    head = np.array([len(sizes), *sizes], NUMBER).tobytes()
    with open(path, "wb") as stream:
        for content in (memoryview(head), *(buffer.data for buffer in parcel)):
            stream.write(content)
            stream.write(bytes(-len(content) % ALIGNMENT))


def read_from(path: str, is_memory: bool) -> Parcel:
    """The parcel of a file.

    Args:
        path: of the file.
        is_memory: whether it is in memory, so that it need not be copied; it may be removed, but not be cut.

    Raises:
        OSError: it cannot be read.
    """
    with open(path, "rb") as stream:
        data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) if is_memory else stream.read()
    content = np.frombuffer(data, np.uint8)
    count = int(content[: NUMBER.itemsize].view(NUMBER)[0])
    sizes = content[NUMBER.itemsize : (count + 1) * NUMBER.itemsize].view(NUMBER).tolist()
    lengths = [(count + 1) * NUMBER.itemsize, *sizes]
    places = accumulate((length + -length % ALIGNMENT for length in lengths), initial=0)
    return [content[begin : begin + size] for (_, begin), size in zip(pairwise(places), sizes, strict=False)]


class _Texts(NamedTuple):
    """A column of texts: where each begins, and the bytes of all."""

    offsets: np.ndarray[Any, np.dtype[np.int64]]
    content: np.ndarray[Any, np.dtype[np.uint8]]


class _Lattices(NamedTuple):
    """A column of lattices, packed."""

    columns: dict[str, np.ndarray[Any, Any]]


def carried(pairs: PairBlock) -> Parcel:
    """Pairs whose values have been read, as a parcel."""
    if not pairs.is_native:
        return packed((list(pairs), pairs.places))
    columns = [_carried(column) for column in (pairs.ids, pairs.hypotheses, *pairs.references)]
    return packed((columns, pairs.fields, pairs.places))


def pairs_of(given: Parcel) -> PairBlock:
    """The pairs again."""
    columns, *fields, places = unpacked(given)
    if not fields:
        return PairBlock.of(columns, places)
    ids, hypotheses, *references = map(_column, columns)
    return PairBlock(ids, hypotheses, tuple(references), fields[0], places)


def together(blocks: Sequence[Parcel]) -> Parcel:
    """The parcels of several blocks as that of a batch."""
    (head,) = packed([len(block) for block in blocks])
    return [head, *chain.from_iterable(blocks)]


def apart(batch: Parcel) -> list[PairBlock]:
    """The blocks again."""
    head, *buffers = batch
    rest = iter(buffers)
    return [pairs_of(list(islice(rest, count))) for count in unpacked([head])]


def _carried(column: Column | None) -> Any:
    if isinstance(column, TextColumn):
        return _Texts(*column.joined())
    if isinstance(column, LatticeColumn):
        return _Lattices(packed_lattices.packed_columns(column))
    return column


def _column(carried: Any) -> Any:
    if isinstance(carried, _Texts):
        return TextColumn.of_buffers(*carried)
    if isinstance(carried, _Lattices):
        return packed_lattices.column_of(carried.columns)
    return carried
