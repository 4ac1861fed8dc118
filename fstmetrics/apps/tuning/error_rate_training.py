"""Minimum error rate training (Och, ACL 2003): `mert`, exact line searches along one direction after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.apps.tuning.candidates import Candidates
from fstmetrics.apps.tuning.line_searches import search_along
from fstmetrics.apps.tuning.tuned_weights import Model, Progress, Tuned, unheard
from fstmetrics.support.arguments import whole_number

if TYPE_CHECKING:
    import numpy.typing as npt

    Doubles = npt.NDArray[np.float64]

# As many points as [L11 §3] begins at.
STARTS = 20
MOST_STARTS = 100_000
# Random directions of a pass, at most, where nobody says how many.
MOST_RANDOM = 10
# A step that gains no more than this share of the score is rounding.
LEAST_GAIN = 1e-9


def mert(
    candidates: Candidates,
    weights: Mapping[str, float],
    *,
    tuned: Iterable[str] | None = None,
    starts: int = STARTS,
    directions: int | None = None,
    seed: int = 1,
    progress: Progress = unheard,
) -> Tuned:
    """Weights under which the model's best hypotheses have the best score that was found.

    From each start, line searches go along every feature and along random directions, in an order that is drawn anew in
    each pass, and each goes at once to the best point of its line; a pass without a gain ends the climb. The first
    start is `weights`; the others are drawn: a weight w becomes one between -s and s, s the larger of |w| and the mean
    of all |w|. The result is never worse than `weights` on these candidates. The same seed gives the same weights.

    Args:
        candidates: what is chosen from, n-best lists, lattices or forests, and the metric.
        weights: where to begin, for every feature of a hypothesis.
        tuned: the features whose weights may change; by default all.
        starts: how many points to begin at.
        directions: how many random directions a pass has; by default as many as features, 10 at most.
        seed: of the random numbers.
        progress: told what was found so far, after each start.

    Raises:
        FstmetricsError: a feature without a weight, or nothing to tune.

    >>> from fstmetrics.data.features import Features
    >>> from fstmetrics.data.nbest import NBest
    >>> features = Features.from_rows([{"lm": -1.0, "tm": -2.0}, {"lm": -2.0, "tm": -0.5}])
    >>> nbest = NBest("0", (("a", "cat"), ("the", "cat")), ("a cat", "the cat"), features=features)
    >>> found = mert(Candidates([nbest], ["the cat"], "wer"), {"lm": 1.0, "tm": 0.5})
    >>> found.start_score, found.score
    (0.5, 0.0)
    """
    whole_number(starts, "starts", 1, MOST_STARTS)
    model = Model(candidates, weights, tuned)
    count = min(MOST_RANDOM, len(model.free)) if directions is None else directions
    whole_number(count, "directions", 0, MOST_STARTS)
    random = np.random.default_rng(seed)
    best, scores = model.start, list[float]()
    best_score = model.start_score
    found = model.tuned(best)
    for number in range(starts):
        vector, score = _climb(model, _start(model, random, number), count, random)
        scores.append(score)
        if model.gain(score) > model.gain(best_score):
            best, best_score = vector, score
            found = model.tuned(best)
        progress(found, number + 1, starts)
    result = model.tuned(best, scores)
    # Rounding in the middle of an interval cannot make it worse than where it began.
    return (
        result
        if model.gain(result.score) >= model.gain(model.start_score)
        else model.tuned(model.start, scores)
    )


def _start(model: Model, random: np.random.Generator, number: int) -> Doubles:
    if number == 0:
        return model.start.copy()
    sizes = np.abs(model.start)
    free = model.free
    reach = np.maximum(sizes[free], sizes[free].mean() or 1.0)
    vector = model.start.copy()
    vector[free] = random.uniform(-reach, reach)
    return vector


def _climb(
    model: Model, vector: Doubles, directions: int, random: np.random.Generator
) -> tuple[Doubles, float]:
    """From one start to a point from which no direction gains anything."""
    features, candidates = model.candidates.features, model.candidates
    score = candidates.score(vector)
    while True:
        before, scores = score, features.dot(vector)
        for way in _directions(model, directions, random):
            # A line along a feature has its values for slopes.
            one = np.flatnonzero(way)
            slopes = features.column(one[0]) if len(one) == 1 else features.dot(way)
            if not slopes.any():
                continue
            found = search_along(candidates, scores, slopes)
            step, gained = found.step, model.gain(found.score) - model.gain(score)
            if step and gained > LEAST_GAIN * max(1.0, abs(score)):
                vector, scores = vector + step * way, scores + step * slopes
                score = found.score
        vector = model.scaled(vector)
        if not model.gain(score) > model.gain(before):
            return vector, score


def _directions(model: Model, count: int, random: np.random.Generator) -> Doubles:
    """Every free feature, and some random directions, in random order; shape [directions, features]."""
    free = model.free
    coordinates = np.zeros((len(free), len(model.start)))
    coordinates[np.arange(len(free)), free] = 1.0
    others = np.zeros((count, len(model.start)))
    others[:, free] = random.normal(size=(count, len(free)))
    every = np.concatenate([coordinates, others])
    random.shuffle(every)
    return every
