"""`fstmetrics hyter`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.click_options import MORE_FILES, called, check_form, command, options_of
from fstmetrics.cli.terminal import show_score
from fstmetrics.commands.option_tables import metric_table, scoring
from fstmetrics.commands.score import score_from
from fstmetrics.reports.table_forms import Form


@command(
    usual=("--window", "--reordering", "--alignment", "--lowercase", "--output", "--jobs"),
    ending=metric_table,
    several=MORE_FILES,
)
@click.argument("networks", metavar="NETWORKS")
@click.argument("hypotheses", metavar="HYP")
@options_of(scoring(metric="hyter"))
def hyter(networks: str, hypotheses: str, form: Form | None, percent: bool, **options: Any) -> int:
    """Score translations against reference networks.

    \b
    Example:  fstmetrics hyter networks/ hyp.txt --window 3

    NETWORKS: a file, a folder or a pattern in quotes of networks, or plain references. HYP: the translations. Items
    pair by id. The score is the fewest edits and moves to any path of the network, divided by the number of words of
    the closest path.
    """
    if form:
        check_form(form, options)
    if options["shard"]:
        options["called"] = called()
    return show_score(score_from(networks, hypotheses, options, networks_first=True), options, form, percent)
