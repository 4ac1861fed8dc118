"""Minimum error rate training: `mert`, exact line searches along one direction after the other; `line_search`, and what
it finds, a `LineSearch`.

Along a line of weights w + g d the best hypothesis of an item changes at few points: a hypothesis's score is a line in
g, and the best ones are the upper envelope of these lines (Och, "Minimum Error Rate Training in Statistical Machine
Translation", ACL 2003). Of a lattice or forest the envelope is found bottom-up, without writing its derivations out
(Macherey, Och, Thayer and Uszkoreit, EMNLP 2008; Kumar, Macherey, Dyer and Och, ACL 2009). Between these points the
metric is constant, so it is known exactly all along the line.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics import FstmetricsError, _native
from fstmetrics.apps.tuning.candidates import Candidates
from fstmetrics.apps.tuning.tuned_weights import Model, Progress, Tuned, unheard
from fstmetrics.support.arguments import instance, whole_number

if TYPE_CHECKING:
    from fstmetrics.apps.tuning.candidates import Doubles
    from fstmetrics.metrics.corpus_metric import Table

# As many points as [L11 §3] begins at.
STARTS = 20
MOST_STARTS = 100_000
# Random directions of a pass, at most, where nobody says how many.
MOST_RANDOM = 10
# A step that gains no more than this share of the score is rounding.
LEAST_GAIN = 1e-9
# An interval narrower than this, for a step of 1, is where several points meet: only rounding parts them.
NARROWEST = 1e-10
# How far beyond the last point weights are put in an interval without end, relative to the point.
BEYOND = 0.1


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
    climbs = (_climb(model, _start(model, random, number), count, random) for number in range(starts))
    result = model.best_of(climbs, starts, progress)
    # Rounding in the middle of an interval cannot make it worse than where it began.
    return (
        result
        if model.gain(result.score) >= model.gain(model.start_score)
        else model.tuned(model.start, result.scores)
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
        ways = model.ways(random, directions)
        random.shuffle(ways)
        for way in ways:
            # A line along a feature has its values for slopes, times how far a step goes.
            one = np.flatnonzero(way)
            slopes = way[one[0]] * features.column(one[0]) if len(one) == 1 else features.dot(way)
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


@dataclass(frozen=True, eq=False)
class LineSearch:
    """The metric along a line of weights, `weights + g * direction`.

    Attributes:
        points: the values of g at which the score may change, ascending; shape [points].
        scores: the metric between them, the first before the first point; shape [points + 1].
        sums: the statistics that the scores are made of, shape [points + 1, columns].
        recognition: whether higher is better.
        meetings: where the best hypothesis of some item changes, ascending, also where the statistics stay the same. At
            such a point hypotheses are equally good, and which one is chosen depends on their order.
    """

    points: Doubles
    scores: Doubles
    sums: Table
    recognition: bool
    meetings: Doubles

    @property
    def best(self) -> int:
        """The number of the interval with the best score; of several the one with 0 in it, or the nearest to 0.

        Intervals that only rounding makes are left out.
        """
        begins, ends = self._ends
        with np.errstate(invalid="ignore"):
            wide = ends - begins > NARROWEST * np.maximum(
                1.0, np.abs(np.where(np.isfinite(begins), begins, ends))
            )
        gains = np.where(
            np.isnan(self.scores) | ~wide, -np.inf, self.scores if self.recognition else -self.scores
        )
        candidates = np.flatnonzero(gains == gains.max())
        distances = np.maximum(0.0, np.maximum(begins[candidates], -ends[candidates]))
        return int(candidates[np.argmin(distances)])

    @property
    def _ends(self) -> tuple[Doubles, Doubles]:
        return np.concatenate([[-np.inf], self.points]), np.concatenate([self.points, [np.inf]])

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the best interval, which may be infinite."""
        begins, ends = self._ends
        return float(begins[self.best]), float(ends[self.best])

    @property
    def step(self) -> float:
        """Where in the best interval to go: to the middle; a tenth beyond its end where it has only one; else 0.

        If hypotheses are equally good there, it is halfway to the next such point, or to the end.
        """
        begin, end = self.interval
        found = _within(begin, end)
        near = NARROWEST * max(1.0, abs(found))
        if not (np.abs(self.meetings - found) <= near).any():
            return found
        above = self.meetings[self.meetings > found + near]
        return _within(found, min(end, float(above[0])) if len(above) else end)

    @property
    def score(self) -> float:
        """The best score."""
        return float(self.scores[self.best])

    def at(self, step: float) -> float:
        """The score at a value of g; at a point, that of the interval that begins there."""
        return float(self.scores[np.searchsorted(self.points, step, side="right")])


def _within(begin: float, end: float) -> float:
    """The middle; a tenth beyond the end where there is only one; else 0."""
    if math.isfinite(begin) and math.isfinite(end):
        return begin + (end - begin) / 2
    if math.isfinite(begin):
        return begin + BEYOND * (abs(begin) or 1.0)
    return end - BEYOND * (abs(end) or 1.0) if math.isfinite(end) else 0.0


def line_search(
    candidates: Candidates, weights: Mapping[str, float], direction: Mapping[str, float]
) -> LineSearch:
    """The metric of the model's best hypotheses at every point of a line of weights, exactly.

    Args:
        candidates: what is chosen from, and the metric.
        weights: where the line begins, by feature; a feature of the direction without one weighs 0.
        direction: where it leads, by feature; others stay.

    Raises:
        FstmetricsError: a weight that is no finite number, a feature that neither names, or a direction of features
            that no hypothesis has.

    >>> from fstmetrics.data.features import Features
    >>> from fstmetrics.data.nbest import NBest
    >>> features = Features.from_rows([{"lm": -1.0, "tm": -2.0}, {"lm": -2.0, "tm": -0.5}])
    >>> nbest = NBest("0", (("a", "cat"), ("the", "cat")), ("a cat", "the cat"), features=features)
    >>> found = line_search(Candidates([nbest], ["the cat"], "wer"), {"lm": 1.0}, {"tm": 1.0})
    >>> found.points.tolist(), found.scores.tolist(), found.interval
    ([0.6666666666666666], [0.5, 0.0], (0.6666666666666666, inf))
    """
    instance(Candidates).check(candidates, "candidates")
    others = dict.fromkeys(candidates.names, 0.0)
    candidates.check_weights({**others, **direction}, "direction")
    candidates.check_weights({**dict.fromkeys(direction, 0.0), **weights})
    features = candidates.features
    toward = features.vector(direction)
    if not toward.any():
        raise FstmetricsError(
            "direction: every feature that a hypothesis has stays, so there is nothing to search"
        )
    return search_along(candidates, features.dot(weights), features.dot(toward))


def search_along(candidates: Candidates, intercepts: Doubles, slopes: Doubles) -> LineSearch:
    """The same of edges whose scores and slopes are known."""
    offsets, begins, rows = candidates.envelopes(slopes, intercepts)
    points, sums = _native.sweep(offsets, begins, rows, candidates.statistics)
    scores = candidates.metric.corpus_score(sums)
    meetings = np.unique(begins[np.isfinite(begins)])
    return LineSearch(points, scores, sums, candidates.metric.recognition, meetings)
