"""What is printed, and progress.

Lines for people: `show` prints on standard output, `tell` and `say` on standard error; `console` prints coloured rows;
`width` is the width of the terminal. Control characters in them are escaped (`guarded`, `support.printable`), also
where output goes to a file. Data for other programs is printed as it is: `show_json`, or `output.whole_file("-")`.

Progress is shown on standard error, and only if that is a terminal: `bar` over items of a known number, `ticks` over
items of an unknown number, `spinner` around one long step, `counter` and `stages` for work that tells how much is done.
"""

from __future__ import annotations

import codecs
import io
import shutil
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from fstmetrics.support.json_text import written_json
from fstmetrics.support.output import whole_file
from fstmetrics.support.plugins import PluginWarning
from fstmetrics.support.printable import brief, printable, printable_lines

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress


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
    """No character is too strange to print, and a terminal obeys none, while a `with` block runs.

    What other packages add and cannot be used is told in a line.
    """
    before = sys.stdout, sys.stderr
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
            if stream.isatty():
                setattr(sys, name, _guarded(stream))
    try:
        with warnings.catch_warnings():
            warnings.showwarning = partial(_show_warning, warnings.showwarning)
            yield
    finally:
        for guard in (sys.stdout, sys.stderr):
            if isinstance(getattr(guard, "buffer", None), Guard):
                guard.flush()
        sys.stdout, sys.stderr = before


def _show_warning(others: Callable[..., None], message: Warning | str, *place: Any, **further: Any) -> None:
    """A line on plug-ins; other warnings as Python shows them."""
    if isinstance(message, PluginWarning):
        say(str(message))
    else:
        others(message, *place, **further)


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


def show(*lines: str) -> None:
    """Lines on standard output."""
    for line in lines:
        click.echo(printable(line))  # noqa: TID251


def show_json(value: dict[str, Any]) -> None:
    """An object on standard output, as a line: data for programs."""
    with whole_file("-") as stream:
        stream.write(written_json(value) + "\n")


def tell(*lines: str) -> None:
    """Lines on standard error."""
    for line in lines:
        click.echo(printable(line), err=True)  # noqa: TID251


def say(message: str) -> None:
    """A line on standard error that begins with the program's name, cut where it quotes much."""
    tell(f"fstmetrics: {brief(printable(message))}")


Kind = TypeVar("Kind")


def bar(items: Iterable[Kind], total: int, title: str) -> Iterator[Kind]:
    """Pass items on, with a bar that vanishes at the end."""
    if not sys.stderr.isatty() or total < 2:
        yield from items
        return
    with _progress() as shown:
        yield from shown.track(items, total, description=title)


def ticks(items: Iterable[Kind], title: str, printing: bool = False) -> Iterator[Kind]:
    """Pass items on, of which nobody knows how many there are; a line that counts them vanishes at the end.

    Args:
        items: what to count.
        title: what is done with them.
        printing: whether standard output is written to meanwhile; on a terminal that is progress enough.
    """
    if not _is_shown(printing):
        yield from items
        return
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description} {task.completed} items"), TimeElapsedColumn())
    with _progress(*columns) as shown:
        task = shown.add_task(title, total=None)
        for item in items:
            yield item
            shown.advance(task)


def spinner(title: str) -> AbstractContextManager[Any]:
    """A spinner that vanishes at the end."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.text import Text

    return console(stderr=True).status(Text(printable(title)))


@contextmanager
def stages(printing: bool = False) -> Iterator[Callable[[str, int, int | None], None]]:
    """A function to be told what is being done and how far it is: done of all, None where nobody knows of how many.

    Args:
        printing: as of `ticks`.
    """
    if not _is_shown(printing):
        yield lambda what, done, of: None
        return
    from rich.markup import escape

    with _progress() as shown:
        task = shown.add_task("", total=None)
        yield lambda what, done, of: shown.update(
            task, description=escape(printable(what)), completed=done, total=of
        )


@contextmanager
def counter(title: str, total: int | None, printing: bool = False) -> Iterator[Callable[[int], None]]:
    """A function to be told how many more items are done; `printing` as of `ticks`."""
    done = 0
    with stages(printing) as show:

        def count(more: int) -> None:
            nonlocal done
            done += more
            show(title, done, total)

        yield count


def _is_shown(printing: bool) -> bool:
    return sys.stderr.isatty() and not (printing and sys.stdout.isatty())


def _progress(*columns: Any) -> Progress:
    from rich.progress import Progress

    return Progress(*columns, console=console(stderr=True), transient=True, redirect_stdout=False)
