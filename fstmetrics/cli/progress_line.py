"""A line on a terminal that says how far a run is: it is written over again and again, and vanishes at the end."""

from __future__ import annotations

import shutil
import time
from typing import IO

from fstmetrics.support.printable import cells_of, printable

# Seconds between two states of the line: a terminal takes longer to show one than a short item takes.
BETWEEN = 0.1
BAR_WIDTH = 30
# Back to the first column; from there to the end of the line, nothing.
BACK, CLEAR = "\r", "\x1b[K"
SECONDS_IN_MINUTE = 60


class ProgressLine:
    """The line. What else goes to the terminal is written after `clear`.

    Args:
        stream: the terminal.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._began = time.monotonic()
        self._next = 0.0
        self._is_there = False
        encoding = getattr(stream, "encoding", None) or "ascii"
        self._marks = "━╌" if _has(encoding, "━╌") else "#-"

    def show(self, title: str, done: int | None = None, of: int | None = None) -> None:
        """How far something is: `done` items, `of` so many, None where nobody knows. Now and then it is written."""
        now = time.monotonic()
        if now < self._next and done != of:
            return
        self._next = now + BETWEEN
        width = shutil.get_terminal_size().columns - 1
        self._write(BACK + _cut(self._text(printable(title), done, of, now - self._began), width) + CLEAR)
        self._is_there = True

    def clear(self) -> None:
        """Take the line away; the next `show` writes it again."""
        if self._is_there:
            self._write(BACK + CLEAR)
            self._is_there, self._next = False, 0.0

    def _text(self, title: str, done: int | None, of: int | None, seconds: float) -> str:
        took = f"{int(seconds) // SECONDS_IN_MINUTE}:{int(seconds) % SECONDS_IN_MINUTE:02}"
        if done is None:
            return f"{title} ..."
        if not of:
            return f"{title} {done} items {took}"
        full = BAR_WIDTH * min(done, of) // of
        bar = self._marks[0] * full + self._marks[1] * (BAR_WIDTH - full)
        return f"{title} {bar} {100 * min(done, of) // of}% {took}"

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def _has(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True


def _cut(text: str, columns: int) -> str:
    """The beginning that fits; a line that the terminal folds cannot be written over."""
    while cells_of(text) > columns:
        text = text[:-1]
    return text
