"""`fstmetrics partials`: how far the partial results of a recogniser change."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.click_options import FormOfTables, command, options_of
from fstmetrics.cli.terminal import show_report
from fstmetrics.commands.partials import SHOWN, partials_from


@command()
@click.argument("results", metavar="FILE")
@options_of(SHOWN)
def partials(results: str, form: FormOfTables, **options: Any) -> None:
    """Stability of partial results of a recogniser, and how late words stay as they are.

    \b
    Example:  fstmetrics partials partials.jsonl --ref ref.ctm

    FILE: JSON Lines, a result each, with id, time (seconds), text and final. Unstable words are the share of words
    shown that were changed later. Edit overhead: edits between successive results per final word. Unneeded edits: the
    share of edits beyond one a final word. Latency: from the end of a word in the reference to the first result from
    which on it stayed, of words that the final result has right.
    """
    found = partials_from(results, options)
    show_report(found.parts(), found.summary, form)
