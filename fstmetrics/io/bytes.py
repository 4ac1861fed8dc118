"""Where bytes come from: `File`, of which any piece can be had; a `Pipe` is one that comes only once.

`Window` is the part of a file that is in memory while an archive is read piece by piece, `Piece` some of its bytes,
whose errors name their place in the whole.
"""

from __future__ import annotations

import mmap
import os
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from io import BufferedIOBase, BufferedReader, BytesIO, RawIOBase
from typing import ClassVar, TypeVar, cast
from weakref import finalize, ref

from fstmetrics.support.errors import InputError
from fstmetrics.support.file_bytes import (
    DAMAGE,
    FileState,
    Gunzipped,
    Watched,
    has_changed,
    read_bytes,
    read_stream,
    readable,
    standard_input,
    state_of,
    unpacked,
)
from fstmetrics.support.limits import limits
from fstmetrics.support.source import HEAD, Source, keep_text, open_text

Read = TypeVar("Read")
# Of gzip, the way to an earlier piece is from the beginning. After so many bytes of such ways all of it is kept.
PATIENCE = 1 << 26
# Bytes that are read at a time.
BUFFER = 1 << 16
# A folder may have more files than a process may have open.
MOST_OPEN = 16


@dataclass(eq=False)
class File:
    """The content of a file, after gzip: from its beginning, or any piece of it, as often as one likes.

    Attributes:
        path: the file.
        is_short: whether its head is known to be all of it.
        id: that of its one item, where its content has told it.

    Methods raise an InputError if the file cannot be read, or is damaged gzip.
    """

    # Those of which pieces were read last stay open.
    _recent: ClassVar[deque[ref[File]]] = deque()

    path: str
    is_short: bool = field(default=False, init=False)
    id: str | None = field(default=None, init=False, repr=False)
    _pieces: BufferedIOBase | None = field(default=None, init=False, repr=False)
    # A folder may have a million files, of which few are open.
    _files: ExitStack | None = field(default=None, init=False, repr=False)
    _detours: int = field(default=0, init=False, repr=False)
    # When it was opened first.
    _state: FileState | None = field(default=None, init=False, repr=False)

    @contextmanager
    def opened(self, again: bool = False) -> Iterator[BufferedIOBase]:
        """The content from its beginning, piece by piece; a file that has changed since the first time is refused.

        Args:
            again: whether it is certain that the content will be read once more.
        """
        with readable(self.path):
            if "://" in self.path:
                from fstmetrics.support.remote_files import opened_remote

                stream = opened_remote(self.path)
            else:
                watched = Watched(self.path, self._state)
                self._state, stream = watched.state, BufferedReader(watched, BUFFER)
            with stream, unpacked(stream, self.path) as content:
                yield content

    def unchanged(self, found: Iterator[Read]) -> Iterator[Read]:
        """What was read of the file where it is mapped, as long as that has not changed."""
        for each in found:
            if self._state is not None and state_of(self.path) != self._state:
                raise has_changed(self.path)
            yield each

    def head(self) -> Source:
        """The first bytes, `HEAD` of them, or those before some damage."""
        data = b""
        with self.opened(again=True) as stream:
            try:
                while len(data) < HEAD and (block := stream.read1(HEAD - len(data))):
                    data += block
                self.is_short = len(data) < HEAD
            except DAMAGE:
                if not data:
                    raise
        return Source(self.path, data)

    def source(self) -> Source:
        """All of it."""
        return Source(self.path, read_bytes(self.path))

    def placed(self) -> Source:
        """The same; a large file that is not compressed stays where it is."""
        return open_text(self.path)

    def is_packed(self) -> bool:
        """Whether it is gzip, which has no way back."""
        return isinstance(self._opened_for_pieces(), Gunzipped)

    def mapped(self) -> memoryview:
        """All of it, as the system maps it into memory; what is no plain file is read."""
        with readable(self.path):
            if not os.path.isfile(self.path) or self.is_packed() or not os.path.getsize(self.path):
                return memoryview(self.source().data)
            with Watched(self.path, self._state) as stream:
                return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))

    def size(self) -> int:
        """How many bytes there are; gzip is kept from then on."""
        if self.is_packed():
            self._keep()
        return self._opened_for_pieces().seek(0, 2)

    def read(self, begin: int, end: int) -> bytes:
        """The bytes from one place to another, or to the end of the file."""
        with readable(self.path):
            if self.is_packed() and begin < self._opened_for_pieces().tell():
                self._detours += begin
                if self._detours > PATIENCE:
                    self._keep()
            stream = self._opened_for_pieces()
            stream.seek(begin)
            return stream.read(end - begin)

    def _opened_for_pieces(self) -> BufferedIOBase:
        if self._pieces is None:
            if self._files is None:
                self._files = ExitStack()
                finalize(self, self._files.close)
            self._pieces = self._files.enter_context(self.opened())
            self._recent.append(ref(self))
            if len(self._recent) > MOST_OPEN and (oldest := self._recent.popleft()()) is not None:
                oldest._close()
        return self._pieces

    def _keep(self) -> None:
        content = self.source().data
        self._close()
        self._pieces = BytesIO(content)

    def _close(self) -> None:
        if not isinstance(self._pieces, BytesIO):
            self._pieces = None
            if self._files is not None:
                self._files.close()


class Held(File):
    """A file whose bytes are here.

    Args:
        source: the file.
    """

    def __init__(self, source: Source) -> None:
        super().__init__(source.path)
        self._source = source

    @contextmanager
    def opened(self, again: bool = False) -> Iterator[BufferedIOBase]:
        """The content from its beginning."""
        yield BytesIO(self._source.data)

    def source(self) -> Source:
        """All of it."""
        return self._source

    placed = source


class Pipe(File):
    """What comes through a pipe, a device, or standard input ("-"), and comes only once.

    What has been read is kept, so that it can be read again from the beginning; before the last time, the pipe is told
    so, and lets go of what it gives. Where pieces are wanted, all of it is kept, unpacked.

    Attributes:
        is_last: whether the next time that it is opened is the last time, so that nothing is kept.
    """

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.is_last = False
        self._kept = bytearray()
        self._lost = 0  # bytes that were given and not kept
        self._all: Source | None = None
        with readable(path):
            stream = standard_input() if path == "-" else open(path, "rb")  # noqa: SIM115
            self._raw = cast(BufferedReader, stream)

    @contextmanager
    def opened(self, again: bool = False) -> Iterator[BufferedIOBase]:
        """As of `File`; where this is the last time, what is read is let go."""
        if self._all is not None:
            yield BytesIO(self._all.data)
            return
        kept = again or not self.is_last
        with readable(self.path), self._again(kept) as stream, unpacked(stream, self.path) as content:
            yield content

    def source(self) -> Source:
        """All of it, which is kept from then on."""
        if self._all is None:
            with readable(self.path):
                self._all = Source(self.path, read_stream(self._again(False), self.path))
            self._kept.clear()
        return self._all

    def placed(self) -> Source:
        """All of it, which is kept from then on; what is large in a temporary file."""
        if self._all is None:
            with readable(self.path):
                self._all = keep_text(self._again(False), self.path)
            self._kept.clear()
        return self._all

    def _opened_for_pieces(self) -> BufferedIOBase:
        if self._pieces is None:
            self._pieces = BytesIO(self.source().data)
        return self._pieces

    def _again(self, kept: bool) -> BufferedReader:
        if self._lost:
            raise InputError("comes through a pipe and can be read only once", self.path)
        return BufferedReader(_Again(self, kept), BUFFER)

    def take(self, size: int, at: int, kept: bool) -> bytes:
        """Some bytes from a place; no more than have come."""
        if at < len(self._kept):
            return bytes(self._kept[at : at + size])
        data = self._raw.read1(size)
        if kept:
            self._kept += data
            limits().check("bytes", len(self._kept), "holds", "bytes or more", self.path)
        else:
            self._lost += len(data)
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
