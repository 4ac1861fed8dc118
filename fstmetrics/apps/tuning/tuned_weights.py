"""What tuning returns, `Tuned`, and what every way of tuning shares: `Model`, the weights that may change."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics import FstmetricsError
from fstmetrics.apps.tuning.candidates import Candidates
from fstmetrics.support.arguments import instance
from fstmetrics.support.names import listed

if TYPE_CHECKING:
    import numpy.typing as npt

    Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Tuned:
    """Weights, and what they are good for on what they were tuned on.

    Attributes:
        weights: of every feature, those that were kept fixed among them.
        score: the metric of the model's best hypotheses under them.
        start_score: the same of the weights that tuning began with.
        scores: the score that each start (MERT), epoch (MIRA) or round (PRO) reached.
    """

    weights: dict[str, float]
    score: float
    start_score: float
    scores: tuple[float, ...] = ()


# Told what was found so far, how much is done, and of how much.
Progress = Callable[[Tuned, int, int], None]


def unheard(found: Tuned, done: int, of: int) -> None:
    """Nobody is told."""


class Model:
    """Weights of candidates' features, some of which may change.

    Args:
        candidates: what is chosen from.
        weights: where tuning begins; a feature that no hypothesis has stays as it is.
        tuned: the features whose weights may change; by default all that have one.

    Attributes:
        candidates: as given.
        start: the weights in the order of the candidates' features; shape [features].
        free: the columns that may change.

    Raises:
        FstmetricsError: a weight that is no finite number, a feature of a hypothesis without a weight, or nothing to
            tune.
    """

    def __init__(
        self, candidates: Candidates, weights: Mapping[str, float], tuned: Iterable[str] | None = None
    ) -> None:
        instance(Candidates).check(candidates, "candidates")
        candidates.check_weights(weights)
        names = candidates.names
        wanted = set(names) if tuned is None else set(tuned)
        if unknown := wanted - set(names):
            raise FstmetricsError(
                f"no hypothesis has the feature {listed(sorted(unknown))}, which is to be tuned"
            )
        self.candidates, self._weights = candidates, dict(weights)
        self.start = candidates.features.vector(weights)
        self.free = np.array([column for column, name in enumerate(names) if name in wanted], dtype=np.int64)
        if not len(self.free):
            raise FstmetricsError("there is no feature to tune")
        self.start_score = candidates.score(self.start)

    def gain(self, score: float) -> float:
        """A score turned so that higher is better; what is no number is worst."""
        return -math.inf if math.isnan(score) else self.candidates.sign * score

    def scaled(self, vector: Doubles) -> Doubles:
        """The same model with weights of the size that they began with, where all may change; others stay as they were.

        Only the ratios of weights decide which hypothesis is best. The size is the sum of their absolute values.
        """
        if len(self.free) < len(self.start):
            kept = self.start.copy()
            kept[self.free] = vector[self.free]
            return kept
        before, after = np.abs(self.start).sum(), np.abs(vector).sum()
        return vector * (before / after) if before and after else vector

    def named(self, vector: Doubles) -> dict[str, float]:
        """Weights by the names of the candidates' features."""
        return dict(zip(self.candidates.names, vector.tolist(), strict=True))

    def tuned(self, vector: Doubles, scores: Iterable[float] = ()) -> Tuned:
        """The weights by name, and their score."""
        vector = self.scaled(vector)
        found = self.named(vector)
        score = self.candidates.score(vector)
        return Tuned(self._weights | found, score, self.start_score, tuple(scores))
