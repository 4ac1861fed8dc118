"""`fstmetrics index`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import click

from fstmetrics.cli.option_types import FORMAT, RECORDS
from fstmetrics.cli.options import command
from fstmetrics.cli.terminal import tell
from fstmetrics.readers.archive_index import places_of
from fstmetrics.readers.archive_places import IndexedPlace
from fstmetrics.readers.reading import check_paths
from fstmetrics.support.json_text import written_json
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import counted
from fstmetrics.support.progress import ticks


@command()
@click.argument("archives", metavar="ARCHIVE...", nargs=-1, required=True)
@click.option("--format", type=FORMAT, help="Format of the archives. Default: recognised.")
@click.option(
    "--symbols", metavar="FILE", help="Symbol table (lines `word integer`), where lattices hold numbers."
)
@click.option(
    "--output",
    type=RECORDS,
    metavar="FILE",
    default="-",
    help="Write the index to FILE. Default: standard output.",
)
def index(archives: tuple[str, ...], format: str | None, symbols: str | None, output: str) -> None:
    """Write where the items of archives lie, so that one is read without the rest.

    \b
    Example:  fstmetrics index lat.1.ark lat.2.ark --output index.jsonl

    ARCHIVE: Kaldi lattices, text or binary, packed lattices, OpenFst archives (FAR), or n-best lists; not compressed.
    The index has a JSON object an item: id, path, offset, length (in bytes), checksum, format, and settled (what else
    of the archive the item needs). A program hands it over as a column of batches: docs/batches.md. An item whose bytes
    have changed since is refused.
    """
    check_paths((*archives, symbols), output)

    def places() -> Iterator[IndexedPlace]:
        for archive in archives:
            yield from places_of(archive, format, symbols)

    items = 0
    with whole_file(output) as stream:
        for place in ticks(places(), "indexing", printing=output == "-"):
            stream.write(written_json(asdict(place)) + "\n")
            items += 1
    if output != "-":
        tell(f"{counted(items, 'item')} of {counted(len(archives), 'archive')} in {output}")
