"""Records of fstmetrics, as `--output` of score and mbr writes them: the words of the hypotheses, with their ids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fstmetrics.readers.arcs import refuse_empty, shown
from fstmetrics.readers.items import Format, Item, ReadOptions
from fstmetrics.readers.record_lines import read_objects
from fstmetrics.support.source import Source


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The hypothesis of each record, in order.

    Raises:
        InputError: not JSON (with the line), a record of another unit than words, one without the words of a
            hypothesis, as those of BLEU, or an id that was there before.
    """
    refuse_empty(source)
    seen: dict[str, int] = {}
    for number, record in read_objects(source):
        signature = str(record.get("signature"))
        if "|unit:word|" not in signature:
            raise source.error(
                f"expected a record of words, with unit:word in its signature, found {shown(signature)}",
                number,
            )
        words: Any = record.get("hypothesis")
        id = record.get("id")
        if not _are_words(words):
            raise source.error(
                "this record has no words of a hypothesis: give the texts that were scored", number
            )
        if id is not None and not isinstance(id, str):
            raise source.error(f"expected a text or null as id, found {shown(str(id))}", number)
        if id is not None and seen.setdefault(id, number) != number:
            raise source.error(f"id {shown(id)} is already in line {seen[id]}", number)
        yield Item(id, None, " ".join(words))
    options.remark(f"{source.path} read as records of fstmetrics: their hypotheses")


def _are_words(words: Any) -> bool:
    return isinstance(words, list) and all(isinstance(w, str) and w and not w.isspace() for w in words)


FORMAT = Format(
    "records", "records of fstmetrics: the words of their hypotheses", read, "text", by_lines=True
)
