"""Binary Kaldi lattice archives: a key, a space and an OpenFst machine, again and again to the end."""

from __future__ import annotations

from collections.abc import Iterator

from fstmetrics.readers.arcs import shown
from fstmetrics.readers.checks import checked_id
from fstmetrics.readers.fst_binary import MAGIC, Cursor, has_transition_ids, read_fst
from fstmetrics.readers.items import Item, ReadOptions
from fstmetrics.readers.numbering import label_numbers, read_symbols
from fstmetrics.readers.writing import WriteOptions
from fstmetrics.support.source import Source

# No key is longer; the limit keeps the search for one short in files that are something else.
MAX_KEY = 4096


def sniff(source: Source) -> bool:
    """Whether a key, a space and OpenFst's magic number stand at the beginning."""
    space = source.data.find(b" ", 0, MAX_KEY)
    return space > 0 and source.data.startswith(MAGIC, space + 1)


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the lattices of a binary archive; ids are the keys.

    Raises:
        InputError: damaged or cut off, a key twice, or an integer that the symbol table lacks.
    """
    cursor = Cursor(source)
    places: dict[str, int] = {}
    while cursor.at < len(cursor.data):
        place = cursor.at
        item = read_next(cursor, options)
        key = str(item.id)
        if places.setdefault(key, place) != place:
            raise cursor.error(f"key {shown(key)} is already at byte {places[key]}", place)
        yield item


def read_next(cursor: Cursor, options: ReadOptions) -> Item:
    """Read the lattice that begins at the cursor, key first.

    Raises:
        InputError: damaged or cut off, or an integer that the symbol table lacks.
    """
    key = _key(cursor)
    fst = read_fst(cursor)
    symbols = read_symbols(options.symbols) if options.symbols else fst.output_symbols
    lattice = fst.lattice(cursor.source, symbols, options.symbols or "in the file", key)
    told = options.tell_left_out and has_transition_ids(cursor.source, fst)
    left_out = ("transition ids",) if told else ()
    return Item(key, lattice, left_out=left_out)


def write(items: Iterator[Item], options: WriteOptions, compact: bool) -> Iterator[bytes]:
    """An archive of lattices without transition ids; labels are the numbers of words.

    Raises:
        FstmetricsError: a word without a number, or a cost too large for a 32-bit float.
    """
    from fstmetrics.readers.fst_binary import lattice_bytes

    for item in items:
        labels = label_numbers(item.value.symbols, options.numbering)
        yield f"{checked_id(item)} ".encode() + lattice_bytes(item.value.automaton, labels, compact)


def _key(cursor: Cursor) -> str:
    begin = cursor.at
    space = cursor.data.find(b" ", begin, begin + MAX_KEY)
    if space <= begin:
        raise cursor.error("expected a key and a space before the next lattice")
    cursor.at = space + 1
    try:
        return cursor.data[begin:space].decode()
    except UnicodeDecodeError:
        raise cursor.error("the key is not UTF-8", begin) from None
