"""A metric counted in finer units, so that costs that come from elsewhere are whole numbers of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any

from fstmetrics.metrics.corpus_metric import of_other
from fstmetrics.metrics.path_metric import EditTable, Metric, Op, Totals

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus_metric import Table


@dataclass(frozen=True)
class FinerUnits(Metric):
    """The same metric with `factor` units where it has one; its scores are the same.

    Args:
        metric: what is computed.
        factor: units that make one of the metric's own.
    """

    metric: Metric
    factor: int

    name, recognition, window, reordering, columns, settings, divisor, denominator = map(
        of_other,
        ("name", "recognition", "window", "reordering", "columns", "settings", "divisor", "denominator"),
    )

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

    def statistics(self, totals: Totals) -> tuple[int, ...]:
        """Those of the metric, where they are no costs; else as of all."""
        return (
            super().statistics(totals) if self.columns == Metric.columns else self.metric.statistics(totals)
        )

    def corpus_score(self, sums: Table) -> Table:
        """The same of them."""
        return (
            super().corpus_score(sums) if self.columns == Metric.columns else self.metric.corpus_score(sums)
        )

    def gain(self, totals: Totals) -> Fraction | None:
        """That of the metric, in its own units."""
        return self.metric.gain(totals._replace(units=self._own_units(totals)))

    def numerator(self, totals: Totals) -> Fraction:
        """That of the metric, given its own units, which need not be whole."""
        return self.metric.numerator(totals._replace(units=self._own_units(totals)))

    def _own_units(self, totals: Totals) -> Any:
        return Fraction(totals.units, self.factor)


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
