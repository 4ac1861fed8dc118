"""The part of a file that is in memory while an archive is read piece by piece: `Window`.

A `Piece` is some of its bytes, whose errors name their place in the whole.
"""

from __future__ import annotations

import mmap
from dataclasses import dataclass
from io import BufferedIOBase

from fstmetrics.support.errors import InputError
from fstmetrics.support.file_bytes import readable
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
