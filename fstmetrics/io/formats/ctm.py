"""NIST's ctm: a timed word a line, `file channel begin duration word [confidence]`. Source: SCTK, infmts.htm.

Choices are lines `file channel * * <ALT_BEGIN>`, `<ALT>`, `<ALT_END>`, not nested; `@` is no word. What means
something in sclite's notation is written with a backslash before it, as in trn. The words of a channel stand in the
order of time, as sclite wants it: they are scored in the order in which they stand.

A file whose third numbers can be ends of words, all of them, and cannot be durations without that words overlap, is
refused.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

from fstmetrics.data.segments import ONLY, TimedChoice, TimedText, TimedWord, TimedWords, seconds
from fstmetrics.data.transcripts import Transcript, said
from fstmetrics.io.arcs import NUMBER, shown
from fstmetrics.io.formats.plain import refuse_escapes, transcript_lines
from fstmetrics.io.formats.trn import written
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.writing import Carries, WriteOptions, Writer, encoded, written_time
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.source import Source

# In place of a word, in lines whose times are stars.
MARKS = (BEGIN, OR, END) = ("<ALT_BEGIN>", "<ALT>", "<ALT_END>")
# In seconds: what times with two digits may be off by, and half a digit of the sum of two.
ROUNDING = 0.0101
# Fewer words may have numbers that grow like this by chance.
LEAST_WORDS = 3


def spelled(word: str) -> str:
    r"""A word as recognisers write it, if it is read back so from a system's output; else in sclite's notation.

    Raises:
        FstmetricsError: as of `written`.

    >>> spelled("(uh)"), spelled("b/c"), spelled("{a}"), spelled("@"), spelled("a;b"), spelled("<ALT>")
    ('(uh)', 'b/c', '\\{a\\}', '\\@', 'a\\;b', '\\<ALT>')
    """
    safe = written(word)
    if word.upper() in MARKS:
        return f"\\{safe}"
    try:
        return word if said(Transcript.parse(word, "sclite", tags=True)) == word else safe
    except FstmetricsError:
        return safe


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """A line a word, channel after channel.

    Raises:
        FstmetricsError: a file's name that would begin a comment.
    """
    return encoded(line for item in items for line in _lines(item.value))


def _lines(channel: TimedWords) -> Iterator[str]:
    if channel.file.startswith(";;"):
        raise FstmetricsError(f"the id {channel.file!r} begins with ;;, which begins a comment in ctm")
    head = f"{channel.file} {channel.channel}"
    for text in channel.texts:
        if isinstance(text, TimedChoice):
            yield from _choice(head, text)
        else:
            yield _line(head, text)


def _choice(head: str, choice: TimedChoice) -> Iterator[str]:
    for number, words in enumerate(choice.alternatives):
        yield f"{head} * * {OR if number else BEGIN}\n"
        yield from (_line(head, word) for word in words)
    yield f"{head} * * {END}\n"


def _line(head: str, word: TimedWord) -> str:
    confidence = word.confidence and f" {word.confidence}"
    return f"{head} {written_time(word.begin)} {written_time(word.duration)} {word.word}{confidence}\n"


WRITER = Writer("ctm", (".ctm",), Carries("timed", several=True, ids=True, choices=True), write)


def _is_mark(fields: Sequence[str]) -> bool:
    return len(fields) > 4 and fields[4].upper() in MARKS


def _times(fields: Sequence[str]) -> tuple[float, float] | None:
    begin, duration = (seconds(field) for field in fields[2:4])
    return None if begin is None or duration is None else (begin, duration)


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The words of each channel; they pair with the segments of an stm by time.

    The id is `file_channel`, or the file alone where every file has just channel 1, as it is written of utterances.

    Raises:
        InputError: a line without times, a word that begins before the one above it, ends of words in the place of
            their durations, or a choice that is not closed.
    """
    channels: dict[tuple[str, str], _Channel] = {}
    backwards: list[int] = []
    bare, whole = 0, 0  # the last lines without a confidence, and with a whole number for one
    for number, line in transcript_lines(source):
        fields = line.split()
        if len(fields) < 5 or not (_is_mark(fields) or _times(fields)):
            raise source.error(
                "expected `file channel begin duration word [confidence]`, times in seconds", number
            )
        _check_confidence(source, number, fields)
        if not _is_mark(fields):
            bare = number if len(fields) == 5 else bare
            is_whole = len(fields) > 5 and fields[5].isdecimal() and fields[5] not in ("0", "1")
            whole = number if is_whole else whole
        channels.setdefault((fields[0], fields[1]), _Channel()).take(source, number, fields)
        if not _is_mark(fields) and (_times(fields) or (0, 0))[1] < 0:
            backwards.append(number)
    if bare and whole:
        raise source.error(
            f"a whole number stands behind the word, and nothing behind that in line {bare}: is it a word, or a "
            "confidence? Give all words a confidence or none, and a line to each word",
            whole,
        )
    if backwards:
        more = f" and {len(backwards) - 1} more words" if len(backwards) > 1 else ""
        options.remark(
            f"{source.path}:{backwards[0]}: the duration of this word{more} is below 0, and is used as it is"
        )
    _refuse_ends(source, channels.values())
    is_alone = all(channel == ONLY for _, channel in channels)
    for (file, channel), words in channels.items():
        if words.choice is not None:
            raise source.error(f"<ALT_BEGIN> in line {words.opened} has no <ALT_END>", words.opened)
        timed = TimedWords(file, channel, tuple(words.texts))
        yield Item(file if is_alone else timed.id, timed)


def _refuse_ends(source: Source, channels: Collection[_Channel]) -> None:
    """Refuse ends of words in the place of durations: every word ends by the time the next one of its channel begins
    if they are ends, and not if they are durations.
    """
    overlaps = [channel.overlap for channel in channels if channel.overlap]
    if (
        overlaps
        and all(channel.may_be_ends for channel in channels)
        and (sum(channel.words for channel in channels) >= LEAST_WORDS)
    ):
        raise source.error(
            "the number after the begin of every word is greater than it and not beyond the begin of the next: these "
            "are ends, and ctm has durations; awk 'NF > 4 && $3 != \"*\" {$4 -= $3} 1' FILE writes durations",
            min(overlaps),
        )


# What stands where a recogniser has no confidence.
NO_CONFIDENCE = "NA"


def _check_confidence(source: Source, number: int, fields: Sequence[str]) -> None:
    """Refuse a word with white space in it: what follows would be taken for its confidence, and lost."""
    further = fields[5:7]
    is_good = not further or NUMBER.fullmatch(further[0]) or further[0] == NO_CONFIDENCE
    if not _is_mark(fields) and (not is_good or (further[1:] and NUMBER.fullmatch(further[1]))):
        raise source.error(
            f"expected a confidence, a number, after the word {shown(fields[4])}, found {shown(further[0])}; if the "
            "word has white space in it, write a line for each of its words, or join them by _",
            number,
        )


class _Channel:
    """The words of one channel, as they come."""

    def __init__(self) -> None:
        self.texts: list[TimedText] = []
        self.choice: list[list[TimedWord]] | None = None  # the alternatives since <ALT_BEGIN>
        self.opened = 0
        self.last = self.before = -math.inf  # when the last word began, and the last one before the choice
        self.words = 0
        self.may_be_ends = True  # whether the numbers after the begins of all words may be their ends
        self.overlap = (
            0  # the first line whose word, of this duration, would last beyond the next one's begin
        )
        self.above: tuple[int, TimedWord] | None = None  # the line and word above, in the same text

    def take(self, source: Source, number: int, fields: Sequence[str]) -> None:
        if _is_mark(fields):
            self._mark(source, number, fields[4].upper())
            self.above = None
            return
        refuse_escapes(source, number, fields[4])
        word = TimedWord(fields[4], *(_times(fields) or (0.0, 0.0)), "".join(fields[5:6]))
        if word.begin < self.last:
            raise source.error(
                f"the word {shown(word.word)} begins at {fields[2]}, before the word above it: expected the words of "
                "a channel in the order of time; LC_ALL=C sort -s -k1,1 -k2,2 -k3,3g sorts lines (without <ALT> marks)",
                number,
            )
        self.last = word.begin
        self._compare(number, word)
        if self.choice is None:
            self.texts.append(word)
        else:
            self.choice[-1].append(word)

    def _compare(self, number: int, word: TimedWord) -> None:
        self.words += 1
        self.may_be_ends &= word.duration > word.begin
        if self.above is not None:
            line, above = self.above
            latest = word.begin + ROUNDING
            self.may_be_ends &= above.duration <= latest
            if not self.overlap and above.begin + above.duration > latest:
                self.overlap = line
        self.above = number, word

    def _mark(self, source: Source, number: int, mark: str) -> None:
        if (mark == BEGIN) != (self.choice is None):
            raise source.error(f"{mark} {'inside' if self.choice else 'outside'} a choice", number)
        if self.choice is None:
            self.choice, self.opened, self.before = [[]], number, self.last
        elif mark == OR:
            self.choice.append([])
            self.last = self.before
        else:
            self.texts.append(TimedChoice(tuple(map(tuple, self.choice))))
            begins = [words[0].begin for words in self.choice if words]
            self.choice, self.last = None, min(begins, default=self.before)


FORMAT = Format("ctm", "NIST ctm, words with times", read, writers=(WRITER,), by_lines=True, has_times=True)
