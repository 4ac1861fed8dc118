"""sclite's trn: `w1 { w2 / w3 / @ } (id)` lines; `;;` begins a comment. Source: SCTK, infmts.htm."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from fstmetrics.readers.arcs import shown
from fstmetrics.readers.base import Format, Item, ReadOptions, Source
from fstmetrics.readers.formats import plain
from fstmetrics.readers.formats.trn_writing import WRITER
from fstmetrics.readers.line_ids import LOOKS_LIKE_ID
from fstmetrics.readers.sentences import SNIFFED, nist_sentence, transcript_lines

_LINE = re.compile(r"(?P<text>.*)\((?P<id>[^()]*)\)\s*")


def sniff(source: Source) -> bool:
    """Whether the first lines all end with an id in parentheses, and no id comes twice among them."""
    if not plain.looks_like_text(source):
        return False
    ids = set()
    for count, (_, line) in enumerate(islice(transcript_lines(source), SNIFFED), 1):
        match = _LINE.fullmatch(line)
        if not match or not LOOKS_LIKE_ID.fullmatch(match["id"]):
            return False
        ids.add(match["id"])
        if len(ids) < count:
            return False
    return bool(ids)


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The sentences with their ids. Those that leave a choice are Transcripts.

    Raises:
        InputError: a line without an id, an id that was there before, or a choice that is not closed.
    """
    seen: dict[str, int] = {}
    for number, line in transcript_lines(source):
        match = _LINE.fullmatch(line)
        if not match or not (id := match["id"].strip()):
            raise source.error("expected `word word ... (id)`, found no id in parentheses at the end", number)
        if id in seen:
            raise source.error(f"id {shown(id)} is already in line {seen[id]}", number)
        seen[id] = number
        yield nist_sentence(source, number, id, match["text"])


FORMAT = Format(
    "trn", "sclite trn, `word word ... (id)` lines with choices `{ a / b / @ }`", (".trn",), sniff, read,
    (WRITER,), by_lines=True,
)  # fmt: skip
