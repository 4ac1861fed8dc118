"""`fstmetrics network draw`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from fstmetrics.cli.network_command.network_options import read_network, reading_options
from fstmetrics.cli.option_types import ARCS
from fstmetrics.cli.options import command
from fstmetrics.cli.path_checks import check_paths
from fstmetrics.networks.drawing import MAX_ARCS, render
from fstmetrics.networks.drawing import draw as drawn
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.output import write_whole

KINDS = ("dot", "svg", "png", "pdf")


@command()
@click.argument("network", metavar="NETWORK")
@click.option("--card", "cards", multiple=True, metavar="NAME",
              help="Draw this card with its calls instead of the whole network. Repeatable.")  # fmt: skip
@click.option(
    "-o", "--output", metavar="OUT", default="-", help="File to write; - is standard output. Default: -."
)
@click.option("--to", type=click.Choice(KINDS),
              help="Format written. Default: by the ending of OUT; DOT to standard output.")  # fmt: skip
@click.option("--max-arcs", type=ARCS, default=MAX_ARCS, show_default=True, metavar="N",
              help="Largest size of a drawing.")  # fmt: skip
@reading_options
def draw(
    network: str, cards: Sequence[str], output: str, to: str | None, max_arcs: int, **reading: Any
) -> None:
    """Draw a network, or cards of it.

    \b
    Example:  fstmetrics network draw station.json -o station.svg

    The whole network is drawn with every call replaced by the card that it calls. DOT is the language of Graphviz and
    needs no other program; pictures need Graphviz's program dot. --item ID draws one network of a folder or an archive.
    """
    kind = to or ("dot" if output == "-" else output.rpartition(".")[2])
    if kind not in KINDS:
        raise FstmetricsError(f"{output}: a drawing ends in .{', .'.join(KINDS)}; or give --to")
    check_paths((network, reading["symbols"]), output)
    dot = drawn(read_network(network, **reading), cards, max_arcs)
    write_whole(output, dot if kind == "dot" else render(dot, kind))
