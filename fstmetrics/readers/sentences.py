"""A line of text as an item: plain words, or a Transcript where the line leaves a choice."""

from __future__ import annotations

from collections.abc import Iterator

from fstmetrics.errors import FstmetricsError
from fstmetrics.notations import Notation
from fstmetrics.readers.base import Item, ReadOptions, Source
from fstmetrics.transcripts import Transcript

# Lines from which one of NIST's formats is recognised; a file may have millions.
SNIFFED = 100


def sentence(source: Source, number: int, id: str | None, text: str, options: ReadOptions) -> Item:
    """An item of plain text, with choices only if the caller says how they are written.

    Raises:
        InputError: a choice that is not closed.
    """
    if options.alternations is None:
        return Item(id, None, text)
    return _parsed(source, number, id, text, options.alternations, tags=False)


def nist_sentence(source: Source, number: int, id: str, text: str) -> Item:
    """An item of text in sclite's notation, tags left out.

    Raises:
        InputError: a choice that is not closed.
    """
    return _parsed(source, number, id, text, "sclite", tags=True)


def _parsed(source: Source, number: int, id: str | None, text: str, notation: Notation, tags: bool) -> Item:
    try:
        transcript = Transcript.parse(text, notation, tags=tags, id=id or "")
    except FstmetricsError as error:
        raise source.error(str(error), number) from None
    if transcript.words is None:
        return Item(id, transcript)
    return Item(id, None, " ".join(transcript.words))


def transcript_lines(source: Source) -> Iterator[tuple[int, str]]:
    """Numbered lines of NIST's formats, without blank ones and comments."""
    for number, line in source.lines():
        if line.strip() and not line.lstrip().startswith(";;"):
            yield number, line
