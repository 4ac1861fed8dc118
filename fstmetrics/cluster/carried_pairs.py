"""Pairs as bytes and back: `carried` and `pairs_of`. Columns of texts and lattices stay columns.

`together` and `apart` are for the bytes of several blocks.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from fstmetrics._native import LatticeColumn, TextColumn
from fstmetrics.readers.blocks import Column
from fstmetrics.readers.formats import packed_lattices
from fstmetrics.readers.stored_texts import StoredColumn
from fstmetrics.runs.pair_blocks import PairBlock


class _Texts(NamedTuple):
    """A column of texts: where each begins, and the bytes of all."""

    offsets: np.ndarray[Any, np.dtype[np.int64]]
    content: np.ndarray[Any, np.dtype[np.uint8]]


class _Lattices(NamedTuple):
    """A column of lattices, packed."""

    columns: dict[str, np.ndarray[Any, Any]]


def carried(pairs: PairBlock) -> bytes:
    """Pairs whose values have been read, as bytes."""
    if not pairs.is_native:
        return pickle.dumps(list(pairs), pickle.HIGHEST_PROTOCOL)
    columns = [_carried(column) for column in (pairs.ids, pairs.hypotheses, *pairs.references)]
    return pickle.dumps((columns, pairs.fields), pickle.HIGHEST_PROTOCOL)


def pairs_of(given: bytes) -> PairBlock:
    """The pairs again."""
    found = pickle.loads(given)
    if isinstance(found, list):
        return PairBlock.of(found)
    columns, fields = found
    ids, hypotheses, *references = map(_column, columns)
    return PairBlock(ids, hypotheses, tuple(references), fields)


def together(blocks: Sequence[bytes]) -> bytes:
    """The bytes of several blocks as those of a batch."""
    return pickle.dumps(blocks, pickle.HIGHEST_PROTOCOL)


def apart(batch: bytes) -> list[PairBlock]:
    """The blocks again."""
    return [pairs_of(block) for block in pickle.loads(batch)]


def _carried(column: Column | None) -> Any:
    if isinstance(column, StoredColumn):
        column = column[:]
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
