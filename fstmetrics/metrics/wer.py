"""Word error rate: edits divided by the words of the chosen reference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from fstmetrics.metrics.path_metric import EditTable, Metric, Quotient


@dataclass(frozen=True)
class WER(Metric):
    """WER = (S + I + D) / |r|, r the chosen reference path; an error rate, 0 is perfect."""

    name = "wer"
    quotient: ClassVar[Quotient | None] = "errors"

    @cached_property
    def table(self) -> EditTable:
        """Levenshtein: everything but a match costs 1."""
        return EditTable(next=((0, 0, 0, 0),), cost=((0, 1, 1, 1),))


@dataclass(frozen=True)
class CER(WER):
    """Character error rate: the WER of characters, also beside metrics of words. A space between words is one."""

    unit = "char"
