"""What each test takes for chance, side by side, as in [G14 figs. 5, 6]: `distributions` of two systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.engine.item_tables import ItemTable
from fstmetrics.engine.resampling import Resampling, bootstrap_sums, chosen_sums
from fstmetrics.metrics.compared_rates import MeanOfRuns
from fstmetrics.significance.compare_statistics import block_table, scored_places
from fstmetrics.significance.p_values import TESTS
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import have

if TYPE_CHECKING:
    from fstmetrics.engine.statistics import Statistics
    from fstmetrics.metrics.corpus_metric import CorpusMetric, Table
    from fstmetrics.significance.comparison import Blocks


@dataclass(frozen=True, eq=False)
class Distribution:
    """The differences that one test looks at, system minus baseline, positive where the system is better.

    Attributes:
        test: its name.
        differences: shape [samples]; with their mean taken off, for the bootstrap.
        line: the difference found, or 0 for the paired bootstrap, which has no null distribution.
        count: c, the resamples that count against the difference.
        two_sided: whether those beyond -line count, too.
    """

    test: str
    differences: Table
    line: float
    count: int
    two_sided: bool


def distributions(
    baseline: Statistics,
    system: Statistics,
    resampling: Resampling = Resampling(),  # noqa: B008 (frozen)
    blocks: Blocks | None = None,
) -> list[Distribution]:
    """Those of `paired-bootstrap`, `bootstrap` and `randomization`, with the same resamples that `compare` draws.

    Args:
        baseline, system: of the same items, which are left out where neither has a score.
        resampling: how many resamples, and the seed.
        blocks: what is resampled and exchanged instead of items.

    Raises:
        FstmetricsError: a metric without statistics, different numbers of items, or resamples without a score.
    """
    metric = baseline.metric
    if not metric.columns:
        raise FstmetricsError(
            f"{metric.name} is computed from whole corpora only: there is nothing to resample"
        )
    if len(baseline) != len(system):
        raise FstmetricsError(f"numbers of items differ: {len(baseline)} and {len(system)}")
    sign = 1 if metric.recognition else -1
    delta = sign * (system.score - baseline.score)
    places = scored_places([baseline, system])
    first, second = (block_table(each.table, places, blocks) for each in (baseline, system))
    one, two = bootstrap_sums([first, second], resampling)
    with np.errstate(invalid="ignore"):
        resampled = sign * (metric.corpus_score(two) - metric.corpus_score(one))
    pooled: CorpusMetric = metric
    if isinstance(metric, MeanOfRuns):  # an item is exchanged with that of the same run
        first, second = (ItemTable(metric.pooled(table.values)) for table in (first, second))
        pooled = metric.metric
    a, b = first.values, second.values
    (gain,) = chosen_sums([b - a], resampling)
    after = pooled.corpus_score(b.sum(axis=0) - gain) - pooled.corpus_score(a.sum(axis=0) + gain)
    exchanged = sign * after
    of_pooled = sign * float(pooled.corpus_score(second.sums) - pooled.corpus_score(first.sums))
    if lacking := int(np.count_nonzero(~np.isfinite(resampled))):
        raise FstmetricsError(
            f"{metric.name} cannot be drawn: {lacking} of {len(resampled)} resamples {have(lacking)} nothing to "
            "divide by"
        )
    found = []
    for test, of_test, drawn in (
        ("paired-bootstrap", delta, resampled),
        ("bootstrap", delta, resampled),
        ("randomization", of_pooled, exchanged),
    ):
        p = TESTS[test].p
        assert p is not None
        count = round(p(of_test, drawn, False) * (len(drawn) + 1)) - 1  # as p = (c + 1) / (samples + 1)
        two_sided = test != "paired-bootstrap"
        shown = drawn - drawn.mean() if test == "bootstrap" else drawn
        found.append(Distribution(test, shown, of_test if two_sided else 0.0, count, two_sided))
    return found
