"""`fstmetrics network paths`."""

from __future__ import annotations

from itertools import islice
from typing import Any

import click

from fstmetrics.cli.network_command.network_options import read_networks, reading_options
from fstmetrics.cli.option_types import ROWS, SEED, Whole
from fstmetrics.cli.options import command
from fstmetrics.cli.terminal import say
from fstmetrics.networks import Paths
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.output import whole_file

LIMIT = 100
# Paths drawn of each network: some minutes.
MOST_DRAWN = 10_000_000


@command()
@click.argument("network", metavar="NETWORKS")
@click.option(
    "--list", "listed", is_flag=True, help="List the paths in the order of the network. This is the default."
)
@click.option("--limit", type=ROWS, metavar="N",
              help=f"Paths to list of each network. Default: {LIMIT}.")  # fmt: skip
@click.option("--sample", type=Whole(0, MOST_DRAWN), metavar="N",
              help="Print N random paths of each network instead: equally likely, with replacement.")  # fmt: skip
@click.option("--seed", type=SEED, metavar="S", help="Seed of --sample. The same seed gives the same paths.")
@reading_options
def paths(
    network: str, listed: bool, limit: int | None, sample: int | None, seed: int | None, **reading: Any
) -> None:
    """Print paths of a network, one per line.

    \b
    Example:  fstmetrics network paths station.json --sample 10

    A sentence that the network spells in two ways comes twice. For a folder or an archive of several networks, each
    line begins with the id of its network.
    """
    if sample is not None and (listed or limit is not None):
        raise FstmetricsError("--sample draws paths, --list and --limit list them: give one or the other")
    if seed is not None and sample is None:
        raise FstmetricsError("--seed is for --sample N")
    networks = read_networks(network, **reading)
    count = LIMIT if limit is None else limit
    for one in networks:
        found = Paths(one)
        chosen = islice(found, count) if sample is None else found.sample(sample, seed)
        id = (one.id,) if len(networks) > 1 else ()
        with whole_file("-") as stream:
            stream.writelines(" ".join((*id, *words)) + "\n" for words in chosen)
        if sample is None and limit is None and found.count > count:
            say(f"{': '.join((*id, str(count)))} of {found.count} paths; --limit N lists more")
