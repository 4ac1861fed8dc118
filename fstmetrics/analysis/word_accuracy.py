"""How well systems produce words that are frequent or rare: `word_accuracy`, as compare-mt counts it.

Neubig et al., "compare-mt: A Tool for Holistic Comparison of Language Generation Systems", NAACL 2019, section 3.2. A
word of a hypothesis is right as often as it is in the reference, wherever it stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.metrics.corpus_metric import ratio

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.analysis.record_table import RecordTable

    Integers = npt.NDArray[np.int64]
    Numbers = npt.NDArray[np.int32]
    Floats = npt.NDArray[np.float64]

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
