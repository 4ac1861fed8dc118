"""Soft re-segmentation: `soft_cuts` cuts a stream of words where it is most like the segments of the references.

SoftSegmenter's criterion (Polák et al. 2025, "Better Late Than Never", arXiv 2509.17349): the pieces of both sides
(`soft_tokens`) are aligned so that the sum of similarities is the largest. Two pieces gain the Jaccard similarity of
their sets of characters; a punctuation mark and a piece that is none are never aligned; what stays alone costs nothing.
A piece of the hypothesis that stays alone belongs to the reference piece before it, until one of its neighbours is more
like the reference piece behind; and a word goes where its first piece goes. Of equally good alignments the one is taken
whose last difference aligns two pieces; if none does, the one that leaves a reference piece alone. Sums are those of
double precision from the beginning on, so that the cuts are the same everywhere, and those of OmniSTEval.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics import _native
from fstmetrics.streams.soft_tokens import BUILT_IN, Tokens, soft_tokens
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    import numpy.typing as npt

    Row = npt.NDArray[np.float64]
    Steps = npt.NDArray[np.uint8]
    Numbers = npt.NDArray[np.int32]

# Marks that are not aligned with words.
PUNCTUATION = frozenset(".!?,;:-()。！？，；：—（）ー")
# Steps that are held at once, a byte each; rows before them are found again from every so many.
HELD = 1 << 26
# Similarities that are held at once, eight bytes each.
AT_ONCE = 1 << 22
# What a cell of the table is reached by: the two pieces, a reference piece alone, a piece of the hypothesis alone.
PAIR, REFERENCE, HYPOTHESIS = range(3)


def soft_cuts(
    references: Sequence[Sequence[str]], hypothesis: Sequence[str], language: str = BUILT_IN
) -> list[int]:
    """Cut a hypothesis without segment ends where it is most like the segments of the references.

    Takes time by the product of the numbers of words.

    Args:
        references: the words of each segment of one document, in order, as they are written.
        hypothesis: the words of the document, as they are written.
        language: whose rules cut punctuation off words, as of `soft_tokens`.

    Returns:
        Where segments begin and end: one number more than there are segments, from 0 to the number of words; segment k
        has the words from cut k to cut k + 1. Where no reference has a word, all words are in the first segment.

    Raises:
        FstmetricsError: there is no segment, or as of `soft_tokens`.

    >>> soft_cuts([["a", "cat", "sat."], ["It", "slept."]], ["The", "cats", "sat", ".", "it", "sleeps", "."])
    [0, 4, 7]
    """
    if not references:
        raise FstmetricsError(
            "there is no segment to cut the words for: expected references of one segment or more"
        )
    tokens = soft_tokens(language)
    segments, pieces = _pieces(references, tokens)
    words, spoken = _pieces([[word] for word in hypothesis], tokens)
    found = np.zeros(len(hypothesis), dtype=np.intp)  # the segment of each word
    if pieces:
        for word, owner in zip(reversed(words), reversed(_owners(pieces, spoken)), strict=True):
            found[word] = segments[owner]
    inner = np.searchsorted(np.maximum.accumulate(found), np.arange(1, len(references)))
    return [0, *inner.tolist(), len(hypothesis)]


def _pieces(texts: Sequence[Sequence[str]], tokens: Tokens) -> tuple[list[int], list[str]]:
    """The pieces of all words, and the number of the text of each."""
    found = [(number, piece) for number, text in enumerate(texts) for word in text for piece in tokens(word)]
    return [number for number, _ in found], [piece for _, piece in found]


def _owners(references: Sequence[str], hypothesis: Sequence[str]) -> list[int]:
    """The place of the reference piece that each piece of the hypothesis belongs to, which never goes back."""
    owners: list[int] = []
    alone: list[int] = []  # places of pieces that nothing is aligned with, since the last reference piece
    before = -1
    for step, row, column in _aligned(references, hypothesis):
        if step == HYPOTHESIS:
            alone.append(column)
            continue
        owners += _shared_out(references, hypothesis, alone, before, row)
        alone, before = [], row
        if step == PAIR:
            owners.append(row)
    return owners + [before] * len(alone)


def _shared_out(
    references: Sequence[str], hypothesis: Sequence[str], alone: Sequence[int], before: int, behind: int
) -> list[int]:
    """The owners of pieces that stand alone between two pieces of the references.

    Args:
        references, hypothesis: all pieces.
        alone: places in the hypothesis.
        before, behind: places in the references; before is -1 at the beginning.
    """
    if before < 0:
        return [behind] * len(alone)
    for number, place in enumerate(alone):
        piece = hypothesis[place]
        if similarity(piece, references[behind]) > similarity(piece, references[before]):
            return [before] * number + [behind] * (len(alone) - number)
    return [before] * len(alone)


def similarity(one: str, other: str) -> float:
    """The Jaccard similarity of the sets of characters of two pieces; -inf where one of them alone is punctuation.

    >>> similarity("sat", "sits"), similarity("cat", ".")
    (0.5, -inf)
    """
    if (one in PUNCTUATION) != (other in PUNCTUATION):
        return -math.inf
    left, right = set(one), set(other)
    return len(left & right) / (len(left | right) or 1)


def _aligned(references: Sequence[str], hypothesis: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """The best alignment from its beginning: what each step is, and the places of its pieces."""
    found: list[tuple[int, int, int]] = []
    row, column = len(references), len(hypothesis)
    for first, steps in _step_tables(references, hypothesis):
        while row > first:
            step = steps[row - first - 1, column - 1] if column else REFERENCE
            row -= step != HYPOTHESIS
            column -= step != REFERENCE
            found.append((int(step), row, column))
    found += [(HYPOTHESIS, 0, place) for place in range(column - 1, -1, -1)]
    return reversed(found)


def _step_tables(references: Sequence[str], hypothesis: Sequence[str]) -> Iterator[tuple[int, Steps]]:
    """The steps of some rows, the last rows first, with the number of the rows above; shape [rows, len(hypothesis)].

    A first pass keeps the sums above each of these tables.
    """
    table = _Table(references, hypothesis)
    size = max(1, HELD // max(1, len(hypothesis)))
    starts = range(0, len(references), size)
    sums = [np.zeros(len(hypothesis) + 1)]
    for start in starts[:-1]:
        sums.append(sums[-1].copy())
        table.fill(references[start : start + size], sums[-1], None)
    for start, above in zip(reversed(starts), reversed(sums), strict=True):
        some = references[start : start + size]
        steps = np.empty((len(some), len(hypothesis)), dtype=np.uint8)
        table.fill(some, above, steps)
        yield start, steps


class _Table:
    """The table over the pieces of both sides."""

    def __init__(self, references: Sequence[str], hypothesis: Sequence[str]) -> None:
        self._characters = {
            c: number for number, c in enumerate(sorted(set().union(*references, *hypothesis)))
        }
        self._hypothesis = self._numbered(hypothesis)
        self._rows_at_once = max(1, AT_ONCE // max(1, len(self._hypothesis[2])))

    def fill(self, pieces: Sequence[str], sums: Row, steps: Steps | None) -> None:
        """The rows of some pieces of the references.

        Args:
            pieces: of the references.
            sums: the row above, which becomes the last one.
            steps: gets the steps, a row a piece.
        """
        for start in range(0, len(pieces), self._rows_at_once):
            some = pieces[start : start + self._rows_at_once]
            own = None if steps is None else steps[start : start + len(some)]
            _native.soft_rows(*self._numbered(some), *self._hypothesis, len(self._characters), sums, own)

    def _numbered(self, pieces: Sequence[str]) -> tuple[Numbers, Numbers, Steps, Numbers]:
        """Where the characters of different pieces begin, these, and which are marks; then which piece each one is."""
        numbers: dict[str, int] = {}
        places = [numbers.setdefault(piece, len(numbers)) for piece in pieces]
        sets = [[self._characters[c] for c in set(piece)] for piece in numbers]
        offsets = np.cumsum([0, *map(len, sets)], dtype=np.int32)
        characters = np.array([c for each in sets for c in each], dtype=np.int32)
        are_marks = np.array([piece in PUNCTUATION for piece in numbers], dtype=np.uint8)
        return offsets, characters, are_marks, np.array(places, dtype=np.int32)
