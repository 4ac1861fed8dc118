"""Plain text: one sentence a line. Sentences pair by order, so items have no id."""

from __future__ import annotations

from collections.abc import Iterator

from fstmetrics.readers.base import Format, Item, ReadOptions, Source
from fstmetrics.readers.checks import checked_line
from fstmetrics.readers.sentences import sentence
from fstmetrics.readers.writing import Carries, WriteOptions, Writer, encoded


def looks_like_text(source: Source) -> bool:
    """Whether a file is UTF-8 text without control characters other than white space."""
    if any(control in source.data for control in (b"\x00", b"\x01", b"\x02", b"\x03", b"\x04", b"\x08")):
        return False
    try:
        return bool(source.text) or not source.data
    except ValueError:
        return False


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The lines, as words split at white space; an empty line is an empty sentence.

    Raises:
        InputError: the file is not UTF-8, or a choice is not closed.
    """
    for number, line in source.lines():
        yield sentence(source, number, None, line, options)


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """A line an item.

    Raises:
        FstmetricsError: a word with white space in it.
    """
    return encoded(checked_line(item.value, item.text) + "\n" for item in items)


WRITER = Writer("plain", (".txt",), Carries("text", several=True), write)
FORMAT = Format(
    "plain", "text, one sentence a line", (".txt",), looks_like_text, read, (WRITER,), by_lines=True
)
