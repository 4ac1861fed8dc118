"""Pairwise ranked optimization (Hopkins and May, "Tuning as Ranking", EMNLP 2011): `pro`.

Of each item, pairs of hypotheses are drawn; those that the metric tells apart clearly, and of these the clearest, are
what a linear classifier learns: which of the two has the better item score. It is logistic regression, fitted by
Newton's method.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics import BLEU, FstmetricsError
from fstmetrics.apps.tuning.candidates import Candidates
from fstmetrics.apps.tuning.tuned_weights import Model, Progress, Tuned, over_best_lists, unheard
from fstmetrics.support.arguments import whole_number

if TYPE_CHECKING:
    from fstmetrics.apps.tuning.candidates import Doubles, Longs

# As in the paper: pairs drawn an item, the least difference of item scores, and the pairs kept.
DRAWN, CLEAR, KEPT = 5000, 0.05, 50
# The prior of the weights, as one over twice its variance; and when Newton's method has arrived.
PRIOR = 1e-3
MOST_STEPS, SMALL = 100, 1e-10
ROUNDS = 5


def pro(
    candidates: Candidates,
    weights: Mapping[str, float],
    *,
    tuned: Iterable[str] | None = None,
    rounds: int = ROUNDS,
    seed: int = 1,
    progress: Progress = unheard,
) -> Tuned:
    """Weights by pairwise ranked optimization: those of the best of some rounds, each with pairs of its own.

    The item score of BLEU is that of sentence BLEU with plus-one smoothing (Lin and Och 2004), as in the paper; of
    other metrics it is their own. Weights that are kept fixed are an offset of the classifier.

    Args:
        candidates: n-best lists, and the metric; of lattices and forests, lists are made, see `over_best_lists`.
        weights: those of features that are kept fixed, and what the result is compared with.
        tuned: the features whose weights may change; by default all.
        rounds: how often to draw pairs.
        seed: of the pairs.
        progress: told what was found so far, after each round.

    Raises:
        FstmetricsError: no pair that the metric tells apart, a feature without a weight, or
            nothing to tune.
    """
    whole_number(rounds, "rounds", 1, 100_000)
    if not candidates.all_lists:
        return over_best_lists(
            pro, candidates, weights, tuned=tuned, seed=seed, progress=progress, rounds=rounds
        )
    rows = candidates.row_of_edge
    model = Model(candidates, weights, tuned)
    gains = item_gains(candidates)[rows]
    random = np.random.default_rng(seed)
    fixed = model.start.copy()
    fixed[model.free] = 0.0

    def ranked() -> Iterator[tuple[Doubles, float]]:
        for _ in range(rounds):
            better, worse = _pairs(candidates, gains, random)
            if not len(better):
                raise FstmetricsError(
                    f"no two hypotheses of an item differ by {CLEAR} in {candidates.metric.name}: there is nothing to "
                    "rank"
                )
            differences = candidates.features.vectors(better) - candidates.features.vectors(worse)
            vector = fixed.copy()
            vector[model.free] = logistic(differences[:, model.free], differences @ fixed)
            vector = model.scaled(vector)
            yield vector, candidates.score(vector)

    return model.best_of(ranked(), rounds, progress)


def item_gains(candidates: Candidates) -> Doubles:
    """The item score of each row of statistics, turned so that more is better, 1 for what 0 to 100 has as 100."""
    metric = candidates.metric
    if isinstance(metric, BLEU):
        metric = replace(metric, smoothing="plus-one")
    scores = metric.scores_of_items(candidates.statistics) * candidates.sign
    return np.nan_to_num(scores * (0.01 if metric.percent else 1.0), nan=-1e9, posinf=1e9, neginf=-1e9)


def _pairs(candidates: Candidates, gains: Doubles, random: np.random.Generator) -> tuple[Longs, Longs]:
    """Edges of pairs of hypotheses of an item, the better ones and the worse ones."""
    kept: list[Longs] = [np.zeros((0, 2), dtype=np.int64)]
    for begin, end in candidates.item_rows:
        pairs = random.integers(begin, end, size=(DRAWN, 2))
        differences = gains[pairs[:, 0]] - gains[pairs[:, 1]]
        pairs = np.where((differences < 0)[:, None], pairs[:, ::-1], pairs)
        differences = np.abs(differences)
        clear = np.flatnonzero(differences > CLEAR)
        clearest = clear[np.argsort(-differences[clear], kind="stable")[:KEPT]]
        kept.append(pairs[clearest])
    every = np.concatenate(kept)
    return every[:, 0], every[:, 1]


def logistic(differences: Doubles, offsets: Doubles | None = None) -> Doubles:
    """The weights w that make sum(log(1 + exp(-(x w + offset)))) + PRIOR |w|^2 least, over rows x of differences.

    >>> found = logistic(np.array([[1.0, 0.0], [1.0, 1.0], [-0.5, 1.0]]))
    >>> bool((found > 0).all())
    True
    """
    pairs, width = differences.shape
    offset = np.zeros(pairs) if offsets is None else offsets
    # Features of any size are learnt alike.
    sizes = np.sqrt((differences**2).mean(axis=0))
    sizes[sizes == 0] = 1.0
    rows, weights = differences / sizes, np.zeros(width)

    def loss(w: Doubles) -> float:
        return float(np.logaddexp(0.0, -(rows @ w + offset)).sum() + PRIOR * pairs * (w @ w))

    value = loss(weights)
    for _ in range(MOST_STEPS):
        wrong = 1 / (1 + np.exp(np.clip(rows @ weights + offset, -500, 500)))
        gradient = -rows.T @ wrong + 2 * PRIOR * pairs * weights
        curvature = (rows * (wrong * (1 - wrong))[:, None]).T @ rows + 2 * PRIOR * pairs * np.eye(width)
        way = np.linalg.solve(curvature, gradient)
        step = 1.0
        while (after := loss(weights - step * way)) > value and step > SMALL:
            step /= 2
        weights, gained, value = weights - step * way, value - after, after
        if gained <= SMALL * max(1.0, abs(value)):
            break
    found: Doubles = weights / sizes
    return found
