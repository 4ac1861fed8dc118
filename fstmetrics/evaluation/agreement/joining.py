"""Tables and runs of the same systems and segments, joined: `join`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.evaluation.agreement.reading import HUMAN, Part
from fstmetrics.evaluation.agreement.scored_runs import Run, higher_is_better
from fstmetrics.evaluation.agreement.table import GivenScores, Scored, ScoreTable
from fstmetrics.metrics.corpus import summands
from fstmetrics.support.errors import FstmetricsError, InputError

if TYPE_CHECKING:
    from fstmetrics.evaluation.agreement.assessors import Cell
    from fstmetrics.metrics.corpus import Table


def join(
    parts: Sequence[Part], runs: Sequence[Run], lower: Sequence[str] = ()
) -> tuple[ScoreTable, tuple[str, ...]]:
    """Join what tables and runs say.

    Args:
        parts: tables; one of them has people's scores.
        runs: one system under one metric each.
        lower: names of columns (`human` for people's) of which the lower score is better; metrics that the project
            has are known.

    Returns:
        All scores, and remarks on what was left out.

    Raises:
        FstmetricsError: no human scores or no metric, or systems or segments that do not fit, by name.
    """
    judged = _judged(parts)
    _check_runs(runs)
    metrics = _metric_cells(parts)
    systems = _systems(judged, metrics, runs)
    segments = tuple(dict.fromkeys(_segments(parts, runs)))
    _check_segments(judged, runs, systems)
    place = {name: i for i, name in enumerate(segments)}
    human = _given("human", judged.human or {}, systems, place, "human" not in lower)
    scored = {
        name: _given(name, cells, systems, place, name not in lower and higher_is_better(name))
        for name, cells in metrics.items()
    }
    scored |= _of_runs(runs, systems, place, lower)
    for name in lower:
        if name != "human" and name not in scored:
            raise FstmetricsError(f"there is no metric {name!r}; there are {', '.join(scored)}")
    table = ScoreTable(systems, segments, human, scored, _documents(parts, segments))
    return table, tuple(_remarks(judged, systems, runs))


def _judged(parts: Sequence[Part]) -> Part:
    found = [part for part in parts if part.human is not None]
    if not found:
        raise FstmetricsError(
            f"no human scores: none of the tables has a column {', '.join(HUMAN[:-1])} or {HUMAN[-1]}; --human COLUMN "
            "names another"
        )
    if len(found) > 1:
        raise FstmetricsError(f"human scores in {found[0].path} and in {found[1].path}; give one of them")
    return found[0]


def _check_runs(runs: Sequence[Run]) -> None:
    seen: dict[tuple[str, str], Run] = {}
    for run in runs:
        if not run.metric.columns:
            raise FstmetricsError(
                f"{run.name} has no scores of segments: it is computed from whole corpora only"
            )
        key = (run.name, run.system)
        if key in seen:
            raise FstmetricsError(
                f"{run.name} of {run.system} twice: {seen[key].path} and {run.path}; NAME=FILE renames a system"
            )
        seen[key] = run
        if len(run.ids) != len(runs[0].ids):
            raise FstmetricsError(
                f"{len(run.ids)} segments in {run.path}, but {len(runs[0].ids)} in {runs[0].path}"
            )
        if set(run.ids) != set(runs[0].ids):
            alien = next(id for id in run.ids if id not in set(runs[0].ids))
            raise FstmetricsError(f"segment {alien} is in {run.path}, but not in {runs[0].path}")


def _metric_cells(parts: Sequence[Part]) -> dict[str, dict[Cell, float]]:
    found: dict[str, dict[Cell, float]] = {}
    homes: dict[str, str] = {}
    for part in parts:
        for name, cells in part.metrics.items():
            if name in found:
                raise FstmetricsError(
                    f"scores of {name} in {homes[name]} and in {part.path}; give one of them"
                )
            found[name], homes[name] = cells, part.path
    return found


def _systems(judged: Part, metrics: dict[str, dict[Cell, float]], runs: Sequence[Run]) -> tuple[str, ...]:
    """Systems of which there are scores of every metric, in the order of the human table."""
    by_metric = {name: dict.fromkeys(system for system, _ in cells) for name, cells in metrics.items()}
    for run in runs:
        by_metric.setdefault(run.name, {})[run.system] = None
    if not by_metric:
        raise FstmetricsError(
            "no metric: give a table with a column of one, records, or outputs and --ref REF"
        )
    human = dict.fromkeys(system for system, _ in judged.rows)
    every = dict.fromkeys(system for names in by_metric.values() for system in names)
    if strange := [name for name in every if name not in human]:
        others = [name for name in human if name not in every]
        hint = f"; without scores of a metric: {', '.join(others)}" if others else ""
        raise FstmetricsError(
            f"no human scores of {', '.join(strange)} in {judged.path}{hint} (NAME=FILE says which system a file is of)"
        )
    for metric, names in by_metric.items():
        if lacking := [name for name in every if name not in names]:
            raise FstmetricsError(f"no scores of {metric} for {', '.join(lacking)}, which other metrics have")
    return tuple(name for name in human if name in every)


def _segments(parts: Sequence[Part], runs: Sequence[Run]) -> Iterable[str]:
    if runs:
        yield from runs[0].ids
    for part in parts:
        yield from (segment for _, segment in part.rows)


def _check_segments(judged: Part, runs: Sequence[Run], systems: Sequence[str]) -> None:
    """Every segment that people have judged is in the runs; where they judged all of every system, so many are."""
    if not runs:
        return
    known = set(runs[0].ids)
    judged_of: dict[str, list[str]] = {name: [] for name in systems}
    for system, segment in judged.rows:
        if system in judged_of:
            judged_of[system].append(segment)
    complete = len({tuple(sorted(found)) for found in judged_of.values()}) == 1
    for system, found in judged_of.items():
        strange = next((segment for segment in found if segment not in known), None)
        if strange is None and (not complete or len(found) == len(known)):
            continue
        what = f": there is no segment {strange} there" if strange is not None else ""
        raise InputError(
            f"{len(found)} segments of {system}, but {len(known)} in {runs[0].path}{what}", judged.path
        )


def _given(
    name: str, cells: dict[Cell, float], systems: Sequence[str], place: dict[str, int], higher: bool
) -> Scored:
    scores = np.full((len(systems), len(place)), np.nan)
    row = {system: i for i, system in enumerate(systems)}
    for (system, segment), score in cells.items():
        if system in row:
            scores[row[system], place[segment]] = score
    return Scored.given(name, scores, higher)


def _of_runs(
    runs: Sequence[Run], systems: Sequence[str], place: dict[str, int], lower: Sequence[str]
) -> dict[str, Scored]:
    by_metric: dict[str, dict[str, Run]] = {}
    for run in runs:
        by_metric.setdefault(run.name, {})[run.system] = run
    found = {}
    for name, of in by_metric.items():
        metric = of[systems[0]].metric
        alike = all(run.metric == metric for run in of.values())
        if not alike or name in lower:  # scores only
            metric = GivenScores(name, metric.recognition and name not in lower)
        tables = {
            system: run.values if alike and name not in lower else _scores(run) for system, run in of.items()
        }
        values = np.zeros((len(systems), len(place), next(iter(tables.values())).shape[1]))
        present = np.zeros(values.shape[:2], dtype=bool)
        for i, system in enumerate(systems):
            where = [place[id] for id in of[system].ids]
            values[i, where], present[i, where] = tables[system], of[system].present
        found[name] = Scored(metric, values, present)
    return found


def _scores(run: Run) -> Table:
    return summands(run.metric.scores_of_items(run.values))


def _documents(parts: Sequence[Part], segments: Sequence[str]) -> tuple[str, ...] | None:
    known: dict[str, str] = {}
    for part in parts:
        known |= part.documents
    if not known:
        return None
    if lacking := [segment for segment in segments if segment not in known]:
        raise FstmetricsError(f"no document is given for segment {lacking[0]}")
    return tuple(known[segment] for segment in segments)


def _remarks(judged: Part, systems: Sequence[str], runs: Sequence[Run]) -> Iterable[str]:
    left = [name for name in dict.fromkeys(system for system, _ in judged.rows) if name not in systems]
    if left:
        yield f"left out, as only {judged.path} has them: {', '.join(left)}"
    if judged.ratings is not None:
        number = len(set(judged.ratings.assessors))
        how = "standardised by assessor" if judged.standardised else "averaged as they are"
        yield f"human scores of {number} assessor{'' if number == 1 else 's'}, {how}"
    means = dict.fromkeys(run.name for run in runs if isinstance(run.metric, GivenScores))
    if means:
        yield f"scores of systems are means of those of segments: {', '.join(means)}"


def system_name(stem: str, known: Iterable[str]) -> str:
    """The system that a file is of: the longest known one between dots in the file's stem; else the stem.

    >>> system_name("hyp.Online-W.de", ["W", "Online-W"]), system_name("mine", ["Online-W"])
    ('Online-W', 'mine')
    """
    found = [name for name in known if f".{name}." in f".{stem}."]
    return max(found, key=len, default=stem)
