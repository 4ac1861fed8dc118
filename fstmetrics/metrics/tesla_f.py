"""TESLA-F [L11 §2.4]: TESLA-M's F, the same over n-grams of a pivot language, and a language model, weighted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.metrics.analysers import (
    Analysed,
    Analyser,
    AnalyserName,
    analyser_option,
    as_analyser,
    discount_option,
)
from fstmetrics.metrics.arpa import LanguageModel, read_arpa
from fstmetrics.metrics.corpus_metric import TextMetric, Words
from fstmetrics.metrics.phrase_table import kept_table, ngram_weights
from fstmetrics.metrics.tesla import ORDERS, PRECISION, RECALL, Discount, check_discount, order_score
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.file_bytes import FileState, state_of
from fstmetrics.support.names import listed
from fstmetrics.support.options import PATH, option
from fstmetrics.support.source import Source

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus_metric import Table

LM = "lm"
FEATURES = (*(f"f{n}" for n in ORDERS), *(f"pivot-f{n}" for n in ORDERS), LM)
# Without a file of weights: the mean of the F.
EQUAL: Mapping[str, float] = MappingProxyType({name: 1 / 6 for name in FEATURES if name != LM} | {LM: 0.0})


@dataclass(frozen=True)
class TeslaF(Analysed):
    """The mean of TESLA-F's sentence scores: weighted sums of seven features.

    `f1`, `f2`, `f3` are TESLA-M's. For `pivot-f1` to `pivot-f3` a phrase table maps both sides to a pivot language: a
    sentence is cut into phrases so that the product of their probabilities is largest; each becomes its weighted pivot
    phrases, words that no phrase has stay as they are. The weights of the n-grams of this confusion network are matched
    by TESLA-M's linear programme, in which only equal n-grams are linked. `lm` is (1/n) log P of the hypothesis of n
    words, with the natural logarithm; 0 without words. Orders of F that neither side has are 1, those that one only
    has 0. Of several references the one with the best score counts. The paper leaves these three open, and what a
    phrase's probability is: here its share of all counts in the table, or the same for all if there are none.

    Args:
        pivot_table: a phrase table as Moses writes it, from the texts' language to the pivot language.
        language_model: an ARPA file; only with weights.
        weights: a file of `feature weight` lines; by default the mean of the six F. `learn_weights` of
            `fm.evaluation` finds weights from human rankings.
        analyser: as of `TeslaM`.
        discount: as of `TeslaM`.
    """

    pivot_table: str | None = option(
        None, PATH, "tesla-f: a phrase table of Moses, to the pivot language.", "FILE"
    )
    language_model: str | None = option(None, PATH, "tesla-f: a language model in ARPA format.", "FILE")
    weights: str | None = option(
        None, PATH, "tesla-f: lines `feature weight`. Default: the mean of the six F.", "FILE",
        name="tesla_f_weights",
    )  # fmt: skip
    analyser: AnalyserName | Analyser = analyser_option()
    discount: Discount = discount_option()

    name = "tesla-f"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_discount(self.discount)

    def settings(self) -> dict[str, object]:
        """The options, files by shorter names."""
        shorter = {"pivot_table": "table", "language_model": "lm"}
        return {shorter.get(name, name): value for name, value in super().settings().items()}

    def item_scores(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """The best reference's score of each item."""
        weights = self.feature_weights()
        return np.array(
            [
                float((self.features(words, refs) @ weights).max())
                for words, refs in zip(hypotheses, references, strict=True)
            ]
        )

    def feature_weights(self) -> Table:
        """The weights of `FEATURES`, in this order.

        Raises:
            InputError: the file of weights cannot be read, or names other features.
            FstmetricsError: the language model has a weight and is not given, or is given without weights.
        """
        if self.language_model is not None and self.weights is None:
            raise FstmetricsError(
                "a language model counts in tesla-f only with weights: --tesla-f-weights FILE, in Python "
                "TeslaF(weights=FILE)"
            )
        weights = EQUAL if self.weights is None else read_feature_weights(self.weights)
        if weights[LM] and self.language_model is None:
            raise FstmetricsError(
                f"{self.weights} has a weight of the feature {LM}: give a language model, too"
            )
        return np.array([weights[name] for name in FEATURES])

    def features(self, hypothesis: Words, references: Sequence[Words]) -> Table:
        """The features of one hypothesis with each reference, shape [references, features]; 0 for `lm` without a model.

        Raises:
            FstmetricsError: there is no phrase table, or a file cannot be read.
        """
        if self.pivot_table is None:
            raise FstmetricsError(
                "tesla-f needs a phrase table to a pivot language: --pivot-table FILE, in Python "
                "TeslaF(pivot_table=FILE)"
            )
        table, analyse = kept_table(self.pivot_table), as_analyser(self.analyser)
        ours, pivots = analyse(hypothesis), table.network(hypothesis)
        path = self.language_model
        model = None if path is None else _model(path, state_of(path))
        fluency = model.log10(hypothesis) * math.log(10) / len(hypothesis) if model and hypothesis else 0.0
        rows = []
        for reference in references:
            theirs, others = analyse(reference), table.network(reference)
            found = [order_score(ours, theirs, n, self.discount) for n in ORDERS]
            found += [pivot_score(ngram_weights(pivots, n), ngram_weights(others, n)) for n in ORDERS]
            rows.append([*(1.0 if f is None else f for f in found), fluency])
        return np.array(rows)


@dataclass(frozen=True)
class TeslaFFeatures(TextMetric):
    """TESLA-F's features as the statistics of items, to learn weights from; its score is the mean of the six F.

    Of several references the one with the best mean of F counts.
    """

    metric: TeslaF

    name = "tesla-f"
    columns = FEATURES

    @property
    def packages(self) -> tuple[str, ...]:  # type: ignore[override]
        """The metric's."""
        return self.metric.packages

    def statistics(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """The features of each item."""
        rows = [self.metric.features(*item) for item in zip(hypotheses, references, strict=True)]
        best = [row[np.argmax(self.corpus_score(row))] for row in rows]
        return np.array(best).reshape(len(rows), len(FEATURES))

    def corpus_score(self, sums: Table) -> Table:
        """The mean of the six F."""
        scores: Table = sums @ np.array([EQUAL[name] for name in FEATURES])
        return scores


def pivot_score(
    ours: Mapping[tuple[str, ...], float], theirs: Mapping[tuple[str, ...], float]
) -> float | None:
    """F of two bags of weighted n-grams; None where both are empty.

    Only equal n-grams are linked, so the programme's optimum is the sum of the lesser weights.

    >>> pivot_score({("Bonjour",): 0.9, ("Salut",): 0.1}, {("Bonjour",): 1.0})
    0.9
    """
    sizes = [math.fsum(side.values()) for side in (ours, theirs)]
    if not any(sizes):
        return None
    matched = math.fsum(min(weight, theirs.get(ngram, 0.0)) for ngram, weight in ours.items())
    return matched / (PRECISION * sizes[1] + RECALL * sizes[0])


def read_feature_weights(path: str) -> Mapping[str, float]:
    """Read lines `feature weight`; features that the file does not name have the weight 0.

    Raises:
        InputError: the file cannot be read, or a line that is none.
    """
    source = Source.open(path)
    weights: dict[str, float] = {}
    for number, line in source.lines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        parts = line.split()
        try:
            name, value = parts[0], float(parts[1])
        except (IndexError, ValueError):
            value = math.nan
        if len(parts) != 2 or not math.isfinite(value):
            raise source.error(f"expected `feature weight`, found {line[:60]!r}", number)
        if name not in FEATURES or name in weights:
            raise source.error(f"expected each of {listed(FEATURES)} once, found {name!r}", number)
        weights[name] = value
    return {name: weights.get(name, 0.0) for name in FEATURES}


# A changed file is another.
@lru_cache(maxsize=2)
def _model(path: str, _state: FileState | None) -> LanguageModel:
    return read_arpa(path)
