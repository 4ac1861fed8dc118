"""A file's bytes, unpacked piece by piece: a small gzip file cannot fill the memory."""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from fstmetrics.errors import InputError
from fstmetrics.limits import limits

GZIP_MAGIC = b"\x1f\x8b"
GZIP = 31  # zlib's windowBits for gzip with its header and checksum
PIECE = 1 << 20


def read_bytes(path: str | Path) -> tuple[bytes, bool]:
    """All of a file, or of standard input for "-", after gzip, and whether it is gzip.

    Raises:
        InputError: no such file, damaged gzip, or more bytes than the limit.
    """
    try:
        if str(path) == "-":
            data = _taken(sys.stdin.buffer, path)
        else:
            with Path(path).open("rb") as stream:
                _check(os.fstat(stream.fileno()).st_size, path)
                data = _taken(stream, path) if not Path(path).is_file() else stream.read()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path) from None
    packed = data.startswith(GZIP_MAGIC)
    return (gunzipped(data, path) if packed else data), packed


@contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """A file to be read piece by piece; gzip is recognised by its first bytes.

    Raises:
        InputError: no such file, or damaged gzip, also while it is read.
    """
    try:
        with Path(path).open("rb") as stream:
            if stream.peek(len(GZIP_MAGIC)).startswith(GZIP_MAGIC):
                with gzip.open(stream) as unpacked:
                    yield unpacked  # type: ignore[misc]
            else:
                yield stream
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"damaged gzip: {error}", path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path) from None


def _taken(stream: BinaryIO, path: object) -> bytes:
    """What a pipe or device holds, which may have no end."""
    pieces, size = [], 0
    while piece := stream.read(PIECE):
        pieces.append(piece)
        size += len(piece)
        _check(size, path)
    return b"".join(pieces)


def gunzipped(data: bytes, path: object = None) -> bytes:
    """The content of gzip, of one member or several; zeros may follow.

    Raises:
        InputError: damaged, cut off, or more bytes than the limit.
    """
    pieces, size = [], 0
    while data:
        unpacker = zlib.decompressobj(GZIP)
        try:
            piece = unpacker.decompress(data, limits().bytes - size + 1)
        except zlib.error as error:
            raise InputError(f"damaged gzip: {error}", path) from None
        pieces.append(piece)
        size += len(piece)
        _check(size, path)
        if not unpacker.eof:
            raise InputError("damaged gzip: it ends before its end is marked", path)
        data = unpacker.unused_data.lstrip(b"\0")
    return b"".join(pieces)


def _check(size: int, path: object) -> None:
    limits().check("bytes", size, "holds {} bytes or more", path)
