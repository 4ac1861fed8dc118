"""`fstmetrics demo`: oracle and HyTER on the examples in the package."""

from __future__ import annotations

import shlex
from importlib.resources import as_file, files
from pathlib import Path

import click

from fstmetrics.cli.click_options import command
from fstmetrics.cli.terminal import show
from fstmetrics.commands.hyter import hyter_command
from fstmetrics.commands.oracle import oracle_command


@command()
def demo_command() -> None:
    """Show `oracle` and `hyter` on examples that come with the package.

    \b
    Example:  fstmetrics demo

    It finds the best paths of four speech lattices and scores three translations against reference networks, with
    alignments. The commands are printed, so that you can run them again with other options.
    """
    with as_file(files("fstmetrics") / "examples") as folder:
        # As seen from here, if it lies below.
        examples = folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder
        show("Best paths of four speech lattices:")
        _run(oracle_command, examples / "oracle" / "ref.txt", examples / "oracle" / "lattices")
        show("", "Three translations against networks of references:")
        _run(hyter_command, examples / "hyter" / "networks", examples / "hyter" / "hyp.txt", "--window", "3")


def _run(called: click.Command, *arguments: object) -> None:
    given = [*map(str, arguments), "--alignment"]
    show(f"$ fstmetrics {shlex.join([str(called.name), *given])}", "")
    called.main(given, prog_name=f"fstmetrics {called.name}", standalone_mode=False)
