"""What recognisers print of a recording: a time before each segment. The words of all are one text.

    [00:00.000 --> 00:01.500]  the cat          whisper, whisper.cpp
    [0.00s -> 1.50s] the cat                    faster-whisper
    (00:00) the cat
    0.00    1.50    the cat                     labels of Audacity, only where a caller says so
    start   end     text                        the table of Whisper (.tsv) or whisper.cpp (.csv): milliseconds
    0       1500    the cat

Lines about the language that is detected are left out. The id is the file's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fstmetrics.data.segments import timed_of
from fstmetrics.io.arcs import shown
from fstmetrics.io.detection.text_signs import NOTE, TIMED, WHISPER_HEAD, seconds_of
from fstmetrics.io.formats.delimited import read_rows
from fstmetrics.io.formats.whisper import Piece, fitted_to, piece_of, timed_text
from fstmetrics.io.items import Format, Item, ReadOptions
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
    lines, advice = _lines(source), ""
    if table := WHISPER_HEAD.match(source.beginning):
        advice = f"; {options.format_option} {'csv' if table[1] == b',' else 'tsv'} reads its rows as items"
        lines = _rows(source, table[1].decode(), advice)
    for number, begin, end, words in lines:
        if begin < last:
            raise source.error(
                "its time is before that of the line above: expected one recording, its lines in the order of time"
                + advice,
                number,
            )
        last = begin
        piece = piece_of({"start": begin, "end": end}, words.strip())
        pieces.append(piece._replace(is_phrase=True, part=(0, len(pieces))))
    text = " ".join(filter(None, (piece.text for piece in pieces)))
    fitted = fitted_to(text, pieces)
    assert fitted is not None
    found = timed_text([fitted])
    said = [piece.text for piece in pieces]
    if isinstance(found, str):
        yield Item(source.stem, None, text, left_out=("times",), timed=found)
    else:
        yield Item(source.stem, None, text, timed=timed_of(source.stem, found, said))


def _lines(source: Source) -> Iterator[tuple[int, float, float | None, str]]:
    """The number of each line, its begin and end in seconds, and its words."""
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
        end = None if at else seconds_of(match["end"])
        yield number, seconds_of(at or match["begin"]), end, match["words"] or ""


def _rows(source: Source, delimiter: str, advice: str) -> Iterator[tuple[int, float, float | None, str]]:
    """The same of the rows of Whisper's table."""
    table = read_rows(source, delimiter)
    for number, row in zip(table.lines or (), table.rows, strict=True):
        times = [row["start"], row["end"]]
        if not all(map(str.isdecimal, times)):
            raise source.error(
                f"expected whole milliseconds, as Whisper writes them, found {shown(' '.join(times))}{advice}",
                number,
            )
        begin, end = (int(time) / 1000 for time in times)
        yield number, begin, end, row["text"]


FORMAT = Format(
    "timed-lines",
    "lines as Whisper prints them, a time before the words",
    read,
    id_of=stem,
    by_lines=True,
    has_times=True,
)
