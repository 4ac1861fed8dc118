"""fstalign's NLP: a token a row, columns parted by bars, after a head `token|speaker|ts|endTs|punctuation|case|tags`.

A file is one transcript. Tokens are words as they are; what other columns say of them is left out. `read_tagged` also
reads the tags, `['0:MONEY']`: tokens in a row with the same tag are one span. Other ways to write a span are in a file
of their own (`candidates_of`). Source: fstalign's documentation, code (Nlp.cpp) and test data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from fstmetrics.data.transcripts import Transcript
from fstmetrics.io.arcs import shown
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.support.errors import InputError
from fstmetrics.support.json_text import parsed_json
from fstmetrics.support.source import Source

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
        InputError: another head, or a row of more or fewer columns than it has; candidates that cannot be read, or that
            are of other tags than the file has.
    """
    words: list[str] = []
    tags: list[str] = []  # of each word the first one, as fstalign has it; "" for none
    left_out: dict[str, None] = {}
    for row in _rows(source):
        some = row["token"].split()
        words += some
        tags += [next(iter(TAG.findall(row.get("tags", ""))), "")] * len(some)
        for name, cell in row.items():
            if name in LEFT_OUT and cell.strip() not in NOTHING:
                left_out[LEFT_OUT[name]] = None
    if options.tag_candidates is None:
        yield Item(None, None, " ".join(words), left_out=tuple(left_out))
        return
    candidates = candidates_of(options.tag_candidates)
    if candidates.keys().isdisjoint(map(_number, filter(None, tags))):
        found = ", ".join(dict.fromkeys(filter(None, tags))) or "none"
        raise InputError(
            f"has no candidates for a tag of {source.path} (there: {shown(found)})", options.tag_candidates
        )
    yield Item(None, _with_candidates(words, tags, candidates), left_out=tuple(left_out))


def _number(tag: str) -> str:
    return tag.partition(":")[0]


def _with_candidates(
    words: Sequence[str], tags: Sequence[str], candidates: Mapping[str, Sequence[Sequence[str]]]
) -> Transcript:
    """The words, where tagged spans have the candidates as alternatives, and the words as written as the last one."""
    pieces: list[str] = []
    at = 0
    for tag, group in groupby(tags):
        span = words[at : at + len(list(group))]
        at += len(span)
        others = candidates.get(_number(tag), ()) if tag else ()
        ways = [" ".join(map(_escaped, way)) or "@" for way in (*others, span)]
        choice = " / ".join(dict.fromkeys(ways))
        pieces.append(f"{{ {choice} }}" if len({*ways}) > 1 else ways[-1])
    return Transcript.parse(" ".join(pieces), "sclite")


def _escaped(word: str) -> str:
    """A word that means itself in sclite's notation."""
    return re.sub(r"[{}/\\]|^[@(<]", lambda mark: "\\" + mark[0], word)


def candidates_of(path: str) -> dict[str, list[list[str]]]:
    """The other ways to write a tagged span, by the number of the tag, as fstalign's `norm.json` has them:
    `{"0": {"class": "MONEY", "candidates": [{"probability": 1.0, "verbalization": ["ten", "dollars"]}]}}`.

    Probabilities and classes are left out. No words at all are a candidate, too.

    Raises:
        InputError: not such a file; says at which tag.
    """
    source = Source.open(path)
    what = 'expected fstalign\'s {"0": {"candidates": [{"verbalization": [words]}]}}'
    try:
        given = parsed_json(source.text)
    except ValueError as error:
        raise source.error(f"{what}; this is not JSON: {error}") from None
    if not isinstance(given, dict) or not given:
        raise source.error(f"{what}, found {shown(source.text)}")
    found: dict[str, list[list[str]]] = {}
    for number, entry in given.items():
        listed = entry.get("candidates") if isinstance(entry, dict) else None
        ways = [one.get("verbalization") if isinstance(one, dict) else None for one in listed or ()]
        are_ways = all(isinstance(way, list) and all(isinstance(w, str) for w in way) for way in ways)
        if not isinstance(listed, list) or not are_ways:
            raise source.error(f"tag {shown(number)}: {what}")
        found[number] = [" ".join(way).split() for way in ways if way is not None]
    return found


def _rows(source: Source) -> Iterator[dict[str, str]]:
    """The cells of each token, by the names of the head."""
    source.refuse_empty()
    lines = source.lines()
    _, first = next(lines, (1, ""))
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


FORMAT = Format("nlp", "fstalign's NLP, a token a row, a transcript a file", read, by_lines=True)
