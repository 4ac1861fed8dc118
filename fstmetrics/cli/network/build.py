"""`fstmetrics network build`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from fstmetrics.cli.network.files import print_sizes, write_network, writing_options
from fstmetrics.cli.network.rows import rows_by_id, write_folder
from fstmetrics.errors import FstmetricsError, InputError
from fstmetrics.networks import network_info
from fstmetrics.networks.build import Built, from_references
from fstmetrics.readers import FORMATS, read_items
from fstmetrics.transcripts import NOTATIONS, Notation, Transcript


@click.command()
@click.argument("references", metavar="REF...", nargs=-1, required=True)
@click.option("--merge", is_flag=True,
              help="Share the words that references agree on; the network then holds sentences nobody wrote, which are "
                   "counted.")  # fmt: skip
@click.option("--format", type=click.Choice(list(FORMATS)), help="Format read; recognised by default.")
@click.option("--alternations", type=click.Choice(NOTATIONS),
              help="How plain and Kaldi text write choices; trn and stm always have sclite's.")  # fmt: skip
@writing_options
def build(
    references: Sequence[str],
    merge: bool,
    format: str | None,
    alternations: Notation | None,
    output: str,
    to: str | None,
    max_arcs: int,
) -> None:
    """Networks from plain references: one a sentence, whose card holds what every REF has for it.

    Sentences pair by id where the files have ids, by order otherwise. One sentence is written to a file, several to a
    folder with a file each.
    """
    if references.count("-") > 1:
        raise FstmetricsError("standard input (-) can be read only once")
    sides = [_read(path, format, alternations) for path in references]
    built = [_built(id, texts, merge) for id, texts in rows_by_id(references, sides)]
    if len(built) == 1:
        write_network(built[0].network, output, to, max_arcs)
    else:
        write_folder([one.network for one in built], output, to, max_arcs)
    if output != "-":
        _print(output, built, merge)


def _read(path: str, format: str | None, alternations: Notation | None) -> list[tuple[str | None, Any]]:
    items = read_items(path, format=format, alternations=alternations)
    if not items.items:
        raise InputError("holds no sentence", path)
    values = [item.value if item.text is None else item.text for item in items.items]
    if not all(isinstance(value, str | tuple | Transcript) for value in values):
        raise InputError(f"expected text, found format {', '.join(items.formats)}", path)
    return [(item.id, value) for item, value in zip(items.items, values, strict=True)]


def _built(id: str, texts: Sequence[Any], merge: bool) -> Built:
    try:
        return from_references(texts, id, merge)
    except FstmetricsError as error:
        raise FstmetricsError(f"item {id}: {error}" if id else str(error)) from None


def _print(output: str, built: Sequence[Built], merge: bool) -> None:
    """The size of one network, or how many there are, and what merging added."""
    references, extra = sum(one.references for one in built), sum(one.extra for one in built)
    if len(built) == 1:
        print_sizes([(output, network_info(built[0].network))])
    else:
        click.echo(f"{output}: {len(built)} networks of {references} different references")
    if merge:
        click.echo(f"{extra} sentences beside the {references} references, which nobody wrote")
