"""Which records are of oracles, and what the scores of oracle and 1-best add up to: `OracleScores`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isclose
from typing import Any

from fstmetrics.analysis.read_records import Record
from fstmetrics.engine.oracle_results import Part
from fstmetrics.io.formats.records import quotient_of, rate_numerator
from fstmetrics.scoring.sums import BEST, ONE_BEST, Sum, Sums, Term
from fstmetrics.support.printable import number


def is_oracle(record: Record) -> bool:
    """Whether it is the best path of a lattice, list or forest, and not what a system said."""
    return "arcs" in record.fields


def one_best(record: Record) -> Mapping[str, Any] | None:
    """The decoder's own choice, with score and counts, where a record of an oracle has it."""
    found: Mapping[str, Any] | None = record.fields.get("one_best")
    return found


def one_best_parts(record: Record) -> list[Part] | None:
    """Where the decoder's own choice parts from the oracle; None where a record does not say."""
    found = (one_best(record) or {}).get("parts")
    if found is None:
        return None
    return [Part(part["at"], tuple(part["oracle"]), tuple(part["one_best"])) for part in found]


class OracleScores:
    """Corpus scores of the oracles among the records taken, and of their 1-best.

    >>> from fstmetrics.io.formats.records import Aligned
    >>> right, wrong = ({"metric": "wer", "edits": n, "moves": 0, "path_length": 2} for n in (0, 1))
    >>> record = Record("1", right | {"arcs": 9, "one_best": wrong}, Aligned())
    >>> scores = OracleScores([record])
    >>> scores.text()
    'oracle wer 0.0000, 1-best 0.5000'
    """

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self.metric = ""
        self._sums = Sums()
        for record in records:
            self.take(record)

    @property
    def items(self) -> int:
        """How many oracles there are."""
        return len(self._sums)

    def take(self, record: Record) -> None:
        """Add a record, if it is an oracle's."""
        if not is_oracle(record):
            return
        self.metric = record.metric
        terms = [Term(BEST, numbers=_quotient(record.metric, record.fields))]
        if other := one_best(record):
            terms.append(Term(ONE_BEST, numbers=_quotient(record.metric, other)))
        self._sums.add(terms)

    @property
    def oracle(self) -> float | None:
        """The score of the oracles; None without any, or where records do not tell."""
        return _score(self._sums.of(BEST))

    @property
    def one_best(self) -> float | None:
        """That of the decoder's own choices, where every oracle has one beside it."""
        found = self._sums.of(ONE_BEST)
        return _score(found) if len(found) == self.items else None

    def text(self) -> str:
        """Both in a few words; empty without oracles."""
        if not self.items:
            return ""
        beside = "" if self.one_best is None else f", 1-best {number(self.one_best)}"
        return f"oracle {self.metric}" + ("" if self.oracle is None else f" {number(self.oracle)}") + beside


def _quotient(metric: str, fields: Mapping[str, Any]) -> dict[str, float]:
    """What the score of a record divides; nothing where it does not tell."""
    quotient = quotient_of(metric)
    if quotient == "errors":
        errors, length = rate_numerator(fields), fields["path_length"]
        if (score := fields.get("score")) is not None and length and not isclose(score * length, errors):
            errors = score * length  # a path in brief does not say what its rewrites cost
        return {"numerator": errors, "denominator": length}
    if quotient == "gain":
        return {"numerator": fields["gain"], "denominator": fields["max_gain"]}
    return {}


def _score(found: Sum) -> float | None:
    denominator = found.number("denominator").total
    return found.number("numerator").total / denominator if denominator else None
