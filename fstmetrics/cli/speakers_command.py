"""`fstmetrics speakers`: error rates of recordings with several speakers."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.options import command, options_of
from fstmetrics.cli.terminal import show, show_json
from fstmetrics.commands.speakers import SPEAKING, speakers_from
from fstmetrics.reports.speaker_tables import speaker_lines


@command(usual=("--metric", "--collar", "--lowercase", "--turns", "--json"))
@click.argument("references", metavar="REF")
@click.argument("hypotheses", metavar="HYP")
@options_of(SPEAKING)
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
