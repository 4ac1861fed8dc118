"""`fstmetrics network draw`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from fstmetrics.cli.network_command.network_options import read_network, reading_options
from fstmetrics.cli.numbers import ARCS
from fstmetrics.cli.path_checks import refuse_clashes
from fstmetrics.networks.drawing import MAX_ARCS, render
from fstmetrics.networks.drawing import draw as drawn
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.output import write_whole

KINDS = ("dot", "svg", "png", "pdf")


@click.command()
@click.argument("network", metavar="NETWORK")
@click.option("--card", "cards", multiple=True, metavar="NAME",
              help="Draw this card with its calls instead of the whole network; repeatable.")  # fmt: skip
@click.option("-o", "--output", metavar="OUT", default="-", help="File to write; - is standard output.")
@click.option("--to", type=click.Choice(KINDS),
              help="What to write; by default what the ending of OUT says, DOT to standard output.")  # fmt: skip
@click.option("--max-arcs", type=ARCS, default=MAX_ARCS, show_default=True, metavar="N",
              help="How large a drawing may be.")  # fmt: skip
@reading_options
def draw(
    network: str, cards: Sequence[str], output: str, to: str | None, max_arcs: int, **reading: Any
) -> None:
    """Draw cards of a network, or the whole, every call replaced by what it calls.

    DOT is Graphviz's language and needs nothing; pictures are made by Graphviz's program dot. Of a folder or an archive
    of several networks, --item ID draws one.
    """
    kind = to or ("dot" if output == "-" else output.rpartition(".")[2])
    if kind not in KINDS:
        raise FstmetricsError(f"{output}: a drawing ends in .{', .'.join(KINDS)}; or give --to")
    refuse_clashes((network, reading["symbols"]), output)
    dot = drawn(read_network(network, **reading), cards, max_arcs)
    write_whole(output, dot if kind == "dot" else render(dot, kind))
