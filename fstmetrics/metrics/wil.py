"""Word information preserved and lost: the matches as a part of both the reference's and the hypothesis' words."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from fstmetrics.metrics.corpus_metric import ratio
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.metrics.wer import WER

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus_metric import Table


@dataclass(frozen=True)
class WIP(WER):
    """WIP = M / |r| * M / |h| of the path that is best under WER; 1 is perfect.

    Both sides empty: 1. One of them: 0. A corpus divides the sums: it is not a mean of the items.
    Source: Morris, Maier and Green, "From WER and RIL to MER and WIL", Interspeech 2004.
    """

    name = "wip"
    quotient = "counts"
    recognition = True
    decomposable = "never"
    columns = ("matches", "path_length", "hypothesis_length")

    def numerator(self, totals: Totals) -> Fraction:
        """The square of the matches."""
        return Fraction(totals.matches**2)

    def divisor(self, totals: Totals) -> int:
        """The words of both sides, multiplied; where one is empty, those of the other."""
        one, other = totals.path_length, totals.hypothesis_length
        return one * other or one + other

    def gain(self, totals: Totals) -> None:
        """None: matches of both sides do not add up."""
        return

    def statistics(self, totals: Totals) -> tuple[int, ...]:
        """Matches, and words of both sides."""
        return totals.matches, totals.path_length, totals.hypothesis_length

    def corpus_score(self, sums: Table) -> Table:
        """The product of both parts."""
        matches, one, other = (sums[..., column] for column in range(3))
        product = one * other
        return ratio(matches**2, product + (product == 0) * (one + other), empty=1.0)

    def settings(self) -> dict[str, object]:
        """Whose best path is counted."""
        return {"path": WER.name, **super().settings()}


@dataclass(frozen=True)
class WIL(WIP):
    """WIL = 1 - WIP; 0 is perfect."""

    name = "wil"
    quotient = "counts"
    recognition = False

    def numerator(self, totals: Totals) -> Fraction:
        """What is not preserved."""
        return self.divisor(totals) - super().numerator(totals)

    def corpus_score(self, sums: Table) -> Table:
        """1 - WIP."""
        lost: Table = 1 - super().corpus_score(sums)
        return lost
