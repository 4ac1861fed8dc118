"""The inputs of `correlate`: `read_inputs` reads tables, records and outputs, recognised by their first lines."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fstmetrics import CorpusMetric, FstmetricsError, InputError, SearchOptions
from fstmetrics.analysis.scored_runs import Run, is_records, numbered, read_run
from fstmetrics.apps.metaeval.joining import join
from fstmetrics.apps.metaeval.ranking_files import is_rankings
from fstmetrics.apps.metaeval.table import Scored, ScoreTable
from fstmetrics.engine.signatures import path_conditions, signature_of
from fstmetrics.io.scores.score_cells import (
    ScoreFile,
    first_line,
    head_advice,
    is_number,
    known_systems,
    split_head,
)
from fstmetrics.io.scores.score_files import (
    ScoreFolder,
    is_score_folder,
    is_scores,
    language_pairs,
    read_scores,
    refuse_other_lines,
    score_folder,
)
from fstmetrics.metrics.given_scores import Directions
from fstmetrics.scoring.request import Request
from fstmetrics.significance.block_statistics import SystemStatistics, is_searched, system_remarks
from fstmetrics.significance.score_inputs import refuse_others
from fstmetrics.significance.system_outputs import Columns, read_columns, refuse_plain_hyter
from fstmetrics.support.names import listed
from fstmetrics.support.progress import listener
from fstmetrics.support.source import Source, named_path, open_text


@dataclass(frozen=True)
class _File:
    """A file, and the system that it was said to be of."""

    path: str
    source: Source
    name: str | None

    @property
    def argument(self) -> str:
        """As it was given: files of one stem may differ in the name."""
        return f"{self.name}={self.path}" if self.name else self.path

    def system(self, known: Sequence[str]) -> str:
        stem = self.source.stem
        return self.name or known_systems([stem], known).get(stem, stem)


def read_inputs(
    files: Sequence[str],
    references: Sequence[str],
    networks: str | None,
    metrics: Sequence[CorpusMetric],
    request: Request,
    human: str | None,
    directions: Directions,
    standardise: bool = True,
    pair: str | None = None,
    metric_references: str | None = None,
    renamed: Sequence[str] = (),
    source: Source | None = None,
    has_segments: bool = True,
) -> tuple[ScoreTable, tuple[str, ...], list[str]]:
    """Read tables and records, score outputs, and join them all.

    Args:
        files: paths, or NAME=PATH to say of which system; METRIC:SYSTEM=PATH of scores of one system.
        references: of the outputs.
        networks: reference networks of the outputs, for HyTER, or None.
        metrics: to score outputs with.
        request: how to read and change words.
        human: the column of people's scores, if it is not called by one of the known names.
        directions: of which columns the lower or the higher score is better.
        standardise: whether to standardise the scores of each assessor, where a table tells them apart.
        pair: the language pair of a folder of WMT's.
        metric_references: the references that its metrics had.
        renamed: OLD=NEW of systems in files of scores.
        source: the one file, where it is open.
        has_segments: whether anything is said of segments, and not only of systems.

    Returns:
        The scores, remarks, and the signatures of metrics that outputs were scored with.

    Raises:
        FstmetricsError: a file that cannot be read, or scores that do not fit together.
    """
    _check_folders(files, pair, metric_references)
    folders = [score_folder(path, pair, human, metric_references) for path in files if is_score_folder(path)]
    named = [named_path(argument) for argument in files if not is_score_folder(argument)]
    opened = [_File(path, open_text(path) if source is None else source, name) for name, path in named]
    singles = [file for file in opened if _is_of_one_system(file)]
    tables = [file for file in opened if file not in singles and is_scores(file.source)]
    records = [file for file in opened if file not in singles and is_records(file.source)]
    outputs = [file for file in opened if not any(file in read for read in (singles, tables, records))]
    for file in outputs:
        if is_rankings(file.source):
            raise InputError(
                "rankings of systems; `fstmetrics rankings FILE` counts who is preferred", file.path
            )
    given = bool(references) or networks is not None
    if outputs and not given:
        if outputs[0].source.content and is_number(first_line(outputs[0].source)):
            raise InputError(
                "one score a line, of no system; METRIC:SYSTEM=FILE says of which (comet:UEdin=FILE), or write lines "
                "SYSTEM<TAB>score",
                outputs[0].path,
            )
        raise InputError(
            "no table of scores (its first line names the columns system and segment) and no records"
            + (head_advice(outputs[0].source) or "; if it is a system's output, give --ref REF"),
            outputs[0].path,
        )
    if any(file.path == "-" for file in outputs):
        raise FstmetricsError("outputs cannot come from standard input (-), only tables and records")
    if given and not outputs:
        raise FstmetricsError("--ref and --networks are for systems' outputs, and none was given")
    parts = [
        read_scores(file.source, human=human, standardise=standardise, name=file.name) for file in tables
    ]
    parts += [file for folder in folders for file in folder.files]
    if human and all(part.human is None for part in parts) and os.path.isfile(human):
        told = " ".join(dict.fromkeys([human, *files]))
        raise FstmetricsError(
            f"--human names a column, and {human} is a file: files of scores stand among the arguments, as in "
            f"`fstmetrics correlate {told}`; if people's scores have a column of another name there, --human COLUMN "
            "names it"
        )
    columns_there = [name for part in parts for name in part.columns]
    if human and columns_there and all(part.human is None for part in parts):
        raise FstmetricsError(
            f"--human takes one column, and no table has {human!r:.80}; there are {listed(columns_there, 8)}"
        )
    parts = _renamed(parts, renamed)
    known = list(dict.fromkeys(system for part in parts if part.human is not None for system in part.systems))
    parts, called = _called(parts, known)
    of_one = [_scores_of_one(file, directions) for file in singles]
    runs = [run for run, _ in of_one]
    for name in {run.name for run in runs}:
        own = [run for run, file in of_one if run.name == name and file.segments is None]
        refuse_other_lines([run.values[run.present, 0] for run in own], own[-1].path if own else "")
    runs += [read_run(file.source, file.system(known)) for file in records]
    remarks: tuple[str, ...] = ()
    signatures: list[str] = []
    if outputs:
        columns = read_columns(
            request, [file.argument for file in outputs], references, networks, in_columns=True
        )
        refuse_plain_hyter(metrics, columns.networks or columns.references, request)
        names = [file.system(known) for file in outputs]
        ids = _ids(columns, outputs, parts, networks)
        found, scored, signatures = _scored(columns, outputs, names, metrics, request, ids)
        runs, remarks = (
            runs + found,
            (*columns.remarks, *scored),
        )
        texts = dict(zip(names, columns.systems.values(), strict=True))
        _check_translations(of_one, parts, texts, ids)
        if request.missing == "skip":
            parts = [part.of_segments(ids) for part in parts]
    table, more = join(parts, runs, directions.lower, directions.higher)
    of_segments = [part.is_numbered for part in parts if part.level == "segment"]
    by_place = has_segments and any([*of_segments, *(run.is_numbered for run in runs)])
    return (
        table,
        (
            *remarks,
            *(_of_pooled(tables) if by_place else ()),
            *called,
            *more,
            *(remark for folder in folders for remark in _of_folder(folder)),
            *(
                f"human scores are {part.human_name} of {part.path}; --human {part.human_others[0]} takes that column"
                for part in parts
                if part.human_others
            ),
            *(f"{part.path}: no numbers in {listed(part.texts)}, left out" for part in parts if part.texts),
        ),
        signatures,
    )


def _is_of_one_system(file: _File) -> bool:
    """Whether METRIC:SYSTEM=FILE has scores, one a line or of any other kind."""
    metric, _, system = (file.name or "").partition(":")
    of_lines = len(file.source.content) > 0 and is_number(first_line(file.source))
    return bool(metric and system) and (of_lines or is_scores(file.source))


def _scores_of_one(file: _File, directions: Directions) -> tuple[Run, ScoreFile]:
    """The scores of METRIC:SYSTEM=FILE, and the file.

    Raises:
        InputError: no file of scores of segments, or of several systems, none of which is called so.
    """
    metric, _, system = (file.name or "").partition(":")
    scores = read_scores(file.source, name=metric)
    if scores.level != "segment":
        raise InputError(
            f"scores of {scores.level}s; METRIC:SYSTEM=FILE is for scores of segments", file.path
        )
    column = scores.column(metric)
    values = column[scores.systems.index(system)] if system in scores.systems else scores.of(system)
    given = Scored.given(metric, values[None], directions.higher_is_better(metric, [values]))
    found = (given.metric, scores.ids, given.rows(0), given.present[0])
    return Run(file.path, system, metric, *found, is_numbered=scores.is_numbered), scores


def _check_translations(
    of_one: Sequence[tuple[Run, ScoreFile]],
    parts: Sequence[ScoreFile],
    outputs: Mapping[str, Sequence[Any]],
    ids: Sequence[str],
) -> None:
    """Raise an InputError for scores of other translations than the outputs, where a file has them."""
    given = [(run.system, run.name, file) for run, file in of_one if run.system in outputs]
    given += [
        (system, name, part)
        for part in parts
        for system in part.systems
        if system in outputs
        for name in part.columns
    ]
    for system, name, file in given:
        places = {id: place for place, id in enumerate(file.ids)} if file.translations else {}
        if places.keys() >= set(ids):
            refuse_others(file, name, system, [places[id] for id in ids], outputs[system])


def _renamed(parts: Sequence[ScoreFile], renamed: Sequence[str]) -> list[ScoreFile]:
    """The same with the names of systems that --rename gives.

    Raises:
        FstmetricsError: not OLD=NEW, a system that no file has, or a new name that another system of a file has.
    """
    names: dict[str, str] = {}
    for each in renamed:
        old, _, new = each.partition("=")
        if not old or not new or names.get(old, new) != new:
            raise FstmetricsError(f"--rename is OLD=NEW, once for each system, not {each!r:.80}")
        if not any(old in part.systems for part in parts):
            there = dict.fromkeys(system for part in parts for system in part.systems)
            raise FstmetricsError(
                f"--rename: no file of scores has a system {old}; there are {listed(list(there), 8)}"
            )
        names[old] = new
    return [part.renamed(names) for part in parts]


def _called(parts: Sequence[ScoreFile], known: Sequence[str]) -> tuple[list[ScoreFile], list[str]]:
    """The same with systems called as people's scores call them, as outputs are, and what is said of those."""
    found, said = [], []
    for part in parts:
        names = known_systems(part.systems, known) if part.human is None else {}
        if changed := [f"{name} is {other}" for name, other in names.items() if name != other]:
            said.append(f"{part.path}: systems are called as in people's scores: {listed(changed)}")
        found.append(part.renamed(names))
    return found, said


def _check_folders(files: Sequence[str], *of_folders: str | None) -> None:
    """Raise an error for folders that are not WMT's, and for what is said of a folder where there is none."""
    folders = [path for path in files if Path(path).is_dir()]
    for path in folders:
        if not is_score_folder(path):
            raise InputError("a folder without human-scores; WMT's metrics data have it, as wmt21.news", path)
    if not folders and any(each is not None for each in of_folders):
        raise FstmetricsError("--language-pair and --metric-refs are for a folder of WMT's metrics data")


def read_pairs(
    files: Sequence[str], human: str | None, metric_references: str | None, directions: Directions
) -> tuple[dict[str, ScoreTable], list[str]]:
    """The scores of every language pair of a folder of WMT's, for tasks, and remarks.

    Raises:
        FstmetricsError: anything but one such folder; or as of `read_inputs`.
    """
    if len(files) != 1 or not is_score_folder(files[0]):
        raise FstmetricsError(
            "--tasks takes one folder of WMT's metrics data, with human-scores and metric-scores"
        )
    tables, remarks = {}, []
    for pair in language_pairs(files[0]):
        folder = score_folder(files[0], pair, human, metric_references)
        tables[pair], more = join(folder.files, [], directions.lower, directions.higher)
        remarks += [*_of_folder(folder), *more]
    return tables, remarks


def _of_folder(folder: ScoreFolder) -> list[str]:
    """What was chosen of a folder, and what was left out."""
    chosen = f"{folder.path}: {folder.pair}, human scores {folder.human}"
    if folder.references:
        chosen += f", metrics with the references {folder.references}"
    others = folder.left_out
    return [chosen, *([f"left out, as not all have scores of them: {', '.join(others)}"] if others else [])]


def _of_pooled(tables: Sequence[_File]) -> Iterator[str]:
    """What there is to say of WMT's direct assessments, whose segments need not be numbered as lines are."""
    for file in tables:
        if {"SYS", "SID"} <= set(split_head(first_line(file.source))):
            yield (
                f"{file.path}: SID need not be the line of the test set's files, as which it is taken here "
                "(docs/correlation.md); --level system leaves out what is said of segments"
            )


def _ids(
    columns: Columns, outputs: Sequence[_File], parts: Sequence[ScoreFile], networks: str | None
) -> tuple[str, ...]:
    """The ids of the segments of outputs, or their numbers.

    Outputs without ids pair by order, and their segments have numbers: from 1, as WMT has them, or from 0 where tables
    have just these. Networks that are numbered from 0, as `network build` writes them, say nothing else.

    Raises:
        FstmetricsError: such networks, and tables that may be numbered from 0 or from 1; or as of `numbered`.
    """
    ids, count = tuple(columns.ids), len(columns.ids)
    from_0, from_1 = (tuple(map(str, range(first, first + count))) for first in (0, 1))
    have_ids = any(columns.pairing["ids"].get(file.path) != "none" for file in outputs)
    if have_ids or not (ids == from_0 or all(id is None for id in ids)):
        return numbered(ids, outputs[0].path)
    of_segments = [part for part in parts if part.level == "segment"]
    told = {id for part in of_segments for id in part.ids}
    if any(part.is_numbered for part in of_segments) or told == set(from_1):
        return from_1
    if told == set(from_0):
        return from_0
    if ids != from_0:
        return from_1
    if told and (from_0[0] not in told or from_1[-1] in told):
        raise FstmetricsError(
            f"{networks} numbers networks from 0, and it is not clear whether {of_segments[0].path} numbers its "
            f"{len(told)} segments ({listed(list(of_segments[0].ids), 3)}) from 0 or from 1: give the networks the ids "
            "of the segments, by references with ids (--format kaldi-text) in network build, or outputs with ids"
        )
    return from_0


def _scored(
    columns: Columns,
    outputs: Sequence[_File],
    names: Sequence[str],
    metrics: Sequence[CorpusMetric],
    request: Request,
    ids: tuple[str, ...],
) -> tuple[list[Run], list[str], list[str]]:
    """Score outputs, system by system; what there is to say of the texts; and the metrics' signatures."""
    runs: list[Run] = []
    remarks: dict[str, None] = {}
    signatures: dict[str, None] = {}
    against = columns.references or columns.networks or []
    by_place = columns.pairing["by"] == "order"
    if request.grammars and not any(map(is_searched, metrics)):
        raise FstmetricsError(f"grammars are for best paths; {metrics[0].name} takes none")
    work = SystemStatistics(
        against, columns.networks, metrics, request.normalisation, SearchOptions(), request.grammars
    )
    with listener.get().stages() as progress:
        systems = dict(zip(names, columns.systems.values(), strict=True))
        by_system = work.of_systems(systems, progress)
        said = system_remarks(systems, against, columns.networks, by_system, len(ids), request.grammars)
        remarks |= dict.fromkeys(said)
        for file, (name, found) in zip(outputs, by_system.items(), strict=True):
            remarks |= {f"{name}: {remark}": None for each in found.values() for remark in each.remarks}
            for each in found.values():
                widened = request.grammar_signature if is_searched(each.metric) else ""
                conditions = path_conditions((*each.conditions, *columns.conditions), "", widened)
                signature = signature_of(each.metric, each.normalisation, conditions)
                signatures[signature] = None
                values, present = each.table.raw(0, len(each)), np.ones(len(each), dtype=bool)
                given = (name, each.name, each.metric, ids, values, present, signature)
                runs.append(Run(file.path, *given, is_numbered=by_place))
    return runs, list(remarks), list(signatures)
