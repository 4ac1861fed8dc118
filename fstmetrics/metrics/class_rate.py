"""Error rates of the words of a list and of all others, where systems are compared: `ClassRate`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.metrics.base import Metric
from fstmetrics.metrics.corpus import CorpusMetric, ratio

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus import Table


@dataclass(frozen=True)
class ClassRate(CorpusMetric):
    """Edits on the words of a class divided by its reference words, on the paths that are best under another metric.

    Args:
        title: what it is called, `b-wer` or `u-wer`.
        path: what finds the paths.
        words: what the lists are called.

    Source: Le et al., "Contextualized streaming end-to-end speech recognition with trie-based deep biasing and shallow
    fusion", Interspeech 2021.
    """

    title: str
    path: Metric
    words: str

    columns = ("edits", "words")

    @property
    def name(self) -> str:  # type: ignore[override]
        """What it is called."""
        return self.title

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
