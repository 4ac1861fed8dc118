"""`fstmetrics proficiency`: how well features tell translators' levels."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.apps.proficiency.proficiency_files import LEVELS, proficiency_from
from fstmetrics.cli.click_options import FormOfTables, command, options_of
from fstmetrics.cli.terminal import show_report


@command(several="")
@click.argument("table", metavar="TABLE", required=False)
@options_of(LEVELS)
def proficiency(table: str | None, form: FormOfTables, **options: Any) -> None:
    """Learn the levels of translators from features, and measure how well that works.

    \b
    Example:  fstmetrics proficiency table.tsv

    TABLE: what `fstmetrics features` writes, or the same as CSV, with a last column `level`; accepted levels are
    joined by `|`. A multi-class support vector machine is cross-validated and compared with two baselines: the most
    frequent level, and the same machine on shuffled levels. The figures are those of [H12 table 5].
    """
    found = proficiency_from(table, options)
    show_report(found.parts(), found.summary, form)
