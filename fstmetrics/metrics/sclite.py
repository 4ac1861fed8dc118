"""The word error rate as NIST's sclite counts it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from fstmetrics.metrics.path_metric import EditTable, Metric, Totals


@dataclass(frozen=True)
class Sclite(Metric):
    """WER of the alignment that is cheapest under sclite's weights: substitution 4, insertion and deletion 3.

    Such an alignment may have more edits than the least there are. sclite also folds case, which here is asked for
    separately.
    """

    name = "sclite"
    quotient = "errors"
    has_free_words = False

    @cached_property
    def table(self) -> EditTable:
        """Weights 0, 4, 3, 3."""
        return EditTable(next=((0, 0, 0, 0),), cost=((0, 4, 3, 3),))

    def numerator(self, totals: Totals) -> Fraction:
        """Edits, each counted as one."""
        return Fraction(totals.edits)
