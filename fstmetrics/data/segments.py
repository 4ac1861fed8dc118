"""Words with times and segments with times: which words fall into which segment.

`Segment` is a line of an stm file, `TimedWords` a channel of a ctm file, of `TimedWord` and `TimedChoice`; `cut` puts
the one into the other.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import Any

import numpy as np

from fstmetrics.data.fields import Fields
from fstmetrics.data.transcripts import Transcript, escaped, is_optional, said
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed
from fstmetrics.support.printable import in_a_line

# Digits of a difference of two times; more are the error of binary fractions.
MICROSECONDS = 6
# The field of what ctm calls the recording of a segment, `file channel`, where that is not its own name.
FILE_AND_CHANNEL = "file_and_channel"
# Fields of when something is said, in seconds, by our names, SegLST's or NeMo's: the first that is there counts.
BEGINS = ("start", "start_time", "begin", "offset")
ENDS = ("end", "end_time")
DURATION = "duration"
# Those of one thing: an offset may be that of a part of a recording.
ALIKE = (BEGINS[:-1], ENDS)
# The channel of an utterance that is a file of its own, as Kaldi's tools have it.
ONLY = "1"
# In seconds: what times may differ by that are written with one digit.
ROUNDED_TIMES = 0.101
# The field of a manifest that names a recording.
MANIFEST = "audio_filepath"


def seconds(field: Any) -> float | None:
    """A time in seconds; None if the field is none."""
    try:
        value = float(field)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


def times_in(fields: Mapping[Any, Any], id: str | None = None) -> tuple[float | None, float | None]:
    """When something begins and ends, in seconds, as its fields say; None of what they do not say.

    Args:
        fields: numbers, or texts of numbers, as tables have them; an empty text says nothing.
        id: of the item; of a manifest it is the recording and the begin, which is no field then.

    Raises:
        FstmetricsError: a time that is no number.

    >>> times_in({"start_time": "1.5", "duration": 2}), times_in({"audio_filepath": "a.wav"}, "a.wav_7.5")
    ((1.5, 3.5), (7.5, None))
    """
    begin, end, duration = (_time_in(fields, names) for names in (BEGINS, ENDS, (DURATION,)))
    file = fields.get(MANIFEST)
    if begin is None and file is not None and id is not None and id.startswith(f"{file}_"):
        begin = seconds(id.removeprefix(f"{file}_").partition("_")[0])
    if end is None and begin is not None and duration is not None:
        end = begin + duration
    return begin, end


def spoken_times(fields: Mapping[Any, Any], id: str | None = None) -> tuple[float | None, float | None]:
    """As `times_in`, of what is scored by both times.

    Raises:
        FstmetricsError: as of `times_in`; two begins, two ends, or an end and a duration that are neither equal nor
            rounded otherwise.
    """
    for names in ALIKE:
        times = {name: time for name in names if (time := seconds(fields.get(name))) is not None}
        if len(times) > 1 and max(times.values()) - min(times.values()) > ROUNDED_TIMES:
            found = " and ".join(f"{name} {time:g}" for name, time in times.items())
            raise FstmetricsError(
                f"it has {found}: leave out the column that is not that of what is said; of a table --fields "
                f"{names[0]}=COLUMN names the one that is"
            )
    begin, end = times_in(fields, id)
    duration = _time_in(fields, (DURATION,))
    if begin is None or end is None or duration is None:
        return begin, end
    if abs(begin + duration - end) > ROUNDED_TIMES:
        raise FstmetricsError(
            f"it begins at {begin:g} and ends at {end:g}, and its duration is {duration:g}: leave out the end or the "
            "duration, whichever is not that of what is said"
        )
    return begin, end


def _time_in(fields: Mapping[Any, Any], names: Iterable[str]) -> float | None:
    for name in names:
        value = fields.get(name)
        if value is None or value == "":
            continue
        time = None if isinstance(value, bool) else seconds(value)
        if time is None:
            raise FstmetricsError(f"{name} is {value!r}, no number of seconds")
        return time
    return None


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a recording's channel, in seconds; `ignored` if it is not to be scored."""

    file: str
    channel: str
    begin: float
    end: float
    ignored: bool = False

    @property
    def home(self) -> tuple[str, str]:
        """File and channel, as they are compared: without regard to case."""
        return self.file.casefold(), self.channel.casefold()

    def fields(self, speaker: str) -> Fields:
        """What is known of it, by the names that all formats have for that."""
        return {
            "file": self.file,
            "channel": self.channel,
            "speaker": speaker,
            "start": self.begin,
            "end": self.end,
            "duration": round(self.end - self.begin, MICROSECONDS),
        }


@dataclass(frozen=True, slots=True)
class TimedWord:
    """A word, as a file in sclite's notation has it, when it begins and how long it is, in seconds.

    `confidence` is how sure the recogniser is of it, as it is written; "" where that is not said. `goes_on` is whether
    no blank parts it from the word before it, as in Chinese.
    """

    word: str
    begin: float
    duration: float
    confidence: str = ""
    goes_on: bool = False

    @property
    def text(self) -> str:
        """The word where marks of choices mean something: a slash parts alternatives wherever it stands in a choice."""
        return escaped(self.word, "{/}")

    @property
    def middle(self) -> float:
        """The middle of its time."""
        return self.begin + self.duration / 2


@dataclass(frozen=True, slots=True)
class TimedChoice:
    """Several wordings of one stretch, of which one counts."""

    alternatives: tuple[tuple[TimedWord, ...], ...]

    @property
    def text(self) -> str:
        """The choice in sclite's notation."""
        return f"{{ {' / '.join(' '.join(word.text for word in words) for words in self.alternatives)} }}"

    @property
    def middle(self) -> float:
        """The latest of its words' middles."""
        return max((word.middle for words in self.alternatives for word in words), default=0.0)


TimedText = TimedWord | TimedChoice
# Signs that mean something in sclite's notation, within a word and at its beginning.
_WITHIN, _FIRST = re.compile(r"[\\{}/;]"), ("(", "@", "<")


def plain_word(word: str) -> str:
    """A word in which no sign means anything in sclite's notation.

    >>> plain_word("(uh)"), plain_word("and/or")
    ('\\\\(uh)', 'and\\\\/or')
    """
    escaped_word = _WITHIN.sub(r"\\\g<0>", word)
    return f"\\{escaped_word}" if word.startswith(_FIRST) else escaped_word


@dataclass(frozen=True, slots=True)
class SharedTime(TimedWord):
    """A word whose time is its share of that of a segment, or of the time between its neighbours."""


# Letters of scripts without blanks between words: Han, kana, Thai, Lao, Burmese, Khmer.
_UNSPACED = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0eb2\u0eb3\u0ec0-\u0ec6"
    "\u1000-\u102a\u1780-\u17b3"
)
_JUNCTION = re.compile(
    rf"(?<=[^\W_])(?=[{_UNSPACED}])|(?<=[{_UNSPACED}])(?=[^\W_])|(?<=[^\w\s])(?=[{_UNSPACED}])"
)


def junctions(text: str) -> list[int]:
    """The places within a text without blanks where a word may end: beside letters of scripts without blanks.

    >>> junctions("well-known"), junctions("去北京。")
    ([], [1, 2])
    """
    return [match.start() for match in _JUNCTION.finditer(text)]


def shared_time(words: Sequence[str], begin: float, end: float) -> list[TimedWord]:
    """Words that share the time of their segment by their characters, as MeetEval has it.

    Those without blanks between words are cut between any two letters.

    >>> [(word.word, word.begin, word.duration) for word in shared_time(["a", "cat"], 1.0, 3.0)]
    [('a', 1.0, 0.5), ('cat', 1.5, 1.5)]
    """
    each = (end - begin) / max(1, sum(map(len, words)))
    found: list[TimedWord] = []
    at = begin
    for word in words:
        for first, last in pairwise([0, *junctions(word), len(word)]):
            share = each * (last - first)
            found.append(SharedTime(plain_word(word[first:last]), at, share, goes_on=first > 0))
            at += share
    return found


def timed_of(file: str, words: Sequence[TimedWord], pieces: Iterable[str]) -> TimedWords:
    """The words of a recording of one channel."""
    return TimedWords(file, "1", tuple(words), tuple(pieces))


@dataclass(frozen=True, slots=True)
class TimedWords:
    """The words of a recording's channel, in the order of the file; and its subtitles or segments, where it has some,
    as they are written."""

    file: str
    channel: str
    texts: tuple[TimedText, ...]
    pieces: tuple[str, ...] = field(default=(), compare=False)

    def __repr__(self) -> str:
        return in_a_line(self, file=self.file, channel=self.channel, texts=len(self.texts))

    @property
    def home(self) -> tuple[str, str]:
        """File and channel, as they are compared: without regard to case."""
        return self.file.casefold(), self.channel.casefold()

    @property
    def id(self) -> str:
        """File and channel, as written."""
        return f"{self.file}_{self.channel}"

    @property
    def has_confidences(self) -> bool:
        """Whether some word says how sure the recogniser is of it."""
        return any(word.confidence for text in self.texts for word in _words(text))

    @property
    def has_own_times(self) -> bool:
        """Whether every word has a time of its own."""
        return SharedTime not in map(type, self.texts)

    @property
    def joined(self) -> str:
        """The first word that goes on, as in Chinese, with the one before it; "" if blanks part all words."""
        pairs = pairwise(self.texts)
        return next((f"{a.text}{b.text}" for a, b in pairs if isinstance(b, TimedWord) and b.goes_on), "")

    def transcript(self) -> Transcript:
        """All words."""
        return _transcript(self.texts)


def spoken(hypothesis: Any) -> Any:
    """What words with times, or a transcript, say as a hypothesis, as a text; with choices a transcript."""
    return said(hypothesis.transcript() if isinstance(hypothesis, TimedWords) else hypothesis)


def _words(text: TimedText) -> Iterator[TimedWord]:
    return iter([text]) if isinstance(text, TimedWord) else chain.from_iterable(text.alternatives)


def optional_word(value: object) -> str:
    """A word in parentheses of a transcript or channel, which may be left out if that is a reference; empty if none."""
    if isinstance(value, TimedWords):
        return next(
            (word.word for text in value.texts for word in _words(text) if is_optional(word.word)), ""
        )
    if isinstance(value, Transcript) and value.optional:
        return next(filter(is_optional, value.with_optional_words("word").lattice.symbols.words), "")
    return ""


def cut(channels: Sequence[TimedWords], segments: Sequence[Segment]) -> list[Transcript]:
    """The words of each segment.

    sclite's rule: a channel's words go, in order, to the first segment that ends after the middle of the word; those
    left at the end go to the last segment. The middle of a choice is the latest of its words'. Segments are taken in
    the order of their begins, which sclite wants of its files.

    Returns:
        One transcript a segment, in the order of `segments`; it is empty where there are no words of the channel.
    """
    by_home: dict[tuple[str, str], list[int]] = {}
    for index, segment in enumerate(segments):
        by_home.setdefault(segment.home, []).append(index)
    words = {channel.home: channel.texts for channel in channels}
    found = [Transcript.parse("", "sclite")] * len(segments)
    for home, indices in by_home.items():
        indices.sort(key=lambda index: segments[index].begin)
        for index, texts in zip(
            indices, _dealt(words.get(home, ()), [segments[i] for i in indices]), strict=True
        ):
            found[index] = _transcript(texts)
    return found


def overlapped(segments: Sequence[Segment]) -> int:
    """How many segments begin before another one of their channel, which begins earlier, has ended."""
    latest: dict[tuple[str, str], float] = {}
    found = 0
    for segment in sorted(segments, key=lambda segment: segment.begin):
        end = latest.get(segment.home, segment.begin)
        found += segment.begin < end
        latest[segment.home] = max(end, segment.end)
    return found


def outside(channels: Sequence[TimedWords], segments: Sequence[Segment]) -> tuple[int, float]:
    """The words whose middle no segment of their channel holds, which `cut` gives to a segment all the same.

    Channels without a segment do not count; `lonely` says which they are.

    Returns:
        How many words, or choices, these are, and how far, in seconds, the farthest is from a segment.
    """
    by_home: dict[tuple[str, str], list[Segment]] = {}
    for segment in segments:
        by_home.setdefault(segment.home, []).append(segment)
    count, farthest = 0, 0.0
    for channel in channels:
        own = by_home.get(channel.home)
        if own is None or not channel.texts:
            continue
        times = sorted((segment.begin, segment.end) for segment in own)
        begins = np.array([*(begin for begin, _ in times), np.inf])
        ends = np.maximum.accumulate(np.array([-np.inf, *(end for _, end in times)]))
        middles = np.array([text.middle for text in channel.texts])
        begun = np.searchsorted(begins, middles, "right")
        distances = np.minimum(middles - ends[begun], begins[begun] - middles)
        count += int((distances > 0).sum())
        farthest = max(farthest, float(distances.max()))
    return count, farthest


def lonely(channels: Sequence[TimedWords], segments: Sequence[Segment]) -> str:
    """What to say of the first channel that only words have, or only segments; empty if there is none."""
    homes = {segment.home for segment in segments}
    for channel in channels:
        if channel.home not in homes:
            unnamed = (
                "; standard input names no recording: give words as a file of its name"
                if channel.file == "-"
                else ""
            )
            return (
                f"no segment for the words of file {channel.file}, channel {channel.channel}: "
                f"{_of_channels('segments', segments)}{unnamed}"
            )
    homes = {channel.home for channel in channels}
    for segment in segments:
        if segment.home not in homes:
            return (
                f"no words for the segments of file {segment.file}, channel {segment.channel}: "
                f"{_of_channels('words', channels)}"
            )
    return ""


def _of_channels(what: str, found: Sequence[TimedWords | Segment]) -> str:
    """Of which files and channels words or segments are."""
    names = [*dict.fromkeys(f"{each.file} {each.channel}" for each in found)]
    return f"the {what} are of {listed(names)}" if names else f"there are no {what}"


def _dealt(texts: Sequence[TimedText], segments: Sequence[Segment]) -> list[list[TimedText]]:
    dealt: list[list[TimedText]] = [[] for _ in segments]
    current = 0
    for text in texts:
        while current + 1 < len(segments) and text.middle >= segments[current].end:
            current += 1
        dealt[current].append(text)
    return dealt


def _transcript(texts: Sequence[TimedText]) -> Transcript:
    written = "".join(
        text.text if isinstance(text, TimedWord) and text.goes_on else f" {text.text}" for text in texts
    )
    transcript = Transcript.parse(written.strip(" "), "sclite", tags=True)
    words = [text for text in texts if isinstance(text, TimedWord) and text.word != NO_WORD]
    if transcript.choices or not any(word.confidence for word in words):
        return transcript
    found: list[tuple[tuple[str, str], ...]] = []
    for word in words:
        before = found.pop() if word.goes_on and found else ()
        found.append((*before, (word.word, word.confidence)))
    return replace(transcript, confidences=tuple(found))


# What stands for no word in sclite's notation.
NO_WORD = "@"
