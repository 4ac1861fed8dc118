"""What readers of lattices in batches share: windows of bytes become `_native.LatticeColumn`s.

- `text_labels`: what the labels of a text file stand for, over the vocabulary of the run.
- `item_limits`: the limits that native readers hold lattices to.
- `note_errors`: what is wrong with the damaged lattices of a column, as errors with their places.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from fstmetrics._native import Labels, LatticeColumn, Vocabulary
from fstmetrics.readers.arcs import shown
from fstmetrics.readers.items import ReadOptions
from fstmetrics.readers.labels import read_symbols
from fstmetrics.support.errors import InputError
from fstmetrics.support.limits import limits
from fstmetrics.support.source import Source


def text_labels(options: ReadOptions, integers: bool) -> Labels:
    """What the labels of a text file stand for.

    Args:
        options: may name the symbol table; has the vocabulary.
        integers: whether labels are integers; if not, they are words as they stand.

    Raises:
        InputError: the symbol table cannot be read.
    """
    if not integers:
        return Labels(options.vocabulary, "words", None, options.symbols)
    if options.symbols is None:
        return Labels(options.vocabulary, "numbers")
    symbols = read_symbols(options.symbols)
    return _table(options.vocabulary, options.symbols, id(symbols))


# A folder of lattices asks for the same table once a file. `read_symbols` keeps fewer than these, so an id is not used
# again for another one while it is here.
@lru_cache(maxsize=2)
def _table(vocabulary: Vocabulary, path: str, _symbols: int) -> Labels:
    return Labels(vocabulary, "table", read_symbols(path), path)


def item_limits() -> tuple[int, int, int]:
    """The limits of states, arcs and bytes of a word, as native readers take them."""
    now = limits()
    return now.states, now.arcs, now.label


def note_errors(column: LatticeColumn, piece_of: Callable[[int], Source]) -> None:
    """Say in a column what is raised where a damaged lattice is asked for.

    Args:
        column: lattices as a native reader leaves them.
        piece_of: the bytes of one of them, whose errors name places in the file.
    """
    for row in column.damaged:
        if row not in column.errors:
            column.errors[row] = _error(column, row, piece_of(row))


def _error(column: LatticeColumn, row: int, piece: Source) -> InputError:
    if column.is_text_damaged(row):
        try:
            _ = piece.utf8
        except InputError as error:
            return error
    if (excess := column.excess(row)) is not None:
        limit, found, word, is_id = excess
        what = "an id" if is_id else f"a word of {_name(column, row)}" if word else _name(column, row)
        unit = limit if word is None else f"bytes ({word[:20]!r}...)"
        return limits().error(limit, f"{what} has {found} {unit}", piece.path)
    line, byte, message, said = column.fault(row) or (None, None, "is damaged", b"")
    return piece.error(message.replace("{}", shown(said.decode("utf-8", "replace"))), line, byte)


def _name(column: LatticeColumn, row: int) -> str:
    id = column.parts(row)[0]
    return f"lattice {id[:40]!r}" if id else "lattice"
