"""Scores of single assessors: `Ratings`, and what they come to for each system and segment.

Assessors differ in how severe they are and in how much of the scale they use. [G14 §4] therefore standardises the
scores of each: minus the assessor's mean, over the assessor's standard deviation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

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
        scores = np.array(self.scores)
        names = np.unique(self.assessors, return_inverse=True)[1]
        for one in range(names.max(initial=-1) + 1):
            own = names == one
            centred = scores[own] - scores[own].mean()
            spread = np.sqrt((centred**2).sum() / max(own.sum() - 1, 1))
            scores[own] = 0.0 if np.ptp(scores[own]) == 0 else centred / spread
        return _means(self.cells, scores.tolist())


def _means(cells: Iterable[Cell], scores: Iterable[float]) -> dict[Cell, float]:
    found: dict[Cell, list[float]] = {}
    for cell, score in zip(cells, scores, strict=True):
        found.setdefault(cell, []).append(score)
    return {cell: float(np.mean(given)) for cell, given in found.items()}
