"""Lines of two stored texts that pair by their ids, without an object of an item.

`shared_lines` has those whose ids are in both texts, `all_lines` all, with empty ones where an id is in one text only.

The ids of each text are looked up in an index of the other (`LineIndex`), one index after the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fstmetrics._native import FieldRows, LineIndex, TextColumn, numbered_lines
from fstmetrics.readers.stored_bytes import PlainBytes
from fstmetrics.readers.stored_texts import READ_AHEAD, LinesByIds, Part, StoredColumn, StoredLines

# What an id may be where a text counts its items from 0, and another one from 1.
FIRST_NUMBER = "0"
# The number of no line.
NOTHING = -1


class Paired(NamedTuple):
    """Lines of two texts with the same ids in the same order.

    Attributes:
        ids: of them.
        first, other: those of either text.
        alone: how many ids only one of them has.
    """

    ids: StoredColumn
    first: StoredLines
    other: StoredLines
    alone: int


class _Found(NamedTuple):
    """What another text has of the ids of a text.

    Attributes:
        is_there: of each, whether the other has it.
        alone: a hash of those that it has not, without regard to case.
        may_count: whether the text may count its items from 0, and the other one from 1.
    """

    is_there: npt.NDArray[np.bool_]
    alone: npt.NDArray[np.int64]
    may_count: bool


class _Index(NamedTuple):
    """What two texts have of each other's ids, and where the lines of the other one are."""

    ours: _Found
    theirs: _Found
    lines: LineIndex
    content: PlainBytes

    @property
    def alone(self) -> int:
        """How many ids only one of them has."""
        return len(self.ours.alone) + len(self.theirs.alone)


def shared_lines(first: StoredLines, other: StoredLines) -> Paired | None:
    """The lines of two texts whose ids are in both, in the order of the first one.

    None where they have to be looked at one by one: no id is in both, ids may be the same but for their case, or be
    numbers that count the items from 0 in one text and from 1 in the other, or a text cannot be read in any order.
    """
    found = _indexed(first, other)
    if found is None:
        return None
    both = _ChosenLines(first, np.flatnonzero(found.ours.is_there))
    return Paired(both.ids, both, LinesByIds(other, both.ids, found.lines, found.content), found.alone)


def all_lines(first: StoredLines, other: StoredLines) -> Paired | None:
    """All lines of two texts: in the order of the first one, then those whose ids only the other one has.

    Where a text lacks an id, it has an empty line. None as of `shared_lines`.
    """
    found = _indexed(first, other)
    if found is None:
        return None
    both = _ChosenLines(first, np.flatnonzero(found.ours.is_there))
    alone = _ChosenLines(other, np.flatnonzero(~found.theirs.is_there))
    theirs = _LinesTogether(LinesByIds(other, both.ids, found.lines, found.content), alone)
    behind = np.arange(first.size, first.size + alone.size)
    return Paired(
        _LinesTogether(first, alone).ids,
        _LinesWithGaps(first, behind),
        _LinesWithGaps(theirs, np.flatnonzero(~found.ours.is_there)),
        found.alone,
    )


def _indexed(first: StoredLines, other: StoredLines) -> _Index | None:
    theirs = _found(other, first)
    first.source.forget_indexes()
    if theirs is None or theirs.may_count:
        return None
    ours = _found(first, other)
    if ours is None or ours.may_count or not ours.is_there.any():
        return None
    if len(np.intersect1d(ours.alone, theirs.alone)):
        return None
    index, content = other.source.index(other.form), other.source.in_any_order()
    # The ids are read ahead of the other texts, so that there is a way back in both files.
    if index is None or content is None or first.source.in_any_order() is None:
        return None
    return _Index(ours, theirs, index, content)


def _found(lines: StoredLines, others: StoredLines) -> _Found | None:
    index = others.source.index(others.form)
    if index is None:
        return None
    is_there = np.zeros(lines.size, dtype=np.bool_)
    alone, may_count = [np.zeros(0, dtype=np.int64)], False
    for begin in range(0, lines.size, READ_AHEAD):
        ids = lines.ids[begin : begin + READ_AHEAD]
        found = index.places(ids) >= 0
        is_there[begin : begin + len(found)] = found
        lacking = list(ids.taken(np.flatnonzero(~found)))
        may_count = may_count or FIRST_NUMBER in lacking
        alone.append(np.fromiter((hash(id.casefold()) for id in lacking), np.int64, len(lacking)))
    return _Found(is_there, np.concatenate(alone), may_count)


class _ChosenLines(StoredLines):
    """Some lines of a text.

    Args:
        lines: all of them.
        places: the numbers of those that are chosen, in order.
    """

    def __init__(self, lines: StoredLines, places: npt.NDArray[np.int64]) -> None:
        super().__init__(lines.source, lines.parse, len(places), lines.form)
        # Four bytes are enough for the lines of a file.
        self._places = places.astype(np.uint32)

    def _read(self, begin: int, end: int) -> Part:
        places = self._places[begin:end].astype(np.int64)
        if not len(places) or int(places[-1]) - int(places[0]) + 1 == len(places):
            first = int(places[0]) if len(places) else 0
            return super()._read(first, first + len(places))
        windows = np.split(places, np.flatnonzero(np.diff(places // READ_AHEAD)) + 1)
        return self.parse(b"".join(map(self._lines, windows)))

    def _lines(self, places: npt.NDArray[np.int64]) -> bytes:
        """The bytes of lines that are near each other."""
        first = int(places[0])
        data, before = self.source.between(self.survey, first, int(places[-1]) + 1)
        return numbered_lines(data, self.form, places - first + before)


class _LinesWithGaps(StoredLines):
    """Lines of a text, and between them empty ones, which have neither an id nor fields.

    Args:
        lines: those of the text.
        gaps: the numbers of the empty ones, in order.
    """

    def __init__(self, lines: StoredLines, gaps: npt.NDArray[np.int64]) -> None:
        super().__init__(lines.source, lines.parse, lines.size + len(gaps), lines.form)
        self._lines, self._gaps = lines, gaps.astype(np.uint32)

    def _read(self, begin: int, end: int) -> Part:
        first, last = np.searchsorted(self._gaps, (begin, end)).tolist()
        # One line at least, so that there are columns to take nothing of.
        at = min(begin - first, self._lines.size - 1)
        _, texts, fields = self._lines.part(at, max(at + 1, end - last))
        is_line = np.ones(end - begin, dtype=np.bool_)
        is_line[self._gaps[first:last].astype(np.int64) - begin] = False
        numbers = np.where(is_line, np.cumsum(is_line) - 1, NOTHING)
        return None, texts.taken(numbers), None if fields is None else fields.taken(numbers)


class _LinesTogether(StoredLines):
    """The lines of a text, then others."""

    def __init__(self, lines: StoredLines, others: StoredLines) -> None:
        super().__init__(lines.source, lines.parse, lines.size + others.size, lines.form)
        self._lines, self._others = lines, others

    def _read(self, begin: int, end: int) -> Part:
        size = self._lines.size
        if end <= size or begin >= size:
            lines, before = (self._lines, 0) if end <= size else (self._others, size)
            return lines.part(begin - before, end - before)
        parts = self._lines.part(begin, size), self._others.part(0, end - size)
        numbers = np.arange(begin - size, end - size)
        places = np.where(numbers < 0, numbers + size - begin, NOTHING), np.maximum(numbers, NOTHING)
        told = [rows.taken(some) for (*_, rows), some in zip(parts, places, strict=True) if rows is not None]
        ids = [ids for ids, *_ in parts if ids is not None]
        texts = TextColumn.of_parts([texts for _, texts, _ in parts])
        return TextColumn.of_parts(ids), texts, FieldRows.merged(told) if told else None
