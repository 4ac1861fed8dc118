"""One system of which there are several outputs, as of several runs of an optimizer: `MeanOfRuns`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fstmetrics.metrics.corpus_metric import CorpusMetric, of_other

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus_metric import Table


@dataclass(frozen=True)
class MeanOfRuns(CorpusMetric):
    """The mean of a metric's scores of several runs of a system (Clark et al. 2011).

    An item's statistics are those of its first run, then those of its second, and so on.

    Args:
        metric: what a run is scored by.
        runs: how many there are.
    """

    metric: CorpusMetric
    runs: int

    underlying, name, recognition, percent, settings, signature = map(
        of_other, ("underlying", "name", "recognition", "percent", "settings", "signature")
    )

    @property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """Those of the other, for each run."""
        return tuple(f"{name}_of_run_{run + 1}" for run in range(self.runs) for name in self.metric.columns)

    def by_run(self, rows: Table) -> Table:
        """The statistics run by run, shape [..., columns] to [..., runs, columns of the other]."""
        return rows.reshape(*rows.shape[:-1], self.runs, len(self.metric.columns))

    def scores_of_runs(self, sums: Table) -> Table:
        """The score of each run, shape [..., columns] to [..., runs]."""
        return self.metric.corpus_score(self.by_run(sums))

    def corpus_score(self, sums: Table) -> Table:
        """The mean of the runs' scores."""
        mean: Table = self.scores_of_runs(sums).mean(axis=-1)
        return mean

    def scores_of_items(self, rows: Table) -> Table:
        """The mean of the item's scores."""
        mean: Table = self.metric.scores_of_items(self.by_run(rows)).mean(axis=-1)
        return mean

    def pooled(self, rows: Table) -> Table:
        """A row a run and item, shape [items, columns] to [runs * items, columns of the other]: run by run."""
        table: Table = self.by_run(rows).swapaxes(0, 1).reshape(-1, len(self.metric.columns))
        return table
