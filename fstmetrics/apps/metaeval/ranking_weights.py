"""Weights of a metric's features from human rankings, by a linear ranking support vector machine: `learn_weights`.

`share_in_order` says how well scores order what people ranked, `share_held_out` how well learned weights do so for
segments that they were not learned from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics import FstmetricsError
from fstmetrics.support.errors import need

if TYPE_CHECKING:
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float64]

# Of segments, to see how well learned weights order those that they were not learned from.
FOLDS = 10


def learn_weights(
    features: npt.ArrayLike, ranks: npt.ArrayLike, regularisation: float = 1.0, seed: int = 0
) -> Numbers:
    """The weights with which sums of features rank translations as people do (Joachims 2002), as in TESLA-F.

    Every pair of translations of one segment that people rank differently is an example: the difference of their
    features, which should have a positive sum. Features are not scaled.

    Args:
        features: shape [segments, systems, features].
        ranks: shape [segments, systems], lower is better; nan where nobody ranked.
        regularisation: C of the machine: how much each wrong pair costs.
        seed: of the solver.

    Returns:
        One weight a feature.

    Raises:
        FstmetricsError: scikit-learn is not installed, shapes that do not fit, features that are not finite, or no pair
            with different ranks.

    >>> features = [[[0.9, 0.1], [0.2, 0.8]], [[0.3, 0.5], [0.7, 0.4]]]
    >>> weights = learn_weights(features, [[1, 2], [2, 1]])
    >>> bool(weights[0] > 0 > weights[1])
    True
    """
    values, ranked = np.asarray(features, dtype=np.float64), np.asarray(ranks, dtype=np.float64)
    if values.ndim != 3 or ranked.shape != values.shape[:2]:
        raise FstmetricsError(
            f"features have the shape [segments, systems, features] and ranks [segments, systems], not "
            f"{list(values.shape)} and {list(ranked.shape)}"
        )
    if not np.isfinite(values[~np.isnan(ranked)]).all():
        raise FstmetricsError("a translation that people ranked has a feature that is no finite number")
    # Each pair once: the better one first.
    segments, better, worse = np.nonzero(ranked[:, :, None] < ranked[:, None, :])
    if not len(segments):
        raise FstmetricsError(
            "no two translations of a segment have different ranks, so there is nothing to learn"
        )
    differences = values[segments, better] - values[segments, worse]
    # Both directions, so that there are two classes.
    examples = np.concatenate([differences, -differences])
    classes = np.repeat([1, -1], len(differences))
    svm = need("sklearn.svm", "learning weights", "proficiency", "scikit-learn")
    machine = svm.LinearSVC(C=regularisation, fit_intercept=False, random_state=seed, max_iter=100_000)
    machine.fit(examples, classes)
    weights: Numbers = machine.coef_[0].astype(np.float64)
    return weights


def share_in_order(scores: npt.ArrayLike, ranks: npt.ArrayLike) -> float:
    """The share of pairs with different ranks whose scores are in the same order; equal scores are not. nan of none.

    Args:
        scores: shape [segments, systems], higher is better.
        ranks: the same shape, lower is better; nan where nobody ranked.

    >>> share_in_order([[0.9, 0.2, 0.2]], [[1, 2, 3]])
    0.6666666666666666
    """
    values, ranked = np.asarray(scores, dtype=np.float64), np.asarray(ranks, dtype=np.float64)
    better = ranked[:, :, None] < ranked[:, None, :]
    right = better & (values[:, :, None] > values[:, None, :])
    return float(right.sum() / better.sum()) if better.any() else float("nan")


def share_held_out(
    features: npt.ArrayLike, ranks: npt.ArrayLike, segments: Sequence[str], regularisation: float = 1.0
) -> float | None:
    """`share_in_order` of weights that are learned from the other of `FOLDS` folds of segments.

    Args:
        features, ranks, regularisation: as of `learn_weights`; a row is a judgment.
        segments: of each row: all judgments of a segment are in one fold.

    Returns:
        None where fewer segments than folds have two translations of different ranks.
    """
    values, ranked = np.asarray(features, dtype=np.float64), np.asarray(ranks, dtype=np.float64)
    telling = np.nanmin(ranked, axis=1) < np.nanmax(ranked, axis=1)
    names = list(dict.fromkeys(name for name, tells in zip(segments, telling, strict=True) if tells))
    if len(names) < FOLDS:
        return None
    fold_of = {name: place % FOLDS for place, name in enumerate(names)}
    fold = np.array([fold_of.get(name, -1) for name in segments])
    scores = np.zeros(ranked.shape)
    for number in range(FOLDS):
        rest, held = (fold >= 0) & (fold != number), fold == number
        scores[held] = values[held] @ learn_weights(values[rest], ranked[rest], regularisation)
    return share_in_order(scores[fold >= 0], ranked[fold >= 0])
