"""Recordings with several speakers: `Utterance`, `Session`; what fields say of an utterance: `TurnFields`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from posixpath import normpath
from typing import Any, NamedTuple

from fstmetrics.data.fields import Fields, first_given
from fstmetrics.data.segments import BEGINS, DURATION, ENDS, MANIFEST, MICROSECONDS, spoken_times
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import in_a_line
from fstmetrics.support.source import stem

# What files call a recording, the most telling name first, and who speaks.
SESSION = ("session", "session_id", "recording", "recording_id", "meeting", "meeting_id", "file")
SPEAKER = ("speaker", "speaker_id", "spk_id", "spk")
# Fields of a turn, of each kind the names of which the first that is there counts.
OF_TURN = (SESSION, SPEAKER, BEGINS, ENDS, (DURATION,), ("channel",))
# Fields that say nothing of a session, be they alike in all of its items.
OF_UTTERANCES = frozenset(chain.from_iterable(OF_TURN))


def same_name(known: dict[str, str], name: str, recording: str) -> str:
    """What is wrong with a recording that has the name of another one, but for case; "" if nothing.

    Args:
        known: the recording that has each name, which may get one more.
        name: that of the recording, without its folder.
        recording: what a file calls it.

    >>> known = {}
    >>> [same_name(known, "1", recording) for recording in ("a/1.wav", "./a/1.wav", "b/1.wav")]
    ['', '', "two recordings are called '1': a/1.wav and b/1.wav"]
    """
    other = known.setdefault(name.casefold(), recording)
    is_same = normpath(other) == normpath(recording)
    return "" if is_same else f"two recordings are called {name!r}: {other} and {recording}"


class TurnFields(NamedTuple):
    """Who says an item, in which recording and when, as far as its fields say that; times in seconds."""

    session: str | None
    channel: str | None
    speaker: str | None
    begin: float | None
    end: float | None

    @classmethod
    def of(cls, fields: Fields, id: str | None) -> TurnFields:
        """That of an item.

        Raises:
            FstmetricsError: as of `spoken_times`, or an end before the begin.
        """
        found = [first_given(fields, names) for names in (SESSION, ("channel",), SPEAKER)]
        session, channel, speaker = (None if name is None else str(name) for name in found)
        if session is None and isinstance(recording := fields.get(MANIFEST), str):
            session = stem(recording)
        begin, end = spoken_times(fields, id)
        if begin is not None and end is not None:
            if end < begin:
                raise FstmetricsError(f"it ends at {end:g}, before it begins at {begin:g}")
            end = end if first_given(fields, ENDS) is not None else round(end, MICROSECONDS)
        if session is None and begin is None:
            session = id  # a recording that is one item
        return cls(session, channel, speaker, begin, end)


@dataclass(frozen=True, slots=True)
class Utterance:
    """What one speaker said at one time.

    Attributes:
        words: a text, a sequence of words, or anything else that `fstmetrics.align` takes as a hypothesis or reference.
        speaker: who said it; of a system's output, its name for a speaker or output channel.
        begin, end: in seconds; None where nobody says.
        id: its name, for messages and assignments.

    Raises:
        FstmetricsError: one time without the other, a time that is not finite, or an end before the begin.
    """

    words: Any
    speaker: str = ""
    begin: float | None = None
    end: float | None = None
    id: str | None = None

    def __post_init__(self) -> None:
        if (self.begin is None) != (self.end is None):
            raise FstmetricsError(f"{self.name}: it has a begin or an end, not both")
        if self.begin is None or self.end is None:
            return
        if not (math.isfinite(self.begin) and math.isfinite(self.end)):
            raise FstmetricsError(f"{self.name}: times are finite numbers, not {self.begin} and {self.end}")
        if self.end < self.begin:
            raise FstmetricsError(f"{self.name} ends at {self.end:g}, before it begins at {self.begin:g}")

    @property
    def name(self) -> str:
        """What messages call it."""
        who = f" of speaker {self.speaker}" if self.speaker else ""
        return f"utterance {self.id}" if self.id is not None else f"an utterance{who}"

    @property
    def is_silent(self) -> bool:
        """Whether it is a text without words, which needs no time."""
        return isinstance(self.words, str) and not self.words.strip()


@dataclass(frozen=True, slots=True)
class Session:
    """A recording: what was said, and what the system says was said.

    Attributes:
        references, hypotheses: in the order in which they count: by begin where there are times; what has no words
            and no time is last.
        id: its name, or None.
    """

    references: tuple[Utterance, ...]
    hypotheses: tuple[Utterance, ...]
    id: str | None = None

    def __repr__(self) -> str:
        return in_a_line(self, id=self.id, references=len(self.references), hypotheses=len(self.hypotheses))

    @classmethod
    def of(
        cls, references: Iterable[Utterance], hypotheses: Iterable[Utterance], id: str | None = None
    ) -> Session:
        """A session of utterances in any order.

        Raises:
            FstmetricsError: some utterances of a side have times and some have none.
        """
        return cls(_in_order(references, "references"), _in_order(hypotheses, "hypotheses"), id)


def _in_order(utterances: Iterable[Utterance], side: str) -> tuple[Utterance, ...]:
    given = tuple(utterances)
    timed = [utterance for utterance in given if utterance.begin is not None]
    if not timed:
        return given
    without = next((each for each in given if each.begin is None and not each.is_silent), None)
    if without is not None:
        raise FstmetricsError(
            f"{side}: {without.name} has no times, and {len(timed)} other utterances have: give the times of all"
        )
    return tuple(sorted(given, key=lambda each: math.inf if each.begin is None else each.begin))


def by_speaker(utterances: Sequence[Utterance]) -> dict[str, list[Utterance]]:
    """The utterances of each speaker, speakers in the order in which they come."""
    found: dict[str, list[Utterance]] = {}
    for utterance in utterances:
        found.setdefault(utterance.speaker, []).append(utterance)
    return found


@dataclass(frozen=True, slots=True)
class Turn:
    """A stretch of a recording's channel in which somebody speaks, without words; times in seconds."""

    session: str
    speaker: str
    begin: float
    end: float
    channel: str = "1"
