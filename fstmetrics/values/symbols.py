"""Words and their labels: the int32 that stands for a word on an arc. Label 0 is epsilon, no word at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics import _native
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    import numpy.typing as npt

    Labels = npt.NDArray[np.int32]

EPSILON = 0
# The word on arcs of references that takes any one word of the hypothesis; on a loop, any number. No text has it.
WILDCARD = _native.wildcard()


class SymbolTable:
    """An immutable, dense numbering of words from 1; word 0 is the empty string, epsilon.

    >>> table = SymbolTable(["the", "cat"])
    >>> table.label("cat"), table.words[2], table.label("dog")
    (2, 'cat', None)
    """

    __slots__ = ("_index", "words")

    words: tuple[str, ...]

    def __init__(self, words: Iterable[str]) -> None:
        self.words = ("", *words)
        self._index = {word: label for label, word in enumerate(self.words)}
        if len(self._index) != len(self.words):
            raise FstmetricsError("a symbol table needs distinct words, none of them empty")

    @classmethod
    def intern(cls, words: Iterable[str]) -> tuple[SymbolTable, Labels]:
        """Number words as they come, repeated ones once; "" becomes epsilon.

        Returns:
            The table, and the label of every word given, shape [number of words].
        """
        index = {"": EPSILON}
        labels = [index.setdefault(word, len(index)) for word in words]
        table = cls.__new__(cls)
        table.words = tuple(index)
        table._index = index
        return table, np.array(labels, dtype=np.int32)

    @property
    def index(self) -> Mapping[str, int]:
        """Label of every word, "" included."""
        return self._index

    def label(self, word: str) -> int | None:
        """The word's label, or None if it has none."""
        return self._index.get(word)

    def __len__(self) -> int:
        return len(self.words)

    def __reduce__(self) -> tuple[type[SymbolTable], tuple[tuple[str, ...]]]:
        return SymbolTable, (self.words[1:],)

    def __repr__(self) -> str:
        return f"SymbolTable({len(self.words) - 1} words)"
