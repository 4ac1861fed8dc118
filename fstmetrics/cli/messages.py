"""What people read: `show` prints lines on standard output, `tell` and `say` on standard error. `show_json`: an object.

Whatever the words and names in a line hold, a terminal obeys none of it: they are escaped (`reports.printable`), also
where output goes to a file. Data for other programs goes through `output.whole_file("-")`, and stays as it is there.
"""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.json_text import written_json
from fstmetrics.output import whole_file
from fstmetrics.reports.printable import brief, printable


def show(*lines: str) -> None:
    """Lines on standard output."""
    for line in lines:
        click.echo(printable(line))  # noqa: TID251


def show_json(value: dict[str, Any]) -> None:
    """An object on standard output, as a line: data for programs."""
    with whole_file("-") as stream:
        stream.write(written_json(value) + "\n")


def tell(*lines: str) -> None:
    """Lines on standard error."""
    for line in lines:
        click.echo(printable(line), err=True)  # noqa: TID251


def say(message: str) -> None:
    """A line on standard error that begins with the program's name, cut where it quotes much."""
    tell(f"fstmetrics: {brief(printable(message))}")
