"""Scores of other programs, as those of neural metrics, among the metrics of a comparison: `external_statistics`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.data.exact_means import refuse_large
from fstmetrics.engine.statistics import Statistics
from fstmetrics.metrics.corpus_metric import summands
from fstmetrics.metrics.given_scores import Directions, GivenScores, is_higher_better
from fstmetrics.support.arguments import described_columns, items_of, shortened
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

# The largest score is not below this.
LEAST = 1e-6
# Scores by system: one an item, or one of the whole system.
GivenBySystem = Mapping[str, Sequence[float] | float]


class StandardisedScores(dict[str, Any]):
    """Scores by system that are people's ratings, standardised by assessor."""


def external_statistics(
    name: str, scores: GivenBySystem, higher_is_better: bool | None = None
) -> dict[str, Statistics]:
    """Statistics of scores that are given, for `compare_statistics`.

    Args:
        name: what the scores are called.
        scores: of each system; a score an item, in the order of the items, or one of the whole system. The score of a
            set of items is their mean. Items without a score (nan) are left out, and must be the same for all systems.
            Scores of whole systems are shown, and not tested.
        higher_is_better: whether higher is better. None: so it is, but of error rates by their names,
            unless these are turned round: below 0.

    Raises:
        FstmetricsError: a score that is no number, an item with a score of some systems only, or some systems with
            scores of items and some without; or scores that are too large or too small to be added up and compared.

    >>> found = external_statistics("comet", {"a": [0.5, 1.0], "b": [0.25, 0.25]})
    >>> found["a"].score, found["b"].score
    (0.75, 0.25)
    """
    if not isinstance(scores, Mapping) or not scores:
        raise FstmetricsError(
            f"scores of {name} are a dict of scores by system, with one or more, not {described_columns(scores)}"
        )
    whole = {system: _is_number(given) for system, given in scores.items()}
    if len(set(whole.values())) > 1:
        one, other = (next(s for s, single in whole.items() if single is kind) for kind in (True, False))
        raise FstmetricsError(f"{name} of {one} is one score of the system, but that of {other} one an item")
    of_items = not any(whole.values())
    values = {str(system): _values(name, str(system), given, of_items) for system, given in scores.items()}
    if higher_is_better is None:
        higher_is_better = is_higher_better(name, values.values())
    metric = GivenScores(name, higher_is_better, of_items, isinstance(scores, StandardisedScores))
    found = {system: _statistics(metric, own) for system, own in values.items()}
    if of_items:
        _refuse_uneven(name, found)
    return found


def statistics_by_name(
    scores: Mapping[str, GivenBySystem],
    lower: str | Sequence[str],
    higher: str | Sequence[str],
    option: str = "",
) -> dict[str, dict[str, Statistics]]:
    """The same of several scores, by their names.

    Args:
        scores: by name.
        lower, higher: names of those of which the lower or the higher score is better; others are known by their names.
        option: what stands before `lower` where somebody says it.

    Raises:
        FstmetricsError: as of `external_statistics`; or `lower` or `higher` names no scores.
    """
    directions = Directions.given(lower, higher)
    directions.check([*scores], option)
    return {
        str(name): external_statistics(str(name), given, directions.told(name))
        for name, given in scores.items()
    }


def _refuse_uneven(name: str, found: Mapping[str, Statistics]) -> None:
    """Raise an FstmetricsError for an item that only some systems have a score of: means would be of unlike items."""
    (first, one), *others = found.items()
    for system, other in others:
        if len(one) != len(other):
            continue  # another number of items is refused where the items are known
        unlike = np.flatnonzero(one.values[:, 1] != other.values[:, 1])
        if len(unlike):
            lacking, having = (first, system) if one.values[unlike[0], 1] == 0 else (system, first)
            raise FstmetricsError(
                f"{name} of item {unlike[0] + 1} is missing for {lacking}, and there for {having}: only items that "
                "have a score of all systems, or of none, can be compared"
            )
    if not one.values[:, 1].any():
        raise FstmetricsError(f"{name} has no score of any item")


def _is_number(given: object) -> bool:
    return isinstance(given, int | float | np.number) and not isinstance(given, bool)


def _is_score(given: object, may_lack: bool) -> bool:
    """Whether it is a number, and finite; nan of an item is a missing score."""
    return _is_number(given) and bool(np.isfinite(given) or (may_lack and np.isnan(given)))  # type: ignore[call-overload]


def _refuse_other_sizes(name: str, system: str, largest: float) -> None:
    """Raise an FstmetricsError for scores whose sums overflow, or whose differences would count as rounding."""
    refuse_large(f"{name} of {system}", np.array([largest]))
    if 0 < largest < LEAST:
        raise FstmetricsError(
            f"all scores of {name} of {system} are below {LEAST:g} in size: their differences are not told from "
            "rounding; give all in another unit"
        )


def _values(name: str, system: str, given: Any, of_items: bool) -> Floats:
    """The scores of a system, in the order of the items; the one of the whole."""
    if isinstance(given, Mapping):
        raise FstmetricsError(
            f"scores of {name} of {shortened(system)} are a list, not a {type(given).__name__}: give them in the order "
            "of the items, as [scores[id] for id in ids]"
        )
    listed = [given] if _is_number(given) else items_of(given, f"scores of {name} of {shortened(system)}")
    wrong = next((i for i, each in enumerate(listed) if not _is_score(each, of_items)), None)
    if wrong is not None:
        where = f"item {wrong + 1} of " if of_items else ""
        raise FstmetricsError(
            f"{name} of {where}{system} is {listed[wrong]!r:.40}: a score is a finite number"
        )
    values = np.asarray(listed, dtype=np.float64)
    _refuse_other_sizes(name, system, np.abs(values).max(initial=0.0, where=~np.isnan(values)))
    return values


def _statistics(metric: GivenScores, values: Floats) -> Statistics:
    if metric.of_items:
        return Statistics(metric, summands(values))
    return Statistics(metric, np.zeros((0, 0)), whole_score=float(values[0]))
