"""OpenFst archives (FAR) of the types sttable, which its tools write, and stlist: machines under keys.

    sttable: int32 magic, int32 version, entries, then as int64: their number, the place of each, their number again
    stlist:  int32 magic, int32 version, entries, and an empty key

An entry is a string, its key, and a machine in binary form (`openfst_binary`); layout as in OpenFst 1.8
(`sttable.h`, `stlist.h`), little-endian.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from itertools import pairwise

import numpy as np

from fstmetrics._native import FstArchiveReader, LatticeColumn, Vocabulary
from fstmetrics.data.cards import Token, write_label
from fstmetrics.data.network import Network
from fstmetrics.data.symbols import SymbolTable
from fstmetrics.io.blocks import Block
from fstmetrics.io.formats.openfst_binary import (
    LIST,
    SORTED_TABLE,
    TABLE_VERSION,
    far_pieces,
    machine,
    machine_at,
    machine_columns,
    machine_places,
    vector_bytes,
    whole_part,
)
from fstmetrics.io.items import Deferred, Format, IndexedPlace, Item, Listing, Place, ReadOptions
from fstmetrics.io.lattice_batches import items_of, items_of_blocks, text_labels
from fstmetrics.io.window import BLOCK, Piece, Window, bytes_at, checksum_of
from fstmetrics.io.writing import SINGLE, Carries, WriteOptions, Writer, only_item
from fstmetrics.io.written_words import check_words, checked_id
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.file_bytes import state_of
from fstmetrics.support.limits import item_limits, limits
from fstmetrics.support.source import File, Source

HEAD = 8  # bytes of magic number and version
END_OF_LIST = 4  # bytes of the empty string there
MAGICS = tuple(struct.pack("<i", magic) for magic in (SORTED_TABLE, LIST))


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read every machine of an archive; its key is its id, its weights are graph costs.

    Words as in OpenFst's single machines: the output labels, by `options.symbols`, else by the machine's own table,
    else by that of the first machine, which is where OpenFst's tools put one for all.

    Raises:
        InputError: damaged or cut off, a type that is not read, a label that the symbol table lacks, or of which two
            tables have different words.
    """
    _check_head(source)
    reader = _reader(options)
    if not source.data.startswith(MAGICS[0]):
        column = LatticeColumn(options.vocabulary)
        reader.read(source.data, HEAD, column, source.byte, True, END_OF_LIST)
        good, faults = whole_part(column, source)
        yield from items_of(good, options)
        for fault in faults:
            raise fault
        return
    cursor = Cursor(source, HEAD)
    end = len(source.data) - 8
    count = Cursor(source, max(end, cursor.at)).integer("q", "the number of entries")
    if not 0 <= count < (end - cursor.at) // 8:
        raise cursor.error(f"an archive of {count} entries does not fit into the file", end)
    table = end - 8 * count - 8
    places = Cursor(source, table + 8)
    for _ in range(count):
        # One after the other, so that nothing is left out that the table of places does not know.
        if (place := places.integer("q", "the place of an entry")) != cursor.at:
            raise places.error(
                f"the table puts an entry at byte {place}, expected {cursor.at}", places.at - 8
            )
        item, cursor.at = machine_at(source, cursor.at, reader, options)
        yield item
    if cursor.at != table or cursor.integer("q", "the number of entries") != count:
        raise cursor.error(f"expected a table of {count} places at byte {table}")


class Cursor:
    """A position in a file's bytes that never runs past the end."""

    def __init__(self, source: Source, at: int = 0) -> None:
        self.source = source
        self.data = source.data
        self.at = at

    def error(self, message: str, at: int | None = None) -> InputError:
        """An error here, or at another byte."""
        return self.source.error(message, byte=self.at if at is None else at)

    def integer(self, code: str, what: str) -> int:
        """The integer here, of a struct code; the position moves behind it."""
        layout = struct.Struct("<" + code)
        if layout.size > (left := len(self.data) - self.at):
            raise self.error(f"{what} would take {layout.size} bytes, but {left} are left")
        self.at += layout.size
        return int(layout.unpack_from(self.data, self.at - layout.size)[0])


def _check_head(head: Source) -> None:
    if not head.data.startswith(MAGICS):
        raise head.error("expected an OpenFst archive (sttable or stlist)", byte=0)
    if (version := Cursor(head, 4).integer("i", "the version")) != TABLE_VERSION:
        raise head.error(f"the archive has version {version}, expected {TABLE_VERSION}", byte=4)


def _reader(options: ReadOptions) -> FstArchiveReader:
    """What reads entries: labels are named by the options' table, else by a machine's own, else by the first one's."""
    return FstArchiveReader(text_labels(options, True), item_limits(), "counted")


def _find(file: File, options: ReadOptions) -> Listing | Iterator[Item]:
    """The entries: of an sttable those that its table names; a list, which has none, is read from its beginning."""
    if file.head().data.startswith(MAGICS[0]):
        entries = _Entries(file, options)
        return Listing(tuple(map(entries.item, range(len(entries.places) - 1))))
    return items_of_blocks(_blocks(file, options), options)


class _Entries:
    """The entries of an sttable, by number.

    Attributes:
        places: where each begins, and where the last one ends.

    Raises:
        InputError: the table of places is damaged.
    """

    def __init__(self, file: File, options: ReadOptions) -> None:
        _check_head(Piece(file.path, file.read(0, HEAD)))
        places, table = _places(file)
        self.places = np.array([*places, table], dtype=np.int64)
        self._file, self._options = file, options

    @cached_property
    def _reader(self) -> FstArchiveReader:
        """What reads entries, which knows the symbol table of the first."""
        reader = _reader(self._options)
        reader.read_first(self._file.read(HEAD, int(self.places[:2][-1])), HEAD)
        return reader

    def item(self, number: int) -> Item:
        """An entry, its value deferred."""
        key = _key_at(self._file, int(self.places[number]))
        read = partial(self._item, number)
        return Item(key, Deferred(read, is_rest=key is None, group=self, place=number))

    def _item(self, number: int) -> Item:
        """An entry; errors as of `read`, which has another place for the last one."""
        begin, end = self.places[number : number + 2].tolist()
        path, last = self._file.path, len(self.places) - 2
        piece = Piece(path, self._file.read(begin, end), byte=begin)
        item, size = machine_at(piece, 0, self._reader, self._options)
        if (found := begin + size) == end:
            return item
        if number == last:
            raise InputError(f"expected a table of {last + 1} places at byte {end}", path, byte=found)
        raise InputError(
            f"the table puts an entry at byte {end}, expected {found}", path,
            byte=int(self.places[-1]) + 8 * (number + 2),
        )  # fmt: skip

    def column(self, places: Sequence[int]) -> LatticeColumn | None:
        """The machines of these entries; None where something is wrong with one."""
        parts = []
        for first, end in _runs(places):
            part, number = LatticeColumn(self._options.vocabulary), first
            while number < end:
                if not (read := self.read(part, number, end)):
                    return None
                number += read
            parts.append(part)
        return parts[0] if len(parts) == 1 else LatticeColumn.joined(parts)

    def blocks(self) -> Iterator[Block]:
        """All entries; what something is wrong with is a block of its own."""
        number, end = 0, len(self.places) - 1
        while number < end:
            column = LatticeColumn(self._options.vocabulary)
            if read := self.read(column, number, end):
                yield Block(column.ids, column)
            else:
                yield Block.of([self.item(number)])
            number += read or 1

    def read(self, column: LatticeColumn, first: int, end: int) -> int:
        """Add entries to a column from one on, as many as are about a block of bytes, and good; how many those are."""
        enough = int(np.searchsorted(self.places, self.places[first] + BLOCK))
        places = self.places[first : min(max(enough, first + 1), end) + 1]
        begin = int(places[0])
        return self._reader.read_entries(self._file.read(begin, int(places[-1])), places, column, begin)


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Numbers that follow one another: the first, and the one after the last."""
    first = end = -1
    for number in numbers:
        if number != end:
            if first >= 0:
                yield first, end
            first = number
        end = number + 1
    if first >= 0:
        yield first, end


def _places(file: File) -> tuple[list[int], int]:
    """Where entries begin, and where the table of these places does."""
    end = file.size() - 8
    tail = Piece(file.path, file.read(max(end, 8), end + 8), byte=max(end, 8))
    count = Cursor(tail).integer("q", "the number of entries")
    if not 0 <= count < (end - 8) // 8:
        raise tail.error(f"an archive of {count} entries does not fit into the file", byte=0)
    table = end - 8 * count - 8
    cursor = Cursor(Piece(file.path, file.read(table, end), byte=table))
    if cursor.integer("q", "the number of entries") != count:
        raise cursor.error(f"expected a table of {count} places at byte {table}", 0)
    if not count and table != 8:  # entries that the table does not know
        raise Piece(file.path, b"", byte=8).error(f"expected a table of 0 places at byte {table}", byte=0)
    given = np.frombuffer(cursor.data, dtype="<i8", offset=8)
    if count and given[0] == 8 and (np.diff(given) > 0).all() and given[-1] < table:
        return given.tolist(), table
    places: list[int] = []
    for expected in range(8, 8 * count + 8, 8):
        place = cursor.integer("q", "the place of an entry")
        least = places[-1] + 1 if places else 8
        if not least <= place < table or (not places and place != 8):
            raise cursor.error(f"the table puts an entry at byte {place}, expected {least}", expected)
        places.append(place)
    return places, table


# Of an entry so many bytes are read at once, to have its key.
USUAL_KEY = 64


def _key_at(file: File, place: int) -> str | None:
    """The key of an entry; None if it is damaged."""
    data = file.read(place, place + 4 + USUAL_KEY)
    size = int.from_bytes(data[:4], "little")
    if size > limits().label:
        return None
    if size > USUAL_KEY:
        data = file.read(place, place + 4 + size)
    if len(data) < 4 + size:
        return None
    try:
        return data[4 : 4 + size].decode()
    except UnicodeDecodeError:
        return None


def _blocks(file: File, options: ReadOptions) -> Iterator[Block]:
    """The entries in native columns."""
    if file.head().data.startswith(MAGICS[0]):
        return _Entries(file, options).blocks()
    return (Block(column.ids, column) for column in _list_columns(file, options))


def _list_columns(file: File, options: ReadOptions) -> Iterator[LatticeColumn]:
    _check_head(file.head())
    with file.opened() as stream:
        window = Window(file.path, stream)
        yield from machine_columns(window, _reader(options), options, HEAD, END_OF_LIST)


# What an index says of an entry: where the first one lies, which may have the symbol table of all.
SETTLED = re.compile(r"first (\d{1,18})\+(\d{1,18}) ([0-9a-f]{16})")


def _indexed(file: File, options: ReadOptions) -> Iterator[Place]:
    """Where the entries lie, keys first. Raises InputError as `read` does; entries of an sttable are not read."""
    head = file.head()
    _check_head(head)
    settled, own = "", ReadOptions()  # no word is looked up
    listed = machine_places(file, _reader(own), own, HEAD, END_OF_LIST)
    for key, begin, end in _table_places(file) if head.data.startswith(MAGICS[0]) else listed:
        if not settled:
            settled = f"first {begin}+{end - begin} {checksum_of(file.read(begin, end))}"
        yield Place(key, begin, end - begin, settled)


def _table_places(file: File) -> Iterator[tuple[str, int, int]]:
    """Keys, begins and ends of the entries of an sttable."""
    places, table = _places(file)
    for begin, end in pairwise([*places, table]):
        if (key := _key_at(file, begin)) is None:
            raise InputError("the key of an entry is damaged", file.path, byte=begin)
        yield key, begin, end


def _read_place(place: IndexedPlace, options: ReadOptions) -> Item:
    """One entry. Raises InputError where the archive has changed, or is damaged there."""
    match = SETTLED.fullmatch(place.settled or "")
    if match is None:
        raise InputError(f"`settled` is not that of an index of a FAR: {place.settled!r}", place.path)
    first = IndexedPlace(None, place.path, int(match[1]), int(match[2]), match[3])
    piece = Piece(place.path, bytes_at(place), byte=place.offset)
    table = options.symbols
    states = state_of(place.path), table and state_of(table)
    reader = _reader_behind(first, options.vocabulary, table, states)
    item, end = machine_at(piece, 0, reader, options)
    if end != place.length:
        raise piece.error(f"{place.length - end} bytes are left over after the machine", byte=end)
    return item


@lru_cache(maxsize=4)
def _reader_behind(
    first: IndexedPlace, vocabulary: Vocabulary, table: str | None, _states: object
) -> FstArchiveReader:
    """What reads entries behind the first. Raises InputError where the archive has changed."""
    reader = _reader(ReadOptions(symbols=table, vocabulary=vocabulary))
    reader.read_first(bytes_at(first), first.offset)
    return reader


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """An archive (sttable) of machines, one an item, in the order of the keys, which OpenFst wants.

    Raises:
        FstmetricsError: as of `openfst.machine`.
    """
    return far_pieces((checked_id(item), machine(item.value, options)) for item in items)


def write_cards(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """An archive of the cards of one network.

    Raises:
        FstmetricsError: as of `archive`.
    """
    return archive(only_item(items).value)


WRITER = Writer(
    "far",
    (".far",),
    Carries("lattice", several=True, ids=True, costs="sum", rounding=SINGLE, numbers="if asked"),
    write,
)
CARDS_WRITER = Writer("far-cards", (), Carries("network"), write_cards)
FORMAT = Format(
    "far",
    "OpenFst archive (FAR), sttable or stlist",
    read,
    writers=(WRITER, CARDS_WRITER),
    find=_find,
    blocks=_blocks,
    places=_indexed,
    read_place=_read_place,
    takes_symbols=True,
)


def archive(network: Network) -> Iterator[bytes]:
    """The pieces of an archive (FAR) of the cards that are on some path: no other card calls the root.

    All share one symbol table. As OpenFst's tools have it (`farcompilestrings --initial_symbols`), it stands in the
    first machine and not in all; and in the root, where `fstreplace` looks for the words of its result.

    Raises:
        FstmetricsError: a word that would not come back.
    """
    from fstmetrics.networks.calls import automaton_of, useful_cards  # loads all of networks

    cards = useful_cards(network)
    # Labels of cards are written as in phrases, and only calls tell cards from other machines.
    written: Callable[[Token], str] = write_label if len(cards) > 1 else str
    labels = {written(token) for card in cards.values() for *_, token in card.arcs}
    if len(cards) == 1 and (word := f"[{network.root}]") in labels:
        raise FstmetricsError(
            f"the word {word!r} would be read as a call of its own card; give the card another name"
        )
    symbols = SymbolTable(sorted(labels - {""}))
    check_words(symbols)

    def label(token: Token) -> int:
        return symbols.index[written(token)]

    with_table = {network.root, min(cards, key=str.encode)}
    return far_pieces(
        (name, vector_bytes(automaton_of(card, label), symbols=symbols if name in with_table else None))
        for name, card in cards.items()
    )
