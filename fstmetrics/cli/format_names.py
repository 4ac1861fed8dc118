"""Names of formats on the command line: `FormatName`, the type of an option; `FORMAT`, for those that are read."""

from __future__ import annotations

import click

from fstmetrics.near_names import unknown
from fstmetrics.readers import FORMATS
from fstmetrics.reports.summary import table_lines


class FormatName(click.Choice[str]):
    """A name of a format: too many for the line of an option, so `fstmetrics convert --help` lists them."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, if there is one; an error has the nearest first."""
        if isinstance(value, str) and value not in self.choices:
            self.fail(unknown("format", value, self.choices), param, ctx)
        return super().convert(value, param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """What help pages call it."""
        return "FORMAT"


FORMAT = FormatName(list(FORMATS))


def format_list() -> str:
    """What the help page of `convert` ends with: each format that is read, and what it is."""
    rows = [("--format", "what it is")]
    rows += [(name, format.description) for name, format in FORMATS.items()]
    return "\b\n" + "\n".join(table_lines(rows, 2))
