"""The command `index`, and `index_files`, the same as a call: where the items of archives lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import click

from fstmetrics.cli.click_options import command, options_of
from fstmetrics.cli.option_tables import Options, PathLike, fields_of_options, several_paths, under
from fstmetrics.cli.terminal import tell
from fstmetrics.io.archive_index import places_of
from fstmetrics.io.formats import FORMAT
from fstmetrics.io.reading import check_paths
from fstmetrics.support.json_text import written_json
from fstmetrics.support.options import PATH, RECORDS, Option
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import counted
from fstmetrics.support.progress import ticks

INDEXING: Options = under(
    "",
    format=Option(FORMAT, "Format of the archives. Default: recognised."),
    symbols=Option(PATH, "Symbol table (lines `word integer`), where lattices hold numbers.", metavar="FILE"),
    output=Option(RECORDS, "Write the index to FILE. Default: standard output.", metavar="FILE"),
)


def index_files(archives: PathLike | Iterable[PathLike], output: PathLike, **options: Any) -> int:
    """Write where the items of archives lie, so that one is read without the rest, as `fstmetrics index` does.

    Args:
        archives: Kaldi lattices, packed lattices, OpenFst archives or n-best lists, not compressed.
        output: a file, which gets a JSON object an item.
        options: those of the command: `format`, `symbols`.

    Returns:
        How many items there are.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.
    """
    found = fields_of_options("index_files", INDEXING, {**options, "output": output})
    return index_from(several_paths("index_files", archives, "archives"), **found)


def index_from(archives: Sequence[str], output: str, format: str | None, symbols: str | None) -> int:
    """An index by the options of `INDEXING`; as of `index_files`."""
    check_paths((*archives, symbols), output)
    places = (place for archive in archives for place in places_of(archive, format, symbols))
    items = 0
    with whole_file(output) as stream:
        for place in ticks(places, "indexing", printing=output == "-"):
            stream.write(written_json(asdict(place)) + "\n")
            items += 1
    return items


@command()
@click.argument("archives", metavar="ARCHIVE...", nargs=-1, required=True)
@options_of(INDEXING)
def index_command(archives: tuple[str, ...], output: str | None, **options: Any) -> None:
    """Write where the items of archives lie, so that one is read without the rest.

    \b
    Example:  fstmetrics index lat.1.ark lat.2.ark --output index.jsonl

    ARCHIVE: Kaldi lattices, text or binary, packed lattices, OpenFst archives (FAR), or n-best lists; not compressed.
    The index has a JSON object an item: id, path, offset, length (in bytes), checksum, format, and settled (what else
    of the archive the item needs). A program hands it over as a column of batches: docs/batches.md. An item whose bytes
    have changed since is refused.
    """
    items = index_from(archives, output or "-", **options)
    if output not in (None, "-"):
        tell(f"{counted(items, 'item')} of {counted(len(archives), 'archive')} in {output}")
