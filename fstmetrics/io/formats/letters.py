"""fairseq's letters: `T H E | C A T |` lines, a bar behind each word; its results have `(id)` behind the last."""

from __future__ import annotations

from collections.abc import Iterator

from fstmetrics.io.arcs import shown, take_id
from fstmetrics.io.detection.text_signs import LETTERS
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.support.source import Source

BAR = "|"


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
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


FORMAT = Format("letters", "letters of fairseq, `T H E | C A T |` lines", read, by_lines=True)
