"""N-grams of the references that one system produces more often than another: `NgramMatches`.

As compare-mt has it (Neubig et al., NAACL 2019, section 3.4): an n-gram of an output matches as often as its item's
reference has it; n-grams are ranked by the smoothed likelihood ratio (m1 + 1) / (m1 + m2 + 2) of their matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics.analysis.word_columns import WordColumn, matches_by_word, sides_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.analysis.record_table import RecordTable

    Integers = npt.NDArray[np.int64]
    Numbers = npt.NDArray[np.int32]

# N-grams are counted up to this order.
MAX_ORDER = 4
# Added to each count of matches.
SMOOTHING = 1.0


class NgramGain(NamedTuple):
    """An n-gram, how often it matches in the output of either of two systems, and what that says.

    Attributes:
        words: of the n-gram.
        first, second: matches of the two systems.
        ratio: (first + 1) / (first + second + 2): near 1, only the first system has it.
    """

    words: tuple[str, ...]
    first: int
    second: int
    ratio: float


class NgramMatches:
    """How often the n-grams of closest paths match in the outputs of systems.

    Args:
        tables: of each system, with one vocabulary.
        max_order: words of the longest n-grams.

    Attributes:
        counts: matches, shape [systems, n-grams].

    >>> import fstmetrics as fm
    >>> from fstmetrics.analysis.record_table import Vocabulary
    >>> from fstmetrics.analysis.result_table import table_of_results
    >>> words, references = Vocabulary(), ["the old man", "the old man"]
    >>> outputs = ["the old man", "the old man"], ["the man", "an old man"]
    >>> tables = [table_of_results(fm.score(texts, references), words) for texts in outputs]
    >>> for gain in NgramMatches(tables).gains(0, 1)[0][:2]:
    ...     print(gain.words, gain.first, gain.second, gain.ratio)
    ('the', 'old') 2 0 0.75
    ('the', 'old', 'man') 2 0 0.75
    """

    def __init__(self, tables: Sequence[RecordTable], max_order: int = MAX_ORDER) -> None:
        self._words = list(tables[0].words)
        sides = [_small(side) for table in tables for side in sides_of(table)]
        # N-grams of all sides have one numbering: an n-gram is the (n-1)-gram before its last word, and that word.
        grams = list(sides)
        size, first = len(self._words), 0
        self._before: list[Numbers] = []
        self._last: list[Numbers] = []
        found: list[Numbers] = []
        for order in range(1, max_order + 1):
            if order > 1:
                keys, grams = _longer(grams, sides, order, len(self._words))
                size = len(keys)
                self._before.append((keys // len(self._words) + first).astype(np.int32))
                self._last.append((keys % len(self._words)).astype(np.int32))
                first += len(self._before[-2])
            else:
                self._before.append(np.full(size, -1, dtype=np.int32))
                self._last.append(np.arange(size, dtype=np.int32))
            rows = []
            for reference, hypothesis in zip(grams[::2], grams[1::2], strict=True):
                rows.append(matches_by_word(reference, hypothesis, max(size, 1))[:size].astype(np.int32))
            found.append(np.stack(rows))
        self.counts: Numbers = np.concatenate(found, axis=1)
        self._parents, self._ends = np.concatenate(self._before), np.concatenate(self._last)

    def gains(self, first: int, second: int, most: int = 50) -> tuple[list[NgramGain], list[NgramGain]]:
        """The n-grams that the first system has more often, and those that the second has, the clearest first.

        Args:
            first, second: numbers of the systems.
            most: how many of each.
        """
        one, two = self.counts[first], self.counts[second]
        return self._best(one, two, most), [
            NgramGain(gain.words, gain.second, gain.first, 1 - gain.ratio)
            for gain in self._best(two, one, most)
        ]

    def _best(self, one: Integers, two: Integers, most: int) -> list[NgramGain]:
        more = np.flatnonzero(one > two)
        ratios = (one[more] + SMOOTHING) / (one[more] + two[more] + 2 * SMOOTHING)
        # N-grams of a smaller order come first, and of one order those whose words come first.
        best = more[np.lexsort((more, -one[more], -ratios))[:most]]
        return [
            NgramGain(self.words(gram), m, n, (m + SMOOTHING) / (m + n + 2 * SMOOTHING))
            for gram, m, n in zip(best.tolist(), one[best].tolist(), two[best].tolist(), strict=True)
        ]

    def words(self, gram: int) -> tuple[str, ...]:
        """The words of an n-gram, a column of `counts`."""
        found: list[str] = []
        while gram >= 0:
            found.append(self._words[self._ends[gram]])
            gram = int(self._parents[gram])
        return tuple(found[::-1])


def _small(side: WordColumn) -> WordColumn:
    """A column in half the memory: words, n-grams and items of a page are far fewer than 2^31."""
    return WordColumn(side.words.astype(np.int32), side.items.astype(np.int32))


def _longer(
    grams: Sequence[WordColumn], sides: Sequence[WordColumn], order: int, vocabulary: int
) -> tuple[Integers, list[WordColumn]]:
    """Keys of the n-grams of an order, and the columns of all sides: an n-gram one shorter, and the word behind it."""
    keys, items = [], []
    for gram, side in zip(grams, sides, strict=True):
        last = np.arange(order - 1, len(side.words))
        whole = side.items[last] == side.items[last - order + 1]
        # N-grams one shorter are fewer than words: of an item with w words, w - order + 2.
        before = np.flatnonzero(_has_next(gram))
        keys.append(gram.words[before].astype(np.int64) * vocabulary + side.words[last[whole]])
        items.append(side.items[last[whole]])
    # Side by side: numbers of all at once would take several times the memory.
    known = _different(np.concatenate([np.zeros(0, dtype=np.int64), *map(_different, keys)]))
    return known, [WordColumn(np.searchsorted(known, each), of) for each, of in zip(keys, items, strict=True)]


def _different(keys: Integers) -> Integers:
    """Each key once, in order; `np.unique` puts integers into a hash table first and takes ten times as long."""
    found = np.sort(keys)
    return found[np.flatnonzero(np.diff(found, prepend=-1))]


def _has_next(gram: WordColumn) -> npt.NDArray[np.bool_]:
    """Of n-grams, whether another one of the same item follows: its last word makes a longer one."""
    following = np.zeros(len(gram.items), dtype=np.bool_)
    following[:-1] = gram.items[:-1] == gram.items[1:]
    return following
