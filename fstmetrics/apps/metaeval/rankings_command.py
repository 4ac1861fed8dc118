"""`fstmetrics rankings`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.apps.metaeval.rankings_files import RANKING, rankings_from
from fstmetrics.cli.click_options import FormOfTables, command, given_options, option, options_of
from fstmetrics.cli.terminal import show_report
from fstmetrics.commands.option_tables import some


@command(usual=("--systems", "--learn-weights", "--ref", "--pivot-table", "--json"))
@click.argument("file", metavar="RANKINGS")
@click.argument("outputs", metavar="[SYSTEM...]", nargs=-1)
@options_of(some(RANKING, "ranks"))
@option("Input", "--higher/--lower", default=None, help=RANKING["higher"].help)
@options_of({name: each for name, each in RANKING.items() if name not in ("ranks", "higher")})
def rankings(file: str, outputs: tuple[str, ...], form: FormOfTables, **options: Any) -> None:
    """Count which systems people prefer, from rankings of their outputs [L11 §4].

    \b
    Example:  fstmetrics rankings ranks.tsv
              fstmetrics rankings scores.tsv --ranks human --higher
              fstmetrics rankings r.tsv A.txt B.txt --ref r.txt --learn-weights w

    RANKINGS: a table of a line a judgment with a column a system, of a line a judgment and system (columns segment,
    system, rank, and judge), or WMT's (system1Id, system1rank, ...). How often each system is best, and each pair of
    systems with the sign test.

    SYSTEM: with --learn-weights, the systems' outputs, NAME=FILE; without NAME the system is called as the file is. The
    segments of RANKINGS are ids of the outputs, or numbers of their lines.
    """
    found = rankings_from(file, outputs, options, given_options())
    show_report(found.parts(), found.summary, form)
