"""`fstmetrics network paths`."""

from __future__ import annotations

from itertools import islice
from typing import Any

import click

from fstmetrics.cli.network_command.network_options import read_networks, reading_options
from fstmetrics.cli.numbers import ROWS, SEED, Whole
from fstmetrics.cli.terminal import say
from fstmetrics.networks import Paths
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.output import whole_file

LIMIT = 100
# Paths drawn of each network: some minutes.
MOST_DRAWN = 10_000_000


@click.command()
@click.argument("network", metavar="NETWORKS")
@click.option(
    "--list", "listed", is_flag=True, help="List paths in the order of the network; this is the default."
)
@click.option("--limit", type=ROWS, metavar="N",
              help=f"How many to list of each network; {LIMIT} by default.")  # fmt: skip
@click.option("--sample", type=Whole(0, MOST_DRAWN), metavar="N",
              help="Draw N paths of each network instead, each as likely as any other, with replacement.")  # fmt: skip
@click.option("--seed", type=SEED, metavar="S", help="Draw the same paths again for the same number.")
@reading_options
def paths(
    network: str, listed: bool, limit: int | None, sample: int | None, seed: int | None, **reading: Any
) -> None:
    """Print paths of a network, a line each; words that it spells in two ways come twice.

    Of a folder or an archive of several, each line begins with the network's id.
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
