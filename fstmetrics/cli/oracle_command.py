"""`fstmetrics oracle`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.click_options import MORE_FILES, called, check_form, command, options_of, ref_leads
from fstmetrics.cli.terminal import show_score
from fstmetrics.commands.option_tables import ORACLE, metric_table
from fstmetrics.commands.score import score_from
from fstmetrics.reports.table_forms import Form


@command(
    usual=("--metric", "--symbols", "--lm-scale", "--beam", "--alignment", "--output"),
    ending=metric_table,
    several=MORE_FILES,
)
@click.argument("references", metavar="REF")
@click.argument("lattices", metavar="[LATTICES]", required=False)
@options_of(ORACLE)
def oracle(references: str, lattices: str | None, form: Form | None, percent: bool, **options: Any) -> int:
    """Find the best path of every lattice or n-best list, and compare it with the decoder's 1-best.

    \b
    Example:  fstmetrics oracle ref.txt lattices/

    REF: the references, text or networks. LATTICES: a file, a folder, or a pattern in quotes, such as 'lat.*.gz'.
    Items pair by id where both have ids. The 1-best is the path with the least weighted cost. For n-best lists, the
    oracle of the first 1, 2, 5, 10, ... entries is also printed. Rows that have references and n-best lists (JSON
    Lines) are one file.
    """
    if form:
        check_form(form, options)
    if options["shard"]:
        options["called"] = called()
    if lattices is None:
        options["ref_leads"] = ref_leads()
    return show_score(
        score_from(references, lattices, options, one_best=True, text=False), options, form, percent
    )
