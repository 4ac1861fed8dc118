"""`fstmetrics report`: records as a page to look at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fstmetrics.analysis.read_records import Record, read_records
from fstmetrics.cli.option_types import FORMAT
from fstmetrics.cli.options import command
from fstmetrics.cli.path_checks import check_paths
from fstmetrics.cli.terminal import bar, show, spinner
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.output import whole_file

if TYPE_CHECKING:
    from fstmetrics.reports.page import Drawing


@command()
@click.argument("records", metavar="RECORDS")
@click.option("-o", "--output", metavar="FILE", help="The page. Default: RECORDS with the ending .html.")
@click.option(
    "--references",
    metavar="PATH",
    help="Networks, lattices or texts that the items were scored against, or the lattices that were scored. Each item "
    "then gets a drawing of the arcs around its closest path or its hypothesis.",
)
@click.option("--format", "format", type=FORMAT, help="Format of --references. Default: recognised.")
@click.option(
    "--symbols",
    metavar="FILE",
    help="Symbol table (lines `word integer`) where --references hold numbers for words.",
)
@click.option("--title", help="Title of the page. Default: the name of RECORDS.")
def report(
    records: str,
    output: str | None,
    references: str | None,
    format: str | None,
    symbols: str | None,
    title: str | None,
) -> None:
    """Write an HTML page about a run: summary, histogram, tables of errors, every alignment in colour.

    \b
    Example:  fstmetrics score ref.txt hyp.txt --alignment --output records.jsonl
              fstmetrics report records.jsonl

    RECORDS: what `score`, `oracle` or `hyter` writes with --alignment --output RECORDS. The page is one file and works
    offline.
    """  # fmt: skip
    from fstmetrics.reports.page import write_page

    if output is None and records == "-":
        raise FstmetricsError("records from standard input need --output, the page's file")
    target = output or str(Path(records.removesuffix(".gz")).with_suffix(".html"))
    check_paths((records, references, symbols), target)
    with spinner(f"reading {records}"):
        found = list(read_records(records))
    drawings = _drawings(references, found, format, symbols) if references else None
    with whole_file(target) as stream:
        write_page(bar(found, len(found), "writing"), stream, title or Path(records).name, drawings)
    if target != "-":
        show(f"{target}: {len(found)} item{'' if len(found) == 1 else 's'}")


def _drawings(
    path: str, records: Sequence[Record], format: str | None, symbols: str | None
) -> Callable[[Record], Drawing]:
    """What lies beside an item's path; items are found by id, or by their number where there are no ids."""
    from fstmetrics.readers import read_items
    from fstmetrics.reports.page import Drawing
    from fstmetrics.reports.page.neighbourhood import drawing_of

    with spinner(f"reading {path}"):
        known = frozenset(record.id for record in records)
        items = read_items(path, format=format, symbols=symbols, known_ids=known).items
    by_id = {str(number) if item.id is None else item.id: item.value for number, item in enumerate(items, 1)}
    if not any(record.id in by_id for record in records):
        raise FstmetricsError(f"{path}: none of the items has an id of the records")

    def drawing(record: Record) -> Drawing:
        if record.id not in by_id:
            return Drawing(why=f"Not drawn: {path} has no item of this id.")
        return drawing_of(by_id[record.id], record.closest, record.spoken)

    return drawing
