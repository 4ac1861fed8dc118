"""Confidence intervals of resampled scores: `percentiles`, which whatever has an interval takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

CONFIDENCE = 0.95


def percentiles(
    resampled: Sequence[float] | npt.NDArray[np.float64], confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """The ends of an interval that as many resamples lie below as above (Efron and Tibshirani 1993, 13.3).

    Args:
        resampled: a score, or a difference, of each resample; at least one.
        confidence: the share of resamples that lies within.

    >>> percentiles([1.0, 2.0, 3.0, 4.0, 5.0], 0.5)
    (2.0, 4.0)
    """
    outside = (1 - confidence) / 2
    low, high = np.quantile(resampled, [outside, 1 - outside])
    return float(low), float(high)
