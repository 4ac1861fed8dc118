"""Words, ids and numbers as files have them.

- `check_words`, `check_word`, `checked_line`, `checked_id`: what comes back as it was written, or is refused.
- `are_writable_ids`, `is_writable_word`, `WordsSoFar`: the same of many at once.
- `Numbering`, `label_numbers`, `label_names`: how words become numbers, in formats that hold numbers.
- `read_symbols`: symbol table files, `word integer` lines, as OpenFst and Kaldi (words.txt) write them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fstmetrics._native import Vocabulary, read_symbol_table
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.symbols import EPSILON_WORDS, SymbolTable
from fstmetrics.io.arcs import INTEGER, parsed
from fstmetrics.io.blocks import Item
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.file_bytes import FileState, state_of
from fstmetrics.support.source import Source

EPSILON_NAME = "<eps>"


def check_words(symbols: SymbolTable, *epsilons: str) -> None:
    """Refuse what would not come back from lattice formats.

    Args:
        symbols: the words.
        epsilons: what means no word in this format alone.

    Raises:
        FstmetricsError: a word that means no word in some lattice format, has white space in it, or cannot be
            written in UTF-8.
    """
    for word in symbols.words[1:]:
        if word in EPSILON_WORDS:
            raise FstmetricsError(
                f"the word {word!r} means no word in OpenFst's or a like format; give it another name"
            )
        if word in epsilons:
            raise FstmetricsError(f"the word {word!r} means no word in the format; give it another name")
        check_word(word)


def check_word(word: str) -> None:
    """Refuse a word that would be read as none or several, or cannot be written in UTF-8; FstmetricsError."""
    if word.split() != [word]:
        raise FstmetricsError(
            f"the word {word!r} has white space in it, which the format cannot hold; join its parts, say by _"
        )
    check_characters("word", word)


def is_encodable(text: str) -> bool:
    """Whether UTF-8 can hold it: half of a surrogate pair, as in names of files in other encodings, it cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_characters(what: str, text: str) -> None:
    """Refuse what no UTF-8 text holds, a zero byte or half of a surrogate pair; FstmetricsError that names it."""
    try:
        writable = b"\0" not in text.encode()
    except UnicodeEncodeError:
        writable = False
    if not writable:
        raise FstmetricsError(f"the {what} {text!r} has a character in it that no text file holds")


def checked_line(words: Sequence[str], text: str | None = None) -> str:
    """A sentence as a line: as it was written, or its words with spaces between.

    Raises:
        FstmetricsError: a word that would be read as none or several, or cannot be written in UTF-8.
    """
    if text is not None and "\n" not in text and "\r" not in text and tuple(text.split()) == tuple(words):
        check_characters("words", text)
        return text
    for word in words:
        check_word(word)
    return " ".join(words)


def checked_id(item: Item) -> str:
    """The id of an item, which must be one word.

    Raises:
        FstmetricsError: there is none, it is not one word, or cannot be written in UTF-8.
    """
    if item.id is None or item.id.split() != [item.id]:
        raise FstmetricsError(
            f"the id {item.id!r} is not one word, as the format wants it; in a folder of a format without ids (slf, "
            "att, openfst, plain, nbest-lines) it is a file's name"
        )
    check_characters("id", item.id)
    return item.id


def are_writable_ids(ids: Sequence[str]) -> bool:
    """Whether `checked_id` takes all of these, and none begins with what is read as a byte order mark."""
    text = " ".join(ids)
    return text.split() == list(ids) and "\0" not in text and "\ufeff" not in text and is_encodable(text)


# What stands in a word for bytes that are no UTF-8.
REPLACED = "\ufffd"


def is_writable_word(word: str, unlike: str) -> bool:
    """Whether `check_word` takes a word, its bytes are UTF-8, and `unlike` is not in it; the empty one is no word."""
    is_written = word.split() == [word] and not any(map(word.__contains__, ("\0", REPLACED, unlike)))
    return not word or (is_written and is_encodable(word))


class WordsSoFar:
    """Whether all words of a run, as many as there are so far, are such; each is looked at once."""

    def __init__(self, is_such: Callable[[str], bool]) -> None:
        self._is_such = is_such
        self._seen, self._found = 0, True

    def are_such(self, vocabulary: Vocabulary) -> bool:
        """Of all words that a vocabulary has so far."""
        while self._found and self._seen < len(vocabulary):
            self._found = self._is_such(vocabulary[self._seen])
            self._seen += 1
        return self._found


@dataclass
class Numbering:
    """Numbers of words; epsilon is 0.

    Attributes:
        numbers: the number of each word.
        grows: whether a new word gets the next number, or is an error.
        place: where the numbers come from, for messages.
    """

    numbers: dict[str, int] = field(default_factory=lambda: {EPSILON_NAME: 0})
    grows: bool = True
    place: str = ""

    @classmethod
    def of_table(cls, table: Mapping[int, str], place: str) -> Numbering:
        """The numbers of a symbol table; of several numbers of a word, the first."""
        numbers: dict[str, int] = {}
        for key, word in table.items():
            numbers.setdefault(word, key)
        return cls(numbers, False, place)

    def of(self, word: str) -> int:
        """The number of a word.

        Raises:
            FstmetricsError: a word that the table lacks.
        """
        if self.grows:
            return self.numbers.setdefault(word, len(self.numbers))
        number = self.numbers.get(word)
        if number is None or number <= 0:
            raise FstmetricsError(
                f"the word {word!r} is not in the symbol table {self.place}; --write-symbols FILE makes one of all"
            )
        return number

    def text(self) -> str:
        """A symbol table file, `word number` lines."""
        return "".join(f"{word}\t{number}\n" for word, number in self.numbers.items())


def label_numbers(symbols: SymbolTable, numbering: Numbering | None) -> npt.NDArray[np.int32]:
    """The number to write for every label; without a numbering, words that are numbers stand for themselves.

    Raises:
        FstmetricsError: a word without a number.
    """
    check_words(symbols)
    words = symbols.words[1:]
    if numbering is not None:
        return np.array([0, *map(numbering.of, words)], dtype=np.int32)
    for word in words:
        if not is_number(word):
            raise FstmetricsError(
                f"the format holds numbers, and {word!r} is none: --write-symbols FILE numbers the words and writes "
                "the table, --symbols FILE takes one that is there"
            )
    return np.array([0, *map(int, words)], dtype=np.int32)


def is_number(word: str) -> bool:
    """Whether a word is how a positive label is written, and no other way."""
    return word.isascii() and word.isdigit() and word[0] != "0" and int(word) < 2**31


def label_names(lattice: Lattice, numbering: Numbering | None) -> list[str]:
    """Names of a lattice's labels in a text format that takes nothing but numbers for labels without words.

    Raises:
        FstmetricsError: a word that would come back as another one, or as none.
    """
    if numbering is not None:
        return [str(label) for label in label_numbers(lattice.symbols, numbering).tolist()]
    check_words(lattice.symbols)
    used = [lattice.symbols.words[label] for label in np.unique(lattice.automaton.labels).tolist()]
    if all(map(INTEGER.fullmatch, used)):
        for word in used:
            if word[0] in "0-":
                raise FstmetricsError(
                    f"all words are numbers, and 0 would be read as no word, 01 as 1, -1 as no label (here "
                    f"{word!r}); --write-symbols FILE numbers the words, and binary OpenFst machines hold any word"
                )
    return [EPSILON_NAME, *lattice.symbols.words[1:]]


def read_symbols(path: str | Path) -> dict[int, str]:
    """Read a symbol table file: the word of each integer.

    A word may have several integers; the last field of a line is the integer. The caller must not
    change the result, which is kept for the next call.

    Raises:
        InputError: the file cannot be read, a line has not two fields, the second is no integer, or an
            integer is given twice.
    """
    return _parsed(str(path), state_of(path))


# A folder of lattices asks for the same table once a file. A changed file is a new one.
@lru_cache(maxsize=4)
def _parsed(path: str, _state: FileState | None) -> dict[int, str]:
    source = Source.open(path)
    text = source.utf8
    return parsed(source, lambda: read_symbol_table(text))
