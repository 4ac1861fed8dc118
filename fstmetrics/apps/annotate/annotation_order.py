"""Which sentence to annotate next: `annotation_order`, by how much it could change what is known of the systems.

New phrases only bring outputs closer. So of a sentence in which two systems have the distances d and e, the difference
between the systems can change by at most max(d, e). Over n sentences, the difference D of the sums has the standard
error s = sd(d_i - e_i) √n, and z = D / s the two-sided p-value p = 2 (1 - Φ(|z|)). To first order a change of D by u
changes p by 2 φ(z) u / s. A sentence's weight is the sum of this over all pairs of systems: large where outputs are far
from the network, and where two systems are close.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple


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
