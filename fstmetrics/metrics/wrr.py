"""Word recognition rate [C08 eq. 5]."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from fstmetrics.metrics.path_metric import EditTable, Metric


@dataclass(frozen=True)
class WRR(Metric):
    """WRR = (M - I) / |r| [C08 eq. 5]; with one reference it is 1 - WER. 1 is perfect."""

    name = "wrr"
    quotient = "gain"
    recognition = True

    @cached_property
    def table(self) -> EditTable:
        """A match gains 1, an insertion loses 1."""
        return EditTable(next=((0, 0, 0, 0),), cost=((-1, 0, 1, 0),), longest=False)
