"""What scoring gives back: `Result` of an item, `CorpusResult` of many; `Scores` is what they have in common.

All are frozen, and all add up. Results that come from a search are views of rows (`columns`), which are read when they
are looked at; so are the items of a corpus (`ResultRows`).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeVar, overload

import numpy as np

from fstmetrics._native import noted
from fstmetrics.data.fields import Fields, columns_of, no_fields
from fstmetrics.engine.signatures import ORACLE, conditions_of_both, path_conditions, signature_of
from fstmetrics.metrics.corpus_metric import name_of
from fstmetrics.metrics.path_metric import PathNumbers, SearchStats, Totals, score_of
from fstmetrics.support.arguments import Labelled, described, items_of, shortened
from fstmetrics.support.equal_rows import EqualRows
from fstmetrics.support.errors import FstmetricsError, warn
from fstmetrics.support.json_text import finite
from fstmetrics.support.names import listed
from fstmetrics.support.printable import counted

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas
    import pyarrow

    from fstmetrics.engine.breakdown import Breakdown
    from fstmetrics.grammars.widening import Rewrite
    from fstmetrics.metrics.corpus_metric import CorpusMetric, Table
    from fstmetrics.metrics.path_metric import Metric
    from fstmetrics.text.normalisation import Normalisation, Unit

    Integers = npt.NDArray[np.int64]


Value = TypeVar("Value")


class Scores(Protocol):
    """What scoring gives back, whatever the metric: a `Result`, a `CorpusResult` or `Statistics`.

    >>> import fstmetrics as fm
    >>> for metric in ("wer", "chrf"):
    ...     found = fm.score(["the cat"], ["the cat"], metric) + fm.score(["a"], ["b"], metric)
    ...     print(found.name, found.mean_score, found.item_scores.tolist(), found.as_dict()["items"])
    wer 0.5 [0.0, 1.0] 2
    chrf 50.0 [100.0, 0.0] 2
    """

    @property
    def metric(self) -> CorpusMetric:
        """What was computed."""

    @property
    def name(self) -> str:
        """What the score is called."""

    @property
    def score(self) -> float:
        """The score of all items together."""

    @property
    def mean_score(self) -> float:
        """Mean of the items' finite scores; nan where there is none."""

    @property
    def item_scores(self) -> Table:
        """The score of each item, shape [items]."""

    def __add__(self, other: Self, /) -> Scores:
        """Both together."""

    def as_dict(self) -> dict[str, Any]:
        """Plain values by the names that records and `--json` have for them; None for numbers that are not finite."""


class AlignedPair(NamedTuple):
    """One operation of an alignment.

    Attributes:
        op: `=` match, `S` substitution, `I` insertion, `D` deletion; `*` a hypothesis word under a wildcard of the
            reference, which counts nowhere.
        hypothesis: the word on the hypothesis side, None for a deletion.
        reference: the word on the reference side, None for an insertion and under a wildcard.
        position: where the hypothesis word stands in the string as given, from 0; of alternatives and networks, in the
            string that was chosen; of lattices, and of n-best lists without a window, the arc. None for a deletion.
        moves: reordering moves paid for taking the word here.
    """

    op: str
    hypothesis: str | None
    reference: str | None
    position: int | None = None
    moves: int = 0

    @property
    def is_match(self) -> bool:
        """Whether the two words are the same."""
        return self.op == "="


# What `CorpusResult.alignment_columns` has.
ALIGNMENT_COLUMNS = ("begins", "letters", "hypothesis", "closest")
# Fields of a result that are made together.
WRITTEN = ("hypothesis", "closest", "alignment")
# Sets an attribute of a frozen object.
_fill = object.__setattr__


class Row(Protocol):
    """What a result is filled from, as a row of a `fstmetrics.engine.batch.Batch`; others of its fields are
    attributes.

    Attributes:
        batch, item: where it is.
    """

    batch: Any
    item: int

    def written(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[AlignedPair, ...]]:
        """Words chosen on either side, and the operations."""

    def rewrites(self, closest: Sequence[str]) -> tuple[Rewrite, ...]:
        """The rules of grammars used on the path, whose words on the reference side are given."""


class _Filled:
    """A slot for what a result is filled from."""

    __slots__ = ("_row",)

    _row: Row


@dataclass(frozen=True, slots=True)
class Result(PathNumbers, _Filled):
    """One item: the best pair of a hypothesis and a reference, and how they align.

    Attributes:
        metric: what was computed.
        totals: cost and counts of the path.
        id: of the item, or None.
        hypothesis: the words chosen on the hypothesis side, in the order in which they were taken.
        closest: the words chosen on the reference side, the closest path.
        alignment: the operations, left to right. Empty, like the words, where no alignment was asked for.
        nbest: the k best distinct pairs, this one first, where more than one was asked for.
        stats: what the search did.
        rewrites: the rules of grammars used on the closest path, left to right.
        unit: what was compared: words or characters.
        fields: what else is known of the item, by name: its speaker, its duration, whatever its file has.
    """

    metric: Metric
    totals: Totals
    id: str | None = None
    hypothesis: tuple[str, ...] = ()
    closest: tuple[str, ...] = ()
    alignment: tuple[AlignedPair, ...] = ()
    nbest: tuple[Result, ...] = ()
    stats: SearchStats | None = field(default=None, compare=False)
    rewrites: tuple[Rewrite, ...] = ()
    unit: Unit = "word"
    fields: Fields = field(default_factory=no_fields, hash=False)

    @property
    def name(self) -> str:
        """What the score is called: the metric's name, `cer` for the WER of characters."""
        return name_of(self.metric.name, self.unit)

    def __post_init__(self) -> None:
        if not self.alignment:
            return
        counts = Counter(pair.op for pair in self.alignment)
        totals = self.totals
        expected = {
            "=": totals.matches,
            "S": totals.substitutions,
            "I": totals.insertions,
            "D": totals.deletions,
        }
        if any(counts[op] != n for op, n in expected.items()):
            raise FstmetricsError(
                f"item {self.id}: the alignment has {dict(counts)}, the totals say {expected}"
            )
        counted = len(self.hypothesis) - counts["*"]
        if len(self.closest) != totals.path_length or counted != totals.hypothesis_length:
            raise FstmetricsError(f"item {self.id}: the words chosen do not fit the totals {totals}")

    @classmethod
    def of_row(cls, row: Row) -> Self:
        """A result that is filled in when it is looked at."""
        result = object.__new__(cls)
        _fill(result, "_row", row)
        return result

    def __getattr__(self, name: str) -> Any:
        # Python comes here for slots that hold nothing yet.
        if name in WRITTEN:
            written = self._row.written()
            for other, value in zip(WRITTEN, written, strict=True):
                _fill(self, other, value)
            return written[WRITTEN.index(name)]
        if name not in type(self).__dataclass_fields__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        row = self._row
        found = row.rewrites(self.closest) if name == "rewrites" else getattr(row, name)
        _fill(self, name, found)
        return found

    @property
    def _rules(self) -> Rules | None:
        """By which rules it was found; None where that is not known."""
        return getattr(getattr(getattr(self, "_row", None), "batch", None), "rules", None)

    def counts_only(self) -> Result:
        """The result without its words: a corpus of them is small."""
        return Result(self.metric, self.totals, self.id, stats=self.stats, unit=self.unit, fields=self.fields)

    @property
    def mean_score(self) -> float:
        """The score; nan if it is infinite, as of a corpus of this item alone."""
        return self.score if math.isfinite(self.score) else math.nan

    @property
    def item_scores(self) -> Table:
        """The score as that of the only item, shape [1]."""
        return np.array([self.score])

    def as_dict(self, alignment: bool = True) -> dict[str, Any]:
        """All that a record has, by the same names, in numbers, texts, lists and dictionaries (docs/records.md).

        Args:
            alignment: whether to add `alignment`: `["=", hyp, ref]`, `["S", hyp, ref]`, `["I", hyp, None]`,
                `["D", None, ref]`, `["*", hyp, None]`.

        What is divided by nothing, and infinite, is None.
        """
        numbers = self.numbers()
        gains = {name: numbers.pop(name) for name in ("gain", "max_gain")}
        found: dict[str, Any] = {"id": self.id, "metric": self.name, **numbers}
        if self.fields:
            found["fields"] = dict(self.fields)
        found |= {"hypothesis": list(self.hypothesis), "closest": list(self.closest), **gains}
        if self.metric.window > 1:
            found["order"] = [pair.position for pair in self.alignment if pair.hypothesis is not None]
        if self.rewrites:
            found["rules"] = [rewrite.as_dict() for rewrite in self.rewrites]
        if alignment:
            found["alignment"] = noted(self.alignment)
        found |= self._more(alignment)
        if self.nbest:
            found["nbest"] = [other.as_dict(alignment) for other in self.nbest]
        return found

    def _more(self, alignment: bool) -> dict[str, Any]:
        """What other kinds of results add to `as_dict`."""
        return {}

    @classmethod
    def further_columns(cls, items: Sequence[Result]) -> dict[str, Any]:
        """What results of this kind add to `CorpusResult.columns`."""
        return {}

    def _brief(self) -> dict[str, Any]:
        """A path in brief."""
        return self.numbers() | {"hypothesis": list(self.hypothesis)}

    def format(self, width: int = 100) -> str:
        """The item as text: a line of counts, and the alignment in rows of at most `width` cells."""
        from fstmetrics.reports.alignment import alignment_text, title

        return f"{title(self)}\n{alignment_text(self.alignment, width).plain}".rstrip()

    def __str__(self) -> str:
        return self.format()

    def _repr_html_(self) -> str:
        from fstmetrics.reports.notebook import result_html

        return result_html(self)

    def __repr__(self) -> str:
        id = "" if self.id is None else f"{shortened(self.id)}, "
        return f"{type(self).__name__}({id}{_in_short(self)})"

    def __add__(self, other: Result | CorpusResult) -> CorpusResult:
        return CorpusResult.of([self]) + other

    def __radd__(self, other: object) -> CorpusResult:
        return CorpusResult.of([self]).__radd__(other)


class ResultRows(EqualRows[Result]):
    """Results in order, made when they are looked at; equal to any sequence of equal results."""

    __slots__ = ()
    unit: Unit = "word"

    @cached_property
    def metric(self) -> Metric:
        """What was computed."""
        return self[0].metric

    @abstractmethod
    def sum(self) -> Totals:
        """What they add up to."""

    @abstractmethod
    def tally(self) -> Counter[Totals]:
        """How many of them have the same totals."""

    def names(self) -> list[str | None]:
        """The id of each."""
        return _names(self)

    def labels(self) -> Sequence[Fields]:
        """The fields of each."""
        return [item.fields for item in self]

    def each(self, value: Callable[[Totals], Value]) -> list[Value]:
        """What follows from the totals of each."""
        return [value(item.totals) for item in self]

    def table(self) -> Integers:
        """Units of cost, matches, S, I, D and moves of each, shape [items, 6]."""
        return _table(self)

    def operations(self) -> tuple[npt.NDArray[Any], ...]:
        """The alignments of all, in the order of `ALIGNMENT_COLUMNS`."""
        return _operations(self)

    def words(self, side: str) -> Iterable[Sequence[str]]:
        """Of each, the words chosen on a side, `hypothesis` or `closest`."""
        return (getattr(item, side) for item in self)


class Rules(NamedTuple):
    """By which items were scored: fields as of `CorpusResult`."""

    normalisation: Normalisation | None = None
    grammars: str = ""
    conditions: tuple[str, ...] = ()


def _rules_of(items: Sequence[Result]) -> Rules:
    """Those by which results were found one by one; none where they are not known of all.

    Raises:
        FstmetricsError: they differ.
    """
    first, *others = {id(rules): rules for rules in (item._rules for item in items)}.values()
    conditions = first.conditions if first else ()
    for other in others:
        if first is None or other is None:
            return Rules()
        _refuse_oracles_among(first.conditions, other.conditions)
        if first[:2] != other[:2]:
            raise FstmetricsError("results by other rules cannot be added; score them alike")
        conditions = conditions_of_both(conditions, other.conditions)
    return Rules() if first is None else first._replace(conditions=conditions)


def _row_labels_of(items: Sequence[Result]) -> Labelled | None:
    """The labels of the rows of results one by one, of columns of pandas; None where some had none."""
    rows = [getattr(item, "_row", None) for item in items]
    labels = [getattr(getattr(row, "batch", None), "row_labels", None) for row in rows]
    if None in labels:
        return None
    parts = [each.index[[row.item]] for each, row in zip(labels, rows, strict=True)]  # type: ignore[union-attr]
    return Labelled(parts[0].append(parts[1:]))


@dataclass(frozen=True, eq=False)
class References:
    """What items were scored against, of which digests are made when somebody asks.

    Attributes:
        normalisation: what was done to their words.
        parts: of some items each, one behind the other: their references and what these stand beside, as of
            `sides.snapshot`; or their digests, where nothing else is known.
    """

    normalisation: Normalisation
    parts: tuple[tuple[Sequence[Any], Sequence[Any]] | Integers, ...]

    @cached_property
    def digests(self) -> Integers:
        """Of each item, as of `digests_of`."""
        from fstmetrics.engine.reference_digests import digests_of

        rules = self.normalisation
        made = [digests_of(*part, rules) if isinstance(part, tuple) else part for part in self.parts]
        return np.concatenate(made)

    def __reduce__(self) -> tuple[Any, ...]:
        return References, (self.normalisation, (self.digests,))


def same_rules(one: Any, other: Any) -> tuple[Normalisation | None, str]:
    """What was done to the words of two results that are added, and what widened their references; what is not known of
    both is None, or empty.

    Args:
        one, other: each a `CorpusResult`, or `Statistics`.

    Raises:
        FstmetricsError: the two are known and differ; or one is of oracles.
    """
    if twice := {*(one.ids or ())} & {*(other.ids or ())} - {None}:
        warn(f"ids come twice: {listed(sorted(twice))}; if these are the same items, they count twice")
    _refuse_oracles_among(one.conditions, other.conditions)
    normalisations, same = (one.normalisation, other.normalisation), one.grammars == other.grammars
    if None in normalisations:
        return None, one.grammars if same else ""
    if not same or normalisations[0] != normalisations[1]:
        raise FstmetricsError(
            f"results by other rules cannot be added: {one.signature} and {other.signature}; score them alike"
        )
    return one.normalisation, one.grammars


def _refuse_oracles_among(one: Sequence[str], other: Sequence[str]) -> None:
    """Raise an FstmetricsError where one of two results is of oracles by its conditions, and the other is not."""
    if one and other and (ORACLE in one) != (ORACLE in other):
        raise FstmetricsError(
            "oracles, the best paths of lattices or n-best lists, cannot be added to what a decoder chose: score the "
            "1-best of all"
        )


def added(one: References | None, other: References | None) -> References | None:
    """Those of both; None where those of one are not known, or by other rules."""
    if one is None or other is None or one.normalisation != other.normalisation:
        return None
    return References(one.normalisation, one.parts + other.parts)


@dataclass(frozen=True)
class CorpusResult(PathNumbers):
    """Many items: sums over them, and the items themselves.

    `score` divides the sums (micro-average). `mean_score` is the mean of the items' scores; items with a zero
    divisor are left out of it and counted in `infinite`. `len`, `for`, `[0]` and `[:10]` are of the items; `str` is one
    line of score and counts.

    Attributes:
        metric: what was computed.
        totals: the items' totals, added up.
        items: in order.
        skipped: how many items had no partner and were skipped on request.
        normalisation: what was done to the words.
        grammars: what widened the references, as the signature has it; empty where nothing did.
        alternations: how choices in the texts were written; empty where there are none.
        conditions: what else the score depends on, as the signature has it: the number of references, scales, ...
        references: what the items were scored against, where that is known.
        row_labels: those of the columns that were scored, of pandas; None where some had none.
    """

    metric: Metric
    totals: Totals
    items: Sequence[Result] = ()
    skipped: int = 0
    normalisation: Normalisation | None = None
    grammars: str = ""
    alternations: str = ""
    conditions: tuple[str, ...] = ()
    references: References | None = field(default=None, repr=False, compare=False)
    row_labels: Labelled | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if _sum(self.items) != self.totals:
            raise FstmetricsError("a corpus result must be the sum of its items")

    @classmethod
    def of(
        cls,
        items: Iterable[Result],
        skipped: int = 0,
        normalisation: Normalisation | None = None,
        grammars: str = "",
        alternations: str = "",
        conditions: tuple[str, ...] = (),
        references: References | None = None,
        row_labels: Labelled | None = None,
    ) -> CorpusResult:
        """The sum of some items.

        Raises:
            FstmetricsError: no items at all, or items of different metrics.
        """
        if not isinstance(items, ResultRows):
            items = tuple(items_of(items, "results"))
            for number, item in enumerate(items):
                if not isinstance(item, Result):
                    raise FstmetricsError(f"results[{number}] must be a Result, not {described(item)}")
        if not items:
            raise FstmetricsError("there is no item to score")
        metric = items.metric if isinstance(items, ResultRows) else items[0].metric
        if not isinstance(items, ResultRows):
            if any(item.metric != metric for item in items):
                raise FstmetricsError("results of different metrics cannot be added")
            if len({item.unit for item in items}) > 1:
                raise FstmetricsError("results of words and of characters cannot be added")
            if normalisation is None:
                normalisation, grammars, conditions = _rules_of(items)
            row_labels = row_labels or _row_labels_of(items)
        settings = (skipped, normalisation, grammars, alternations, conditions, references, row_labels)
        return cls(metric, _sum(items), items, *settings)

    def __add__(self, other: Result | CorpusResult) -> CorpusResult:
        if isinstance(other, Result):
            other = CorpusResult.of([other])
        if not isinstance(other, CorpusResult):
            return NotImplemented
        if other.metric != self.metric:
            raise FstmetricsError("results of different metrics cannot be added")
        if other.unit != self.unit:
            raise FstmetricsError("results of words and of characters cannot be added")
        same, grammars = same_rules(self, other)
        totals, items = self.totals + other.totals, (*self.items, *other.items)
        alternations = self.alternations if self.alternations == other.alternations else ""
        skipped = self.skipped + other.skipped
        conditions = conditions_of_both(self.conditions, other.conditions)
        against = added(self.references, other.references)
        rows = self.row_labels and other.row_labels and self.row_labels + other.row_labels
        settings = (skipped, same, grammars, alternations, conditions, against, rows)
        return CorpusResult(self.metric, totals, items, *settings)

    def __radd__(self, other: object) -> CorpusResult:
        if other == 0:  # so that sum() works
            return self
        return NotImplemented

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Result]: ...
    def __getitem__(self, index: int | slice) -> Result | Sequence[Result]:
        if isinstance(index, str):
            raise FstmetricsError(
                f"items are numbered, as result[0]; by id: dict(zip(result.ids, result))[{index!r:.80}]"
            )
        return self.items[index]

    def __str__(self) -> str:
        from fstmetrics.reports.alignment import corpus_title

        return corpus_title(self)

    def _repr_html_(self) -> str:
        from fstmetrics.reports.notebook import corpus_html

        return corpus_html(self)

    def __repr__(self) -> str:
        return f"CorpusResult({_in_short(self)}, {counted(len(self), 'item')})"

    def __iter__(self) -> Iterator[Result]:
        return iter(self.items)

    @property
    def signature(self) -> str:
        """All that the score depends on, in one line.

        >>> import fstmetrics as fm
        >>> fm.score(["the cat"], ["a cat"]).signature.split("|")[:3]
        ['fstmetrics', 'metric:wer', 'unit:word']
        """
        unit = self.unit
        conditions = path_conditions(self.conditions, self.alternations, self.grammars)
        return signature_of(self.metric, self.normalisation, conditions, unit=unit)

    @property
    def unit(self) -> Unit:
        """What was compared: words or characters."""
        if self.normalisation is not None:
            return self.normalisation.unit
        if isinstance(self.items, ResultRows):
            return self.items.unit
        return self.items[0].unit if self.items else "word"

    @property
    def name(self) -> str:
        """What the score is called: the metric's name, `cer` for the WER of characters."""
        return name_of(self.metric.name, self.unit)

    @property
    def mean_score(self) -> float:
        """Mean of the items' finite scores; nan where there is none."""
        scores, times, _ = self._finite_scores
        return math.fsum(chain.from_iterable(map(repeat, scores, times))) / sum(times) if times else math.nan

    @property
    def item_scores(self) -> Table:
        """The score of each item, shape [items]."""
        return np.array(self.each(lambda totals: score_of(self.metric, totals)), dtype=np.float64)

    def each(self, value: Callable[[Totals], Value]) -> list[Value]:
        """What follows from the totals of each item, in order."""
        if isinstance(self.items, ResultRows):
            return self.items.each(value)
        return [value(item.totals) for item in self.items]

    @property
    def ids(self) -> tuple[str | None, ...]:
        """The ids of the items, in order."""
        names = self.items.names() if isinstance(self.items, ResultRows) else _names(self.items)
        return tuple(names)

    @property
    def fields(self) -> Sequence[Fields]:
        """The fields of the items, in order."""
        return self.items.labels() if isinstance(self.items, ResultRows) else [i.fields for i in self.items]

    def by(
        self, field: str | Sequence[str], bins: Iterable[float] = (), samples: int = 1000, seed: int = 1
    ) -> Breakdown:
        """The items by the values of a field: a `CorpusResult` for each, and a table of them all.

        Args:
            field: its name; several, or `a+b`, for a table by all of them.
            bins: where a field of numbers is cut; an item on an edge belongs to the bin above it.
            samples: bootstrap resamples for the intervals of the table.
            seed: of the random numbers.

        Raises:
            FstmetricsError: no item has such a field, or with bins it is no number.

        >>> import fstmetrics as fm
        >>> rows = [{"speaker": "ann"}, {"speaker": "bob"}, {"speaker": "ann"}]
        >>> corpus = fm.score(["a", "b c", "d"], ["a", "b d", "d e"], fields=rows)
        >>> {speaker: found.score for speaker, found in corpus.by("speaker").items()}
        {'ann': 0.3333333333333333, 'bob': 0.5}
        """
        from fstmetrics.engine.breakdown import breakdown

        return breakdown(self, field, bins, samples, seed)

    def interval(
        self,
        samples: int = 10_000,
        seed: int = 1,
        confidence: float = 0.95,
        blocks: Sequence[object] | Mapping[str, object] | str | None = None,
    ) -> tuple[float, float]:
        """The bootstrap interval of the score: percentiles of scores of resampled items, as `compare` has them.

        Args:
            samples: resamples.
            seed: of the random numbers; the same seed gives the same interval everywhere.
            confidence: the part of the resamples that lies within.
            blocks: the speaker, session or document of each item, all items of which are drawn together, as by
                `compare --blocks`: labels in the order of the items, a dict by id, or the name of a field.

        Raises:
            FstmetricsError: fewer than two items or blocks, resamples with nothing to divide by, an item without a
                label, or a metric without statistics.

        >>> import fstmetrics as fm
        >>> corpus = fm.score(["the cat", "a dog", "so it is"], ["the cat", "the dog", "so is it"])
        >>> corpus.interval(samples=1000)
        (0.0, 0.6666666666666666)
        >>> corpus.interval(samples=1000, blocks=["ann", "bob", "bob"])
        (0.0, 0.6)
        """
        from fstmetrics.significance.compare_statistics import interval

        return interval(self, samples, seed, confidence, blocks)

    def as_dict(self) -> dict[str, Any]:
        """Scores and sums by the names that the summary of `--json` has for them, without the items.

        >>> import fstmetrics as fm
        >>> found = fm.score(["the cat", "a dog"], ["the cat", "the dog"]).as_dict()
        >>> found["metric"], found["items"], found["score"], found["edits"]
        ('wer', 2, 0.25, 1)
        """
        return {
            "metric": self.name,
            "items": len(self),
            "skipped": self.skipped,
            "score": finite(self.score),
            "mean_score": finite(self.mean_score),
            "infinite_scores": self.infinite,
            "items_with_errors": self.items_with_errors,
        } | {name: number for name, number in self.numbers().items() if name != "score"}

    def columns(self, texts: bool = False) -> dict[str, Any]:
        """The items as columns, by the names of a result's attributes: lists and arrays of numpy, shape [items].

        Args:
            texts: whether to give the chosen hypothesis and the closest reference, too, as strings.

        Raises:
            FstmetricsError: with `texts`, an item that was scored without alignments.

        >>> import fstmetrics as fm
        >>> found = fm.score({"u1": "the cat", "u2": "a dog"}, {"u1": "the cat", "u2": "the dog"}).columns(texts=True)
        >>> found["id"], found["score"].tolist(), found["substitutions"].tolist(), found["closest"]
        (['u1', 'u2'], [0.0, 0.5], [0, 1], ['the cat', 'the dog'])
        """
        table = self.items.table() if isinstance(self.items, ResultRows) else _table(self.items)
        units, matches, substitutions, insertions, deletions, moves = table.T
        found: dict[str, Any] = {
            "id": list(self.ids),
            "score": self.item_scores,
            "cost": units / self.metric.table.scale,
            "edits": substitutions + insertions + deletions,
            "matches": matches,
            "substitutions": substitutions,
            "insertions": insertions,
            "deletions": deletions,
            "moves": moves,
            "path_length": matches + substitutions + deletions,
            "hypothesis_length": matches + substitutions + insertions,
        }
        if not isinstance(self.items, ResultRows) and len({type(item) for item in self.items}) == 1:
            found |= self.items[0].further_columns(self.items)
        if texts:
            self.alignment_columns()  # refuses items without words
            space = "" if self.unit.startswith("char") else " "
            found["hypothesis"] = [space.join(item.hypothesis) for item in self.items]
            found["closest"] = [space.join(item.closest) for item in self.items]
        return found | columns_of(self.fields, found)

    def to_pandas(self, texts: bool = False) -> pandas.DataFrame:
        """A frame of pandas with a row an item; see `columns`. Its index is that of the columns that were scored.

        Raises:
            FstmetricsError: pandas is not installed, or as of `columns`.
        """
        from fstmetrics.support import tables

        return tables.as_frame(self.columns(texts), self.row_labels)

    def to_arrow(self, texts: bool = False) -> pyarrow.Table:
        """A table of Apache Arrow with a row an item; see `columns`.

        Raises:
            FstmetricsError: pyarrow is not installed, or as of `columns`.
        """
        from fstmetrics.support import tables

        return tables.as_arrow(self.columns(texts))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The items for libraries that know Arrow's C interface, as pyarrow, polars, pandas and DuckDB do.

        A row an item: `columns`, and `operations`, the letters of its alignment in a text. Nothing is installed for it,
        and counts and operations are not copied.

        Args:
            requested_schema: not heeded, as the interface allows.

        >>> import fstmetrics as fm
        >>> import pyarrow
        >>> table = pyarrow.table(fm.score({"u1": "the cat", "u2": "a dog"}, {"u1": "the cat", "u2": "the dog"}))
        >>> table["id"].to_pylist(), table["edits"].to_pylist(), table["operations"].to_pylist()
        (['u1', 'u2'], [0, 1], ['==', 'S='])
        """
        from fstmetrics.support import tables

        found = self.alignment_columns()
        joined = tables.Joined(found["begins"], found["letters"])
        return tables.arrow_stream({**self.columns(), "operations": joined}, len(self))

    def alignment_columns(self) -> dict[str, Any]:
        """The alignments of all items, one behind the other, as arrays of numpy.

        Returns:
            `begins`: where the operations of each item begin, and where the last ones end, shape [items + 1]. Of each
            operation: `letters`, as bytes (`AlignedPair.op`); `hypothesis`, where its word stands in the hypothesis as
            given, from 0 (for lattices, the arc); `closest`, where it stands in the closest path. -1: it has none.

        Raises:
            FstmetricsError: an item that was scored without alignments.

        >>> import fstmetrics as fm
        >>> found = fm.score(["the cat", "a"], ["the cat", "a dog"]).alignment_columns()
        >>> found["letters"].tobytes(), found["begins"].tolist(), found["hypothesis"].tolist()
        (b'===D', [0, 2, 4], [0, 1, 0, -1])
        """
        items = self.items
        if isinstance(items, ResultRows):
            found, table = items.operations(), items.table()
        else:
            found, table = _operations(items), _table(items)
        if (lacking := np.flatnonzero((np.diff(found[0]) == 0) & table[:, 1:5].any(axis=1))).size:
            raise FstmetricsError(f"item {lacking[0]} (from 0) has no alignment; score with alignments")
        return dict(zip(ALIGNMENT_COLUMNS, found, strict=True))

    @property
    def infinite(self) -> int:
        """Items whose score has a zero divisor, so that `mean_score` leaves them out."""
        return self._finite_scores[2]

    @cached_property
    def _finite_scores(self) -> tuple[list[float], list[int], int]:
        """Scores, and how many items of the same totals have each; how many have another one."""
        tally = self.tally()
        rows = [(totals.units, totals.denominator) for totals in tally]
        try:
            units, divisors = np.array(rows, dtype=np.int64).reshape(-1, 2).T
            found = self.metric.quotients(units, divisors)
        except OverflowError:  # costs of a metric of one's own
            found = None
        scores = found[0] if found else np.array([score_of(self.metric, totals) for totals in tally])
        finite, times = np.isfinite(scores), np.array([*tally.values()], dtype=np.int64)
        return scores[finite].tolist(), times[finite].tolist(), int(times[~finite].sum())

    @property
    def items_with_errors(self) -> int:
        """Items with at least one edit or move, as the sentence error rate counts them."""
        return sum([n for (_, _, *wrong, _), n in self.tally().items() if any(wrong)])  # S, I, D and moves

    def tally(self) -> Counter[Totals]:
        """How many items have the same totals."""
        if isinstance(self.items, ResultRows):
            return self.items.tally()
        return Counter(item.totals for item in self.items)


def _sum(items: Sequence[Result]) -> Totals:
    return items.sum() if isinstance(items, ResultRows) else sum((item.totals for item in items), Totals())


def _names(items: Sequence[Result]) -> list[str | None]:
    return [item.id for item in items]


def _table(items: Sequence[Result]) -> Integers:
    return np.array([item.totals[:6] for item in items], dtype=np.int64).reshape(-1, 6)


def _operations(items: Sequence[Result]) -> tuple[npt.NDArray[Any], ...]:
    begins, letters, hypothesis, closest = [0], bytearray(), [], []
    for item in items:
        taken = 0
        for pair in item.alignment:
            letters += pair.op.encode()
            hypothesis.append(-1 if pair.position is None else pair.position)
            closest.append(-1 if pair.reference is None else taken)
            taken += pair.reference is not None
        begins.append(len(letters))
    return (
        np.array(begins, dtype=np.int64),
        np.frombuffer(bytes(letters), dtype=np.uint8),
        np.array(hypothesis, dtype=np.int32),
        np.array(closest, dtype=np.int32),
    )


def called(result: Result | CorpusResult) -> str:
    """The name of a score, and whether it is an oracle's."""
    return f"{result.name} oracle" if ORACLE in getattr(result, "conditions", ()) else result.name


def _in_short(result: Result | CorpusResult) -> str:
    """Score and counts, for `repr`."""
    moves = f", {counted(result.moves, 'move')}" if result.metric.window > 1 else ""
    return (
        f"{called(result)} {result.score:.4f}, {counted(result.matches, 'hit')}, {result.substitutions} sub, "
        f"{result.insertions} ins, {result.deletions} del{moves}"
    )
