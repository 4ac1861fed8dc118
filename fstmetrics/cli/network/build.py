"""`fstmetrics network build`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from fstmetrics.cli.clashes import refuse_clashes
from fstmetrics.cli.format_names import FORMAT
from fstmetrics.cli.inputs import read_texts, said_of_ids
from fstmetrics.cli.messages import say
from fstmetrics.cli.network.files import print_sizes, write_network, writing_options
from fstmetrics.cli.network.rows import rows_by_id, wants_folder, write_folder
from fstmetrics.cli.side import Side
from fstmetrics.errors import FstmetricsError, InputError
from fstmetrics.networks import network_info
from fstmetrics.networks.build import Built, from_references
from fstmetrics.notations import NOTATIONS, Notation
from fstmetrics.transcripts import Transcript


@click.command()
@click.argument("references", metavar="REF...", nargs=-1, required=True)
@click.option("--merge", is_flag=True,
              help="Share the words that references agree on; the network then holds sentences nobody wrote, which are "
                   "counted.")  # fmt: skip
@click.option("--format", type=FORMAT, help="Format read; recognised by default.")
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

    Sentences pair by id where the files have ids, by order otherwise; then they are numbered from 0, as in n-best
    lists. OUT is a new folder, which gets a file a
    sentence; of a single sentence it may be a file, told by its ending (.json, .cards, ...), or standard output.
    """
    refuse_clashes(references, output)
    texts = read_texts(references, format, alternations)
    sides = [_sentences(side) for side in texts]
    to_folder = wants_folder(output)
    # A single sentence without an id gets that of its file, in a folder its number.
    rows = [(id or "0" * to_folder, texts) for id, texts in rows_by_id(references, sides)]
    built = [_built(id, texts, merge) for id, texts in rows]
    if to_folder or len(built) > 1:
        write_folder([one.network for one in built], output, to, max_arcs)
    else:
        write_network(built[0].network, output, to, max_arcs)
    if output != "-":
        _print(output, built, merge, to_folder)
    for remark in said_of_ids(texts):
        say(remark)


def _sentences(side: Side) -> list[tuple[str | None, Any]]:
    items = side.items
    if not items.items:
        raise InputError("holds no sentence", side.path)
    values = [item.value if item.text is None else item.text for item in items.items]
    if not all(isinstance(value, str | tuple | Transcript) for value in values):
        raise InputError(f"expected text, found format {', '.join(items.formats)}", side.path)
    return [(item.id, value) for item, value in zip(items.items, values, strict=True)]


def _built(id: str, texts: Sequence[Any], merge: bool) -> Built:
    try:
        return from_references(texts, id, merge)
    except FstmetricsError as error:
        raise FstmetricsError(f"item {id}: {error}" if id else str(error)) from None


def _print(output: str, built: Sequence[Built], merge: bool, folder: bool) -> None:
    """The size of one network in a file, or how many a folder has, and what merging added."""
    references, extra = sum(one.references for one in built), sum(one.extra for one in built)
    if folder or len(built) > 1:
        networks = f"{len(built)} network{'s' * (len(built) != 1)}"
        click.echo(f"{output}: {networks} of {references} different reference{'s' * (references != 1)}")
    else:
        print_sizes([(output, network_info(built[0].network))])
    if merge:
        click.echo(f"{extra} sentences beside the {references} references, which nobody wrote")
