"""What wav2letter, flashlight and fairseq write: lists, `id path duration words` lines, and letters.

Letters are `T H E | C A T |` lines, a bar behind each word; results of fairseq have `(id)` behind the last.
"""

from __future__ import annotations

from collections.abc import Iterator

from fstmetrics.io.arcs import real, shown, take_id
from fstmetrics.io.detection.text_signs import LETTERS
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.support.source import Source


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The sentences with their ids.

    Raises:
        InputError: a line of another form, or an id that was there before.
    """
    source.refuse_empty()
    seen: dict[str, int] = {}
    for number, line in source.lines():
        if not line.strip():
            continue
        fields = line.split(None, 3)
        try:
            duration = real(fields[2])
        except (ValueError, IndexError):
            raise source.error(f"expected `id path duration words`, found {shown(line)}", number) from None
        id = fields[0]
        take_id(source, id, number, seen)
        words = fields[3].strip() if len(fields) > 3 else ""
        yield Item(id, None, words, fields={"file": fields[1], "duration": duration})


FORMAT = Format("wav2letter", "lists of wav2letter, `id path duration words` lines", read, by_lines=True)


BAR = "|"


def read_letters(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The sentences, with ids where they have any.

    Raises:
        InputError: a line with anything but letters, or without a bar at its end; an id that was there before.
    """
    seen: dict[str, int] = {}
    for number, line in source.lines():
        match = LETTERS.fullmatch(line.strip()) if line.strip() else None
        if match is None and line.strip():
            raise source.error(
                f"expected letters parted by spaces and a bar behind each word, found {shown(line)}", number
            )
        id = match["id"] if match else None
        take_id(source, id, number, seen)
        letters = match["letters"].split() if match else []
        yield Item(id, None, " ".join(filter(None, "".join(letters).split(BAR))))


LETTERS_FORMAT = Format("letters", "letters of fairseq, `T H E | C A T |` lines", read_letters, by_lines=True)
