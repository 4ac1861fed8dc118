"""Correlations with human scores, separation and agreement of conclusions, as text and as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

from fstmetrics.apps.metaeval import Correlation, ScoreTable, chi_square
from fstmetrics.apps.metaeval.coefficient_names import OLD, Wanted
from fstmetrics.apps.metaeval.metric_tests import MetricTest
from fstmetrics.apps.metaeval.segment_coefficients import Group
from fstmetrics.apps.metaeval.study import Findings, TestedMetrics
from fstmetrics.apps.metaeval.tie_calibration import NEARLY_ALL
from fstmetrics.apps.metaeval.wmt_tasks import Task, averages
from fstmetrics.metrics.given_scores import are_turned, direction
from fstmetrics.reports.summary import Part, Row, Table
from fstmetrics.support.json_text import finite
from fstmetrics.support.printable import marked, number

# Metrics of which every pair is printed; JSON has all.
MOST_COMPARED = 5


def finding_parts(findings: Findings, marks: bool = True) -> Iterator[Part]:
    """A table a level, and one each of separations and of conclusions; the best coefficients are marked, or not."""
    groups: dict[tuple[str, str, int], list[Correlation]] = {}
    for found in findings.correlations:
        groups.setdefault((found.part, found.level, found.size), []).append(found)
    for (part, level, size), members in groups.items():
        title = f"{part}: " if part else ""
        yield Table(_rows(title + _title(level, size, members), members, marks))
    for tested in findings.tests:
        yield Table(_test_rows(findings.settings["test"], tested))
    if findings.separations:
        head: Row = ("distance from perfect", "people", "machines", "m/h")
        rows = [
            (s.metric, number(s.human), number(s.machine), f"{s.quotient:.2f}") for s in findings.separations
        ]
        yield Table([head, *rows])
    if findings.conclusions:
        yield Table(_conclusion_rows(findings))
    if 1 < len(findings.conclusions) <= MOST_COMPARED:
        yield Table(_chi_square_rows(findings))
    yield from _explanations(findings)


RESAMPLED = {"both": "systems and segments", "segments": "segments", "systems": "systems"}


def _explanations(findings: Findings) -> Iterator[str]:
    """What the numbers of the tables are, a line each, of those that are there."""
    found, settings = findings.correlations, findings.settings
    if any(not math.isnan(each.low) for each in found):
        yield _resampling(settings)
    groups = {
        each.group for each in found if Wanted(each.coefficient, each.group).shown.endswith(f":{each.group}")
    }
    if "item" in groups:
        yield ":item: the translations of each segment are compared with each other"
    if "system" in groups:
        yield ":system: the segments of each system are compared with each other"
    if any(each.coefficient == "acc-eq" and math.isfinite(each.epsilon) for each in found):
        yield "epsilon: scores of a metric that differ by at most this are ties"
    if any(each.level == "system" and each.points == 2 and abs(each.value) == 1 for each in found):
        yield "of two systems, a coefficient of correlation is 1 or -1: it says only which of them is better"
    if any(math.isnan(each.value) for each in found):
        yield "-: not defined, as people's or the metric's scores there are all the same, or too few"
    if tied := dict.fromkeys(each.metric for each in found if each.tied >= NEARLY_ALL):
        yield _tells_nothing(tied)
    if any(each.rank for each in found):
        yield f"(1): rank; no metric is significantly better than another of its rank (p > {settings['p_level']:g})"
    if findings.tests:
        drawn = "" if settings["test"] == "williams" else f"; at most {settings['samples']} permutations, "
        seed = f"seed {settings['seed']}" if drawn else ""
        yield f"p: one-sided, small where the row's metric agrees better with people than the column's{drawn}{seed}"
        made = sorted(
            {each.permutations for tested in findings.tests for each in tested.tests if not each.p} - {0}
        )
        for number in made:
            yield f"p <{1 / number:.2g}: none of {number} permutations; a test ends early where p is clear"
    if findings.separations:
        perfect = (f"{s.perfect:g} of {s.metric}" for s in findings.separations)
        yield f"distance from perfect: from {', '.join(perfect)}"
    if findings.conclusions:
        yield (
            f"as people: pairs of systems of which {settings['test']} says what a rank-sum test of human scores says; "
            "interval: 95%, Clopper-Pearson"
        )


def _resampling(settings: Mapping[str, Any]) -> str:
    return (
        f"[ ]: {100 * settings['confidence']:g}% of {settings['samples']} bootstrap resamples of "
        f"{RESAMPLED[settings['resample']]}, seed {settings['seed']}"
    )


def _tells_nothing(metrics: Iterable[str]) -> str:
    return (
        f"at this epsilon {100 * NEARLY_ALL:g}% or more of the pairs are ties: acc-eq of {', '.join(metrics)} "
        "is the share of pairs that people tie, and tells nothing of the metric"
    )


def _title(level: str, size: int, members: Sequence[Correlation]) -> str:
    points = members[0].points
    return {
        "system": f"{points} systems",
        "segment": f"{points} segments",
        "document": f"{points} documents" + (f" of {size}" if size else ""),
    }[level]


def _rows(title: str, members: Sequence[Correlation], marks: bool) -> list[Row]:
    columns = list(dict.fromkeys((found.coefficient, found.group) for found in members))
    metrics = list(dict.fromkeys(found.metric for found in members))
    by_key = {(found.metric, found.coefficient, found.group): found for found in members}
    rows: list[Row] = [(title, *(name for column in columns for name in _names(*column)))]
    shown: dict[tuple[str, str, Group], str] = {}
    for column in columns:
        own = [by_key[metric, *column] for metric in metrics]
        values = [each.value if marks else None for each in own]
        texts = marked([_cell(each) for each in own], values, True, "{:.3f}".format)
        shown |= {(metric, *column): text for metric, text in zip(metrics, texts, strict=True)}
    for metric in metrics:
        keys = [(metric, *column) for column in columns]
        rows.append((metric, *(cell for key in keys for cell in _cells(by_key[key], shown[key]))))
    return rows


def _names(coefficient: str, group: Group) -> list[str]:
    """The heads of a coefficient's columns."""
    shown = Wanted(coefficient, group).shown
    return [shown, "epsilon"] if coefficient == "acc-eq" else [shown]


def _cells(found: Correlation, shown: str) -> list[str]:
    epsilon = f"{found.epsilon:.4g}" if math.isfinite(found.epsilon) else "-"
    return [shown, epsilon] if found.coefficient == "acc-eq" else [shown]


def _test_rows(test: str, tested: TestedMetrics) -> list[Row]:
    """Metrics from the best on, with their ranks, and p of the difference from each that is worse."""
    p = {(each.better, each.other): _p(each) for each in tested.tests}
    names = list(tested.ranks)
    level = {"system": "systems", "segment": "segments", "document": "documents"}[tested.level]
    (title, *_) = _names(tested.coefficient, tested.group)
    rows: list[Row] = [(f"{test}, {title} of {level}", "rank", *(f"p, {name}" for name in names[1:]))]
    for i, name in enumerate(names):
        cells = [p[name, other] if j > i else "" for j, other in enumerate(names) if j]
        rows.append((name, str(tested.ranks[name]), *cells))
    return rows


def _p(test: MetricTest) -> str:
    """p; where no permutation reached the difference, what it is below."""
    return f"<{1 / test.permutations:.2g}" if test.permutations and not test.p else f"{test.p:.4f}"


def _cell(found: Correlation) -> str:
    value = f"{found.value:.3f}" if math.isfinite(found.value) else "-"
    value += f" ({found.rank})" if found.rank else ""
    return value if math.isnan(found.low) else f"{value} [{found.low:.2f}, {found.high:.2f}]"


def _conclusion_rows(findings: Findings) -> list[Row]:
    test, level = findings.settings["test"], findings.settings["p_level"]
    rows: list[Row] = [(f"{test}, p < {level:g}", "as people", "pairs", "%", "interval")]
    for metric, found in findings.conclusions.items():
        interval = f"[{100 * found.low:.1f}, {100 * found.high:.1f}]"
        rows.append((metric, str(found.count), str(found.total), f"{100 * found.value:.1f}", interval))
    return rows


def _chi_squares(findings: Findings) -> Iterator[tuple[str, str, float, float]]:
    """Two metrics, and whether their shares of right conclusions differ: the statistic and p."""
    for (one, first), (other, second) in combinations(findings.conclusions.items(), 2):
        yield one, other, *chi_square(first, second)


def _chi_square_rows(findings: Findings) -> list[Row]:
    rows: list[Row] = [("shares differ", "chi-square", "p")]
    for one, other, statistic, p in _chi_squares(findings):
        rows.append((f"{one}, {other}", f"{statistic:.2f}", f"{p:.4f}"))
    return rows


def as_json(
    findings: Findings, signatures: Sequence[str] = (), remarks: Sequence[str] = ()
) -> dict[str, Any]:
    """Everything as one JSON object; what is undefined is null.

    Args:
        findings: what was found.
        signatures: of metrics that were scored for it.
        remarks: on the inputs; those on the numbers, which the text has below its tables, come before them.
    """
    compared = [
        {"metrics": [one, other], "statistic": statistic, "p": p}
        for one, other, statistic, p in _chi_squares(findings)
    ]
    return {
        "correlations": [row for c in findings.correlations for row in _json_rows(c)],
        "separations": [asdict(s) | {"quotient": finite(s.quotient)} for s in findings.separations],
        "conclusions": [{"metric": metric, **asdict(p)} for metric, p in findings.conclusions.items()],
        **({"chi_squares": compared} if findings.conclusions else {}),
        "settings": {**findings.settings, "signatures": list(signatures)},
        **({"tests": _json_tests(findings)} if findings.tests else {}),
        "remarks": [*_explanations(findings), *remarks],
    }


def _json_tests(findings: Findings) -> list[dict[str, Any]]:
    """A row a pair of metrics and coefficient."""
    return [
        {
            "level": tested.level,
            "coefficient": tested.coefficient,
            "group": tested.group,
            "test": findings.settings["test"],
            **asdict(each),
            "delta": finite(each.delta),
            "p": finite(each.p),
        }
        for tested in findings.tests
        for each in tested.tests
    ]


def _json_rows(found: Correlation) -> list[dict[str, Any]]:
    """A row; a coefficient of an old name has one by each name."""
    row = {
        "metric": found.metric,
        "level": found.level,
        "size": found.size or None,
        "coefficient": found.coefficient,
        "value": finite(found.value),
        "low": finite(found.low),
        "high": finite(found.high),
        "points": found.points,
        "group": found.group,
        "epsilon": finite(found.epsilon),
        "rank": found.rank or None,
        "part": found.part or None,
        "tied": finite(found.tied),
    }
    return [row, *([row | {"coefficient": OLD[found.coefficient]}] if found.coefficient in OLD else [])]


@dataclass(frozen=True)
class TaskFindings:
    """What was found of a list of tasks.

    Attributes:
        tasks: which.
        values: of each task the coefficient of each metric.
        tied: of each task the metrics of which acc-eq tells nothing.
        settings: of the intervals; None without.
        intervals: of the averages.
    """

    tasks: Sequence[Task]
    values: Sequence[Mapping[str, float]]
    tied: Sequence[Sequence[str]]
    settings: Mapping[str, Any] | None = None
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def remarks(self) -> list[str]:
        """What the numbers are, where that is not plain."""
        drawn = [] if self.settings is None else [_resampling(self.settings)]
        return drawn + [
            f"{number}: {_tells_nothing(metrics)}" for number, metrics in enumerate(self.tied, 1) if metrics
        ]


def task_parts(found: TaskFindings) -> Iterator[Part]:
    """The average of each metric and what it is made of; the numbers of the tasks are explained below."""
    total = sum(task.weight for task in found.tasks)
    rows: list[Row] = [("", "average", *(str(i) for i in range(1, len(found.tasks) + 1)))]
    for name, average in averages(found.tasks, found.values).items():
        low, high = found.intervals.get(name, (math.nan, math.nan))
        shown = f"{average:.4f}" + ("" if math.isnan(low) else f" [{low:.4f}, {high:.4f}]")
        rows.append((name, shown, *(f"{each[name]:.4f}" for each in found.values)))
    yield Table(rows)
    for i, task in enumerate(found.tasks, 1):
        yield f"{i}: {task.name}, weight {task.weight / total:.3f}"


def tasks_json(found: TaskFindings, remarks: Sequence[str] = ()) -> dict[str, Any]:
    """The same as one JSON object, with the remarks of the text."""
    total = sum(task.weight for task in found.tasks)
    rows = []
    for name, value in averages(found.tasks, found.values).items():
        low, high = found.intervals.get(name, (math.nan, math.nan))
        rows.append({"metric": name, "value": finite(value), "low": finite(low), "high": finite(high)})
    return {
        "averages": rows,
        "tasks": [
            {
                "pairs": list(task.pairs),
                "level": task.level,
                "coefficient": task.coefficient.name,
                "group": task.coefficient.group,
                "weight": task.weight / total,
                "values": {name: finite(value) for name, value in each.items()},
            }
            for task, each in zip(found.tasks, found.values, strict=True)
        ],
        **({} if found.settings is None else {"settings": dict(found.settings)}),
        "remarks": [*found.remarks(), *remarks],
    }


def score_lines(table: ScoreTable) -> Iterator[str]:
    """All scores of segments as a table of the kind that `correlate` reads; what is missing is left empty. Scores of
    `turned_round` are."""
    document = ["document"] if table.documents else []
    named = {table.human.metric.name: table.human, **table.metrics}
    yield "\t".join(["system", "segment", *document, *named])
    turned = turned_round(table)
    columns = [-scored.items if name in turned else scored.items for name, scored in named.items()]
    for i, system in enumerate(table.systems):
        for j, segment in enumerate(table.segments):
            names = [system, segment, *([table.documents[j]] if table.documents else [])]
            scores = [float(column[i, j]) for column in columns]
            if not all(map(math.isnan, scores)):
                yield "\t".join([*names, *("" if math.isnan(score) else repr(score) for score in scores)])


def turned_round(table: ScoreTable) -> list[str]:
    """The scores of which lower is better, which their names do not tell: written as they are, they would read back
    with the other sign."""
    named = {table.human.metric.name: table.human, **table.metrics}
    return [
        name
        for name, scored in named.items()
        if scored.sign < 0 and (direction(name) is not False or are_turned([scored.items]))
    ]


def read_otherwise(table: ScoreTable) -> list[str]:
    """The scores of which higher is better, which their names deny."""
    return [
        name
        for name, scored in table.metrics.items()
        if scored.sign > 0 and direction(name) is not True and not are_turned([scored.items])
    ]
