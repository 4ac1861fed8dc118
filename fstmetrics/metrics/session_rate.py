"""Error rates of sessions with several speakers, where systems are compared: `SessionRate`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fstmetrics.metrics.corpus import CorpusMetric, ratio

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus import Table


@dataclass(frozen=True)
class SessionRate(CorpusMetric):
    """Edits divided by reference words, a session an item; `speakers` finds both.

    Args:
        title: what it is called, `cpwer` and so on.
        collar: of those under time constraints, in seconds.
    """

    title: str
    collar: float | None = None

    columns = ("edits", "words")

    @property
    def name(self) -> str:  # type: ignore[override]
        """What it is called."""
        return self.title

    def corpus_score(self, sums: Table) -> Table:
        """Quotients; 0 of no word without an edit, and infinite of no word with one."""
        return ratio(sums[..., 0], sums[..., 1], empty=0.0)

    def settings(self) -> dict[str, object]:
        """The collar, and when words of an utterance are said."""
        return {} if self.collar is None else {"collar": f"{self.collar:g}", "word-times": "characters"}
