r"""Transcripts that leave a choice: `i've { um / uh / @ } as far as`, `{a|b|}`, `[a|b]`, `<*>`.

A `Transcript` is an automaton over words like any other hypothesis or reference. `notations.py` says how each is
written.

Ways of writing transcripts that leave a choice: `NOTATIONS`, and `pieces`, which finds marks and words.

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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from fstmetrics.data.lattice import Lattice, word_automaton
from fstmetrics.data.symbols import WILDCARD
from fstmetrics.support.arguments import FLAG, STRING, takes
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import in_a_line

if TYPE_CHECKING:
    from fstmetrics.text.normalisation import Normalisation, OptionalWords


@dataclass(frozen=True, slots=True)
class Choice:
    """One place where a transcript leaves a choice, not inside another one.

    Attributes:
        written: the choice as it is written.
        start, end: states of the lattice between which the alternatives lie.
    """

    written: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Texts:
    """Several texts of one item, as they were written, as a row of a table has them; the closest one counts."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class Transcript:
    """A sentence with choices; scored as a hypothesis or reference, the best alternatives count.

    Attributes:
        lattice: the sentence as an automaton.
        choices: the places where there is a choice, in order.
        depth: how deep choices stand within choices; 0 where there is none.
        confidences: how sure a recogniser is of each word, as its ctm file has it; empty where that is not said, or
            where there are choices.
        optional: of each word in parentheses the states before it, behind it, and where leaving it out ends.

    >>> transcript = Transcript.parse("i've { um / uh / @ } tried", "sclite")
    >>> [choice.written for choice in transcript.choices]
    ['{ um / uh / @ }']
    >>> transcript.taken(["i've", "uh", "tried"])
    ('uh',)
    """

    lattice: Lattice
    choices: tuple[Choice, ...]
    depth: int = 0
    confidences: tuple[str, ...] = field(default=(), compare=False)
    optional: tuple[tuple[int, int, int], ...] = field(default=(), compare=False, repr=False)

    def __repr__(self) -> str:
        return in_a_line(
            self, id=self.lattice.id, arcs=self.lattice.num_arcs, choices=len(self.choices), depth=self.depth
        )

    @classmethod
    @takes(text=STRING, notation=STRING, tags=FLAG, id=STRING)
    def parse(cls, text: str, notation: Notation, *, tags: bool = False, id: str = "") -> Transcript:
        """Read a sentence.

        Args:
            text: the sentence.
            notation: how choices are written, one of `NOTATIONS`.
            tags: whether `;` and what follows in a word is a tag that does not count, as in NIST's files.
            id: what it pairs with.

        Raises:
            FstmetricsError: an unknown notation; a choice that is not closed or not opened: says at which
                character, from 1.
        """
        if notation not in MARKS:
            raise FstmetricsError(f"unknown notation {notation!r}; choose one of: {', '.join(NOTATIONS)}")
        builder = _Builder(text)
        for piece in pieces(text, notation, tags):
            builder.take(piece)
        return cls(
            builder.lattice(id), tuple(builder.choices), builder.depth, optional=tuple(builder.optional)
        )

    @cached_property
    def words(self) -> tuple[str, ...] | None:
        """The words, where there is neither a choice nor a wildcard; None otherwise."""
        if self.choices or self.has_wildcards:
            return None
        return tuple(word for _, _, word in _arcs(self.lattice) if word)

    @property
    def has_wildcards(self) -> bool:
        """Whether it leaves stretches open."""
        return WILDCARD in self.lattice.symbols.index

    def without_wildcards(self) -> Transcript:
        """The same with nothing said in the stretches that it leaves open."""
        arcs = [arc for arc in _arcs(self.lattice) if arc[2] != WILDCARD]
        automaton = self.lattice.automaton
        kept, symbols = word_automaton(arcs, automaton.num_states, automaton.start, automaton.finals.tolist())
        return replace(self, lattice=Lattice(kept, symbols, id=self.lattice.id))

    def with_optional_words(self, how: OptionalWords) -> Transcript:
        """The same where words in parentheses are to be something else than free to be left out.

        Args:
            how: `word`: each is an ordinary word with its parentheses. `correct`: where it is left out, it stands there
                in parentheses (`IN_PARENTHESES`).

        Raises:
            FstmetricsError: under `correct`, an ordinary word that is in parentheses as well.

        >>> Transcript.parse("we (uh) met", "sclite").with_optional_words("word").words
        ('we', '(uh)', 'met')
        """
        if how == "free":
            return self
        if how == "correct" and any(map(IN_PARENTHESES.fullmatch, self.lattice.symbols.words)):
            raise FstmetricsError(
                "an ordinary word in parentheses is not told from an optional one that is left out; "
                "write it without them"
            )
        if not self.optional:
            return self
        word_of = {arc[:2]: arc[2] for arc in _arcs(self.lattice)}
        words = {(before, behind): f"({word_of[before, behind]})" for before, behind, _ in self.optional}
        skips = {(before, end): words[before, behind] for before, behind, end in self.optional}
        if how == "word":
            arcs = [(a, b, words.get((a, b), w)) for a, b, w in _arcs(self.lattice) if (a, b) not in skips]
            choices = tuple(choice for choice in self.choices if (choice.start, choice.end) not in skips)
        else:
            arcs = [(a, b, skips.get((a, b), w)) for a, b, w in _arcs(self.lattice)]
            choices = self.choices
        automaton = self.lattice.automaton
        kept, symbols = word_automaton(arcs, automaton.num_states, automaton.start, automaton.finals.tolist())
        return replace(self, lattice=Lattice(kept, symbols, id=self.lattice.id), choices=choices, optional=())

    def taken(
        self, words: Sequence[str], arc_words: Mapping[str, Sequence[str]] | None = None
    ) -> tuple[str, ...]:
        """The alternative taken at every choice, by the words of a path; "" is nothing.

        Where several alternatives give the same words, it does not matter which.

        Args:
            words: the words of a path of `lattice`.
            arc_words: what became of words that were changed before they were compared.

        Raises:
            FstmetricsError: the words are no path of this transcript.
        """
        position = self._positions(words, arc_words or {})
        return tuple(
            " ".join(words[position[choice.start] : position[choice.end]]) for choice in self.choices
        )

    def _positions(self, words: Sequence[str], arc_words: Mapping[str, Sequence[str]]) -> dict[int, int]:
        """How many words come before each state of a path that spells the words."""
        came: dict[tuple[int, int], tuple[int, int]] = {}
        reached: dict[int, list[int]] = {0: [0]}
        for source, destination, word in _arcs(self.lattice):  # sources come in topological order
            spelled = tuple(arc_words.get(word, (word,))) if word else ()
            for at in reached.get(source, ()):
                end = (destination, at + len(spelled))
                if tuple(words[at : end[1]]) == spelled and end not in came:
                    came[end] = (source, at)
                    reached.setdefault(destination, []).append(end[1])
        node = (int(self.lattice.automaton.finals[0]), len(words))
        if node not in came and node != (0, 0):
            raise FstmetricsError(f"the words {' '.join(words)!r} are no path of this transcript")
        position = {node[0]: node[1]}
        while node in came:
            node = came[node]
            position[node[0]] = node[1]
        return position


class WrittenTranscript(Transcript):
    """A transcript as it is written in a file, which is read when it is looked at; of many, few are kept read.

    Args:
        text, notation, tags, id: as of `Transcript.parse`, which is known to take them.
        depth: as of `Transcript`.
    """

    _of: tuple[str, Notation, bool, str]
    words = None  # there is a choice

    def __init__(self, text: str, notation: Notation, tags: bool, id: str, depth: int) -> None:
        object.__setattr__(self, "_of", (text, notation, tags, id))  # and no dictionary is made
        object.__setattr__(self, "depth", depth)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WrittenTranscript) and self._of == other._of

    def __hash__(self) -> int:
        return hash(self._of)

    @property
    def lattice(self) -> Lattice:
        """The sentence as an automaton."""
        return _read(*self._of).lattice

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The places where there is a choice, in order."""
        return _read(*self._of).choices

    @property
    def optional(self) -> tuple[tuple[int, int, int], ...]:
        """Words in parentheses, as of `Transcript`."""
        return _read(*self._of).optional

    def is_short(self, most: int) -> bool:
        """Whether it surely has fewer states and arcs, and no word of so many characters."""
        return 2 * len(self._of[0]) + 2 < most

    def without_wildcards(self) -> Transcript:
        """As of `Transcript`."""
        return _read(*self._of).without_wildcards()

    def with_optional_words(self, how: OptionalWords) -> Transcript:
        """As of `Transcript`."""
        return _read(*self._of).with_optional_words(how)


WrittenTranscript.__name__ = "Transcript"  # what messages call it


def written_transcript(text: str, notation: Notation, tags: bool, id: str) -> Transcript:
    """A transcript as of `Transcript.parse`, which is read when it is looked at where it surely leaves a choice.

    Raises:
        FstmetricsError: as of `Transcript.parse`.
    """
    if notation == "sclite" and (depth := _depth(text)):
        return WrittenTranscript(text, notation, tags, id, depth)
    return Transcript.parse(text, notation, tags=tags, id=id)


# So many are kept read: more than are scored at once, and their records written.
@lru_cache(maxsize=4096)
def _read(text: str, notation: Notation, tags: bool, id: str) -> Transcript:
    return Transcript.parse(text, notation, tags=tags, id=id)


def said(hypothesis: Any) -> Any:
    """What a transcript says as a hypothesis, in which nothing is optional, as a text; anything else as it is.

    >>> said(Transcript.parse("the (uh) cat", "sclite"))
    'the (uh) cat'
    """
    if not isinstance(hypothesis, Transcript):
        return hypothesis
    words = hypothesis.with_optional_words("word").words
    return hypothesis if words is None else " ".join(words)


def alternatives_taken(
    transcript: Transcript, words: Sequence[str], normalisation: Normalisation
) -> list[dict[str, str]]:
    """What was taken at every choice, for records: `written` and `taken`.

    Empty where the words, normalised, are no path of the transcript, as after a grammar's rewriting, and under a
    normaliser of whole sentences, which leaves no trace of the choices.
    """
    if normalisation.needs_sentences:
        return []
    transcript = transcript.with_optional_words(normalisation.optional_words)
    words_of = () if normalisation.is_plain else transcript.lattice.symbols.words
    changed = {word: tuple(normalisation.arc_words(word)) for word in words_of if word}
    try:
        taken = transcript.taken(words, changed)
    except FstmetricsError:
        return []
    return [{"written": c.written, "taken": t} for c, t in zip(transcript.choices, taken, strict=True)]


def _arcs(lattice: Lattice) -> Iterator[tuple[int, int, str]]:
    a = lattice.automaton
    words = lattice.symbols.words
    for source, destination, label in zip(
        a.sources.tolist(), a.destinations.tolist(), a.labels.tolist(), strict=True
    ):
        yield source, destination, words[label]


class _Builder:
    """Makes the automaton; arcs lead from lower to higher states."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.state = 0
        self.arcs: list[tuple[int, int, str]] = []
        self.choices: list[Choice] = []
        self.optional: list[tuple[int, int, int]] = []
        self.depth = 0
        self._states = 1
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

    def lattice(self, id: str) -> Lattice:
        """All that was taken. Not by `Lattice.from_arcs`: words such as NULL are ordinary words here."""
        automaton, symbols = word_automaton(self.arcs, self._states, 0, [self.state])
        return Lattice(automaton, symbols, id=id)

    def _word(self, word: str) -> int:
        """Adds a word and returns the state before it."""
        before, self.state = self.state, self._states
        self._states += 1
        self.arcs.append((before, self.state, word))
        return before

    def _wildcard(self) -> None:
        """Adds a state with a loop of its own, so that the loop belongs to no other alternative."""
        self._word("")
        self.arcs.append((self.state, self.state, WILDCARD))

    def _join(self, begin: int, end: int, start: int, ends: list[int]) -> None:
        self.state = self._states
        self._states += 1
        self.arcs += [(last, self.state, "") for last in dict.fromkeys(ends)]
        if not self._open:
            self.choices.append(Choice(self.text[begin:end], start, self.state))


def is_optional(word: str) -> bool:
    """Whether sclite's notation has a word in parentheses, which may be left out."""
    return len(word) > 2 and word[0] == "(" and word[-1] == ")"


Notation = Literal["sclite", "braces", "brackets", "wildcards"]
NOTATIONS: tuple[Notation, ...] = get_args(Notation)
IN_PARENTHESES = re.compile(r"\(.+\)", re.DOTALL)
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


class NotationToken(NamedTuple):
    """A mark or a word, and which characters of the text it is."""

    kind: Kind
    start: int
    end: int
    word: str = ""
    optional: bool = False


# What keeps words and marks of sclite's notation from being told apart by white space alone: escapes, tags, and marks
# that touch something.
_INTRICATE = re.compile(r"[\\;]|[{}/](?=\S)|(?<=\S)[{}/]")
_SPACED, _BRACES = re.compile(r"\S+"), re.compile(r"[{}]")
_KINDS: Mapping[str, Kind] = MappingProxyType(
    {"{": "open", "/": "bar", "}": "close", OPEN_STRETCH: "wildcard"}
)


def pieces(text: str, notation: Notation, tags: bool) -> Iterable[NotationToken]:
    """Marks and words, in order.

    Raises:
        FstmetricsError: marks without partners, or next to a word.
    """
    if notation == "sclite" and _depth(text) is not None:
        return _spaced_pieces(text)
    return _all_pieces(text, notation, tags)


def _depth(text: str) -> int | None:
    """How deep choices of sclite's notation stand within choices.

    None where white space alone does not part pieces, and where marks lack partners.
    """
    if _INTRICATE.search(text):
        return None
    depth = most = 0
    for mark in _BRACES.findall(text):
        depth += 1 if mark == "{" else -1
        if depth < 0:
            return None
        most = max(most, depth)
    return None if depth else most


def _spaced_pieces(text: str) -> Iterator[NotationToken]:
    """The same of sclite's notation where white space parts them all, and marks have their partners."""
    depth = 0
    for found in _SPACED.finditer(text):
        word = found[0]
        kind = _KINDS.get(word)
        if kind and (depth or kind != "bar"):
            depth += (kind == "open") - (kind == "close")
            yield NotationToken(kind, *found.span())
        elif word != _NOTHING:
            optional = is_optional(word)
            yield NotationToken("word", *found.span(), word[1:-1] if optional else word, optional)


def _all_pieces(text: str, notation: Notation, tags: bool) -> Iterator[NotationToken]:
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
        if word == _NOTHING:
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
