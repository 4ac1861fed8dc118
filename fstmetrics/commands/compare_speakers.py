"""`compare` of recordings with several speakers: sessions are the items that are tested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from fstmetrics.commands.speakers import FilesOfSpeakers, SpeakerOptions, conditions_of, scored_sessions
from fstmetrics.engine.signatures import TIE_RULE, path_conditions
from fstmetrics.engine.statistics import Statistics
from fstmetrics.metrics.compared_rates import SessionRate
from fstmetrics.metrics.corpus_metric import metric_of
from fstmetrics.scoring.pairing import ADVICE_OF_SYSTEMS
from fstmetrics.scoring.request import Request
from fstmetrics.scoring.side_remarks import left_out_remark
from fstmetrics.significance.compare_statistics import compare_statistics
from fstmetrics.significance.comparison import Comparison, Design
from fstmetrics.significance.system_outputs import names_of
from fstmetrics.speakers.meetings import METRICS
from fstmetrics.speakers.speaker_results import SpeakerScores
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed
from fstmetrics.support.progress import listener
from fstmetrics.support.source import named_path


def compare_speakers(
    systems: Sequence[str],
    references: Sequence[str],
    metrics: Sequence[str],
    request: Request,
    design: Design,
    collar: float,
) -> tuple[Comparison, tuple[str, ...], dict[str, str]]:
    """Score the systems' sessions and test each system against the first.

    Args:
        systems: files, or NAME=FILE.
        references: one file.
        metrics: names of those of `speakers`.
        request: how files are read, and words are changed.
        design: what is tested.
        collar: of those under time constraints, in seconds.

    Returns:
        The comparison; remarks on the files; the format of each.

    Raises:
        FstmetricsError: not one file of references, metrics of other kinds beside these, or sessions that only some
            systems have.
    """
    if len(references) != 1:
        raise FstmetricsError(
            f"{metrics[0]} compares with one file that says who said what: --ref FILE, once, not {len(references)}"
        )
    if others := [name for name in metrics if name not in METRICS]:
        raise FstmetricsError(
            f"{others[0]} is of segments and {next(name for name in metrics if name in METRICS)} of sessions: "
            "compare them one after the other"
        )
    names = names_of(systems)
    files = dict(zip(names, (named_path(system)[1] for system in systems), strict=True))
    statistics: dict[str, dict[str, Statistics]] = {name: {} for name in names}
    remarks: dict[str, None] = {}
    formats: dict[str, str] = {}
    for metric in metrics:
        found = {
            name: scored_sessions(
                references[0],
                file,
                SpeakerOptions(metric=metric, collar=collar),  # type: ignore[arg-type]
                request,
                ADVICE_OF_SYSTEMS,
            )
            for name, file in files.items()
        }
        kept = _sessions(found, request.missing)
        lacking = _lacking(found, kept)
        if left_out := len(set[str]().union(*lacking.values())):
            numbers = {path: len(ids) for path, ids in lacking.items()}
            remarks[left_out_remark(left_out, numbers, "session")] = None
        for name, one in found.items():
            statistics[name][one.scores.name] = _statistics(one, kept, request)
            remarks |= dict.fromkeys(one.remarks)
            formats |= one.formats
    with listener.get().stages() as progress:
        comparison = compare_statistics(statistics, design, progress)
    return comparison, tuple(remarks), formats


def _sessions(found: Mapping[str, FilesOfSpeakers], missing: str) -> list[str | None]:
    """The sessions of all systems.

    Raises:
        FstmetricsError: one that a system lacks, where that is an error; or none at all.
    """
    every = [[session.id for session in one.scores] for one in found.values()]
    kept = [id for id in every[0] if all(id in others for others in every[1:])]
    lacking = {id for ids in every for id in ids} - set(kept)
    if lacking and missing == "error":
        some = sorted(str(id) for id in lacking)
        raise FstmetricsError(
            f"not all systems have the session{'s' * (len(some) > 1)} {listed(some)}; --missing skip leaves such "
            "sessions out"
        )
    if not kept:
        raise FstmetricsError("there is nothing to compare: no session is in all files")
    return kept


def _lacking(found: Mapping[str, FilesOfSpeakers], kept: Sequence[str | None]) -> dict[str, set[str]]:
    """Of the sessions that are left out, those that each file lacks, by its path."""
    scored = {name: {session.id or "" for session in one.scores} for name, one in found.items()}
    every = set[str]().union(
        *scored.values(), *(ids for one in found.values() for ids in one.lacking.values())
    )
    lacking: dict[str, set[str]] = {}
    for name, one in found.items():
        (references, unsaid), *hypotheses = one.lacking.items()
        lacking.setdefault(references, set()).update(unsaid)
        for path, _ in hypotheses:
            lacking[path] = every - {*kept} - scored[name] - {*unsaid}
    return lacking


def _statistics(found: FilesOfSpeakers, kept: Sequence[str | None], request: Request) -> Statistics:
    by_id = {session.id: session for session in found.scores}
    scores = SpeakerScores.of(by_id[id] for id in kept)
    rows = np.array([[session.edits, session.path_length] for session in scores], dtype=np.float64)
    return Statistics(
        SessionRate(metric_of(scores.name), scores.collar),
        rows,
        tuple(kept),
        request.normalisation,
        conditions=(
            *path_conditions((), "", request.grammar_signature),
            *conditions_of(request),
            f"ties:{TIE_RULE}",
        ),
        totals=scores.totals,
    )
