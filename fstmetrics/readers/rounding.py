"""Formats whose costs have fewer digits than a number of the program: `Rounding`, and `SINGLE` for 32-bit floats.

What is rounded is said, not refused: it is how such a format writes numbers, and decoders write the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

# A 32-bit float keeps any number of so many decimal digits; with the larger number every such float has a name.
LEAST_DIGITS, MOST_DIGITS = 6, 9
# Powers of ten up to this one are exact, and so a quotient of them is the number that its digits mean.
LARGEST_POWER = 22


@dataclass(frozen=True)
class Rounding:
    """How costs are rounded.

    Attributes:
        name: to what, for messages and tables.
        keeps: whether all of these costs, finite ones, come back with the digits that they have.
    """

    name: str
    keeps: Callable[[Any], bool]


def keeps_single(costs: Any) -> bool:
    """Whether 32-bit floats keep all digits of these numbers.

    They do of numbers that are such floats, and of those that are one written with nine decimal digits or fewer, as
    text files of decoders have them.

    >>> keeps_single([0.5, 0.1, 8342.93]), keeps_single([float(np.float32(1) / 3)]), keeps_single([1 / 3])
    (True, True, False)
    """
    left = np.unique(np.asarray(costs, dtype=np.float64))
    with np.errstate(over="ignore"):  # a number too large is refused when it is written
        single = left.astype(np.float32).astype(np.float64)
    left, single = left[left != single], single[left != single]
    with np.errstate(divide="ignore"):
        before_the_point = 1 + np.floor(np.log10(np.abs(left)))
    for digits in range(LEAST_DIGITS, MOST_DIGITS + 1):
        power = 10.0 ** np.clip(digits - before_the_point, 0, LARGEST_POWER)
        whole = np.rint(left * power)
        kept = (whole / power == left) & (np.rint(single * power) == whole)
        left, single, before_the_point = left[~kept], single[~kept], before_the_point[~kept]
    return not left.size


SINGLE = Rounding("32-bit floats", keeps_single)
