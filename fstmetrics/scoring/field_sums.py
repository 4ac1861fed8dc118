"""What the items of a run add up to by the values of their fields: `FieldSums`, of which tables are made.

It is counted how many items have the same value, speaker and totals; the items are not kept. Intervals resample
speakers, so their sums are needed, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.data.fields import NO_FIELDS, SPEAKER, Fields, coded, names_of, present
from fstmetrics.data.groupings import Grouping, Key, refuse_unknown
from fstmetrics.engine.breakdown import Breakdown, Group, sums_by
from fstmetrics.engine.resampling import Resampling
from fstmetrics.engine.results import CorpusResult
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.scoring.sums import Series, Sum, TermColumn, Terms
from fstmetrics.support.equal_rows import Repeated

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus_metric import Table

# How many items have the same value, speaker and totals.
Tally = Counter[tuple[Key, Any, Totals]]


class FieldSums:
    """The sums of one series by the values of fields.

    Args:
        groupings: what puts items into groups; there is a table of each.
        series: what is added up.
        beside: further series of the items by name, as of `Group`: the decoder's own paths, beside an oracle.

    >>> import fstmetrics as fm
    >>> from fstmetrics.scoring.sums import BEST, terms
    >>> corpus = fm.score(["a", "b c", "d"], ["a", "b d", "d e"])
    >>> sums = FieldSums([Grouping(("domain",))], BEST)
    >>> for result, domain in zip(corpus, ["news", "talk", "talk"]):
    ...     sums.add({"domain": domain}, terms(result))
    >>> [table] = sums.breakdowns(corpus, Resampling(100))
    >>> {domain: found.score for domain, found in table.items()}
    {'news': 0.0, 'talk': 0.5}
    """

    def __init__(
        self,
        groupings: Sequence[Grouping],
        series: Series,
        beside: Mapping[str, Series] = MappingProxyType({}),
    ) -> None:
        self.names: set[str] = set()
        self._series = series
        self._beside = beside
        self._others: list[dict[str, Tally]] = [{name: Counter() for name in beside} for _ in groupings]
        self._groupings = groupings
        self._tallies: list[Tally] = [Counter() for _ in groupings]
        # Items without a speaker, and with one.
        self._silent = self._spoken = 0

    def add(self, fields: Fields, terms: Terms, id: str | None = None) -> None:
        """Add one more item.

        Raises:
            FstmetricsError: a field that has bins is no number; it has the item's id.
        """
        self.names.update(fields)
        speaker = present(fields.get(SPEAKER))
        self._silent += speaker is None
        self._spoken += speaker is not None
        totals = next(term.totals for term in terms if term.series == self._series)
        assert totals is not None
        found = {term.series: term.totals for term in terms}
        for grouping, tally, others in zip(self._groupings, self._tallies, self._others, strict=True):
            key = grouping.key(fields, id)
            tally[key, speaker, totals] += 1
            for name, series in self._beside.items():
                if (other := found.get(series)) is not None:
                    others[name][key, speaker, other] += 1

    def add_all(
        self, fields: Sequence[Fields] | None, ids: Sequence[str | None] | None, columns: Sequence[TermColumn]
    ) -> None:
        """Add the items of a batch; errors as of `add`.

        Args:
            fields: of each; None where none has any.
            ids: of each; None where none has one.
            columns: what they add to series, the one that is added up here among them.
        """
        batches = {column.series: column.batch for column in columns if column.batch is not None}
        best = batches[self._series]
        beside = {name: batches[series] for name, series in self._beside.items() if series in batches}
        each = Repeated(NO_FIELDS, len(best)) if fields is None else fields
        self.names.update(names_of(each))
        speakers, values = coded(each, SPEAKER)
        spoken = speakers, list(map(present, values))
        silent = sum(int((speakers == n).sum()) for n, speaker in enumerate(spoken[1]) if speaker is None)
        self._silent += silent
        self._spoken += len(speakers) - silent
        totals = best.kinds()
        others = {name: batch.kinds() for name, batch in beside.items()}
        for grouping, tally, tallies in zip(self._groupings, self._tallies, self._others, strict=True):
            keys = grouping.coded(each, ids)
            _count(tally, keys, spoken, totals)
            for name, other in others.items():
                _count(tallies[name], keys, spoken, other)

    def breakdowns(self, whole: CorpusResult, resampling: Resampling) -> list[Breakdown]:
        """The table of each grouping.

        Args:
            whole: the result of all items.
            resampling: how intervals are found.

        Raises:
            FstmetricsError: no item has such a field.
        """
        for grouping in self._groupings:
            refuse_unknown(grouping, self.names)
        return [
            self._breakdown(grouping, tally, others, whole, resampling)
            for grouping, tally, others in zip(self._groupings, self._tallies, self._others, strict=True)
        ]

    def _breakdown(
        self,
        grouping: Grouping,
        tally: Tally,
        others: Mapping[str, Tally],
        whole: CorpusResult,
        resampling: Resampling,
    ) -> Breakdown:
        sums, beside = _by_key(tally), {name: _by_key(other) for name, other in others.items()}
        rows: dict[Key, list[tuple[Any, Totals, int]]] = {key: [] for key in sums}
        for (key, speaker, totals), n in tally.items():
            rows[key].append((speaker, totals, n))
        settings = {name: getattr(whole, name) for name in SETTINGS}
        statistics = {totals: whole.metric.statistics(totals) for totals in {each[-1] for each in tally}}
        groups = {}
        for key in grouping.ordered(sums):
            scores = sums[key].corpus(whole.metric, **settings)
            own = {name: _beside(some.get(key), scores) for name, some in beside.items()}
            groups[key] = Group(scores, self._speakers(rows[key], statistics), own)
        every = [row for some in rows.values() for row in some]
        all_others = {name: Sum() for name in beside}
        for name, some in beside.items():
            for other in some.values():
                all_others[name].update(other)
        found = {name: _beside(other, whole) for name, other in all_others.items()}
        everything = Group(whole, self._speakers(every, statistics), found)
        return Breakdown(grouping, groups, everything, resampling, self._silent if self._spoken else 0)

    def _speakers(
        self, rows: Sequence[tuple[Any, Totals, int]], statistics: Mapping[Totals, Sequence[int]]
    ) -> Table | None:
        """The statistics of each speaker."""
        if self._silent:
            return None
        table = np.array([statistics[totals] for _, totals, _ in rows], dtype=np.float64)
        numbers = np.array([n for _, _, n in rows], dtype=np.float64)
        return sums_by([speaker for speaker, _, _ in rows], table * numbers[:, None])


# The number of each item's value, and those values.
Coded = tuple["npt.NDArray[np.int64]", Sequence[Any]]


def _beside(sums: Sum | None, scores: CorpusResult) -> CorpusResult | None:
    """What is counted beside scores; None where an item has none."""
    return sums.corpus(scores.metric) if sums and len(sums) == len(scores) else None


def _count(tally: Tally, *columns: Coded) -> None:
    """Count the items that agree in all columns, in the order in which they come."""
    numbers = columns[0][0]
    for codes, values in columns[1:]:
        numbers = numbers * len(values) + codes
    _, first, times = np.unique(numbers, return_index=True, return_counts=True)
    order = np.argsort(first)
    for place, n in zip(first[order].tolist(), times[order].tolist(), strict=True):
        key, speaker, totals = (values[codes[place]] for codes, values in columns)
        tally[key, speaker, totals] += n


def _by_key(tally: Tally) -> dict[Key, Sum]:
    """The sums of each value."""
    sums: dict[Key, Sum] = {}
    for (key, _, totals), n in tally.items():
        if key not in sums:
            sums[key] = Sum()
        sums[key].items += n
        sums[key].tally()[totals] += n
    return sums


# What the results of groups have in common with the whole.
SETTINGS = ("normalisation", "grammars", "alternations", "conditions")
