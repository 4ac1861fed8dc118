"""`fstmetrics convert`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.click_options import command, options_of
from fstmetrics.cli.terminal import tell
from fstmetrics.commands.convert import CONVERTING, convert_from, format_list


@command(usual=("--format", "--to", "--lossy", "--scale", "--keep-going"), ending=format_list)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@options_of(CONVERTING)
def convert(source: str, target: str, **options: Any) -> int:
    """Convert IN to OUT in another format.

    \b
    Example:  fstmetrics convert lat.1.gz lattices/ --to slf

    IN: a file, a folder or a pattern in quotes, 'lat.*.gz'. OUT: a file (compressed if it ends with .gz), or a folder
    (it ends with a slash), which gets one file per item. What the format of OUT cannot hold is an error that names it;
    with --lossy it is left out.
    """
    done = convert_from(source, target, options)
    tell(*done.lines())
    return 1 if done.faults else 0
