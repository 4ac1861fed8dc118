"""The part of a file that is in memory while an archive is read piece by piece: `Window`.

A `Piece` is some of its bytes, whose errors name their place in the whole.

Places in archives: `IndexedPlace`, and `bytes_at`, which reads what lies there and refuses what has changed.
"""

from __future__ import annotations

import mmap
from dataclasses import dataclass
from io import BufferedIOBase, BufferedReader

import numpy as np

from fstmetrics._native import xxh64
from fstmetrics.support.errors import InputError
from fstmetrics.support.file_bytes import Watched, readable
from fstmetrics.support.limits import limits
from fstmetrics.support.source import Source

# Bytes read at a time; more where an item is larger, so that the work grows no faster than the item.
BLOCK = 1 << 20


@dataclass(frozen=True)
class Piece(Source):
    """Some bytes from the middle of a file."""

    is_whole: bool = False
    is_end: bool = False


class Window:
    """Bytes of a file from a place that moves on.

    Args:
        path: the file, for messages.
        stream: its content, from the beginning.

    Attributes:
        path: the file, for messages.
        data: what is in memory.
        at: what of it has been used.
        byte: where in the file the data begin.
        line: how many lines have been used; whoever uses them counts.
        ended: whether nothing follows in the file.
        last: the last byte that was read.
    """

    def __init__(self, path: str, stream: BufferedIOBase) -> None:
        self.path = path
        self.data = b""
        self.at = 0
        self.line = 0
        self.ended = False
        self.byte = 0
        self.last = b""
        self._stream = stream
        self._fault: InputError | None = None

    @property
    def left(self) -> int:
        """How many bytes in memory have not been used."""
        return len(self.data) - self.at

    def more(self) -> None:
        """Let go of what has been used, and read on: at least as much again as is left.

        Raises:
            InputError: the rest of the file cannot be read; or what is left is more than a file may have, as an item
                without an end must not fill the memory.
        """
        limits().check("bytes", self.left, "an item whose end is not found takes", "bytes or more", self.path)
        blocks: list[bytes] = []
        wanted = max(BLOCK, self.left)
        while wanted > 0 and (block := self._next(wanted)):
            blocks.append(block)
            wanted -= len(block)
        if self._fault and not blocks:
            place = f"byte {self.byte + self.at}" + (f" (line {self.line})" if self.line else "")
            raise InputError(f"{self._fault}; what follows {place} is lost")
        self.byte += self.at
        self.data = b"".join([memoryview(self.data)[self.at :], *blocks])
        self.at = 0
        self.ended = not blocks
        self.last = blocks[-1][-1:] if blocks else self.last

    def _next(self, most: int) -> bytes:
        """Some bytes; none where the file ends, or is damaged, which is told when nothing else is left."""
        if self._fault is None:
            try:
                with readable(self.path):
                    return self._stream.read1(most)
            except InputError as error:
                self._fault = error
        return b""

    def piece(self) -> Piece:
        """All that is in memory, by bytes."""
        return Piece(self.path, self.data, byte=self.byte)


def let_go(data: memoryview, end: int) -> None:
    """Let what a mapped file has before a byte leave memory; it comes back where somebody looks at it."""
    whole = end - end % mmap.PAGESIZE
    if whole and isinstance(data.obj, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        data.obj.madvise(mmap.MADV_DONTNEED, 0, whole)


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
