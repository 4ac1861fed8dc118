"""`fstmetrics features`: numbers about translations, for learning."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.apps.proficiency.proficiency_files import FEATURES, features_from
from fstmetrics.cli.click_options import FormOfTables, command, options_of, refuse_shared_output
from fstmetrics.cli.terminal import say, show_report


@command()
@click.argument("networks", metavar="NETWORKS")
@click.argument("hypotheses", metavar="HYP")
@options_of(FEATURES)
def features(networks: str, hypotheses: str, output: str | None, form: FormOfTables, **options: Any) -> None:
    """Write a table of features of translations, one row per passage [H12 §5.3].

    \b
    Example:  fstmetrics features networks/ hyp.txt --output table.tsv

    The features of HYP against the reference NETWORKS are HyTER; insertions, deletions, substitutions, and insertions
    or deletions, as counts and per word; and n-gram precisions for n = 1 to 20 against all paths. With a last column
    `level` the table is input for `fstmetrics proficiency`.
    """
    refuse_shared_output(form, output)
    found = features_from(networks, hypotheses, {**options, "output": output or (None if form else "-")})
    if form:
        show_report(found.parts(), found.summary, form)
    say(*found.remarks)
