"""`Window`: the part of a file that is in memory while an archive is read piece by piece."""

from __future__ import annotations

from dataclasses import dataclass
from io import BufferedIOBase

from fstmetrics.errors import InputError
from fstmetrics.limits import limits
from fstmetrics.readers.base import Source
from fstmetrics.readers.unpacking import readable

# Bytes read at a time; more where an item is larger, so that the work grows no faster than the item.
BLOCK = 1 << 20


@dataclass(frozen=True)
class Piece(Source):
    """Some bytes from the middle of a file; errors name their place in the whole of it.

    Attributes:
        byte: where they begin, from 0.
        line: lines before them.
        is_last: whether the file ends with them.
    """

    byte: int = 0
    line: int = 0
    is_last: bool = False

    @property
    def is_whole(self) -> bool:
        """It is not."""
        return False

    @property
    def is_end(self) -> bool:
        """Whether nothing follows in the file."""
        return self.is_last

    @property
    def origin(self) -> int:
        """Where the piece begins."""
        return self.byte

    @property
    def mark(self) -> bytes:
        """What may stand before the content: a byte order mark, but only where the file begins."""
        return b"" if self.byte else super().mark

    def error(self, message: str, line: int | None = None, byte: int | None = None) -> InputError:
        """An error at a place in the piece."""
        return super().error(
            message, None if line is None else line + self.line, None if byte is None else byte + self.byte
        )


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
        self.data = self.data[self.at :] + b"".join(blocks)
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
