"""`Window`: the part of a file that is in memory while an archive is read piece by piece."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

from fstmetrics.errors import InputError
from fstmetrics.readers.base import Source

# Bytes read at a time; more where an item is larger, so that the work grows no faster than the item.
BLOCK = 1 << 20


@dataclass(frozen=True)
class Piece(Source):
    """Some bytes from the middle of a file; errors name their place in the whole of it.

    Attributes:
        byte: where they begin, from 0.
        line: lines before them.
    """

    byte: int = 0
    line: int = 0

    def error(self, message: str, line: int | None = None, byte: int | None = None) -> InputError:
        """An error at a place in the piece."""
        return super().error(
            message, None if line is None else line + self.line, None if byte is None else byte + self.byte
        )


class Window:
    """Bytes of a file from a place that moves on.

    Attributes:
        path: the file, for messages.
        data: what is in memory.
        at: what of it has been used.
        byte: where in the file the data begin.
        ended: whether nothing follows in the file.
    """

    def __init__(self, path: str, stream: BinaryIO) -> None:
        self.path = path
        self.data = b""
        self.at = 0
        self.ended = False
        self.byte = 0
        self._stream = stream

    @property
    def left(self) -> int:
        """How many bytes in memory have not been used."""
        return len(self.data) - self.at

    def more(self) -> None:
        """Let go of what has been used, and read on: at least as much again as is left."""
        block = self._stream.read(max(BLOCK, self.left))
        self.byte += self.at
        self.data = self.data[self.at :] + block
        self.at = 0
        self.ended = not block

    def piece(self) -> Piece:
        """All that is in memory, by bytes."""
        return Piece(self.path, self.data, byte=self.byte)
