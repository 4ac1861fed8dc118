"""Values of options as they are written: `real`, `beams`, `weights`. Each refuses a wrong one with a ValueError."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Literal, NamedTuple, get_args

# Where items are scored.
Place = Literal["local", "ray", "spark"]
PLACES: tuple[Place, ...] = get_args(Place)
# Beyond it no run has as many items.
MOST_EVERY = 10**12
# Weights of costs, which are added up exactly, in 64 bits.
MOST_WEIGHT = 1e9
# A number as JSON has it, or with a sign or point at its beginning or end. float() also reads 1_0, inf and １.
DECIMAL = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"


def real(text: str) -> float | None:
    """A finite number as it is written; None if it is none.

    >>> real("-.5e3"), real("1_0"), real("1e999")
    (-500.0, None, None)
    """
    value = float(text) if re.fullmatch(DECIMAL, text) else math.inf
    return value if math.isfinite(value) else None


def beams(text: str) -> tuple[float, ...]:
    """Numbers from 0 up, or inf, joined by commas; in order, each once.

    Raises:
        ValueError: they are none.

    >>> beams("8,inf,2")
    (2.0, 8.0, inf)
    """
    found = [math.inf if part == "inf" else real(part) for part in text.split(",")]
    if any(beam is None or beam < 0 for beam in found):
        raise ValueError(f"expected numbers from 0 up, joined by commas, not {text!r}")
    return tuple(sorted({beam for beam in found if beam is not None}))


class Sweep(NamedTuple):
    """Several weights, and how they were written.

    Attributes:
        values: each once, in the order in which they were written.
        written: the option's value.
    """

    values: tuple[float, ...]
    written: str


def weights(text: str) -> float | Sweep:
    """A weight, or several: `7:17` in steps of 1, `0:1:.1` in steps of .1, or these and numbers joined by commas.

    Raises:
        ValueError: it is none of these, or too many.

    >>> weights("7"), weights("7:8")
    (7.0, Sweep(values=(7.0, 8.0), written='7:8'))
    """
    found: dict[float, None] = {}
    try:
        for part in text.split(","):
            for number in _between(part):
                found[number] = None
                if len(found) > MOST_SWEPT:
                    raise ValueError(f"more than {MOST_SWEPT} numbers")
    except ValueError as error:
        raise ValueError(
            f"expected a number, a range A:B or A:B:STEP, or a list A,B,..., not {text!r}: {error}"
        ) from None
    is_one = len(found) == 1 and "," not in text and ":" not in text
    return next(iter(found)) if is_one else Sweep(tuple(found), text)


# As many weights of one option as nobody tries.
MOST_SWEPT = 1000


def _between(part: str) -> Iterator[float]:
    """The numbers of `A`, `A:B` or `A:B:STEP`, reckoned as the decimals that they are written as.

    Raises:
        ValueError: it is none of these.

    >>> list(_between("0:1:.25")), list(_between("7:9"))
    ([0.0, 0.25, 0.5, 0.75, 1.0], [7.0, 8.0, 9.0])
    """
    ends = part.split(":")
    numbers = [real(end) for end in ends]
    for end, number in zip(ends, numbers, strict=True):
        if number is None:
            raise ValueError(f"{end!r} is no number")
        if abs(number) > MOST_WEIGHT:
            raise ValueError(f"{end} is beyond {MOST_WEIGHT:g}")
    if len(ends) > 3:
        raise ValueError(f"{part!r} has more than three parts")
    if len(ends) == 1:
        yield float(ends[0])
        return
    first, last, step = Fraction(ends[0]), Fraction(ends[1]), Fraction(ends[2] if len(ends) > 2 else 1)
    if step <= 0:
        raise ValueError("a step is above 0")
    if last < first:
        raise ValueError(f"{part!r} ends below its beginning")
    while first <= last:
        yield float(first)
        first += step
