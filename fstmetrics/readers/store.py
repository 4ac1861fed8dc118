"""`Store`: a file's content, any piece of it, without all of it in memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from gzip import GzipFile
from io import BufferedIOBase, BytesIO
from typing import ClassVar
from weakref import finalize, ref

from fstmetrics.readers.base import Source
from fstmetrics.readers.unpacking import opened, readable

# Of gzip, the way to an earlier piece is from the beginning. After so many bytes of such ways all of it is kept.
PATIENCE = 1 << 26
# A folder may have more files than a process may have open.
MOST_OPEN = 16


class Store:
    """The content of a file, after gzip. The file stays open until others are read.

    Args:
        path: the file.
        content: all of it where it is here already, as of a pipe.

    Attributes:
        path: for messages.

    Methods raise an InputError if the file cannot be read, or is damaged gzip.
    """

    _recent: ClassVar[deque[ref[Store]]] = deque()

    def __init__(self, path: str, content: bytes | None = None) -> None:
        self.path = path
        self._stream: BufferedIOBase | None = None if content is None else BytesIO(content)
        self._files = ExitStack()
        self._detours = 0
        finalize(self, self._files.close)

    @contextmanager
    def opened(self) -> Iterator[BufferedIOBase]:
        """The content from its beginning, piece by piece."""
        with readable(self.path):
            stream = self._opened()
            stream.seek(0)
            yield stream

    def is_packed(self) -> bool:
        """Whether it is gzip, which has no way back."""
        return isinstance(self._opened(), GzipFile)

    def size(self) -> int:
        """How many bytes there are; gzip is kept from then on."""
        if self.is_packed():
            self._keep()
        return self._opened().seek(0, 2)

    def read(self, begin: int, end: int) -> bytes:
        """The bytes from one place to another, or to the end of the file."""
        with readable(self.path):
            if self.is_packed() and begin < self._opened().tell():
                self._detours += begin
                if self._detours > PATIENCE:
                    self._keep()
            stream = self._opened()
            stream.seek(begin)
            return stream.read(end - begin)

    def _opened(self) -> BufferedIOBase:
        if self._stream is None:
            self._stream = self._files.enter_context(opened(self.path))
            self._recent.append(ref(self))
            if len(self._recent) > MOST_OPEN and (oldest := self._recent.popleft()()) is not None:
                oldest._close()
        return self._stream

    def _keep(self) -> None:
        content = Source.open(self.path).data
        self._close()
        self._stream = BytesIO(content)

    def _close(self) -> None:
        if not isinstance(self._stream, BytesIO):
            self._stream = None
            self._files.close()
