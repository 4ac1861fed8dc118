"""NIST, as mteval-v13a counts it, and METEOR, as nltk computes it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from fstmetrics.metrics.corpus import ItemMean, TextMetric, Words
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.optional import need

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus import Table

NIST_ORDER = 5
# The length penalty is one half where the output has two thirds of the references' words.
NIST_BETA = math.log(2) / math.log(1.5) ** 2


@dataclass(frozen=True)
class NIST(TextMetric):
    """NIST (Doddington 2002), from 0 up: n-gram matches of orders 1 to 5, weighted by how informative an n-gram is.

    As mteval-v13a counts it: an n-gram matches as often as it stands in the reference that has most of it, and the
    length is held against the mean of the references'. mteval also tokenizes by `13a` and folds case, which is asked
    for here. Weights come from all references at once, so there are no statistics to resample: it has a score but no
    tests. Not decomposable.
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
        raise FstmetricsError("nist is computed from whole corpora only: it has no statistics that add up")

    def whole_score(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> float:
        """The score of a corpus; 0 where there are no words."""
        counts: Counter[tuple[str, ...]] = Counter()
        for refs in references:
            for words in refs:
                for n in range(1, NIST_ORDER + 1):
                    counts.update(_ngrams(words, n))
        total = sum(len(words) for refs in references for words in refs)
        length = sum(map(len, hypotheses))
        if not total or not length:
            return 0.0
        found = 0.0
        for n in range(1, NIST_ORDER + 1):
            pairs = zip(hypotheses, references, strict=True)
            gained = math.fsum(_information(words, refs, n, counts, total) for words, refs in pairs)
            found += gained / max(sum(max(0, len(words) - n + 1) for words in hypotheses), 1)
        ratio = length / math.fsum(sum(map(len, refs)) / len(refs) for refs in references)
        return found * math.exp(-NIST_BETA * math.log(min(ratio, 1.0)) ** 2)


def _ngrams(words: Words, n: int) -> Iterator[tuple[str, ...]]:
    return zip(*(words[i:] for i in range(n)), strict=False)


def _information(
    words: Words, refs: Sequence[Words], n: int, counts: Counter[tuple[str, ...]], total: int
) -> float:
    """Bits of the n-grams that match: log2 of how often an n-gram's beginning stands in references, over itself."""
    most: Counter[tuple[str, ...]] = Counter()
    for ref in refs:
        most |= Counter(_ngrams(ref, n))
    matches = Counter(_ngrams(words, n)) & most
    return math.fsum(
        times * math.log2((counts[ngram[:-1]] if n > 1 else total) / counts[ngram])
        for ngram, times in matches.items()
    )


@dataclass(frozen=True)
class METEOR(ItemMean):
    """The mean of METEOR's sentence scores (Lavie and Agarwal 2007), 0 to 1, by nltk, with its parameters.

    Words match exactly, by Porter's stem, and by WordNet's synonyms where asked for; nltk looks for synonyms of stems,
    so that it finds those of words only that are their own stems. The best reference of a sentence counts. The METEOR
    of the literature sums matches over the corpus instead, and has other stages and parameters.

    Args:
        synonyms: `wordnet`, or `none`.
    """

    synonyms: Literal["wordnet", "none"] = "wordnet"

    name = "meteor"
    packages = ("nltk",)

    def settings(self) -> dict[str, object]:
        """Whether synonyms match."""
        return {"synonyms": self.synonyms}

    def item_scores(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """nltk's score of each item; 1 for nothing against nothing."""
        nltk = need("nltk.translate.meteor_score", "METEOR")
        wordnet: object = _NoSynonyms
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


class _NoSynonyms:
    """Stands for a WordNet that knows no word."""

    @staticmethod
    def synsets(word: str) -> list[object]:
        return []
