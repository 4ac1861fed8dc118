"""What items add up to, by series, whatever their number and order: `Sums`.

A series is what was scored: the best paths, the decoder's own, the lattices pruned to a beam. What one item adds are
`Term`s; a `Sum` is one series: how many items have the same totals, and further numbers by name. The items themselves
are not kept. `terms` and `columns` are what results add; `OracleSums` reads the series of oracles.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from operator import mul
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics._native import Tally
from fstmetrics.data.lattice import Scales
from fstmetrics.engine.batch import Batch
from fstmetrics.engine.oracle_results import OracleBatch, OracleResult, Weighting, Weights, sweep_fields
from fstmetrics.engine.results import CorpusResult, Result, ResultRows
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    from fstmetrics.data.depth import DepthColumn
    from fstmetrics.metrics import Metric
    from fstmetrics.text.normalisation import Unit


class Series(NamedTuple):
    """What was scored.

    Attributes:
        name: as `1-best` or `beam`.
        at: which of several of that name: the beam, the number of entries, the unit of time.
    """

    name: str
    at: float | str | None = None


class Term(NamedTuple):
    """What an item adds to one series.

    Attributes:
        series: the series.
        totals: of a path.
        numbers: what else adds up, by name.
    """

    series: Series
    totals: Totals | None = None
    numbers: Mapping[str, float] | None = None


Terms = Sequence[Term]
# The name of the series of scripts (`PathScoring.by_script`); which script is behind it.
SCRIPT = "script"


class TermColumn(NamedTuple):
    """What the items of a batch add to one series: the totals of their best paths, and further numbers by name.

    Without totals, where `batch` is None, the numbers may be of some of the items.
    """

    series: Series
    batch: Batch | None
    numbers: Mapping[str, Sequence[float]] = MappingProxyType({})


def terms_from_json(value: list[Any]) -> Terms:
    """Terms again, of what JSON made of them.

    Raises:
        TypeError, ValueError: they are none.

    >>> terms = [Term(Series("beam", 8.0), Totals(matches=2), {"arcs": 4})]
    >>> import json
    >>> terms_from_json(json.loads(json.dumps(terms))) == terms
    True
    """
    return [
        Term(Series(*series), None if totals is None else Totals(*totals), numbers)
        for series, totals, numbers in value
    ]


class Number:
    """A number of many items: how many have it, its sum, the least and the most.

    Floats are added up exactly, so that their order does not matter, in a few numbers' room [Shewchuk 1997]; the sum is
    rounded once, as by `math.fsum`. Integers stay integers of any size.

    >>> number = Number()
    >>> for value in (1e16, 1.0, -1e16):
    ...     number.add(value)
    >>> number.items, number.total, number.least, number.most
    (3, 1.0, -1e+16, 1e+16)
    """

    __slots__ = ("_parts", "_whole", "items", "least", "most")

    def __init__(self) -> None:
        self.items = 0
        self.least = math.inf
        self.most = -math.inf
        self._whole = 0
        self._parts: list[float] = []

    def add(self, value: float) -> None:
        """Add that of one more item."""
        self.items += 1
        self.least = min(self.least, value)
        self.most = max(self.most, value)
        if isinstance(value, int):
            self._whole += value
        else:
            self._add_float(value)

    def add_all(self, values: Sequence[float]) -> None:
        """Add those of further items, all integers or all floats.

        >>> number, other = Number(), Number()
        >>> number.add_all([0.1, 1e16, 0.1, -1e16, 0.1])
        >>> for value in (0.1, 1e16, 0.1, -1e16, 0.1):
        ...     other.add(value)
        >>> number == other, number.total
        (True, 0.30000000000000004)
        """
        if not values:
            return
        self.items += len(values)
        self.least = min(self.least, *values)
        self.most = max(self.most, *values)
        if isinstance(values[0], int):
            self._whole += sum(values)  # type: ignore[assignment]
        elif values.count(values[0]) == len(values):
            self._add_times(values[0], len(values))
        else:
            for value, times in Counter(values).items():
                self._add_times(value, times)

    def _add_times(self, value: float, times: int) -> None:
        """Add a float so many times: by powers of two, which are exact unless the sum has no room for them anyway."""
        for power in range(times.bit_length()):
            if times >> power & 1:
                self._add_float(value * 2.0**power)

    def _add_float(self, value: float) -> None:
        kept = []
        for part in self._parts:
            large, small = (value, part) if abs(value) >= abs(part) else (part, value)
            value = large + small
            if rest := small - (value - large):
                kept.append(rest)
        self._parts = [*kept, value]

    def update(self, other: Number) -> None:
        """Add those of other items."""
        self.items += other.items
        self.least = min(self.least, other.least)
        self.most = max(self.most, other.most)
        self._whole += other._whole
        for part in other._parts:
            self._add_float(part)

    def as_json(self) -> list[Any]:
        """All of it, for `from_json`; equal sums are equal, whatever was added first.

        >>> one, other = Number(), Number()
        >>> one.add_all([0.1, 1e16, 0.3]), other.add_all([0.3, 0.1, 1e16])
        (None, None)
        >>> one.as_json() == other.as_json()
        True
        """
        parts: list[float] = []
        while part := math.fsum((*self._parts, *(-each for each in parts))):
            parts.append(part)
        if self._parts and not parts:
            parts.append(0.0)  # a sum of floats is a float
        return [self.items, self._whole, parts, self.least, self.most]

    @classmethod
    def from_json(cls, value: list[Any]) -> Number:
        """The number again."""
        number = cls()
        number.items, number._whole, number._parts, number.least, number.most = value
        return number

    @property
    def total(self) -> float:
        """The sum; an integer if all of them are."""
        return math.fsum((*self._parts, self._whole)) if self._parts else self._whole

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Number):
            return NotImplemented
        return all(
            getattr(self, name) == getattr(other, name) for name in ("items", "total", "least", "most")
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Number({self.total} of {self.items} items, {self.least} to {self.most})"


@dataclass(eq=False, repr=False)
class Sum(ResultRows):
    """One series: how many items have the same totals, and further numbers by name.

    Attributes:
        items: how many have this series.
        numbers: the further ones.
        unit: what was compared.
    """

    items: int = 0
    numbers: defaultdict[str, Number] = field(default_factory=partial(defaultdict, Number))
    _counts: Counter[Totals] = field(default_factory=Counter)
    _uncounted: tuple[Batch, Tally] | None = None  # the first of further batches, and what they add up to
    unit: Unit = "word"

    def tally(self) -> Counter[Totals]:
        """How many items have the same totals."""
        if self._uncounted:
            first, tally = self._uncounted
            self._counts.update(first.counted(tally))
            self._uncounted = None
        return self._counts

    def __getstate__(self) -> dict[str, Any]:
        self.tally()
        return self.__dict__

    def add(self, totals: Totals | None, numbers: Mapping[str, float] | None) -> None:
        """Add one more item."""
        self.items += 1
        if totals is not None:
            self._counts[totals] += 1
        if numbers:
            for name, value in numbers.items():
                self.numbers[name].add(value)

    def add_all(self, batch: Batch | None, numbers: Mapping[str, Sequence[float]]) -> None:
        """Add items with these further numbers; a number is of all items."""
        self.items += len(next(iter(numbers.values()))) if batch is None else len(batch.found)
        for name, values in numbers.items():
            self.numbers[name].add_all(values)
        if batch is None:
            return
        if not self._uncounted or self._uncounted[0].metric != batch.metric:
            self.tally()
            self._uncounted = batch, Tally()
        batch.found.add_to(self._uncounted[1])

    def update(self, other: Sum) -> None:
        """Add other items."""
        self.items += other.items
        self.tally().update(other.tally())
        for name, number in other.numbers.items():
            self.numbers[name].update(number)

    def as_json(self) -> list[Any]:
        """All of it, for `from_json`."""
        numbers = {name: number.as_json() for name, number in self.numbers.items()}
        return [self.items, [[totals, n] for totals, n in self.tally().items()], numbers]

    @classmethod
    def from_json(cls, value: list[Any]) -> Sum:
        """The sum again."""
        found = cls()
        found.items, counts, numbers = value
        found._counts = Counter({Totals(*totals): n for totals, n in counts})
        found.numbers.update({name: Number.from_json(number) for name, number in numbers.items()})
        return found

    def __getitem__(self, index: Any) -> Any:
        raise FstmetricsError(
            "only the sums of these items are kept; fm.score keeps all, of one metric or several, of texts that "
            "fm.read_text reads; a call on files with one metric and alignment=True keeps them"
        )

    def number(self, name: str) -> Number:
        """A further number; that of no item where none has it."""
        return self.numbers.get(name, NOTHING)

    def __len__(self) -> int:
        return self.items

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sum):
            return NotImplemented
        return (self.items, self.tally(), self.numbers) == (other.items, other.tally(), other.numbers)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Sum({self.items} items, {self.sum()}, {dict(self.numbers)})"

    def sum(self) -> Totals:
        """The sum of the items' totals."""
        tally = self.tally()
        times = tally.values()
        return Totals(*[sum(map(mul, column, times)) for column in zip(*tally, strict=True)])

    def corpus(self, metric: Metric, **fields: Any) -> CorpusResult:
        """The items' sums as the result of a corpus; fields as of `CorpusResult`."""
        return CorpusResult(metric, self.sum(), self, **fields)


NOTHING = Number()


@dataclass
class Sums:
    """The sums of many items, by series.

    >>> sums, best, beam = Sums(), Series("best"), Series("beam", 8.0)
    >>> sums.add([Term(best, Totals(matches=2)), Term(beam, Totals(matches=2), {"arcs": 4})])
    >>> sums.add([Term(best, Totals(matches=1)), Term(beam, Totals(insertions=1), {"arcs": 5})])
    >>> len(sums), sums.of(best).sum().matches, sums.of(beam).number("arcs").total, sums.at("beam")
    (2, 3, 9, [8.0])
    """

    _items: int = 0
    _cells: defaultdict[Series, Sum] = field(default_factory=partial(defaultdict, Sum))

    def add(self, terms: Terms) -> None:
        """Add what one more item comes to."""
        self._items += 1
        for series, totals, numbers in terms:
            self._cells[series].add(totals, numbers)

    def add_all(self, columns: Sequence[TermColumn]) -> None:
        """Add items, of which there are as many in each series that has totals, as the first one has."""
        assert columns[0].batch is not None
        self._items += len(columns[0].batch.found)
        for series, batch, numbers in columns:
            self._cells[series].add_all(batch, numbers)

    def update(self, other: Sums) -> None:
        """Add other items."""
        self._items += other._items
        for series, cell in other._cells.items():
            self._cells[series].update(cell)

    def as_json(self) -> list[Any]:
        """All of it, for `from_json`: a list of one, whose first entry is a name that nobody gives; none of no items.

        >>> sums = Sums()
        >>> sums.add([Term(Series("beam", 8.0), Totals(matches=2), {"arcs": 4, "cost": 0.1})])
        >>> Sums.from_json(sums.as_json()) == sums
        True
        """
        cells = [[series, cell.as_json()] for series, cell in self._cells.items()]
        return [["", self._items, cells]] if self._items else []

    @classmethod
    def from_json(cls, value: list[Any]) -> Sums:
        """The sums again."""
        found = cls()
        for _, found._items, cells in value:
            found._cells.update({Series(*series): Sum.from_json(cell) for series, cell in cells})
        return found

    def __len__(self) -> int:
        """How many items there are."""
        return self._items

    def at(self, name: str) -> list[Any]:
        """What there is of the series of a name, in the order in which it came."""
        return [series.at for series in self._cells if series.name == name]

    def of(self, *series: Series) -> Sum:
        """The sum of one series, or of several together; to be read only."""
        sums = [self._cells[each] for each in series if each in self._cells]
        if len(sums) == 1:
            return sums[0]
        found = Sum()
        for each in sums:
            found.update(each)
        return found


BEST = Series("best")
ONE_BEST = Series("1-best")
HOPE, FEAR = Series("hope"), Series("fear")
# By the beam, the number of entries, and the unit of time.
BEAM, FIRST, DEPTH = "beam", "first", "depth"
# By the weights as text.
SWEEP = "sweep"
# N-best lists of which another entry has a better score than the first.
OUTSCORED = Series("outscored")
# Whole n-best lists, by their number of entries; None for items without a hypothesis, which have no list.
WHOLE = "whole"


def terms(result: Result) -> Terms:
    """What one item adds."""
    if not isinstance(result, OracleResult):
        return [Term(BEST, result.totals)]
    arcs, weights = {"arcs": result.arcs}, result.weights
    found = [Term(BEST, result.totals, arcs)]
    for weighting, scales, swept in result.sweep:
        numbers = {"lm": scales.lm, "acoustic": scales.acoustic, "word_penalty": scales.word_penalty}
        found.append(Term(Series(SWEEP, _written(weighting)), swept.totals, numbers))
    if result.one_best and not result.sweep:
        found.append(Term(ONE_BEST, result.one_best.totals, weights and weights._asdict()))
    if result.after or not result.arcs:
        *shorter, (entries, whole) = result.after or ((None, result),)
        found += [Term(Series(FIRST, n), best.totals) for n, best in shorter]
        found.append(Term(Series(WHOLE, entries), whole.totals))
    for pruned in result.beams:
        found.append(Term(Series(BEAM, pruned.beam), pruned.result.totals, {"arcs": pruned.arcs}))
    for series, paths in ((HOPE, result.hope), (FEAR, result.fear)):
        for path in paths[:1]:
            costs = {"combined": path.combined, "model_cost": path.model_cost}
            found.append(Term(series, path.result.totals, costs))
    if result.depth and result.depth.arcs:
        depth = result.depth
        time = float(depth.times[-1] - depth.times[0])
        numbers = {"time": time, "area": depth.mean * time, "most": depth.max}
        found.append(Term(Series(DEPTH, depth.unit), numbers=numbers))
    return found


def columns(results: OracleBatch) -> list[TermColumn]:
    """What the items of a batch of lattices with arcs add: the `terms` of all."""
    weights = dict(zip(Weights._fields, zip(*results.weights, strict=True), strict=True))
    found = [
        TermColumn(BEST, results.best, {"arcs": results.arcs}),
        TermColumn(ONE_BEST, results.one_best, weights),
    ]
    for beam, arcs, batch in results.beams:
        found.append(TermColumn(Series(BEAM, beam), batch, {"arcs": arcs}))
    return found if results.depths is None else found + _depth_columns(results.depths)


def _depth_columns(depths: DepthColumn) -> list[TermColumn]:
    """What depths add, by unit in the order in which they come, of lattices that take time."""
    found = []
    timed = np.diff(depths.steps) > 0
    for unit in dict.fromkeys(depths.units[timed].tolist()):
        rows = timed & (depths.units == unit)
        time = depths.spans[rows]
        numbers = {"time": time, "area": depths.means[rows] * time, "most": depths.most[rows]}
        lists = {name: values.tolist() for name, values in numbers.items()}
        found.append(TermColumn(Series(DEPTH, depths.unit(unit)), None, lists))
    return found


def _written(weighting: Weighting) -> str:
    """Weights as the name of a series: strings stay what they are on their way through a file."""
    return " ".join("-" if weight is None else repr(float(weight)) for weight in weighting)


def _weighting(name: str) -> Weighting:
    return Weighting(*(None if part == "-" else float(part) for part in name.split(" ")))


class SweepRow(NamedTuple):
    """All items under one row of a sweep.

    Attributes:
        weighting: what was asked for.
        scales: what it comes to; None where that differs among items, whose files say more.
        corpus: the decoder's own paths.
        best: whether no row has a better score, and none before it an equal one.
    """

    weighting: Weighting
    scales: Scales | None
    corpus: CorpusResult
    best: bool

    def as_dict(self) -> dict[str, Any]:
        """A row of the JSON summary."""
        return sweep_fields(self.weighting, self.scales) | {"best": self.best} | self.corpus.numbers()


def sums_of(results: Iterable[Result]) -> Sums:
    """All of them added up."""
    sums = Sums()
    for result in results:
        sums.add(terms(result))
    return sums


class OracleSums:
    """What oracles add up to, beside their own totals.

    Args:
        sums: of the items; those that are no oracles do not count.
        metric: what was computed.

    Attributes:
        items: how many oracles there are.
        arcs: of all their lattices, or entries of their lists.
        has_lists: whether an n-best list is among them.
    """

    def __init__(self, sums: Sums, metric: Metric) -> None:
        self._sums = sums
        self._metric = metric
        arcs = sums.of(BEST).number("arcs")
        self.items, self.arcs = arcs.items, int(arcs.total)
        self.has_lists = not {None}.issuperset(sums.at(WHOLE))

    @cached_property
    def one_best(self) -> CorpusResult | None:
        """The decoder's own paths, of a sweep the best row; None where an item has none, as a forest without costs."""
        for row in self.sweep:
            if row.best:
                return row.corpus
        return None if self.lacks_one_best else self._sums.of(ONE_BEST).corpus(self._metric)

    @cached_property
    def sweep(self) -> list[SweepRow]:
        """The rows of a sweep, in the order in which they were asked for. Empty where there is none."""
        sums = [self._sums.of(Series(SWEEP, name)) for name in self._sums.at(SWEEP)]
        corpora = [each.corpus(self._metric) for each in sums]
        order = max if self._metric.recognition else min
        best = corpora.index(order(corpora, key=lambda corpus: corpus.score)) if corpora else -1
        return [
            SweepRow(_weighting(name), _common_scales(each), corpus, number == best)
            for number, (name, each, corpus) in enumerate(
                zip(self._sums.at(SWEEP), sums, corpora, strict=True)
            )
        ]

    @property
    def lacks_one_best(self) -> bool:
        """Whether an item has no path of the decoder's own, as a forest without costs."""
        return not self.sweep and len(self._sums.of(ONE_BEST)) < self.items

    @property
    def weights(self) -> Mapping[str, Number]:
        """What the decoder's own paths were found with, by the fields of `Weights`; empty where no item has any."""
        return self._sums.of(ONE_BEST).numbers

    def curve(self) -> list[tuple[int, CorpusResult]]:
        """The corpus oracle among the first n entries of every list; a list that is shorter counts with all it has.

        Empty where an item with a hypothesis has no list.
        """
        entries = self._sums.at(WHOLE)
        lists = [n for n in entries if n is not None]
        if not lists or len(self._sums.of(*(Series(WHOLE, n) for n in entries))) < self.items:
            return []
        return [(n, self._among_first(n, entries)) for n in sorted({*self._sums.at(FIRST), max(lists)})]

    def _among_first(self, n: int, entries: Iterable[int | None]) -> CorpusResult:
        shorter = [Series(WHOLE, some) for some in entries if some is None or some <= n]
        return self._sums.of(Series(FIRST, n), *shorter).corpus(self._metric)

    def beams(self) -> list[tuple[float, int, CorpusResult]]:
        """For each beam: the arcs left in all lattices, and their oracle. Empty where some item is no lattice."""
        beams = {beam: self._sums.of(Series(BEAM, beam)) for beam in sorted(self._sums.at(BEAM))}
        if min(map(len, beams.values()), default=0) < self.items:
            return []
        return [
            (beam, int(found.number("arcs").total), found.corpus(self._metric))
            for beam, found in beams.items()
        ]

    def hope_and_fear(self) -> list[tuple[str, CorpusResult, tuple[float, float]]]:
        """Hope and fear of all items, with combined and model costs summed. Empty where an item has neither."""
        found = {series.name: self._sums.of(series) for series in (HOPE, FEAR)}
        if min(map(len, found.values())) < max(self.items, 1):
            return []
        return [
            (
                name,
                side.corpus(self._metric),
                (side.number("combined").total, side.number("model_cost").total),
            )
            for name, side in found.items()
        ]

    def depths(self) -> list[dict[str, Any]]:
        """By unit of time: the mean depth over all the time, the most at any time, and how much time."""
        found = []
        for unit in self._sums.at(DEPTH):
            depth: Sum = self._sums.of(Series(DEPTH, unit))
            time = depth.number("time").total
            mean, most = depth.number("area").total / time, depth.number("most").most
            found.append({"unit": unit, "mean": mean, "max": int(most), "time": time})
        return found


def _common_scales(sums: Sum) -> Scales | None:
    """The scales that all items have."""
    lm, acoustic, penalty = (sums.number(name) for name in ("lm", "acoustic", "word_penalty"))
    if any(each.least != each.most for each in (lm, acoustic, penalty)):
        return None
    return Scales(lm.least, acoustic.least, penalty.least)
