"""N-gram recognition rate [C08 eq. 6]."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

from fstmetrics.metrics.path_metric import EditTable, Metric, Number, exact, plain
from fstmetrics.support.arguments import WHOLE
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.options import WEIGHT, Kind, number_text, option, whole

# N, one state of the metric each.
MOST_ORDER = 1000


def _decimal(given: Any) -> Fraction:
    """A number as the decimal that it is written as; of a float that which Python writes for it."""
    written = str(given) if isinstance(given, str | Decimal) else number_text(given)
    WEIGHT(written)
    try:
        return exact(written, "the value")
    except FstmetricsError as error:
        raise ValueError(str(error)) from None


DECIMAL = Kind(_decimal, "X", WEIGHT.extent, ())


@dataclass(frozen=True)
class GRR(Metric):
    """N-GRR = max(sum_k M_k - alpha I - beta D) / sum_k max(0, |r| - k + 1), k = 1..N [C08 eq. 6].

    M_k counts the k-grams of the reference that are matched without interruption. The memory of the edit
    automaton is how many words were matched just before, up to N - 1.

    Args:
        order: N, at least 1.
        alpha: what an insertion loses; any number, read as the decimal it is written as.
        beta: what a deletion loses. The paper reports alpha = -0.9, beta = 1 too.

    >>> GRR().signature()
    'metric:grr|order:4|alpha:1.0|beta:0.0'
    """

    order: int = option(4, whole(1, MOST_ORDER), "grr: the length of the n-grams.")
    alpha: Number = option(1.0, DECIMAL, "grr: the loss of an insertion.", shown=Fraction(1))
    beta: Number = option(0.0, DECIMAL, "grr: the loss of a deletion.", shown=Fraction(0))

    name = "grr"
    quotient = "gain"
    recognition = True

    def __post_init__(self) -> None:
        if not WHOLE.holds(self.order) or not 1 <= self.order <= MOST_ORDER:
            raise FstmetricsError(
                f"the order of an n-gram recognition rate is 1 to {MOST_ORDER}, not {self.order!r}"
            )
        object.__setattr__(self, "order", int(self.order))
        exact(self.alpha, "alpha"), exact(self.beta, "beta")

    @cached_property
    def table(self) -> EditTable:
        """Memory m: a match gains m + 1 and leads to min(m + 1, N - 1); all else forgets."""
        memories = range(self.order)
        return EditTable.from_costs(
            next=[(min(m + 1, self.order - 1), 0, 0, 0) for m in memories],
            cost=[
                (Fraction(-(m + 1)), Fraction(0), exact(self.alpha, "alpha"), exact(self.beta, "beta"))
                for m in memories
            ],
            longest=False,
        )

    def settings(self) -> dict[str, object]:
        """Order, alpha and beta."""
        return {**super().settings(), "alpha": plain(self.alpha), "beta": plain(self.beta)}

    def denominator(self, reference_words: int) -> int:
        """The k-grams of a reference, over all orders: the largest gain there is."""
        return sum(max(0, reference_words - k + 1) for k in range(1, self.order + 1))
