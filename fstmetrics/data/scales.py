"""`Scales`: what a lattice's or network's costs are multiplied by."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real

from fstmetrics.support.errors import FstmetricsError


@dataclass(frozen=True, slots=True)
class Scales:
    """How a lattice's costs add up: lm * graph + acoustic * acoustic + word_penalty * words.

    Costs are negative natural logs, so a positive word penalty favours short outputs.
    """

    lm: float = 1.0
    acoustic: float = 1.0
    word_penalty: float = 0.0

    def __post_init__(self) -> None:
        for name in ("lm", "acoustic", "word_penalty"):
            number = getattr(self, name)
            # Of most the type tells all: asking an abstract class takes ten times as long.
            is_number = type(number) in (float, int) or (
                isinstance(number, Real) and not isinstance(number, bool)
            )
            if not is_number or not math.isfinite(number):
                raise FstmetricsError(f"{name} of Scales is a finite number, not {number!r}")


# Of a lattice or network that says none.
UNSCALED = Scales()


def scales_of(given: Scales | None, own: Scales = UNSCALED) -> Scales:
    """The scales that a caller gave, or else a lattice's or network's own.

    Raises:
        FstmetricsError: what was given is something else.
    """
    if given is not None and not isinstance(given, Scales):
        raise FstmetricsError(f"scales are a Scales, as in scales=Scales(lm=16, acoustic=1), not {given!r}")
    return own if given is None else given
