"""What is expected of candidates under what a decoder believes: `expected_losses`, of any metric or given utilities."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics._native import are_words, pair_costs
from fstmetrics.engine.search import COUNTS_ONLY, searched
from fstmetrics.engine.sides import Side
from fstmetrics.lattices.linear_bleu import ORDER, LinearBLEU
from fstmetrics.lattices.ngram_posteriors import ngrams_of
from fstmetrics.lattices.posteriors import Posteriors, Words
from fstmetrics.metrics import CorpusMetric, Mean, Metric, TextMetric
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import Normalisation

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus_metric import Table

    Units = npt.NDArray[np.int64]

# Pairs of a candidate and a piece of evidence that are compared at once: some tens of megabytes.
PAIRS = 100_000
# The same of strings, whose rows of statistics are longer.
TEXT_PAIRS = 10_000


@dataclass(frozen=True, eq=False)
class Utilities(CorpusMetric):
    """Utilities that another program found, of every entry of an n-best list against every other; higher is better.

    Args:
        matrix: shape [entries, entries]: of each entry, a row, if each entry, a column, is right.
        origin: where they are from, for signatures.

    Raises:
        FstmetricsError: another shape, or what is no finite number.
    """

    matrix: Any
    origin: str = ""

    name = "utility"
    recognition = True

    def __post_init__(self) -> None:
        try:
            given = np.asarray(self.matrix)
            matrix = given.astype(np.float64, casting="same_kind")
        except (TypeError, ValueError):  # text and complex numbers among them
            raise FstmetricsError("utilities are a matrix of numbers") from None
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise FstmetricsError(
                f"utilities have a row and a column for each entry, not the shape {list(matrix.shape)}"
            )
        if not np.isfinite(matrix).all():
            row, column = np.argwhere(~np.isfinite(matrix))[0].tolist()
            raise FstmetricsError(
                f"the utility in row {row + 1}, column {column + 1} is {matrix[row, column]}"
            )
        object.__setattr__(self, "matrix", matrix)

    def settings(self) -> dict[str, object]:
        """Where they are from."""
        return {"utilities": self.origin} if self.origin else {}

    def corpus_score(self, sums: Table) -> Table:
        """Refused.

        Raises:
            FstmetricsError: always.
        """
        raise FstmetricsError("utilities are of pairs of entries; they have no corpus score")


def expected_losses(
    candidates: Sequence[Words],
    evidence: Posteriors,
    metric: CorpusMetric,
    threads: int = 1,
) -> list[float]:
    """The mean loss of each candidate against the evidence, weighed by probability.

    The loss is the cost of a finite-state metric; of a metric of strings, the item score of the candidate with the
    evidence as its reference, or minus that where higher is better; of utilities, minus these.

    Args:
        candidates: their words, as the metric compares them.
        evidence: what may be right.
        metric: whose loss.
        threads: pairs that the engine compares at the same time.

    Raises:
        FstmetricsError: the evidence has no probability that a double can hold; a metric without scores of items.
    """
    total = math.fsum(evidence.probabilities)
    if not total > 0:
        raise FstmetricsError(
            "the evidence has no probability to speak of; take more of it, or a larger scale"
        )
    shares = [probability / total for probability in evidence.probabilities]
    if isinstance(metric, LinearBLEU):
        return _of_ngrams(candidates, evidence.words, shares, metric)
    if isinstance(metric, Utilities):
        losses: Iterator[Table] = iter(-metric.matrix)
    elif isinstance(metric, Metric):
        losses = _costs(candidates, evidence.words, metric, threads)
    elif isinstance(metric, Mean) and isinstance(metric.metric, Metric):
        raise FstmetricsError(f"{metric.name} has no loss of a pair of entries; use {metric.metric.name}")
    elif isinstance(metric, TextMetric) and metric.columns:
        losses = _of_texts(candidates, evidence.words, metric)
    else:
        raise FstmetricsError(f"{metric.name} is a score of whole corpora: no pair of entries has a loss")
    weights = np.array(shares)
    return [math.fsum((weights * row).tolist()) for row in losses]


def _costs(
    candidates: Sequence[Words], references: Sequence[Words], metric: Metric, threads: int
) -> Iterator[Table]:
    """The metric's cost of every pair, a row a candidate, as many rows at once as make a good batch."""
    rows = max(1, PAIRS // len(references))
    same = rows >= len(candidates) and candidates == references
    for begin in range(0, len(candidates), rows):
        batch = references if same else candidates[begin : begin + rows]
        yield from _units(batch, references, metric, threads) / metric.table.scale


def _units(hypotheses: Sequence[Words], references: Sequence[Words], metric: Metric, threads: int) -> Units:
    """Costs in units of the metric, shape [hypotheses, references]."""
    if metric.window == 1 and metric.table.word_cost is None:
        found = pair_costs(hypotheses, references, metric.table.native, threads)
        if found is not None:
            return found
    options = COUNTS_ONLY if threads == 1 else type(COUNTS_ONLY)(alignment=False, threads=threads)
    ends = list(map(_side, references))
    pairs = [side for side in map(_side, hypotheses) for _ in ends]
    counts = searched(None, pairs, ends * len(hypotheses), metric, 1, options).all_counts()
    return counts[:, 0].reshape(len(hypotheses), len(references))


def _side(words: Words) -> Side:
    """Words as the engine takes them fastest, in one string; with spaces in words they stay apart."""
    return " ".join(words) if are_words(words) else list(words)


def _of_texts(
    candidates: Sequence[Words], references: Sequence[Words], metric: TextMetric
) -> Iterator[Table]:
    """The same of item scores."""
    rows = max(1, TEXT_PAIRS // len(references))
    sign = -1.0 if metric.recognition else 1.0
    for begin in range(0, len(candidates), rows):
        table = metric.pair_statistics(candidates[begin : begin + rows], references)
        scores = metric.scores_of_items(table)
        yield from np.where(np.isnan(scores), 0.0, sign * scores)  # what cannot be judged has no error


def _of_ngrams(
    candidates: Sequence[Words], evidence: Sequence[Words], shares: Sequence[float], metric: LinearBLEU
) -> list[float]:
    """The same of linear BLEU, by the posteriors of n-grams: no pair is compared."""
    posteriors: defaultdict[Words, float] = defaultdict(float)
    for words, share in zip(evidence, shares, strict=True):
        for ngram in {ngram for n in range(1, ORDER + 1) for ngram in ngrams_of(words, n)}:
            posteriors[ngram] += share
    return [-metric.expected_gain(words, posteriors.__getitem__) for words in candidates]


def belief_normalisation(metric: CorpusMetric, normalisation: Normalisation) -> Normalisation:
    """What is done to the words of lattices and forests: a metric of strings cuts whole sentences, behind that."""
    if isinstance(metric, TextMetric):
        return replace(normalisation, tokenize=None, unit="word")
    return metric.normalisation(normalisation)
