"""Plain text: one sentence a line. Sentences pair by order, so items have no id.

`sentence` makes an item of a line, for all formats of text: words, or a Transcript where the line leaves a choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.entities import html5

from fstmetrics import _native
from fstmetrics.data.transcripts import Notation, TranscriptColumn, written_transcript
from fstmetrics.io.blocks import Block
from fstmetrics.io.items import JOINED, Format, Item, ReadOptions, remark_on_mark, remark_on_open
from fstmetrics.io.writing import Carries, WriteOptions, Writer, encoded
from fstmetrics.io.written_words import checked_line
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.source import Source, item_name


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The lines without white space at their ends, as sacrebleu reads them; an empty line is an empty sentence.

    Raises:
        InputError: the file is not UTF-8, or a choice is not closed.
    """
    if source.begin:
        remark_on_mark(source, options)
    for number, line in source.lines():
        yield sentence(source, number, None, line.rstrip(), options)


@dataclass(frozen=True, slots=True)
class Document(Item):
    """All lines of a file: how many there are, and how many are not blank."""

    lines: int = 1
    filled: int = 1


def document(source: Source, options: ReadOptions) -> Document:
    """All lines as one item, whose id is the file's name; errors as of `read`."""
    remark_on_open(source, options)
    lines = [line.strip() for _, line in source.lines()]
    filled = list(filter(None, lines))
    item = sentence(source, 1, item_name(source.path), " ".join(filled), options)
    return Document(item.id, item.given, item.text, lines=len(lines), filled=len(filled))


def block(source: Source, options: ReadOptions) -> Block | None:
    """The same as columns, where nothing is wrong with choices.

    Raises:
        InputError: the file is not UTF-8.
    """
    lines = source.stored_lines()
    texts = _native.text_lines(source.utf8) if lines is None else lines.texts
    values = texts if options.alternations is None else TranscriptColumn.of(texts, options.alternations)
    if values is None:
        return None
    if source.begin:
        remark_on_mark(source, options)
    remark_on_open(source, options)
    return Block(None, values)


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """A line an item.

    Raises:
        FstmetricsError: a word with white space in it.
    """
    return encoded(checked_line(item.value, item.text) + "\n" for item in items)


WRITER = Writer("plain", (".txt",), Carries("text", several=True), write)
FORMAT = Format("plain", "text, one sentence a line", read, block=block, writers=(WRITER,), by_lines=True)


# What a line of comment begins with in NIST's formats.
COMMENT = ";;"


def sentence(source: Source, number: int, id: str | None, text: str, options: ReadOptions) -> Item:
    """An item of plain text, with choices only if the caller says how they are written.

    Raises:
        InputError: a choice that is not closed.
    """
    if options.alternations is None:
        return Item(id, None, text)
    return _parsed(source, number, id, text, options.alternations, tags=False)


# A sentence without any of these has plain words only.
SCLITE_MARKS = frozenset("{}/@\\;(<")


# In sclite's notation `;` begins a tag, which does not count: of `&apos;m` no more than `&apos` would.
_ESCAPE = re.compile(rb"(?<!\\)&(#\d{1,7};|#x[0-9a-fA-F]{1,6};|\w{2,31};)")
# A backslash does not count, either: of `mat\n` no more than `matn` would, of `caf\u00e9` no more than `cafu00e9`.
_WRITTEN = re.compile(rb"(?<!\\)(?:\\\\)*(\\(?:[nr](?=\s|\Z|\\|[A-Z])|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}))")


def has_escapes(data: bytes) -> bool:
    """Whether text in sclite's notation has characters as HTML writes them, whose `;` has no backslash before it, or as
    programs write them, whose backslash has none.

    >>> has_escapes(b"it&apos;m"), has_escapes(b"AT&T;org"), has_escapes(b"&apos\\\\;m")
    (True, False, False)
    >>> has_escapes(b"the mat\\\\n"), has_escapes(b"the mat\\\\\\\\n")
    (True, False)
    """
    return _has_names(data) or _WRITTEN.search(data) is not None


def _has_names(data: bytes) -> bool:
    """Whether there are characters as HTML writes them."""
    return any(name[:1] == b"#" or name.decode() in html5 for name in _ESCAPE.findall(data))


def refuse_escapes(source: Source, number: int, text: str) -> None:
    """Raise an InputError for a line of text in sclite's notation that has such characters."""
    if "&" in text and _has_names(text.encode()):
        raise source.error(
            "has characters as HTML writes them (&apos;, &#39;), and ; begins a tag here, which does not count: "
            "python3 -c 'import html, sys; sys.stdout.write(html.unescape(sys.stdin.read()))' writes characters; if "
            "they are words, write \\;",
            number,
        )
    if "\\" in text and (found := _WRITTEN.search(text.encode())):
        sign = found[1].decode()
        is_end = sign in ("\\n", "\\r")
        advice = "sed -E 's/\\\\[nr]/ /g' takes ends of lines out" if is_end else "write the character"
        raise source.error(
            f"has {sign}, and a backslash does not count here: {advice}; if it is a word, write \\{sign}",
            number,
        )


def nist_sentence(source: Source, number: int, id: str, text: str) -> Item:
    """An item of text in sclite's notation, tags left out.

    Raises:
        InputError: a choice that is not closed, or a character as HTML writes it.
    """
    if SCLITE_MARKS.isdisjoint(text):
        return Item(id, None, " ".join(text.split()))
    refuse_escapes(source, number, text)
    return _parsed(source, number, id, text, "sclite", tags=True)


def _parsed(source: Source, number: int, id: str | None, text: str, notation: Notation, tags: bool) -> Item:
    try:
        transcript = written_transcript(text, notation, tags, id or "")
    except FstmetricsError as error:
        raise source.error(str(error), number) from None
    if transcript.words is None:
        return Item(id, transcript)
    return Item(id, None, " ".join(transcript.words))


def transcript_lines(source: Source) -> Iterator[tuple[int, str]]:
    """Numbered lines of NIST's formats, without blank ones and comments.

    Raises:
        InputError: a line begins with a byte order mark.
    """
    for number, line in source.lines():
        if line.startswith("\ufeff"):
            raise source.error(JOINED, number)
        if line.strip() and not line.lstrip().startswith(COMMENT):
            yield number, line
