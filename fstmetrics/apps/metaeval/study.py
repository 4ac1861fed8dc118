"""All that `fstmetrics correlate` finds: `study` of a table of scores, as `Study` says; `Findings`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fstmetrics import METRICS, FstmetricsError
from fstmetrics.apps.metaeval.coefficient_names import OLD, USUAL, Wanted
from fstmetrics.apps.metaeval.correlations import (
    Correlation,
    Documents,
    Level,
    Progress,
    check_systems,
    correlate,
)
from fstmetrics.apps.metaeval.judgments import (
    Proportion,
    Tests,
    combined_tests,
    conclusion_accuracy,
    conclusions,
    human_tests,
    pairwise_tests,
    separation,
)
from fstmetrics.apps.metaeval.metric_tests import (
    MetricTest,
    Permutations,
    Test,
    compare_metrics,
    rank_clusters,
)
from fstmetrics.apps.metaeval.resampled import Intervals
from fstmetrics.apps.metaeval.segment_coefficients import Group
from fstmetrics.apps.metaeval.table import Scored, ScoreTable
from fstmetrics.metrics.corpus_metric import metric_of
from fstmetrics.metrics.given_scores import GivenScores
from fstmetrics.significance import Design, Resampling

if TYPE_CHECKING:
    from fstmetrics.apps.metaeval.coefficients import Integers

HUMAN = "human scores"


@dataclass(frozen=True)
class Study:
    """What to find.

    Attributes:
        levels, documents, intervals, threshold: see `correlate`.
        people: systems that are human translations: m/h is found, and they are left out of all else.
        test: of each pair of systems, or None.
        p_level: below it, a difference is significant.
        fluency: the column of further human scores, which decide pairs that the others do not [G14 §4], or None.
        coefficients: only these; None for the usual ones.
        between: the test of each pair of metrics, or None.
        by: `domain` or `document`: coefficients are found for each, too.
    """

    levels: tuple[Level, ...] = ("system", "segment")
    documents: Documents | None = None
    intervals: Intervals = Intervals()  # noqa: RUF009 (frozen)
    threshold: float = 0.0
    people: tuple[str, ...] = ()
    test: str | None = None
    p_level: float = 0.05
    fluency: str | None = None
    coefficients: tuple[Wanted, ...] | None = None
    between: Test | None = None
    by: Literal["domain", "document"] | None = None

    def settings(self) -> dict[str, Any]:
        """For the JSON summary."""
        found: dict[str, Any] = {
            **asdict(self.intervals),
            "threshold": self.threshold,
            "people": list(self.people),
            "test": self.test or self.between,
            "p_level": self.p_level,
        }
        if self.fluency is not None:
            found["fluency"] = self.fluency
        if self.documents:
            found["documents"] = self.documents.number
        return found


@dataclass(frozen=True, slots=True)
class Separation:
    """m/h of one metric: mean distances from the perfect score, of people, of machines, and their quotient."""

    metric: str
    human: float
    machine: float
    quotient: float
    perfect: float = 0.0


@dataclass(frozen=True)
class TestedMetrics:
    """The tests of all pairs of metrics with one coefficient.

    Attributes:
        level, coefficient, group: as of `Correlation`.
        tests: the pairs, the best metrics first.
        ranks: the cluster of each metric, the best first.
    """

    level: Level
    coefficient: str
    group: Group
    tests: list[MetricTest]
    ranks: dict[str, int]


@dataclass(frozen=True)
class Findings:
    """All that was found.

    Attributes:
        correlations: in the order in which they are shown.
        separations: by metric, where human translations were among the systems.
        conclusions: how often the tests said what people say, by metric.
        settings: how all that was computed.
        tests: of pairs of metrics, by coefficient.
    """

    correlations: list[Correlation]
    separations: list[Separation]
    conclusions: dict[str, Proportion]
    settings: dict[str, Any]
    tests: list[TestedMetrics] = field(default_factory=list)


def study(
    table: ScoreTable, wanted: Study, progress: Progress = lambda what, done, of: None
) -> tuple[Findings, dict[str, Tests]]:
    """Correlations, separations and conclusions, and the tests of all pairs, people's first.

    Raises:
        FstmetricsError: systems that there are not, or too few of them.
    """
    table, fluency = without_fluency(table, wanted)
    machines = table.without(wanted.people)
    between = metrics_tested(machines, wanted, progress) if wanted.between else []
    correlations = _ranked(_correlations(machines, wanted, progress), between)
    for name, part in (machines.parts(wanted.by) if wanted.by else {}).items():
        correlations += [replace(found, part=name) for found in _correlations(part, wanted, progress)]
    separations = separated(table, wanted.people) if wanted.people else []
    tests = tested(machines, wanted, progress, fluency) if wanted.test else {}
    human = conclusions(tests.get(HUMAN, {}), wanted.p_level)
    agreeing = {
        name: conclusion_accuracy(conclusions(found, wanted.p_level), human)
        for name, found in tests.items()
        if name != HUMAN
    }
    return Findings(correlations, separations, agreeing, wanted.settings(), between), tests


def _correlations(table: ScoreTable, wanted: Study, progress: Progress) -> list[Correlation]:
    return correlate(
        table,
        wanted.levels,
        documents=wanted.documents,
        intervals=wanted.intervals,
        threshold=wanted.threshold,
        coefficients=wanted.coefficients,
        more=USUAL,
        progress=progress,
    )


def _ranked(correlations: list[Correlation], tested: Sequence[TestedMetrics]) -> list[Correlation]:
    """The same with the ranks of metrics that were tested."""
    ranks = {(each.level, each.coefficient, each.group): each.ranks for each in tested}
    return [
        replace(found, rank=ranks.get((found.level, found.coefficient, found.group), {}).get(found.metric, 0))
        for found in correlations
    ]


def metrics_tested(table: ScoreTable, wanted: Study, progress: Progress) -> list[TestedMetrics]:
    """Test every pair of metrics with each coefficient: those that were asked for, or acc-eq and soft accuracy.

    Raises:
        FstmetricsError: one metric only, one system, or no coefficient that has such a test.
    """
    assert wanted.between is not None
    if len(table.metrics) < 2:
        raise FstmetricsError(
            f"--test {wanted.between} tests pairs of metrics, and there is {len(table.metrics)}"
        )
    check_systems(table)
    usual = (Wanted("pearson"),) if wanted.between == "williams" else USUAL
    asked = [
        (level, each)
        for level in wanted.levels
        for each in wanted.coefficients or usual
        if level != "document" and each.is_at(level) and each.name != "accuracy"
    ]
    if not asked:
        raise FstmetricsError(
            f"--test {wanted.between}: no coefficient of systems or segments to test metrics by"
        )
    found = []
    permutations = Permutations(max(1, wanted.intervals.samples), wanted.intervals.seed)
    for done, (level, each) in enumerate(asked):
        progress(f"testing metrics, {each.name}", done, len(asked))
        metrics, human = _tested_scores(table, level, each.name, wanted.between)
        name = OLD.get(each.name, each.name)
        group = None if level == "system" else each.group
        tests = compare_metrics(
            metrics,
            human,
            name,
            group,
            level=level,
            test=wanted.between,
            permutations=permutations,
        )
        order = list(dict.fromkeys(name for test in tests for name in (test.better, test.other)))
        ranks = rank_clusters(order, tests, wanted.p_level)
        found.append(TestedMetrics(level, each.name, group, tests, ranks))
    return found


def _tested_scores(table: ScoreTable, level: str, coefficient: str, test: str) -> tuple[dict[str, Any], Any]:
    """Scores of segments; those of whole systems where these are exchanged, or a metric has no others.

    Metrics without scores of segments have no coefficients that need them, so they are left out of their tests, too.

    Raises:
        FstmetricsError: fewer than two metrics have them.
    """
    scored = {"": table.human, **table.metrics}
    of_segments = level == "segment" or coefficient == "spa"
    if of_segments:
        scored = {name: each for name, each in scored.items() if not name or each.present.any()}
        if len(scored) < 3:
            raise FstmetricsError(
                f"--test {test} tests pairs of metrics; for {coefficient} they need scores of segments, and "
                f"{len(scored) - 1} of {len(table.metrics)} has them"
            )
    whole = not of_segments and (
        test in ("perm-systems", "williams") or not all(each.present.any() for each in scored.values())
    )
    arrays = {
        name: each.sign * (each.whole()[:, None] if whole else each.items) for name, each in scored.items()
    }
    human = arrays.pop("")
    return arrays, human


def without_fluency(table: ScoreTable, wanted: Study) -> tuple[ScoreTable, ScoreTable | None]:
    """The table without the column of fluency, and one whose human scores are that column.

    Raises:
        FstmetricsError: no such column, or none but that.
    """
    if wanted.fluency is None:
        return table, None
    metrics = dict(table.metrics)
    if (fluency := metrics.pop(wanted.fluency, None)) is None:
        raise FstmetricsError(
            f"there is no column {wanted.fluency!r} of fluency; known are {', '.join(metrics)}"
        )
    if not metrics:
        raise FstmetricsError(f"there are no scores of a metric beside {wanted.fluency}")
    without = replace(table, metrics=metrics)
    return without, replace(without, human=fluency).without(wanted.people)


def separated(table: ScoreTable, people: Sequence[str]) -> list[Separation]:
    """m/h of every metric, and of human scores, of which the perfect score is known, and no score is better [H12 table
    2].

    Scores are those of whole systems.
    """
    found = []
    is_person = np.array([name in people for name in table.systems])
    for name, scored in ((HUMAN, table.human), *table.metrics.items()):
        perfect = perfect_score(scored, name == HUMAN)
        if perfect is None or ((losses := scored.sign * (perfect - scored.whole())) < 0).any():
            continue
        human, machine = losses[is_person], losses[~is_person]
        quotient = separation(human.tolist(), machine.tolist())
        found.append(Separation(name, float(human.mean()), float(machine.mean()), quotient, perfect))
    return found


def perfect_score(scored: Scored, of_people: bool) -> float | None:
    """The score that cannot be better: 0 of errors, 100 or 1 of the project's other metrics; of people's scores, 0
    where none is better than that. Columns that are given are only known as error rates of the project: others have
    scales of their own.
    """
    metric = scored.metric
    name = metric_of(metric.name.lower())
    is_rate = not metric.recognition and (name in METRICS or not isinstance(metric, GivenScores))
    if is_rate or (of_people and not (scored.sign * scored.items > 0).any()):
        return 0.0
    if isinstance(metric, GivenScores):
        return None
    if name in METRICS and name != "nist":
        return 100.0 if METRICS[name].percent else 1.0
    return None


def tested(
    table: ScoreTable, wanted: Study, progress: Progress, fluency: ScoreTable | None
) -> dict[str, Tests]:
    """Tests of every pair of systems: the rank-sum test of human scores, and the one that was asked for.

    Where human scores decide nothing, those of `fluency` do.
    """
    assert wanted.test is not None
    design = Design(wanted.test, Resampling(max(1, wanted.intervals.samples), wanted.intervals.seed))
    found = {HUMAN: _tests_of_people(table)}
    if fluency is not None:
        found[HUMAN] = combined_tests(found[HUMAN], _tests_of_people(fluency), wanted.p_level)
    for done, (name, scored) in enumerate(table.metrics.items()):
        progress(f"testing pairs, {name}", done, len(table.metrics))
        everywhere = common_segments(scored)
        statistics = {system: scored.of(i, everywhere) for i, system in enumerate(table.systems)}
        found[name] = pairwise_tests(statistics, design)
    return found


def _tests_of_people(table: ScoreTable) -> Tests:
    """The rank-sum tests of a table's human scores."""
    rows = table.human.sign * table.human.items
    return human_tests({name: row[~np.isnan(row)] for name, row in zip(table.systems, rows, strict=True)})


def common_segments(scored: Scored) -> Integers:
    """Segments that have scores of all systems.

    Raises:
        FstmetricsError: there is none.
    """
    found = np.flatnonzero(scored.present.all(axis=0))
    if not len(found):
        raise FstmetricsError(
            f"no segment has scores of {scored.metric.name} for all systems, so no pair can be tested"
        )
    return found
