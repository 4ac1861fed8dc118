"""Linear BLEU, the gain of lattice MBR [Tromble et al. 2008]: `LinearBLEU`, and its expectation over whole lattices."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.decoding.ngram_posteriors import NgramLattice, ngrams_of
from fstmetrics.decoding.posteriors import Words
from fstmetrics.metrics.corpus import TextMetric
from fstmetrics.support.arguments import NUMBER
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    from fstmetrics.decoding.weighted import WeightedLattice
    from fstmetrics.metrics.corpus import Table

ORDER = 4


@dataclass(frozen=True)
class LinearBLEU(TextMetric):
    """A linear approximation of the gain in log BLEU [Tromble et al. 2008, eq. 9]; a sum, higher is better.

        theta_0 |h| + sum over n-grams w of h, n = 1..4, of theta_n [w is in the reference]

    with theta_0 = -1 and theta_n = 1 / (4 p r^(n-1)), n-grams counted as often as h has them. (The paper divides both
    by the words of a corpus, T, which changes no choice.) It is linear: its expectation needs nothing of the evidence
    but the probability of each n-gram, so whole lattices are the evidence.

    Args:
        precision: p, the unigram precision that is expected of the decoder.
        ratio: r, how many times as high the precision of n-grams is as that of n-grams with a word less. The defaults
            are those of Kumar et al. 2009, section 7.
    """

    precision: float = 0.85
    ratio: float = 0.72

    name = "linear-bleu"
    decomposable = "always"
    columns = ("words", *(f"matches_{n}" for n in range(1, ORDER + 1)))

    def __post_init__(self) -> None:
        for name in ("precision", "ratio"):
            value = getattr(self, name)
            if not (NUMBER.holds(value) and math.isfinite(value) and value > 0):
                raise FstmetricsError(f"{name} of linear BLEU is a number above 0, not {value!r:.80}")

    @property
    def thetas(self) -> tuple[float, ...]:
        """theta_0 to theta_4.

        >>> LinearBLEU(precision=0.5, ratio=0.5).thetas
        (-1.0, 0.5, 1.0, 2.0, 4.0)
        """
        return (-1.0, *(1 / (ORDER * self.precision * self.ratio ** (n - 1)) for n in range(1, ORDER + 1)))

    def settings(self) -> dict[str, object]:
        """Precision and ratio."""
        return {"precision": self.precision, "ratio": self.ratio}

    def statistics(
        self, hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]]
    ) -> Table:
        """Words, and how many n-grams of each order some reference has."""
        rows = np.zeros((len(hypotheses), len(self.columns)))
        for row, words, refs in zip(rows, hypotheses, references, strict=True):
            row[0] = len(words)
            for n in range(1, ORDER + 1):
                known = {ngram for ref in refs for ngram in ngrams_of(tuple(ref), n)}
                row[n] = sum(ngram in known for ngram in ngrams_of(tuple(words), n))
        return rows

    def corpus_score(self, sums: Table) -> Table:
        """The sum weighed by the thetas."""
        found: Table = sums @ np.array(self.thetas)
        return found

    def expected_gain(self, words: Words, posteriors: Mapping[Words, float]) -> float:
        """The expectation for one hypothesis, given the probability of each n-gram; of others it is 0."""
        thetas = self.thetas
        gains = (
            thetas[n] * posteriors.get(ngram, 0.0)
            for n in range(1, ORDER + 1)
            for ngram in ngrams_of(words, n)
        )
        return thetas[0] * len(words) + math.fsum(gains)

    def of_paths(self, ngrams: NgramLattice) -> WeightedLattice:
        """The lattice whose paths cost minus their expected gain."""
        thetas = np.array(self.thetas)
        return ngrams.with_gains(thetas[0], thetas[ngrams.lengths] * ngrams.probabilities)
