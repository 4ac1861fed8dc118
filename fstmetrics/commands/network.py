"""`fstmetrics network`: the group of commands on reference networks, which stand in other files."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import ClassVar

import click

from fstmetrics.cli import Commands, command_in
from fstmetrics.support.plugins import Registry

# Which commands stand in which file.
FILES = {
    "networks": ("build", "draw", "union", "spu", "normalise", "convert"),
    "network_checks": ("info", "paths", "validate", "accepts"),
    "proposals": ("propose", "review"),
}


def _makers() -> dict[str, Callable[[], click.Command]]:
    return {name: partial(command_in, file, name) for file, names in FILES.items() for name in names}


class NetworkCommands(Commands):
    """The commands of the group, imported on use."""

    HEADINGS: ClassVar[dict[str, str]] = {}
    MODULES: ClassVar[dict[str, str]] = {
        "build": "Make networks of plain references.",
        "info": "Print sizes, the exact number of paths, their lengths, the vocabulary.",
        "paths": "List paths, or print some at random.",
        "draw": "Draw a card or the whole network (DOT, SVG, PNG).",
        "validate": "Print everything that is wrong with networks.",
        "accepts": "Test networks with sentences to accept and to reject.",
        "union": "Combine networks for one sentence: all paths of all of them.",
        "spu": "The same, and join cards for the same source words.",
        "propose": "Propose phrases that cards lack, from outputs of systems.",
        "review": "Accept and reject proposed phrases.",
        "normalise": "Write the same strings with fewer cards, states and arcs.",
        "convert": "Convert to and from OpenFst, JSON and the annotators' text form.",
    }
    FOUND: ClassVar[Registry[click.Command]] = Registry("command", "", _makers)


@click.group("network", cls=NetworkCommands)
def network_command() -> None:
    """Reference networks: build, look into, combine, draw, check, convert.

    \b
    Example:  fstmetrics network info networks/

    A network is a set of named cards. A card is a choice of phrases, in which [NAME] calls another card. A network is a
    file in JSON (docs/hyter.md) or in the text form (docs/networks.md). Forests (docs/forests.md) are read as networks,
    too, and so is any lattice, as a network of one card.
    """
    sys.set_int_max_str_digits(0)  # numbers of paths are printed in full
