"""Words and ids that come back as they were written, or are refused."""

from __future__ import annotations

from collections.abc import Sequence

from fstmetrics.readers.items import Item
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.values.lattice import EPSILON_WORDS
from fstmetrics.values.symbols import SymbolTable


def check_words(symbols: SymbolTable, *epsilons: str) -> None:
    """Refuse what would not come back from lattice formats.

    Args:
        symbols: the words.
        epsilons: what stands for no word in this format alone.

    Raises:
        FstmetricsError: a word that stands for no word in some lattice format, has white space in it, or cannot be
            written in UTF-8.
    """
    for word in symbols.words[1:]:
        if word in EPSILON_WORDS:
            raise FstmetricsError(
                f"the word {word!r} stands for no word in OpenFst's or a like format; give it another name"
            )
        if word in epsilons:
            raise FstmetricsError(f"the word {word!r} stands for no word in the format; give it another name")
        check_word(word)


def check_word(word: str) -> None:
    """Refuse a word that would be read as none or several, or cannot be written in UTF-8; FstmetricsError."""
    if word.split() != [word]:
        raise FstmetricsError(
            f"the word {word!r} has white space in it, which the format cannot hold; join its parts, say by _"
        )
    check_characters("word", word)


def check_characters(what: str, text: str) -> None:
    """Refuse what no UTF-8 text holds, a zero byte or half of a surrogate pair; FstmetricsError that names it."""
    try:
        held = b"\0" not in text.encode()
    except UnicodeEncodeError:
        held = False
    if not held:
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
