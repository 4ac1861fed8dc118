"""N-grams of the references that one system produces more often than another: `ngram_gains`.

As compare-mt has it (Neubig et al., NAACL 2019, section 3.4): an n-gram of an output matches as often as its item's
reference has it; n-grams are ranked by the smoothed likelihood ratio (m1 + 1) / (m1 + m2 + 2) of their matches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics.analysis.word_accuracy import WordColumn, WordRows, matches_of, sides_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.analysis.record_table import RecordTable

    Integers = npt.NDArray[np.int64]
    Numbers = npt.NDArray[np.int32]

# N-grams are counted up to this order.
MAX_ORDER = 4
# Words of all sides that are looked at together.
TOGETHER = 1 << 17
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
    """How often n-grams of closest paths match in the outputs of systems: those that begin with some of the words.

    Args:
        sides: the words of the different sides of all systems.
        pairs: of each system, the numbers of its closest paths and of its outputs among the sides.
        words: the vocabulary.
        first: numbers of the words with which the n-grams begin.
        max_order: words of the longest n-grams.

    Attributes:
        counts: matches, shape [systems, n-grams], of those that match somewhere: by their order, and those of one order
            by the numbers of their words.
    """

    def __init__(
        self,
        sides: Sequence[WordRows],
        pairs: Sequence[tuple[int, int]],
        words: Sequence[str],
        first: range,
        max_order: int = MAX_ORDER,
    ) -> None:
        self._words = words
        vocabulary = len(words)
        begun = [_Begun.of(side, first) for side in sides]
        # N-grams of all sides have one numbering: an n-gram is the (n-1)-gram before its last word, and that word.
        # What never matches is left out, and all that begins with it, which never matches either.
        parents: list[Numbers] = []
        ends: list[Numbers] = []
        found: list[Numbers] = []
        shorter = 0  # n-grams of orders below the one before
        for order in range(1, max_order + 1):
            for number, side in enumerate(sides):  # one after the other, as each may be large
                begun[number] = begun[number].longer(side, order, vocabulary)
            known = _different(np.concatenate([begun[number].grams for number in {r for r, _ in pairs}]))
            for number, each in enumerate(begun):
                begun[number] = each.numbered(known)
            del each
            rows = np.zeros((len(pairs), len(known)), dtype=np.int32)
            for row, both in zip(rows, pairs, strict=True):
                reference, hypothesis = (WordColumn(begun[n].grams, begun[n].items) for n in both)
                own = matches_of(reference, hypothesis, len(known))
                np.add.at(row, own.words, own.counts)
            matches: npt.NDArray[np.bool_] = rows.any(axis=0)  # type: ignore[assignment]
            for number, each in enumerate(begun):
                begun[number] = each.chosen(matches[each.grams]).numbered(np.flatnonzero(matches))
            del each
            before, last = np.divmod(known[matches], max(vocabulary, 1))
            parents.append((before + shorter if order > 1 else before - 1).astype(np.int32))
            ends.append(last.astype(np.int32))
            shorter += len(found[-1][0]) if order > 1 else 0
            found.append(rows[:, matches])
        self.counts: Numbers = np.concatenate(found, axis=1)
        self._parents, self._ends = np.concatenate(parents), np.concatenate(ends)

    def best(self, first: int, second: int, most: int) -> list[_Ranked]:
        """The n-grams that the first of two systems has more often, the clearest first.

        Args:
            first, second: numbers of the systems.
            most: how many.
        """
        one, two = self.counts[first], self.counts[second]
        more = np.flatnonzero(one > two)
        ratios = (one[more] + SMOOTHING) / (one[more] + two[more] + 2 * SMOOTHING)
        # N-grams of a smaller order come first, and of one order those whose words come first.
        best = more[np.lexsort((more, -one[more], -ratios))[:most]]
        found = []
        for gram, m, n in zip(best.tolist(), one[best].tolist(), two[best].tolist(), strict=True):
            numbers, ratio = self._numbers(gram), (m + SMOOTHING) / (m + n + 2 * SMOOTHING)
            gain = NgramGain(tuple([self._words[number] for number in numbers]), m, n, ratio)
            found.append(((-ratio, -m, len(numbers), numbers), gain))
        return found

    def words(self, gram: int) -> tuple[str, ...]:
        """The words of an n-gram, a column of `counts`."""
        return tuple([self._words[number] for number in self._numbers(gram)])

    def _numbers(self, gram: int) -> tuple[int, ...]:
        found: list[int] = []
        while gram >= 0:
            found.append(int(self._ends[gram]))
            gram = int(self._parents[gram])
        return tuple(found[::-1])


def ngram_matches(tables: Sequence[RecordTable], max_order: int = MAX_ORDER) -> Iterator[NgramMatches]:
    """How often all n-grams of closest paths match in the outputs of systems.

    They come by the words with which they begin, some at a time: all at once would take more memory than the tables.

    Args:
        tables: of each system, with one vocabulary.
        max_order: words of the longest n-grams.
    """
    words = list(tables[0].words)
    sides, pairs = _sides(tables)
    often = np.zeros(len(words), dtype=np.int64)
    for side in sides:
        often += np.bincount(side.words, minlength=len(words))
    parts = np.cumsum(often) // TOGETHER
    ends = [0, *(np.flatnonzero(np.diff(parts)) + 1).tolist(), len(words)]
    for begin, end in pairwise(ends):
        yield NgramMatches(sides, pairs, words, range(begin, end), max_order)


def ngram_gains(
    tables: Sequence[RecordTable],
    pairs: Sequence[tuple[int, int]],
    most: int = 50,
    max_order: int = MAX_ORDER,
) -> list[tuple[list[NgramGain], list[NgramGain]]]:
    """Of each pair of systems the n-grams that the first one has more often, and those that the second has, the
    clearest first.

    Args:
        tables: of each system, with one vocabulary.
        pairs: the numbers of two systems each.
        most: how many of each.
        max_order: words of the longest n-grams.

    >>> import fstmetrics as fm
    >>> from fstmetrics.analysis.record_table import Vocabulary
    >>> from fstmetrics.analysis.result_table import table_of_results
    >>> words, references = Vocabulary(), ["the old man", "the old man"]
    >>> outputs = ["the old man", "the old man"], ["the man", "an old man"]
    >>> tables = [table_of_results(fm.score(texts, references), words) for texts in outputs]
    >>> for gain in ngram_gains(tables, [(0, 1)])[0][0][:2]:
    ...     print(gain.words, gain.first, gain.second, gain.ratio)
    ('the', 'old') 2 0 0.75
    ('the', 'old', 'man') 2 0 0.75
    """
    found: list[tuple[list[_Ranked], list[_Ranked]]] = [([], []) for _ in pairs]
    for part in ngram_matches(tables, max_order) if pairs else ():
        for (a, b), (gained, lost) in zip(pairs, found, strict=True):
            for best, more in ((gained, part.best(a, b, most)), (lost, part.best(b, a, most))):
                best[:] = sorted([*best, *more])[:most]
    return [
        (
            [gain for _, gain in gained],
            [NgramGain(gain.words, gain.second, gain.first, 1 - gain.ratio) for _, gain in lost],
        )
        for gained, lost in found
    ]


# What n-grams are in the order of, and one of them.
_Ranked = tuple[tuple[float, int, int, tuple[int, ...]], NgramGain]


class _Begun(NamedTuple):
    """N-grams of a side, in its order.

    Attributes:
        places: where each begins on the side.
        items: the item of each.
        ends: where the words of that item end.
        grams: its number, or a key of it; of those of no word, 0.
    """

    places: Numbers
    items: Numbers
    ends: Numbers
    grams: Integers

    @classmethod
    def of(cls, side: WordRows, first: range) -> _Begun:
        """What may begin with some words: no word yet."""
        places = np.flatnonzero((side.words >= first.start) & (side.words < first.stop))
        items = np.searchsorted(side.starts, places, side="right") - 1
        ends = side.starts[items + 1].astype(np.int32)
        return cls(places.astype(np.int32), items.astype(np.int32), ends, np.zeros_like(places))

    def chosen(self, some: npt.NDArray[np.bool_]) -> _Begun:
        """Some of them."""
        return _Begun(self.places[some], self.items[some], self.ends[some], self.grams[some])

    def longer(self, side: WordRows, order: int, vocabulary: int) -> _Begun:
        """Those of an order, with keys in place of numbers: of the n-gram that is one shorter, and of the last word."""
        fit = self.chosen(self.places + order <= self.ends)
        return fit._replace(grams=fit.grams * vocabulary + side.words[fit.places + order - 1])

    def numbered(self, known: Integers) -> _Begun:
        """Those whose keys are known, with their numbers: where they are among these, which are in order."""
        numbers = np.searchsorted(known, self.grams)
        numbers[numbers == len(known)] = 0
        some = known[numbers] == self.grams if len(known) else np.zeros(len(numbers), dtype=np.bool_)
        return self._replace(grams=numbers).chosen(some)


def _sides(tables: Sequence[RecordTable]) -> tuple[list[WordRows], list[tuple[int, int]]]:
    """The different sides of all systems; and of each the numbers of its closest paths, and of its outputs.

    Systems that were scored against one reference have the same closest paths.
    """
    sides: list[WordRows] = []
    pairs: list[tuple[int, int]] = []
    for table in tables:
        reference, hypothesis = sides_of(table)
        number = next((r for r, _ in pairs if _are_same(sides[r], reference)), len(sides))
        sides += [reference] * (number == len(sides))
        pairs.append((number, len(sides)))
        sides.append(hypothesis)
    return sides, pairs


def _are_same(one: WordRows, two: WordRows) -> bool:
    return np.array_equal(one.words, two.words) and np.array_equal(one.starts, two.starts)


def _different(keys: Integers) -> Integers:
    """Each key once, in order; `np.unique` puts integers into a hash table first and takes ten times as long.

    The keys are put in order where they are.
    """
    keys.sort()
    is_first = np.ones(len(keys), dtype=np.bool_)
    is_first[1:] = keys[1:] != keys[:-1]
    return keys[is_first]
