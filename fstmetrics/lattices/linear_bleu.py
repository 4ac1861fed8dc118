"""Linear BLEU, the gain of lattice MBR [Tromble et al. 2008]: `LinearBLEU`, and what is expected of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.lattices.best_paths import best_of
from fstmetrics.lattices.ngram_posteriors import NgramSearch, ngrams_of
from fstmetrics.lattices.posteriors import Words
from fstmetrics.metrics.corpus_metric import TextMetric
from fstmetrics.support.arguments import NUMBER
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.options import option, real

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus_metric import Table

ORDER = 4
# What sums of gains, of paths of thousands of words, may be off by; paths so near to the best are not left out.
ROUNDING = 1e-9


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

    precision: float = option(
        0.85, real(0, 1, without_least=True),
        "linear-bleu: the unigram precision expected of the decoder. Default: 0.85.", name="unigram_precision",
        shown=None,
    )  # fmt: skip
    ratio: float = option(
        0.72, real(0, 1, without_least=True),
        "linear-bleu: the precision of n-grams over that of n-grams with a word less. Default: 0.72.",
        name="precision_ratio", shown=None,
    )  # fmt: skip

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

    def expected_gain(self, words: Words, probability: Callable[[Words], float]) -> float:
        """The expectation for one hypothesis, given the probability of each of its n-grams."""
        thetas = self.thetas
        gains = (thetas[n] * probability(ngram) for n in range(1, ORDER + 1) for ngram in ngrams_of(words, n))
        return thetas[0] * len(words) + math.fsum(gains)


def most_gain(ngrams: NgramSearch, metric: LinearBLEU, n: int, known: Sequence[Words]) -> list[Words]:
    """The n word sequences of most expected gain, best first: exactly, over all paths or derivations.

    What a word gains depends on the three before it, and states split by so many are too many. So they are split word
    by word, and before each what cannot gain as much as n known sequences is left out. An n-gram that nobody has looked
    at yet is at most as likely as the words that it begins and ends with.

    Args:
        ngrams: of the lattice or forest; nothing of it has been split.
        metric: what is gained.
        n: how many.
        known: some sequences that may be good, as the n of least cost.

    Raises:
        InputError: states split by three words have more arcs than the limit on expansion.
        FstmetricsError: gains too large for exact sums.
    """
    gains = {words: metric.expected_gain(words, ngrams.probability) for words in known}
    thetas = metric.thetas

    def prune() -> None:
        if len(gains) >= n:
            least = sorted(gains.values(), reverse=True)[n - 1]
            ngrams.core.prune(thetas, least - ROUNDING * max(1.0, *map(abs, thetas)))

    for words in range(ORDER):
        if words:
            ngrams.split(words)
        prune()
        ngrams.core.find_probabilities()
        best = ngrams.best(thetas)
        gains[best] = metric.expected_gain(best, ngrams.probability)
        prune()
    bounds = ngrams.upper_bounds(thetas)  # nothing is left to be known, so that they are the gains
    return [path.words for path in best_of(bounds, n, bounds.finest())]
