"""A metric counted in finer units, so that costs that come from elsewhere are whole numbers of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

from fstmetrics.metrics.base import EditTable, Metric, Op, Reordering
from fstmetrics.metrics.totals import Totals


@dataclass(frozen=True)
class FinerUnits(Metric):
    """The same metric with `factor` units where it has one; its scores are the same.

    Args:
        metric: what is computed.
        factor: units that make one of the metric's own.
    """

    metric: Metric
    factor: int

    @property
    def name(self) -> str:  # type: ignore[override]
        """That of the metric, and so everything else."""
        return self.metric.name

    @property
    def recognition(self) -> bool:  # type: ignore[override]
        """Whether higher is better."""
        return self.metric.recognition

    @property
    def window(self) -> int:  # type: ignore[override]
        """Reordering window."""
        return self.metric.window

    @property
    def reordering(self) -> Reordering:  # type: ignore[override]
        """How reordering is counted."""
        return self.metric.reordering

    @cached_property
    def table(self) -> EditTable:
        """The metric's table, every cost times the factor."""
        table, factor, function = self.metric.table, self.factor, self.metric.table.word_cost

        def word_cost(op: Op, hypothesis: str | None, reference: str | None) -> int:
            assert function is not None
            return factor * function(op, hypothesis, reference)

        cost = tuple((m * factor, s * factor, i * factor, d * factor) for m, s, i, d in table.cost)
        return EditTable(
            table.next,
            cost,
            table.scale * factor,
            table.move_cost * factor,
            table.longest,
            word_cost if function else None,
        )

    def settings(self) -> dict[str, object]:
        """Those of the metric."""
        return self.metric.settings()

    def denominator(self, reference_words: int) -> int:
        """That of the metric."""
        return self.metric.denominator(reference_words)

    def numerator(self, totals: Totals) -> Fraction:
        """That of the metric, given its own units, which need not be whole."""
        units: Any = Fraction(totals.units, self.factor)
        return self.metric.numerator(totals._replace(units=units))


def at_least_as_fine(metric: Metric, scale: int) -> Metric:
    """The metric in units of which at least `scale` make 1: twice as many as its own, again and again."""
    factor = 1
    while metric.table.scale * factor < scale:
        factor *= 2
    return metric if factor == 1 else FinerUnits(metric, factor)


def in_units_of(metric: Metric, scale: int) -> Metric:
    """The metric in units that costs with this denominator are whole numbers of; itself where they are already."""
    factor = lcm(metric.table.scale, scale) // metric.table.scale
    return metric if factor == 1 else FinerUnits(metric, factor)
