"""Places in archives: `IndexedPlace`, and `bytes_at`, which reads what lies there and refuses what has changed."""

from __future__ import annotations

from dataclasses import dataclass
from io import BufferedReader

import numpy as np

from fstmetrics._native import xxh64
from fstmetrics.support.errors import InputError
from fstmetrics.support.file_bytes import Watched, readable
from fstmetrics.support.limits import limits

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


def checksum_of(data: bytes | memoryview) -> str:
    """As of `IndexedPlace`.

    >>> checksum_of(b"")
    'ef46db3751d8e999'
    """
    return f"{xxh64(np.frombuffer(data, dtype=np.uint8)):016x}"


def bytes_at(place: IndexedPlace) -> bytes:
    """The bytes of a place.

    Raises:
        InputError: the archive is not there, shorter, or has other bytes there.
    """
    if place.offset < 0 or place.length < 1:
        raise InputError(f"no item lies at offset {place.offset} with length {place.length}", place.path)
    limits().check("bytes", place.length, "an item takes", "bytes", place.path)
    data = part_of(place.path, place.offset, place.length)
    if len(data) != place.length:
        raise InputError(
            f"has changed: {len(data)} bytes are left at offset {place.offset}, and the item has {place.length}",
            place.path,
        )
    if place.checksum is not None and checksum_of(data) != place.checksum:
        raise InputError(
            f"has changed: the checksum of the item at offset {place.offset} differs", place.path
        )
    return data


def part_of(path: str, offset: int, length: int) -> bytes:
    """Some bytes of a file, or of what fsspec knows by a URL; fewer where it ends before. Raises InputError."""
    if "\0" in path:
        raise InputError("a path has no null byte", path)
    if "://" in path:
        from fstmetrics.support.remote_files import read_range

        return read_range(path, offset, length)
    with readable(path), BufferedReader(Watched(path)) as stream:
        if stream.read(2) == b"\x1f\x8b":
            raise InputError(PACKED, path)
        stream.seek(offset)
        return stream.read(length)
