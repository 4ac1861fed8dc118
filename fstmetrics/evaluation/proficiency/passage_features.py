"""A table of numbers about translations, one row a passage: `passage_features` [H12 §5.3]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fstmetrics.evaluation.proficiency.network_ngrams import ngram_matches
from fstmetrics.metrics import HyTER
from fstmetrics.scoring.api import align
from fstmetrics.values.network import Network
from fstmetrics.values.normalisation import Normalisation

MAX_ORDER = 20
_COUNTS = ("insertions", "deletions", "substitutions", "insertions_or_deletions")
NAMES: tuple[str, ...] = (
    "hyter",
    *_COUNTS,
    *(f"{name}_per_word" for name in _COUNTS),
    *(f"precision_{n}" for n in range(1, MAX_ORDER + 1)),
)


@dataclass(frozen=True)
class FeatureTable:
    """Features of passages, for scikit-learn.

    Attributes:
        passages: the row names.
        values: shape [passages, features]; the columns are `NAMES`.
    """

    passages: tuple[str, ...]
    values: npt.NDArray[np.float64]


def passage_features(
    sentences: Iterable[tuple[str, str, Network]],
    metric: HyTER | None = None,
    normalisation: Normalisation | None = None,
) -> FeatureTable:
    """Features of passages [H12 §5.3].

    The HyTER score (sums over the passage's sentences); insertions, deletions, substitutions and
    insertions-or-deletions, as they are and divided by the passage's words; and n-gram precisions for n = 1 .. 20
    against all paths of the networks: unclipped, no n-gram crosses sentences, 0 where a passage has none of that order.

    Args:
        sentences: passage, translation and reference network of every sentence.
        metric: HyTER by default.
        normalisation: of both sides.

    Raises:
        FstmetricsError: a network that is too large to look for n-grams in it.

    >>> from fstmetrics import Card
    >>> network = Network([Card.from_phrases("S", ["the cat sat", "a cat sat"])], "S")
    >>> table = passage_features([("p1", "the cat", network)])
    >>> dict(zip(NAMES, table.values[0].tolist(), strict=True))["precision_2"]
    1.0
    """
    metric, normalisation = metric or HyTER(), normalisation or Normalisation()
    sums: dict[str, _Passage] = {}
    for passage, translation, network in sentences:
        sums.setdefault(passage, _Passage()).add(translation, network, metric, normalisation)
    values = np.array([p.features() for p in sums.values()], dtype=np.float64).reshape(len(sums), len(NAMES))
    return FeatureTable(tuple(sums), values)


class _Passage:
    """Sums over the sentences of a passage."""

    def __init__(self) -> None:
        self.words = self.errors = self.divisor = 0
        self.operations = np.zeros(3, dtype=np.int64)
        self.matches = np.zeros(MAX_ORDER, dtype=np.int64)
        self.ngrams = np.zeros(MAX_ORDER, dtype=np.int64)

    def add(self, translation: str, network: Network, metric: HyTER, normalisation: Normalisation) -> None:
        result = align(translation, network, metric, normalisation=normalisation)
        words = normalisation.of_hypotheses.words(translation)
        self.words += len(words)
        self.errors += result.edits + result.moves
        self.divisor += result.path_length
        self.operations += (result.insertions, result.deletions, result.substitutions)
        self.matches += ngram_matches(words, network, MAX_ORDER, normalisation.of_references)
        self.ngrams += np.maximum(0, len(words) - np.arange(MAX_ORDER))

    def features(self) -> list[float]:
        score = self.errors / self.divisor if self.divisor else float(self.errors > 0)
        counts = [*map(float, self.operations), float(self.operations[:2].sum())]
        precisions = self.matches / np.maximum(self.ngrams, 1)
        return [score, *counts, *(count / max(self.words, 1) for count in counts), *map(float, precisions)]


def table_lines(table: FeatureTable, levels: Sequence[Iterable[str]] | None = None) -> Iterator[str]:
    """Tab-separated lines with a head; a last column `level`, several levels joined by `|`, if there are any."""
    yield "\t".join(["passage", *NAMES, *(["level"] if levels is not None else [])])
    for number, (passage, row) in enumerate(zip(table.passages, table.values.tolist(), strict=True)):
        fields = [passage, *(f"{value:.10g}" for value in row)]
        yield "\t".join([*fields, "|".join(sorted(levels[number]))] if levels is not None else fields)
