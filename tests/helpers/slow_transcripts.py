"""Texts that leave a choice, read sign by sign as `fstmetrics.data.transcripts` says they are written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from fstmetrics.data.lattice import Lattice, word_automaton
from fstmetrics.data.symbols import WILDCARD
from fstmetrics.data.transcripts import OPEN_STRETCH, Choice, Notation, is_optional
from fstmetrics.support.errors import FstmetricsError

# Opening, separating and closing character, where there are choices.
MARKS: Mapping[str, str] = MappingProxyType(
    {"sclite": "{/}", "braces": "{|}", "brackets": "[|]", "wildcards": ""}
)
NOTHING = "@"


def parsed(text: str, notation: Notation, tags: bool) -> Parsed:
    """The automaton of a text and its choices.

    Raises:
        FstmetricsError: marks without partners, or next to a word.
    """
    builder = Parsed(text)
    for piece in pieces(text, notation, tags):
        builder.take(piece)
    return builder


class Parsed:
    """Makes the automaton; arcs lead from lower to higher states."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.state = 0
        self.arcs: list[tuple[int, int, str]] = []
        self.choices: list[Choice] = []
        self.optional: list[tuple[int, int, int]] = []
        self.depth = 0
        self.states = 1
        self._open: list[
            tuple[NotationToken, int, list[int]]
        ] = []  # mark, state before, last states of the alternatives

    def take(self, piece: NotationToken) -> None:
        if piece.kind == "open":
            self._open.append((piece, self.state, []))
            self.depth = max(self.depth, len(self._open))
        elif piece.kind == "bar":
            _, start, ends = self._open[-1]
            ends.append(self.state)
            self.state = start
        elif piece.kind == "close":
            opening, start, ends = self._open.pop()
            self._join(opening.start, piece.end, start, [*ends, self.state])
        elif piece.kind == "wildcard":
            self._wildcard()
        elif piece.optional:
            start = self._word(piece.word)
            behind = self.state
            self._join(piece.start, piece.end, start, [behind, start])
            self.optional.append((start, behind, self.state))
        else:
            self._word(piece.word)

    def lattice(self) -> Lattice:
        """All that was taken. Not by `Lattice.from_arcs`: words such as NULL are ordinary words here."""
        automaton, symbols = word_automaton(self.arcs, self.states, 0, [self.state])
        return Lattice(automaton, symbols)

    def _word(self, word: str) -> int:
        """Adds a word and returns the state before it."""
        before, self.state = self.state, self.states
        self.states += 1
        self.arcs.append((before, self.state, word))
        return before

    def _wildcard(self) -> None:
        """Adds a state with a loop of its own, so that the loop belongs to no other alternative."""
        self._word("")
        self.arcs.append((self.state, self.state, WILDCARD))

    def _join(self, begin: int, end: int, start: int, ends: list[int]) -> None:
        self.state = self.states
        self.states += 1
        self.arcs += [(last, self.state, "") for last in dict.fromkeys(ends)]
        if not self._open:
            self.choices.append(Choice(self.text[begin:end], start, self.state))


Kind = Literal["open", "bar", "close", "word", "wildcard"]


class NotationToken(NamedTuple):
    """A mark or a word, and which characters of the text it is."""

    kind: Kind
    start: int
    end: int
    word: str = ""
    optional: bool = False


def pieces(text: str, notation: Notation, tags: bool) -> Iterator[NotationToken]:
    """Marks and words, in order; errors as of `parsed`."""
    marks = _marks(text, notation)
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif at in marks:
            _refuse_touching(text, at, marks)
            yield NotationToken(marks[at], at, at + 1)
            at += 1
        else:
            end = _word_end(text, at, marks)
            yield from _word(text, at, end, notation, tags)
            at = end


def _word_end(text: str, at: int, marks: Mapping[int, Kind]) -> int:
    while at < len(text) and not text[at].isspace() and at not in marks:
        at += 2 if text[at] == "\\" else 1
    return min(at, len(text))


def _word(text: str, start: int, end: int, notation: Notation, tags: bool) -> Iterator[NotationToken]:
    if text[start:end] == OPEN_STRETCH:
        yield NotationToken("wildcard", start, end)
        return
    word, optional = _unescaped(text[start:end], tags), False
    if notation == "sclite" and text[start] != "\\":
        if word == NOTHING:
            return
        optional = is_optional(word)
    yield NotationToken("word", start, end, word[1:-1] if optional else word, optional)


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
        raise _error(text, at, "a choice is between whole words: write white space around it")


def _error(text: str, at: int, what: str) -> FstmetricsError:
    return FstmetricsError(f"{what} (character {at + 1}: {text[max(0, at - 20) : at + 20]!r})")
