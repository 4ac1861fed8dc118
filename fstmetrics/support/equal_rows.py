"""Sequences whose items are made when they are looked at: `EqualRows`, which compares them as lists are compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Row = TypeVar("Row", covariant=True)


class EqualRows(Sequence[Row]):
    """A sequence that is equal to any sequence of equal items."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))
