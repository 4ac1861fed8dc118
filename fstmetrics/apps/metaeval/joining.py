"""Tables and runs of the same systems and segments, joined: `join`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics import FstmetricsError, InputError
from fstmetrics.analysis.scored_runs import Run, refuse_unlike
from fstmetrics.apps.metaeval.table import Scored, ScoreTable
from fstmetrics.io.scores.score_cells import HUMAN, ScoreFile
from fstmetrics.metrics.corpus_metric import summands
from fstmetrics.metrics.given_scores import Directions, GivenScores, are_turned
from fstmetrics.scoring.why_unpaired import refuse_shifted, shift_remark
from fstmetrics.support.file_sets import numbered
from fstmetrics.support.names import folded_id, listed, spelled_alike
from fstmetrics.support.printable import counted

if TYPE_CHECKING:
    from fstmetrics.apps.metaeval.coefficients import Integers
    from fstmetrics.io.scores.score_cells import Floats
    from fstmetrics.metrics.corpus_metric import Table

# What to do about people who judged only some of the segments that have numbers.
SAMPLE = (
    ", where segments have numbers only: if people judged a sample, add a row with an empty score for each segment "
    "that they did not judge, or give all files ids"
)
# Of one metric, the files that have its scores, and the scores there.
Columns = list[tuple[ScoreFile, "Floats"]]


def join(
    parts: Sequence[ScoreFile],
    runs: Sequence[Run],
    lower: str | Sequence[str] = (),
    higher: str | Sequence[str] = (),
) -> tuple[ScoreTable, tuple[str, ...]]:
    """Join what tables and runs say. Systems and segments come by their names, whatever the order of lines: resamples
    and sums are the same then.

    Args:
        parts: tables; one of them has people's scores.
        runs: one system under one metric each.
        lower: names of columns (people's is `human`, too) of which the lower score is better; error rates are known
            by their names, of people's scores as of metrics.
        higher: the same of those of which the higher score is better.

    Returns:
        All scores, and remarks on what was left out.

    Raises:
        FstmetricsError: no human scores or no metric, or systems or segments that do not fit, by name.
    """
    _check_runs(runs)
    directions = Directions.given(lower, higher)
    parts, runs, respelled = _spelled_alike(parts, runs)
    judged = _judged(parts)
    metrics = _columns(parts)
    systems = tuple(sorted(_systems(judged, metrics, runs), key=numbered))
    segments = tuple(sorted(_segments(parts, runs), key=numbered))
    place = _Places(segments)
    _check_segments(judged, runs, systems)
    of_people = [(file, file.human) for file in parts if file.human is not None]
    given = [scores if file.ratings is None else file.ratings for file, scores in of_people]
    is_higher = directions.higher_is_better(judged.human_name, given, "human")
    human = _given("human" if is_higher else judged.human_name, of_people, systems, place, is_higher)
    _check_human(judged, human, len(systems) < len(judged.systems))
    scored = {
        name: _given(name, found, systems, place, directions.higher_is_better(name, (v for _, v in found)))
        for name, found in metrics.items()
    }
    scored |= _of_runs(runs, systems, place, directions)
    _check_overlap(
        judged, human, scored, {run.name: run for run in runs} | {n: f[0][0] for n, f in metrics.items()}
    )
    directions.check([*scored, judged.human_name, *({"human"} - {judged.human_name})])
    table = ScoreTable(
        systems,
        segments,
        human,
        scored,
        _fields(parts, segments, "document"),
        _fields(parts, segments, "domain"),
    )
    again = [name for name in directions.lower if name in metrics and are_turned(v for _, v in metrics[name])]
    turned = [name for name in metrics if scored[name].sign < 0 and directions.told(name) is None]
    return table, (*respelled, *_remarks(judged, table, turned, again), *_shifted(judged, parts))


def _judged(parts: Sequence[ScoreFile]) -> ScoreFile:
    for part in parts:
        if part.level in ("document", "domain"):
            raise InputError(
                f"scores of {part.level}s: correlate reads those of segments (.seg.score) and of systems (.sys.score)",
                part.path,
            )
    found = [part for part in parts if part.human is not None]
    if not found:
        names = ", ".join(part.name for part in parts if part.segments is None)
        which = (
            f"; --human NAME says which of {names} they are" if names else "; --human COLUMN names another"
        )
        raise FstmetricsError(
            f"no human scores: none of the tables has a column {', '.join(HUMAN[:-1])} or {HUMAN[-1]}{which}"
        )
    for level in ("segment", "system"):
        of_level = [part for part in found if part.level == level]
        if len(of_level) > 1:
            raise FstmetricsError(
                f"human scores in {of_level[0].path} and in {of_level[1].path}; give one of them, or, of other systems "
                "or people, one file with the lines of both"
            )
    return min(found, key=lambda part: part.level == "system")


def _check_runs(runs: Sequence[Run]) -> None:
    seen: dict[tuple[str, str], Run] = {}
    first: dict[str, Run] = {}
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
        if run.ids != runs[0].ids and set(run.ids) != set(runs[0].ids):
            alien = next(id for id in run.ids if id not in set(runs[0].ids))
            raise FstmetricsError(f"segment {alien} is in {run.path}, but not in {runs[0].path}")
        refuse_unlike(first.setdefault(run.name, run), run)


def _spelled_alike(
    parts: Sequence[ScoreFile], runs: Sequence[Run]
) -> tuple[Sequence[ScoreFile], Sequence[Run], list[str]]:
    """The same with one spelling of the id of each segment, and what is said of those that are spelled otherwise.

    Raises:
        FstmetricsError: segments are numbered from 0 in one file, and from 1 in another.
    """
    of_segments = [part for part in parts if part.level == "segment"]
    counted_only = [part for part in of_segments if part.is_numbered][:1]
    named = [part for part in of_segments if not part.is_numbered]
    files: list[ScoreFile | Run] = [*counted_only, *named, *runs[:1]]
    ids = [file.ids for file in files]
    if len(set(map(frozenset, ids))) < 2:
        return parts, runs, []
    spelled = spelled_alike(ids) or ids
    refuse_shifted((file.path, set(map(folded_id, file.ids))) for file in files)
    new = {
        file.path: dict(zip(*sides, strict=True)) for file, *sides in zip(files, ids, spelled, strict=True)
    }
    said = []
    for path, changes in new.items():
        if different := next(((own, other) for own, other in changes.items() if own != other), None):
            said.append(
                f"{path}: segments are written otherwise than elsewhere ({', '.join(different)}): paired all the same"
            )

    def ids_of(file: ScoreFile | Run, path: str) -> tuple[str, ...]:
        return tuple(map(new[path].__getitem__, file.ids))

    return (
        [replace(part, segments=ids_of(part, part.path)) if part in named else part for part in parts],
        [replace(run, ids=ids_of(run, runs[0].path)) for run in runs],
        said,
    )


def _columns(parts: Sequence[ScoreFile]) -> dict[str, Columns]:
    """The columns of each metric: of segments, of whole systems, or both; files may be of a system each."""
    found: dict[str, Columns] = {}
    for part in parts:
        for name, values in part.columns.items():
            own = _scored_systems([(part, values)])
            for other in found.setdefault(name, []):
                twice = [system for system in _scored_systems([other]) if system in own]
                if other[0].level == part.level and twice:
                    raise FstmetricsError(
                        f"scores of {name} in {other[0].path} and in {part.path}, both of {listed(twice)}; give one of "
                        f"them, or, if each is of a system, say of which: {name}:SYSTEM=FILE"
                    )
            found[name].append((part, values))
    for name, columns in found.items():
        for level in ("segment", "system"):
            _check_varies(name, [each for each in columns if each[0].level == level])
    return found


def _check_varies(name: str, columns: Columns) -> None:
    """Raise an InputError for a metric that always gives the same score."""
    there = np.concatenate([values[~np.isnan(values)] for _, values in columns] or [np.empty(0)])
    if len(there) > 1 and (there == there[0]).all():
        path = columns[0][0].path
        raise InputError(f"all scores of {name} are {there[0]:g}, so nothing correlates with them", path)


def _check_human(judged: ScoreFile, human: Scored, left_out: bool) -> None:
    """Raise an InputError for human scores that are all missing, all the same, or nowhere of the same segment."""
    given = [human.items.ravel(), *([] if human.systems is None else [human.systems])]
    there = [values[np.isfinite(values)] for values in given]
    of = " of the systems with scores of metrics" if left_out else ""
    if not any(map(len, there)):
        raise InputError(f"all human scores{of} are missing, so nothing correlates with them", judged.path)
    if max(map(len, there)) > 1 and all((values == values[0]).all() for values in there if len(values)):
        first = next(values[0] for values in there if len(values))
        raise InputError(f"all human scores{of} are {first:g}, so nothing correlates with them", judged.path)
    judgments = human.present.sum(axis=0)
    if human.systems is None and len(human.present) > 1 and judgments.max() == 1:
        which = "both systems" if len(human.present) == 2 else "two systems"
        raise InputError(f"no segment is judged for {which}, so systems cannot be compared", judged.path)


def _systems(judged: ScoreFile, metrics: dict[str, Columns], runs: Sequence[Run]) -> tuple[str, ...]:
    """Systems of which there are scores of every metric, in the order of the human table."""
    by_metric = {name: _scored_systems(found) for name, found in metrics.items()}
    for run in runs:
        by_metric.setdefault(run.name, {})[run.system] = None
    if not by_metric:
        raise FstmetricsError(
            "no metric: give a table with a column of one, records, or outputs and --ref REF"
        )
    human = judged.systems
    every = dict.fromkeys(system for names in by_metric.values() for system in names)
    if strange := [name for name in every if name not in human]:
        others = [name for name in human if name not in every]
        hint = f"; without scores of a metric: {', '.join(others)}" if others else ""
        of_runs = any(run.system in strange for run in runs)
        advice = (
            "NAME=FILE says which system a file is of, --rename OLD=NEW what files of scores should call one"
            if of_runs
            else f"--rename {strange[0]}=NAME says what human scores call it"
        )
        raise FstmetricsError(f"no human scores of {', '.join(strange)} in {judged.path}{hint} ({advice})")
    for metric, names in by_metric.items():
        if lacking := [name for name in every if name not in names]:
            raise FstmetricsError(
                f"no scores of {metric} for {', '.join(lacking)}, which other metrics have (--rename OLD=NEW says what "
                "files of scores should call a system)"
            )
    return tuple(name for name in human if name in every)


def _scored_systems(found: Columns) -> dict[str, None]:
    """Systems that have a score, by their names."""
    there = {
        system
        for part, values in found
        for system, row in zip(part.systems, values, strict=True)
        if not np.isnan(row).all()
    }
    return dict.fromkeys(sorted(there, key=numbered))


def _segments(parts: Sequence[ScoreFile], runs: Sequence[Run]) -> tuple[str, ...]:
    """Ids of all segments. Files that number theirs by place must have as many as every other has.

    Raises:
        InputError: one of another number, which is of another test set.
    """
    of_segments = [part for part in parts if part.level == "segment"]
    ids = [*(run.ids for run in runs[:1]), *(part.ids for part in of_segments)]
    every = ids[0] if ids else ()
    if any(each != every for each in ids):
        every = tuple(dict.fromkeys(id for each in ids for id in each))
    numbered = [part for part in of_segments if part.is_numbered]
    for part in numbered:
        _check_count(part, numbered[0].path, len(numbered[0].ids))
        if runs:
            _check_count(part, runs[0].path, len(runs[0].ids))
    for part in of_segments if numbered else ():
        known = set(numbered[0].ids)
        if strange := next((id for id in part.ids if id not in known), None):
            raise InputError(
                f"a segment {strange}, but {numbered[0].path} has {len(known)} segments: scores of another test set?",
                part.path,
            )
    return every


class _Places:
    """Where segments are among all of them.

    Args:
        segments: their ids.
    """

    def __init__(self, segments: tuple[str, ...]) -> None:
        self._segments = segments

    def __len__(self) -> int:
        return len(self._segments)

    @cached_property
    def _known(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self._segments)}

    def of(self, ids: tuple[str, ...]) -> Integers | slice:
        """The places of some, all of them known."""
        if ids == self._segments:
            return slice(None)
        return np.fromiter((self._known[id] for id in ids), dtype=np.intp, count=len(ids))


def _check_count(part: ScoreFile, path: str, count: int) -> None:
    if len(part.ids) != count:
        raise InputError(
            f"{len(part.ids)} segments of each system, but {count} in {path}: scores of another test set?",
            part.path,
        )


def _check_segments(judged: ScoreFile, runs: Sequence[Run], systems: Sequence[str]) -> None:
    """Every segment that people have judged is in the runs; where these have numbers only, and people judged the same
    ones of every system, so many are.
    """
    if not runs or judged.level == "system":
        return
    known = set(runs[0].ids)
    rows = [judged.listed[judged.systems.index(name)] for name in systems]
    from_0 = known == set(map(str, range(len(known))))
    complete = (from_0 or runs[0].is_numbered) and all((row == rows[0]).all() for row in rows)
    for system, row in zip(systems, rows, strict=True):
        found = [id for id, there in zip(judged.ids, row, strict=True) if there]
        strange = next((id for id in found if id not in known), None)
        if strange is None and (not complete or len(found) == len(known)):
            continue
        what = f": there is no segment {strange} there" if strange is not None else SAMPLE
        if from_0:
            what += f"; {runs[0].path} numbers them from 0"
        raise InputError(
            f"{len(found)} segments of {system}, but {len(known)} in {runs[0].path}{what}", judged.path
        )


def _check_overlap(
    judged: ScoreFile, human: Scored, metrics: Mapping[str, Scored], files: Mapping[str, ScoreFile | Run]
) -> None:
    """Raise an InputError for a metric that has scores of segments, and none of those that people judged."""
    for name, scored in metrics.items():
        if human.present.any() and scored.present.any() and not (human.present & scored.present).any():
            raise InputError(
                f"no segment that people judged has a score of {name}: they judged {listed(judged.ids)}, and "
                f"{files[name].path} has {listed(files[name].ids)}",
                judged.path,
            )


def _given(name: str, found: Columns, systems: tuple[str, ...], place: _Places, higher: bool) -> Scored:
    scores: Floats | None = None
    whole: Floats | None = None
    for part, values in found:
        where = slice(None) if part.level == "system" else place.of(part.ids)
        own = values
        if part.systems != systems or not isinstance(where, slice):
            own = np.full((len(systems), 1 if part.level == "system" else len(place)), np.nan)
            for row, system in zip(own, systems, strict=True):
                if system in part.systems:
                    row[where] = values[part.systems.index(system)]
        if part.level == "system":
            whole = _filled(whole, own[:, 0])
        else:
            scores = _filled(scores, own)
    if scores is None:
        scores = np.full((len(systems), len(place)), np.nan)
    return replace(Scored.given(name, scores, higher), systems=whole)


def _filled(scores: Floats | None, others: Floats) -> Floats:
    """The scores of a file, and those of others that it has not."""
    return others if scores is None else np.where(np.isnan(scores), others, scores)


def _of_runs(
    runs: Sequence[Run], systems: Sequence[str], place: _Places, directions: Directions
) -> dict[str, Scored]:
    by_metric: dict[str, dict[str, Run]] = {}
    for run in runs:
        by_metric.setdefault(run.name, {})[run.system] = run
    found = {}
    for name, of in by_metric.items():
        metric = of[systems[0]].metric
        alike = all(run.metric == metric for run in of.values())
        higher = directions.told(name)
        if not alike or higher is not None:  # scores only
            metric, alike = GivenScores(name, metric.recognition if higher is None else higher), False
        tables = {system: run.values if alike else _scores(run) for system, run in of.items()}
        width, kind = next(iter(tables.values())).shape[1], np.result_type(*tables.values())
        values = np.zeros((len(systems), len(place), width), dtype=kind)
        present = np.zeros(values.shape[:2], dtype=bool)
        for i, system in enumerate(systems):
            where = place.of(of[system].ids)
            values[i, where], present[i, where] = tables[system], of[system].present
        found[name] = Scored(metric, values, present)
    return found


def _scores(run: Run) -> Table:
    return summands(run.metric.scores_of_items(run.values.astype(np.float64, copy=False)))


def _fields(parts: Sequence[ScoreFile], segments: Sequence[str], what: str) -> tuple[str, ...] | None:
    """The document or the domain of each segment; None where no file has them."""
    known: dict[str, str] = {}
    for part in parts:
        if (given := part.documents if what == "document" else part.domains) is not None:
            known |= dict(zip(part.ids, given, strict=True))
    if not known:
        return None
    if lacking := [segment for segment in segments if segment not in known]:
        raise FstmetricsError(f"no {what} is given for segment {lacking[0]}")
    return tuple(known[segment] for segment in segments)


def _remarks(
    judged: ScoreFile, table: ScoreTable, turned: Sequence[str], again: Sequence[str]
) -> Iterable[str]:
    segments = int(table.human.present.any(axis=0).sum())
    if 0 < segments < len(table.segments):
        yield f"human scores of {segments} of {counted(len(table.segments), 'segment')}"
    left = [name for name in judged.systems if name not in table.systems]
    if left:
        yield f"left out, as only {judged.path} has them: {', '.join(left)}"
    if table.human.sign < 0:
        yield f"human scores {table.human.metric.name}: lower is better"
    if turned:
        yield f"lower is better, by their names: {', '.join(turned)}; --higher NAMES says otherwise"
    if again:
        yield f"--lower of scores that are all 0 or below, as if turned round already: {', '.join(again)}"
    if number := judged.assessors:
        how = "standardised by assessor" if judged.standardised else "averaged as they are"
        yield f"human scores of {counted(number, 'assessor')}, {how}"
    yield from _lacking(table)
    means: dict[int, list[str]] = {}
    for name, scored in table.metrics.items():
        if scored.systems is None and isinstance(scored.metric, GivenScores) and scored.present.any():
            means.setdefault(int(scored.present.any(axis=0).sum()), []).append(name)
    for number, names in means.items():
        yield f"scores of systems are means of those of {counted(number, 'segment')}: {listed(names, 8)}"


def _lacking(table: ScoreTable) -> Iterable[str]:
    """Scores of systems that are of unlike segments: how many a system lacks, of those that any has; and metrics that
    lack segments of people's."""
    judged = table.human.present.any(axis=0)
    for name, scored in (("human scores", table.human), *table.metrics.items()):
        there = scored.present
        if (lacks := int((judged & ~there.any(axis=0)).sum())) and there.any():
            yield f"{name}: scores of {judged.sum() - lacks} of the {judged.sum()} segments that people judged"
        if scored.systems is not None:
            continue
        numbers = (there.any(axis=0) & ~there).sum(axis=1)
        lacking = [
            f"{table.systems[place]} lacks {numbers[place]}"
            for place in np.flatnonzero(numbers)
            if there[place].any()
        ]
        if lacking:
            yield f"{name}: systems have scores of unlike segments; {listed(lacking, 8)}"


def _shifted(judged: ScoreFile, parts: Sequence[ScoreFile]) -> Iterable[str]:
    """What is said of files that may count segments from 0 and from 1, as one of them has only some."""
    for part in parts:
        if judged.level == part.level == "segment" and not (judged.is_numbered and part.is_numbered):
            one, other = ((file.path, set(map(folded_id, file.ids))) for file in (judged, part))
            yield from filter(None, (shift_remark(one, other), shift_remark(other, one)))
