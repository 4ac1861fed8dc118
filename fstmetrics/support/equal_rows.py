"""Sequences whose items are made when they are looked at: `EqualRows`, which compares them as lists are compared,
`Repeated`, the same item many times, `Numerals`, numbers as texts, and `TextRows`, texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, overload

from fstmetrics._native import TextColumn

Row = TypeVar("Row", covariant=True)


class EqualRows(Sequence[Row]):
    """A sequence that is equal to any sequence of equal items."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return self is other or (
            len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))
        )

    def __hash__(self) -> int:
        return hash(tuple(self))


class Repeated(EqualRows[Row]):
    """The same item so many times.

    >>> rows = Repeated("a", 3)
    >>> list(rows), rows[1], len(rows[1:])
    (['a', 'a', 'a'], 'a', 2)
    """

    __slots__ = ("_times", "item")

    def __init__(self, item: Row, times: int) -> None:
        self.item, self._times = item, times

    def __len__(self) -> int:
        return self._times

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Repeated[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Repeated[Row]:
        places = range(self._times)[index]
        return self.item if isinstance(places, int) else Repeated(self.item, len(places))


class Numerals(EqualRows[str]):
    """Whole numbers as texts, which ids are where items have none.

    >>> rows = Numerals(range(1, 4))
    >>> list(rows), rows[1], list(rows[1:])
    (['1', '2', '3'], '2', ['2', '3'])
    """

    __slots__ = ("_numbers",)

    def __init__(self, numbers: range) -> None:
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Numerals: ...
    def __getitem__(self, index: int | slice) -> str | Numerals:
        found = self._numbers[index]
        return str(found) if isinstance(found, int) else Numerals(found)


class TextRows(Sequence[str]):
    """Texts, all of them strings, of which no Python object is made before somebody looks."""

    __slots__ = ()


TextRows.register(TextColumn)
