"""NIST and METEOR, as nltk computes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from fstmetrics.errors import FstmetricsError
from fstmetrics.metrics.corpus import ItemMean, TextMetric, Words
from fstmetrics.optional import need

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus import Table

NIST_ORDER = 5


@dataclass(frozen=True)
class NIST(TextMetric):
    """NIST (Doddington 2002), from 0 up, by nltk: n-gram precisions weighted by how informative an n-gram is.

    nltk computes it from whole corpora, so there are no statistics to resample: it has a score but no tests. Not
    decomposable.
    """

    name = "nist"
    packages = ("nltk",)

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
        nltk = need("nltk.translate.nist_score", "NIST")
        lengths = [len(words) for words in hypotheses]
        # nltk divides by the n-grams of every order up to 5.
        order = min(NIST_ORDER, max(lengths, default=0))
        if not order or not any(words for refs in references for words in refs):
            return 0.0
        return float(nltk.corpus_nist([list(refs) for refs in references], hypotheses, order))


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
