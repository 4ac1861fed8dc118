"""Statistics of the items of one system, block by block, here or on other machines: `BlockStatistics`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics.engine.api import scored
from fstmetrics.engine.biasing import CLASSES, classes_of
from fstmetrics.engine.results import CorpusResult
from fstmetrics.engine.search import SearchOptions, placed_at
from fstmetrics.engine.statistics import BATCH, Statistics, text_part
from fstmetrics.metrics import CorpusMetric, TextMetric
from fstmetrics.metrics.base import Totals
from fstmetrics.metrics.class_rate import ClassRate
from fstmetrics.scoring.pair_blocks import PairBlock
from fstmetrics.text.normalisation import Normalisation

if TYPE_CHECKING:
    from fstmetrics.engine.aligned_paths import Paths
    from fstmetrics.engine.item_tables import Rows
    from fstmetrics.grammars.library import Grammars
    from fstmetrics.metrics.corpus import Table

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
