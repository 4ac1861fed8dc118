"""What is printed, and progress.

Lines for people: `show` prints on standard output, `tell` and `say` on standard error; `Console` prints coloured rows;
`width` is the width of the terminal. Control characters in them are escaped (`guarded`, `support.printable`), also
where output goes to a file. Data for other programs is printed as it is: `show_json`, or `output.whole_file("-")`.
A report of tables is printed in the form that is asked for: `show_report`.

Progress is shown on standard error, and only if that is a terminal: `counter` for work that tells how much is done,
`stages` for all else. What layers below are doing is heard through `support.progress`. It is a line that is written
over again and again, and vanishes at the end: `ProgressLine`.
"""

from __future__ import annotations

import codecs
import io
import os
import shutil
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import IO, TYPE_CHECKING, Any, Literal, cast

import click

from fstmetrics.support.json_text import json_pieces
from fstmetrics.support.output import whole_file
from fstmetrics.support.plugins import PluginWarning
from fstmetrics.support.printable import BoldLine, brief, cells_of, in_percent, printable, printable_lines

if TYPE_CHECKING:
    from fstmetrics.reports.summary import Part
    from fstmetrics.reports.table_forms import Form
    from fstmetrics.scoring.score import Score, Scores
    from fstmetrics.support.styled import Styled

# The option that every command has for all remarks.
VERBOSE = "--verbose"
# Names of files that are shown.
MOST_NAMES = 8


class Guard(io.BufferedIOBase):
    """Bytes on their way to a terminal: control characters in them are escaped, except for line ends and tabs.

    Attributes:
        stream: the terminal's own stream.
        text: the stream of text before this one, whose encoding the bytes have.
    """

    name = "<terminal>"

    def __init__(self, stream: io.TextIOWrapper) -> None:
        self.stream = stream
        self.text = io.TextIOWrapper(
            self, stream.encoding, "backslashreplace", newline="", line_buffering=True, write_through=True
        )
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
                setattr(sys, name, Guard(stream).text)
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


def own(stream: Any) -> IO[str]:
    """A terminal's own stream, for what colours it and escapes what it shows; of other streams themselves."""
    guard = getattr(stream, "buffer", None)
    return guard.stream if isinstance(guard, Guard) else stream


def width() -> int | None:
    """Columns of the terminal that output goes to; None where it goes elsewhere, and lines may be of any length."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


class Console:
    """What prints alignments: in colour on a terminal, as plain text elsewhere, with control characters escaped.

    Attributes:
        width: columns of the terminal; 100 elsewhere.
    """

    def __init__(self) -> None:
        self._stream = own(sys.stdout)
        is_terminal = self._stream.isatty()
        self.width = shutil.get_terminal_size().columns if is_terminal else 100
        self._is_coloured = (
            is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        )

    def print(self, text: str | Styled = "", style: str | None = None) -> None:
        """A text, a line end behind it."""
        from fstmetrics.support.styled import Styled  # as of progress, most runs need none

        styled = text if isinstance(text, Styled) else Styled(text, style)
        safe = styled.mapped(printable_lines)
        _out_of_the_way()
        shown = safe.coloured if self._is_coloured else safe.plain
        click.echo(shown, file=self._stream, color=self._is_coloured)  # noqa: TID251


def show(*lines: str) -> None:
    """Lines on standard output."""
    _out_of_the_way()
    for line in lines:
        if isinstance(line, BoldLine) and own(sys.stdout).isatty():
            Console().print(line.styled())
        else:
            click.echo(printable(line))  # noqa: TID251


def show_json(value: dict[str, Any]) -> None:
    """An object on standard output, as a line: data for programs. What is an iterator in it is a list."""
    with whole_file("-") as stream:
        stream.writelines(json_pieces(value))
        stream.write("\n")


def show_formed(lines: Iterable[str], form: Form) -> None:
    """Tables in a form on standard output; those of columns are data for programs, in which tabs stay tabs."""
    from fstmetrics.reports.table_forms import is_pasted

    if is_pasted(form):
        show(*lines)
    else:
        with whole_file("-") as stream:
            stream.writelines(f"{line}\n" for line in lines)


def show_report(
    parts: Iterable[Part],
    summary: Callable[[], dict[str, Any]],
    form: Form | Literal["json"] | None,
    width: int | None = None,
    beside: str | None = None,
) -> None:
    """A report in a form, None is text: on standard output, or on standard error where that has data.

    Args:
        parts: what it is made of.
        summary: makes its JSON object.
        form: as of the options `FORMS_PRINTED`.
        width: to which tables of text are folded.
        beside: where the command writes data; "-" is standard output.
    """
    if form == "json":
        show_json(summary())
    elif form is None:
        from fstmetrics.reports.summary import text_lines

        (tell if beside == "-" else show)(*text_lines(parts, width))
    else:
        from fstmetrics.reports.table_forms import formed_lines, summary_rows

        show_formed(formed_lines(parts, lambda: summary_rows(summary()), form), form)


def show_score(
    score: Score | Scores, options: dict[str, Any], form: Form | None = None, percent: bool = False
) -> int:
    """What `score`, `oracle` and `hyter` print, as their options ask, in a form; the exit status."""
    if percent:
        click.get_current_context().with_resource(in_percent())
    from fstmetrics.reports.summary import score_parts, text_lines  # of all that only some commands need

    if score.shown.part:
        show(score.shown.part)
    elif options["as_json"]:
        show_json(score.summary())
    elif form is not None:
        from fstmetrics.reports.formed_scores import formed_lines

        show_formed(formed_lines(score, form), form)
    elif options["output"] != "-":
        if score.shown.items:
            from fstmetrics.reports.item_texts import item_texts

            console = Console()
            for item in item_texts(cast("Score", score), options["alignment"], console.width):
                console.print(item)  # there are none of several metrics
        show(*text_lines(score_parts(score)))
        if score.breakdowns:
            from fstmetrics.reports.field_tables import field_lines

            show(*field_lines(score.breakdowns, width()))
        if score.times:
            from fstmetrics.reports.time_tables import time_lines

            show(*time_lines(score.times))
    for text in (score.reports or {}).values() if options["output"] is None else ():
        show("", *text.rstrip("\n").split("\n"))
    files = score.shown.files
    if files and not (options["as_json"] or form):
        show(f"reports: {', '.join(files[:MOST_NAMES])}{', ...' if len(files) > MOST_NAMES else ''}")
    return score.status


def tell(*lines: str) -> None:
    """Lines on standard error."""
    _out_of_the_way()
    for line in lines:
        click.echo(printable(line), err=True)  # noqa: TID251


def say(*messages: str) -> None:
    """Lines on standard error that begin with the program's name, cut where they quote much."""
    tell(*(f"fstmetrics: {brief(printable(message))}" for message in messages))


# Those that are shown; what else is printed comes before them.
_shown: list[ProgressLine] = []


def _out_of_the_way() -> None:
    for line in _shown:
        line.clear()


@contextmanager
def stages(
    title: str = "", printing: bool = False
) -> Iterator[Callable[[str, int | None, int | None], None]]:
    """A function to be told what is being done and how far it is: done of all, None where nobody knows of how many.

    It is shown in a line on standard error, which vanishes at the end, and only if that is a terminal.

    Args:
        title: what is done first, or all the while.
        printing: whether standard output is written to meanwhile; on a terminal that is progress enough.
    """
    if not sys.stderr.isatty() or (printing and sys.stdout.isatty()):
        yield lambda what, done, of: None
        return
    line = ProgressLine(own(sys.stderr))
    _shown.append(line)
    if title:
        line.show(title, None, None)
    try:
        yield line.show
    finally:
        _shown.remove(line)
        line.clear()


@contextmanager
def counter(title: str, total: int | None, printing: bool = False) -> Iterator[Callable[[int], None]]:
    """A function to be told how many more items are done; `printing` as of `stages`."""
    done = 0
    with stages(printing=printing) as show:

        def count(more: int) -> None:
            nonlocal done
            done += more
            show(title, done, total)

        yield count


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
