"""Systems against a baseline, from their statistics: `compare_statistics`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.data.fields import TOGETHER, names_of
from fstmetrics.data.groupings import Grouping, Key, refuse_unknown
from fstmetrics.engine.item_tables import ItemTable, TableWriter
from fstmetrics.engine.resampling import (
    FEWEST_RESAMPLED,
    Resampling,
    bootstrap_sums,
    chosen_sums,
    interval_of,
    poisson_sums,
)
from fstmetrics.engine.results import CorpusResult
from fstmetrics.engine.statistics import Statistics
from fstmetrics.metrics import METRICS, CorpusMetric, Metric
from fstmetrics.metrics.compared_rates import MeanOfRuns
from fstmetrics.metrics.corpus_metric import ItemMean
from fstmetrics.metrics.given_scores import GivenScores
from fstmetrics.metrics.sclite import Sclite
from fstmetrics.metrics.wer import WER
from fstmetrics.significance.comparison import (
    Blocks,
    ByValue,
    Comparison,
    Design,
    Progress,
    SystemScore,
    TestResult,
    checked_labels,
)
from fstmetrics.significance.p_values import CORRECTIONS, SAME, TESTS, Test
from fstmetrics.significance.sc_stats import (
    Verdict,
    matched_pairs,
    segment_verdict,
    sentence_verdict,
    sign_verdict,
    wilcoxon_verdict,
)
from fstmetrics.support.arguments import items_of, refuse_other_labels
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import counted

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.engine.aligned_paths import Paths
    from fstmetrics.engine.program_alignments import Errors
    from fstmetrics.metrics.corpus_metric import Table


def compare_statistics(
    systems: Mapping[str, Mapping[str, Statistics]],
    design: Design,
    progress: Progress = lambda what, done, of: None,
    sums: Mapping[tuple[str, str], Table] | None = None,
    items: int | None = None,
    others: Sequence[Design] = (),
) -> Comparison:
    """Compare systems whose statistics are known.

    Args:
        systems: statistics by system and metric, the baseline first, all with the same metrics and items.
        design: what to test.
        progress: told what is being done, and how far it is.
        sums: of statistics on each resample by system and metric, where they are known: resamples are not drawn then.
            Of each system one row is enough, the sum of all items.
        items: how many they are, where `sums` are given.
        others: further tests, as of `with_others`.

    Items that have no score of any system under a metric (`scored_places`) are left out for this metric.

    Raises:
        FstmetricsError: different numbers of items, or a test by resamples of which some have nothing to divide by.
    """
    first = next(iter(systems.values()))
    lengths = {name: _items(found) for name, found in systems.items()}
    if len(set(lengths.values())) > 1:
        raise FstmetricsError(
            f"numbers of items differ: {', '.join(f'{n} in {s}' for s, n in lengths.items())}"
        )
    metrics = {name: statistics.metric for name, statistics in first.items()}
    _refuse_other_runs(systems)
    places = {name: scored_places([found[name] for found in systems.values()]) for name in metrics}
    tested = {
        name: metric
        for name, metric in metrics.items()
        if metric.columns and ((known := places[name]) is None or len(known) > 1)
    }
    if design.blocks and len(design.blocks.labels) != next(iter(lengths.values())):
        raise FstmetricsError(
            f"{len(design.blocks.labels)} labels of {design.blocks.name}s, but {next(iter(lengths.values()))} items"
        )
    for metric in tested.values():
        refuse_unfit(design.compares, metric)
    tables = _Tables(systems, tested, design.blocks, places)
    resampled = _bootstrapped(tables, design, progress) if sums is None else _all_scored(tables, sums)
    scores = {
        system: {name: _score(found[name], resampled.get((system, name)), design) for name in metrics}
        for system, found in systems.items()
    }
    tests = _tests(tables, resampled, scores, design, progress, items)
    baseline = next(iter(systems))
    normalisations = {name: statistics.normalisation for name, statistics in first.items()}
    items = next(iter(lengths.values())) if items is None else items
    shows_counts = design.compares != "items"
    conditions = {name: statistics.conditions for name, statistics in first.items()}
    if items == 1:
        scores, tests = _without_intervals(scores, tests)
    found = Comparison(
        scores,
        tuple(_corrected(tests, [design.pairs == "all" or test.baseline == baseline for test in tests])),
        metrics,
        design,
        items,
        normalisations,
        systems,
        conditions=conditions,
        shows_counts=shows_counts,
        by={grouping.name: _by(systems, design, grouping, progress) for grouping in design.by},
    )
    return with_others(found, others) if others else found


def with_others(comparison: Comparison, designs: Iterable[Design]) -> Comparison:
    """A comparison, and that of each value of its fields, with the same by the tests of other designs."""
    others = tuple(compare_statistics(comparison.statistics, design) for design in designs)
    by = {
        field: groups.changed(partial(_with_same, [each.by[field] for each in others]))
        for field, groups in comparison.by.items()
    }
    return replace(comparison, others=others, by=by)


def _with_same(others: Sequence[ByValue], key: Key, group: Comparison) -> Comparison:
    """The comparison of a value, with those that others have of it."""
    return replace(group, others=tuple(each[key] for each in others))


def _without_intervals(
    scores: Mapping[str, Mapping[str, SystemScore]], tests: Sequence[TestResult]
) -> tuple[dict[str, dict[str, SystemScore]], list[TestResult]]:
    """The same without intervals: resamples of a single item are all that item, which would look certain."""
    alone = {
        system: {name: replace(score, low=None, high=None, s_sel=None) for name, score in found.items()}
        for system, found in scores.items()
    }
    return alone, [replace(test, low=None, high=None) for test in tests]


# Labels in the order of the items, or by their ids; or the name of a field that has them.
GivenBlocks = Sequence[object] | Mapping[str, object] | str | None


def interval(
    scored: CorpusResult | Statistics, samples: int, seed: int, confidence: float, blocks: GivenBlocks = None
) -> tuple[float, float]:
    """The bootstrap interval of a score.

    Args:
        scored: whose score it is.
        samples, seed: of the resamples.
        confidence: the part of them that lies within.
        blocks: which items are drawn together; None: each by itself.

    Raises:
        FstmetricsError: as of `CorpusResult.interval`.
    """
    statistics = Statistics.of(scored) if isinstance(scored, CorpusResult) else scored
    name = statistics.name
    if not statistics.metric.columns:
        raise FstmetricsError(f"{name} has no statistics of items, so that there is nothing to resample")
    if len(statistics) < 2:
        raise FstmetricsError("an interval is of two items or more, which are resampled; here is one")
    # A test that looks at no resamples: those without a score are told of below.
    drawn_together = None if blocks is None else _given_blocks(statistics, blocks)
    design = Design("randomization", Resampling(samples, seed), confidence=confidence, blocks=drawn_together)
    found = compare_statistics({name: {name: statistics}}, design).systems[name][name]
    if found.low is None or found.high is None:
        drawn = drawn_without(statistics.metric, design)
        raise FstmetricsError(
            f"{name} has no interval: {found.undefined} of {samples} resamples drew only {drawn}"
        )
    return found.low, found.high


def _given_blocks(statistics: Statistics, blocks: GivenBlocks) -> Blocks:
    """Which items belong together.

    Raises:
        FstmetricsError: no field or ids of that name, an item without a label, or fewer than two blocks.
    """
    if isinstance(blocks, str):
        fields = statistics.labels()
        known = {name for each in fields for name in each}
        refuse_unknown(Grouping((blocks,)), known)
        return Blocks(blocks, checked_labels([each.get(blocks) for each in fields]))
    if not isinstance(blocks, Mapping):
        refuse_other_labels({"hypotheses": statistics.row_labels, "blocks": blocks})
        return Blocks("block", checked_labels(items_of(blocks, "blocks")))
    if statistics.ids is None or None in statistics.ids:
        raise FstmetricsError(
            "blocks are given by id, and the items have no ids: give a list, a label an item"
        )
    return Blocks("block", checked_labels([blocks.get(str(id)) for id in statistics.ids]))


def _items(found: Mapping[str, Statistics]) -> int:
    """The number of items of a system; metrics of whole systems only have none.

    Raises:
        FstmetricsError: different numbers under different metrics.
    """
    numbers = {name: len(statistics) for name, statistics in found.items() if statistics.metric.columns}
    if len(set(numbers.values())) > 1:
        raise FstmetricsError(
            f"numbers of items differ: {', '.join(f'{items} of {name}' for name, items in numbers.items())}"
        )
    return next(iter(numbers.values()), 0)


def scored_places(systems: Sequence[Statistics]) -> npt.NDArray[np.int64] | None:
    """The places of the items that count under a metric: those with a score of any system; None where all have one.

    Scores of other programs may be missing, for all systems alike, and the mean of item scores leaves infinite ones
    out.

    Args:
        systems: the statistics of each under the metric.
    """
    if not isinstance(systems[0].metric, GivenScores | ItemMean) or not systems[0].metric.columns:
        return None
    there = np.logical_or.reduce([above_zero(found.table, 1) for found in systems])
    return None if there.all() else np.flatnonzero(there)


def unscored_remarks(name: str, systems: Mapping[str, Statistics]) -> Iterator[str]:
    """How many items have no score under a metric of this name, of any system, or of some; none where all have one."""
    first = next(iter(systems.values()))
    if not isinstance(first.metric, GivenScores | ItemMean) or not first.metric.columns:
        return
    places = scored_places([*systems.values()])
    scored = len(first) if places is None else len(places)
    if left_out := len(first) - scored:
        yield (
            f"{name}: {left_out} of {counted(len(first), 'item')} without a score of any system, and left out, of "
            "resamples too"
        )
    for system, found in systems.items():
        if lacking := scored - int(above_zero(found.table, 1).sum()):
            yield (
                f"{name}: {counted(lacking, 'item')} without a finite score of {system}, as of an empty reference "
                "with a hypothesis: its mean is without them, and so of other items than that of others"
            )


def block_table(table: ItemTable, places: npt.NDArray[np.int64] | None, blocks: Blocks | None) -> ItemTable:
    """What is resampled of a table: the rows at some places, or of all, or their sums by block.

    Raises:
        FstmetricsError: the items are of one block.
    """
    if places is not None:
        table, blocks = table.taken(places), blocks and blocks.at(places)
    return blocks.sums(table) if blocks else table


def above_zero(table: ItemTable, column: int) -> npt.NDArray[np.bool_]:
    """Whether a column has more than 0 in each row."""
    parts = [part[:, column] > 0 for part in table.parts()]
    return np.concatenate([np.zeros(0, dtype=np.bool_), *parts])


def _refuse_other_runs(systems: Mapping[str, Mapping[str, Statistics]]) -> None:
    """Raise an FstmetricsError for systems of different numbers of runs."""
    runs = {}
    for system, found in systems.items():
        metrics = [statistics.metric for statistics in found.values()]
        runs[system] = max([1, *[metric.runs for metric in metrics if isinstance(metric, MeanOfRuns)]])
    if len(set(runs.values())) > 1:
        numbers = ", ".join(f"{number} of {system}" for system, number in runs.items())
        raise FstmetricsError(f"numbers of runs differ: {numbers}; all systems need the same number")


def _by(
    systems: Mapping[str, Mapping[str, Statistics]], design: Design, grouping: Grouping, progress: Progress
) -> ByValue:
    """The comparison of the items with each value of a field.

    Raises:
        FstmetricsError: no item has the field.
    """
    labels = next(iter(next(iter(systems.values())).values())).labels()
    refuse_unknown(grouping, names_of(labels))
    numbers: dict[Key, int] = {}
    columns = [np.zeros(0, dtype=np.int32)]
    for begin in range(0, len(labels), TOGETHER):
        part = labels[begin : begin + TOGETHER]
        codes, keys = grouping.coded(part, [str(begin + place) for place in range(len(part))])
        known = [numbers.setdefault(key, len(numbers)) for key in keys]
        columns.append(np.array(known, dtype=np.int32)[codes])
    of_items = np.concatenate(columns)
    # The items of each group, one group after the other.
    order = np.argsort(of_items, kind="stable")
    places = np.split(order, np.cumsum(np.bincount(of_items, minlength=len(numbers)))[:-1])
    found: dict[Key, Comparison] = {}
    for number, key in enumerate(grouping.ordered(numbers)):
        progress(f"comparing by {grouping.name}", number, len(numbers))
        found[key] = compare_items(systems, design, places[numbers[key]])
    return ByValue(grouping, _corrected_by(found))


def compare_items(
    systems: Mapping[str, Mapping[str, Statistics]], design: Design, places: npt.NDArray[np.int64]
) -> Comparison:
    """The comparison of some of the items; of the scores only where there is nothing to resample."""
    tables: dict[int, ItemTable] = {}

    def part(statistics: Statistics) -> Statistics:
        """Tables that metrics share stay shared."""
        key = id(statistics.rows)
        if key not in tables:
            tables[key] = statistics.table.taken(places)
        paths = None if statistics.paths is None else statistics.paths.taken(places)
        return replace(
            statistics, rows=tables[key], ids=None, fields=None, totals=None, paths=paths, references=None
        )

    some = {
        system: {name: part(statistics) for name, statistics in found.items() if statistics.metric.columns}
        for system, found in systems.items()
    }
    blocks = _blocks(design, places)
    testable = len(places) > 1 and (blocks is not None or design.compares != "blocks")
    alone = replace(design, by=(), blocks=blocks if testable else design.blocks)
    if testable:
        try:
            return compare_statistics(some, alone)
        except FstmetricsError:  # nothing to divide by in a resample, as of items with empty references
            pass
    scores = {
        system: {name: _score(statistics, None, alone) for name, statistics in found.items()}
        for system, found in some.items()
    }
    metrics = {name: statistics.metric for name, statistics in next(iter(some.values())).items()}
    return Comparison(scores, (), metrics, alone, len(places), statistics=some)


def _blocks(design: Design, places: Iterable[int]) -> Blocks | None:
    """The blocks of some of the items; None of a single one, whose items are resampled then."""
    if design.blocks is None:
        return None
    labels = tuple(design.blocks.labels[place] for place in places)
    return Blocks(design.blocks.name, labels) if len(set(labels)) > 1 else None


# A system and a metric.
Cell = tuple[str, str]


@dataclass(frozen=True)
class _Tables:
    """Statistics of systems under the metrics that can be tested, of items or of blocks.

    Attributes:
        systems, metrics, blocks: as of a comparison.
        places: of the items that count, by metric; None where all do.
    """

    systems: Mapping[str, Mapping[str, Statistics]]
    metrics: dict[str, CorpusMetric]
    blocks: Blocks | None
    places: Mapping[str, npt.NDArray[np.int64] | None]

    @cached_property
    def of(self) -> dict[Cell, ItemTable]:
        """Rows that are resampled, by system and metric: a row an item or a block. Metrics may share them."""
        found = {cell: self.systems[cell[0]][cell[1]] for cell in product(self.systems, self.metrics)}
        summed = {}
        for (_, name), each in found.items():
            try:
                summed[id(each.rows)] = block_table(each.table, self.places[name], self.blocks)
            except FstmetricsError as error:
                raise FstmetricsError(f"{name}: of the items with a score, {error}") from None
        return {cell: summed[id(each.rows)] for cell, each in found.items()}

    @cached_property
    def owner(self) -> dict[str, str]:
        """By metric the first one that has the same statistics, in every system: they are resampled once."""
        firsts: dict[tuple[int, ...], str] = {}
        return {
            name: firsts.setdefault(tuple([id(self.of[system, name]) for system in self.systems]), name)
            for name in self.metrics
        }

    def exchanged(self, system: str, metric: str) -> ItemTable:
        """Rows that are exchanged between two systems: of several runs, one an item and run."""
        rows, kind = self.of[system, metric], self.metrics[metric]
        if not isinstance(kind, MeanOfRuns):
            return rows
        if id(rows) not in self._pooled:
            self._pooled[id(rows)] = _pooled(kind, rows)
        return self._pooled[id(rows)]

    @cached_property
    def _pooled(self) -> dict[int, ItemTable]:
        """By the tables of rows, which live as long."""
        return {}

    @cached_property
    def paths(self) -> dict[tuple[str, str], tuple[Paths, Errors]]:
        """Alignments of best paths by system and metric, and where they have errors."""
        found = {}
        for system, name in product(self.systems, self.metrics):
            chosen = self.systems[system][name].paths
            if chosen is None:
                raise FstmetricsError(
                    "the test mapsswe looks at words, which these statistics are without: Statistics.of(corpus, "
                    "paths=True) keeps them"
                )
            found[system, name] = chosen, chosen.errors
        return found


@dataclass(frozen=True)
class _Resampled:
    """Scores on resamples of the items.

    Attributes:
        scores: shape [samples]; nan or infinite where there is nothing to divide by.
        deviation: the mean of the runs' standard deviations where there are several.
    """

    scores: Table
    deviation: float | None = None

    @property
    def undefined(self) -> int:
        """How many scores there are not."""
        return int(np.count_nonzero(~np.isfinite(self.scores)))


def _pooled(kind: MeanOfRuns, table: ItemTable) -> ItemTable:
    """A row a run and item, run by run, as `MeanOfRuns.pooled` of an array."""
    writer = TableWriter(len(kind.metric.columns), table.room)
    for run in range(kind.runs):
        for part in table.parts():
            writer.add(kind.by_run(part)[:, run])
    return writer.table()


Resampled = dict[Cell, _Resampled]


def _bootstrapped(tables: _Tables, design: Design, progress: Progress) -> Resampled:
    """By system and metric."""
    drawn = {cell: tables.of[cell] for cell in product(tables.systems, dict.fromkeys(tables.owner.values()))}
    resampled = poisson_sums if TESTS[design.test].draws == "poisson" else bootstrap_sums
    sums = _drawn_together(drawn, resampled, design.resampling, "resampling", progress)
    names = product(tables.systems, tables.metrics)
    return _all_scored(tables, {(system, name): sums[system, tables.owner[name]] for system, name in names})


def _drawn_together(
    tables: Mapping[Cell, ItemTable],
    resample: Callable[[list[ItemTable], Resampling, Callable[[int], None]], list[Table]],
    resampling: Resampling,
    what: str,
    progress: Progress,
) -> dict[Cell, Table]:
    """Sums over resamples, of all tables of as many rows at once: their resamples are the same."""
    done = 0

    def counted(more: int) -> None:
        nonlocal done
        done += more
        progress(what, done, resampling.samples)

    found: dict[Cell, Table] = {}
    for rows in dict.fromkeys(map(len, tables.values())):
        some = {cell: table for cell, table in tables.items() if len(table) == rows}
        found |= dict(zip(some, resample(list(some.values()), resampling, counted), strict=True))
    return found


def _all_scored(tables: _Tables, sums: Mapping[tuple[str, str], Table]) -> Resampled:
    """The scores of sums."""
    return {
        (system, name): _scored(metric, sums[system, name])
        for system in tables.systems
        for name, metric in tables.metrics.items()
    }


def _defined(metric: CorpusMetric, scores: Table, sums: Table) -> Table:
    """The scores; nan where nothing was counted, as of a resample of nothing but silence, which is 0 errors of 0 words.

    Metrics from elsewhere may have statistics that are all zero of a perfect output.

    Args:
        metric: whose they are.
        scores: shape [...].
        sums: shape [..., columns].
    """
    inner = metric.underlying
    if inner.name not in METRICS.shipped or not isinstance(inner, METRICS[inner.name]):
        return scores
    return np.where(sums.any(axis=-1), scores, np.nan)


def _scored(metric: CorpusMetric, sums: Table) -> _Resampled:
    if not isinstance(metric, MeanOfRuns):
        return _Resampled(_defined(metric, metric.corpus_score(sums), sums))
    of_runs = _defined(metric, metric.scores_of_runs(sums), metric.by_run(sums))
    defined = np.isfinite(of_runs).all()
    deviations = of_runs.std(axis=0, ddof=1) if len(of_runs) > 1 and defined else None
    return _Resampled(of_runs.mean(axis=1), None if deviations is None else float(deviations.mean()))


@dataclass(frozen=True)
class _Null:
    """The difference that a test looks at, what it is by chance, and whether so many items or blocks can tell."""

    delta: float
    drawn: Table
    has_p: bool = True


def _chosen(tables: _Tables, design: Design, progress: Progress) -> dict[tuple[str, str], Table]:
    """Sums of the items that are exchanged, by system and metric."""
    cells = product(tables.systems, dict.fromkeys(tables.owner.values()))
    exchanged = {cell: tables.exchanged(*cell) for cell in cells}
    return _drawn_together(exchanged, chosen_sums, design.resampling, "exchanging", progress)


def _exchanged(
    tables: _Tables, chosen: Mapping[tuple[str, str], Table], baseline: str, system: str, name: str
) -> _Null:
    """Differences of scores, system minus baseline, after exchanges.

    Of several runs, an item is exchanged with the item of the same run, and the score is that of all runs pooled, as in
    MultEval's stratified approximate randomization.
    """
    whole, owner = tables.metrics[name], tables.owner[name]
    metric = whole.metric if isinstance(whole, MeanOfRuns) else whole
    one, two = (tables.exchanged(each, name).sums for each in (baseline, system))
    gained = chosen[system, owner] - chosen[baseline, owner]
    with np.errstate(invalid="ignore"):
        drawn = metric.corpus_score(two - gained) - metric.corpus_score(one + gained)
    delta = float(metric.corpus_score(two)) - float(metric.corpus_score(one))
    return _Null(delta, drawn)


def _refuse_undefined(
    metric: CorpusMetric, system: str, design: Design, resampled: _Resampled, sums_only: bool
) -> None:
    """Raise an FstmetricsError: a test looks at resamples, and some have no score under any metric."""
    without = " without --shard" if sums_only else ""
    raise FstmetricsError(
        f"{metric.name} of {system} cannot be tested by {design.test}: there are resamples with nothing to divide by "
        f"({resampled.undefined} of {len(resampled.scores)} drew only {drawn_without(metric, design)}); "
        f"--test randomization{without} (test='randomization' in Python) draws none"
    )


def drawn_without(metric: CorpusMetric, design: Design) -> str:
    """What a resample is made of that has no score."""
    return f"{design.blocks.name if design.blocks else 'item'}s {_nothing_to_divide_by(metric)}"


def _nothing_to_divide_by(metric: CorpusMetric) -> str:
    """What items are like whose sums have no score."""
    if isinstance(metric.underlying, Metric):
        return "without a word in the references"
    if isinstance(metric.underlying, GivenScores) or isinstance(metric, ItemMean):
        return "without a finite score"
    return "for which the metric has nothing to divide by"


def _score(statistics: Statistics, resampled: _Resampled | None, design: Design) -> SystemScore:
    """With the interval of the resampled scores."""
    low, high = (resampled and interval_of(resampled.scores, design.confidence)) or (None, None)
    undefined = 0 if resampled is None else resampled.undefined
    found = SystemScore(
        statistics.score, low, high, statistics.totals if resampled else None, undefined=undefined
    )
    metric = statistics.metric
    if not isinstance(metric, MeanOfRuns):
        return found
    runs = metric.scores_of_runs(statistics.sums)
    deviation = None if resampled is None else resampled.deviation
    return replace(found, runs=tuple(runs.tolist()), s_sel=deviation, s_opt=float(runs.std(ddof=1)))


def _with_scores(tables: _Tables, scores: Mapping[str, Mapping[str, SystemScore]], design: Design) -> _Tables:
    """The tables without the metrics under which all items of a system together have no score that a test looks at.

    Raises:
        FstmetricsError: no metric is left.
    """
    by_resamples = TESTS[design.test].draws not in ("", "exchange")
    without: dict[str, str] = {}
    for (system, name), table in tables.of.items():
        is_none = by_resamples and _scored(tables.metrics[name], table.sums[None]).undefined
        if is_none or math.isnan(scores[system][name].score):
            without.setdefault(name, system)
    if not without:
        return tables
    if len(without) == len(tables.metrics):
        name, system = next(iter(without.items()))
        raise FstmetricsError(
            f"{name} of {system} has no score that a test could compare: there are only "
            f"{drawn_without(tables.metrics[name], design)}; give other metrics"
        )
    return replace(tables, metrics={n: metric for n, metric in tables.metrics.items() if n not in without})


def _tests(
    tables: _Tables,
    resampled: Resampled,
    scores: dict[str, dict[str, SystemScore]],
    design: Design,
    progress: Progress,
    items: int | None,
) -> list[TestResult]:
    """The tests; `items` where there are only sums of them.

    Raises:
        FstmetricsError: no metric can be tested.
    """
    test = TESTS[design.test]
    if design.compares == "items" and [found for found in resampled.values() if found.undefined]:
        tables = _with_scores(tables, scores, design)
    if test.draws not in ("", "exchange"):
        cells = product(tables.systems, tables.metrics)
        lacking = [(system, name) for system, name in cells if resampled[system, name].undefined]
        if lacking and len({name for _, name in lacking}) == len(tables.metrics):
            system, name = lacking[0]
            found_of = resampled[system, name]
            _refuse_undefined(tables.metrics[name], system, design, found_of, items is not None)
    # Baselines and systems that are tested, one way.
    first, *others = tables.systems
    pairs = list(combinations(tables.systems, 2) if design.pairs == "all" else product([first], others))
    chosen = _chosen(tables, design, progress) if pairs and test.draws == "exchange" else {}
    found: dict[tuple[str, str, str], TestResult] = {}
    for (baseline, other), name in product(pairs, tables.metrics):
        before, after = scores[baseline][name].score, scores[other][name].score
        with np.errstate(invalid="ignore"):  # resamples without a score
            drawn = resampled[other, name].scores - resampled[baseline, name].scores
        low, high = interval_of(drawn, design.confidence) or (None, None)
        null = None
        if test.draws == "exchange":
            null = _exchanged(tables, chosen, baseline, other, name)
        elif test.draws:
            rows = len(tables.of[other, name]) if items is None else items
            null = _Null(after - before, drawn, rows >= FEWEST_RESAMPLED)
        result = _result(tables, design, baseline, other, name, (before, after), null)
        found[baseline, other, name] = replace(result, low=low, high=high)
        if design.both_ways:
            back = null and replace(null, delta=-null.delta, drawn=-null.drawn)
            result = _result(tables, design, other, baseline, name, (after, before), back)
            ends = (None, None) if low is None or high is None else (-high, -low)
            found[other, baseline, name] = replace(result, low=ends[0], high=ends[1])
    order = pairs + ([(other, one) for one, other in pairs] if design.both_ways else [])
    return [found[one, two, name] for one, two in order for name in tables.metrics]


def _result(
    tables: _Tables,
    design: Design,
    one: str,
    two: str,
    name: str,
    scores: tuple[float, float],
    null: _Null | None,
) -> TestResult:
    """The test of a system against a baseline under one metric, whose `scores` are the baseline's and the system's."""
    test, metric = TESTS[design.test], tables.metrics[name]
    before, after = scores
    delta = after - before
    # A part of a score that is standardised is a part of nothing.
    is_ratio = not (isinstance(metric, GivenScores) and metric.standardised)
    relative = delta / abs(before) if is_ratio and before and math.isfinite(delta / before) else None
    names = {1: two, -1: one}
    if design.compares != "items" and (verdict := _verdict(tables, design, one, two, name)):
        return TestResult(
            one, two, name, test.name, delta, verdict.p, {}, verdict.signs, verdict.statistic, verdict.details,
            names.get(verdict.side), relative=relative,
        )  # fmt: skip
    signs = test.signs(metric, tables.of[one, name], tables.of[two, name]) if test.signs else None
    if signs:
        p, side = signs.p, signs.side
    else:
        assert null is not None
        p, side = _drawn_p(test, metric, null, design, len(tables.metrics) == 1)
    return TestResult(
        one, two, name, test.name, delta, p, {}, signs, favours=names.get(side), relative=relative
    )


def _verdict(tables: _Tables, design: Design, one: str, two: str, name: str) -> Verdict | None:
    """What a test of sc_stats finds; None of other tests."""
    metric = tables.metrics[name]
    if design.compares == "segments":
        paths, others = tables.paths[one, name], tables.paths[two, name]
        return segment_verdict(matched_pairs(paths[0], others[0], paths[1], others[1]))
    if design.compares == "sentences":
        first, second = (tables.systems[system][name].table for system in (one, two))
        return sentence_verdict(above_zero(first, 0), above_zero(second, 0))  # sentences with errors
    if design.compares == "blocks":
        of_speakers = sign_verdict if design.test == "sign" else wilcoxon_verdict
        return of_speakers(metric, tables.of[one, name].values, tables.of[two, name].values)
    return None


def refuse_unfit(compares: str, metric: CorpusMetric) -> None:
    """Refuse a metric that a test of sc_stats does not fit.

    Raises:
        FstmetricsError: it counts no errors of words, or none of sentences.
    """
    if compares == "segments" and not isinstance(metric, WER | Sclite):
        if metric.name == WER.name:  # in units of what rewrites cost
            raise FstmetricsError(
                "the test mapsswe counts whole word errors, and rewrites have costs: rewrite at no cost (NAME instead "
                "of NAME@COST), or ask for another test"
            )
        raise FstmetricsError(
            f"the test mapsswe counts word errors: it is for wer and sclite, not for {metric.name}"
        )
    if compares == "sentences" and (not isinstance(metric, Metric) or metric.recognition):
        raise FstmetricsError(
            f"the test mcnemar counts sentences without an error: it is for wer, sclite and hyter, not {metric.name}"
        )


def _drawn_p(
    test: Test, metric: CorpusMetric, null: _Null, design: Design, is_alone: bool
) -> tuple[float, int]:
    """p, and the side for which the test finds; nan where resamples are of too few items or blocks, or lack a score.

    Raises:
        FstmetricsError: exchanges lack a score under the only metric.
    """
    assert test.p is not None
    lacking = int(np.count_nonzero(~np.isfinite(null.drawn)))
    if lacking and is_alone:  # of resamples, this is refused before
        raise FstmetricsError(
            f"{metric.name} cannot be tested by {design.test}: of {len(null.drawn)} exchanges, {lacking} leave a "
            f"system only items {_nothing_to_divide_by(metric)}"
        )
    gain = null.delta if metric.recognition else -null.delta
    side = 0 if abs(gain) <= SAME else 1 if gain > 0 else -1
    direction = 1 if metric.recognition else -1
    if lacking or not null.has_p:
        return math.nan, side
    return test.p(gain, direction * null.drawn, design.one_sided), side


def _corrected_by(found: dict[Key, Comparison]) -> dict[Key, Comparison]:
    """Comparisons by the values of a field, whose tests are one family: one metric, one direction, all values."""
    rows = [(value, result) for value, part in found.items() for result in part.tests]
    firsts = {value: next(iter(part.systems)) for value, part in found.items()}
    forward = [
        found[value].design.pairs == "all" or result.baseline == firsts[value] for value, result in rows
    ]
    corrected = iter(_corrected([result for _, result in rows], forward))
    return {
        value: replace(part, tests=tuple(next(corrected) for _ in part.tests))
        for value, part in found.items()
    }


def _corrected(tests: Sequence[TestResult], forward: Sequence[bool]) -> list[TestResult]:
    """The same tests with p corrected over those of one metric and direction."""
    families: dict[tuple[str, bool], list[int]] = {}
    for i, (result, ahead) in enumerate(zip(tests, forward, strict=True)):
        families.setdefault((result.metric, ahead), []).append(i)
    corrected = list(tests)
    for members in families.values():
        plain = [tests[i].p for i in members]
        known = sum(not math.isnan(p) for p in plain)
        by_name = {name: correction.of(plain) for name, correction in CORRECTIONS.items()}
        for row, i in enumerate(members):
            own = {name: found[row] for name, found in by_name.items()}
            corrected[i] = replace(tests[i], corrected=own, family=max(1, known))
    return corrected
