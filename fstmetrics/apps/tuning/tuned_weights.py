"""What tuning returns, `Tuned`, and what every way of tuning shares: `Model`, the weights that may change.

`over_best_lists` is for ways that need n-best lists: it makes lists of lattices and forests, of the hypotheses that are
best somewhere on a line of weights, along each feature and along random directions. Weights are tuned on them. Lists
made anew under these weights are added, as a decoder would do it, until they bring nothing new.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics import FstmetricsError
from fstmetrics.apps.tuning.candidates import Candidates
from fstmetrics.support.arguments import instance
from fstmetrics.support.names import listed

if TYPE_CHECKING:
    from fstmetrics.apps.tuning.candidates import Doubles

# Lists are made so often at most, each time along so many random directions beside the features.
ROUNDS, RANDOM = 10, 10


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

    def ways(self, random: np.random.Generator, count: int) -> Doubles:
        """Directions: every free feature, and so many random ones; shape [directions, features]."""
        found = np.zeros((len(self.free) + count, len(self.start)))
        drawn = random.normal(size=(count, len(self.free)))
        found[:, self.free] = np.concatenate([np.eye(len(self.free)), drawn])
        return found

    def best_of(self, found: Iterable[tuple[Doubles, float]], of: int, progress: Progress) -> Tuned:
        """The best weights, those at the start among them, and the scores of all others.

        Args:
            found: weights and their scores, one after the other.
            of: how many there are at most.
            progress: told the best so far, after each.
        """
        best, best_score, scores = self.start, self.start_score, list[float]()
        told = self.tuned(best)
        for done, (vector, score) in enumerate(found, 1):
            scores.append(score)
            if self.gain(score) > self.gain(best_score):
                best, best_score = vector, score
                told = self.tuned(best)
            progress(told, done, of)
        return self.tuned(best, scores)


def over_best_lists(
    tune: Callable[..., Tuned],
    candidates: Candidates,
    weights: Mapping[str, float],
    *,
    tuned: Iterable[str] | None,
    seed: int,
    progress: Progress,
    **own: Any,
) -> Tuned:
    """Tune lattices and forests by what tunes n-best lists; the best weights of all rounds, by the score of all paths.

    Args:
        tune: `mira` or `pro`.
        candidates, weights, tuned, seed, progress: as of these; rounds are told.
        own: what else it takes.

    Raises:
        FstmetricsError: as of `tune`.
    """
    wanted = None if tuned is None else list(tuned)
    model, random = Model(candidates, weights, wanted), np.random.default_rng(seed)

    def rounds() -> Iterator[tuple[Doubles, float]]:
        vector = model.start
        lists: Candidates | None = None
        for _ in range(ROUNDS):
            new = candidates.listed(vector, model.ways(random, RANDOM))
            known = 0 if lists is None else len(lists.features)
            lists = new if lists is None else lists.with_lists(new)
            if len(lists.features) == known:
                return
            found = tune(lists, dict(weights) | model.named(vector), tuned=wanted, seed=seed, **own)
            vector = candidates.features.vector(found.weights)
            yield vector, candidates.score(vector)

    return model.best_of(rounds(), ROUNDS, progress)
