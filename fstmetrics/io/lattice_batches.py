"""What readers of lattices in batches share: windows of bytes become `_native.LatticeColumn`s.

- `text_labels`: what the labels of a text file stand for, over the vocabulary of the run.
- `readers`: of formats whose files hold one lattice each; `column_of_files`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Literal

from fstmetrics._native import Labels, LatticeColumn, Vocabulary
from fstmetrics.data.lattice import Lattice
from fstmetrics.io.arcs import note_errors
from fstmetrics.io.blocks import Block, Deferred, Item
from fstmetrics.io.items import ReadOptions
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


def readers(
    adding: Callable[[ReadOptions], Add], id_of: Callable[[str], str] = stem
) -> tuple[
    Callable[[Source, ReadOptions], Iterator[Item]],
    Callable[[Sequence[File], ReadOptions], LatticeColumn | None],
]:
    """What reads the one lattice of a file, and what reads those of files in one column, as of `column_of_files`.

    The first raises an InputError where the file is empty, or for what is wrong with the lattice.

    Args:
        adding: what appends the lattice of a file to a column, under options.
        id_of: the id of a file's lattice.
    """

    def read(source: Source, options: ReadOptions) -> Iterator[Item]:
        source.refuse_empty()
        column = LatticeColumn(options.vocabulary)
        adding(options)(source, column)
        note_errors(column, lambda _: source)
        yield from items_of(column, options)

    return read, lambda files, options: column_of_files(files, options, adding(options), id_of)


def items_of(column: LatticeColumn, options: ReadOptions) -> Iterator[Item]:
    """The items of a column. Raises what is wrong with one."""
    for row in range(len(column)):
        yield item_of(column, row, options)


def item_of(column: LatticeColumn, row: int, options: ReadOptions) -> Item:
    """One of them."""
    lattice: Lattice = column[row]
    return Item(lattice.id, lattice, left_out=tuple(column.left_out(row)) if options.tell_left_out else ())


def items_of_blocks(blocks: Iterable[Block], options: ReadOptions) -> Iterator[Item]:
    """The items of blocks, values deferred: those of columns of lattices are made when they are asked for."""
    for block in blocks:
        if isinstance(column := block.values, LatticeColumn):
            for row, id in enumerate(block.ids or ()):
                yield Item(id, Deferred(partial(item_of, column, row, options)))
        else:
            yield from block


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
    ids = [id_of(file.path) for file in files]
    if not ("".join(ids).isascii() or all(map(is_encodable, ids))):
        return None
    for file in files:
        add(file.source(), column)
    return None if column.damaged or len(column) < len(files) else column
