"""What the network commands share: options, networks from files, networks to files, tables of sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from fstmetrics.annotate.project_items import read_project
from fstmetrics.cli.option_types import ARCS, FORMAT, Output
from fstmetrics.cli.terminal import show
from fstmetrics.convert.network_files import ENDINGS
from fstmetrics.networks.automata import MAX_ARCS, from_lattice, from_machines
from fstmetrics.networks.sizes import NetworkInfo
from fstmetrics.readers import read_items
from fstmetrics.reports.summary import table_lines
from fstmetrics.runs.input_sides import PROJECT
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.names import listed
from fstmetrics.support.source import stem
from fstmetrics.values.lattice import Lattice
from fstmetrics.values.network import Network

Function = TypeVar("Function", bound=Callable[..., Any])

# How many ids a message names before it only counts.
NAMED = 5


def reading_options(function: Function) -> Function:
    """How a network file is read."""
    for option in (
        click.option("--item", metavar="ID", help="Only the network with this id, of a folder or an archive."),
        click.option("--root", metavar="NAME",
                     help="The root of an archive (FAR) of cards. Default: the card that no other card calls."),
        click.option("--symbols", metavar="FILE",
                     help="Symbol table (lines `word integer`) where machines hold numbers for words."),
        click.option("--format", type=FORMAT, help="Format read. Default: recognised."),
    ):  # fmt: skip
        function = option(function)
    return function


def writing_options(function: Function) -> Function:
    """Where a network goes, and in which format."""
    for option in (
        click.option("--max-arcs", type=ARCS, default=MAX_ARCS, show_default=True, metavar="N",
                     help="Largest size of an expansion, which a single OpenFst machine holds."),
        click.option("--to", type=click.Choice(list(ENDINGS)),
                     help="Format written. Default: by the ending of OUT; JSON to standard output."),
        click.option("-o", "--output", type=Output(), metavar="OUT", default="-",
                     help="File to write; for several networks a new folder, which gets one file each; - is "
                          "standard output. Default: -."),
    ):  # fmt: skip
        function = option(function)
    return function


def read_networks(
    path: str,
    format: str | None = None,
    symbols: str | None = None,
    root: str | None = None,
    item: str | None = None,
) -> list[Network]:
    """Every network of a file or folder, or the one of an id.

    Lattices count as networks of one card, an archive of machines (FAR) as one network.

    Raises:
        FstmetricsError: the path cannot be read, holds something else, or nothing of that id.
    """
    networks = _networks(path, format, symbols, root)
    if item is None:
        return networks
    if not (found := [network for network in networks if network.id == item]):
        raise InputError(f"there is no network {item!r}; there are {_named_ids(networks)}", path)
    return found


def _named_ids(networks: Sequence[Network]) -> str:
    """Ids for a message, the first few of many."""
    ids = [network.id or "(no id)" for network in networks]
    return listed(ids, NAMED)


def _networks(path: str, format: str | None, symbols: str | None, root: str | None) -> list[Network]:
    if format is None and (Path(path) / PROJECT).is_file():
        items = read_project(path).items
    else:
        items = read_items(path, format=format, symbols=symbols)
    if not items.items:
        raise InputError("holds no network", path)
    values = [item.value for item in items.items]
    if not all(isinstance(value, Network | Lattice) for value in values):
        raise InputError(f"expected a network, found format {', '.join(items.formats)}", path)
    if root is not None and items.formats != ("far",):
        raise InputError(f"--root is for archives (far); this is {', '.join(items.formats)}", path)
    try:
        if items.formats == ("far",):
            return [from_machines({value.id: value for value in values}, root, _stem(path))]
        networks = [value if isinstance(value, Network) else from_lattice(value) for value in values]
        if len(networks) > 1:  # as everywhere, items without ids have their numbers
            return [
                network if network.id else with_id(network, str(n)) for n, network in enumerate(networks, 1)
            ]
        return [_named(network, path) for network in networks]
    except InputError:
        raise
    except FstmetricsError as error:
        raise InputError(str(error), path) from None


def _stem(path: str) -> str:
    return "" if path == "-" else stem(path)


def with_id(network: Network, id: str) -> Network:
    """The same network under another id."""
    return Network(network.cards.values(), network.root, id=id, source=network.source, unit=network.unit)


def _named(network: Network, path: str) -> Network:
    """Standard input has no name that could be an id."""
    if path != "-" or network.id != "-":
        return network
    return with_id(network, "")


def read_network(path: str, **reading: Any) -> Network:
    """The one network of a file; errors as of `read_networks`, or if there are several."""
    networks = read_networks(path, **reading)
    if len(networks) != 1:
        raise InputError(
            f"expected one network, found {len(networks)}: {_named_ids(networks)}; choose one with --item ID",
            path,
        )
    return networks[0]


def print_sizes(rows: Sequence[tuple[str, NetworkInfo]]) -> None:
    """A table of networks side by side."""
    table = [("", "cards", "states", "arcs", "expanded arcs", "paths")]
    for name, info in rows:
        expanded = f"<= {info.most_expanded_arcs}" if info.expanded_arcs is None else str(info.expanded_arcs)
        table.append(
            (name, str(info.cards), str(info.states), str(info.arcs), expanded, count_text(info.paths))
        )
    show(*table_lines(table))


def count_text(paths: int | None) -> str:
    """A number of paths, which may be infinite."""
    return "infinite" if paths is None else str(paths)
