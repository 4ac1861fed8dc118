"""`fstmetrics combine`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.options import command, options_of
from fstmetrics.cli.terminal import show_json, tell
from fstmetrics.commands.combine import COMBINING, combine_from


@command(usual=("--method", "--alpha", "--missing", "--to", "--output", "--json"))
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@options_of(COMBINING)
def combine(systems: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Combine the outputs of several systems into one, by votes on words (ROVER).

    \b
    Example:  fstmetrics combine a.ctm b.ctm c.ctm -o combined.ctm
              fstmetrics combine a.txt b.txt c.txt --method freq

    SYSTEM: the output of a system, text or words with times (ctm); the best system first, as ties go to the earlier
    one. Words stand for one another as in SCTK's rover.
    """
    found = combine_from(systems, options, prints=not as_json)
    if as_json:
        show_json(found.summary())
    tell(*found.lines())
