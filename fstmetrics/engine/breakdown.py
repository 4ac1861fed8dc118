"""Scores by the values of a field: `Breakdown`, a mapping from each value to the scores of its items.

`breakdown` makes one of results in memory; a run makes its own of its sums (`fstmetrics.scoring.field_sums`). Intervals
are percentiles of bootstrap resamples: of a group's speakers, drawn with all their items, where all items have a
speaker and the group has several; else of its items (Bisani and Ney, "Bootstrap estimates for confidence intervals in
ASR performance evaluation", ICASSP 2004).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics.data.fields import SPEAKER, Fields, present
from fstmetrics.data.groupings import Grouping, Key, grouping_of, json_value, keyed, plain, refuse_unknown
from fstmetrics.engine.resampling import FEWEST_RESAMPLED, Resampling, bootstrap_sums, interval_of
from fstmetrics.engine.results import CorpusResult, Result, ResultRows, Value
from fstmetrics.engine.statistics import Statistics
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.support.arguments import Labelled
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import finite
from fstmetrics.support.tables import Tabular

if TYPE_CHECKING:
    from fstmetrics.engine.results import Integers
    from fstmetrics.metrics.corpus_metric import Table


class Group(NamedTuple):
    """The items with one value of a field.

    Attributes:
        scores: theirs.
        speakers: statistics of each of their speakers, shape [speakers, columns]; None where an item of the whole
            corpus has no speaker.
        beside: what else is counted of them, by name: `one_best`, the decoder's own paths beside oracles; `b` and `u`,
            the words of a list and all others. None where an item has none.
    """

    scores: CorpusResult | Statistics
    speakers: Table | None
    beside: Mapping[str, CorpusResult | None] = {}

    @property
    def resampled(self) -> str | None:
        """What is drawn for the interval: `speakers`, `items`, or None where there is only one of them."""
        if self.speakers is not None and len(self.speakers) > 1:
            return "speakers"
        return "items" if len(self.scores) > 1 else None

    def interval(self, resampling: Resampling) -> tuple[float, float] | None:
        """The bootstrap interval of the score; None where there is one item only, or a resample has no score."""
        return None if self.resampled is None else interval_of(self.resamples(resampling))

    def resamples(self, resampling: Resampling) -> Table:
        """The score of each resample, of several speakers or items."""
        table = self.speakers if self.resampled == "speakers" else statistics_of(self.scores)
        assert table is not None
        (sums,) = bootstrap_sums([table], replace(resampling, threads=1))  # for so few, more take longer
        return self.scores.metric.corpus_score(sums)


class Gap(NamedTuple):
    """How far the scores of two groups are apart.

    Attributes:
        values: of the field, first and second.
        delta: the score of the second minus that of the first.
        low, high: its bootstrap interval.
    """

    values: tuple[Any, Any]
    delta: float
    low: float
    high: float


def statistics_of(scores: CorpusResult | Statistics) -> Table:
    """Statistics that add up, shape [items, columns]; of paths, whatever the items' order."""
    if isinstance(scores, Statistics):
        return scores.values
    counts = sorted(scores.tally().items())
    rows = np.array([scores.metric.statistics(totals) for totals, _ in counts], dtype=np.float64)
    return np.repeat(rows.reshape(len(counts), -1), [n for _, n in counts], axis=0)


@dataclass(frozen=True, eq=False)
class Breakdown(Tabular, Mapping[Key, CorpusResult | Statistics]):
    """A corpus by the values of a field: a mapping from each value to the scores of the items that have it.

    None is the value of items without the field. The values come in order: numbers, then texts, then None; bins from
    the least up. `print` shows the table.

    Attributes:
        grouping: what put the items into groups.
        groups: the items of each value; truth values are `Truth`, which is no number.
        whole: all items.
        resampling: how intervals are found.
        without_speaker: how many items have no speaker, where others have; then items are resampled.

    >>> import fstmetrics as fm
    >>> fields = [{"seconds": 2.5}, {"seconds": 7}, {"seconds": 12}, {}]
    >>> print(fm.score(["a", "b c", "d", "e"], ["a", "b d", "d e", "e"], fields=fields).by("seconds:5,10"))
    seconds    items  words     wer     low    high   share  edits  sub  ins  del
    < 5            1      1  0.0000                   0.00%      0    0    0    0
    5 to < 10      1      2  0.5000                  50.00%      1    1    0    0
    >= 10          1      2  0.5000                  50.00%      1    0    0    1
    (none)         1      1  0.0000                   0.00%      0    0    0    0
    all            4      6  0.3333  0.0000  0.5000              2    1    0    1
    low, high: 95% bootstrap intervals; 1000 resamples of items, seed 1
    """

    grouping: Grouping
    groups: Mapping[Key, Group]
    whole: Group
    resampling: Resampling
    without_speaker: int = 0

    def __getitem__(self, value: Key) -> CorpusResult | Statistics:
        if (key := keyed(value)) not in self.groups:
            raise KeyError(value)
        return self.groups[key].scores

    def __iter__(self) -> Iterator[Key]:
        return map(plain, self.groups)

    def __len__(self) -> int:
        return len(self.groups)

    @property
    def name(self) -> str:
        """The field, or several joined by `+`."""
        return self.grouping.name

    def interval(self, value: Key) -> tuple[float, float] | None:
        """The interval of a value's score; None where it has one item only."""
        return self._interval(self.groups[keyed(value)])

    @cached_property
    def whole_interval(self) -> tuple[float, float] | None:
        """That of the score of all items."""
        return self._interval(self.whole)

    @cached_property
    def gap(self) -> Gap | None:
        """The difference of a field's two values, each resampled by itself, and no item without it.

        None where there are other groups, a group has fewer speakers, or items where these are resampled, than
        `FEWEST_RESAMPLED`, speakers have items of both values, or a resample has no score.
        """
        if len(self.groups) != 2 or None in self.groups:
            return None
        first, second = self.groups.values()
        if not first.resampled == second.resampled == self.whole.resampled:
            return None
        speakers = [
            0 if each.speakers is None else len(each.speakers) for each in (self.whole, first, second)
        ]
        drawn = speakers[1:] if first.resampled == "speakers" else [len(first.scores), len(second.scores)]
        if speakers[0] < speakers[1] + speakers[2] or min(drawn) < FEWEST_RESAMPLED:
            return None
        other = replace(self.resampling, seed=self.resampling.seed + 1)  # so that the two are independent
        ends = interval_of(second.resamples(other) - first.resamples(self.resampling))
        return ends and Gap(tuple(self), second.scores.score - first.scores.score, *ends)  # type: ignore[arg-type]

    @cached_property
    def _found(self) -> dict[int, tuple[float, float] | None]:
        """The intervals that were asked for, by the identity of their groups, which this object holds."""
        return {}

    def _interval(self, group: Group) -> tuple[float, float] | None:
        if id(group) not in self._found:
            self._found[id(group)] = group.interval(self.resampling)
        return self._found[id(group)]

    def rows(self) -> list[dict[str, Any]]:
        """The table, a row a value, in plain values.

        `value`; `items`; `speakers` where all items have one; `score` with `low` and `high`, and what was `resampled`
        for them; of best paths the counts that `as_dict()` of a corpus has, and `share`: the part of all errors of the
        corpus, None where it has none; of other metrics their `statistics`. Beside oracles `one_best` has the
        numbers of the decoder's own paths; with lists of words `b_wer`, `u_wer` and `biasing` have theirs.
        """
        errors = _errors(self.whole.scores)
        return [self._row(plain(key), group, errors) for key, group in self.groups.items()]

    def _row(self, value: Key, group: Group, errors: int) -> dict[str, Any]:
        scores = group.scores
        low, high = self.interval(value) or (None, None)
        speakers = {} if group.speakers is None else {"speakers": len(group.speakers)}
        found = scores.as_dict()
        row: dict[str, Any] = {
            "value": json_value(value),
            "items": len(scores),
            **speakers,
        }
        row |= {"score": finite(scores.score), "low": low, "high": high, "resampled": group.resampled}
        row |= {name: found[name] for name in found if name not in ("metric", "items", "skipped", "score")}
        if isinstance(scores, CorpusResult):
            row["share"] = _errors(scores) / errors if errors else None
        if self.whole.beside.get("one_best"):
            own = group.beside.get("one_best")
            row["one_best"] = own.numbers() if own else None
        if self.whole.beside.get("b"):
            from fstmetrics.engine.word_classes import class_numbers

            row |= class_numbers(*(each.totals for name in "bu" if (each := group.beside[name])))
        return row

    def as_dict(self) -> dict[str, Any]:
        """The rows by the name of the field, as `--json` has them under `by`."""
        return {self.name: self.rows()}

    def columns(self) -> dict[str, Any]:
        """The rows as columns; that of values has the name of the field."""
        rows = self.rows()
        flat = [{**row, **row.pop("statistics", {})} for row in rows]
        found = {name: [row[name] for row in flat] for name in flat[0]}
        values = found.pop("value")
        if len(self.grouping.fields) > 1:
            keys = dict(zip(self.grouping.fields, map(list, zip(*values, strict=True)), strict=True))
        else:
            keys = {self.name: values}
        return keys | found

    def __str__(self) -> str:
        from fstmetrics.reports.field_tables import breakdown_text

        return breakdown_text(self)

    def _repr_html_(self) -> str:
        from fstmetrics.reports.notebook import breakdown_html

        return breakdown_html(self)

    def __repr__(self) -> str:
        scores = ", ".join(f"{value!r}: {scores.score:.4f}" for value, scores in list(self.items())[:5])
        more = ", ..." if len(self) > 5 else ""
        return f"Breakdown({self.name}, {self.whole.scores.name} {{{scores}{more}}})"


def _errors(scores: CorpusResult | Statistics) -> int:
    return scores.edits + scores.moves if isinstance(scores, CorpusResult) else 0


def breakdown(
    scores: CorpusResult | Statistics, field: object, bins: object = (), samples: int = 1000, seed: int = 1
) -> Breakdown:
    """Results in memory by the values of a field; arguments and errors as of `CorpusResult.by`."""
    grouping, resampling = grouping_of(field, bins), Resampling(samples, seed)
    labels = scores.labels() if isinstance(scores, Statistics) else scores.fields
    refuse_unknown(grouping, {name for fields in labels for name in fields})
    if isinstance(scores, Statistics) and not scores.metric.columns:
        raise FstmetricsError(f"{scores.metric.name} is of all texts at once: it has no scores by field")
    places: dict[Key, list[int]] = {}
    for place, (fields, id) in enumerate(zip(labels, scores.ids or [None] * len(labels), strict=True)):
        places.setdefault(grouping.key(fields, id), []).append(place)
    speakers = _speakers(labels)
    taken = _taker(scores)
    groups = {key: _group(taken(places[key]), places[key], speakers) for key in grouping.ordered(places)}
    whole = _group(scores, range(len(labels)), speakers)
    lacking = sum(present(fields.get(SPEAKER)) is None for fields in labels)
    return Breakdown(grouping, groups, whole, resampling, lacking if lacking < len(labels) else 0)


def _speakers(labels: Sequence[Fields]) -> list[Any] | None:
    """The speaker of each item; None where one has none."""
    found = [present(fields.get(SPEAKER)) for fields in labels]
    return None if None in found else found


def _group(scores: CorpusResult | Statistics, places: Sequence[int], speakers: list[Any] | None) -> Group:
    if speakers is None:
        return Group(scores, None)
    own = [speakers[place] for place in places]
    rows = scores.values if isinstance(scores, Statistics) else scores.each(scores.metric.statistics)
    return Group(scores, sums_by(own, np.array(rows, dtype=np.float64)))


def sums_by(names: Sequence[Any], rows: Table) -> Table:
    """Rows added up by name, shape [names, columns], in an order that does not depend on theirs."""
    numbers: dict[Any, int] = {}
    of_rows = [numbers.setdefault(name, len(numbers)) for name in names]
    sums: Table = np.stack([np.bincount(of_rows, column) for column in rows.T], axis=-1)
    return sums[np.lexsort(sums.T)]


def _taker(scores: CorpusResult | Statistics) -> Callable[[Sequence[int]], CorpusResult | Statistics]:
    """A function from places of items to their scores."""
    if isinstance(scores, Statistics):
        return lambda places: _some_statistics(scores, places)
    items = scores.items
    every = items.each(lambda totals: totals) if isinstance(items, ResultRows) else []

    def taken(places: Sequence[int]) -> CorpusResult:
        some: Sequence[Result]
        if isinstance(items, ResultRows):
            some = Selected(items, places, [every[place] for place in places])
        else:
            some = tuple(items[place] for place in places)
        settings = (0, scores.normalisation, scores.grammars, scores.alternations, scores.conditions)
        return CorpusResult.of(some, *settings, row_labels=_some_rows(scores, places))

    return taken


def _some_statistics(scores: Statistics, places: Sequence[int]) -> Statistics:
    ids = None if scores.ids is None else tuple(scores.ids[place] for place in places)
    labels = scores.labels()
    return Statistics(
        scores.metric, scores.table.taken(places), ids, scores.normalisation, conditions=scores.conditions,
        fields=[labels[place] for place in places], row_labels=_some_rows(scores, places),
    )  # fmt: skip


def _some_rows(scores: CorpusResult | Statistics, places: Sequence[int]) -> Labelled | None:
    """The labels of some of the rows."""
    return scores.row_labels and scores.row_labels[list(places)]


class Selected(ResultRows):
    """Some of the results of a batch, made when they are looked at.

    Args:
        rows: the batch.
        places: which of its results, in order.
        totals: theirs.
    """

    def __init__(self, rows: ResultRows, places: Sequence[int], totals: Sequence[Totals]) -> None:
        self.rows = rows
        self.places = places
        self.totals = totals

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, index: Any) -> Any:
        places = self.places[index]
        return self.rows[places] if isinstance(places, int) else tuple(self.rows[place] for place in places)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (tuple(self),)

    def sum(self) -> Totals:
        """What they add up to."""
        columns: Iterable[int] = (0,) * len(Totals._fields)
        for totals, n in self.tally().items():
            columns = list(map(add, columns, (n * number for number in totals)))
        return Totals(*columns)

    def tally(self) -> Counter[Totals]:
        """How many of them have the same totals."""
        return Counter(self.totals)

    def names(self) -> list[str | None]:
        """The id of each."""
        names = self.rows.names()
        return [names[place] for place in self.places]

    def labels(self) -> Sequence[Fields]:
        """The fields of each."""
        labels = self.rows.labels()
        return [labels[place] for place in self.places]

    def each(self, value: Callable[[Totals], Value]) -> list[Value]:
        """What follows from the totals of each, found once for all with the same."""
        found = {totals: value(totals) for totals in set(self.totals)}
        return [found[totals] for totals in self.totals]

    def table(self) -> Integers:
        """Units of cost, matches, S, I, D and moves of each, shape [items, 6]."""
        return self.rows.table()[list(self.places)]
