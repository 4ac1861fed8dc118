"""`fstmetrics network draw`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from fstmetrics.cli.network_command.network_options import read_network, read_networks, reading_options
from fstmetrics.cli.option_types import ARCS, Output
from fstmetrics.cli.options import command
from fstmetrics.cli.terminal import show
from fstmetrics.convert.network_files import file_names, wants_folder
from fstmetrics.networks.drawing import MAX_ARCS, render
from fstmetrics.networks.drawing import draw as drawn
from fstmetrics.readers.reading import check_paths
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.output import whole_folder, write_whole
from fstmetrics.support.printable import counted
from fstmetrics.values.network import Network

KINDS = ("dot", "svg", "png", "pdf")


@command()
@click.argument("network", metavar="NETWORKS")
@click.option("--card", "cards", multiple=True, metavar="NAME",
              help="Draw this card with its calls instead of the whole network. Repeatable.")  # fmt: skip
@click.option("--all", "every", is_flag=True,
              help="Draw every card with its calls, of every network. Several networks need -o FOLDER.")  # fmt: skip
@click.option(
    "-o",
    "--output",
    type=Output(),
    metavar="OUT",
    default="-",
    help="File to write; - is standard output. Default: -.",
)
@click.option("--to", type=click.Choice(KINDS),
              help="Format written. Default: by the ending of OUT; DOT to standard output.")  # fmt: skip
@click.option("--max-arcs", type=ARCS, default=MAX_ARCS, show_default=True, metavar="N",
              help="Largest size of a drawing.")  # fmt: skip
@reading_options
def draw(
    network: str,
    cards: Sequence[str],
    every: bool,
    output: str,
    to: str | None,
    max_arcs: int,
    **reading: Any,
) -> None:
    """Draw a network, or cards of it.

    \b
    Example:  fstmetrics network draw station.json -o station.svg

    The whole network is drawn with every call replaced by the card that it calls. DOT is the language of Graphviz and
    needs no other program; pictures need Graphviz's program dot. --item ID draws one network of a folder or an archive,
    --all draws all of them, each into a file of OUT, which is then a new folder.
    """
    if every and cards:
        raise FstmetricsError("--all draws every card, --card NAME one: give one or the other")
    check_paths((network, reading["symbols"]), output)
    if not every:
        kind = _kind(output, to)
        _write(drawn(read_network(network, **reading), cards, max_arcs), output, kind)
        return
    networks = read_networks(network, **reading)
    if len(networks) == 1 and not wants_folder(output, KINDS):
        kind = _kind(output, to)
        _write(_all_cards(networks[0], max_arcs), output, kind)
        return
    if not wants_folder(output, KINDS):
        where = "" if output == "-" else f"{output}: "
        raise FstmetricsError(f"{where}{len(networks)} drawings need a folder: -o FOLDER")
    kind = to or "svg"
    drawings = {name: _all_cards(one, max_arcs) for name, one in file_names(networks).items()}
    with whole_folder(output) as folder:
        for name, dot in drawings.items():
            _write(dot, str(folder / f"{name}.{kind}"), kind)
    show(f"{output}: {counted(len(drawings), 'drawing')}")


def _kind(output: str, to: str | None) -> str:
    kind = to or ("dot" if output == "-" else output.rpartition(".")[2])
    if kind not in KINDS:
        raise FstmetricsError(f"{output}: a drawing ends in .{', .'.join(KINDS)}; or give --to")
    return kind


def _all_cards(network: Network, max_arcs: int) -> str:
    try:
        return drawn(network, list(network.cards), max_arcs)
    except FstmetricsError as error:
        raise FstmetricsError(f"network {network.id}: {error}" if network.id else str(error)) from None


def _write(dot: str, path: str, kind: str) -> None:
    write_whole(path, dot if kind == "dot" else render(dot, kind))
