"""The picture of `compare --plot`: what tests take for chance; `draw`."""

from __future__ import annotations

from fstmetrics.errors import FstmetricsError
from fstmetrics.reports.plots import null_plot
from fstmetrics.significance.comparison import Comparison
from fstmetrics.significance.distributions import distributions


def draw(path: str, comparison: Comparison) -> None:
    """Draw the differences of the second system from the first under the first metric, on the comparison's resamples.

    Raises:
        FstmetricsError: one system only, or a metric or file that cannot be drawn.
    """
    if len(comparison.statistics) < 2:
        raise FstmetricsError("--plot draws the difference of two systems; only one was given")
    metric = next(iter(comparison.metrics))
    (one, baseline), (other, system) = list(comparison.statistics.items())[:2]
    found = distributions(baseline[metric], system[metric], comparison.design.resampling)
    null_plot(found, path, f"{metric} of {other} over {one}")
