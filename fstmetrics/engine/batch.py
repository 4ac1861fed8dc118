"""What one call of the engine found, in columns: `Batch`. A `Result` is a view of one of its rows, `BatchRow`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, overload

from fstmetrics._native import Found, PathWords, Tally
from fstmetrics.data.fields import NO_FIELDS, Fields
from fstmetrics.engine.results import AlignedPair, Result, ResultRows, Rules, Value
from fstmetrics.metrics.path_metric import SearchStats, Totals
from fstmetrics.support.printable import in_a_line

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.engine.results import Integers
    from fstmetrics.grammars.widening import Rewrite, Widened
    from fstmetrics.metrics import Metric
    from fstmetrics.support.arguments import Labelled
    from fstmetrics.text.normalisation import Unit

# Counts and words of so many items are objects of Python at once.
TOGETHER = 4096


class Batch(ResultRows):
    """Results in the engine's own arrays: a few dozen bytes an item, and one for each operation of an alignment.

    Args:
        found: what was found.
        metric: what was computed.
        ids: names of the items, or None.
        nbest: how many paths were asked for.
        widened: for each item what grammars have added to its references; None where nobody asks which rules were used.
        unit: what was compared.
        fields: what else is known of each item; None where nothing is.

    Attributes:
        row_labels: those of the columns that were scored, of pandas; None where they had none.
        rules: by which all were scored; None where that is not known.
    """

    def __init__(
        self,
        found: Found,
        metric: Metric,
        ids: Sequence[str | None] | None,
        nbest: int = 1,
        widened: Sequence[Widened | None] | None = None,
        unit: Unit = "word",
        fields: Sequence[Fields] | None = None,
    ) -> None:
        self.found = found
        self.metric = metric
        self.ids = ids
        self.nbest = nbest
        self.widened = widened
        self.unit: Unit = unit
        self.fields = fields
        self.row_labels: Labelled | None = None
        self.rules: Rules | None = None

    def __len__(self) -> int:
        return len(self.found)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Result, ...]: ...
    def __getitem__(self, index: int | slice) -> Result | tuple[Result, ...]:
        items = range(len(self))[index]
        return self._result(items) if isinstance(items, int) else tuple(map(self._result, items))

    def __iter__(self) -> Iterator[Result]:
        return map(self._result, range(len(self)))

    def __repr__(self) -> str:
        return in_a_line(self, metric=self.metric.name, items=len(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (tuple(self),)

    @property
    def is_credited(self) -> bool:
        """Whether the counts are not those that the engine found."""
        return not isinstance(self.found, Found)

    def sum(self) -> Totals:
        """The sum of the items' totals."""
        return self._total

    @cached_property
    def _total(self) -> Totals:
        sums = self.found.sums() or [sum(column) for column in self.found.all_counts().T.tolist()]
        denominator = self.metric.denominator
        divisor = sum(denominator(words) * n for words, n in self.found.lengths().items())
        return Totals._make([*sums[:-1], divisor])

    def tally(self) -> Counter[Totals]:
        """How many items have the same totals."""
        tally = Tally()
        self.found.add_to(tally)
        return self.counted(tally)

    def counted(self, tally: Tally) -> Counter[Totals]:
        """How many items of batches of this metric, which were added to a tally, have the same totals."""
        found: Counter[Totals] = Counter()
        rows = tally.rows().tolist()
        divisors = list(map(self.metric.denominator, [row.pop() for row in rows]))
        for row, divisor, times in zip(rows, divisors, tally.times().tolist(), strict=True):
            found[Totals._make([*row, divisor])] += times
        return found

    def kinds(self) -> tuple[Integers, list[Totals]]:
        """Which of the different totals each item has, and these, in the order in which they came."""
        tally = Tally()
        numbers = self.found.add_to(tally)
        return numbers, list(map(self.totals, tally.rows().tolist()))

    def each(self, value: Callable[[Totals], Value]) -> list[Value]:
        """What follows from the totals of each item, found once for all items with the same."""
        counts = self.found.all_counts()
        found: dict[tuple[int, ...], Value] = {}
        values: list[Value] = []
        for at in range(0, len(counts), TOGETHER):
            rows = list(map(tuple, counts[at : at + TOGETHER].tolist()))
            found |= {row: value(self.totals(row)) for row in {*rows} - found.keys()}
            values += map(found.__getitem__, rows)
        return values

    def names(self) -> list[str | None]:
        """The ids of the items."""
        return [None] * len(self) if self.ids is None else list(self.ids)

    def labels(self) -> Sequence[Fields]:
        """The fields of each."""
        return [NO_FIELDS] * len(self) if self.fields is None else [*self.fields]

    def table(self) -> Integers:
        """Units of cost, matches, S, I, D and moves of each item, shape [items, 6]."""
        return self.found.all_counts()[:, :6]

    def operations(self) -> tuple[npt.NDArray[Any], ...]:
        """The alignments of all, as of `CorpusResult.alignment_columns`."""
        return super().operations() if self.is_credited else self.found.operations()

    def words(self, side: str) -> Iterable[Sequence[str]]:
        """Of each, the words chosen on a side, as of `ResultRows.words`."""
        if self.is_credited:
            return super().words(side)
        places = range(0, len(self), TOGETHER)
        return chain.from_iterable(PathWords(self.found, side, at, at + TOGETHER) for at in places)

    def totals(self, counts: Sequence[int]) -> Totals:
        """Counts of a path (cost, matches, S, I, D, moves, words of the reference) as totals."""
        return Totals._make([*counts[:-1], self.metric.denominator(counts[-1])])

    def _result(self, item: int) -> Result:
        return Result.of_row(BatchRow(self, item, 0))


class BatchRow:
    """One path of an item; its properties are the fields of a `Result`."""

    __slots__ = ("batch", "item", "path")

    def __init__(self, batch: Batch, item: int, path: int) -> None:
        self.batch = batch
        self.item = item
        self.path = path

    @property
    def metric(self) -> Metric:
        """What was computed."""
        return self.batch.metric

    @property
    def unit(self) -> Unit:
        """What was compared."""
        return self.batch.unit

    @property
    def totals(self) -> Totals:
        """Cost and counts of the path."""
        return self.batch.totals(self.batch.found.counts(self.item, self.path))

    @property
    def id(self) -> str | None:
        """The item's name."""
        return self.batch.ids[self.item] if self.batch.ids else None

    @property
    def fields(self) -> Fields:
        """What else is known of the item."""
        return self.batch.fields[self.item] if self.batch.fields else NO_FIELDS

    def written(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[AlignedPair, ...]]:
        """Words chosen on either side, and the operations."""
        return self.batch.found.written(self.item, self.path, AlignedPair)

    def rewrites(self, closest: Sequence[str]) -> tuple[Rewrite, ...]:
        """The rules of grammars used on the path, whose words on the reference side are given."""
        widened = self.batch.widened[self.item] if self.batch.widened else None
        return widened.rewrites(closest) if widened else ()

    @property
    def nbest(self) -> tuple[Result, ...]:
        """The item's paths, best first, where several were asked for; they have no others themselves."""
        if self.batch.nbest == 1:
            return ()
        batch = self.batch
        alone = Batch(batch.found, batch.metric, batch.ids, widened=batch.widened, unit=batch.unit)
        alone.rules = batch.rules
        return tuple(
            Result.of_row(BatchRow(alone, self.item, path)) for path in range(alone.found.paths(self.item))
        )

    @property
    def stats(self) -> SearchStats:
        """What the search did."""
        return SearchStats(*self.batch.found.stats(self.item))
