"""fstalign's NLP: a token a row, columns parted by bars, after a head `token|speaker|ts|endTs|punctuation|case|tags`.

A file is one transcript. Tokens are words as they are; what other columns say of them is left out. Source: fstalign's
documentation and test data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

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


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The one transcript of a file, without an id.

    Raises:
        InputError: another head, or a row of more or fewer columns than it has.
    """
    refuse_empty(source)
    lines = source.lines()
    _, first = next(lines)
    head = first.strip().split("|")
    if head[0] != "token":
        raise source.error(f"expected the head `token|speaker|ts|endTs|...`, found {shown(first)}", 1)
    words: list[str] = []
    left_out: dict[str, None] = {}
    for number, line in lines:
        if not line.strip():
            continue
        cells = line.split("|")
        if len(cells) != len(head):
            raise source.error(
                f"expected {len(head)} columns parted by bars, as the head has, found {len(cells)}: {shown(line)}",
                number,
            )
        words += cells[0].split()
        for name, cell in zip(head, cells, strict=True):
            if name in LEFT_OUT and cell.strip() not in NOTHING:
                left_out[LEFT_OUT[name]] = None
    yield Item(None, None, " ".join(words), left_out=tuple(left_out))


FORMAT = Format(
    "nlp",
    "fstalign's NLP, a token a row, a transcript a file",
    read,
    "text",
    (".nlp",),
    SIGNATURE,
    by_lines=True,
)
