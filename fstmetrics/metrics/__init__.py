"""Metrics: a name to an edit automaton, a path's totals to a score. One file a metric; `METRICS` is the registry.

Read `base` first. `WER`, `WRR`, `GRR`, `HyTER` and `Sclite` are given; `EditMetric` is one's own.
"""

from __future__ import annotations

from fstmetrics.errors import FstmetricsError
from fstmetrics.metrics.base import EditTable, Metric, Op
from fstmetrics.metrics.custom import EditMetric
from fstmetrics.metrics.grr import GRR
from fstmetrics.metrics.hyter import HyTER
from fstmetrics.metrics.sclite import Sclite
from fstmetrics.metrics.wer import WER
from fstmetrics.metrics.wrr import WRR

METRICS: dict[str, type[Metric]] = {"wer": WER, "wrr": WRR, "grr": GRR, "hyter": HyTER, "sclite": Sclite}


def as_metric(metric: str | Metric) -> Metric:
    """A metric by name with its default parameters, or the metric itself.

    Raises:
        FstmetricsError: no metric of that name.
    """
    if isinstance(metric, Metric):
        return metric
    if metric not in METRICS:
        raise FstmetricsError(f"unknown metric {metric!r}; known are {', '.join(METRICS)}")
    return METRICS[metric]()


__all__ = [
    "GRR",
    "METRICS",
    "WER",
    "WRR",
    "EditMetric",
    "EditTable",
    "HyTER",
    "Metric",
    "Op",
    "Sclite",
    "as_metric",
]
