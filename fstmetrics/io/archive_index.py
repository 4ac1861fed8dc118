"""Items of archives by their places: `places_of` finds them all, `read_place` reads one without the rest.

The bytes of an item alone are a file of the archive's format, or the format itself reads items by their places
(`Format.read_place`). A place has a checksum, so that an archive that has changed since is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fstmetrics.io.file_format import by_beginning, by_name
from fstmetrics.io.formats import FORMATS
from fstmetrics.io.items import IndexedPlace, Item, ReadOptions
from fstmetrics.io.window import PACKED, Piece, bytes_at, checksum_of
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.source import File, is_blank

# The names of the columns of an index.
COLUMNS = tuple(IndexedPlace.__dataclass_fields__)


def places_of(path: str, format: str | None = None, symbols: str | None = None) -> Iterator[IndexedPlace]:
    """The places of all items of an archive, in its order.

    Args:
        path: a file; not compressed.
        format: of the archive; by default recognised.
        symbols: a symbol table, which some formats want to see integers.

    Raises:
        InputError: no such archive, compressed, in a format of which pieces are no items, damaged, or with an id twice.
    """
    if path == "-":
        raise FstmetricsError(
            "an index is of files, whose items are read later; standard input (-) is gone then"
        )
    file = File(path)
    chosen = by_beginning(file.head()) if format is None else by_name(format)
    if chosen is None or chosen.places is None:
        known = ", ".join(name for name in FORMATS if FORMATS[name].places)
        found = "this is text or unknown" if chosen is None else f"this is {chosen.name}"
        raise InputError(f"an index is of archives in one of these formats: {known}; {found}", path)
    if file.is_packed():
        raise InputError(PACKED, path)
    seen: set[str] = set()
    last, checksum = (-1, -1), ""
    for place in chosen.places(file, ReadOptions(symbols)):
        if place.id in seen:
            raise InputError(f"id {place.id!r} comes twice, the second time at byte {place.offset}", path)
        seen.add(place.id)
        if last != (last := (place.offset, place.length)):  # items of a batch lie in one place
            checksum = checksum_of(file.read(place.offset, place.offset + place.length))
        yield IndexedPlace(place.id, path, *last, checksum, chosen.name, place.settled or None)


def read_place(place: IndexedPlace, options: ReadOptions | None = None) -> Item:
    """One item.

    Raises:
        InputError: the archive is not there, shorter, or has other bytes there; or they are no item of its format.
    """
    options = options or ReadOptions()
    chosen = None if place.format is None else by_name(place.format)
    if chosen is None or chosen.read_place is None:
        return item_of(bytes_at(place), place, options)
    if not place.settled:
        raise InputError(f"items of {chosen.name} need the column `settled` of the index", place.path)
    item = chosen.read_place(place, options)
    if place.id is not None and item.id != place.id:
        raise InputError(
            f"expected the item {place.id!r} at offset {place.offset}, found {item.id!r}", place.path
        )
    return item


def item_of(data: bytes, place: IndexedPlace, options: ReadOptions) -> Item:
    """The one item of some bytes. Raises InputError where they are none, or more than one."""
    source = Piece(place.path, data, byte=place.offset, is_end=True)
    chosen = by_beginning(source) if place.format is None else by_name(place.format)
    if chosen is None:
        raise source.error("the format of these bytes is not recognised; name it")
    if chosen.holds != "text" and is_blank(data):
        raise source.error("is empty")
    settled: dict[str, Any] = {"settled": place.settled} if place.settled else {}
    read = ReadOptions(options.symbols, **settled)
    items = list(chosen.read(source, read))
    if len(items) != 1:
        raise source.error(f"expected one item, found {len(items)}")
    if place.id is not None and items[0].id not in (None, place.id):
        raise source.error(f"expected the item {place.id!r}, found {items[0].id!r}")
    return items[0]
