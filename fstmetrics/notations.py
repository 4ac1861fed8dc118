r"""Ways of writing transcripts that leave a choice: `NOTATIONS`, and `pieces`, which finds marks and words.

| notation | a choice | nothing | also |
|---|---|---|---|
| `sclite` | `{ um / uh / @ }`, nested to any depth | `@` | `(word)`: may be left out |
| `braces` | `{um\|uh\|}`, nested to any depth | an empty alternative | |
| `brackets` | `[um\|uh]`, nested to any depth | an empty alternative | |
| `wildcards` | none | | |

In all of them `<*>` stands for any number of words, none among it, that count nowhere; only references can have it.

A backslash makes the next character an ordinary one. In `braces` and `brackets`, what holds no `|` stays a word as it
is written: `[noise]`. Sources: sclite's infmts.htm for the first; for the others, and `<*>`, the reference files of
WER tools.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

from fstmetrics.errors import FstmetricsError

Notation = Literal["sclite", "braces", "brackets", "wildcards"]
NOTATIONS: tuple[Notation, ...] = get_args(Notation)
# Opening, separating and closing character, where there are choices.
MARKS: Mapping[str, str] = MappingProxyType(
    {"sclite": "{/}", "braces": "{|}", "brackets": "[|]", "wildcards": ""}
)
_NOTHING = "@"
OPEN_STRETCH = "<*>"


def escaped(word: str, marks: str = "{}") -> str:
    r"""A word whose braces (and slashes, if they are among the marks) mean nothing, in sclite's notation.

    What is escaped already stays, and so does a backslash at the end.

    >>> escaped("{a}"), escaped(r"\{a"), escaped("a" + chr(92))
    ('\\{a\\}', '\\{a', 'a\\\\')
    """
    return re.sub(
        rf"\\.|[{re.escape(marks)}\\]",
        lambda match: match[0] if len(match[0]) > 1 else f"\\{match[0]}",
        word,
    )


Kind = Literal["open", "bar", "close", "word", "wildcard"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A mark or a word, and which characters of the text it is."""

    kind: Kind
    start: int
    end: int
    word: str = ""
    optional: bool = False


def pieces(text: str, notation: Notation, tags: bool) -> Iterator[Piece]:
    """Marks and words, in order.

    Raises:
        FstmetricsError: marks without partners, or next to a word.
    """
    marks = _marks(text, notation)
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif at in marks:
            _refuse_touching(text, at, marks)
            yield Piece(marks[at], at, at + 1)
            at += 1
        else:
            end = _word_end(text, at, marks)
            yield from _word(text, at, end, notation, tags)
            at = end


def _word_end(text: str, at: int, marks: Mapping[int, Kind]) -> int:
    while at < len(text) and not text[at].isspace() and at not in marks:
        at += 2 if text[at] == "\\" else 1
    return min(at, len(text))


def _word(text: str, start: int, end: int, notation: Notation, tags: bool) -> Iterator[Piece]:
    if text[start:end] == OPEN_STRETCH:
        yield Piece("wildcard", start, end)
        return
    word, optional = _unescaped(text[start:end], tags), False
    if notation == "sclite" and text[start] != "\\":
        if word == _NOTHING:
            return
        optional = len(word) > 2 and word[0] == "(" and word[-1] == ")"
    yield Piece("word", start, end, word[1:-1] if optional else word, optional)


def _unescaped(word: str, tags: bool) -> str:
    out: list[str] = []
    at = 0
    while at < len(word):
        if word[at] == "\\" and at + 1 < len(word):
            at += 1
        elif tags and word[at] == ";" and out:
            break
        out.append(word[at])
        at += 1
    return "".join(out)


def _marks(text: str, notation: Notation) -> dict[int, Kind]:
    """Which characters are marks: those of choices, outside of which the same characters are part of words."""
    if not MARKS[notation]:
        return {}
    opening, bar, closing = tuple(MARKS[notation])
    found: dict[int, Kind] = {}
    inside: list[list[int]] = []  # of every choice that is open, where it opens, and its bars
    at = 0
    while at < len(text):
        if text[at] == opening:
            inside.append([at])
        elif text[at] == bar and inside:
            inside[-1].append(at)
        elif text[at] == closing and inside:
            places = inside.pop()
            if len(places) > 1 or notation == "sclite":
                found[places[0]], found[at] = "open", "close"
                found.update((place, "bar") for place in places[1:])
        elif text[at] == closing and notation == "sclite":
            raise _error(text, at, f"{closing!r} closes nothing; an ordinary one is written \\{closing}")
        at += 2 if text[at] == "\\" else 1
    for places in inside:
        if len(places) > 1 or notation == "sclite":
            raise _error(
                text, places[0], f"{opening!r} is not closed; an ordinary one is written \\{opening}"
            )
    return found


def _refuse_touching(text: str, at: int, marks: Mapping[int, Kind]) -> None:
    neighbour = at - 1 if marks[at] == "open" else at + 1 if marks[at] == "close" else -1
    if 0 <= neighbour < len(text) and neighbour not in marks and not text[neighbour].isspace():
        raise _error(text, at, "a choice is between whole words: white space is missing beside it")


def _error(text: str, at: int, what: str) -> FstmetricsError:
    return FstmetricsError(f"{what} (character {at + 1}: {text[max(0, at - 20) : at + 20]!r})")
