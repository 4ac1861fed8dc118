"""`fstmetrics network`: the group of commands on reference networks, one module a command."""

from __future__ import annotations

import sys
from typing import ClassVar

import click

from fstmetrics.cli import Commands


class NetworkCommands(Commands):
    """The commands of the group, imported on use."""

    PACKAGE: ClassVar[str] = "fstmetrics.cli.network_command"
    MODULE: ClassVar[str] = "network_{}"
    MODULES: ClassVar[dict[str, str]] = {
        "build": "Networks from plain references.",
        "info": "Sizes, exact number of paths, their lengths, vocabulary.",
        "paths": "List paths, or draw some at random.",
        "draw": "A picture of a card or of the whole (DOT, SVG, PNG).",
        "validate": "Everything that is wrong with networks.",
        "union": "All paths of several networks for one sentence.",
        "spu": "Union that also merges cards for the same source words.",
        "normalise": "The same strings with fewer cards, states and arcs.",
        "convert": "To and from OpenFst, JSON and the annotators' text form.",
    }


@click.group(cls=NetworkCommands)
def network() -> None:
    """Reference networks: combine, look into, draw, check, convert.

    A network is a set of named cards, choices of phrases in which [NAME] calls another card: a file in JSON
    (docs/hyter.md) or in the text form (docs/networks.md). A forest (docs/forests.md) is one, too, and any lattice file
    stands for a network of one card.
    """
    sys.set_int_max_str_digits(0)  # numbers of paths are printed in full
