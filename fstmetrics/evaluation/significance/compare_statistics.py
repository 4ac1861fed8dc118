"""Systems against a baseline, from their statistics: `compare_statistics`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.evaluation.significance.comparison import (
    Blocks,
    Comparison,
    Design,
    Progress,
    SystemScore,
    TestResult,
)
from fstmetrics.evaluation.significance.matched_pairs import Paths, matched_pairs
from fstmetrics.evaluation.significance.p_values import Test, as_test, holm
from fstmetrics.evaluation.significance.sc_stats import (
    Verdict,
    segment_verdict,
    sentence_verdict,
    sign_verdict,
    wilcoxon_verdict,
)
from fstmetrics.metrics import WER, CorpusMetric, Metric, Sclite
from fstmetrics.scoring.resampling import bootstrap_sums, exchanged_sums
from fstmetrics.scoring.statistics import Statistics
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus import Table
    from fstmetrics.scoring.program_alignments import Errors


def compare_statistics(
    systems: Mapping[str, Mapping[str, Statistics]],
    design: Design,
    progress: Progress = lambda what, done, of: None,
) -> Comparison:
    """Compare systems whose statistics are known.

    Args:
        systems: statistics by system and metric, the baseline first, all with the same metrics and items.
        design: what to test.
        progress: told what is being done, and how far it is.

    Raises:
        FstmetricsError: different numbers of items, or resamples that have nothing to divide by.
    """
    first = next(iter(systems.values()))
    lengths = {name: len(next(iter(found.values()))) for name, found in systems.items()}
    if len(set(lengths.values())) > 1:
        raise FstmetricsError(
            f"numbers of items differ: {', '.join(f'{n} in {s}' for s, n in lengths.items())}"
        )
    metrics = {name: statistics.metric for name, statistics in first.items()}
    tested = {name: metric for name, metric in metrics.items() if metric.columns}
    if design.blocks and len(design.blocks.labels) != next(iter(lengths.values())):
        raise FstmetricsError(
            f"{len(design.blocks.labels)} labels of {design.blocks.name}s, but {next(iter(lengths.values()))} items"
        )
    for metric in tested.values():
        refuse_unfit(design.compares, metric)
    tables = _Tables(systems, tested, design.blocks)
    resampled = _bootstrapped(tables, design, progress)
    scores = {
        system: {name: _interval(found[name], resampled.get((system, name)), design) for name in metrics}
        for system, found in systems.items()
    }
    tests = _tests(tables, resampled, scores, design, progress)
    normalisations = {name: statistics.normalisation for name, statistics in first.items()}
    items = next(iter(lengths.values()))
    shows_counts = design.compares != "items"
    conditions = {name: statistics.conditions for name, statistics in first.items()}
    return Comparison(
        scores,
        _corrected(tests),
        metrics,
        design,
        items,
        normalisations,
        systems,
        conditions=conditions,
        shows_counts=shows_counts,
    )


@dataclass(frozen=True)
class _Tables:
    """Statistics of systems under the metrics that can be tested, of items or of blocks."""

    systems: Mapping[str, Mapping[str, Statistics]]
    metrics: dict[str, CorpusMetric]
    blocks: Blocks | None = None

    def of(self, system: str, metric: str) -> Table:
        """Rows that are resampled: a row an item or a block."""
        return self._summed[id(self.of_items(system, metric))]

    def of_items(self, system: str, metric: str) -> Table:
        return self.systems[system][metric].values

    @cached_property
    def _summed(self) -> dict[int, Table]:
        """By the tables of items."""
        tables = {
            id(found[name].values): found[name].values
            for found in self.systems.values()
            for name in self.metrics
        }
        return {key: self.blocks.sums(table) if self.blocks else table for key, table in tables.items()}

    @cached_property
    def paths(self) -> dict[tuple[str, str], tuple[Paths, Errors]]:
        """The best paths by system and metric, and where sclite's alignments of them have errors."""
        found = {}
        for system, name in product(self.systems, self.metrics):
            chosen = self.systems[system][name].paths
            if chosen is None:
                raise FstmetricsError(
                    "the test mapsswe looks at words, which these statistics are without: Statistics.of(corpus, "
                    "paths=True) keeps them"
                )
            paths = Paths(*chosen)
            found[system, name] = paths, paths.errors
        return found

    def owner(self, metric: str) -> str:
        """The first metric that has the statistics of this one, in every system: they are resampled once."""
        return next(
            other
            for other in self.metrics
            if all(self.of(system, other) is self.of(system, metric) for system in self.systems)
        )

    @property
    def owners(self) -> list[str]:
        """Metrics whose statistics are their own."""
        return list(dict.fromkeys(map(self.owner, self.metrics)))


Resampled = dict[tuple[str, str], "Table"]


def _bootstrapped(tables: _Tables, design: Design, progress: Progress) -> Resampled:
    """Scores on resamples by system and metric."""
    keys = [(system, owner) for system in tables.systems for owner in tables.owners]
    counted = _counter("resampling", design.resampling.samples, progress)
    found = bootstrap_sums([tables.of(*key) for key in keys], design.resampling, counted)
    sums = dict(zip(keys, found, strict=True))
    return {
        (system, name): _finite(metric, metric.corpus_score(sums[system, tables.owner(name)]), system)
        for system in tables.systems
        for name, metric in tables.metrics.items()
    }


def _exchanged(tables: _Tables, design: Design, progress: Progress) -> Resampled:
    """Differences of scores, other system minus baseline, after exchanges with the baseline."""
    baseline, *others = tables.systems
    keys = [(system, owner) for system in others for owner in tables.owners]
    counted = _counter("exchanging", design.resampling.samples, progress)
    pairs = [(tables.of(baseline, owner), tables.of(system, owner)) for system, owner in keys]
    sums = dict(zip(keys, exchanged_sums(pairs, design.resampling, counted), strict=True))
    found = {}
    for system in others:
        for name, metric in tables.metrics.items():
            one, two = (metric.corpus_score(side) for side in sums[system, tables.owner(name)])
            found[system, name] = _finite(metric, two - one, system)
    return found


def _counter(what: str, samples: int, progress: Progress) -> Callable[[int], None]:
    done = 0

    def counted(more: int) -> None:
        nonlocal done
        done += more
        progress(what, done, samples)

    return counted


def _finite(metric: CorpusMetric, scores: Table, system: str) -> Table:
    if not np.isfinite(scores).all():
        raise FstmetricsError(
            f"{metric.name} of {system} cannot be tested: there are resamples with nothing to divide by (items whose "
            "reference is empty)"
        )
    return scores


def _interval(statistics: Statistics, resampled: Table | None, design: Design) -> SystemScore:
    """Percentiles of the resampled scores: as many of them outside on either side."""
    if resampled is None:
        return SystemScore(statistics.score)
    outside = (1 - design.confidence) / 2
    low, high = np.quantile(resampled, [outside, 1 - outside])
    return SystemScore(statistics.score, float(low), float(high), statistics.totals)


def _tests(
    tables: _Tables,
    resampled: Resampled,
    scores: dict[str, dict[str, SystemScore]],
    design: Design,
    progress: Progress,
) -> list[TestResult]:
    baseline, *others = tables.systems
    test = as_test(design.test)
    differences = _exchanged(tables, design, progress) if test.draws == "exchange" else {}
    if test.draws == "bootstrap":
        for other, name in product(others, tables.metrics):
            differences[other, name] = resampled[other, name] - resampled[baseline, name]
    pairs = [(baseline, other) for other in others]
    pairs += [(other, baseline) for other in others] if design.both_ways else []
    found = []
    for (one, two), (name, metric) in product(pairs, tables.metrics.items()):
        delta = scores[two][name].score - scores[one][name].score
        verdict = _verdict(tables, design, one, two, name)
        if verdict:
            found.append(
                TestResult(
                    one, two, name, test.name, delta, verdict.p, verdict.p, verdict.signs, verdict.statistic,
                    verdict.details,
                )
            )  # fmt: skip
            continue
        signs = test.signs(metric, tables.of(one, name), tables.of(two, name)) if test.signs else None
        if signs:
            p = signs.p
        else:
            drawn = differences[two, name] if one == baseline else -differences[one, name]
            p = _drawn_p(test, metric, delta, drawn, design)
        found.append(TestResult(one, two, name, test.name, delta, p, p, signs))
    return found


def _verdict(tables: _Tables, design: Design, one: str, two: str, name: str) -> Verdict | None:
    """What a test of sc_stats finds; None of other tests."""
    metric = tables.metrics[name]
    if design.compares == "segments":
        paths, others = tables.paths[one, name], tables.paths[two, name]
        return segment_verdict(matched_pairs(paths[0], others[0], paths[1], others[1]))
    if design.compares == "sentences":
        errors = (tables.of_items(system, name)[:, 0] for system in (one, two))
        return sentence_verdict(*errors)
    if design.compares == "blocks":
        of_speakers = sign_verdict if design.test == "sign" else wilcoxon_verdict
        return of_speakers(metric, tables.of(one, name), tables.of(two, name))
    return None


def refuse_unfit(compares: str, metric: CorpusMetric) -> None:
    """Refuse a metric that a test of sc_stats does not fit.

    Raises:
        FstmetricsError: it counts no errors of words, or none of sentences.
    """
    if compares == "segments" and not isinstance(metric, WER | Sclite):
        raise FstmetricsError(
            f"the test mapsswe counts word errors: it is for wer and sclite, not for {metric.name}"
        )
    if compares == "sentences" and (not isinstance(metric, Metric) or metric.recognition):
        raise FstmetricsError(
            f"the test mcnemar counts sentences without an error: it is for wer, sclite and hyter, not {metric.name}"
        )


def _drawn_p(test: Test, metric: CorpusMetric, delta: float, drawn: Table, design: Design) -> float:
    assert test.p is not None
    direction = 1 if metric.recognition else -1
    return test.p(direction * delta, direction * drawn, design.one_sided)


def _corrected(tests: list[TestResult]) -> tuple[TestResult, ...]:
    """Holm's p values within each family: one metric, one direction."""
    first = tests[0].baseline if tests else ""
    families: dict[tuple[str, bool], list[int]] = {}
    for i, result in enumerate(tests):
        families.setdefault((result.metric, result.baseline == first), []).append(i)
    corrected = list(tests)
    for members in families.values():
        for i, p in zip(members, holm([tests[i].p for i in members]), strict=True):
            corrected[i] = replace(tests[i], p_holm=p)
    return tuple(corrected)
