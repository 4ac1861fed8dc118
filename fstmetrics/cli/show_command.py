"""`fstmetrics show`: items of records, one by one."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.click_options import command, given_options, options_of
from fstmetrics.cli.terminal import Console, tell
from fstmetrics.commands.show import SHOWN, show_from
from fstmetrics.io.reading import check_paths
from fstmetrics.reports.item_texts import STYLES, record_texts
from fstmetrics.support.options import refuse_ending
from fstmetrics.support.output import whole_file


@command(
    usual=("--id", "--word", "--op", "--limit", "--lowercase", "--output"),
    several="one run at a time; two systems side by side: fstmetrics errors RECORDS --against RECORDS",
)
@click.argument("records", metavar="REF|RECORDS")
@click.argument("hypotheses", metavar="[HYP]", required=False)
@options_of(SHOWN)
def show(records: str, hypotheses: str | None, style: str, output: str | None, **options: Any) -> None:
    """Show the alignments of items, the worst first.

    \b
    Example:  fstmetrics show ref.txt hyp.txt
              fstmetrics score ref.txt hyp.txt --alignment --output records.jsonl
              fstmetrics show records.jsonl

    REF and HYP are scored first, by the fewest word edits or another --metric. RECORDS: what `score`, `oracle` or
    `hyter` writes with --alignment --output RECORDS. Of records with --nbest, every path is shown.
    """
    output = output or "-"
    write, kind = STYLES[style]
    check_paths(tuple(filter(None, (records, hypotheses))), output)
    refuse_ending(output, *kind)
    chosen, remarks = show_from(records, hypotheses, options, given_options())
    if style == "text" and output == "-":
        console = Console()
        for text in record_texts(chosen, console.width):
            console.print(text)
    else:
        with whole_file(output) as stream:
            write(chosen, stream)
    tell(*remarks)
