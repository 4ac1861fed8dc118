"""The words of a session beside each other, with who said them: `AlignedWord`, `beside`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fstmetrics.values.sessions import Utterance

# An utterance, its number in its side of the session, and its words.
Said = tuple[int, Utterance, Sequence[str]]


class AlignedWord(NamedTuple):
    """One operation of the alignment of a session.

    Attributes:
        op: `=` match, `S` substitution, `I` insertion, `D` deletion.
        hypothesis, reference: the words; None where a side has none.
        hypothesis_speaker, reference_speaker: who said them.
        hypothesis_utterance, reference_utterance: in which utterance of their side of the `Session`, from 0.
    """

    op: str
    hypothesis: str | None
    reference: str | None
    hypothesis_speaker: str | None = None
    reference_speaker: str | None = None
    hypothesis_utterance: int | None = None
    reference_utterance: int | None = None


def beside(letters: str, references: Sequence[Said], hypotheses: Sequence[Said]) -> Iterator[AlignedWord]:
    """Utterances in a row, word by word, by the letters of an alignment."""
    sides = [
        [(word, utterance.speaker, number) for number, utterance, words in side for word in words]
        for side in (hypotheses, references)
    ]
    hypothesis, reference = map(iter, sides)
    nothing = (None, None, None)
    for letter in letters:
        word, who, number = next(hypothesis) if letter != "D" else nothing
        said, speaker, place = next(reference) if letter != "I" else nothing
        yield AlignedWord(letter, word, said, who, speaker, number, place)
