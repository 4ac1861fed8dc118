"""The terminal: `guarded` streams to it; how wide it is: `width`; coloured rows: `console`."""

from __future__ import annotations

import codecs
import io
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from fstmetrics.reports.printable import printable_lines

if TYPE_CHECKING:
    from rich.console import Console


class Guard(io.BufferedIOBase):
    """Bytes on their way to a terminal: control characters in them are escaped, except for line ends and tabs.

    Attributes:
        stream: the terminal's own stream.
        text: the stream of text before this one, whose encoding the bytes have.
    """

    text: io.TextIOWrapper
    name = "<terminal>"

    def __init__(self, stream: io.TextIOWrapper) -> None:
        self.stream = stream
        self._decoder: codecs.IncrementalDecoder | None = None
        self._encoding = ""

    def write(self, data: Any) -> int:
        """Write them; a character of several bytes may come in parts."""
        if self._decoder is None or self._encoding != self.text.encoding:
            self._encoding = self.text.encoding
            self._decoder = codecs.getincrementaldecoder(self._encoding)("backslashreplace")
        shown = printable_lines(self._decoder.decode(bytes(data)))
        self.stream.buffer.write(shown.encode(self._encoding, "backslashreplace"))
        return len(data)

    def flush(self) -> None:
        """Flush the terminal."""
        self.stream.flush()

    def writable(self) -> bool:
        """It is."""
        return True

    def isatty(self) -> bool:
        """It is one."""
        return True

    def fileno(self) -> int:
        """The terminal's."""
        return self.stream.fileno()


@contextmanager
def guarded() -> Iterator[None]:
    """No character is too strange to print, and a terminal obeys none, while a `with` block runs."""
    before = sys.stdout, sys.stderr
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
            if stream.isatty():
                setattr(sys, name, _guarded(stream))
    try:
        yield
    finally:
        for guard in (sys.stdout, sys.stderr):
            if isinstance(getattr(guard, "buffer", None), Guard):
                guard.flush()
        sys.stdout, sys.stderr = before


def _guarded(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    guard = Guard(stream)
    guard.text = io.TextIOWrapper(
        guard, stream.encoding, "backslashreplace", newline="", line_buffering=True, write_through=True
    )
    return guard.text


def own(stream: Any) -> IO[str]:
    """A terminal's own stream, for what colours it and escapes what it shows; of other streams themselves."""
    guard = getattr(stream, "buffer", None)
    return guard.stream if isinstance(guard, Guard) else stream


def width() -> int | None:
    """Columns of the terminal that output goes to; None where it goes elsewhere, and lines may be of any length."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def console(stderr: bool = False) -> Console:
    """What prints alignments on standard output, or progress on standard error: in colour on a terminal, as plain text
    elsewhere, with control characters escaped."""
    from rich.console import Console
    from rich.segment import Segment

    class Output(Console):
        def on_broken_pipe(self) -> None:
            """Leave a reader that has gone to `main`, as everywhere else."""
            raise BrokenPipeError

        def render(self, *given: Any, **options: Any) -> Iterator[Segment]:
            """The same segments, with nothing in them that a terminal would obey but the console's own."""
            for segment in super().render(*given, **options):
                yield segment if segment.control else Segment(printable_lines(segment.text), segment.style)

    file = own(sys.stderr if stderr else sys.stdout)
    return Output(file=file, stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)
