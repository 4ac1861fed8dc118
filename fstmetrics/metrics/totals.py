"""Totals of a path, which add up, and what follows from them: `Totals`, `PathNumbers`, `score_of`.

`SearchStats` says what a search looked at.
"""

from __future__ import annotations

import math
from fractions import Fraction
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple

from fstmetrics.support.json_text import finite

if TYPE_CHECKING:
    from fstmetrics.metrics.base import Metric


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


class PathNumbers:
    """What an item and a corpus have in common."""

    __slots__ = ()

    metric: Metric
    totals: Totals

    @property
    def score(self) -> float:
        """The metric's score; inf or -inf where the divisor is zero and the numerator is not."""
        return score_of(self.metric, self.totals)

    @property
    def numerator(self) -> Fraction:
        """What the score divides: errors, cost or gain."""
        return self.metric.numerator(self.totals)

    @property
    def cost(self) -> float:
        """The cost that was minimised: the metric's own units made 1."""
        return float(Fraction(self.totals.units, self.metric.table.scale))

    @property
    def gain(self) -> float | None:
        """The gain that was maximised, for recognition rates; None for error rates."""
        gain = self.metric.gain(self.totals)
        return None if gain is None else float(gain)

    @property
    def max_gain(self) -> int | None:
        """The largest gain there is, for recognition rates; None for error rates."""
        return None if self.metric.gain(self.totals) is None else self.totals.denominator

    @property
    def edits(self) -> int:
        """Substitutions, insertions and deletions; moves are apart."""
        return self.totals.edits

    @property
    def matches(self) -> int:
        """Words that are equal on both sides."""
        return self.totals.matches

    @property
    def substitutions(self) -> int:
        """Words that stand for other words."""
        return self.totals.substitutions

    @property
    def insertions(self) -> int:
        """Hypothesis words that the reference lacks."""
        return self.totals.insertions

    @property
    def deletions(self) -> int:
        """Reference words that the hypothesis lacks."""
        return self.totals.deletions

    @property
    def moves(self) -> int:
        """Reordering moves."""
        return self.totals.moves

    @property
    def path_length(self) -> int:
        """Words of the chosen reference."""
        return self.totals.path_length

    @property
    def hypothesis_length(self) -> int:
        """Words of the chosen hypothesis, but for those under a wildcard."""
        return self.totals.hypothesis_length

    def numbers(self) -> dict[str, Any]:
        """Score, counts, and the gain of recognition rates, by the names that records have for them.

        A score that is infinite is None.
        """
        counts = {name: getattr(self, name) for name in COUNTS}
        return {"score": finite(self.score), **counts, "gain": self.gain, "max_gain": self.max_gain}


def score_of(metric: Metric, totals: Totals) -> float:
    """A path's or a corpus's score."""
    return quotient(metric.numerator(totals), metric.divisor(totals), metric.recognition)


def quotient(numerator: Fraction | int, denominator: int, recognition: bool) -> float:
    """The score, with the design's rules for a zero divisor.

    Nothing against nothing gives 0 for errors and 1 for recognition; otherwise inf or -inf by the sign.
    """
    if denominator:
        return numerator.numerator / (numerator.denominator * denominator)  # of integers: rounded once
    if numerator == 0:
        return 1.0 if recognition else 0.0
    return math.inf if numerator > 0 else -math.inf
