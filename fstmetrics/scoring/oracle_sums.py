"""What results add to the sums of a run, `terms` of one and `columns` of many; what is read from the sums of oracles,
`OracleSums`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics.data.scales import Scales
from fstmetrics.engine.oracle_results import OracleBatch, OracleResult, Weighting, Weights, sweep_fields
from fstmetrics.engine.results import CorpusResult, Result
from fstmetrics.scoring.sums import Number, Series, Sum, Sums, Term, TermColumn, Terms

if TYPE_CHECKING:
    from fstmetrics.data.depth import DepthColumn
    from fstmetrics.metrics import Metric

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

    def weight(self, name: str) -> Number:
        """What the decoder's own paths were found with: one of the fields of `Weights`, over the items that have it."""
        return self._sums.of(ONE_BEST).number(name)

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
