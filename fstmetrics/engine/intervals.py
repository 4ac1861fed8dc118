"""Confidence intervals of scores and of differences, from those of resamples: `interval_of`.

What is resampled is drawn by `resampling`, and is not asked about here: another kind of interval is another function
of the same numbers. To let users choose one: a field of `Design` (significance/comparison.py), its option in
commands/compare.py, and what `describe` of reports/comparison_report.py says of it. A kind that needs the items, too,
has to be given their scores by its callers: significance/compare_statistics, engine/breakdown, scoring/stream_scores
and apps/metaeval/resampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

# The share of resamples that lies within an interval.
CONFIDENCE = 0.95


def interval_of(
    resampled: Sequence[float] | npt.NDArray[np.float64], confidence: float = CONFIDENCE
) -> tuple[float, float] | None:
    """The percentile interval: as many resamples lie below as above (Efron and Tibshirani 1993, 13.3).

    Args:
        resampled: a score, or a difference, of each resample; at least one.
        confidence: the share of resamples that lies within.

    Returns:
        The two ends; None where a resample has no score, or an infinite one.

    >>> interval_of([1.0, 2.0, 3.0, 4.0, 5.0], 0.5)
    (2.0, 4.0)
    """
    if not np.isfinite(resampled).all():
        return None
    outside = (1 - confidence) / 2
    low, high = np.quantile(resampled, [outside, 1 - outside])
    return float(low), float(high)
