"""`fstmetrics network convert`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.network_command.network_options import read_networks, reading_options, writing_options
from fstmetrics.cli.options import command
from fstmetrics.cli.terminal import show
from fstmetrics.convert.network_files import write_networks
from fstmetrics.readers.reading import check_paths


@command()
@click.argument("network", metavar="NETWORKS")
@writing_options
@reading_options
def convert(network: str, output: str, to: str | None, max_arcs: int, **reading: Any) -> None:
    """Convert networks to another format.

    \b
    Example:  fstmetrics network convert networks/ -o station.cards

    NETWORKS: a file or a folder, in one of these formats or in any lattice format (without its costs). json and cards
    (the annotators' text form) hold networks as they are. openfst (binary) and att (text) hold one machine, the
    expansion. far holds one machine per card; calls are labels `[NAME]`.
    """
    check_paths((network, reading["symbols"]), output)
    networks = read_networks(network, **reading)
    if write_networks(networks, network, output, to, max_arcs):
        show(f"{output}: {len(networks)} network{'s' * (len(networks) != 1)}")
