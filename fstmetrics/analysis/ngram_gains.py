"""N-grams of the references that one system produces more often than another: `ngram_gains`.

As compare-mt has it (Neubig et al., NAACL 2019, section 3.4): an n-gram of an output matches as often as its item's
reference has it; n-grams are ranked by the smoothed likelihood ratio (m1 + 1) / (m1 + m2 + 2) of their matches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics._native import common_ngrams
from fstmetrics.analysis.record_table import narrow, starts_of
from fstmetrics.analysis.word_accuracy import hypotheses_as_given

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.analysis.record_table import Narrow, RecordTable

    Integers = npt.NDArray[np.int64]
    Numbers = npt.NDArray[np.int32]
    Side = tuple[Narrow, Integers]

# N-grams are counted up to this order.
MAX_ORDER = 4
# Words of closest paths with which n-grams that are looked at together begin.
TOGETHER = 1 << 16
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
        columns: of each system, the words of closest paths and of hypotheses, as `common_ngrams` takes them.
        words: the vocabulary.
        first: numbers of the words with which the n-grams begin.
        max_order: words of the longest n-grams.

    Attributes:
        counts: matches, shape [systems, n-grams], of those that match somewhere: by their order, and those of one order
            by the numbers of their words.
    """

    def __init__(
        self,
        columns: Sequence[tuple[Side, Side]],
        words: Sequence[str],
        first: range,
        max_order: int = MAX_ORDER,
    ) -> None:
        self._words = words
        self._parents, self._ends, counts = common_ngrams(columns, first.start, first.stop, max_order)
        self.counts: Numbers = counts.reshape(len(columns), -1)

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


def _spoken(table: RecordTable) -> Side:
    """The words of all hypotheses in the order in which they were given, and where those of each item begin."""
    parts = [narrow(hypotheses_as_given(part)[part.has("=SI")], len(table.words)) for part in table.parts()]
    lengths = sum(table.counts[name] for name in ("matches", "substitutions", "insertions"))
    return np.concatenate(parts), starts_of(np.asarray(lengths))


def ngram_matches(tables: Sequence[RecordTable], max_order: int = MAX_ORDER) -> Iterator[NgramMatches]:
    """How often all n-grams of closest paths match in the outputs of systems.

    They come by the words with which they begin, some at a time: all at once would take more memory than the tables.

    Args:
        tables: of each system, with one vocabulary.
        max_order: words of the longest n-grams.
    """
    words = list(tables[0].words)
    often = sum(np.bincount(part.closest, minlength=len(words)) for table in tables for part in table.parts())
    columns = [((table.closest, table.closest_starts), _spoken(table)) for table in tables]
    parts = np.cumsum(often) // TOGETHER
    ends = [0, *(np.flatnonzero(np.diff(parts)) + 1).tolist(), len(words)]
    for begin, end in pairwise(ends):
        yield NgramMatches(columns, words, range(begin, end), max_order)


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
