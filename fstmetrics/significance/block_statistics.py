"""Statistics of the items of systems, block by block, here or on other machines: `SystemStatistics`, of every system;
`BlockStatistics`, of a block. `system_remarks` has what they tell of errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics.engine.api import scored
from fstmetrics.engine.item_tables import Room, TableWriter
from fstmetrics.engine.results import CorpusResult
from fstmetrics.engine.search import SearchOptions, placed_at
from fstmetrics.engine.sides import Input, references_of
from fstmetrics.engine.statistics import (
    BATCH,
    Statistics,
    settled,
    text_part,
    texts_remark,
    tokenized_remark,
    weighted,
)
from fstmetrics.engine.unlike_sides import (
    FEWEST_ITEMS,
    MOST_INSERTIONS,
    MOST_ITEMS,
    OF_WORDS,
    SAMPLE,
    empty_remark,
    error_remarks,
    silent,
    unlike_remarks,
)
from fstmetrics.engine.word_classes import CLASSES, classes_of
from fstmetrics.metrics import CorpusMetric, Mean, Metric, TextMetric
from fstmetrics.metrics.compared_rates import ClassRate
from fstmetrics.metrics.hyter import HyTER
from fstmetrics.metrics.nist_meteor import NIST, WeightedNIST
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.scoring.pair_blocks import PairBlock
from fstmetrics.significance.comparison import Progress
from fstmetrics.text.normalisation import Normalisation

if TYPE_CHECKING:
    from fstmetrics.engine.aligned_paths import PathParts, Paths, WordRows
    from fstmetrics.engine.item_tables import ItemTable, Rows
    from fstmetrics.grammars.library import Grammars
    from fstmetrics.metrics.corpus_metric import Table

# Items of columns of texts that are worked on at once; of others there are as many as of metrics of strings.
COLUMN_BATCH = 1 << 13


class BlockFound(NamedTuple):
    """What was found of some items under one metric.

    Attributes:
        metric: that of the results, in whose units costs of rewriting are whole numbers.
        rows: their statistics, shape [items, columns].
        totals: the counts of best paths together.
        paths: alignments of best paths, where they were asked for.
        grammars: what widened the references, as signatures have it.
        as_given, tokenized_ends: of metrics of strings, as of `fstmetrics.engine.statistics.text_part`.
    """

    metric: CorpusMetric
    rows: Rows
    totals: Totals | None = None
    paths: Paths | None = None
    grammars: str = ""
    as_given: bool = False
    tokenized_ends: int = 0


@dataclass(frozen=True)
class BlockStatistics:
    """Finds the statistics of a block of items under some metrics; it can be pickled.

    Args:
        system: what errors call it.
        metrics: what is computed, and what is done to words for it.
        options, grammars: as of `compare`.
        paths: whether alignments of best paths are wanted.
        lists: of each item of the run, the words that are counted apart; only `ClassRate` asks for them.

    The references of a block are texts; behind them may be networks, for finite-state metrics.
    """

    system: str
    metrics: tuple[tuple[CorpusMetric, Normalisation], ...]
    options: SearchOptions
    grammars: Grammars = ()
    paths: bool = False
    lists: Sequence[frozenset[str]] = ()

    def __call__(self, pairs: PairBlock) -> list[BlockFound]:
        """What was found, metric by metric.

        Raises:
            FstmetricsError: an item that cannot be scored.
        """
        with placed_at(pairs.places, self.system):
            return [self._found(pairs, metric, normalisation) for metric, normalisation in self.metrics]

    def _found(self, pairs: PairBlock, metric: CorpusMetric, normalisation: Normalisation) -> BlockFound:
        place = 0 if isinstance(metric, TextMetric) else -1
        columns = pairs.references
        against = columns[place] if columns else [pair.references[place] for pair in pairs]
        if isinstance(metric, TextMetric):
            rows, as_given, ends = text_part(metric, pairs.hypotheses, against, normalisation)
            return BlockFound(metric, rows, as_given=as_given, tokenized_ends=ends)
        aligned = isinstance(metric, ClassRate)
        corpus = scored(
            pairs.hypotheses, against, metric.path if isinstance(metric, ClassRate) else metric,
            normalisation=normalisation, options=replace(self.options, alignment=self.paths or aligned),
            grammars=self.grammars,
        )  # fmt: skip
        assert isinstance(corpus, CorpusResult)
        if isinstance(metric, ClassRate):
            rows = class_rows(metric, corpus, [self.lists[place] for place in pairs.places])
            return BlockFound(metric, rows, grammars=corpus.grammars)
        found = Statistics.of(corpus, self.paths)
        return BlockFound(found.metric, found.values, corpus.totals, found.paths, found.grammars)


def class_rows(metric: ClassRate, corpus: CorpusResult, lists: Sequence[frozenset[str]]) -> Table:
    """Edits and reference words of a class, shape [items, 2]."""
    place = CLASSES.index(metric.title[0])
    totals = [classes_of(result, words)[place] for result, words in zip(corpus, lists, strict=True)]
    rows = [(each.edits, each.path_length) for each in totals]
    return np.array(rows, dtype=np.float64).reshape(len(rows), 2)


# Calls a function with the parts of a block, in order, wherever that may be; gives how many items each has, too.
Runner = Callable[[BlockStatistics, PairBlock], Iterator[tuple[int, list[BlockFound]]]]


def here(work: BlockStatistics, pairs: PairBlock) -> Iterator[tuple[int, list[BlockFound]]]:
    """The runner of this process."""
    size = COLUMN_BATCH if pairs.is_native else BATCH
    for begin in range(0, max(len(pairs), 1), size):
        part = pairs[begin : begin + size]
        yield len(part), work(part)


@dataclass(frozen=True)
class SystemStatistics:
    """What every system is measured by.

    Attributes:
        references: of each item.
        networks: for finite-state metrics, or None.
        metrics: what to find.
        normalisation, options, grammars: as of `compare`.
        paths: whether the words of best paths are wanted.
        run: what calls the function of blocks.
        room: the memory that statistics may take.
        lists: as of `compare`.
    """

    references: Sequence[Input]
    networks: Sequence[Input] | None
    metrics: Sequence[CorpusMetric]
    normalisation: Normalisation
    options: SearchOptions
    grammars: Grammars
    paths: bool = False
    run: Runner = here
    room: Room = field(default_factory=Room, repr=False, compare=False)
    lists: Sequence[frozenset[str]] = ()
    _weights: dict[NIST, WeightedNIST] = field(default_factory=dict, repr=False, compare=False)
    _words: dict[object, WordRows] = field(default_factory=dict, repr=False, compare=False)

    def of_systems(
        self, systems: Mapping[str, Sequence[Input]], progress: Progress
    ) -> dict[str, dict[str, Statistics]]:
        """The statistics of systems by metric; those that several metrics share are found once.

        They are found of the same items in turn, so that a tokenizer has their references at hand.

        Args:
            systems: their outputs, in the order of the references.
            progress: told what is done, how many items of all systems and metrics are, and how many there are.
        """
        every = {name: self.parts(name, outputs) for name, outputs in systems.items()}
        done, steps = 0, len(every) * len(self.metrics) * len(self.references or self.networks or ())
        runs = [self.run(parts.work, parts.pairs) for parts in every.values()]
        for blocks in zip_longest(*runs):
            for (name, parts), block in zip(every.items(), blocks, strict=True):
                if block is None:
                    continue
                items, found = block
                parts.add(found)
                for metric in self.metrics:
                    done += items
                    progress(f"{metric.name} of {name}", done, steps)
        return {name: parts.statistics() for name, parts in every.items()}

    def parts(self, system: str, outputs: Sequence[Input]) -> SystemParts:
        """Those of one system, to be found part by part: of all items, in their order."""
        scored_as = [self._scored_as(metric, outputs) for metric in self.metrics]
        sources = {_source(metric): metric for metric in reversed(scored_as)}
        sources = dict(reversed(sources.items()))
        changes = [
            settled(metric, outputs, self._against(metric), self.normalisation)
            if isinstance(metric, TextMetric)
            else metric.normalisation(self.normalisation)
            for metric in sources.values()
        ]
        metrics = tuple(zip(sources.values(), changes, strict=True))
        work = BlockStatistics(system, metrics, self.options, self.grammars, self.paths, self.lists)
        sides = [side for side in (self.references, self.networks) if side]
        conditions = [f"refs:{references_of(self._against(m), outputs)}" for m in sources.values()]
        return SystemParts(
            tuple(zip(self.metrics, scored_as, strict=True)),
            work,
            PairBlock(None, outputs, tuple(sides)),
            dict(zip(sources, conditions, strict=True)),
            [
                StatisticsParts(metric, self.room, texts_remark(metric, outputs, self.references, own))
                if isinstance(metric, TextMetric)
                else StatisticsParts(metric, self.room)
                for metric, own in metrics
            ],
            self._words,
        )

    def _scored_as(self, metric: CorpusMetric, outputs: Sequence[Input]) -> CorpusMetric:
        """What finds the statistics: of a mean the other metric, of NIST one with the weights of the references, which
        are the same for all systems."""
        inner = metric.metric if isinstance(metric, Mean) else metric
        if not isinstance(inner, NIST):
            return inner
        if inner not in self._weights:
            self._weights[inner] = weighted(inner, outputs, self.references, self.normalisation)
        return self._weights[inner]

    def _against(self, metric: CorpusMetric) -> Sequence[Input]:
        return self.networks if self.networks is not None and is_searched(metric) else self.references


@dataclass(frozen=True)
class SystemParts:
    """One system's statistics, found part by part.

    Attributes:
        metrics: what was asked for, and what finds the statistics of each.
        work: finds those of a block.
        pairs: all items.
    """

    metrics: Sequence[tuple[CorpusMetric, CorpusMetric]]
    work: BlockStatistics
    pairs: PairBlock
    _conditions: Mapping[object, str]
    _parts: Sequence[StatisticsParts]
    _words: dict[object, WordRows]

    def find(self, some: slice) -> None:
        """Find the statistics of the next items, and add them."""
        self.add(self.work(self.pairs[some]))

    def add(self, found: Sequence[BlockFound]) -> None:
        """Add what was found of the next block."""
        for part, more in zip(self._parts, found, strict=True):
            part.add(more)

    def statistics(self) -> dict[str, Statistics]:
        """Those of all items, by metric."""
        shared = {
            source: part.statistics(change, len(self.pairs), condition)
            for (source, condition), part, (_, change) in zip(
                self._conditions.items(), self._parts, self.work.metrics, strict=True
            )
        }
        for source, statistics in shared.items():
            if statistics.paths is not None:  # most systems are compared with the same words
                statistics.paths.share(self._words.setdefault(source, statistics.paths.references))
        found: dict[str, Statistics] = {}
        for metric, one in self.metrics:
            own = shared[_source(one)]
            own = own if isinstance(one, Metric) else replace(own, metric=one)
            own = own.mean(metric) if isinstance(metric, Mean) else own
            found[own.name] = own
        return found


def _source(metric: CorpusMetric) -> object:
    """Equal for metrics that share their statistics."""
    return metric.source if isinstance(metric, TextMetric) else metric


class StatisticsParts:
    """Puts the statistics of blocks together, under one metric."""

    def __init__(self, metric: CorpusMetric, room: Room | None = None, remark: str = "") -> None:
        self.metric, self._remark = metric, remark
        self._rows = TableWriter(len(metric.columns), room)
        self._totals = Totals() if isinstance(metric, Metric) else None
        self._paths: PathParts | None = None
        self._grammars, self._as_given, self._ends = "", True, 0

    def add(self, part: BlockFound) -> None:
        """Add a block."""
        self.metric = part.metric
        self._rows.add(part.rows)
        if self._totals is not None and part.totals is not None:
            self._totals += part.totals
        if part.paths is not None:
            self._add_paths(part.paths)
        self._grammars, self._ends = part.grammars, self._ends + part.tokenized_ends
        self._as_given = self._as_given and part.as_given

    def _add_paths(self, paths: Paths) -> None:
        if self._paths is None:
            from fstmetrics.engine.aligned_paths import PathParts  # few tests look at words

            self._paths = PathParts()
        self._paths.add(paths)

    def statistics(self, normalisation: Normalisation, items: int, references: str) -> Statistics:
        """Those of all items."""
        is_text = isinstance(self.metric, TextMetric)
        return Statistics(
            self.metric,
            self._rows.table(),
            None,
            normalisation,
            remark=self._remark
            or (tokenized_remark(str(normalisation.tokenize), self._ends, items) if is_text else ""),
            conditions=(references,),
            totals=self._totals,
            paths=None if self._paths is None else self._paths.whole(),
            grammars=self._grammars,
            as_given=self._as_given,
        )


def system_remarks(
    systems: Mapping[str, Sequence[Any]],
    references: Sequence[Any],
    networks: Sequence[Any] | None,
    statistics: Mapping[str, Mapping[str, Statistics]],
    items: int,
    grammars: Grammars,
) -> Iterator[str]:
    """What is said of systems of which many texts are empty, and of the errors of each, once.

    Args:
        systems: their outputs; none of shards, of which only sums are known.
        references, networks, grammars: as of `compare`.
        statistics: by system and metric; nothing is said of errors of the mean of several runs.
        items: how many there are.
    """
    for name, texts in systems.items():
        if remark := empty_remark(silent(texts, references), len(texts)):
            yield f"{name}: {remark}"
    for name, found in statistics.items():
        texts, against = systems.get(name, ()), networks or references
        said = (_error_remarks(texts, against, each, items, grammars) for each in found.values())
        yield from (f"{name}: {remark}" for remark in next(filter(None, said), ()))


def _error_remarks(
    texts: Sequence[Any], against: Sequence[Any], found: Statistics, items: int, grammars: Grammars
) -> list[str]:
    """What is said of the errors of a system under a metric that counts them."""
    totals, normalisation, metric = found.totals, found.normalisation, found.metric
    if normalisation is None or (totals and totals.edits < FEWEST_ITEMS):
        return []
    sides = zip(texts, () if grammars else against, strict=False)
    pairs = [*islice(sides, SAMPLE)]
    if totals is None:
        return unlike_remarks(pairs, items, metric, normalisation)
    tally: Mapping[Totals, int] = {}
    is_rate = metric.name in OF_WORDS and not metric.recognition
    if texts and is_rate and isinstance(metric, Metric) and (worst := _worst(texts, found.table, metric)):
        again = [texts[place] for place in worst], [against[place] for place in worst]
        corpus = scored(*again, metric, normalisation=normalisation, grammars=grammars)
        assert isinstance(corpus, CorpusResult)
        tally = corpus.tally()
    return error_remarks(pairs, totals, items, tally, metric, normalisation)


def _worst(texts: Sequence[Any], table: ItemTable, metric: Metric) -> list[int]:
    """The items of which a few may have most errors, as `error_remarks` tells; none where too many have as many.

    These are those with many errors, or, where too many are, with many words more than their references.
    """
    errors, lengths = np.concatenate([*table.parts()]).T
    worst: list[int] = np.flatnonzero(errors >= metric.table.scale * MOST_INSERTIONS).tolist()
    if len(worst) * MOST_ITEMS > len(texts):
        words = [len(texts[place].split()) if isinstance(texts[place], str) else 0 for place in worst]
        pairs = zip(worst, words, lengths[worst].tolist(), strict=True)
        worst = [place for place, own, length in pairs if own - length >= MOST_INSERTIONS]
    return worst if len(worst) * MOST_ITEMS <= len(texts) else []


def is_hyter(metric: CorpusMetric) -> bool:
    """Whether a metric is HyTER or the mean of its item scores."""
    return isinstance(metric.underlying, HyTER)


def is_searched(metric: CorpusMetric) -> bool:
    """Whether the engine finds a metric's best paths."""
    return isinstance(metric.underlying, Metric)
