"""What `compare` tests beside metrics that have names: rates that no search is made for, `ClassRate`, of the words of a
list and of all others, and `SessionRate`, of sessions with several speakers; and `MeanOfRuns`, of one system of which
there are several outputs, as of several runs of an optimizer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.metrics.corpus_metric import CorpusMetric, of_other, ratio
from fstmetrics.metrics.path_metric import Metric

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus_metric import Table


@dataclass(frozen=True)
class ComparedRate(CorpusMetric):
    """Edits divided by reference words, both counted elsewhere.

    Args:
        title: what it is called: `b-wer`, `cpwer` and so on.
    """

    title: str

    columns = ("edits", "words")

    @property
    def name(self) -> str:  # type: ignore[override]
        """What it is called."""
        return self.title


@dataclass(frozen=True)
class ClassRate(ComparedRate):
    """Edits on the words of a class divided by its reference words, on the paths that are best under another metric.

    Args:
        path: what finds the paths.
        words: what the lists are called.

    Source: Le et al., "Contextualized streaming end-to-end speech recognition with trie-based deep biasing and shallow
    fusion", Interspeech 2021.
    """

    path: Metric
    words: str

    @property
    def underlying(self) -> CorpusMetric:
        """What finds the paths."""
        return self.path

    def corpus_score(self, sums: Table) -> Table:
        """Quotients; nan of no word without an edit, and infinite of no word with one."""
        return ratio(sums[..., 0], sums[..., 1], empty=np.nan)

    def settings(self) -> dict[str, object]:
        """Whose best paths are counted, and the lists."""
        return {"path": self.path.name, "biasing": self.words}


@dataclass(frozen=True)
class SessionRate(ComparedRate):
    """Edits divided by reference words, a session an item; `speakers` finds both.

    Args:
        collar: of those under time constraints, in seconds.
    """

    collar: float | None = None

    def corpus_score(self, sums: Table) -> Table:
        """Quotients; 0 of no word without an edit, and infinite of no word with one."""
        return ratio(sums[..., 0], sums[..., 1], empty=0.0)

    def settings(self) -> dict[str, object]:
        """The collar, and when words of an utterance are said."""
        return {} if self.collar is None else {"collar": f"{self.collar:g}", "word-times": "characters"}


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
