"""The alignment of a record by columns; `native/formats/alignment_notation.h` says how records write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fstmetrics._native import operation_columns, paid_moves


class Aligned(NamedTuple):
    """An alignment by columns, a letter or word an operation.

    Attributes:
        operations: the letters.
        hypothesis, reference: the words; None where a side has none.
        positions: of every operation, the position of its hypothesis word in the string as given; None for a deletion.
            Empty where nothing is reordered.
        paid: of every operation, whether a reordering move is paid there; empty where nothing is reordered.
        nbest: the alignments of the k best paths, where more than one was asked for.
    """

    operations: str = ""
    hypothesis: tuple[str | None, ...] = ()
    reference: tuple[str | None, ...] = ()
    positions: tuple[int | None, ...] = ()
    paid: tuple[bool, ...] = ()
    nbest: tuple[Aligned, ...] = ()


def aligned_of(record: Mapping[str, Any]) -> Aligned:
    """The alignment of a record that has one, with its order and its n-best list."""
    further = () if "statistics" in record else tuple(map(aligned_of, record.get("nbest", ())))
    aligned = Aligned(*operation_columns(record["alignment"]), nbest=further)
    if not record["moves"]:
        return aligned
    order = record["order"]
    readings = (paid_moves(order, jumps) for jumps in (False, True))
    paid = next(reading for reading in readings if sum(reading) == record["moves"])
    taken = iter(zip(order, paid, strict=True))
    both = [(None, False) if word is None else next(taken) for word in aligned.hypothesis]
    positions, at = zip(*both, strict=True)
    return aligned._replace(positions=positions, paid=at)
