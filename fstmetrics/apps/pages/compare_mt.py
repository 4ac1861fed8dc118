"""Analyses of compare-mt [Neubig et al., "compare-mt: A Tool for Holistic Comparison of Language Generation Systems",
NAACL 2019].

- `word_accuracy` (section 3.2): how well systems produce words that are frequent or rare. A word of a hypothesis is
  right as often as it is in the reference, wherever it stands.
- `by_length`, `by_score` (section 3.3): sentences in buckets.
- `ngram_gains` (section 3.4): n-grams of the references that one system produces more often than another. An n-gram of
  an output matches as often as its item's reference has it; n-grams are ranked by the smoothed likelihood ratio
  (m1 + 1) / (m1 + m2 + 2) of their matches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics._native import common_ngrams
from fstmetrics.analysis.record_table import narrow, starts_of
from fstmetrics.metrics.corpus_metric import ratio

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.analysis.record_table import Narrow, RecordTable

    Integers = npt.NDArray[np.int64]
    Numbers = npt.NDArray[np.int32]
    Floats = npt.NDArray[np.float64]
    Side = tuple[Narrow, Integers]

# Lower ends of the classes of frequency, the first one aside: those of compare-mt.
FREQUENCIES = (1, 2, 3, 4, 5, 10, 100, 1000)


@dataclass(frozen=True, eq=False)
class WordAccuracy:
    """Words by frequency, shape [systems, classes] each.

    Attributes:
        names: of the classes.
        classes: of every word of the vocabulary, its class; shape [words].
        matches: how often words of a class are on both sides of an item.
        references, hypotheses: how often they are on closest paths and in hypotheses.
    """

    names: Sequence[str]
    classes: Integers
    matches: Integers
    references: Integers
    hypotheses: Integers

    @property
    def f1(self) -> Floats:
        """Harmonic mean of precision and recall; 0 where nothing is right."""
        sums = (self.references + self.hypotheses).astype(np.float64)
        return ratio(2 * self.matches.astype(np.float64), sums, 0.0)


def word_accuracy(
    tables: Sequence[RecordTable],
    counts: Mapping[str, int] | None = None,
    cutoffs: Sequence[int] = FREQUENCIES,
) -> WordAccuracy:
    """Precision and recall of words by their frequency.

    Args:
        tables: of each system, with one vocabulary.
        counts: how often each word is in some text, as the training data; by default on the closest paths: of several
            systems, whose paths may differ, the mean, rounded up.
        cutoffs: lower ends of all classes but the first, which begins at 0.

    >>> import fstmetrics as fm
    >>> from fstmetrics.analysis.result_table import table_of_results
    >>> table = table_of_results(fm.score(["a b c a"], ["a b a d"]))
    >>> found = word_accuracy([table], cutoffs=(1, 2))
    >>> found.names, found.f1.round(2).tolist()
    (['0', '1', '2 or more'], [[0.0, 0.67, 1.0]])
    """
    words = tables[0].words
    size = len(words)
    references, hypotheses, right = (np.zeros((len(tables), size), dtype=np.int64) for _ in range(3))
    for number, table in enumerate(tables):
        for part in table.parts():
            closest, spoken = part.has("=SD"), part.has("=SI")  # words under a wildcard are on neither side
            sides = (part.reference[closest], hypotheses_as_given(part)[spoken])
            for sums, side in zip((references, hypotheses), sides, strict=True):
                sums[number] += np.bincount(side, minlength=size)
            found, times = _on_both((part.items[closest], part.items[spoken]), sides, size)
            np.add.at(right[number], found, times)
    if counts is None:
        frequencies = np.ceil(references.mean(axis=0))
    else:
        frequencies = np.array([counts.get(word, 0) for word in words], dtype=np.float64)
    classes = np.searchsorted(cutoffs, frequencies, side="right")

    def by_class(of_words: Integers) -> Integers:
        sums = np.zeros((len(of_words), len(cutoffs) + 1), dtype=np.int64)
        for row, values in zip(sums, of_words, strict=True):
            np.add.at(row, classes, values.astype(np.int64))
        return sums

    return WordAccuracy(
        names_of(cutoffs), classes, by_class(right), by_class(references), by_class(hypotheses)
    )


def names_of(cutoffs: Sequence[int]) -> list[str]:
    """What classes of whole numbers from 0 on are called.

    >>> names_of((1, 2, 5, 10))
    ['0', '1', '2-4', '5-9', '10 or more']
    """
    ends = pairwise((0, *cutoffs))
    return [*(str(a) if b == a + 1 else f"{a}-{b - 1}" for a, b in ends), f"{cutoffs[-1]} or more"]


def hypotheses_as_given(table: RecordTable) -> Numbers:
    """The words of hypotheses by operation, where words were moved in the order in which they were given."""
    words, spoken = table.hypothesis, table.has("=SI")
    for item in np.flatnonzero(table.counts["moves"]).tolist():
        begin, end = table.starts[[item, item + 1]].tolist()
        words[begin:end][spoken[begin:end]] = table.words.numbers(table.special[item].hypothesis)
    return words


def _on_both(items: Sequence[Numbers], sides: Sequence[Numbers], size: int) -> tuple[Integers, Integers]:
    """The words that an item has on both sides, and how often, counted as BLEU clips it: the smaller number."""
    (one, mine), (two, theirs) = (
        np.unique(own.astype(np.int64) * size + words, return_counts=True)
        for own, words in zip(items, sides, strict=True)
    )
    both, first, second = np.intersect1d(one, two, assume_unique=True, return_indices=True)
    return both % size, np.minimum(mine[first], theirs[second])


# Lower ends of the buckets of lengths, the first one aside: those of compare-mt.
LENGTHS = (10, 20, 30, 40, 50, 60)
# Buckets of scores.
TENTHS = 10
# Digits of the ends of buckets of scores whose range nobody knows.
DIGITS = 2


class Buckets(NamedTuple):
    """Buckets of sentences.

    Attributes:
        names: of the buckets.
        cutoffs: the lower ends of all but the first.
        groups: the bucket of each sentence, from 0; one more dimension before it where systems differ.
    """

    names: Sequence[str]
    cutoffs: Sequence[float]
    groups: Integers


def by_length(lengths: Integers, cutoffs: Sequence[int] = LENGTHS) -> Buckets:
    """Sentences by a length.

    >>> by_length(np.array([3, 10, 70]))
    Buckets(names=['0-9', '10-19', '20-29', '30-39', '40-49', '50-59', '60 or more'], cutoffs=(10, 20, 30, 40, 50, 60), groups=array([0, 1, 6]))
    """  # noqa: E501 (as numpy prints it)
    return Buckets(names_of(cutoffs), cutoffs, np.searchsorted(cutoffs, lengths, side="right"))


def by_score(scores: Floats, top: float | None) -> Buckets:
    """Sentences by their score, in tenths.

    Args:
        scores: of each system and sentence, shape [systems, sentences]; nan and infinite ones are in no bucket, -1.
        top: what scores go up to from 0; None: tenths of the range that there is.

    >>> found = by_score(np.array([[5.0, 100.0], [50.0, np.nan]]), 100)
    >>> found.names[0], found.names[-1], found.groups.tolist()
    ('< 10', '>= 90', [[0, 9], [5, -1]])
    """
    finite = np.isfinite(scores)
    low, high = (0.0, top) if top is not None else _range(scores[finite])
    cutoffs = [float(f"{low + (high - low) * i / TENTHS:.6g}") for i in range(1, TENTHS)]
    cutoffs = sorted(set(cutoffs))
    shown = [f"{end:.6g}" for end in cutoffs]
    names = [f"< {shown[0]}", *(f"{a} to < {b}" for a, b in pairwise(shown)), f">= {shown[-1]}"]
    return Buckets(names, cutoffs, np.where(finite, np.searchsorted(cutoffs, scores, side="right"), -1))


def _range(scores: Floats) -> tuple[float, float]:
    """Round numbers below and above most scores: a score in a hundred may lie beyond them, in the outer buckets."""
    if not len(scores):
        return 0.0, 1.0
    low, high = np.quantile(scores, [0.01, 0.99])
    if high <= low:
        low, high = low - 0.5, high + 0.5
    step = 10.0 ** (np.floor(np.log10(high - low)) - DIGITS + 1)
    return float(np.floor(low / step) * step), float(np.ceil(high / step) * step)


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

    Attributes:
        counts: matches, shape [systems, n-grams], of those that match somewhere: by their order, and those of one order
            by the numbers of their words.
    """

    def __init__(
        self,
        columns: Sequence[tuple[Side, Side]],
        words: Sequence[str],
        first: range,
    ) -> None:
        self._words = words
        self._parents, self._ends, counts = common_ngrams(columns, first.start, first.stop, MAX_ORDER)
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


def ngram_matches(tables: Sequence[RecordTable]) -> Iterator[NgramMatches]:
    """How often all n-grams of closest paths match in the outputs of systems.

    They come by the words with which they begin, some at a time: all at once would take more memory than the tables.

    Args:
        tables: of each system, with one vocabulary.
    """
    words = list(tables[0].words)
    often = sum(np.bincount(part.closest, minlength=len(words)) for table in tables for part in table.parts())
    columns = [((table.closest, table.closest_starts), _spoken(table)) for table in tables]
    parts = np.cumsum(often) // TOGETHER
    ends = [0, *(np.flatnonzero(np.diff(parts)) + 1).tolist(), len(words)]
    for begin, end in pairwise(ends):
        yield NgramMatches(columns, words, range(begin, end))


def ngram_gains(
    tables: Sequence[RecordTable],
    pairs: Sequence[tuple[int, int]],
    most: int = 50,
) -> list[tuple[list[NgramGain], list[NgramGain]]]:
    """Of each pair of systems the n-grams that the first one has more often, and those that the second has, the
    clearest first.

    Args:
        tables: of each system, with one vocabulary.
        pairs: the numbers of two systems each.
        most: how many of each.

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
    for part in ngram_matches(tables) if pairs else ():
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
