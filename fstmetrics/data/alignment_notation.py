"""How records write an alignment (docs/records.md): a list of operations, each a letter and two words.

`noted` writes it, `aligned_of` reads it. `native/formats/alignment_notation.h` does the same for runs, and
`native/formats/record_columns.cc` checks what is read; `openfst/independent_proof.py` reads it on its own, as it takes
nothing from what it checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fstmetrics._native import paid_moves


def noted(alignment: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """Operations as records have them.

    Args:
        alignment: of each operation its letter, its word of the hypothesis and its word of the reference, and more.

    >>> noted([("S", "hat", "cat", 1), ("D", None, "sat", None)])
    [['S', 'hat', 'cat'], ['D', None, 'sat']]
    """
    return [list(operation[:3]) for operation in alignment]


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
    columns = tuple(zip(*record["alignment"], strict=True)) or ((), (), ())
    further = () if "statistics" in record else tuple(map(aligned_of, record.get("nbest", ())))
    aligned = Aligned("".join(columns[0]), columns[1], columns[2], nbest=further)
    if not record["moves"]:
        return aligned
    order = record["order"]
    readings = (paid_moves(order, jumps) for jumps in (False, True))
    paid = next(reading for reading in readings if sum(reading) == record["moves"])
    taken = iter(zip(order, paid, strict=True))
    both = [(None, False) if word is None else next(taken) for word in aligned.hypothesis]
    positions, at = zip(*both, strict=True)
    return aligned._replace(positions=positions, paid=at)
