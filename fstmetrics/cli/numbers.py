"""Numbers of options: every one has a range, which its help has, too, and is written in ASCII digits.

`Whole` and `Real` are the types, `SEED`, `ROWS`, `WEIGHT` and `ARCS` ranges that several commands have. A range
ends where more would be a slip of the keyboard: where nobody has the memory or the time.
"""

from __future__ import annotations

import math
import re
from typing import Any

import click

# A number as JSON has it, or with a sign or point at its beginning or end; not what float() reads beside: 1_0, inf, １.
DECIMAL = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"


def real(text: str) -> float | None:
    """A finite number as it is written; None if it is none.

    >>> real("-.5e3"), real("1_0"), real("1e999")
    (-500.0, None, None)
    """
    value = float(text) if re.fullmatch(DECIMAL, text) else math.inf
    return value if math.isfinite(value) else None


class Whole(click.IntRange):
    """A whole number of a range, in ASCII digits."""

    def __init__(self, least: int, most: int) -> None:
        super().__init__(least, most)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; others are refused in a line that has the range."""
        if isinstance(value, str) and not re.fullmatch(r"[+-]?[0-9]{1,100}", value):
            self.fail(f"expected a whole number, {self._describe_range()}, not {value!r}", param, ctx)
        return super().convert(value, param, ctx)


class Real(click.FloatRange):
    """A finite number of a range, in ASCII digits.

    Args:
        least, most: the range; None: it has no end there.
        without_least, without_most: whether its ends do not belong to it.
    """

    def __init__(
        self,
        least: float | None = None,
        most: float | None = None,
        without_least: bool = False,
        without_most: bool = False,
    ) -> None:
        super().__init__(least, most, without_least, without_most)

    def _describe_range(self) -> str:
        if self.min is None and self.max is None:
            return "finite"
        low = "" if self.min is None else f"{_short(self.min)}{'<' if self.min_open else '<='}"
        high = "" if self.max is None else f"{'<' if self.max_open else '<='}{_short(self.max)}"
        return f"{low}x{high}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; others are refused in a line that has the range."""
        if isinstance(value, str) and real(value) is None:
            self.fail(f"expected a number, {self._describe_range()}, not {value!r}", param, ctx)
        return super().convert(value, param, ctx)


def _short(number: float) -> str:
    """A bound as people write it: 1e9, 0.5."""
    return f"{number:g}".replace("e+0", "e")


# Seeds that every generator of random numbers takes.
SEED = Whole(0, 2**32 - 1)
# Rows of a list that is there anyway; as many are never there.
ROWS = Whole(0, 2**31 - 1)
# Weights of costs, which are added up exactly, in 64 bits.
MOST_WEIGHT = 1e9
WEIGHT = Real(-MOST_WEIGHT, MOST_WEIGHT)
# Arcs of what is written out: states and arcs of every format are numbered by 32 bits.
ARCS = Whole(1, 2**31 - 1)
