"""What recognisers print of a recording: a time before each segment. The words of all are one text.

    [00:00.000 --> 00:01.500]  the cat          whisper, whisper.cpp
    [0.00s -> 1.50s] the cat                    faster-whisper
    (00:00) the cat
    0.00    1.50    the cat                     labels of Audacity, only where a caller says so

Lines about the language that is detected are left out. The id is the file's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fstmetrics.data.segments import timed_of
from fstmetrics.io.arcs import shown
from fstmetrics.io.detection.text_signs import NOTE, TIMED, seconds_of
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.timed_pieces import Piece, fitted_to, piece_of, timed_text
from fstmetrics.support.source import Source, stem

# Two numbers of seconds, and words.
LABEL = re.compile(r"(?P<begin>\d+(?:\.\d+)?)\s+(?P<end>\d+(?:\.\d+)?)(?:\s+(?P<words>.*))?")


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The one text of a file.

    Raises:
        InputError: a line without such a time, or with one before that of the line above.
    """
    source.refuse_empty()
    pieces: list[Piece] = []
    last = -1.0
    for number, line in source.lines():
        if not line.strip() or NOTE.match(line):
            continue
        label = LABEL.fullmatch(line.strip())
        match = label or TIMED.fullmatch(line.strip())
        if match is None:
            raise source.error(
                "expected a time in brackets, as [00:00.000 --> 00:01.500] or (00:00), or two numbers of seconds, "
                f"before the words, found {shown(line)}",
                number,
            )
        at = None if label else match["at"]
        begin = seconds_of(at or match["begin"])
        if begin < last:
            raise source.error(
                "its time is before that of the line above: expected one recording, its lines in the order of time",
                number,
            )
        last = begin
        times = {"start": begin, "end": None if at else seconds_of(match["end"])}
        text = (match["words"] or "").strip()
        pieces.append(piece_of(times, text)._replace(is_phrase=True, part=(0, len(pieces))))
    text = " ".join(filter(None, (piece.text for piece in pieces)))
    fitted = fitted_to(text, pieces)
    assert fitted is not None
    found = timed_text([fitted])
    said = [piece.text for piece in pieces]
    if isinstance(found, str):
        yield Item(source.stem, None, text, left_out=("times",), timed=found)
    else:
        yield Item(source.stem, None, text, timed=timed_of(source.stem, found, said))


FORMAT = Format(
    "timed-lines",
    "lines as Whisper prints them, a time before the words",
    read,
    id_of=stem,
    by_lines=True,
    has_times=True,
)
