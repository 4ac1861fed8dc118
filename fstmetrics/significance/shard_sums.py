"""A comparison whose items are on several machines: `shard_sums` of each shard add up, `compare_sums` tests the whole.

Sums are of whole numbers, and the weights of resamples are those of the Poisson bootstrap, which depend on an item's
place alone (`fstmetrics.engine.resampling.poisson_sums`): the shards may be any, and in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.engine.resampling import Resampling, poisson_sums
from fstmetrics.engine.statistics import Statistics, looks_tokenized
from fstmetrics.metrics import TextMetric
from fstmetrics.metrics.base import Totals
from fstmetrics.metrics.corpus import CorpusMetric
from fstmetrics.metrics.mean_of_runs import MeanOfRuns
from fstmetrics.scoring.pair_blocks import PairBlock
from fstmetrics.scoring.shards import Shard
from fstmetrics.significance.block_statistics import BlockFound, BlockStatistics, Runner, SystemStatistics
from fstmetrics.significance.compare_statistics import compare_statistics
from fstmetrics.significance.compare_texts import Runs, as_one, run_names
from fstmetrics.significance.comparison import Comparison, Design, Progress
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import Normalisation

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.engine.sides import Corpus


@dataclass(frozen=True, eq=False)
class SystemSums:
    """One system under one metric.

    Attributes:
        statistics: of its items together: their sums are its only row.
        resampled: the sums on each resample, shape [samples, columns].
    """

    statistics: Statistics
    resampled: npt.NDArray[np.int64]

    def __add__(self, other: SystemSums) -> SystemSums:
        one, two = self.statistics, other.statistics
        totals = None if one.totals is None or two.totals is None else one.totals + two.totals
        statistics = replace(
            one,
            rows=one.values + two.values,
            totals=totals,
            as_given=one.as_given and two.as_given,
            grammars=one.grammars or two.grammars,  # a shard without items has none
        )
        return SystemSums(statistics, self.resampled + other.resampled)

    def as_json(self) -> dict[str, Any]:
        """What `of_json` reads."""
        own = self.statistics
        changes = own.normalisation
        return {
            "runs": own.metric.runs if isinstance(own.metric, MeanOfRuns) else 1,
            "sums": own.sums.astype(np.int64).tolist(),
            "totals": own.totals,
            "remark": own.remark,
            "conditions": own.conditions,
            "grammars": own.grammars,
            "as_given": own.as_given,
            "changes": None
            if changes is None
            else {"tokenize": changes.tokenize, "lowercase": changes.lowercase, "unit": changes.unit},
            "resampled": self.resampled.tolist(),
        }

    @classmethod
    def of_json(
        cls, given: Mapping[str, Any], metric: CorpusMetric, normalisation: Normalisation
    ) -> SystemSums:
        """The same again, of a metric, with what is done to words for all metrics."""
        whole = metric if given["runs"] == 1 else MeanOfRuns(metric, given["runs"])
        statistics = Statistics(
            whole,
            np.array([given["sums"]], dtype=np.float64),
            None,
            None if given["changes"] is None else replace(normalisation, **given["changes"]),
            remark=given["remark"],
            conditions=tuple(given["conditions"]),
            totals=None if given["totals"] is None else Totals._make(given["totals"]),
            grammars=given["grammars"],
            as_given=given["as_given"],
        )
        return cls(statistics, np.array(given["resampled"], dtype=np.int64))


# By system and metric.
Sums = Mapping[str, Mapping[str, SystemSums]]


def shard_sums(
    shard: Shard,
    systems: Mapping[str, Corpus | Runs],
    work: SystemStatistics,
    resampling: Resampling,
    progress: Progress,
) -> Sums:
    """The sums of the items of a shard.

    Args:
        shard: which items, by their places.
        systems: the outputs of all items, by system, in the order of the references.
        work: what is computed.
        resampling: how many resamples, and the seed.
        progress: as of `compare`.

    Raises:
        FstmetricsError: statistics that are no whole numbers, or as of `compare`.
    """
    part = replace(work, run=_of_shard(shard, work.run))
    spread = {name: run_names(name, outputs) for name, outputs in systems.items()}
    texts: dict[str, Any] = {name: outputs for runs in spread.values() for name, outputs in runs.items()}

    def scoring(what: str, done: int, steps: int) -> None:
        progress(what, done * shard.of, steps)

    found = {
        name: {metric: _with_remark(each, texts[name], work.references or ()) for metric, each in own.items()}
        for name, own in part.of_systems(texts, scoring).items()
    }
    every = {name: as_one([found[key] for key in runs]) for name, runs in spread.items()}
    tables = {(system, name): own.table for system, each in every.items() for name, own in each.items()}
    for (_, name), table in tables.items():
        if not table.extent.is_whole:
            raise FstmetricsError(
                f"--shard adds whole numbers up, and the statistics of {name} are none; compare without --shard"
            )
    done = 0

    def resampled(more: int) -> None:
        nonlocal done
        done += more
        progress("resampling", done, resampling.samples)

    items = len(work.references or work.networks or ())
    places = shard.places(items)
    found_sums = poisson_sums(list(tables.values()), resampling, resampled, places, items)
    sums = dict(zip(tables, found_sums, strict=True))
    return {
        system: {
            name: SystemSums(
                replace(own, rows=own.sums[None], paths=None), sums[system, name].astype(np.int64)
            )
            for name, own in each.items()
        }
        for system, each in every.items()
    }


def _with_remark(statistics: Statistics, outputs: Any, references: Any) -> Statistics:
    """What is said of the texts of all items, not only of those of the shard."""
    if not isinstance(statistics.metric, TextMetric) or statistics.normalisation is None:
        return statistics
    return replace(statistics, remark=looks_tokenized(statistics.normalisation, outputs, references))


def _of_shard(shard: Shard, run: Runner) -> Runner:
    def of_shard(work: BlockStatistics, pairs: PairBlock) -> Iterator[tuple[int, list[BlockFound]]]:
        for part in shard.blocks([pairs]):
            yield from run(work, part)

    return of_shard


def compare_sums(shards: Sequence[Sums], design: Design, items: int) -> Comparison:
    """The comparison of all items, from the sums of shards in any order.

    Args:
        shards: of the same systems and metrics.
        design: what to test: by the Poisson bootstrap, with as many resamples.
        items: how many there are in all shards.

    Raises:
        FstmetricsError: resamples that have nothing to divide by.
    """
    whole: dict[str, dict[str, SystemSums]] = {system: dict(each) for system, each in shards[0].items()}
    for shard in shards[1:]:
        for system, each in shard.items():
            for name, sums in each.items():
                whole[system][name] += sums
    statistics = {
        system: {name: sums.statistics for name, sums in each.items()} for system, each in whole.items()
    }
    resampled = {
        (system, name): sums.resampled.astype(np.float64)
        for system, each in whole.items()
        for name, sums in each.items()
    }
    return compare_statistics(statistics, design, sums=resampled, items=items)
