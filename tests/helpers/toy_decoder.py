"""A toy decoder for tests of tuning: word for word, with options that a log-linear model chooses from."""

from __future__ import annotations

import random
from dataclasses import dataclass
from heapq import nlargest
from itertools import product

from fstmetrics.data.feature_forest import FeatureForest
from fstmetrics.data.features import Features
from fstmetrics.data.nbest import NBest

NAMES = ("tm", "lm", "fit", "noise")
PLANTED = {"tm": 1.0, "lm": 0.5, "fit": 2.0, "noise": -0.5}
ELSEWHERE = {"tm": 1.0, "lm": -1.0, "fit": 0.1, "noise": 1.0}
# Options of a word.
OPTIONS = 4


@dataclass(frozen=True)
class Sentence:
    """For each source word its options: a target word, and the values of its features."""

    options: tuple[tuple[tuple[str, tuple[float, ...]], ...], ...]

    def derivations(self) -> list[tuple[tuple[str, ...], dict[str, float]]]:
        """Every translation, with its features."""
        found = []
        for chosen in product(*self.options):
            words = tuple(word for word, _ in chosen)
            columns = zip(*(values for _, values in chosen), strict=True)
            found.append((words, {name: sum(column) for name, column in zip(NAMES, columns, strict=True)}))
        return found

    def nbest(self, weights: dict[str, float], size: int, id: str) -> NBest:
        """The best translations under the weights."""

        def score(derivation: tuple[tuple[str, ...], dict[str, float]]) -> float:
            return sum(weights[name] * value for name, value in derivation[1].items())

        best = nlargest(size, self.derivations(), key=score)
        words = tuple(words for words, _ in best)
        rows = Features.from_rows([row for _, row in best], NAMES)
        return NBest(id, words, tuple(map(" ".join, words)), tuple(map(score, best)), rows)

    def forest(self, id: str) -> FeatureForest:
        """All translations, as a lattice."""
        vertices: list[list[tuple[str | int, ...]]] = [[()]]
        rows: list[dict[str, float]] = [{}]
        for state, options in enumerate(self.options):
            vertices.append([(state, word) for word, _ in options])
            rows += [dict(zip(NAMES, values, strict=True)) for _, values in options]
        return FeatureForest.from_edges(vertices, Features.from_rows(rows, NAMES), id=id)


def corpus(size: int, words: int, seed: int) -> tuple[list[Sentence], list[str]]:
    """Sentences, and as references their best translations under `PLANTED`."""
    rng = random.Random(seed)
    sentences = []
    for number in range(size):
        options = []
        for place in range(words):
            values = [tuple(round(rng.gauss(0, 1), 3) for _ in NAMES) for _ in range(OPTIONS)]
            options.append(tuple((f"w{number}-{place}-{i}", row) for i, row in enumerate(values)))
        sentences.append(Sentence(tuple(options)))
    return sentences, [" ".join(s.nbest(PLANTED, 1, "x").entries[0]) for s in sentences]
