"""`fstmetrics speakers`: error rates of recordings with several speakers."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.click_options import FormOfTables, check_form, command, options_of
from fstmetrics.cli.terminal import Console, show_report
from fstmetrics.commands.speakers import SPEAKING, speakers_from
from fstmetrics.reports.speaker_tables import meeting_texts


@command(
    usual=("--metric", "--collar", "--turns", "--alignment", "--report", "--json"),
    several="several systems: fstmetrics compare --ref REF SYSTEM... --metric cpwer",
)
@click.argument("references", metavar="REF")
@click.argument("hypotheses", metavar="HYP")
@options_of(SPEAKING)
def speakers(references: str, hypotheses: str, form: FormOfTables, **options: Any) -> None:
    """Score recordings with several speakers: cpWER, tcpWER, ORC-WER, DER.

    \b
    Example:  fstmetrics speakers ref.stm hyp.stm --metric tcpwer --collar 5
              fstmetrics speakers ref.stm hyp.stm --der --report meeting.html
              fstmetrics speakers ref.rttm hyp.rttm --metric der

    REF and HYP say who said what, and when: stm, SegLST, ctm (a channel is a speaker), RTTM with words, or rows with
    fields for speaker, session and times. For der stm, RTTM and SegLST need no words. A file may hold several sessions
    (recordings). docs/speakers.md compares with MeetEval.
    """
    alignment, output = options["alignment"], options["output"]
    if form and (form != "json" or output == "-"):
        check_form(form, options)
    found = speakers_from(references, hypotheses, options)
    if output == "-":  # the records are there
        return
    if alignment and not output and not form:
        console = Console()
        for text in meeting_texts(found.scores, found.sessions, console.width):
            console.print(text)
    show_report(found.parts(), found.summary, form)
