r"""Transcripts that leave a choice: `i've { um / uh / @ } as far as`, `{a|b|}`, `[a|b]`, `<*>`.

A `Transcript` is an automaton over words like any other hypothesis or reference. These are the ways of writing it,
`NOTATIONS`, which the engine reads (`native/formats/choices.cc`):

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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

import numpy as np

from fstmetrics import _native
from fstmetrics._native import Fault, TextColumn
from fstmetrics.data.lattice import Lattice, word_arcs, word_automaton
from fstmetrics.data.symbols import WILDCARD, SymbolTable
from fstmetrics.support.arguments import FLAG, STRING, takes
from fstmetrics.support.equal_rows import EqualRows
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import in_a_line

if TYPE_CHECKING:
    import numpy.typing as npt

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
        confidences: of each word the pieces that no blank parts, one of most words, each as its file has it, with how
            sure a recogniser is of it; empty where that is not said, or where there are choices.
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
    confidences: tuple[tuple[tuple[str, str], ...], ...] = field(default=(), compare=False)
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
        if notation not in NOTATIONS:
            raise FstmetricsError(f"unknown notation {notation!r}; choose one of: {', '.join(NOTATIONS)}")
        try:
            automaton, words, choices, optional, depth = _native.parse_choices(text, notation, tags)
        except Fault as fault:
            raise _error(text, fault) from None
        places = tuple([Choice(text[begin:end], start, stop) for begin, end, start, stop in choices])
        # Not by `Lattice.from_arcs`: words such as NULL are ordinary words here.
        return cls(Lattice(automaton, SymbolTable(words), id=id), places, depth, optional=optional)

    @cached_property
    def words(self) -> tuple[str, ...] | None:
        """The words, where there is neither a choice nor a wildcard; None otherwise."""
        if self.choices or self.has_wildcards:
            return None
        return tuple(word for _, _, word in word_arcs(self.lattice) if word)

    @property
    def has_wildcards(self) -> bool:
        """Whether it leaves stretches open."""
        return WILDCARD in self.lattice.symbols.index

    def without_wildcards(self) -> Transcript:
        """The same with nothing said in the stretches that it leaves open."""
        arcs = [arc for arc in word_arcs(self.lattice) if arc[2] != WILDCARD]
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
        word_of = {arc[:2]: arc[2] for arc in word_arcs(self.lattice)}
        words = {(before, behind): f"({word_of[before, behind]})" for before, behind, _ in self.optional}
        skips = {(before, end): words[before, behind] for before, behind, end in self.optional}
        if how == "word":
            arcs = [
                (a, b, words.get((a, b), w)) for a, b, w in word_arcs(self.lattice) if (a, b) not in skips
            ]
            choices = tuple(choice for choice in self.choices if (choice.start, choice.end) not in skips)
        else:
            arcs = [(a, b, skips.get((a, b), w)) for a, b, w in word_arcs(self.lattice)]
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
        for source, destination, word in word_arcs(self.lattice):  # sources come in topological order
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
        return is_short(len(self._of[0]), most)

    def without_wildcards(self) -> Transcript:
        """As of `Transcript`."""
        return _read(*self._of).without_wildcards()

    def with_optional_words(self, how: OptionalWords) -> Transcript:
        """As of `Transcript`."""
        return _read(*self._of).with_optional_words(how)


def is_short(characters: int, most: int) -> bool:
    """The same of a text of so many characters."""
    return 2 * characters + 2 < most


WrittenTranscript.__name__ = "Transcript"  # what messages call it


def written_transcript(text: str, notation: Notation, tags: bool, id: str) -> Transcript:
    """A transcript as of `Transcript.parse`, which is read when it is looked at where it leaves a choice.

    Raises:
        FstmetricsError: as of `Transcript.parse`.
    """
    try:
        depth = _native.depth_of_choices(text, notation, tags)
    except Fault as fault:
        raise _error(text, fault) from None
    if depth:
        return WrittenTranscript(text, notation, tags, id, depth)
    return Transcript.parse(text, notation, tags=tags, id=id)


class TranscriptColumn(EqualRows["str | Transcript"]):
    """Texts of which some leave a choice: these are transcripts, and the others texts, made when they are looked at.

    Args:
        texts: as they are written, of which `of` knows that they can be read.
        notation, tags: as of `Transcript.parse`.
        ids: what transcripts pair with.
        kinds: what each text leaves open, as of `_native.survey_choices`, shape [texts].
        depth: how deep choices stand within choices in any of them.

    >>> column = TranscriptColumn.of(TextColumn(["the { cat / dog } sat", "a  mouse"]), "sclite")
    >>> column[0].choices[0].written, column[1]
    ('{ cat / dog }', 'a mouse')
    """

    __slots__ = ("_kinds", "depth", "ids", "notation", "tags", "texts")

    def __init__(
        self,
        texts: TextColumn,
        notation: Notation,
        tags: bool,
        ids: TextColumn | None,
        kinds: npt.NDArray[np.uint8],
        depth: int,
    ) -> None:
        self.texts, self.notation, self.tags, self.ids, self.depth = texts, notation, tags, ids, depth
        self._kinds = kinds

    @classmethod
    def of(
        cls, texts: TextColumn, notation: Notation, tags: bool = False, ids: TextColumn | None = None
    ) -> TranscriptColumn | None:
        """Those of texts; None where one cannot be read, or has a word with white space in it."""
        survey = _native.survey_choices(texts, notation, tags)
        return None if survey is None else cls(texts, notation, tags, ids, *survey)

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, index: int) -> str | Transcript: ...
    @overload
    def __getitem__(self, index: slice) -> TranscriptColumn: ...
    def __getitem__(self, index: int | slice) -> str | Transcript | TranscriptColumn:
        if isinstance(index, slice):
            ids = None if self.ids is None else self.ids[index]
            return self._with(self.texts[index], ids, self._kinds[index])
        id = "" if self.ids is None else self.ids[index]
        value = written_transcript(self.texts[index], self.notation, self.tags, id)
        return value if value.words is None else " ".join(value.words)

    def taken(self, numbers: npt.NDArray[np.int64]) -> TranscriptColumn:
        """Those with these numbers; of -1, an empty one."""
        ids = None if self.ids is None else self.ids.taken(numbers)
        return self._with(self.texts.taken(numbers), ids, np.where(numbers < 0, 0, self._kinds[numbers]))

    def __reduce__(self) -> tuple[Any, ...]:
        ids = None if self.ids is None else self.ids.joined()
        return _column_of, (self.texts.joined(), ids, self.notation, self.tags, self._kinds, self.depth)

    def _with(
        self, texts: TextColumn, ids: TextColumn | None, kinds: npt.NDArray[np.uint8]
    ) -> TranscriptColumn:
        return TranscriptColumn(texts, self.notation, self.tags, ids, kinds, self.depth)

    def leaves_choices(self, optional: bool = True) -> bool:
        """Whether one leaves a choice, or a stretch open; words in parentheses may be ordinary words."""
        return bool((self._kinds if optional else self._kinds & 1).any())

    def plain_places(self) -> list[int]:
        """The places of texts that leave nothing open."""
        return [*np.flatnonzero(self._kinds == 0).tolist()]

    def plain(self) -> Iterator[str]:
        """These texts."""
        return (str(self[place]) for place in self.plain_places())

    def with_optional(self) -> Iterator[Transcript]:
        """The transcripts that have words in parentheses."""
        places = np.flatnonzero(self._kinds & 2).tolist()
        return (value for place in places if isinstance(value := self[place], Transcript))

    def lines(self, how: OptionalWords) -> _native.ChoiceLines:
        """All of them parsed, where words in parentheses are `free` or, with `word`, ordinary words."""
        return _native.ChoiceLines(self.texts, self.notation, self.tags, how == "word")


def _column_of(texts: Any, ids: Any, notation: Notation, tags: bool, *survey: Any) -> TranscriptColumn:
    """The column of bytes and offsets of texts and ids."""
    own = None if ids is None else TextColumn.of_buffers(*ids)
    return TranscriptColumn(TextColumn.of_buffers(*texts), notation, tags, own, *survey)


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


def is_optional(word: str) -> bool:
    """Whether sclite's notation has a word in parentheses, which may be left out."""
    return len(word) > 2 and word[0] == "(" and word[-1] == ")"


Notation = Literal["sclite", "braces", "brackets", "wildcards"]
NOTATIONS: tuple[Notation, ...] = get_args(Notation)
IN_PARENTHESES = re.compile(r"\(.+\)", re.DOTALL)
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


# What is wrong with a mark, by the engine's name for it.
_FAULTS: Mapping[str, str] = MappingProxyType(
    {
        "closes nothing": "{mark!r} closes nothing; an ordinary one is written \\{mark}",
        "is not closed": "{mark!r} is not closed; an ordinary one is written \\{mark}",
        "touches a word": "a choice is between whole words: write white space around it",
    }
)


def _error(text: str, fault: Fault) -> FstmetricsError:
    _, at, reason, _ = fault.args
    what = _FAULTS[reason].format(mark=text[at])
    return FstmetricsError(f"{what} (character {at + 1}: {text[max(0, at - 20) : at + 20]!r})")
