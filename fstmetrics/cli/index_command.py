"""`fstmetrics index`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.click_options import command, options_of
from fstmetrics.cli.terminal import tell
from fstmetrics.commands.index import INDEXING, index_from
from fstmetrics.support.printable import counted


@command()
@click.argument("archives", metavar="ARCHIVE...", nargs=-1, required=True)
@options_of(INDEXING)
def index(archives: tuple[str, ...], output: str | None, **options: Any) -> None:
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
