"""Pairs as parcels and back: `carried` and `pairs_of`. Columns of texts and lattices stay columns.

`together` and `apart` are for the parcels of several blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np

from fstmetrics._native import LatticeColumn, TextColumn
from fstmetrics.batches.parcels import Parcel, packed, unpacked
from fstmetrics.io.blocks import Column
from fstmetrics.io.formats import packed_lattices
from fstmetrics.scoring.pair_blocks import PairBlock


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
