"""Subtitles of a recording, SubRip (.srt) and WebVTT (.vtt), as Whisper and others write them: times, and words below.

    1                                  WEBVTT
    00:00:01,000 --> 00:00:02,500
    the cat                            00:01.000 --> 00:02.500
                                       the cat

The words of all subtitles are one text; each subtitle's share its time. The id is the file's name. Marks of form
(`<i>`, `{\an8}`, and in WebVTT times of words and `&amp;`) are left out or undone; notes and styles are no words.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from fstmetrics.io.signs import seconds_of
from fstmetrics.readers.arcs import shown
from fstmetrics.readers.items import Format, Item, ReadOptions
from fstmetrics.support.source import Source, stem
from fstmetrics.values.segments import shared_time, timed_of

CLOCK = r"(?:\d+:)?\d+:\d\d[.,]\d+"
TIMES = re.compile(rf"\s*(?P<begin>{CLOCK})\s*-->\s*(?P<end>{CLOCK})(?:\s.*)?")
# In a text: `<i>`, `</c>`, `<v Ann>`, `<00:01.000>`; of srt also `{\an8}`.
TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<\d[\d:.]*>|\{\\[^{}]*\}")
# What begins a block without words.
BESIDE = re.compile(r"WEBVTT\b|NOTE\b|STYLE\b|REGION\b")


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The one text of a file.

    Raises:
        InputError: words without times, times that go back, or none at all.
    """
    texts, words, last = [], [], 0.0
    is_any = False
    for lines in _blocks(source):
        number, first = lines[0]
        if BESIDE.match(first):
            is_any = True
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
        said = [html.unescape(TAG.sub("", text)).strip() for _, text in lines[place + 1 :]]
        text = " ".join(filter(None, said))
        texts.append(text)
        words += shared_time(text.split(), begin, end)
        is_any, last = True, begin
    if not is_any:
        raise source.error("holds no subtitle")
    text = " ".join(filter(None, texts))
    yield Item(source.stem, None, text, timed=timed_of(source.stem, words))


def _blocks(source: Source) -> Iterator[list[tuple[int, str]]]:
    """Lines with their numbers, between blank ones; a line of times begins a block, with a number before it."""
    block: list[tuple[int, str]] = []
    for number, line in source.lines():
        if line.strip():
            block.append((number, line))
        elif block:
            yield block
            block = []
    if block:
        yield block


SRT = Format(
    "srt", "SubRip subtitles, a recording a file", read, "text", (".srt",), id_of=stem, has_times=True
)
VTT = Format(
    "vtt", "WebVTT subtitles, a recording a file", read, "text", (".vtt",), id_of=stem, has_times=True
)
