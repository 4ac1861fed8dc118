"""Rates that `compare` tests and that no search is made for: `ClassRate`, of the words of a list and of all others, and
`SessionRate`, of sessions with several speakers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.metrics.corpus_metric import CorpusMetric, ratio
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
