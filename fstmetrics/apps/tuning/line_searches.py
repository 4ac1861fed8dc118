"""The exact line search of minimum error rate training: `line_search` and what it finds, a `LineSearch`.

Along a line of weights w + g d the best hypothesis of an item changes at few points: a hypothesis's score is a line in
g, and the best ones are the upper envelope of these lines (Och, "Minimum Error Rate Training in Statistical Machine
Translation", ACL 2003). Of a lattice or forest the envelope is found bottom-up, without writing its derivations out
(Macherey, Och, Thayer and Uszkoreit, EMNLP 2008; Kumar, Macherey, Dyer and Och, ACL 2009). Between these points the
metric is constant, so it is known exactly all along the line.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics import FstmetricsError, _native
from fstmetrics.apps.tuning.candidates import Candidates
from fstmetrics.support.arguments import NUMBER, instance

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus import Table

    Doubles = npt.NDArray[np.float64]

# An interval narrower than this, for a step of 1, is where several points meet: only rounding parts them.
NARROWEST = 1e-10
# How far beyond the last point weights are put in an interval without end, relative to the point.
BEYOND = 0.1


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
        weights: where the line begins, by feature; a feature without one weighs 0.
        direction: where it leads, by feature; others stay.

    Raises:
        FstmetricsError: a weight that is no finite number, or a direction of features that no hypothesis has.

    >>> from fstmetrics.data.features import Features
    >>> from fstmetrics.data.nbest import NBest
    >>> features = Features.from_rows([{"lm": -1.0, "tm": -2.0}, {"lm": -2.0, "tm": -0.5}])
    >>> nbest = NBest("0", (("a", "cat"), ("the", "cat")), ("a cat", "the cat"), features=features)
    >>> found = line_search(Candidates([nbest], ["the cat"], "wer"), {"lm": 1.0}, {"tm": 1.0})
    >>> found.points.tolist(), found.scores.tolist(), found.interval
    ([0.6666666666666666], [0.5, 0.0], (0.6666666666666666, inf))
    """
    instance(Candidates).check(candidates, "candidates")
    for what, given in (("weights", weights), ("direction", direction)):
        bad = [name for name, value in given.items() if not NUMBER.holds(value) or not math.isfinite(value)]
        if bad:
            raise FstmetricsError(f"{what}: {bad[0]!r} is {given[bad[0]]!r}, no finite number")
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
