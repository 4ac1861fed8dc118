"""What readers of lattices in batches share: windows of bytes become `_native.LatticeColumn`s.

- `text_labels`: what the labels of a text file stand for, over the vocabulary of the run.
- `LabelChoice`: the same where only the whole file tells whether labels are integers.
- `column_of_files`: lattices of files that hold one each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

from fstmetrics._native import Labels, LatticeColumn, Vocabulary
from fstmetrics.readers.bytes import File
from fstmetrics.readers.items import ReadOptions
from fstmetrics.readers.labels import is_encodable, read_symbols
from fstmetrics.support.source import Source, stem

Kind = Literal["words", "numbers", "table"]


def text_labels(options: ReadOptions, integers: bool) -> Labels:
    """What the labels of a text file stand for.

    Args:
        options: may name the symbol table; has the vocabulary.
        integers: whether labels are integers; if not, they are words as they stand, of the symbol table if there is
            one, of which the word of 0 is none.

    Raises:
        InputError: the symbol table cannot be read.
    """
    kind: Kind = "numbers" if integers else "words"
    if options.symbols is None:
        return Labels(options.vocabulary, kind)
    symbols = read_symbols(options.symbols)
    return _table(options.vocabulary, "table" if integers else "words", options.symbols, id(symbols))


# A folder of lattices asks for the same table once a file. `read_symbols` keeps fewer than these, so an id is not used
# again for another one while it is here.
@lru_cache(maxsize=2)
def _table(vocabulary: Vocabulary, kind: Kind, path: str, _symbols: int) -> Labels:
    return Labels(vocabulary, kind, read_symbols(path), path)


class LabelChoice:
    """What the labels of a text file are if they are integers, and if they are words, before it is known which.

    Attributes:
        integers, words: both, over the vocabulary of the run.

    Raises:
        InputError: the symbol table cannot be read.
    """

    def __init__(self, options: ReadOptions) -> None:
        self.integers, self.words = text_labels(options, True), text_labels(options, False)


def column_of_files(
    files: Sequence[File],
    options: ReadOptions,
    add: Callable[[Source, LatticeColumn], bool],
    id_of: Callable[[str], str] = stem,
) -> LatticeColumn | None:
    """The lattices of files in one column; None where one has to be read another way, which says what is wrong with it.

    Args:
        files: hold one lattice each.
        options: have the vocabulary.
        add: appends the lattice of a file; false where it has to be read another way.
        id_of: the id of a file's lattice.

    Raises:
        InputError: a file cannot be read.
    """
    column = LatticeColumn(options.vocabulary)
    for file in files:
        if not (is_encodable(id_of(file.path)) and add(file.source(), column)):
            return None
    return None if column.damaged else column
