"""Statistics of systems that the workers of an engine find: `statistics_runner`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fstmetrics.batches.dispatch import BatchWork, Engine, worked
from fstmetrics.engine.item_tables import narrowed
from fstmetrics.scoring.pair_blocks import PairBlock
from fstmetrics.significance.block_statistics import BlockFound, BlockStatistics, Runner


@dataclass(frozen=True)
class StatisticsWork(BatchWork[BlockFound]):
    """What a worker does with a batch: it hands back columns of statistics, as narrow as they are, metric by metric.

    Args:
        work: a `BlockStatistics`.
    """

    work: Any
    keep_going = False

    def _worked(self, pairs: PairBlock) -> Iterator[tuple[Any, ...]]:
        yield len(pairs), [found._replace(rows=narrowed(found.rows)) for found in self.work(pairs)]


def statistics_runner(engine: Engine) -> Runner:
    """What has the statistics of `compare` found by an engine."""

    def run(work: BlockStatistics, pairs: PairBlock) -> Iterator[tuple[int, list[BlockFound]]]:
        for some in worked([pairs], StatisticsWork(work), engine):
            assert some.results is not None
            yield len(some.pairs), list(some.results)

    return run
