"""Subtitles of a recording, SubRip (.srt) and WebVTT (.vtt), as Whisper and others write them: times, and words below.

    1                                  WEBVTT
    00:00:01,000 --> 00:00:02,500
    the cat                            00:01.000 --> 00:02.500
                                       the cat

The words of all subtitles are one text; each subtitle's share its time. Lines that roll up, as YouTube's captions have
them, count once. The id is the file's name. Marks of form (`<i>`, `{\an8}`, and in WebVTT times of words and `&amp;`)
are left out or undone; notes and styles are no words. Other `<` and `>` are of the text.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from fstmetrics.data.segments import shared_time, timed_of
from fstmetrics.io.arcs import shown
from fstmetrics.io.detection.text_signs import seconds_of
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.writing import OF_TURNS
from fstmetrics.support.source import Source, stem

CLOCK = r"(?:\d+:)?\d+:\d\d[.,]\d+"
TIMES = re.compile(rf"\s*(?P<begin>{CLOCK})\s*-->\s*(?P<end>{CLOCK})(?:\s.*)?")
WORD_TIME = re.compile(r"<(?:\d+:)?\d+:\d\d\.\d+>")
# In a text: `<i>`, `</c>`, `<c.yellow>`, `<v Ann>`, `<font color="red">`, `<00:01.000>`; of srt also `{\an8}`.
TAG = re.compile(
    r"</?(?:[ibusc]|ruby|rt)(?:\.[^\s<>]*)?\s*>"
    r"|<(?:v|lang)(?:\.[^\s<>]*)?\s[^<>]*>|<font(?:\s+\w+\s*=[^<>]*)?>|</(?:v|lang|font)\s*>"
    rf"|{WORD_TIME.pattern}|\{{\\[^{{}}]*\}}",
    re.IGNORECASE,
)
# Who speaks, in WebVTT.
VOICE = re.compile(r"<v(?:\.[^\s<>]*)?\s[^<>]*>", re.IGNORECASE)
# What begins a block without words.
BESIDE = re.compile(r"WEBVTT\b|NOTE\b|STYLE\b|REGION\b")


# The longest that a subtitle is there which nobody is to read, in seconds, and in how many others lines are repeated
# for no other reason than that they roll up.
MOMENT, MANY = 0.05, 4


class Cue(NamedTuple):
    """A subtitle: the number of its line of times, when it is there, in seconds, its lines that are not blank, and
    whether the last of these has times of words."""

    number: int
    begin: float
    end: float
    lines: Sequence[str]
    is_timed: bool


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The one text of a file, which is empty where nobody speaks.

    Raises:
        InputError: words without times, times that go back, or lines that roll up.
    """
    words, texts = [], []
    for cue in _rolled_out(source, list(_cues(source))):
        text = " ".join(cue.lines)
        texts.append(text)
        words += shared_time(text.split(), cue.begin, cue.end)
    left_out = OF_TURNS[:1] if options.tell_left_out and VOICE.search(source.text) else ()
    timed = timed_of(source.stem, words, texts)
    yield Item(source.stem, None, " ".join(filter(None, texts)), left_out=left_out, timed=timed)


def _cues(source: Source) -> Iterator[Cue]:
    last = 0.0
    for lines in _blocks(source):
        number, first = lines[0]
        if BESIDE.match(first):
            continue
        place = next((place for place, (_, line) in enumerate(lines[:2]) if TIMES.fullmatch(line)), None)
        if place is None:
            raise source.error(
                f"expected times, as 00:00:01,000 --> 00:00:02,500, before words, found {shown(first)}",
                number,
            )
        number, line = lines[place]
        match = TIMES.fullmatch(line)
        assert match
        begin, end = (seconds_of(match[name]) for name in ("begin", "end"))
        if begin < last or end < begin:
            raise source.error(
                f"times go back: {begin:g} to {end:g} s, after {last:g} s; expected one recording, in their order",
                number,
            )
        last = begin
        said = [(html.unescape(TAG.sub("", text)).strip(), text) for _, text in lines[place + 1 :]]
        given = [(text, raw) for text, raw in said if text]
        is_timed = bool(given) and WORD_TIME.search(given[-1][1]) is not None
        yield Cue(number, begin, end, [text for text, _ in given], is_timed)


def _rolled_out(source: Source, cues: Sequence[Cue]) -> Sequence[Cue]:
    """Subtitles without the lines that they repeat of the one before, where lines roll up, as those of YouTube do.

    There a subtitle of a moment stands between any two, which has the last line alone; or new lines have times of
    words.
    """
    repeats = [
        bool(cue.lines and before.lines and cue.lines[0] == before.lines[-1])
        for before, cue in pairwise(cues)
    ]
    their = list(zip(repeats, cues[1:], strict=True))
    if any(is_repeat and _rolls_up(cue) for is_repeat, cue in their):
        return [
            *cues[:1],
            *(cue._replace(lines=cue.lines[1:]) if is_repeat else cue for is_repeat, cue in their),
        ]
    longer = [(is_repeat, cue) for is_repeat, cue in their if len(cue.lines) > 1]
    rolling = [cue for is_repeat, cue in longer if is_repeat]
    if len(rolling) >= MANY and 2 * len(rolling) >= len(longer):
        raise source.error(
            f"{len(rolling)} subtitles begin with the last line of the one before, as lines that roll up do, and words "
            "would count twice: expected each line once",
            rolling[0].number,
        )
    return cues


def _rolls_up(cue: Cue) -> bool:
    """Whether a subtitle that begins with the last line of the one before does so because lines roll up."""
    return cue.end - cue.begin <= MOMENT if len(cue.lines) == 1 else cue.is_timed


def _blocks(source: Source) -> Iterator[list[tuple[int, str]]]:
    """Lines with their numbers. An empty line ends a block, one of spaces does not; a line of times begins one, with
    the number, or the name behind a blank line, before it."""
    block: list[tuple[int, str]] = []
    for number, line in source.lines():
        if TIMES.fullmatch(line) and (place := _end_before_times([each for _, each in block])):
            yield block[:place]
            block = block[place:]
        if line.strip() or (block and line.strip("\r\n")):
            block.append((number, line))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _end_before_times(lines: Sequence[str]) -> int:
    """How many lines are of the block above a line of times; 0 where it is of their block."""
    if not lines or not (BESIDE.match(lines[0]) or any(map(TIMES.fullmatch, lines))):
        return 0
    *above, last = lines
    is_number = last.strip().isdecimal() and len(above) > 0
    is_name = bool(last.strip()) and bool(above) and not above[-1].strip()
    return len(above) if is_number or is_name else len(lines)


SRT = Format("srt", "SubRip subtitles, a recording a file", read, id_of=stem, has_times=True)
VTT = Format("vtt", "WebVTT subtitles, a recording a file", read, id_of=stem, has_times=True)
