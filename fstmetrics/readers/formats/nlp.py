"""fstalign's NLP: a token a row, columns parted by bars, after a head `token|speaker|ts|endTs|punctuation|case|tags`.

A file is one transcript. Tokens are words as they are; what other columns say of them is left out. `read_tagged` also
reads the tags, `['0:MONEY']`: tokens in a row with the same tag are one span. Source: fstalign's documentation and
test data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from fstmetrics.readers.arcs import refuse_empty, shown
from fstmetrics.readers.items import Format, Item, ReadOptions
from fstmetrics.support.source import Source

SIGNATURE = re.compile(rb"(?:\xef\xbb\xbf)?token\|speaker\|")
# What columns hold beside the words, where they hold something. The tokens themselves have their case.
LEFT_OUT: Mapping[str, str] = MappingProxyType(
    {
        "speaker": "speakers",
        "ts": "times",
        "endTs": "times",
        "punctuation": "punctuation",
        "tags": "tags",
        "wer_tags": "tags",
    }
)
NOTHING = ("", "[]")
TAG = re.compile(r"'(\d+:[^']+)'")


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The one transcript of a file, without an id.

    Raises:
        InputError: another head, or a row of more or fewer columns than it has.
    """
    words: list[str] = []
    left_out: dict[str, None] = {}
    for row in _rows(source):
        words += row["token"].split()
        for name, cell in row.items():
            if name in LEFT_OUT and cell.strip() not in NOTHING:
                left_out[LEFT_OUT[name]] = None
    yield Item(None, None, " ".join(words), left_out=tuple(left_out))


def _rows(source: Source) -> Iterator[dict[str, str]]:
    """The cells of each token, by the names of the head."""
    refuse_empty(source)
    lines = source.lines()
    _, first = next(lines)
    head = first.strip().split("|")
    if head[0] != "token":
        raise source.error(f"expected the head `token|speaker|ts|endTs|...`, found {shown(first)}", 1)
    for number, line in lines:
        if not line.strip():
            continue
        cells = line.split("|")
        if len(cells) != len(head):
            raise source.error(
                f"expected {len(head)} columns parted by bars, as the head has, found {len(cells)}: {shown(line)}",
                number,
            )
        yield dict(zip(head, cells, strict=True))


class Tagged(NamedTuple):
    """A transcript with its tagged spans: label, first word, and the word after the last."""

    words: tuple[str, ...]
    spans: tuple[tuple[str, int, int], ...]


def read_tagged(path: str | Path) -> Tagged:
    """The words and tagged spans of a file; a tag is a number and a label, `0:MONEY`.

    Raises:
        InputError: as of `read`; a tag without a label.
    """
    source = Source.open(path)
    words: list[str] = []
    ends: dict[str, tuple[int, int]] = {}  # by tag, spans that may go on
    spans: list[tuple[str, int, int]] = []
    for row in _rows(source):
        first = len(words)
        words += row["token"].split()
        tags = TAG.findall(row.get("tags", ""))
        if not tags and row.get("tags", "").strip() not in NOTHING:
            raise source.error(f"expected tags as in ['0:MONEY'], found {shown(row['tags'])}")
        going_on = {tag: (ends[tag][0] if tag in ends else first, len(words)) for tag in tags}
        spans += ((tag.partition(":")[2], *ends[tag]) for tag in ends if tag not in going_on)
        ends = going_on
    spans += ((tag.partition(":")[2], *ends[tag]) for tag in ends)
    return Tagged(tuple(words), tuple(sorted((s for s in spans if s[1] < s[2]), key=lambda span: span[1:])))


FORMAT = Format(
    "nlp",
    "fstalign's NLP, a token a row, a transcript a file",
    read,
    "text",
    (".nlp",),
    SIGNATURE,
    by_lines=True,
)
