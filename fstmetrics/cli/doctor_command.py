"""`fstmetrics doctor`: what is installed here."""

from __future__ import annotations

import click

from fstmetrics.cli.terminal import show, show_json
from fstmetrics.commands import doctor as commands


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor(as_json: bool) -> None:
    """Print what is installed here: versions, the engine, extras, data and limits.

    \b
    Example:  fstmetrics doctor

    Paste it into a report of an error. Nothing is sent anywhere; the home folder is written ~. The exit status is 0,
    whatever is missing: only numpy, click and the engine are needed, and each extra says what it is for.
    """
    found = commands.doctor()
    if as_json:
        show_json(found)
    else:
        show(*commands.doctor_lines(found))
