"""Which sentence to annotate next: `annotation_order`, by how much it could change what is known of the systems; and
`SentenceDistances`, of every system's output to what all annotators wrote for its sentence.

New phrases only bring outputs closer. So of a sentence in which two systems have the distances d and e, the difference
between the systems can change by at most max(d, e). Over n sentences, the difference D of the sums has the standard
error s = sd(d_i - e_i) √n, and z = D / s the two-sided p-value p = 2 (1 - Φ(|z|)). To first order a change of D by u
changes p by 2 φ(z) u / s. A sentence's weight is the sum of this over all pairs of systems: large where outputs are far
from the network, and where two systems are close.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from fstmetrics import FstmetricsError, HyTER, Network
from fstmetrics.apps.annotate.project_store import Project
from fstmetrics.apps.annotate.rooted_cards import whole_sentence
from fstmetrics.apps.annotate.sentence_cards import compiled
from fstmetrics.apps.annotate.typing_feedback import SEARCH
from fstmetrics.engine.search import search_items
from fstmetrics.networks.distances import distance
from fstmetrics.text.normalisation import PLAIN


class SentenceDistances:
    """Distances, kept until somebody changes the sentence."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[object, dict[str, float]]] = {}
        self._one = threading.Lock()

    def of(self, project: Project, sentence: int) -> dict[str, float]:
        """By system, the distance to the nearest of the annotators' networks and of the references; where there is
        neither, all words of the output."""
        annotated = project.annotated(sentence)
        key = tuple((who.id, tuple(cards.values())) for who, cards in annotated.items())
        with self._one:
            kept = self._kept.get(sentence)
            if kept is not None and kept[0] == key:
                return kept[1]
        texts = project.texts(sentence)
        systems = [text for text in texts if text.kind == "system"]
        nearest: dict[str, float] = {}
        references: list[Network | list[str]] = [
            list(text.words) for text in texts if text.kind == "reference"
        ]
        for cards in annotated.values():
            if (root := whole_sentence(compiled(cards, project.normalisation))) is not None:
                references.append(root.network)
        for reference in references:
            items = [(None, list(text.words), reference) for text in systems]
            try:
                results = list(search_items(items, HyTER(), 1, PLAIN, SEARCH)) if items else []
            except FstmetricsError:  # too large to be searched at once
                continue
            for text, result in zip(systems, results, strict=True):
                nearest[text.name] = min(nearest.get(text.name, distance(result)), distance(result))
        found = {text.name: nearest.get(text.name, float(len(text.words))) for text in systems}
        with self._one:
            self._kept[sentence] = (key, found)
        return found


class PairOfSystems(NamedTuple):
    """Two systems: the difference of their distances (negative: the first is better), z and p."""

    one: str
    other: str
    difference: float
    z: float
    p: float


@dataclass(frozen=True, slots=True)
class AnnotationOrder:
    """What is known of the systems, and what could change it.

    Attributes:
        weights: of each sentence, by how much p-values could change, to first order, added up over pairs of systems.
        sums: of each system, its distances added up.
        pairs: all pairs of systems, the ones with the largest p first.
    """

    weights: list[float]
    sums: dict[str, float]
    pairs: list[PairOfSystems]

    @property
    def order(self) -> list[int]:
        """The numbers of the sentences, from 0, the largest weight first."""
        return sorted(range(len(self.weights)), key=lambda i: -self.weights[i])


def annotation_order(distances: Mapping[str, Sequence[float]]) -> AnnotationOrder:
    """The order for the distances of systems, by name, in every sentence.

    A single system has no pair: then a sentence's weight is its distance.

    >>> found = annotation_order({"a": [1, 0, 4, 2], "b": [1, 2, 4, 0], "c": [1, 9, 9, 8]})
    >>> found.order, found.pairs[0][:3]
    ([2, 1, 3, 0], ('a', 'b', 0))
    """
    count = len(next(iter(distances.values()), ()))
    weights = [0.0] * count
    pairs: list[PairOfSystems] = []
    for one, other in combinations(distances, 2):
        first, second = distances[one], distances[other]
        apart = [d - e for d, e in zip(first, second, strict=True)]
        total = sum(apart)
        error = _standard_error(apart)
        z = total / error
        pairs.append(PairOfSystems(one, other, total, z, math.erfc(abs(z) / math.sqrt(2))))
        slope = 2 * math.exp(-z * z / 2) / math.sqrt(2 * math.pi) / error
        for i, (d, e) in enumerate(zip(first, second, strict=True)):
            weights[i] += slope * max(d, e)
    if len(distances) == 1:
        weights = [float(d) for d in next(iter(distances.values()))]
    sums = {name: sum(values) for name, values in distances.items()}
    return AnnotationOrder(weights, sums, sorted(pairs, key=lambda pair: -pair.p))


def _standard_error(apart: Sequence[float]) -> float:
    """Of a sum of differences; at least that of one edit in one sentence, so that equal systems have one, too."""
    count = len(apart)
    mean = sum(apart) / count if count else 0.0
    variance = sum((each - mean) ** 2 for each in apart) / max(count - 1, 1)
    return max(math.sqrt(variance * count), 1.0)
