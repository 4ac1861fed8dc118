"""The command line: parse, call, print. One module a command; `options` has what they share.

Commands load when they are called, so that `--help` loads none of the engine.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import ClassVar

import click

from fstmetrics.errors import FstmetricsError
from fstmetrics.version import __version__


class Commands(click.Group):
    """A group whose commands are imported on use."""

    MODULES: ClassVar[dict[str, str]] = {
        "oracle": "Best paths of lattices or n-best lists, beside the decoder's own choice.",
        "hyter": "HyTER: fewest edits and moves to a path of a reference network.",
        "score": "WER, WRR or N-GRR of strings, with one reference or several.",
        "demo": "Oracle and HyTER on the examples that ship with the package.",
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names, in the order of the help page."""
        return list(self.MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command's module and take the command of that name."""
        if cmd_name not in self.MODULES:
            return None
        module = importlib.import_module(f"fstmetrics.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.MODULES.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="fstmetrics")
def cli() -> None:
    """Finite-state metrics: exact lattice oracles, HyTER, and error rates against many references.

    Every command reads files or folders, plain or gzipped, and "-" for standard input.
    """


def main() -> None:
    """Run the command line; errors of use and of input are one line each, exit status 2."""
    try:
        cli(standalone_mode=False, prog_name="fstmetrics")
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except FstmetricsError as error:
        click.echo(f"fstmetrics: {error}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output has gone; leave quietly, and keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except KeyboardInterrupt:
        sys.exit(130)
