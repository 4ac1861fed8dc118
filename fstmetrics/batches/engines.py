"""Engines on other machines: `engine_of` starts or finds one; `elsewhere` has the items of a run worked on by it."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from typing import Any

from fstmetrics.batches.batch_work import BatchWork, Engine, worked
from fstmetrics.scoring.pair_blocks import PairBlock
from fstmetrics.scoring.request import ENGINES
from fstmetrics.scoring.run import Elsewhere
from fstmetrics.scoring.work import Work, Worked
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed


def engine_of(name: str, jobs: int) -> Engine:
    """An engine, ready.

    Args:
        name: `ray` or `spark`.
        jobs: how many workers it has if it is started here; 1: one for each CPU.

    Raises:
        FstmetricsError: it is not installed, or does not start.
    """
    if name not in ENGINES:
        raise FstmetricsError(f"there is no engine {name!r}; known are {listed(list(ENGINES))}")
    engine: Engine = ENGINES[name](jobs if jobs > 1 else None)
    return engine


def elsewhere(name: str, jobs: int) -> Elsewhere:
    """What has items worked on by an engine, which runs as long; arguments as of `engine_of`."""

    def mapped(blocks: Iterable[PairBlock], work: Work[Any]) -> Generator[Worked[Any], None, None]:
        with closing(engine_of(name, jobs)) as engine:
            yield from worked(blocks, BatchWork(work), engine)

    return mapped
