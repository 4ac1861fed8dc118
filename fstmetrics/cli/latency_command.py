"""`fstmetrics latency`: how long the words of a translated stream take."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.click_options import FormOfTables, command, options_of, refuse_shared_output
from fstmetrics.cli.terminal import show_report
from fstmetrics.commands.latency import STREAMED, latency_from


@command(usual=("--segments", "--ref", "--language", "--unit", "--plot", "--json"))
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@options_of(STREAMED)
def latency(logs: tuple[str, ...], form: FormOfTables, **options: Any) -> None:
    """Latency and quality of simultaneous translation: YAAL, LAAL, AL, DAL, AP, with and without computing.

    \b
    Example:  fstmetrics latency instances.log --segments talks.yaml --ref ref.txt
              fstmetrics latency instances.log
              fstmetrics latency a=a.log b=b.log --plot plot.svg

    LOG: SimulEval's instances.log, SimulStream's log, or the re-segmented instances of OmniSTEval. NAME=FILE gives
    the system a name. With --segments the words of each recording are cut into its segments, where they are most like
    the references, and latency counts from the beginning of each segment (long form). Without it each instance is
    a segment. Latencies are in the unit of the log, milliseconds as a rule; AP has none.
    """
    refuse_shared_output(form, options["output"])
    found = latency_from(logs, options)
    show_report(found.parts(), found.summary, form, beside=options["output"])
