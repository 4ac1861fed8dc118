"""NIST, as mteval-v13a counts it, and METEOR, as nltk computes it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Literal

import numpy as np

from fstmetrics.metrics.analysers import synonyms_option
from fstmetrics.metrics.corpus_metric import ItemMean, TextMetric, Words
from fstmetrics.support.errors import FstmetricsError, need

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus_metric import Table

NIST_ORDER = 5
# The length penalty is one half where the output has two thirds of the references' words.
NIST_BETA = math.log(2) / math.log(1.5) ** 2


@dataclass(frozen=True)
class NIST(TextMetric):
    """NIST (Doddington 2002), from 0 up: n-gram matches of orders 1 to 5, weighted by how informative an n-gram is.

    As mteval-v13a counts it: an n-gram matches as often as it stands in the reference that has most of it, and the
    length is held against the mean of the references'. mteval also tokenizes by `13a` and folds case, which is asked
    for here. Weights come from all references of a test set, so that items have statistics only once these are known:
    `weighted` has them. Not decomposable.
    """

    name = "nist"

    def statistics(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """None: shape [items, 0]."""
        return np.zeros((len(hypotheses), 0))

    def corpus_score(self, sums: Table) -> Table:
        """Refused.

        Raises:
            FstmetricsError: always.
        """
        raise FstmetricsError(
            "nist has statistics only with the weights of a test set's references: NIST().weighted(references)"
        )

    def weighted(self, references: Sequence[Sequence[Words]]) -> WeightedNIST:
        """The metric with the weights of the n-grams of these references, whose items have statistics.

        Args:
            references: words of each item's references.
        """
        counts: Counter[tuple[str, ...]] = Counter()
        for refs in references:
            for words in refs:
                for n in range(1, NIST_ORDER + 1):
                    counts.update(_ngrams(words, n))
        total = sum(len(words) for refs in references for words in refs)
        return WeightedNIST(
            {
                ngram: math.log2((counts[ngram[:-1]] if len(ngram) > 1 else total) / count)
                for ngram, count in counts.items()
            }
        )

    def whole_score(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> float:
        """The score of a corpus; 0 where there are no words."""
        metric = self.weighted(references)
        return float(metric.corpus_score(metric.statistics(hypotheses, references).sum(axis=0)))


@dataclass(frozen=True, eq=False)
class WeightedNIST(TextMetric):
    """NIST with the weights of one test set, which stay as they are for any part or resample of it.

    mteval-v13a does the same: its scores of documents and segments have the weights of all references.

    Attributes:
        weights: bits of each n-gram of the references: log2 of how often its beginning stands in them, over itself.
    """

    weights: Mapping[tuple[str, ...], float]

    name = "nist"
    columns = (
        *(f"information_{n}" for n in range(1, NIST_ORDER + 1)),
        *(f"ngrams_{n}" for n in range(1, NIST_ORDER + 1)),
        "reference_length",
    )

    def statistics(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """Bits of the n-grams that match and number of n-grams, order by order; mean length of the references."""
        rows = np.zeros((len(hypotheses), len(self.columns)))
        for row, words, refs in zip(rows, hypotheses, references, strict=True):
            for n in range(1, NIST_ORDER + 1):
                row[n - 1] = self._information(words, refs, n)
                row[NIST_ORDER + n - 1] = max(0, len(words) - n + 1)
            row[-1] = sum(map(len, refs)) / len(refs)
        return rows

    def _information(self, words: Words, refs: Sequence[Words], n: int) -> float:
        most: Counter[tuple[str, ...]] = Counter()
        for ref in refs:
            most |= Counter(_ngrams(ref, n))
        matches = Counter(_ngrams(words, n)) & most
        return math.fsum(times * self.weights[ngram] for ngram, times in matches.items())

    def corpus_score(self, sums: Table) -> Table:
        """Bits over n-grams, summed over the orders, times the length penalty; 0 where there are no words."""
        bits, ngrams = sums[..., :NIST_ORDER], sums[..., NIST_ORDER : 2 * NIST_ORDER]
        found = (bits / np.maximum(ngrams, 1)).sum(axis=-1)
        length, wanted = ngrams[..., 0], sums[..., -1]
        some = (length > 0) & (wanted > 0)
        ratio = np.where(some, length, 1.0) / np.where(some, wanted, 1.0)
        scores: Table = np.where(some, found * np.exp(-NIST_BETA * np.log(np.minimum(ratio, 1.0)) ** 2), 0.0)
        return scores


def _ngrams(words: Words, n: int) -> Iterator[tuple[str, ...]]:
    return zip(*(words[i:] for i in range(n)), strict=False)


@dataclass(frozen=True)
class METEOR(ItemMean):
    """The mean of METEOR's sentence scores (Lavie and Agarwal 2007), 0 to 1, by nltk, with its parameters.

    Words match exactly, by Porter's stem, and by WordNet's synonyms where asked for; nltk looks for synonyms of stems,
    so that it finds those of words only that are their own stems. The best reference of a sentence counts. The METEOR
    of the literature sums matches over the corpus instead, and has other stages and parameters.

    Args:
        synonyms: `wordnet`, or `none`.
    """

    synonyms: Literal["wordnet", "none"] = synonyms_option()

    name = "meteor"
    packages = ("nltk",)
    folds_case = True  # as nltk does

    def item_scores(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """nltk's score of each item; 1 for nothing against nothing."""
        nltk = need("nltk.translate.meteor_score", "METEOR")
        wordnet: object = SimpleNamespace(synsets=lambda word: [])  # that knows no word
        if self.synonyms == "wordnet":
            from fstmetrics.metrics.wordnet import wordnet as installed

            wordnet = installed()
        return np.array(
            [
                nltk.meteor_score([list(r) for r in refs], list(words), wordnet=wordnet)
                if words
                else float(not all(refs))
                for words, refs in zip(hypotheses, references, strict=True)
            ]
        )
