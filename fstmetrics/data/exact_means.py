"""Sums and means of scores in which the order of the scores does not matter: `exact_sums`, `means`, `row_means`.

Scores are rounded numbers: .1 + .2 + .3 and .3 + .2 + .1 are two sums, and neither is that of .2 + .2 + .2. What counts
ties needs one number for all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Weights = npt.NDArray[np.integer[Any]] | Floats

# Scores beyond this size are refused: sums and differences of more would be beyond all doubles.
LARGEST = 1e300
# The largest power of two that a double holds.
MOST_EXPONENT = 1023
# Bits of each of the parts of a score. Sums of a part are exact up to a weight of 2**26 in all.
PART_BITS, PARTS = 26, 3
# Equal means differ by less than this part of the mean size of their scores: each score and each quotient is rounded.
SAME = 2e-15


def exact_sums(weights: Weights, rows: Floats) -> Floats:
    """Weighted sums of rows, the same to the last bit in whatever order the rows come.

    Args:
        weights: whole numbers, shape [sets, items].
        rows: shape [items, columns].

    Returns:
        Shape [sets, columns]; infinite where a sum is beyond all doubles.

    >>> rows = np.array([[0.1], [0.2], [0.3]])
    >>> bool(exact_sums(np.ones((1, 3)), rows) == exact_sums(np.ones((1, 3)), rows[::-1]))
    True
    """
    scales = power_of_two(np.abs(rows).max(axis=0, initial=0.0))
    with np.errstate(over="ignore"):
        total: Floats = _scaled_sums(weights, rows, scales) * scales
    return total


def _scaled_sums(weights: Weights, rows: Floats, scales: Floats) -> Floats:
    """The sums of rows divided by powers of two; none of their numbers is larger than 1."""
    rest, parts = rows / scales, []
    for part in range(1, PARTS + 1):
        parts.append(np.ldexp(np.rint(np.ldexp(rest, PART_BITS * part)), -PART_BITS * part))
        rest = rest - parts[-1]  # exact
        if not rest.any():
            break
    # Each product, and each sum of a part, is exact.
    *large, total = np.split(weights @ np.concatenate(parts, axis=1), len(parts), axis=1)
    for sums in reversed(large):
        total = sums + total
    return total


def refuse_large(name: str, scores: Floats) -> None:
    """Raise an FstmetricsError for scores that cannot be added up or subtracted.

    Args:
        name: what the scores are called.
        scores: of any shape; nan and infinite ones are not looked at.
    """
    largest = float(np.abs(scores).max(initial=0.0, where=np.isfinite(scores)))
    if largest > LARGEST:
        raise FstmetricsError(
            f"a score of {name} is of the size {largest:.3g}: scores up to {LARGEST:g} can be added up and compared; "
            "give all in another unit"
        )


class Means(NamedTuple):
    """Means of scores.

    Attributes:
        values: the means; nan of nothing.
        slack: means that differ by no more than this may be equal but for the rounding of scores.
    """

    values: Floats
    slack: Floats


def means(weights: Weights, scores: Floats) -> Means:
    """Weighted means, the same to the last bit in whatever order the scores come.

    Args:
        weights: whole numbers, shape [sets, items].
        scores: shape [items]; nan where there is none, which is left out.

    Returns:
        Shape [sets].

    >>> found = means(np.ones((1, 3)), np.array([1e308, np.nan, 1.7e308]))
    >>> found.values.tolist()
    [1.35e+308]
    """
    there = ~np.isnan(scores)
    rows = np.where(there, scores, 0.0)[:, None]
    scales = power_of_two(np.abs(rows).max(axis=0, initial=0.0))
    sums = _scaled_sums(weights, rows, scales)[:, 0]
    counts = weights @ there.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        sizes = weights @ np.abs(rows[:, 0] / scales[0]) / counts
        return Means(sums / counts * scales[0], SAME * scales[0] * sizes)


def row_means(scores: Floats) -> Floats:
    """The mean of each row of scores, shape [rows, items] to [rows], as `means` and `with_ties` have them."""
    everything = np.ones((1, scores.shape[1]))
    found = [means(everything, row) for row in scores]
    values, slack = (np.concatenate([np.zeros(0), *side]) for side in zip(*found, strict=True))
    return with_ties(Means(values, slack))


def with_ties(found: Means) -> Floats:
    """The means, of which those that are equal but for rounding are one number.

    >>> with_ties(Means(np.array([0.6, 0.6000000000000001, 0.7]), np.full(3, 1e-15))).tolist()
    [0.6, 0.6, 0.7]
    """
    values = found.values.copy()
    places = np.flatnonzero(np.isfinite(values))
    flat, slack = values.reshape(-1)[places], found.slack.reshape(-1)[places]
    order = np.argsort(flat, kind="stable")
    ordered, slack = flat[order], slack[order]
    apart = np.diff(ordered) > np.maximum(slack[1:], slack[:-1])
    begins = np.flatnonzero(np.concatenate([[True], apart])) if len(order) else np.zeros(0, dtype=np.intp)
    flat[order] = np.repeat(ordered[begins], np.diff(begins, append=len(order)))
    values.reshape(-1)[places] = flat
    return values


def power_of_two(sizes: Floats) -> Floats:
    """The powers of two next above: numbers divided by them keep all digits, also where they hardly differ."""
    powers: Floats = np.ldexp(1.0, np.minimum(np.frexp(sizes)[1], MOST_EXPONENT))
    return powers
