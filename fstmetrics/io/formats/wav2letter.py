"""Lists of wav2letter and flashlight: `id path duration words` lines."""

from __future__ import annotations

from collections.abc import Iterator

from fstmetrics.io.arcs import real, shown, take_id
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
