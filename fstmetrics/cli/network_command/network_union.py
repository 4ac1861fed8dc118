"""`fstmetrics network union`, and what it shares with `spu`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from fstmetrics.cli.network_command.network_options import (
    print_sizes,
    read_networks,
    with_id,
    writing_options,
)
from fstmetrics.cli.options import command
from fstmetrics.cli.terminal import show
from fstmetrics.convert.network_files import rows_by_id, write_folder, write_network
from fstmetrics.networks import network_info
from fstmetrics.networks import union as union_of
from fstmetrics.readers.reading import check_paths
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.values.network import Network


@command()
@click.argument("networks", metavar="NETWORK...", nargs=-1, required=True)
@click.option("--id", "id", metavar="ID", help="Id of the result. Default: the id that all have in common.")
@writing_options
def union(networks: Sequence[str], id: str | None, output: str, to: str | None, max_arcs: int) -> None:
    """Combine networks for one sentence: all paths of all of them (the standard union).

    \b
    Example:  fstmetrics network union anna.json ben.json -o both.json

    In folders and archives, the networks with the same id are combined; OUT is then a folder.
    """
    combine(union_of, networks, id, output, to, max_arcs)


def combine(
    combined: Callable[..., Network],
    paths: Sequence[str],
    id: str | None,
    output: str,
    to: str | None,
    max_arcs: int,
) -> list[Network]:
    """Read, combine, write, and print the sizes if the result is not what is printed; the networks read."""
    check_paths(paths, output)
    sides = [read_networks(path) for path in paths]
    if any(len(side) > 1 for side in sides):
        if id is not None:
            raise FstmetricsError("--id is for one network; these have ids of their own")
        _combine_rows(combined, paths, sides, output, to, max_arcs)
        return [network for side in sides for network in side]
    networks = [network for side in sides for network in side]
    result = combined(*networks)
    if id is not None:
        result = with_id(result, id)
    write_network(result, output, to, max_arcs)
    if output != "-":
        names = [*paths, output]
        print_sizes(
            [(n, network_info(net, max_states=0)) for n, net in zip(names, [*networks, result], strict=True)]
        )
    return networks


def _combine_rows(
    combined: Callable[..., Network],
    paths: Sequence[str],
    sides: Sequence[Sequence[Network]],
    output: str,
    to: str | None,
    max_arcs: int,
) -> None:
    """The networks of each id combined, into a folder."""
    rows = rows_by_id(paths, [[(network.id, network) for network in side] for side in sides])
    write_folder([with_id(combined(*row), id) for id, row in rows], output, to, max_arcs)
    show(f"{output}: {len(rows)} networks of {len(paths)} each")
