"""`fstmetrics report`: records as a page to look at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fstmetrics.analysis.read_records import Record, read_records
from fstmetrics.cli.options import FORMAT
from fstmetrics.cli.path_checks import refuse_clashes
from fstmetrics.cli.terminal import bar, show, spinner
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.output import whole_file

if TYPE_CHECKING:
    from fstmetrics.reports.page import Drawing


@click.command()
@click.argument("records", metavar="RECORDS")
@click.option("-o", "--output", metavar="FILE", help="The page; RECORDS with the ending .html by default.")
@click.option(
    "--references",
    metavar="PATH",
    help="Networks, lattices or texts that the items were scored against, or the lattices that were scored: each item "
    "gets a drawing of what lies beside its closest path, or its hypothesis.",
)
@click.option(
    "--format", "format", type=FORMAT, help="Format of --references; fstmetrics convert --help lists them."
)
@click.option(
    "--symbols", metavar="FILE", help="Symbol table (`word integer` lines) of --references that hold numbers."
)
@click.option("--title", help="Title of the page; the name of RECORDS by default.")
def report(
    records: str,
    output: str | None,
    references: str | None,
    format: str | None,
    symbols: str | None,
    title: str | None,
) -> None:
    """Write RECORDS as one HTML page: summary, histogram, tables of errors, every alignment in colour.

    RECORDS are written by --alignment --output RECORDS. The page needs nothing else, and no network.
    """  # fmt: skip
    from fstmetrics.reports.page import write_page

    if output is None and records == "-":
        raise FstmetricsError("records from standard input need --output, the page's file")
    target = output or str(Path(records.removesuffix(".gz")).with_suffix(".html"))
    refuse_clashes((records, references, symbols), target)
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
