"""How far the times of matched words differ: `WordTimes`, of all of them and by kinds, and `SaidWords`.

A difference is the time of the hypothesis word minus that of the reference word: above zero, the hypothesis is late.
Times are compared in whole microseconds, so that what is written as 50 ms apart is within 50 ms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from fstmetrics.data.groupings import json_value
from fstmetrics.data.segments import TimedChoice, TimedWord, TimedWords
from fstmetrics.data.transcripts import Transcript
from fstmetrics.engine.results import AlignedPair
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import counted
from fstmetrics.text.normalisation import Normalisation

# Shares are of differences of at most so many milliseconds.
WITHIN = (50, 100, 200)
# Characters of the reference word, as it is compared: the most of each kind, and what it is called.
LENGTHS = ((3, "1-3"), (6, "4-6"))
LONG = "7+"
# Where the reference word stands among the words of its item that are compared.
FIRST, LAST, OTHERS = POSITIONS = ("first", "last", "others")
MICROSECONDS = 1_000_000
NEEDED = "--times needs one word for each time, and "
# 30 years, of which a floating point number of seconds tells the microseconds.
MOST_SECONDS = 1_000_000_000
PER_MS = 1000

End = Literal["onset", "offset"]
ENDS: tuple[End, ...] = ("onset", "offset")


class SaidWord(NamedTuple):
    """A word as it is compared, and when it was said, in microseconds."""

    word: str
    begin: int
    end: int


def compared(word: TimedWord, normalisation: Normalisation, is_reference: bool) -> list[str]:
    """What is compared of a word: itself, as a rule, or nothing.

    Args:
        word: the word.
        normalisation: what is done to words of this side.
        is_reference: whether a word in parentheses may be left out, unless that is an ordinary word.

    Raises:
        FstmetricsError: it may be left out, stands for any words, or becomes several.
    """
    given = Transcript.parse(word.text, "sclite", tags=True)
    is_free = bool(given.optional) and is_reference and normalisation.optional_words != "word"
    if given.has_wildcards or is_free:
        advice = "give --optional-words word" if is_free else "leave it out of the file"
        raise FstmetricsError(f"{NEEDED}{word.word!r:.80} leaves open what was said; {advice}")
    words = given.with_optional_words("word").lattice.symbols.words
    found = [each for said in words if said for each in normalisation.words((said,))]
    if len(found) > 1:
        raise FstmetricsError(
            f"{NEEDED}{word.word!r:.80} becomes {len(found)} words; leave out what splits it"
        )
    return found


class SaidWords:
    """Finds the words of channels as they are compared.

    Args:
        normalisation, is_reference: as of `compared`.
    """

    def __init__(self, normalisation: Normalisation, is_reference: bool) -> None:
        self._normalisation, self._is_reference = normalisation, is_reference
        self._known: dict[str, list[str]] = {}

    def of(self, channel: TimedWords) -> Iterator[SaidWord]:
        """Those of a channel.

        Raises:
            FstmetricsError: as of `compared`; a choice, of which it is not known what was said; no time at all; or
                pieces that no blank parts, which are compared as one word.
        """
        if joined := channel.joined:
            raise FstmetricsError(
                f"{NEEDED}{joined!r:.80}, which has no space in it, has several times: leave out --times, or compare "
                "these pieces as words, which fstmetrics convert writes as ctm"
            )
        for text in channel.texts:
            if isinstance(text, TimedChoice):
                raise FstmetricsError(f"{NEEDED}{text.text!r:.80} leaves a choice; write one of them")
            if max(abs(text.begin), abs(text.duration)) > MOST_SECONDS:
                raise FstmetricsError(
                    f"--times compares times of at most {MOST_SECONDS:,} seconds, and {text.word!r:.80} has "
                    f"{text.begin:g} and {text.duration:g}; correct the file"
                )
            begin = round(text.begin * MICROSECONDS)
            end = begin + round(text.duration * MICROSECONDS)
            if (words := self._known.get(text.word)) is None:
                words = self._known[text.word] = compared(text, self._normalisation, self._is_reference)
            for word in words:
                yield SaidWord(word, begin, end)


@dataclass(frozen=True)
class Differences:
    """The differences of one end of some words.

    Attributes:
        values: in microseconds, hypothesis minus reference, in any order.
    """

    values: Sequence[int]

    @property
    def bias(self) -> float | None:
        """The mean with signs, in milliseconds; None where there is no word."""
        return sum(self.values) / (PER_MS * len(self.values)) if self.values else None

    @property
    def mean_absolute(self) -> float | None:
        """The mean without signs."""
        return sum(map(abs, self.values)) / (PER_MS * len(self.values)) if self.values else None

    @property
    def median_absolute(self) -> float | None:
        """The median without signs; of an even number of words the mean of the two in the middle."""
        if not self.values:
            return None
        ordered, half = sorted(map(abs, self.values)), len(self.values) // 2
        return (ordered[half] + ordered[half if len(ordered) % 2 else half - 1]) / (2 * PER_MS)

    def within(self, milliseconds: int) -> float | None:
        """The share of words, 0 to 1, that differ by at most so much."""
        near = sum(abs(value) <= milliseconds * PER_MS for value in self.values)
        return near / len(self.values) if self.values else None

    def as_dict(self) -> dict[str, float | None]:
        """The numbers by the names that `--json` has for them."""
        found = {"mean_abs": self.mean_absolute, "median_abs": self.median_absolute, "bias": self.bias}
        return found | {f"within_{most}": self.within(most) for most in WITHIN}


class WordTimes:
    """The differences of onsets and of offsets of matched words.

    Attributes:
        onsets, offsets: in microseconds, a value a word.

    >>> times = WordTimes()
    >>> times.add(SaidWord("the", 0, 200_000), SaidWord("the", 40_000, 180_000))
    >>> times.add(SaidWord("cat", 300_000, 500_000), SaidWord("cat", 290_000, 650_000))
    >>> len(times), times.of("onset").bias, times.of("offset").median_absolute, times.of("offset").within(50)
    (2, 15.0, 85.0, 0.5)
    """

    def __init__(self) -> None:
        self.onsets: list[int] = []
        self.offsets: list[int] = []

    def __len__(self) -> int:
        """How many words."""
        return len(self.onsets)

    def add(self, reference: SaidWord, hypothesis: SaidWord) -> None:
        """Add a matched word."""
        self.onsets.append(hypothesis.begin - reference.begin)
        self.offsets.append(hypothesis.end - reference.end)

    def of(self, end: End) -> Differences:
        """Those of one end."""
        return Differences(self.onsets if end == "onset" else self.offsets)

    def as_dict(self) -> dict[str, Any]:
        """How many words, and the numbers of both ends, by the names that `--json` has for them."""
        return {"words": len(self), **{end: self.of(end).as_dict() for end in ENDS}}


@dataclass(frozen=True)
class TimesOfWords:
    """The differences of all matched words, and by kinds of words.

    Attributes:
        every: of all of them.
        by_length: by the characters of the reference word: `1-3`, `4-6`, `7+`.
        by_position: by where the reference word stands in its item: `first`, `last`, `others`. The only word is first.
        by: by the values of each field that tables are made of, by its name, in the order of the tables.
    """

    every: WordTimes
    by_length: Mapping[str, WordTimes]
    by_position: Mapping[str, WordTimes]
    by: Mapping[str, Sequence[tuple[Any, WordTimes]]]

    def __repr__(self) -> str:
        return f"TimesOfWords({counted(len(self.every), 'word')})"

    def as_dict(self) -> dict[str, Any]:
        """What `--json` has under `times`."""
        found = self.every.as_dict()
        for name in ("by_length", "by_position"):
            found[name] = {kind: times.as_dict() for kind, times in getattr(self, name).items()}
        if self.by:
            found["by"] = {
                name: [{"value": json_value(value), **times.as_dict()} for value, times in rows]
                for name, rows in self.by.items()
            }
        return found


def length_of(word: str) -> str:
    """The kind of a word by its characters.

    >>> [length_of(word) for word in ("a", "was", "then", "seventh")]
    ['1-3', '1-3', '4-6', '7+']
    """
    return next((name for most, name in LENGTHS if len(word) <= most), LONG)


def position_of(place: int, words: int) -> str:
    """The kind of a word by its place among the words of its item.

    >>> [position_of(place, 3) for place in range(3)], position_of(0, 1)
    (['first', 'others', 'last'], 'first')
    """
    return FIRST if not place else LAST if place == words - 1 else OTHERS


def matched(alignment: Iterable[AlignedPair]) -> Iterator[tuple[int, int]]:
    """The places of matched words in the reference and in the hypothesis.

    >>> list(matched([AlignedPair("I", "a", None), AlignedPair("=", "b", "b"), AlignedPair("D", None, "c")]))
    [(0, 1)]
    """
    reference = hypothesis = 0
    for pair in alignment:
        if pair.op == "=":
            yield reference, hypothesis
        reference += pair.reference is not None
        hypothesis += pair.hypothesis is not None
