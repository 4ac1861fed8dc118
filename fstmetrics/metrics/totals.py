"""Totals of a path, which add up: `Totals`; `quotient`, by which they become scores.

`SearchStats` says what a search looked at.
"""

from __future__ import annotations

import math
from fractions import Fraction
from operator import add
from typing import NamedTuple

# Counts of a path or of a corpus, as records name them.
COUNTS = ("edits", "matches", "substitutions", "insertions", "deletions", "moves", "path_length")


class SearchStats(NamedTuple):
    """What a search did: route, queue entries pushed and popped, product states expanded, states of each side."""

    route: str
    pushed: int
    popped: int
    expanded: int
    hypothesis_states: int
    reference_states: int


class Totals(NamedTuple):
    """Counts of a path or of a corpus, which add up.

    Attributes:
        units: cost in units of the metric's table (`EditTable.scale` of them make 1).
        matches, substitutions, insertions, deletions: edit operations.
        moves: reordering moves.
        denominator: what the score divides by.
    """

    units: int = 0
    matches: int = 0
    substitutions: int = 0
    insertions: int = 0
    deletions: int = 0
    moves: int = 0
    denominator: int = 0

    @property
    def edits(self) -> int:
        """S + I + D; moves are apart."""
        return self.substitutions + self.insertions + self.deletions

    @property
    def path_length(self) -> int:
        """Words of the chosen reference."""
        return self.matches + self.substitutions + self.deletions

    @property
    def hypothesis_length(self) -> int:
        """Words of the chosen hypothesis."""
        return self.matches + self.substitutions + self.insertions

    def __add__(self, other: Totals) -> Totals:  # type: ignore[override]
        return Totals(*map(add, self, other))


def quotient(numerator: Fraction | int, denominator: int, recognition: bool) -> float:
    """The score, with the design's rules for a zero divisor.

    Nothing against nothing gives 0 for errors and 1 for recognition; otherwise inf or -inf by the sign.
    """
    if denominator:
        return numerator.numerator / (numerator.denominator * denominator)  # of integers: rounded once
    if numerator == 0:
        return 1.0 if recognition else 0.0
    return math.inf if numerator > 0 else -math.inf
