"""`fstmetrics network normalise`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.network_command.network_options import (
    print_sizes,
    read_networks,
    reading_options,
    writing_options,
)
from fstmetrics.cli.options import command
from fstmetrics.cli.terminal import show
from fstmetrics.convert.network_files import write_networks
from fstmetrics.networks import network_info, normal_form
from fstmetrics.readers.reading import check_paths
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.values.network import Network


@command()
@click.argument("network", metavar="NETWORKS")
@writing_options
@reading_options
def normalise(network: str, output: str, to: str | None, max_arcs: int, **reading: Any) -> None:
    """Write networks with the same strings and fewer cards, states and arcs.

    \b
    Example:  fstmetrics network normalise station.json -o small.json

    NETWORKS: a file or a folder. Every card becomes deterministic and minimal, and equal cards become one. The
    sizes before and after are printed, unless the network itself is.
    """
    check_paths((network, reading["symbols"]), output)
    before = read_networks(network, **reading)
    after = [_normal(one) for one in before]
    to_folder = write_networks(after, network, output, to, max_arcs)
    if to_folder:
        arcs = [sum(network_info(one, max_states=0).arcs for one in side) for side in (before, after)]
        show(f"{output}: {len(after)} network{'s' * (len(after) != 1)}, {arcs[0]} arcs before, {arcs[1]} now")
    elif output != "-":
        print_sizes(
            [(network, network_info(before[0], max_states=0)), (output, network_info(after[0], max_states=0))]
        )


def _normal(network: Network) -> Network:
    try:
        return normal_form(network)
    except FstmetricsError as error:
        raise FstmetricsError(f"network {network.id}: {error}" if network.id else str(error)) from None
