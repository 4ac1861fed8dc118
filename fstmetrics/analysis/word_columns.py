"""The words of both sides of all items of a run, as columns: `sides_of`; how often each is on both, `matches_of`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.analysis.record_table import RecordTable

    Integers = npt.NDArray[np.int64]

# Words of either side that are counted together.
TOGETHER = 1 << 17


class WordColumn(NamedTuple):
    """The words of one side of all items, one after the other.

    Attributes:
        words: their numbers in the vocabulary, or those of n-grams; shape [words].
        items: the item of each; shape [words].
    """

    words: Integers | npt.NDArray[np.int32]
    items: Integers | npt.NDArray[np.int32]


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


def matches_by_word(reference: WordColumn, hypothesis: WordColumn, vocabulary: int) -> Integers:
    """The matches of all items for every word, shape [vocabulary]; arguments as of `matches_of`.

    >>> column = WordColumn(np.array([0, 1, 0]), np.array([0, 0, 1]))
    >>> matches_by_word(column, column, 3).tolist()
    [2, 1, 0]
    """
    counts = np.zeros(vocabulary, dtype=np.int64)
    items = int(max(side.items[-1] if len(side.items) else 0 for side in (reference, hypothesis))) + 1
    parts = 1 + (len(reference.words) + len(hypothesis.words)) // TOGETHER
    # Items are in order, so that a part of them is a part of each column.
    ends = np.linspace(0, items, parts + 1).astype(np.int64)
    cuts = [np.searchsorted(side.items, ends).tolist() for side in (reference, hypothesis)]
    for part in range(parts):
        (a, b), (c, d) = (cut[part : part + 2] for cut in cuts)
        found = matches_of(
            WordColumn(reference.words[a:b], reference.items[a:b]),
            WordColumn(hypothesis.words[c:d], hypothesis.items[c:d]),
            vocabulary,
        )
        np.add.at(counts, found.words, found.counts)
    return counts


def matches_of(reference: WordColumn, hypothesis: WordColumn, vocabulary: int) -> Matches:
    """How often each word of an item is on both sides.

    Args:
        reference, hypothesis: both sides of the same items, which are in order.
        vocabulary: a number above those of all words.

    >>> reference = WordColumn(np.array([0, 1, 0, 2]), np.array([0, 0, 0, 1]))
    >>> hypothesis = WordColumn(np.array([0, 0, 0, 1]), np.array([0, 0, 0, 1]))
    >>> [column.tolist() for column in matches_of(reference, hypothesis, 3)]
    [[0], [0], [2]]
    """
    (one, mine), (two, theirs) = (
        np.unique(side.items.astype(np.int64) * vocabulary + side.words, return_counts=True)
        for side in (reference, hypothesis)
    )
    both, first, second = np.intersect1d(one, two, assume_unique=True, return_indices=True)
    counts = np.minimum(mine[first], theirs[second])
    return Matches(both // vocabulary, both % vocabulary, counts)
