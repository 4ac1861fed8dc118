"""A file's bytes, unpacked piece by piece: a small gzip file cannot fill the memory."""

from __future__ import annotations

import gzip
import os
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase, BufferedReader, BytesIO
from pathlib import Path
from typing import cast

from fstmetrics.errors import InputError
from fstmetrics.limits import OPTION, limits

GZIP_MAGIC = b"\x1f\x8b"
GZIP = 31  # zlib's windowBits for gzip with its header and checksum
PIECE = 1 << 20
PACKED_PIECE = 1 << 16
# So many bytes may be packed however densely: no harm is in them.
HARMLESS = 1 << 27
ZEROS = re.compile(rb"\0*")
DAMAGE = (EOFError, zlib.error, gzip.BadGzipFile)  # what Python says of it


def read_bytes(path: str | Path) -> tuple[bytes, bool]:
    """All of a file, or of standard input for "-", after gzip, and whether it is gzip.

    Raises:
        InputError: no such file, damaged gzip, or more bytes than the limits allow.
    """
    with readable(path):
        if str(path) == "-":
            return read_stream(cast(BufferedIOBase, sys.stdin.buffer), path)
        with Path(path).open("rb") as stream:
            _check(os.fstat(stream.fileno()).st_size, path)
            if not Path(path).is_file():
                return read_stream(stream, path)
            return _unpacked(stream.read(), path)


def read_stream(stream: BufferedIOBase, path: object) -> tuple[bytes, bool]:
    """All that comes through a pipe or device, which may have no end; as of `read_bytes`."""
    pieces, size = [], 0
    while piece := stream.read(PIECE):
        pieces.append(piece)
        size += len(piece)
        _check(size, path)
    return _unpacked(b"".join(pieces), path)


def _unpacked(data: bytes, path: object) -> tuple[bytes, bool]:
    packed = data.startswith(GZIP_MAGIC)
    return (gunzipped(data, path) if packed else data), packed


@contextmanager
def opened(path: str | Path) -> Iterator[BufferedIOBase]:
    """A file to be read piece by piece; gzip is recognised by its first bytes.

    Raises:
        InputError: no such file, damaged gzip, or gzip packed too densely, also while it is read.
    """
    with readable(path), Path(path).open("rb") as stream, unpacked(stream, path) as content:
        yield content


@contextmanager
def readable(path: object) -> Iterator[None]:
    """Where a file is read: what goes wrong is an InputError that names it."""
    try:
        with within_memory(path):
            yield
    except DAMAGE as error:
        raise InputError(f"damaged gzip: {error}", path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path) from None
    except UnicodeEncodeError as error:
        said = f"cannot be read: names of files have no {error.object[error.start]!a} in {error.encoding}"
        raise InputError(
            f"{said}, which the locale asks for; with PYTHONUTF8=1 they are UTF-8", path
        ) from None


@contextmanager
def within_memory(path: object) -> Iterator[None]:
    """Where a file is read or parsed: if memory does not suffice, that is an InputError that names the file."""
    try:
        yield
    except MemoryError:
        raise InputError(
            f"does not fit into the memory that is left; {OPTION} bytes=N refuses such files at once",
            path,
        ) from None


@contextmanager
def unpacked(stream: BufferedReader, path: object) -> Iterator[BufferedIOBase]:
    """The content of a stream, which may be gzip; errors as of Python's own modules, and where it is too dense."""
    if stream.peek(len(GZIP_MAGIC)).startswith(GZIP_MAGIC):
        with _Unpacked(stream, path) as content:
            yield content
    else:
        yield stream


class _Unpacked(gzip.GzipFile):
    """The content of gzip. Its density is looked at as it is read."""

    def __init__(self, stream: BufferedReader, path: object) -> None:
        super().__init__(fileobj=stream, mode="rb")
        self._packed, self._path = stream, path

    def read(self, size: int | None = -1) -> bytes:
        return self._checked(super().read(size))

    def read1(self, size: int = -1) -> bytes:
        return self._checked(super().read1(size))

    def _checked(self, data: bytes) -> bytes:
        if (place := self.tell()) > HARMLESS:
            _check_density(place, self._packed_size(), self._path)
        return data

    def _packed_size(self) -> int:
        """Of a file all of it, of what comes through a pipe as much as has come."""
        try:
            return os.fstat(self._packed.fileno()).st_size
        except OSError:
            return self._packed.tell()


def gunzipped(data: bytes, path: object = None) -> bytes:
    """The content of gzip, of one member or several; zeros may follow.

    Raises:
        InputError: damaged, cut off, more bytes than the limit, or packed too densely.
    """
    content = BytesIO()
    at = 0
    try:
        while at < len(data):
            at += _unpack_member(memoryview(data)[at:], len(data), content, path)
            at = ZEROS.match(data, at).end()  # type: ignore[union-attr]
    except zlib.error as error:
        raise InputError(f"damaged gzip: {error}", path) from None
    return content.getvalue()


def _unpack_member(data: memoryview, packed: int, content: BytesIO, path: object) -> int:
    """Unpack the first member, and say how many bytes it takes. In pieces, so that what is too much is seen at once."""
    unpacker = zlib.decompressobj(GZIP)
    for at in range(0, len(data), PACKED_PIECE):
        left: memoryview | bytes = data[at : at + PACKED_PIECE]
        while left:
            most = min(PIECE, limits().bytes - content.tell() + 1)
            size = content.tell() + len(piece := unpacker.decompress(left, most))
            _check(size, path)
            _check_density(size, packed, path)
            content.write(piece)
            if unpacker.eof:
                return min(at + PACKED_PIECE, len(data)) - len(unpacker.unused_data)
            left = unpacker.unconsumed_tail
    raise InputError("damaged gzip: it ends before its end is marked", path)


def _check(size: int, path: object) -> None:
    limits().check("bytes", size, "holds", "bytes or more", path)


def _check_density(size: int, packed: int, path: object) -> None:
    """Whether gzip becomes much larger than real data do."""
    most = limits().ratio
    if size > HARMLESS and size > most * packed:
        raise limits().error(
            "ratio", f"gzip of {packed} bytes unpacks to more than {most} times as many", path
        )
