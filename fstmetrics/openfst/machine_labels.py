"""The labels of an item's machines: words, marks of operations, calls of cards; and what each is called: `Labels`.

A word of the item keeps its name. What is no word gets a name that no word has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fstmetrics.data.symbols import EPSILON, WILDCARD
from fstmetrics.io.written_words import EPSILON_NAME
from fstmetrics.openfst.pynini_objects import import_pynini
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    import pywrapfst

# A space is a character where characters are compared, and no symbol of a file's lines.
SPACE, SPACE_NAME = " ", "<space>"
WILDCARD_NAME = "<*>"
# Marks between the factors of T.
SUBSTITUTED, INSERTED, DELETED, UNDER_WILDCARD = "<sub>", "<ins>", "<del>", "<any>"


class Labels:
    """Numbers and names, from 1; label 0 is epsilon.

    >>> labels = Labels()
    >>> labels.word("the"), labels.mark("<sub>"), labels.word("<sub>"), labels.word("the")
    (1, 2, 3, 1)
    >>> labels.names()
    ['<eps>', 'the', '<sub>_', '<sub>']
    """

    def __init__(self) -> None:
        self._words: dict[str, int] = {}
        self._marks: dict[str, int] = {}
        # For each label that only a match with a word can take, that of the word.
        self.only_hits: dict[int, int] = {}

    def __len__(self) -> int:
        return 1 + len(self._words) + len(self._marks)

    def word(self, word: str) -> int:
        """The label of a word of the item; that of the empty one is epsilon."""
        return EPSILON if word == "" else self._words.setdefault(word, len(self))

    @property
    def wildcard(self) -> int | None:
        """The label of the wildcard, if it is among the words."""
        return self._words.get(WILDCARD)

    def mark(self, name: str) -> int:
        """The label of something that is no word."""
        return self._marks.setdefault(name, len(self))

    def only_hit(self, word: str) -> int:
        """The label of a word on arcs of R that only a match can take, as those of compounds."""
        label = self.mark(f"<hit:{word}>")
        self.only_hits[label] = self.word(word)
        return label

    def words(self) -> dict[int, str]:
        """The words by their labels."""
        return {label: word for word, label in self._words.items()}

    def names(self) -> Sequence[str]:
        """What each label is called, epsilon first."""
        found = {label: word for word, label in self._words.items() if word not in (SPACE, WILDCARD)}
        given = set(found.values())
        others = {label: name for name, label in self._marks.items()}
        named = ((SPACE, SPACE_NAME), (WILDCARD, WILDCARD_NAME))
        others |= {self._words[word]: name for word, name in named if word in self._words}
        for label, name in sorted({EPSILON: EPSILON_NAME, **others}.items()):
            while name in given:
                name += "_"
            given.add(name)
            found[label] = name
        return [found[label] for label in range(len(self))]

    def table(self) -> pywrapfst.SymbolTable:
        """The names as a symbol table of pynini.

        Raises:
            FstmetricsError: pynini is not installed, or a word is not Unicode.
        """
        table = import_pynini().SymbolTable()
        for label, name in enumerate(self.names()):
            try:
                table.add_symbol(name, label)
            except UnicodeEncodeError:
                raise FstmetricsError(
                    f"the word {name!r} holds half a character (a surrogate), which symbol tables of OpenFst cannot; "
                    "mend the text"
                ) from None
        return table  # type: ignore[no-any-return]
