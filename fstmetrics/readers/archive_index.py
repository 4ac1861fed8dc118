"""Items of archives by their places: `places_of` finds them all, `read_place` reads one without the rest.

The bytes of an item alone are a file of the archive's format. A place has a checksum of them, so that an archive that
has changed since is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from fstmetrics._native import xxh64
from fstmetrics.readers.arcs import is_blank
from fstmetrics.readers.bytes import File, Piece
from fstmetrics.readers.formats import FORMATS
from fstmetrics.readers.items import Item, ReadOptions
from fstmetrics.readers.recognise import by_beginning, by_name
from fstmetrics.support.errors import InputError
from fstmetrics.support.limits import limits
from fstmetrics.support.source import readable

PACKED = "is compressed, so that no item can be read without all before it; decompress it first"


@dataclass(frozen=True)
class IndexedPlace:
    """Where an item lies, and what is there.

    Attributes:
        id: of the item; None where only its place is known.
        path: of the archive.
        offset, length: the place of its first byte, and how many there are.
        checksum: XXH64 of the bytes with seed 0, 16 hexadecimal digits; None: it is not known.
        format: of the archive; None: recognised.
        settled: as of `Place`.
    """

    id: str | None
    path: str
    offset: int
    length: int
    checksum: str | None = None
    format: str | None = None
    settled: str | None = None


# The names of the columns of an index.
COLUMNS = tuple(IndexedPlace.__dataclass_fields__)


def checksum_of(data: bytes) -> str:
    """As of `IndexedPlace`.

    >>> checksum_of(b"")
    'ef46db3751d8e999'
    """
    return f"{xxh64(np.frombuffer(data, dtype=np.uint8)):016x}"


def places_of(path: str, format: str | None = None, symbols: str | None = None) -> Iterator[IndexedPlace]:
    """The places of all items of an archive, in its order.

    Args:
        path: a file; not compressed.
        format: of the archive; by default recognised.
        symbols: a symbol table, which some formats want to see integers.

    Raises:
        InputError: no such archive, compressed, in a format of which pieces are no items, damaged, or with an id twice.
    """
    file = File(path)
    chosen = by_beginning(file.head()) if format is None else by_name(format)
    if chosen is None or chosen.places is None:
        known = ", ".join(name for name in FORMATS if FORMATS[name].places)
        found = "this is text or unknown" if chosen is None else f"this is {chosen.name}"
        raise InputError(f"an index is of archives in one of these formats: {known}; {found}", path)
    if file.is_packed():
        raise InputError(PACKED, path)
    seen: set[str] = set()
    for place in chosen.places(file, ReadOptions(symbols)):
        if place.id in seen:
            raise InputError(f"id {place.id!r} comes twice, the second time at byte {place.offset}", path)
        seen.add(place.id)
        data = file.read(place.offset, place.offset + place.length)
        yield IndexedPlace(
            place.id, path, place.offset, place.length, checksum_of(data), chosen.name, place.settled or None
        )


def read_place(place: IndexedPlace, options: ReadOptions | None = None) -> Item:
    """One item.

    Raises:
        InputError: the archive is not there, shorter, or has other bytes there; or they are no item of its format.
    """
    if place.offset < 0 or place.length < 1:
        raise InputError(f"no item lies at offset {place.offset} with length {place.length}", place.path)
    if "\0" in place.path:
        raise InputError("a path has no null byte", place.path)
    limits().check("bytes", place.length, "an item takes", "bytes", place.path)
    data = _bytes(place)
    if len(data) != place.length:
        raise InputError(
            f"has changed: {len(data)} bytes are left at offset {place.offset}, and the item has {place.length}",
            place.path,
        )
    if place.checksum is not None and checksum_of(data) != place.checksum:
        raise InputError(
            f"has changed: the checksum of the item at offset {place.offset} differs", place.path
        )
    return item_of(data, place, options or ReadOptions())


def item_of(data: bytes, place: IndexedPlace, options: ReadOptions) -> Item:
    """The one item of some bytes. Raises InputError where they are none, or more than one."""
    source = Piece(place.path, data, byte=place.offset, is_last=True)
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


def _bytes(place: IndexedPlace) -> bytes:
    """The bytes of a file, or of what fsspec knows by a URL."""
    if "://" in place.path:
        from fstmetrics.support.remote_files import read_range

        return read_range(place.path, place.offset, place.length)
    with readable(place.path), open(place.path, "rb") as stream:
        if stream.read(2) == b"\x1f\x8b":
            raise InputError(PACKED, place.path)
        stream.seek(place.offset)
        return stream.read(place.length)
