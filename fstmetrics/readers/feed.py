"""Where bytes come from: `Feed`, a file that is read as often as one likes, and `Pipe`, which comes only once.

A pipe keeps what has been read of it, so that it can be read again from the beginning; before the last time, it is told
so, and lets go of what it gives.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from io import BufferedIOBase, BufferedReader, RawIOBase
from typing import cast

from fstmetrics.errors import InputError
from fstmetrics.limits import limits
from fstmetrics.readers.base import HEAD, Source
from fstmetrics.readers.unpacking import DAMAGE, opened, read_stream, readable, unpacked


class Feed:
    """The content of a file, after gzip.

    Args:
        path: the file.

    Attributes:
        path: the same, for messages.
    """

    def __init__(self, path: str) -> None:
        self.path = path

    def opened(self) -> AbstractContextManager[BufferedIOBase]:
        """The content from its beginning, piece by piece; errors as of `unpacking.opened`."""
        return opened(self.path)

    def peeked(self) -> AbstractContextManager[BufferedIOBase]:
        """The same where it is certain that the content will be read again."""
        return self.opened()

    def head(self) -> Source:
        """The first bytes, `HEAD` of them, or those before some damage."""
        data = b""
        with self.peeked() as stream:
            try:
                while len(data) < HEAD and (block := stream.read1(HEAD - len(data))):
                    data += block
            except DAMAGE:
                if not data:
                    raise
        return Source(self.path, data)


class Pipe(Feed):
    """What comes through a pipe, a device, or standard input ("-").

    Attributes:
        is_last: whether the next time that it is opened is the last time, so that nothing is kept.
    """

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.is_last = False
        self.kept = bytearray()
        self.lost = 0  # bytes that were given and not kept
        with readable(path):
            stream = sys.stdin.buffer if path == "-" else open(path, "rb")  # noqa: SIM115
            self.raw = cast(BufferedReader, stream)

    def opened(self) -> AbstractContextManager[BufferedIOBase]:
        """As of `Feed`; where this is the last time, what is read is let go."""
        return self._opened(not self.is_last)

    def peeked(self) -> AbstractContextManager[BufferedIOBase]:
        """As of `Feed`; what is read is kept."""
        return self._opened(True)

    def rest(self) -> Source:
        """All of it, read at once; errors as of `Source.open`."""
        with readable(self.path):
            return Source(self.path, *read_stream(self._again(False), self.path))

    @contextmanager
    def _opened(self, kept: bool) -> Iterator[BufferedIOBase]:
        with readable(self.path), self._again(kept) as stream, unpacked(stream, self.path) as content:
            yield content

    def _again(self, kept: bool) -> BufferedReader:
        if self.lost:
            raise InputError("comes through a pipe and can be read only once", self.path)
        return BufferedReader(_Again(self, kept), 1 << 16)

    def take(self, size: int, at: int, kept: bool) -> bytes:
        """Some bytes from a place; no more than have come."""
        if at < len(self.kept):
            return bytes(self.kept[at : at + size])
        data = self.raw.read1(size)
        if kept:
            self.kept += data
            limits().check("bytes", len(self.kept), "holds", "bytes or more", self.path)
        else:
            self.lost += len(data)
        return data


class _Again(RawIOBase):
    """A pipe from its beginning."""

    def __init__(self, pipe: Pipe, kept: bool) -> None:
        self._pipe = pipe
        self._kept = kept
        self._at = 0

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._pipe.take(len(buffer), self._at, self._kept)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)
