"""Scores of the same items under several metrics: `Scores`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import finite
from fstmetrics.support.tables import Tabular

if TYPE_CHECKING:
    from fstmetrics.support.arguments import Labelled


class Scored(Protocol):
    """What has a score: a corpus, or what came of scoring files."""

    @property
    def name(self) -> str:
        """What the score is called."""

    @property
    def score(self) -> float:
        """The score of all items."""

    def columns(self) -> dict[str, Any]:
        """A row an item, with its id."""

    def __len__(self) -> int: ...


Each = TypeVar("Each", bound=Scored, covariant=True)


class Scores(Tabular, Mapping[str, Each]):
    """Scores of the same items under several metrics, by the names of the metrics, in the order asked for.

    Args:
        each: a score of each metric.

    Raises:
        FstmetricsError: there is none, or two metrics have the same name.

    >>> import fstmetrics as fm
    >>> found = fm.score(["the cat sat"], ["the cat sat down"], ["wer", "cer"])
    >>> found
    Scores(wer=0.25, cer=0.3125)
    >>> found["wer"].deletions
    1
    """

    def __init__(self, each: Iterable[Each]) -> None:
        every = list(each)
        names = [score.name for score in every]
        if not names:
            raise FstmetricsError("metric is the name of a metric, or a list of them; the list is empty")
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise FstmetricsError(f"two metrics are called {twice}: their scores could not be told apart")
        self._each: dict[str, Each] = dict(zip(names, every, strict=True))

    def __getitem__(self, name: str) -> Each:
        """The score under the metric of a name, as `bleu` or `cer`."""
        return self._each[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._each)

    def __len__(self) -> int:
        """How many metrics there are."""
        return len(self._each)

    def __repr__(self) -> str:
        return f"Scores({', '.join(f'{name}={score.score:.6g}' for name, score in self.items())})"

    def _repr_html_(self) -> str:
        from fstmetrics.reports.notebook import scores_html

        return scores_html(self.values())

    def columns(self) -> dict[str, Any]:
        """A row an item: its id, and its score under each metric that has scores of items. What else there is of an
        item, as counts and fields, the table of a metric has: `found["wer"].columns()`.

        Raises:
            FstmetricsError: items are not kept, as of files.
        """
        tables = {name: score.columns() for name, score in self.items()}
        ids = next(iter(tables.values()))["id"]
        return {"id": ids, **{name: table["score"] for name, table in tables.items() if "score" in table}}

    @property
    def row_labels(self) -> Labelled | None:
        """The labels of the items' rows, of columns of pandas; None where there are none."""
        return getattr(next(iter(self.values())), "row_labels", None)

    def as_dict(self) -> dict[str, Any]:
        """The number of items, and the scores by name."""
        first, *_ = self.values()
        return {"items": len(first), "scores": {name: finite(score.score) for name, score in self.items()}}
