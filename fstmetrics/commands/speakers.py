"""`speakers_files`: what the command `speakers` does."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fstmetrics.commands.options import (
    ALTERNATIONS,
    FORMATS_READ,
    GRAMMAR,
    JSON,
    SYMBOLS,
    WORDS,
    Option,
    Options,
    fields_of_options,
    path_of,
    sides_by_name,
    under,
)
from fstmetrics.readers.formats.rttm import read_turns
from fstmetrics.readers.reading import check_paths
from fstmetrics.reports.speaker_tables import speaker_dict, speaker_signature
from fstmetrics.runs.input_sides import choice_remarks, file_remarks, formats_of, open_sides
from fstmetrics.runs.option_values import PATH, one_of, real
from fstmetrics.runs.request import Request, fields_of
from fstmetrics.runs.session_items import SpokenSide, sessions_of, spoken_side
from fstmetrics.runs.sides import Side
from fstmetrics.scoring.speakers.meetings import COLLAR, METRICS, MOST_COLLAR, SpeakerMetric, meeting_wer
from fstmetrics.scoring.speakers.speaker_results import SpeakerScores
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.progress import listener
from fstmetrics.support.source import Source

Path = str | os.PathLike[str]

SPEAKING: Options = {
    **under(
        "Metric",
        metric=Option(
            one_of(*METRICS, of_any_case=True),
            "cpwer: speakers in pairs. tcpwer: the same, words near one another in time. orcwer: each "
            "utterance of REF to any speaker of HYP. dicpwer: each utterance of HYP to any speaker of REF.", "cpwer",
        ),
        collar=Option(real(0, MOST_COLLAR), "tcpwer: how far a hypothesis word may be off.", COLLAR, "SECONDS"),
    ),
    **under(
        "Input",
        {
            "turns": Option(
                PATH, "RTTM: who spoke when, for a HYP of words with times (ctm), or of a line for each turn.",
                metavar="FILE",
            ),
            "ref_turns": Option(PATH, "The same for REF.", metavar="FILE"),
            **FORMATS_READ,
            **ALTERNATIONS,
            **SYMBOLS,
            "missing": Option(
                one_of("error", "skip", "empty"),
                "A session that one side lacks: stop, skip it, or score it against nothing.", "error",
            ),
        },
    ),
    **WORDS,
    **GRAMMAR,
    **under("Output", json=JSON),
}  # fmt: skip


@dataclass(frozen=True)
class SpeakerOptions:
    """Options of `speakers` beside those of every run."""

    metric: SpeakerMetric = "cpwer"
    collar: float = COLLAR
    turns: str | None = None
    ref_turns: str | None = None


@dataclass(frozen=True)
class FilesOfSpeakers:
    """Recordings with several speakers, scored.

    Attributes:
        scores: of all sessions.
        skipped: how many sessions were left out, since one side lacks them.
        formats: how each path was read.
        remarks: what was guessed about the files, and what is odd about them.
        signature: all that the scores depend on.
    """

    scores: SpeakerScores
    skipped: int
    formats: Mapping[str, str]
    remarks: tuple[str, ...]
    signature: str

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`."""
        told = {"formats": dict(self.formats), "remarks": list(self.remarks), "signature": self.signature}
        return speaker_dict(self.scores, self.skipped, **told)


@sides_by_name
def speakers_files(
    *, references: Path, hypotheses: Path, metric: SpeakerMetric = "cpwer", **options: Any
) -> FilesOfSpeakers:
    """Score `hypotheses=` against `references=`, files with several speakers, as `fstmetrics speakers` does.

    Nothing is printed.

    Args:
        references, hypotheses: who said what, and when: stm, SegLST, ctm, RTTM with words, or rows with fields.
        metric: `cpwer`, `tcpwer`, `orcwer` or `dicpwer`.
        options: those of the command, with `_` for `-`, as of `score_files`: `collar=5`, `turns="hyp.rttm"`.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> file = Path(tempfile.mkdtemp()) / "talk.stm"
    >>> _ = file.write_text("talk 1 ann 0 1 good morning\\ntalk 1 bob 1 2 hello\\n")
    >>> fm.speakers_files(references=file, hypotheses=file, metric="tcpwer").summary()["score"]
    0.0
    """
    found = fields_of_options("speakers_files", SPEAKING, {"metric": metric, **options})
    paths = path_of("speakers_files", references), path_of("speakers_files", hypotheses)
    return speakers_from(*paths, found)


def speakers_from(references: str, hypotheses: str, options: dict[str, Any]) -> FilesOfSpeakers:
    """The scores by fields of `SpeakerOptions` and `Request`.

    Raises:
        FstmetricsError: as of `speakers_files`.
    """
    asked = fields_of(SpeakerOptions, options)
    check_paths((references, hypotheses, asked.turns, asked.ref_turns), None)
    request = Request(**options)
    request.refuse_rules("speakers", widening=True)
    if request.unit != "word":
        raise FstmetricsError("speakers compares words; --unit char is for score")
    sides = open_sides(request, [hypotheses, references], 1)
    heard = _spoken(sides[0], asked.turns, asked.metric != "dicpwer")
    said = _spoken(sides[1], asked.ref_turns, asked.metric not in ("orcwer", "tcorcwer"))
    sessions, skipped = sessions_of(said, heard, request.missing)
    found = []
    with listener.get().counter("scoring", len(sessions)) as progress:
        for session in sessions:
            found.append(
                meeting_wer(
                    session,
                    asked.metric,
                    collar=asked.collar,
                    normalisation=request.normalisation,
                    grammars=request.grammars,
                )
            )
            progress(1)
    scores = SpeakerScores.of(found)
    remarks = (*said.remarks, *heard.remarks, *choice_remarks(sides[:1], False), *file_remarks(sides))
    grammars = request.grammar_signature if request.grammars else ""
    read = [f"alternations:{request.alternations}"] if request.alternations else []
    read += [f"missing:{request.missing}"] if request.missing != "error" else []
    signature = speaker_signature(scores, request.normalisation, grammars, read)
    return FilesOfSpeakers(scores, skipped, formats_of(sides), remarks, signature)


def _spoken(side: Side, turns: str | None, needs_speakers: bool) -> SpokenSide:
    """The utterances of a side, by session."""
    return spoken_side(side.items, read_turns(Source.open(turns)) if turns else None, needs_speakers)
