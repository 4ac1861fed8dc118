"""Ways of tuning that need n-best lists, for lattices and forests: `over_best_lists`.

Lists are made of the hypotheses that are best somewhere on a line of weights, along each feature and along random
directions. Weights are tuned on them. Lists made anew under these weights are added, as a decoder would do it, until
they bring nothing new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.apps.tuning.candidates import Candidates
from fstmetrics.apps.tuning.tuned_weights import Model, Progress, Tuned

if TYPE_CHECKING:
    import numpy.typing as npt

# Lists are made so often at most, each time along so many random directions beside the features.
ROUNDS, RANDOM = 10, 10


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
    vector, best, best_score = model.start, model.start, model.start_score
    lists: Candidates | None = None
    scores = list[float]()
    for number in range(ROUNDS):
        new = candidates.listed(vector, _ways(model, random))
        known = 0 if lists is None else len(lists.features)
        lists = new if lists is None else lists.with_lists(new)
        if len(lists.features) == known:
            break
        found = tune(lists, dict(weights) | model.named(vector), tuned=wanted, seed=seed, **own)
        vector = candidates.features.vector(found.weights)
        scores.append(candidates.score(vector))
        if model.gain(scores[-1]) > model.gain(best_score):
            best, best_score = vector, scores[-1]
        progress(model.tuned(best), number + 1, ROUNDS)
    return model.tuned(best, scores)


def _ways(model: Model, random: np.random.Generator) -> npt.NDArray[np.float64]:
    along = np.eye(len(model.start))[model.free]
    return np.concatenate([along, random.normal(size=(RANDOM, len(along))) @ along])
