"""N-best lists (`NBest`), in the three layouts they come in.

- "nbest": `id ||| hypothesis ||| features ||| total` lines of Moses, cdec and Joshua.
- "nbest-kaldi": `id word word ...` lines that repeat the id; only where a caller names it.
- "nbest-lines": one file an utterance, one hypothesis a line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from fstmetrics.errors import FstmetricsError
from fstmetrics.nbest import NBest
from fstmetrics.readers.arcs import refuse_empty, shown
from fstmetrics.readers.base import Format, Item, ReadOptions, Source, stem_of
from fstmetrics.readers.writing import (
    Carries,
    WriteOptions,
    Writer,
    checked_id,
    checked_line,
    encoded,
    only_item,
)

SEPARATOR = "|||"
# Old Moses has no space after the id.
FIRST_LINE = re.compile(rb"(?:\xef\xbb\xbf)?\s*[^\s|]+[ \t]*\|\|\|")
# Sentence numbers as decoders count them: no leading zeros, which are the mark of an id.
SENTENCE_NUMBER = re.compile(r"0|[1-9][0-9]{0,11}")
EXTENSION = ".nbest"


@dataclass(slots=True)
class _List:
    texts: list[str] = field(default_factory=list)
    scores: list[float | None] = field(default_factory=list)

    def nbest(self, id: str) -> NBest:
        scores = tuple(score for score in self.scores if score is not None)
        return NBest(
            id,
            tuple(tuple(text.split()) for text in self.texts),
            tuple(self.texts),
            scores if len(scores) == len(self.texts) else None,
        )


def sniff(source: Source) -> bool:
    """Whether the first line begins with an id and `|||`."""
    return FIRST_LINE.match(source.data) is not None


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read `id ||| hypothesis ||| ... ||| total` lines.

    If all ids are sentence numbers and none is a known id, order decides: items come by number,
    without id, and every number from 0 must occur.

    Raises:
        InputError: a line without `|||` or id, or a sentence number that is left out.
    """
    refuse_empty(source)
    lists: dict[str, _List] = {}
    left_out: dict[str, None] = {}
    for number, line in source.lines():
        parts = [part.strip() for part in line.split(SEPARATOR)]
        if len(parts) < 2 or not parts[0]:
            raise source.error(f"expected `id ||| hypothesis ||| ...`, not {shown(line)}", number)
        entry = lists.setdefault(parts[0], _List())
        entry.texts.append(parts[1])
        entry.scores.append(_total(parts))
        if options.tell_left_out:
            left_out |= dict.fromkeys(_unread(parts))
    if options.known_ids.isdisjoint(lists) and all(map(SENTENCE_NUMBER.fullmatch, lists)):
        items = _by_number(source, lists)
    else:
        items = (Item(id, entry.nbest(id)) for id, entry in lists.items())
    yield from (replace(item, left_out=tuple(left_out)) for item in items)


def _unread(parts: list[str]) -> Iterator[str]:
    if len(parts) > 2 and parts[2]:
        yield "feature scores"
    if any(parts[4:]):
        yield "word alignments"


def _total(parts: list[str]) -> float | None:
    # Word alignments may follow the total, so it is the fourth field and not the last.
    try:
        total = float(parts[3])
    except (IndexError, ValueError):
        return None
    return None if math.isnan(total) else total


def _by_number(source: Source, lists: dict[str, _List]) -> Iterator[Item]:
    for index in range(len(lists)):
        entry = lists.get(str(index))
        if entry is None:
            raise source.error(
                f"sentence {index} has no hypothesis: ids that are integers count from 0 without gaps "
                f"(here up to {max(map(int, lists))}), unless the other side has them as ids"
            )
        yield Item(None, entry.nbest(str(index)))


def sniff_repeated_ids(source: Source) -> bool:
    """Whether some line begins with the same word as the one before."""
    try:
        firsts = [line.split(None, 1)[:1] for _, line in source.lines()]
    except ValueError:
        return False
    return any(first and first == second for first, second in pairwise(firsts))


def read_repeated_ids(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read `id word word ...` lines; those of one id are its hypotheses, best first.

    Raises:
        InputError: a blank line.
    """
    refuse_empty(source)
    lists: dict[str, _List] = {}
    for number, line in source.lines():
        fields = line.split(None, 1)
        if not fields:
            raise source.error("blank line; expected `id word word ...`", number)
        entry = lists.setdefault(fields[0], _List())
        entry.texts.append(fields[1].rstrip() if len(fields) > 1 else "")
        entry.scores.append(None)
    for id, entry in lists.items():
        yield Item(id, entry.nbest(id))


def sniff_lines(source: Source) -> bool:
    """Whether the name ends in `.nbest` and there is no `|||`: the lines themselves are plain text."""
    return source.name.endswith(EXTENSION) and SEPARATOR.encode() not in source.data


def read_lines(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one list of a file, one hypothesis a line; the id is the file's stem.

    Raises:
        InputError: the file is empty, or not UTF-8.
    """
    texts = [line.strip() for _, line in source.lines()]
    if not texts:  # which a byte order mark alone is, too
        raise source.error("is empty")
    yield Item(source.stem, _List(texts, [None] * len(texts)).nbest(source.stem))


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The lines that `read` reads, with an empty field of features where there are scores.

    Raises:
        FstmetricsError: an id or a word that the format cannot hold.
    """
    return encoded(line for item in items for line in _lines(item.value, checked_id(item)))


def _lines(nbest: NBest, id: str) -> Iterator[str]:
    for index, text in enumerate(_texts(nbest)):
        if SEPARATOR in text or SEPARATOR in id:
            raise FstmetricsError(f"{text!r} has {SEPARATOR} in it, which parts the fields of a line")
        total = "" if nbest.scores is None else f" ||| ||| {nbest.scores[index]!r}"
        yield f"{id} ||| {text}{total}\n"


def _texts(nbest: NBest) -> Iterator[str]:
    for words, text in zip(nbest.entries, nbest.texts, strict=True):
        yield checked_line(words, text).strip()


def write_repeated_ids(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The lines that `read_repeated_ids` reads; errors as of `write`."""
    return encoded(
        f"{checked_id(item)} {text}".rstrip() + "\n" for item in items for text in _texts(item.value)
    )


def write_lines(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The lines of one list; errors as of `write`."""
    return encoded(f"{text}\n" for text in _texts(only_item(items).value))


FORMAT = Format(
    "nbest", "`id ||| hypothesis ||| ...` lists of Moses, cdec and Joshua", (), sniff, read,
    (Writer("nbest", (), Carries("n-best", several=True, ids=True, scores=True), write),),
)  # fmt: skip
KALDI_FORMAT = Format(
    "nbest-kaldi", "`id word word ...` lines that repeat the id", (), sniff_repeated_ids, read_repeated_ids,
    (Writer("nbest-kaldi", (), Carries("n-best", several=True, ids=True), write_repeated_ids),),
)  # fmt: skip
LINES_FORMAT = Format(
    "nbest-lines", "one file an utterance, one hypothesis a line", (EXTENSION,), sniff_lines, read_lines,
    (Writer("nbest-lines", (EXTENSION,), Carries("n-best"), write_lines),), id_of=stem_of,
)  # fmt: skip
