"""`fstmetrics network spu`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from fstmetrics.cli.network_command.network_options import writing_options
from fstmetrics.cli.network_command.network_union import combine
from fstmetrics.cli.terminal import say
from fstmetrics.networks import spu as spu_of


@click.command()
@click.argument("networks", metavar="NETWORK...", nargs=-1, required=True)
@click.option(
    "--id", "id", metavar="ID", help="Id of the result; by default the one that all have in common."
)
@writing_options
def spu(networks: Sequence[str], id: str | None, output: str, to: str | None, max_arcs: int) -> None:
    """The source-phrase-level union of several networks for one sentence.

    Cards of different networks that translate the same source words and have a string in common become one, so paths
    of one network go on in another. Of folders and archives, the networks of the same id are combined, and written to a
    folder.
    """
    read = combine(spu_of, networks, id, output, to, max_arcs)
    if not any(card.span for network in read for card in network.cards.values()):
        say("no card has a span, so this is the plain union")
