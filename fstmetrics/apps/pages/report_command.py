"""`fstmetrics report`: outputs or records of systems as a page to look at."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.apps.pages.report_files import PAGE, report_from
from fstmetrics.cli.click_options import command, options_of
from fstmetrics.cli.terminal import show, tell
from fstmetrics.reports.summary import shortened
from fstmetrics.support.printable import counted


@command(usual=("--ref", "--metric", "--source", "--output", "--by", "--scores"))
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@options_of(PAGE)
def report(systems: tuple[str, ...], **options: Any) -> None:
    """Write an HTML page that compares systems on the same items, or shows one.

    \b
    Example:  fstmetrics report --ref ref.txt A.txt B.txt C.txt --source src.txt
              fstmetrics report a.jsonl b.jsonl -o page.html

    SYSTEM: a file of outputs, to be scored against --ref; or records that `score`, `oracle` or `hyter` wrote with
    --alignment --output. NAME=FILE names the system. The first system is the baseline. The page has scores with tests
    of significance, every alignment in colour, and what the systems do differently. It is one file and works offline.
    """
    page = report_from(systems, options)
    tell(*shortened(page.remarks))
    if page.path != "-":
        show(f"{page.path}: {counted(page.items, 'item')}")
