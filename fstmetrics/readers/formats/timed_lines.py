"""What recognisers print of a recording: a time before each segment. The words of all are one text.

    [00:00.000 --> 00:01.500]  the cat          whisper, whisper.cpp
    [0.00s -> 1.50s] the cat                    faster-whisper
    (00:00) the cat

Lines about the language that is detected are left out. The id is the file's name.
"""

from __future__ import annotations

from collections.abc import Iterator

from fstmetrics.io.signs import NOTE, TIMED, seconds_of
from fstmetrics.readers.arcs import refuse_empty, shown
from fstmetrics.readers.items import Format, Item, ReadOptions
from fstmetrics.support.source import Source, stem


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The one text of a file.

    Raises:
        InputError: a line without such a time, or with one before that of the line above.
    """
    refuse_empty(source)
    texts, last = [], -1.0
    for number, line in source.lines():
        if not line.strip() or NOTE.match(line):
            continue
        match = TIMED.fullmatch(line.strip())
        if match is None:
            raise source.error(
                f"expected a time in brackets, as [00:00.000 --> 00:01.500] or (00:00), before the words, "
                f"found {shown(line)}",
                number,
            )
        begin = seconds_of(match["at"] or match["begin"])
        if begin < last:
            raise source.error(
                "its time is before that of the line above: expected one recording, its lines in the order of time",
                number,
            )
        texts.append(match["words"].strip())
        last = begin
    yield Item(source.stem, None, " ".join(filter(None, texts)))


FORMAT = Format(
    "timed-lines",
    "lines as Whisper prints them, a time before the words",
    read,
    "text",
    id_of=stem,
    by_lines=True,
)
