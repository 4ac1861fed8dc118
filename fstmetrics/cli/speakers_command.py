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
from fstmetrics.cli.terminal import show, show_json
from fstmetrics.commands.speakers import speakers_from
from fstmetrics.reports.speaker_tables import speaker_lines
from fstmetrics.scoring.speakers.meetings import COLLAR, METRICS, MOST_COLLAR


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
def speakers(references: str, hypotheses: str, as_json: bool, **options: Any) -> None:
    """Score recordings with several speakers: cpWER, tcpWER, ORC-WER and DI-cpWER.

    \b
    Example:  fstmetrics speakers ref.stm hyp.stm --metric tcpwer --collar 5

    REF and HYP say who said what, and when: stm, SegLST, ctm (a channel is a speaker), RTTM with words, or rows with
    fields for speaker, session and times. A file may hold several sessions (recordings). docs/speakers.md compares with
    MeetEval.
    """
    found = speakers_from(references, hypotheses, options)
    if as_json:
        show_json(found.summary())
    else:
        show(*speaker_lines(found.scores, found.signature, found.skipped, found.remarks))
