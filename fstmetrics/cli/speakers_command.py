"""`fstmetrics speakers`: error rates of recordings with several speakers."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.option_types import Real
from fstmetrics.cli.options import (
    ALTERNATIONS,
    FORMAT_OPTIONS,
    SYMBOLS,
    command,
    grammar_option,
    group,
    option,
    together,
    word_options,
)
from fstmetrics.cli.terminal import bar, show, show_json
from fstmetrics.readers.formats.rttm import read_turns
from fstmetrics.readers.reading import check_paths
from fstmetrics.reports.speaker_tables import speaker_dict, speaker_lines, speaker_signature
from fstmetrics.runs.input_sides import Side, choice_remarks, file_remarks, formats_of, open_sides
from fstmetrics.runs.request import Request
from fstmetrics.runs.session_items import SpokenSide, sessions_of, spoken_side
from fstmetrics.scoring.speakers.meetings import COLLAR, METRICS, SpeakerMetric, meeting_wer
from fstmetrics.scoring.speakers.speaker_results import SpeakerScores
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.source import Source

# A day: a longer collar is in other units than seconds.
MOST_COLLAR = 86_400


@command(usual=("--metric", "--collar", "--lowercase", "--turns", "--json"))
@click.argument("references", metavar="REF")
@click.argument("hypotheses", metavar="HYP")
@together(
    group(
        "Metric",
        option("--metric", type=click.Choice(METRICS), default="cpwer", show_default=True,
               help="cpwer: speakers in pairs. tcpwer: the same, words near one another in time. orcwer: each "
               "utterance of REF to any speaker of HYP. dicpwer: each utterance of HYP to any speaker of REF."),
        option("--collar", type=Real(0, MOST_COLLAR), default=COLLAR, show_default=True, metavar="SECONDS",
               help="tcpwer: how far a hypothesis word may be off."),
    ),
    group(
        "Input",
        option("--turns", metavar="FILE",
               help="RTTM: who spoke when, for a HYP of words with times (ctm), or of a line for each turn."),
        option("--ref-turns", metavar="FILE", help="The same for REF."),
        *FORMAT_OPTIONS,
        ALTERNATIONS,
        SYMBOLS,
        option("--missing", type=click.Choice(["error", "skip", "empty"]), default="error", show_default=True,
               help="A session that one side lacks: stop, skip it, or score it against nothing."),
    ),
    word_options,
    grammar_option,
    group("Output", option("--json", "as_json", is_flag=True, help="Print the summary as one JSON object.")),
)  # fmt: skip
def speakers(
    references: str, hypotheses: str, metric: SpeakerMetric, collar: float, turns: str | None, ref_turns: str | None,
    **options: Any,
) -> None:  # fmt: skip
    """Score recordings with several speakers: cpWER, tcpWER, ORC-WER and DI-cpWER.

    \b
    Example:  fstmetrics speakers ref.stm hyp.stm --metric tcpwer --collar 5

    REF and HYP say who said what, and when: stm, SegLST, ctm (a channel is a speaker), RTTM with words, or rows with
    fields for speaker, session and times. A file may hold several sessions (recordings). docs/speakers.md compares with
    MeetEval.
    """
    check_paths((references, hypotheses, turns, ref_turns), None)
    request = Request(**options)
    request.refuse_rules("speakers", widening=True)
    if request.unit != "word":
        raise FstmetricsError("speakers compares words; --unit char is for score")
    sides = open_sides(request, [hypotheses, references], 1)
    heard = _spoken(sides[0], turns, metric != "dicpwer")
    said = _spoken(sides[1], ref_turns, metric != "orcwer")
    sessions, skipped = sessions_of(said, heard, request.missing)
    scores = SpeakerScores.of(
        meeting_wer(
            session, metric, collar=collar, normalisation=request.normalisation, grammars=request.grammars
        )
        for session in bar(sessions, len(sessions), "scoring")
    )
    remarks = [*said.remarks, *heard.remarks, *choice_remarks(sides[:1], False), *file_remarks(sides)]
    grammars = request.grammar_signature if request.grammars else ""
    read = [f"alternations:{request.alternations}"] if request.alternations else []
    read += [f"missing:{request.missing}"] if request.missing != "error" else []
    signature = speaker_signature(scores, request.normalisation, grammars, read)
    if request.as_json:
        show_json(
            speaker_dict(scores, skipped, formats=formats_of(sides), remarks=remarks, signature=signature)
        )
    else:
        show(*speaker_lines(scores, signature, skipped, remarks))


def _spoken(side: Side, turns: str | None, needs_speakers: bool) -> SpokenSide:
    """The utterances of a side, by session."""
    return spoken_side(side.items, read_turns(Source.open(turns)) if turns else None, needs_speakers)
