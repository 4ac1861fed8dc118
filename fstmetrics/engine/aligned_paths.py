"""Best paths of many items as the tests of speech recognition need them: `Paths`, where their alignments have errors,
and the words of their references. Of the words that a system said nothing is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

import numpy as np

from fstmetrics._native import TextColumn
from fstmetrics.engine.program_alignments import Errors, alignment_error, errors_within_limits, too_long
from fstmetrics.support.equal_rows import EqualRows
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    import numpy.typing as npt

    Numbers = npt.NDArray[np.int32]

Words = Sequence[str]


# Stands before every word of a row, and is in none.
MARK = "\0"


class WordRows(EqualRows[tuple[str, ...]]):
    """The words of many items, in bytes.

    Args:
        texts: of each item, its words with `MARK` before each.

    >>> rows = WordRows.of([["a", "b"], [], ["b"]])
    >>> rows[0], len(rows[1]), len(rows)
    (('a', 'b'), 0, 3)
    """

    __slots__ = ("texts",)

    def __init__(self, texts: TextColumn) -> None:
        self.texts = texts

    @classmethod
    def of(cls, items: Sequence[Words]) -> WordRows:
        """The words of items.

        Raises:
            FstmetricsError: a word with a zero byte in it.
        """
        texts = [MARK.join(["", *words]) for words in items]
        if list(map(len, items)) != [text.count(MARK) for text in texts]:
            raise FstmetricsError("a word has a zero byte in it, which no text has; take it out")
        return cls(TextColumn(texts))

    def __reduce__(self) -> tuple[object, ...]:
        return _rows, self.texts.joined()

    def is_same(self, other: WordRows) -> bool:
        """Whether all words are the same, in the same order."""
        return self is other or self.texts == other.texts

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, index: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> WordRows: ...
    def __getitem__(self, index: int | slice) -> tuple[str, ...] | WordRows:
        if isinstance(index, slice):
            return WordRows(self.texts[index])
        return tuple(self.texts[index].split(MARK)[1:])


def _rows(ends: npt.NDArray[np.int64], data: npt.NDArray[np.uint8]) -> WordRows:
    return WordRows(TextColumn.of_buffers(ends, data))


class Paths:
    """What the alignments of one system's items with their references say, as sclite aligns them.

    Args:
        hypotheses: the words of each.
        references: those of what each was compared with.

    Attributes:
        references: as given.

    >>> paths = Paths(["a b".split()], ["a c".split()]) + Paths(["x".split()], ["x y".split()])
    >>> paths.errors.items.tolist(), paths.errors.places.tolist(), paths.references[1]
    ([0, 1], [2, 2], ('x', 'y'))
    """

    def __init__(self, hypotheses: Sequence[Words], references: Sequence[Words]) -> None:
        self.references = WordRows.of(references)
        # Items that are beyond the limits, and how many words their references and they have.
        self._too_long = too_long(hypotheses, references)
        fit = [n for n in range(len(references)) if n not in self._too_long]
        if len(fit) < len(references):
            hypotheses, references = [hypotheses[n] for n in fit], [references[n] for n in fit]
        found = errors_within_limits(hypotheses, references)
        self._items = np.array(fit, dtype=np.int32)[found.items]
        self._places, self._operations = found.places.astype(np.int32), found.operations.astype(np.int8)

    def __len__(self) -> int:
        return len(self.references)

    def share(self, references: WordRows) -> None:
        """Keep these references where they are the same, which another system has been compared with."""
        if self.references.is_same(references):
            self.references = references

    def __add__(self, other: Paths) -> Paths:
        parts = PathParts()
        parts.add(self)
        parts.add(other)
        return parts.whole()

    @property
    def errors(self) -> Errors:
        """Where there are errors.

        Raises:
            FstmetricsError: a pair too long for the limit `cells`.
        """
        if self._too_long:
            item = min(self._too_long)
            raise alignment_error(item, *self._too_long[item])
        items, places, operations = (
            column.astype(np.int64) for column in (self._items, self._places, self._operations)
        )
        return Errors(items, places, operations)

    def taken(self, places: Sequence[int] | npt.NDArray[np.int64]) -> Paths:
        """Some of the items."""
        some = Paths((), ())
        some.references = WordRows(self.references.texts.taken(np.array(places, dtype=np.int64)))
        begins, ends = (np.searchsorted(self._items, places, side) for side in ("left", "right"))
        errors = np.concatenate(
            [np.zeros(0, np.int64), *(np.arange(b, e) for b, e in zip(begins, ends, strict=True))]
        )
        some._items = np.repeat(np.arange(len(places), dtype=np.int32), ends - begins)
        some._places, some._operations = self._places[errors], self._operations[errors]
        some._too_long = {n: self._too_long[p] for n, p in enumerate(places) if p in self._too_long}
        return some


class PathParts:
    """Puts the items of several `Paths` together, which come one after the other."""

    def __init__(self) -> None:
        self._texts: list[TextColumn] = []
        self._errors: list[tuple[Numbers, Numbers, npt.NDArray[np.int8]]] = []
        self._too_long: dict[int, tuple[int, int]] = {}
        self._items = 0

    def add(self, part: Paths) -> None:
        """Add some items behind the others."""
        self._texts.append(part.references.texts)
        self._errors.append((part._items + np.int32(self._items), part._places, part._operations))
        self._too_long |= {item + self._items: words for item, words in part._too_long.items()}
        self._items += len(part)

    def whole(self) -> Paths:
        """All of them."""
        found = Paths((), ())
        found.references = WordRows(TextColumn.of_parts(self._texts))
        if self._errors:
            columns = (np.concatenate(column) for column in zip(*self._errors, strict=True))
            found._items, found._places, found._operations = columns
        found._too_long = self._too_long
        return found
