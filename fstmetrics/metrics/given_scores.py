"""Scores that come from elsewhere, as those of neural metrics and of people: `GivenScores`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.metrics.corpus import CorpusMetric, ratio
from fstmetrics.metrics.registry import higher_is_better

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus import Table


def is_higher_better(name: str, scores: Iterable[Table]) -> bool:
    """Whether higher scores are better: of metrics of this program by their names, of others always.

    An error rate that is below 0 somewhere, and nowhere above, was turned round, as WMT's files have it.

    Args:
        name: what the scores are called.
        scores: of any shape; nan where there is none.

    >>> is_higher_better("TER", [np.array([0.5, 0.0])]), is_higher_better("TER", [np.array([-0.5, 0.0])])
    (False, True)
    """
    if higher_is_better(name):
        return True
    every = list(scores)
    return any((values < 0).any() for values in every) and not any((values > 0).any() for values in every)


@dataclass(frozen=True)
class GivenScores(CorpusMetric):
    """Scores that are given; of several items their mean.

    Args:
        title: what they are called.
        higher_is_better: whether higher is better.
        of_items: whether items have scores; if not, only whole systems have.
        standardised: whether they are people's ratings, standardised by assessor: 0 is the mean of all.
    """

    title: str
    higher_is_better: bool = True
    of_items: bool = True
    standardised: bool = False

    decomposable = "always"
    percent = None

    @property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """Scores and ones; none where only systems have scores."""
        return ("scores", "items") if self.of_items else ()

    @property
    def name(self) -> str:  # type: ignore[override]
        """What they are called."""
        return self.title

    @property
    def recognition(self) -> bool:  # type: ignore[override]
        """Whether higher is better."""
        return self.higher_is_better

    def corpus_score(self, sums: Table) -> Table:
        """Means; nan of nothing."""
        return ratio(sums[..., 0], sums[..., 1], empty=np.nan)

    def settings(self) -> dict[str, object]:
        """That they are given, which ones are better, and whether they are standardised."""
        found: dict[str, object] = {
            "scores": "given",
            "better": "higher" if self.higher_is_better else "lower",
        }
        return found | ({"standardised": "assessor"} if self.standardised else {})
