"""Which engines there are: `engine_of` starts or finds one."""

from __future__ import annotations

from fstmetrics.cluster.batch_work import Engine


def engine_of(name: str, workers: int | None) -> Engine:
    """An engine, ready.

    Args:
        name: `ray` or `spark`.
        workers: how many it has if it is started here; None: one for each CPU.

    Raises:
        FstmetricsError: it is not installed, or does not start.
    """
    if name == "ray":
        from fstmetrics.cluster.ray_engine import RayEngine

        return RayEngine(workers)
    from fstmetrics.cluster.spark_engine import SparkEngine

    return SparkEngine(workers)
