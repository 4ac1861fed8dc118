"""Counts of a run of any length, without its items: `Tally`, `OracleTally`, and `Counts`, what an item adds to them.

Rows of statistics, as metrics of strings have them, in runs that may be stopped: `Row`, `RowTally`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import add
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from fstmetrics.metrics.totals import Totals
from fstmetrics.runs.oracle_tally import BesideCounts, BesideTally, WeightsTally
from fstmetrics.scoring.results import CorpusResult, Items, OracleResult, Result

if TYPE_CHECKING:
    from fstmetrics.metrics import Metric
    from fstmetrics.metrics.corpus import Table


@dataclass(frozen=True, slots=True)
class Counts:
    """What one item adds to the sums.

    Attributes:
        totals: of its best path.
        arcs: of an oracle: arcs of the lattice, or entries of the list; None elsewhere.
        one_best: of an oracle: the decoder's own path, where there is one.
        after: of an n-best list: the oracle among the first n entries.
        beside: what else was found of an oracle.
    """

    totals: Totals
    arcs: int | None = None
    one_best: Totals | None = None
    after: tuple[tuple[int, Totals], ...] = ()
    beside: BesideCounts = field(default_factory=BesideCounts)

    @classmethod
    def of(cls, result: Result) -> Counts:
        """Those of a result."""
        if not isinstance(result, OracleResult):
            return cls(result.totals)
        after = tuple((n, best.totals) for n, best in result.after)
        one_best = result.one_best.totals if result.one_best else None
        return cls(result.totals, result.arcs, one_best, after, BesideCounts.of(result))

    def as_json(self) -> list[Any]:
        """Numbers that `from_json` takes back."""
        return [self.totals, self.arcs, self.one_best, self.after, self.beside.as_json()]

    @classmethod
    def from_json(cls, value: list[Any]) -> Counts:
        """The counts again.

        Raises:
            TypeError, ValueError: they are not what `as_json` wrote.
        """
        totals, arcs, one_best, after, beside = value
        return cls(
            Totals(*totals),
            arcs,
            None if one_best is None else Totals(*one_best),
            tuple((n, Totals(*best)) for n, best in after),
            BesideCounts.from_json(beside),
        )


class Tally(Items):
    """How many items have which totals; the items themselves are not kept."""

    def __init__(self, counts: Counter[Totals] | None = None) -> None:
        self.counts = Counter() if counts is None else counts

    def __len__(self) -> int:
        return self.counts.total()

    def __getitem__(self, index: Any) -> NoReturn:
        raise TypeError("only the sums of these items are kept")

    def sum(self) -> Totals:
        """The sum of the items' totals."""
        columns = [0] * len(Totals._fields)
        for totals, n in self.counts.items():
            columns = list(map(add, columns, (n * number for number in totals)))
        return Totals(*columns)

    def tally(self) -> Counter[Totals]:
        """How many items have the same totals."""
        return self.counts

    def scores(self) -> NoReturn:
        """Nobody knows them."""
        raise TypeError("only the sums of these items are kept")

    def corpus(self, metric: Metric, **fields: Any) -> CorpusResult:
        """The items' sums as the result of a corpus; fields as of `CorpusResult`."""
        return CorpusResult(metric, self.sum(), self, **fields)


class OracleTally:
    """What oracles are summed up to, beside their own totals.

    Attributes:
        items: how many there are.
        arcs: of all of them.
        one_best: the decoder's own paths.
        has_lists: whether an n-best list is among them.
        has_bare_forests: whether a forest without costs is among them, which has no path of the decoder's own.
    """

    def __init__(self) -> None:
        self.items = 0
        self.arcs = 0
        self.one_best = Tally()
        self.has_lists = False
        self.has_bare_forests = False
        self._beside = BesideTally()
        self._others_have_arcs = False
        self._curve: dict[int, Counter[Totals]] = {}
        self._whole: Counter[Totals] = Counter()
        self._longest = 0

    @classmethod
    def of(cls, items: Iterable[Result]) -> OracleTally:
        """That of results; those that are no oracles do not count."""
        tally = cls()
        for item in items:
            tally.add(Counts.of(item))
        return tally

    def add(self, counts: Counts) -> None:
        """Count one more item."""
        if counts.arcs is None:
            return
        self.items += 1
        self.arcs += counts.arcs
        self._beside.add(counts.beside)
        if counts.one_best is not None:
            self.one_best.counts[counts.one_best] += 1
        else:
            self.has_bare_forests = True
        # An item without a hypothesis has no list, and is the same at every size.
        self._others_have_arcs |= bool(counts.arcs) and not counts.after
        self._add_to_curve(counts.after or ((0, counts.totals),))
        self.has_lists |= bool(counts.after)

    def _add_to_curve(self, after: tuple[tuple[int, Totals], ...]) -> None:
        best = dict(after)
        *shorter, (longest, whole) = after
        for n, _ in shorter:
            # Whoever came before has fewer entries, and counts with all of them.
            self._curve.setdefault(n, self._whole.copy())
        for n, tally in self._curve.items():
            tally[best.get(n, whole)] += 1
        self._whole[whole] += 1
        self._longest = max(self._longest, longest)

    def curve(self, metric: Metric) -> list[tuple[int, CorpusResult]]:
        """The corpus oracle among the first n entries of every list; a list that is shorter counts with all it has."""
        if not self.has_lists or self._others_have_arcs:
            return []
        sizes = {**self._curve, self._longest: self._whole}
        return [(n, Tally(sizes[n]).corpus(metric)) for n in sorted(sizes)]

    def beam_curve(self, metric: Metric) -> list[tuple[float, int, CorpusResult]]:
        """For each beam: the arcs left in all lattices, and their oracle. Empty where some item is no lattice."""
        beams = self._beside.beams
        if any(tally.items < self.items for tally in beams.values()):
            return []
        return [(beam, beams[beam].arcs, Tally(beams[beam].counts).corpus(metric)) for beam in sorted(beams)]

    def weighed_totals(self, metric: Metric) -> list[tuple[str, CorpusResult, tuple[float, float]]]:
        """Hope and fear of all items, with combined and model costs summed. Empty where an item has neither."""
        if any(not tally.items or tally.items < self.items for tally in self._beside.weighed):
            return []
        return [
            (name, Tally(tally.counts).corpus(metric), (tally.combined.value(), tally.model_cost.value()))
            for name, tally in zip(("hope", "fear"), self._beside.weighed, strict=True)
        ]

    @property
    def weights(self) -> WeightsTally | None:
        """What the decoder's own paths were found with; None where nothing was weighed."""
        return self._beside.weights

    def depths(self) -> list[dict[str, Any]]:
        """By unit of time: mean and greatest depth of all lattices, and how much time they take."""
        return self._beside.depths()


def oracles_of(corpus: CorpusResult) -> OracleTally:
    """The oracles of a corpus, summed up."""
    return corpus.items.oracles if isinstance(corpus.items, RunTally) else OracleTally.of(corpus.items)


class RunTally(Tally):
    """The tally of a run: items, and what is beside oracles."""

    def __init__(self) -> None:
        super().__init__()
        self.oracles = OracleTally()

    def add(self, counts: Counts) -> None:
        """Count one more item."""
        self.counts[counts.totals] += 1
        self.oracles.add(counts)


@dataclass(frozen=True, slots=True)
class Row:
    """One item's statistics, as many as its metric has columns."""

    id: str | None
    values: tuple[float, ...]

    def as_json(self) -> list[Any]:
        """What `from_json` takes back."""
        return [self.id, *self.values]

    @classmethod
    def from_json(cls, value: list[Any]) -> Row:
        """The row again; TypeError or ValueError if it is none."""
        id, *values = value
        return cls(id, tuple(map(float, values)))


@dataclass
class RowTally:
    """All rows: significance and means need each, and texts are in memory anyway."""

    rows: list[Row] = field(default_factory=list)

    def add(self, row: Row) -> None:
        """One more."""
        self.rows.append(row)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def ids(self) -> tuple[str | None, ...]:
        """Of all items."""
        return tuple(row.id for row in self.rows)

    @property
    def table(self) -> Table:
        """The statistics, shape [items, columns]."""
        return np.array([row.values for row in self.rows], dtype=np.float64)
