"""Words and their labels: the int32 that stands for a word on an arc. Label 0 is epsilon, no word at all.

The arcs of an automaton with their words in place of labels: `labelled_arcs`, and `leaving`, by the states they leave.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from fstmetrics import _native
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import counted

if TYPE_CHECKING:
    import numpy.typing as npt

    Labels = npt.NDArray[np.int32]

T = TypeVar("T")
EPSILON = 0
# Words that stand for no word in one lattice format or another, and are words in no language; the list is
# `native/text/epsilon_names.h`.
EPSILON_WORDS = frozenset(_native.epsilon_names())
# The word on arcs of references that takes any one word of the hypothesis; on a loop, any number. No text has it.
WILDCARD = _native.wildcard()
# Sentence boundaries (<s>, </s>, !SENT_START, !SENT_END, !ENTER, !EXIT): never counted as words, on either side.
SENTENCE_MARKERS = frozenset(_native.sentence_markers())


class SymbolTable:
    """An immutable, dense numbering of words from 1; word 0 is the empty string, epsilon.

    >>> table = SymbolTable(["the", "cat"])
    >>> table.label("cat"), table.words[2], table.label("dog")
    (2, 'cat', None)
    """

    __slots__ = ("_index", "_row", "_words")

    _words: tuple[str, ...] | None
    _index: dict[str, int] | None
    _row: tuple[_native.LatticeColumn, int] | None

    def __init__(self, words: Iterable[str]) -> None:
        self._words = ("", *words)
        self._index = {word: label for label, word in enumerate(self._words)}
        self._row = None
        if len(self._index) != len(self._words):
            raise FstmetricsError("a symbol table needs distinct words, none of them empty")

    @classmethod
    def of_row(cls, column: _native.LatticeColumn, row: int) -> SymbolTable:
        """The words of a lattice of a column, made when they are looked at."""
        table = cls.__new__(cls)
        table._words = table._index = None
        table._row = column, row
        return table

    @property
    def is_of_row(self) -> bool:
        """Whether it is of a lattice of a column."""
        return self._row is not None

    @property
    def words(self) -> tuple[str, ...]:
        """The words by label; the first is "", epsilon."""
        if self._words is None:
            column, row = self._row  # type: ignore[misc]  # without words there is a row
            self._words = column.words(row)
        return self._words

    @classmethod
    def intern(cls, words: Iterable[str]) -> tuple[SymbolTable, Labels]:
        """Number words as they come, repeated ones once; "" becomes epsilon.

        Returns:
            The table, and the label of every word given, shape [number of words].
        """
        index = {"": EPSILON}
        labels = [index.setdefault(word, len(index)) for word in words]
        table = cls.__new__(cls)
        table._words = tuple(index)
        table._index = index
        table._row = None
        return table, np.array(labels, dtype=np.int32)

    @property
    def index(self) -> Mapping[str, int]:
        """Label of every word, "" included."""
        if self._index is None:
            self._index = {word: label for label, word in enumerate(self.words)}
        return self._index

    def label(self, word: str) -> int | None:
        """The word's label, or None if it has none."""
        return self.index.get(word)

    def __len__(self) -> int:
        return len(self.words)

    def __reduce__(self) -> tuple[type[SymbolTable], tuple[tuple[str, ...]]]:
        return SymbolTable, (self.words[1:],)

    def __repr__(self) -> str:
        return f"SymbolTable({counted(len(self.words) - 1, 'word')})"


def labelled_arcs(automaton: _native.Automaton, words: Sequence[T]) -> Iterator[tuple[int, int, T]]:
    """The arcs of an automaton, each from, to, and what its label stands for, in their order."""
    columns = automaton.sources.tolist(), automaton.destinations.tolist(), automaton.labels.tolist()
    return ((source, destination, words[label]) for source, destination, label in zip(*columns, strict=True))


def leaving(arcs: Iterable[tuple[int, int, T]]) -> dict[int, list[tuple[int, T]]]:
    """Where the arcs of each state lead, and their words."""
    found: dict[int, list[tuple[int, T]]] = {}
    for source, destination, word in arcs:
        found.setdefault(source, []).append((destination, word))
    return found
