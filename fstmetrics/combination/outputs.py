"""What a system says of an item, as words that are compared: `Output`, `output_of`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fstmetrics.data.lattice import Lattice
from fstmetrics.data.nbest import NBest
from fstmetrics.data.segments import TimedChoice, TimedWord, TimedWords
from fstmetrics.data.transcripts import Transcript, said
from fstmetrics.engine.sides import is_sentence
from fstmetrics.support.arguments import described
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import Normalisation

# Characters that mean something in a word of sclite's notation.
SPECIAL = frozenset("{};/\\@<")
# What stands where a recogniser has no confidence.
UNKNOWN = ("", "NA")


@dataclass(frozen=True)
class Output:
    """The words of one system.

    Attributes:
        words: as they are compared.
        times: begin and end of each, in seconds; None where nobody knows them.
        confidences: of each, nan where it has none; None where no word has one.
    """

    words: tuple[str, ...]
    times: tuple[tuple[float, float], ...] | None = None
    confidences: tuple[float, ...] | None = None

    def confidence(self, place: int) -> float:
        """Of a word; nan where it has none."""
        return math.nan if self.confidences is None else self.confidences[place]


def output_of(value: Any, normalisation: Normalisation, with_lattices: bool = False) -> Output | Lattice:
    """The words of a text, a sequence of words, a transcript or a channel of words with times.

    Args:
        value: what a system says.
        normalisation: what is done to words, but for those of lattices.
        with_lattices: whether lattices and n-best lists stay what they are, the latter as lattices.

    Raises:
        FstmetricsError: anything else, a choice, a confidence that is none, or times that go back.
    """
    if isinstance(value, TimedWords):
        return _timed(value, normalisation)
    if isinstance(value, Transcript):
        value = said(value)
        if isinstance(value, Transcript):
            raise FstmetricsError("the output leaves a choice, and a system has to say what it heard")
    if with_lattices and isinstance(value, Lattice | NBest):
        return value if isinstance(value, Lattice) else value.lattice()
    if isinstance(value, str) or (
        isinstance(value, Sequence) and all(isinstance(word, str) for word in value)
    ):
        return Output(tuple(normalisation.words(value if is_sentence(value) else " ".join(value))))
    raise FstmetricsError(
        f"expected text or words, found {described(value)}; fstmetrics best writes the best words of lattices "
        "and n-best lists, and --method median takes lattices"
    )


def _timed(channel: TimedWords, normalisation: Normalisation) -> Output:
    if joined := channel.joined:
        raise FstmetricsError(
            f"the word {joined!r:.80} has several times: give ctm, which fstmetrics convert makes of such text without "
            "spaces, with a word for each piece"
        )
    rows = [row for text in channel.texts for row in _rows(text, normalisation)]
    begins = [begin for _, begin, _, _ in rows]
    late = next((n for n in range(1, len(rows)) if begins[n] < begins[n - 1]), None)
    if late is not None:
        raise FstmetricsError(
            f"the word {rows[late][0]!r} begins at {begins[late]:g}, before the word in front of it: expected words in "
            "the order of time"
        )
    confidences = tuple(confidence for *_, confidence in rows)
    has_some = not all(map(math.isnan, confidences))
    return Output(
        tuple(word for word, *_ in rows),
        tuple((begin, begin + duration) for _, begin, duration, _ in rows),
        confidences if has_some else None,
    )


def _rows(
    text: TimedWord | TimedChoice, normalisation: Normalisation
) -> Iterator[tuple[str, float, float, float]]:
    """Word, begin, duration and confidence; nothing where it does not count."""
    if isinstance(text, TimedChoice):
        raise FstmetricsError("the output leaves a choice, and a system has to say what it heard")
    words = normalisation.words(_plain(text.word))
    if len(words) > 1:
        raise FstmetricsError(f"the word {text.word!r} becomes {len(words)} words, and has one time")
    for word in words:
        yield word, text.begin, text.duration, _confidence(text)


def _plain(word: str) -> tuple[str, ...]:
    """What a word of sclite's notation says: nothing of `@`."""
    if SPECIAL.isdisjoint(word):
        return (word,)
    found = said(Transcript.parse(word, "sclite", tags=True))
    if isinstance(found, Transcript):
        raise FstmetricsError(f"the word {word!r} leaves a choice, and a system has to say what it heard")
    return tuple(found.split())


def _confidence(word: TimedWord) -> float:
    if word.confidence in UNKNOWN:
        return math.nan
    try:
        value = float(word.confidence)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise FstmetricsError(
            f"the word {word.word!r} at {word.begin:g} has {word.confidence!r} as confidence; expected a number from "
            "0 to 1"
        )
    return value
