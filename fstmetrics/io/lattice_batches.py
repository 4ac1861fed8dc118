"""What readers of lattices in batches share: windows of bytes become `_native.LatticeColumn`s.

- `text_labels`: what the labels of a text file stand for, over the vocabulary of the run.
- `only_lattice`, `column_of_files`: lattices of files that hold one each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

from fstmetrics._native import Labels, LatticeColumn, Vocabulary
from fstmetrics.data.lattice import Lattice
from fstmetrics.io.arcs import note_errors
from fstmetrics.io.items import Item, ReadOptions
from fstmetrics.io.written_words import is_encodable, read_symbols
from fstmetrics.support.source import File, Source, stem

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


# Appends the lattice of a file to a column, damaged if it is that.
Add = Callable[[Source, LatticeColumn], object]


def only_lattice(source: Source, options: ReadOptions, add: Add) -> Item:
    """The one lattice of a file.

    Raises:
        InputError: the file is empty, or what is wrong with the lattice.
    """
    source.refuse_empty()
    column = LatticeColumn(options.vocabulary)
    add(source, column)
    note_errors(column, lambda _: source)
    lattice: Lattice = column[0]
    return Item(lattice.id, lattice, left_out=tuple(column.left_out(0)) if options.tell_left_out else ())


def column_of_files(
    files: Sequence[File], options: ReadOptions, add: Add, id_of: Callable[[str], str] = stem
) -> LatticeColumn | None:
    """The lattices of files in one column; None where something is wrong with one, which reading it alone says.

    Args:
        files: hold one lattice each.
        options: have the vocabulary.
        add: appends the lattice of a file.
        id_of: the id of a file's lattice.

    Raises:
        InputError: a file cannot be read.
    """
    column = LatticeColumn(options.vocabulary)
    if not all(map(is_encodable, [id_of(file.path) for file in files])):
        return None
    for file in files:
        add(file.source(), column)
    return None if column.damaged or len(column) < len(files) else column
