"""OpenFst archives (FAR) of the types sttable, which its tools write, and stlist: machines under keys.

    sttable: int32 magic, int32 version, entries, then as int64: their number, the place of each, their number again
    stlist:  int32 magic, int32 version, entries, and an empty key

An entry is a string, its key, and a machine in binary form (`fst_binary`); layout as in OpenFst 1.8
(`sttable.h`, `stlist.h`), little-endian.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from fstmetrics.readers.arcs import words_of
from fstmetrics.readers.base import Format, Item, ReadOptions, Source
from fstmetrics.readers.fst_binary import Cursor, has_other_inputs, read_fst
from fstmetrics.readers.openfst import machine
from fstmetrics.readers.symbols_file import read_symbols
from fstmetrics.readers.writing import Carries, WriteOptions, Writer, checked_id, only_item

SORTED_TABLE, LIST = 2125656924, 5656924
TABLE_VERSION = 1
END_OF_LIST = 4  # bytes of the empty string there
MAGICS = tuple(struct.pack("<i", magic) for magic in (SORTED_TABLE, LIST))


def sniff(source: Source) -> bool:
    """Whether the file begins with an archive's magic number."""
    return source.data.startswith(MAGICS)


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read every machine of an archive; its key is its id, its weights are graph costs.

    Words as in OpenFst's single machines: the output labels, by `options.symbols`, else by the machine's own table.

    Raises:
        InputError: damaged or cut off, a type that is not read, or a label that the symbol table lacks.
    """
    if not sniff(source):
        raise source.error("expected an OpenFst archive (sttable or stlist)", byte=0)
    given = read_symbols(options.symbols) if options.symbols else None
    for cursor in _entries(source):
        key = cursor.string("a key")
        fst = read_fst(cursor)
        symbols, table = given or fst.output_symbols or fst.input_symbols, options.symbols or "in the file"
        words = words_of(fst.keys, fst.table.labels, symbols, table, fst.table.fail(source))
        told = options.tell_left_out and has_other_inputs(source, fst)
        yield Item(key, fst.table.lattice(source, words, id=key), left_out=("input labels",) if told else ())


def _entries(source: Source) -> Iterator[Cursor]:
    """A cursor at each entry."""
    cursor = Cursor(source)
    magic, version = cursor.integer("i", "the magic number"), cursor.integer("i", "the version")
    if version != TABLE_VERSION:
        raise cursor.error(f"the archive has version {version}, expected {TABLE_VERSION}", 4)
    if magic == LIST:
        while cursor.at < len(source.data) - END_OF_LIST:
            yield cursor
        return
    end = len(source.data) - 8
    count = Cursor(source, max(end, cursor.at)).integer("q", "the number of entries")
    if not 0 <= count < (end - cursor.at) // 8:
        raise cursor.error(f"an archive of {count} entries does not fit into the file", end)
    table = end - 8 * count - 8
    places = Cursor(source, table + 8)
    for _ in range(count):
        # One after the other, so that nothing is left out that the table of places does not know.
        if (place := places.integer("q", "the place of an entry")) != cursor.at:
            raise places.error(f"an entry is said to be at byte {place}, expected {cursor.at}", places.at - 8)
        yield cursor
    if cursor.at != table or cursor.integer("q", "the number of entries") != count:
        raise cursor.error(f"expected a table of {count} places at byte {table}")


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """An archive (sttable) of machines, one an item, in the order of the keys, which OpenFst wants.

    Raises:
        FstmetricsError: as of `openfst.machine`.
    """
    from fstmetrics.fst_files import far_pieces

    return far_pieces((checked_id(item), machine(item.value, options)) for item in items)


def write_cards(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """An archive of the cards of one network; errors as of `networks.convert.file_content`."""
    from fstmetrics.networks.convert import archive

    return archive(only_item(items).value)


WRITER = Writer(
    "far",
    (".far",),
    Carries("lattice", several=True, ids=True, costs="sum", single=True, numbers="if asked"),
    write,
)
CARDS_WRITER = Writer("far-cards", (), Carries("network"), write_cards)
FORMAT = Format(
    "far", "OpenFst archive (FAR), sttable or stlist", (".far",), sniff, read, (WRITER, CARDS_WRITER)
)
