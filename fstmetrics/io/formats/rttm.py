"""RTTM: who spoke when, `SPEAKER file channel begin duration <NA> <NA> speaker <NA> [<NA>]`.

Lines of type LEXEME hold words, each with its own time, in the place of the first <NA>. A file with words is read as
turns, each with the words of its speaker whose middle is in it. A file without words is no text: `fstmetrics speakers
--metric der` takes it, and --turns beside the words. Source: NIST, RT-09 evaluation plan, appendix A; other types of
lines are skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from operator import attrgetter

from fstmetrics.data.segments import MICROSECONDS, Segment, seconds
from fstmetrics.data.sessions import Turn
from fstmetrics.io.formats.ctm import LEAST_WORDS, ROUNDING
from fstmetrics.io.formats.plain import nist_sentence, transcript_lines
from fstmetrics.io.items import SPOKEN_TIMES, Format, Item, ReadOptions
from fstmetrics.io.writing import OF_TURNS
from fstmetrics.support.names import listed
from fstmetrics.support.source import Source

NOTHING = "<NA>"
# Stretches that are not to be scored, and those of laughter and the like, which md-eval scores no times of.
UNSCORED, WORDLESS = "NOSCORE", "NON-LEX"
TYPES = frozenset({
    "SEGMENT", "NOSCORE", "NO_RT_METADATA", "LEXEME", "NON-LEX", "NON-SPEECH", "FILLER", "EDIT", "SU", "IP", "CB",
    "A/P", "SPEAKER", "SPKR-INFO",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a type that is used."""

    number: int
    type: str
    file: str
    channel: str
    begin: float
    end: float
    word: str
    speaker: str


@dataclass(slots=True)
class _SpokenTurn:
    line: _Line
    words: list[str] = field(default_factory=list)


def _lines(source: Source, *unscored: str) -> Iterator[_Line]:
    """The lines of words and speakers; lines of types that are not to be scored are refused."""
    for number, line in transcript_lines(source):
        fields = line.split()
        if fields[0] not in ("SPEAKER", "LEXEME"):
            if fields[0] not in TYPES:
                raise source.error(f"{fields[0]!r} is no type of RTTM line, such as SPEAKER", number)
            if fields[0] == UNSCORED or fields[0] in unscored:
                raise source.error(
                    f"a stretch that is not to be scored ({fields[0]}), and no stretch is left out: remove the line to "
                    "score it",
                    number,
                )
            continue
        begin, duration = (seconds(time) for time in (fields[3:5] if len(fields) in (8, 9, 10) else ("", "")))
        if begin is None or duration is None:
            raise source.error(
                f"expected `{fields[0]} file channel begin duration {NOTHING} {NOTHING} speaker`, times in seconds",
                number,
            )
        if duration < 0:
            raise source.error(f"the duration is {duration:g}, below 0", number)
        end = round(begin + duration, MICROSECONDS)
        yield _Line(number, fields[0], fields[1], fields[2], begin, end, fields[5], fields[7])


def _look_for_ends(source: Source, turns: Collection[_Line], remark: Callable[[str], None]) -> None:
    """Refuse, or remark on, what may be ends of turns in the place of durations: every turn ends by the time the next
    one begins, of its speaker or of its file, if they are ends, and not if they are durations. Turns of several
    speakers may overlap as durations, those of one may not.
    """
    if len(turns) < LEAST_WORDS or not all(line.begin < line.end - line.begin for line in turns):
        return
    for names, where in ((("file", "speaker"), "its speaker"), (("file",), "its file")):
        alike = groupby(sorted(turns, key=attrgetter(*names, "begin")), key=attrgetter(*names))
        pairs = [pair for _, own in alike for pair in pairwise(own)]
        if not all(one.end - one.begin <= then.begin + ROUNDING for one, then in pairs):
            return
        overlaps = [one.number for one, then in pairs if one.end > then.begin + ROUNDING]
        if not overlaps:
            continue
        found = (
            f"the number after the begin of every turn is greater, and not beyond the next begin of {where}"
        )
        command = "awk '$1 == \"SPEAKER\" {$5 -= $4} 1' FILE writes durations"
        if "speaker" in names:
            raise source.error(
                f"{found}, and as durations turns of one speaker overlap: these are ends, and RTTM has durations; "
                f"{command}",
                min(overlaps),
            )
        remark(
            f"{source.path}:{min(overlaps)}: {found}; they are taken as durations, so that speakers overlap; if they "
            f"are ends, {command}"
        )


def read_turns(source: Source, remark: Callable[[str], None], are_scored: bool = False) -> list[Turn]:
    """Who spoke when, in the order of the file.

    Args:
        source: the file.
        remark: told, in a line that names the file, what may be ends in the place of durations.
        are_scored: whether times are scored: stretches without words (`WORDLESS`) are refused then.

    Raises:
        InputError: a line that is no RTTM, or a stretch that is not to be scored, with its number; ends in the place of
            durations, or no turn at all.
    """
    lines = [line for line in _lines(source, *([WORDLESS] * are_scored)) if line.type == "SPEAKER"]
    if not lines:
        raise source.error("has no SPEAKER line, so nobody speaks")
    _look_for_ends(source, lines, remark)
    return [Turn(line.file, line.speaker, line.begin, line.end, line.channel) for line in lines]


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The turns, with their words; ids are file, channel, speaker, begin and end.

    Raises:
        InputError: as of `read_turns`; a file without words, where these are needed; a word outside of all turns of its
            speaker, or a turn twice.
    """
    turns: dict[tuple[str, str, str], list[_SpokenTurn]] = {}
    lexemes: list[_Line] = []
    for line in _lines(source, *([WORDLESS] if SPOKEN_TIMES in options.in_sessions else [])):
        if line.type == "SPEAKER":
            turns.setdefault((line.file, line.channel, line.speaker), []).append(_SpokenTurn(line))
        else:
            lexemes.append(line)
    if options.in_sessions != (SPOKEN_TIMES,):
        if not lexemes:
            raise source.error(
                "says who spoke when, and has no words (no LEXEME line): fstmetrics speakers --metric der scores it; "
                "beside files with the words of both sides it is --turns or --ref-turns"
            )
        heard = {line.file for line in lexemes}
        if silent := [*dict.fromkeys(name for name, *_ in turns if name not in heard)]:
            options.remark(
                f"{source.path}: has turns and no words (LEXEME) of {listed(silent)}: nothing said"
            )
    _look_for_ends(source, [turn.line for own in turns.values() for turn in own], options.remark)
    for word in sorted(lexemes, key=lambda line: line.begin):
        middle = (word.begin + word.end) / 2
        own = turns.get((word.file, word.channel, word.speaker), [])
        turn = next((turn for turn in own if turn.line.begin <= middle <= turn.line.end), None)
        if turn is None:
            raise source.error(
                f"the word {word.word!r} is in no turn of its speaker, {word.speaker}", word.number
            )
        turn.words.append(word.word)
    seen: dict[str, int] = {}
    for spoken in sorted((turn for own in turns.values() for turn in own), key=lambda turn: turn.line.number):
        line = spoken.line
        id = f"{line.file}_{line.channel}_{line.speaker}_{line.begin:g}_{line.end:g}"
        if id in seen:
            raise source.error(f"the same turn is already in line {seen[id]}", line.number)
        seen[id] = line.number
        item = nist_sentence(source, line.number, id, " ".join(spoken.words))
        segment = Segment(line.file, line.channel, line.begin, line.end)
        yield Item(id, item.given, item.text, segment, OF_TURNS, segment.fields(line.speaker))


FORMAT = Format(
    "rttm", "RTTM, turns of speakers, with words (LEXEME)", read, by_lines=True, ids_from_times=True
)
