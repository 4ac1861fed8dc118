"""gzip: the content of some bytes (`gunzipped`), or of a stream, piece by piece (`Gunzipped`).

It is read by python-isal's module where that is installed, in a third of the time that Python's own takes. What that
finds wrong is read once more by Python's module, and what this says counts: files are read, refused and described
alike with python-isal and without.
"""

from __future__ import annotations

import gzip
import os
import re
import zlib
from contextlib import suppress
from functools import cache
from io import BufferedIOBase, BufferedReader, BytesIO

from fstmetrics.support.errors import InputError
from fstmetrics.support.limits import check_size, limits

GZIP_MAGIC = b"\x1f\x8b"
PIECE = 1 << 20
# So many bytes may be packed however densely: no harm is in them.
HARMLESS = 1 << 27
DAMAGE = (EOFError, zlib.error, gzip.BadGzipFile)  # what Python says of it
# What gzip begins with: magic number, method, flags that are in use.
MEMBER = re.compile(rb"\x1f\x8b\x08[\x00-\x1f]")


@cache
def quick_reader() -> tuple[type[gzip.GzipFile], type[Exception]]:
    """The class of python-isal, and what it raises beside `DAMAGE`; Python's own where that is not installed."""
    with suppress(ImportError):
        from isal import igzip, isal_zlib

        return igzip.IGzipFile, isal_zlib.error  # type: ignore[return-value]
    return gzip.GzipFile, zlib.error


def gunzipped(data: bytes, path: object = None) -> bytes:
    """The content of gzip, of one member or several; zeros may follow.

    Raises:
        InputError: damaged, cut off, more bytes than the limit, or packed too densely.
    """
    enough = limits().bytes + 1
    try:
        with Gunzipped(BufferedReader(BytesIO(data)), path) as content:
            found = content.read(enough)
    except DAMAGE as error:
        raise InputError(f"damaged gzip: {error}", path) from None
    check_size(len(found), path)
    return found


class Gunzipped(BufferedIOBase):
    """The content of a stream of gzip, of which the density is looked at as it is read.

    Args:
        stream: the packed bytes, from the beginning.
        path: the file, for messages.

    Methods raise what Python's gzip module raises, and an InputError where gzip becomes much larger than real data.
    """

    def __init__(self, stream: BufferedReader, path: object) -> None:
        self._packed, self._path = stream, path
        # What cannot be read once more is read by Python's module at once.
        kind, self._error = quick_reader()
        self._content = (kind if stream.seekable() else gzip.GzipFile)(fileobj=stream, mode="rb")

    def close(self) -> None:
        """The packed stream stays open."""
        self._content.close()
        super().close()

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """Whether there is a way back, which is from the beginning."""
        return self._packed.seekable()

    def tell(self) -> int:
        """How many bytes of content have been read."""
        return self._content.tell()

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place in the content, or to its end."""
        if whence == 0 and offset < self.tell():
            self._content.seek(0)
        while (whence == 2 or self.tell() < offset) and self.read1(
            PIECE if whence == 2 else min(PIECE, offset - self.tell())
        ):
            pass
        return self.tell()

    def read(self, size: int | None = -1) -> bytes:
        """So many bytes, or as many as there are."""
        wanted = limits().bytes + 1 if size is None or size < 0 else size
        pieces: list[bytes] = []
        while wanted > 0 and (piece := self.read1(wanted)):
            pieces.append(piece)
            wanted -= len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def read1(self, size: int = -1) -> bytes:
        """Some bytes, no more than `size`."""
        begin = self._content.tell()
        most = min(size, PIECE) if size >= 0 else PIECE
        try:
            piece = self._content.read1(most)
        except (*DAMAGE, self._error):
            if type(self._content) is gzip.GzipFile:
                raise
            self._packed.seek(0)
            self._content = gzip.GzipFile(fileobj=self._packed, mode="rb")
            self._content.seek(begin)
            piece = self._content.read1(most)
        if begin + len(piece) > HARMLESS:
            _check_density(begin + len(piece), self._packed_size(), self._path)
        return piece

    def _packed_size(self) -> int:
        """Of a file all of it, of what comes through a pipe as much as has come."""
        try:
            return os.fstat(self._packed.fileno()).st_size
        except OSError:
            return self._packed.tell()


def _check_density(size: int, packed: int, path: object) -> None:
    """Refuse gzip that becomes much larger than real data do; InputError."""
    most = limits().ratio
    if size > HARMLESS and size > most * packed:
        raise limits().error(
            "ratio", f"gzip of {packed} bytes unpacks to more than {most} times as many", path
        )
