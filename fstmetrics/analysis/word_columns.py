"""The words of both sides of all items of a run, as columns: `sides_of`; how often each is on both, `matches_of`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.analysis.record_table import RecordTable

    Integers = npt.NDArray[np.int64]


class WordColumn(NamedTuple):
    """The words of one side of all items, one after the other.

    Attributes:
        words: their numbers in the vocabulary, or those of n-grams; shape [words].
        items: the item of each; shape [words].
    """

    words: Integers
    items: Integers


def sides_of(table: RecordTable) -> tuple[WordColumn, WordColumn]:
    """The words of all closest paths, and those of all hypotheses in the order in which they were given.

    Words under a wildcard are on neither side.
    """
    reference = table.has("=SD")
    spoken = table.has("=SI")
    items = table.items
    closest = WordColumn(table.reference[reference].astype(np.int64), items[reference])
    hypothesis = WordColumn(table.hypothesis[spoken].astype(np.int64), items[spoken])
    for item in np.flatnonzero(table.counts["moves"]).tolist():
        begin, end = np.searchsorted(hypothesis.items, (item, item + 1))
        hypothesis.words[begin:end] = table.words.numbers(table.special[item].hypothesis)
    return closest, hypothesis


class Matches(NamedTuple):
    """What items have on both sides, counted as BLEU clips it.

    Attributes:
        items, words: of every kind of word of every item that both sides have.
        counts: how often: the smaller of the numbers on either side.
    """

    items: Integers
    words: Integers
    counts: Integers


def matches_of(reference: WordColumn, hypothesis: WordColumn, vocabulary: int) -> Matches:
    """How often each word of an item is on both sides.

    Args:
        reference, hypothesis: both sides of the same items.
        vocabulary: a number above those of all words.

    >>> reference = WordColumn(np.array([0, 1, 0, 2]), np.array([0, 0, 0, 1]))
    >>> hypothesis = WordColumn(np.array([0, 0, 0, 1]), np.array([0, 0, 0, 1]))
    >>> [column.tolist() for column in matches_of(reference, hypothesis, 3)]
    [[0], [0], [2]]
    """
    (one, mine), (two, theirs) = (
        np.unique(side.items * vocabulary + side.words, return_counts=True)
        for side in (reference, hypothesis)
    )
    both, first, second = np.intersect1d(one, two, assume_unique=True, return_indices=True)
    counts = np.minimum(mine[first], theirs[second])
    return Matches(both // vocabulary, both % vocabulary, counts)
