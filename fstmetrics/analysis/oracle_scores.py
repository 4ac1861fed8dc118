"""Which records are of oracles, and what the scores of oracle and 1-best add up to: `Scores`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fstmetrics.analysis.read_records import Record
from fstmetrics.metrics.corpus import metric_of
from fstmetrics.readers.record_lines import ERROR_RATES, RECOGNITION_RATES


def is_oracle(record: Record) -> bool:
    """Whether it is the best path of a lattice, list or forest, and not what a system said."""
    return "arcs" in record.fields


def one_best(record: Record) -> Mapping[str, Any] | None:
    """The decoder's own choice, with score and counts, where a record of an oracle has it."""
    found: Mapping[str, Any] | None = record.fields.get("one_best")
    return found


@dataclass
class _Sum:
    numerator: float = 0
    denominator: float = 0

    def take(self, metric: str, fields: Mapping[str, Any]) -> None:
        if metric_of(metric) in ERROR_RATES:
            self.numerator += fields["edits"] + fields["moves"]
            self.denominator += fields["path_length"]
        elif metric_of(metric) in RECOGNITION_RATES:
            self.numerator += fields["gain"]
            self.denominator += fields["max_gain"]

    @property
    def score(self) -> float | None:
        return self.numerator / self.denominator if self.denominator else None


@dataclass
class Scores:
    """Corpus scores of the oracles among the records taken, and of their 1-best.

    >>> from fstmetrics.readers.record_lines import Aligned
    >>> right, wrong = ({"metric": "wer", "edits": n, "moves": 0, "path_length": 2} for n in (0, 1))
    >>> record = Record("1", right | {"arcs": 9, "one_best": wrong}, Aligned())
    >>> scores = Scores()
    >>> scores.take(record)
    >>> scores.text()
    'oracle wer 0.0000, 1-best 0.5000'
    """

    metric: str = ""
    items: int = 0
    beside: int = 0
    _oracle: _Sum = field(default_factory=_Sum)
    _one_best: _Sum = field(default_factory=_Sum)

    @classmethod
    def of(cls, records: Iterable[Record]) -> Scores:
        """Those of some records."""
        scores = cls()
        for record in records:
            scores.take(record)
        return scores

    def take(self, record: Record) -> None:
        """Add a record, if it is an oracle's."""
        if not is_oracle(record):
            return
        self.metric = record.metric
        self.items += 1
        self._oracle.take(record.metric, record.fields)
        if other := one_best(record):
            self.beside += 1
            self._one_best.take(record.metric, other)

    @property
    def oracle(self) -> float | None:
        """The score of the oracles; None without any, or where records do not tell."""
        return self._oracle.score

    @property
    def one_best(self) -> float | None:
        """That of the decoder's own choices, where every oracle has one beside it."""
        return self._one_best.score if self.beside == self.items else None

    def text(self) -> str:
        """Both in a few words; empty without oracles."""
        if not self.items:
            return ""
        beside = "" if self.one_best is None else f", 1-best {self.one_best:.4f}"
        return f"oracle {self.metric}" + ("" if self.oracle is None else f" {self.oracle:.4f}") + beside
