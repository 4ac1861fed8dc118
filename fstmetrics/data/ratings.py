"""Scores of single assessors: `Ratings`, and what they come to for each system and segment.

Assessors differ in how severe they are and in how much of the scale they use. [G14 §4] therefore standardises the
scores of each: minus the assessor's mean, over the assessor's standard deviation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.data.exact_means import SAME, Means, power_of_two, with_ties

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.integer[Any]]

Cell = tuple[str, str]


@dataclass
class Ratings:
    """Scores as assessors gave them.

    Attributes:
        assessors: of each rating, by name.
        cells: the system and segment of each rating.
        scores: what the assessor said.
    """

    assessors: list[str] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)

    def add(self, assessor: str, cell: Cell, score: float) -> None:
        """One more."""
        self.assessors.append(assessor)
        self.cells.append(cell)
        self.scores.append(score)

    def means(self) -> dict[Cell, float]:
        """The mean of each system and segment."""
        return _means(self.cells, self.scores)

    def standardised(self) -> dict[Cell, float]:
        """The same, of scores standardised by assessor.

        The standard deviation is that of a sample, with n - 1. Who gave one score, or always the same, has said
        nothing about which is better: those scores become 0.

        >>> ratings = Ratings(["a", "a", "b", "b"], [("s", "1"), ("t", "1")] * 2, [90.0, 80.0, 3.0, 1.0])
        >>> {system: round(z, 3) for (system, _), z in ratings.standardised().items()}
        {'s': 0.707, 't': -0.707}
        """
        names = np.unique(self.assessors, return_inverse=True)[1]
        return _means(self.cells, standardised_by(names, np.array(self.scores, dtype=np.float64)).tolist())


def standardised_by(assessors: Integers, scores: Floats) -> Floats:
    """Scores standardised by assessor, as of `Ratings.standardised`; shape [ratings], as the numbers of assessors."""
    found = np.empty(len(scores))
    order = np.argsort(assessors, kind="stable")
    for own in np.split(order, np.flatnonzero(np.diff(assessors[order])) + 1):
        found[own] = standardised(scores[own], 1)
    return found


def standardised(scores: Floats, freedom: int = 0) -> Floats:
    """Scores minus their mean, over their standard deviation; all 0 where all are the same, and nan where none is.

    Args:
        scores: of any shape, and as large or small as doubles are: a power of two is divided by before squaring.
        freedom: degrees of freedom that the mean takes: 1 for the deviation of a sample.

    >>> standardised(np.array([1e300, np.nan, 3e300])).tolist()
    [-1.0, nan, 1.0]
    """
    there = scores[~np.isnan(scores)]
    if len(there) == 0 or (there == there[0]).all():
        return np.where(np.isnan(scores), np.nan, 0.0)
    scaled = scores / power_of_two(np.abs(there).max())
    known = ~np.isnan(scaled)
    centred: Floats = scaled - math.fsum(scaled[known]) / len(there)
    centred /= math.sqrt(math.fsum(centred[known] ** 2) / max(len(there) - freedom, 1))
    return centred


def means_by_cell(cells: Integers, scores: Floats) -> tuple[Integers, Floats]:
    """The different cells, in order, and the mean of the scores of each; shape [ratings], as the numbers of cells.

    Means that are equal but for rounding are one number, in whatever order the scores come.
    """
    order = np.argsort(cells, kind="stable")
    begins = np.flatnonzero(np.diff(cells[order], prepend=-1))
    counts = np.diff(begins, append=len(order))
    means, sizes = np.empty(len(begins)), np.empty(len(begins))
    scale = power_of_two(np.abs(scores).max(initial=0.0))
    for count in np.unique(counts):
        alike = np.flatnonzero(counts == count)
        own = np.sort(scores[order[begins[alike, None] + np.arange(count)]], axis=1) / scale
        means[alike], sizes[alike] = own.mean(axis=1) * scale, np.abs(own).mean(axis=1) * scale
    return cells[order[begins]], with_ties(Means(means, SAME * sizes))


def _means(cells: Sequence[Cell], scores: Sequence[float]) -> dict[Cell, float]:
    numbers: dict[Cell, int] = {}
    of_ratings = [numbers.setdefault(cell, len(numbers)) for cell in cells]
    means = means_by_cell(np.array(of_ratings, dtype=np.int64), np.array(scores, dtype=np.float64))[1]
    return dict(zip(numbers, means.tolist(), strict=True))
