"""Match error rate: the part of the aligned words that are errors."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from fstmetrics.metrics.path_metric import Totals
from fstmetrics.metrics.wer import WER


@dataclass(frozen=True)
class MER(WER):
    """MER = (S + I + D) / (M + S + I + D) of the path that is best under WER; 0 is perfect, 1 the worst.

    Source: Morris, Maier and Green, "From WER and RIL to MER and WIL", Interspeech 2004.
    """

    name = "mer"
    quotient = "counts"
    decomposable = "never"

    def numerator(self, totals: Totals) -> Fraction:
        """Edits."""
        return Fraction(totals.edits)

    def divisor(self, totals: Totals) -> int:
        """Matches and edits."""
        return totals.matches + totals.edits

    def settings(self) -> dict[str, object]:
        """Whose best path is counted."""
        return {"path": WER.name, **super().settings()}
