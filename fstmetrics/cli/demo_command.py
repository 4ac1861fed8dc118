"""`fstmetrics demo`: oracle and HyTER on the examples in the package."""

from __future__ import annotations

import shlex
from importlib.resources import as_file, files
from pathlib import Path

import click

from fstmetrics.cli.click_options import command
from fstmetrics.cli.hyter_command import hyter
from fstmetrics.cli.oracle_command import oracle
from fstmetrics.cli.terminal import show


@command()
def demo() -> None:
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
        _run(oracle, examples / "oracle" / "ref.txt", examples / "oracle" / "lattices")
        show("", "Three translations against networks of references:")
        _run(hyter, examples / "hyter" / "networks", examples / "hyter" / "hyp.txt", "--window", "3")


def _run(called: click.Command, *arguments: object) -> None:
    given = [*map(str, arguments), "--alignment"]
    show(f"$ fstmetrics {shlex.join([str(called.name), *given])}", "")
    called.main(given, prog_name=f"fstmetrics {called.name}", standalone_mode=False)
