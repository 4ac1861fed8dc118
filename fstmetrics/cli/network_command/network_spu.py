"""`fstmetrics network spu`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from fstmetrics.cli.network_command.network_options import writing_options
from fstmetrics.cli.network_command.network_union import combine
from fstmetrics.cli.options import command
from fstmetrics.cli.terminal import say
from fstmetrics.networks import spu as spu_of


@command()
@click.argument("networks", metavar="NETWORK...", nargs=-1, required=True)
@click.option("--id", "id", metavar="ID", help="Id of the result. Default: the id that all have in common.")
@writing_options
def spu(networks: Sequence[str], id: str | None, output: str, to: str | None, max_arcs: int) -> None:
    """Combine networks for one sentence by the source-phrase-level union.

    \b
    Example:  fstmetrics network spu anna.json ben.json -o both.json

    Cards of different networks become one card if they translate the same source words and have a string in common. So
    a path can begin in one network and continue in another. In folders and archives, the networks with the same id are
    combined; OUT is then a folder.
    """
    read = combine(spu_of, networks, id, output, to, max_arcs)
    if not any(card.span for network in read for card in network.cards.values()):
        say("no card has a span, so this is the plain union")
