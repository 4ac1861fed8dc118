"""`fstmetrics network info`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import click

from fstmetrics.cli.network_command.network_options import count_text, read_networks, reading_options
from fstmetrics.cli.option_types import ROWS
from fstmetrics.cli.options import command
from fstmetrics.cli.terminal import show
from fstmetrics.networks import NetworkInfo, network_info
from fstmetrics.networks.distinct_strings import MAX_STATES
from fstmetrics.networks.sizes import MAX_EXPANDED_ARCS
from fstmetrics.reports.summary import table_lines
from fstmetrics.support.json_text import written_json
from fstmetrics.support.output import whole_file

# Numbers from here on are shown a second time, rounded.
LARGE = 10**7


@command()
@click.argument("networks", metavar="NETWORKS...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per network.")
@click.option("--max-arcs", type=ROWS, default=MAX_EXPANDED_ARCS, show_default=True, metavar="N",
              help="Expansions of more arcs are not counted; an upper bound is printed.")  # fmt: skip
@click.option("--max-states", type=ROWS, default=MAX_STATES, show_default=True, metavar="N",
              help="Distinct strings are counted where so many states suffice; 0 counts none.")  # fmt: skip
@reading_options
def info(networks: Sequence[str], as_json: bool, max_arcs: int, max_states: int, **reading: Any) -> None:
    """Print the size of networks: cards, states, arcs, the exact numbers of paths and strings, lengths, vocabulary.

    \b
    Example:  fstmetrics network info networks/

    NETWORKS: files or folders. No path is enumerated. Paths are accepting paths: a sentence that a network spells in
    two ways counts twice. Among strings it counts once.
    """
    for path in networks:
        for network in read_networks(path, **reading):
            found = network_info(network, max_arcs, max_states)
            if as_json:
                with whole_file("-") as stream:
                    stream.write(written_json(found.to_dict()) + "\n")
            else:
                show(*_lines(found))


def _lines(info: NetworkInfo) -> Iterator[str]:
    unused = f"  ({info.unused_cards} more that are on no path)" if info.unused_cards else ""
    bound = f"not written out: at most {info.most_expanded_arcs}"
    shared = [("as a lattice", f"{info.shared_states} states, {info.shared_arcs} arcs, each card once")]
    rows = [
        ("cards", f"{info.cards}{unused}"),
        ("states", info.states),
        ("arcs", info.arcs),
        ("nesting depth", info.depth),
        ("expanded states", "not written out" if info.expanded_states is None else info.expanded_states),
        ("expanded arcs", bound if info.expanded_arcs is None else info.expanded_arcs),
        *(shared if info.shared_arcs is not None else ()),
        ("paths", _large(info.paths)),
        ("strings", _strings(info)),
        ("shortest path", f"{info.shortest} words"),
        ("longest path", "no limit" if info.longest is None else f"{info.longest} words"),
        ("mean path", "no limit" if info.mean_length is None else f"{float(info.mean_length):.4f} words"),
        ("vocabulary", f"{info.vocabulary} words"),
    ]
    yield info.id or "(no id)"
    yield from (f"  {line}" for line in table_lines([(name, str(value)) for name, value in rows], names=2))


def _strings(info: NetworkInfo) -> str:
    if info.strings is None and info.paths is not None:
        return "not counted: at most as many as paths"
    return _large(info.strings)


def _large(count: int | None) -> str:
    rounded = f"  (about {Decimal(count):.1e})" if count is not None and count >= LARGE else ""
    return count_text(count) + rounded
