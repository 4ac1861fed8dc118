"""Lines on standard error: `say`."""

from __future__ import annotations

import click


def say(message: str) -> None:
    """One line, whatever characters the names in it hold."""
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message)
    click.echo(f"fstmetrics: {line}", err=True)
