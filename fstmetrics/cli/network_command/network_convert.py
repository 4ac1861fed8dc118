"""`fstmetrics network convert`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.network_command.network_options import read_networks, reading_options, writing_options
from fstmetrics.cli.network_command.network_rows import write_networks
from fstmetrics.cli.path_checks import refuse_clashes
from fstmetrics.cli.terminal import show


@click.command()
@click.argument("network", metavar="NETWORKS")
@writing_options
@reading_options
def convert(network: str, output: str, to: str | None, max_arcs: int, **reading: Any) -> None:
    """Write a file or folder of networks in another format.

    json and cards (the annotators' text form) hold networks as they are; openfst (binary) and att (text) hold one
    machine, the expansion; far holds a machine a card, calls being labels `[NAME]`. Read are these and every lattice
    format, costs left out.
    """
    refuse_clashes((network, reading["symbols"]), output)
    networks = read_networks(network, **reading)
    if write_networks(networks, network, output, to, max_arcs):
        show(f"{output}: {len(networks)} network{'s' * (len(networks) != 1)}")
