"""Scores of other programs, as those of neural metrics, among the metrics of a comparison: `external_statistics`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fstmetrics.metrics.corpus import summands
from fstmetrics.metrics.given_scores import GivenScores
from fstmetrics.scoring.statistics import Statistics
from fstmetrics.support.arguments import described, items_of, shortened
from fstmetrics.support.errors import FstmetricsError

# Scores by system: one an item, or one of the whole system.
GivenBySystem = Mapping[str, Sequence[float] | float]


def external_statistics(
    name: str, scores: GivenBySystem, higher_is_better: bool = True
) -> dict[str, Statistics]:
    """Statistics of scores that are given, for `compare_statistics`.

    Args:
        name: what the scores are called.
        scores: of each system; a score an item, in the order of the items, or one of the whole system. The score of a
            set of items is their mean. Scores of whole systems are shown, and not tested.
        higher_is_better: whether higher is better.

    Raises:
        FstmetricsError: a score that is no finite number, or some systems with scores of items and some without.

    >>> found = external_statistics("comet", {"a": [0.5, 1.0], "b": [0.25, 0.25]})
    >>> found["a"].score, found["b"].score
    (0.75, 0.25)
    """
    if not isinstance(scores, Mapping) or not scores:
        raise FstmetricsError(
            f"scores of {name} are a dict of scores by system, with one or more, not {described(scores)}"
        )
    whole = {system: _is_number(given) for system, given in scores.items()}
    if len(set(whole.values())) > 1:
        one, other = (next(s for s, single in whole.items() if single is kind) for kind in (True, False))
        raise FstmetricsError(f"{name} of {one} is one score of the system, but that of {other} one an item")
    metric = GivenScores(name, higher_is_better, not any(whole.values()))
    return {str(system): _statistics(metric, str(system), given) for system, given in scores.items()}


def _is_number(given: object) -> bool:
    return isinstance(given, int | float | np.number) and not isinstance(given, bool)


def _statistics(metric: GivenScores, system: str, given: Any) -> Statistics:
    listed = (
        [given] if _is_number(given) else items_of(given, f"scores of {metric.name} of {shortened(system)}")
    )
    wrong = next((i for i, each in enumerate(listed) if not _is_number(each) or not np.isfinite(each)), None)
    if wrong is not None:
        where = f"item {wrong + 1} of " if metric.of_items else ""
        raise FstmetricsError(
            f"{metric.name} of {where}{system} is {described(listed[wrong])}: a score is a finite number"
        )
    values = np.asarray(listed, dtype=np.float64)
    if metric.of_items:
        return Statistics(metric, summands(values))
    return Statistics(metric, np.zeros((0, 0)), whole_score=float(values[0]))
