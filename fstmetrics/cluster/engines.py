"""Which engines there are: `engine_of` starts or finds one; `elsewhere` has the items of a run worked on by it."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from typing import Any

from fstmetrics.cluster.batch_work import BatchWork, Engine, worked
from fstmetrics.scoring.pair_blocks import PairBlock
from fstmetrics.scoring.run import Elsewhere
from fstmetrics.scoring.work import Work, Worked


def engine_of(name: str, jobs: int) -> Engine:
    """An engine, ready.

    Args:
        name: `ray` or `spark`.
        jobs: how many workers it has if it is started here; 1: one for each CPU.

    Raises:
        FstmetricsError: it is not installed, or does not start.
    """
    workers = jobs if jobs > 1 else None
    if name == "ray":
        from fstmetrics.cluster.ray_engine import RayEngine

        return RayEngine(workers)
    from fstmetrics.cluster.spark_engine import SparkEngine

    return SparkEngine(workers)


def elsewhere(name: str, jobs: int) -> Elsewhere:
    """What has items worked on by an engine, which runs as long; arguments as of `engine_of`."""

    def mapped(blocks: Iterable[PairBlock], work: Work[Any]) -> Generator[Worked[Any], None, None]:
        with closing(engine_of(name, jobs)) as engine:
            yield from worked(blocks, BatchWork(work), engine)

    return mapped
