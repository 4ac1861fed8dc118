"""`fstmetrics combine`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.click_options import FormOfTables, command, options_of, refuse_shared_output
from fstmetrics.cli.terminal import show_report, tell
from fstmetrics.commands.combine import COMBINING, combine_from
from fstmetrics.reports.table_forms import is_pasted


@command(usual=("--method", "--alpha", "--missing", "--to", "--output", "--json"))
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@options_of(COMBINING)
def combine(systems: tuple[str, ...], form: FormOfTables, **options: Any) -> None:
    """Combine the outputs of several systems into one, by votes on words (ROVER) or as the median string.

    \b
    Example:  fstmetrics combine a.ctm b.ctm c.ctm -o combined.ctm
              fstmetrics combine a.txt b.txt c.txt --method median

    SYSTEM: the output of a system, text or words with times (ctm). The methods of SCTK's rover align one system after
    another, so give the best system first. The median is the string with the least total edits to all outputs; it does
    not depend on the order, and takes lattices, too.
    """
    refuse_shared_output(form, options["output"])
    found = combine_from(systems, options, prints=form is None)
    if form:
        show_report(found.parts(), found.summary, form)
    if not is_pasted(form):
        tell(*found.lines())
