"""N-grams of the references that one system produces more often than another: `NgramMatches`.

As compare-mt has it (Neubig et al., NAACL 2019, section 3.4): an n-gram of an output matches as often as its item's
reference has it; n-grams are ranked by the smoothed likelihood ratio (m1 + 1) / (m1 + m2 + 2) of their matches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics.analysis.word_accuracy import WordColumn, matches_by_word, sides_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.analysis.record_table import RecordTable

    Integers = npt.NDArray[np.int64]
    Numbers = npt.NDArray[np.int32]

# N-grams are counted up to this order.
MAX_ORDER = 4
# Words of a side that are looked at together.
TOGETHER = 1 << 18
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
        counts: matches, shape [systems, n-grams], of those that match somewhere.

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
        sides, pairs = _sides(tables)
        references = sorted({reference for reference, _ in pairs})
        # N-grams of all sides have one numbering: an n-gram is the (n-1)-gram before its last word, and that word.
        # What never matches is left out, and all that begins with it, which never matches either.
        # Of each side, the number of the n-gram that begins with each word; -1: there is none.
        grams: list[Numbers] = [side.words for side in sides]
        vocabulary, first = len(self._words), 0
        parents: list[Numbers] = []
        ends: list[Numbers] = []
        found: list[Numbers] = []
        for order in range(1, max_order + 1):
            if order == 1:
                known = np.arange(vocabulary)
            else:
                known = _known([(grams[r], sides[r]) for r in references], order, vocabulary)
                for number, side in enumerate(sides):
                    grams[number] = _longer(known, grams[number], side, order, vocabulary)
            rows = np.zeros((len(tables), len(known)), dtype=np.int32)
            for row, both in zip(rows, pairs, strict=True):
                reference, hypothesis = (_present(grams[number], sides[number]) for number in both)
                row[:] = matches_by_word(reference, hypothesis, max(len(known), 1))[: len(known)]
            matches = rows.any(axis=0)
            known = known[matches]
            found.append(rows[:, matches])
            ends.append((known % max(vocabulary, 1)).astype(np.int32))
            if order == 1:
                parents.append(np.full(len(known), -1, dtype=np.int32))
            else:
                parents.append((known // vocabulary + first).astype(np.int32))
                first += len(found[-2][0])
            numbers = np.append(np.where(matches, np.cumsum(matches) - 1, -1), -1).astype(np.int32)
            for number, gram in enumerate(grams):
                grams[number] = numbers[gram]
            del gram
        self.counts: Numbers = np.concatenate(found, axis=1)
        self._parents, self._ends = np.concatenate(parents), np.concatenate(ends)

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


def _sides(tables: Sequence[RecordTable]) -> tuple[list[WordColumn], list[tuple[int, int]]]:
    """The different sides of all systems; and of each the numbers of its closest paths, and of its outputs.

    Systems that were scored against one reference have the same closest paths.
    """
    sides: list[WordColumn] = []
    pairs: list[tuple[int, int]] = []
    for table in tables:
        reference, hypothesis = sides_of(table)
        number = next((r for r, _ in pairs if _are_same(sides[r], reference)), len(sides))
        sides += [reference] * (number == len(sides))
        pairs.append((number, len(sides)))
        sides.append(hypothesis)
    return sides, pairs


def _are_same(one: WordColumn, two: WordColumn) -> bool:
    return np.array_equal(one.words, two.words) and np.array_equal(one.items, two.items)


def _keys(
    gram: Numbers, side: WordColumn, order: int, vocabulary: int
) -> Iterator[tuple[Integers, Integers]]:
    """Where the n-grams of an order begin on a side, and a key of each: an n-gram one shorter, and its last word.

    Some at a time: all at once would take several times the memory of the side.

    Args:
        gram: the numbers of the n-grams that are one shorter, by the word with which they begin; -1: there is none.
        side: the words.
        order: words of the n-grams.
        vocabulary: a number above those of all words.
    """
    size = max(len(gram) - order + 1, 0)
    for first in range(0, size, TOGETHER):
        some, last = (
            slice(first, min(first + TOGETHER, size)),
            slice(first + order - 1, first + TOGETHER + order - 1),
        )
        begins = first + np.flatnonzero((side.items[last] == side.items[some]) & (gram[some] >= 0))
        yield begins, gram[begins].astype(np.int64) * vocabulary + side.words[begins + order - 1]


def _known(references: Sequence[tuple[Numbers, WordColumn]], order: int, vocabulary: int) -> Integers:
    """The keys of the references, each once, in order; those of outputs alone never match."""
    known = np.zeros(0, dtype=np.int64)
    for gram, side in references:
        found = [_different(keys) for _, keys in _keys(gram, side, order, vocabulary)]
        known = _different(np.concatenate([known, *found]))
    return known


def _longer(known: Integers, gram: Numbers, side: WordColumn, order: int, vocabulary: int) -> Numbers:
    """The numbers of the n-grams of an order by the word with which they begin; -1: there is none that is known."""
    longer = np.full(len(gram), -1, dtype=np.int32)
    for begins, keys in _keys(gram, side, order, vocabulary) if len(known) else ():
        places = np.searchsorted(known[:-1], keys)
        longer[begins] = np.where(known[places] == keys, places, -1)
    return longer


def _present(gram: Numbers, side: WordColumn) -> WordColumn:
    """The n-grams of a side."""
    there = gram >= 0
    return WordColumn(gram[there], side.items[there])


def _different(keys: Integers) -> Integers:
    """Each key once, in order; `np.unique` puts integers into a hash table first and takes ten times as long.

    The keys are put in order where they are.
    """
    keys.sort()
    is_first = np.ones(len(keys), dtype=np.bool_)
    is_first[1:] = keys[1:] != keys[:-1]
    return keys[is_first]
