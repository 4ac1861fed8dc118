"""Sentences in buckets, by their length or by their score, as compare-mt makes them: `by_length`, `by_score`.

Neubig et al., "compare-mt", NAACL 2019, section 3.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics.analysis.word_accuracy import names_of

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]

# Lower ends of the buckets of lengths, the first one aside: those of compare-mt.
LENGTHS = (10, 20, 30, 40, 50, 60)
# Buckets of scores.
TENTHS = 10
# Digits of the ends of buckets of scores whose range nobody knows.
DIGITS = 2


class Buckets(NamedTuple):
    """Buckets of sentences.

    Attributes:
        names: of the buckets.
        cutoffs: the lower ends of all but the first.
        groups: the bucket of each sentence, from 0; one more dimension before it where systems differ.
    """

    names: Sequence[str]
    cutoffs: Sequence[float]
    groups: Integers


def by_length(lengths: Integers, cutoffs: Sequence[int] = LENGTHS) -> Buckets:
    """Sentences by a length.

    >>> by_length(np.array([3, 10, 70]))
    Buckets(names=['0-9', '10-19', '20-29', '30-39', '40-49', '50-59', '60 or more'], cutoffs=(10, 20, 30, 40, 50, 60), groups=array([0, 1, 6]))
    """  # noqa: E501 (as numpy prints it)
    return Buckets(names_of(cutoffs), cutoffs, np.searchsorted(cutoffs, lengths, side="right"))


def by_score(scores: Floats, top: float | None) -> Buckets:
    """Sentences by their score, in tenths.

    Args:
        scores: of each system and sentence, shape [systems, sentences]; nan and infinite ones are in no bucket, -1.
        top: what scores go up to from 0; None: tenths of the range that there is.

    >>> found = by_score(np.array([[5.0, 100.0], [50.0, np.nan]]), 100)
    >>> found.names[0], found.names[-1], found.groups.tolist()
    ('< 10', '>= 90', [[0, 9], [5, -1]])
    """
    finite = np.isfinite(scores)
    low, high = (0.0, top) if top is not None else _range(scores[finite])
    cutoffs = [float(f"{low + (high - low) * i / TENTHS:.6g}") for i in range(1, TENTHS)]
    cutoffs = sorted(set(cutoffs))
    shown = [f"{end:.6g}" for end in cutoffs]
    names = [f"< {shown[0]}", *(f"{a} to < {b}" for a, b in pairwise(shown)), f">= {shown[-1]}"]
    return Buckets(names, cutoffs, np.where(finite, np.searchsorted(cutoffs, scores, side="right"), -1))


def _range(scores: Floats) -> tuple[float, float]:
    """Round numbers below and above most scores: a score in a hundred may lie beyond them, in the outer buckets."""
    if not len(scores):
        return 0.0, 1.0
    low, high = np.quantile(scores, [0.01, 0.99])
    if high <= low:
        low, high = low - 0.5, high + 0.5
    step = 10.0 ** (np.floor(np.log10(high - low)) - DIGITS + 1)
    return float(np.floor(low / step) * step), float(np.ceil(high / step) * step)
