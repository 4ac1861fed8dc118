"""Lines of two stored texts whose ids are in both: `shared_lines`, which makes no object of an item.

The ids of each text are looked up in an index of the other (`LineIndex`), one index after the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fstmetrics.readers.stored_texts import READ_AHEAD, LinesByIds, Part, StoredLines, some_of

# What an id may be where a text counts its items from 0, and another one from 1.
FIRST_NUMBER = "0"


class Shared(NamedTuple):
    """Lines with the same ids in the same order.

    Attributes:
        first, other: those of either text, in the order of the first one.
        alone: how many ids only one of them has.
    """

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


def shared_lines(first: StoredLines, other: StoredLines) -> Shared | None:
    """The lines of two texts whose ids are in both.

    None where they have to be looked at one by one: no id is in both, ids may be the same but for their case, or be
    numbers that count the items from 0 in one text and from 1 in the other, or a text cannot be read in any order.
    """
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
    chosen = _ChosenLines(first, np.flatnonzero(ours.is_there))
    return Shared(chosen, LinesByIds(other, chosen.ids, index, content), len(ours.alone) + len(theirs.alone))


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
        if not len(places):
            return super()._read(0, 0)
        first, last = int(places[0]), int(places[-1])
        part = super()._read(first, last + 1)
        return part if last - first + 1 == len(places) else some_of(part, places - first)
