"""Lists of tasks with weights, by which WMT ranks metrics: `read_tasks`, `task_values`, `averages`, with intervals.

A task is a coefficient of one language pair, or pairwise accuracy of the systems of several. Coefficients from -1 to 1
are put on the scale from 0 to 1 first, so that they may be averaged with accuracies, as mt-metrics-eval does.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics import FstmetricsError
from fstmetrics.apps.metaeval.coefficient_names import Wanted, wanted
from fstmetrics.apps.metaeval.correlations import resampled_systems, segment_points, system_points
from fstmetrics.apps.metaeval.resampled import Intervals, People, segment_values, soft_values
from fstmetrics.apps.metaeval.segment_coefficients import COUNTING_TIES
from fstmetrics.apps.metaeval.soft_accuracy import spa
from fstmetrics.apps.metaeval.tie_calibration import NEARLY_ALL, calibrations
from fstmetrics.support.source import Source

if TYPE_CHECKING:
    from fstmetrics.apps.metaeval.coefficients import Floats, Integers
    from fstmetrics.apps.metaeval.table import ScoreTable

# Coefficients from 0 to 1.
SHARES = ("spa", "acc-eq", "accuracy", "acc-23")
FIELDS = {"pairs": list, "level": str, "coefficient": str, "weight": (int, float)}


@dataclass(frozen=True)
class Task:
    """One task.

    Attributes:
        pairs: language pairs; several for accuracy only.
        level: `system` or `segment`.
        coefficient: and its group.
        weight: in the average, before all are divided by their sum.
    """

    pairs: tuple[str, ...]
    level: str
    coefficient: Wanted
    weight: float = 1.0

    @property
    def name(self) -> str:
        """For tables."""
        return f"{','.join(self.pairs)} {self.level} {self.coefficient.shown}"


def wmt23(pairs: Sequence[str]) -> list[Task]:
    """The tasks of WMT23 (Freitag et al. 2023): accuracy over all pairs, and three of each pair."""
    found = [Task(tuple(pairs), "system", Wanted("accuracy"), float(len(pairs)))]
    for pair in pairs:
        found.append(Task((pair,), "system", Wanted("pearson")))
        found.append(Task((pair,), "segment", Wanted("pearson")))
        found.append(Task((pair,), "segment", Wanted("acc-eq", "item")))
    return found


def wmt24(pairs: Sequence[str]) -> list[Task]:
    """The tasks of WMT24 (Freitag et al. 2024): soft pairwise accuracy and acc-eq of each pair, all with one weight."""
    of_each = (("system", Wanted("spa")), ("segment", Wanted("acc-eq", "item")))
    return [Task((pair,), level, coefficient) for pair in pairs for level, coefficient in of_each]


KNOWN = {"wmt23": wmt23, "wmt24": wmt24}


def read_tasks(given: str, pairs: Sequence[str]) -> list[Task]:
    """Tasks of a year, or of a TOML file.

    Args:
        given: `wmt23`, `wmt24`, or a path. The file has tables `[[task]]` with `pairs`, `level`, `coefficient` (`NAME`
            or `NAME:GROUP`), and optionally `weight`.
        pairs: the language pairs that there are; the tasks of a year are those of all.

    Raises:
        FstmetricsError: no TOML, unknown fields, or tasks that there cannot be.
    """
    if given in KNOWN:
        return KNOWN[given](sorted(pairs))
    source = Source.open(given)
    try:
        tables = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        raise source.error(f"no TOML: {error}; or name one of {', '.join(KNOWN)}") from None
    tasks = tables.get("task")
    if set(tables) != {"task"} or not isinstance(tasks, list) or not tasks:
        raise source.error("tables [[task]] are expected, and nothing else")
    return [_task(source, number, task, pairs) for number, task in enumerate(tasks, 1)]


def _task(source: Source, number: int, given: dict[str, Any], pairs: Sequence[str]) -> Task:
    for name, value in given.items():
        if name not in FIELDS or not isinstance(value, FIELDS[name]):  # type: ignore[arg-type]
            raise source.error(f"task {number}: {name} = {value!r:.40}; known are {', '.join(FIELDS)}")
    if missing := [name for name in ("pairs", "level", "coefficient") if name not in given]:
        raise source.error(f"task {number} does not say its {missing[0]}")
    if strange := [pair for pair in given["pairs"] if pair not in pairs]:
        raise source.error(f"task {number}: no scores of {strange[0]}; there are those of {', '.join(pairs)}")
    try:
        (coefficient,) = wanted([given["coefficient"]])
    except FstmetricsError as error:
        raise source.error(f"task {number}: {error}") from None
    task = Task(tuple(given["pairs"]), given["level"], coefficient, float(given.get("weight", 1)))
    if task.level not in ("system", "segment") or not coefficient.is_at(task.level):
        raise source.error(f"task {number}: there is no {given['coefficient']} of level {task.level}")
    if not task.pairs or (len(task.pairs) > 1 and coefficient.name != "accuracy"):
        raise source.error(
            f"task {number}: only accuracy is of several language pairs, and every other of one"
        )
    if not 0 < task.weight < math.inf:
        raise source.error(f"task {number}: weight is {task.weight:g}, and must be above 0")
    return task


def task_values(task: Task, tables: Mapping[str, ScoreTable]) -> dict[str, float]:
    """The coefficient of each metric that all language pairs of a task have.

    Args:
        task: which.
        tables: scores by language pair.
    """
    return {name: _value(task, [tables[pair] for pair in task.pairs], name) for name in _common(task, tables)}


def _common(task: Task, tables: Mapping[str, ScoreTable]) -> list[str]:
    """The metrics that all language pairs of a task have."""
    first, *others = (tables[pair].metrics for pair in task.pairs)
    return [name for name in first if all(name in each for each in others)]


def task_resamples(
    task: Task, tables: Mapping[str, ScoreTable], intervals: Intervals
) -> dict[str, list[float]]:
    """The coefficient of each metric on resamples; nan where it is undefined.

    Each language pair has resamples of its own, by the seed plus its place in `tables`.

    Args:
        task: which.
        tables: scores by language pair.
        intervals: how many resamples, and of what.
    """
    places = {pair: place for place, pair in enumerate(tables)}
    own = [replace(intervals, seed=intervals.seed + places[pair]) for pair in task.pairs]
    chosen, people = [tables[pair] for pair in task.pairs], People()
    return {name: _resamples(task, chosen, name, own, people) for name in _common(task, tables)}


def _resamples(
    task: Task, tables: Sequence[ScoreTable], metric: str, own: Sequence[Intervals], people: People
) -> list[float]:
    undefined = [math.nan] * own[0].samples
    if task.coefficient.name in COUNTING_TIES:
        return undefined
    units = segment_points(tables[0], metric)
    if task.level == "segment":
        return segment_values(*units, task.coefficient, 0.0, own[0])
    if task.coefficient.name == "spa":
        return soft_values(*units, own[0], people) or undefined
    sets = [resampled_systems(table, metric, each) for table, each in zip(tables, own, strict=True)]
    if task.coefficient.name == "accuracy":
        return [pooled_accuracy(points) for points in zip(*sets, strict=True)]
    return [task.coefficient.of_systems(a, h) for a, h, _ in sets[0]]


def tied_metrics(task: Task, tables: Mapping[str, ScoreTable]) -> list[str]:
    """Metrics of which acc-eq ties nearly all pairs, so that it tells nothing of them."""
    if task.coefficient.name != "acc-eq":
        return []
    found = []
    for name in _common(task, tables):
        x, y = segment_points(tables[task.pairs[0]], name)
        if calibrations(x[None], y[None], task.coefficient.group)[0, 2] >= NEARLY_ALL:
            found.append(name)
    return found


def _value(task: Task, tables: Sequence[ScoreTable], metric: str) -> float:
    if task.level == "segment":
        units = segment_points(tables[0], metric)
        return task.coefficient.of_segments(*units, 0.0).value
    if task.coefficient.name == "spa":
        return spa(*segment_points(tables[0], metric))
    points = [_known(*system_points(table, metric)) for table in tables]
    if task.coefficient.name == "accuracy":
        return pooled_accuracy(points)
    return task.coefficient.of_systems(*points[0])


def _known(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    there = np.isfinite(x) & np.isfinite(y)
    return x[there], y[there]


def pooled_accuracy(sets: Sequence[tuple[Floats, Floats] | tuple[Floats, Floats, Integers]]) -> float:
    """Pairwise accuracy of the systems of several test sets (Kocmi et al. 2021), ties as the WMT tools have them.

    Pairs of one set are compared. A pair is right where both sides order it in the same way, or both tie it. A set may
    have numbers of its systems; two copies of one, as in resamples, are no pair.

    >>> import numpy as np
    >>> pooled_accuracy([(np.array([1, 2, 3.0]), np.array([1, 3, 2.0])), (np.array([1, 1.0]), np.array([5, 5.0]))])
    0.75
    """
    right = total = 0
    for x, y, *numbers in sets:
        i, j = np.triu_indices(len(x), 1)
        for which in numbers:
            is_pair = which[i] != which[j]
            i, j = i[is_pair], j[is_pair]
        right += int(np.count_nonzero(np.sign(x[i] - x[j]) == np.sign(y[i] - y[j])))
        total += len(i)
    return right / total if total else math.nan


def averages(tasks: Sequence[Task], values: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The weighted average of each metric that all tasks have, the best first.

    >>> tasks = [Task(("en-de",), "system", Wanted("spa"), 3), Task(("en-de",), "segment", Wanted("pearson"))]
    >>> averages(tasks, [{"a": 0.5, "b": 0.8}, {"a": 0.6, "c": 1.0}])
    {'a': 0.575}
    """
    total = sum(task.weight for task in tasks)
    found = {}
    for name in values[0]:
        if all(name in each for each in values):
            scaled = [
                each[name] if task.coefficient.name in SHARES else (each[name] + 1) / 2
                for task, each in zip(tasks, values, strict=True)
            ]
            found[name] = sum(task.weight / total * value for task, value in zip(tasks, scaled, strict=True))
    return dict(sorted(found.items(), key=lambda pair: (math.isnan(pair[1]), -pair[1], pair[0])))


def average_intervals(
    tasks: Sequence[Task], resamples: Sequence[Mapping[str, Sequence[float]]], intervals: Intervals
) -> dict[str, tuple[float, float]]:
    """The interval of the weighted average of each metric that all tasks have.

    Args:
        tasks: which.
        resamples: of each task, `task_resamples`.
        intervals: the same as of these.
    """
    found = {}
    for name in resamples[0]:
        if all(name in each for each in resamples):
            rows = zip(*(each[name] for each in resamples), strict=True)
            found[name] = intervals.interval(
                [averages(tasks, [{name: value} for value in row])[name] for row in rows]
            )
    return found
