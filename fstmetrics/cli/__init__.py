"""The command line: parse, call, print. One module a command; `options` has what they share.

Commands load when they are called, so that `--help` loads none of the engine.
"""

from __future__ import annotations

import importlib
import io
import os
import signal
import sys
from typing import ClassVar, NoReturn

import click

from fstmetrics.cli.messages import say
from fstmetrics.errors import FstmetricsError
from fstmetrics.limits import NAMES, OPTION, limited, parsed_limit
from fstmetrics.version import __version__

# What shells report for a program that was stopped by the keyboard.
INTERRUPTED = 130


class Commands(click.Group):
    """A group whose commands are imported on use."""

    PACKAGE: ClassVar[str] = "fstmetrics.cli"
    MODULES: ClassVar[dict[str, str]] = {
        "oracle": "Best paths of lattices or n-best lists, beside the decoder's own choice.",
        "mbr": "The hypotheses of least expected loss, of lattices or n-best lists.",
        "hyter": "HyTER: fewest edits and moves to a path of a reference network.",
        "score": "WER, N-GRR, BLEU and other metrics of strings, with one reference or several.",
        "compare": "Several systems against a baseline: scores, intervals and tests of significance.",
        "correlate": "Metrics against human scores: correlation of systems, documents and segments.",
        "variants": "Orders of a sentence that BLEU cannot tell apart, counted.",
        "grammar": "Rewrite rules that widen references: list, show, test, and what they save.",
        "show": "Items of records: closest paths and alignments, the worst first.",
        "errors": "Records added up: what goes wrong most, in one system or two side by side.",
        "report": "Records as one HTML page to look at, offline.",
        "features": "Numbers about translations against networks, a row a passage, for learning.",
        "proficiency": "How well such features tell translators' levels.",
        "convert": "Lattices, n-best lists, networks and text in other formats.",
        "network": "Reference networks: combine, look into, draw, check, convert.",
        "demo": "Oracle and HyTER on the examples that ship with the package.",
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names, in the order of the help page."""
        return list(self.MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command's module and take the command of that name."""
        if cmd_name not in self.MODULES:
            return None
        module = importlib.import_module(f"{self.PACKAGE}.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        if not isinstance(command, click.Group) and not any(p.name == "limits" for p in command.params):
            command.params.append(_limit_option())
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.MODULES.items()))


def _limit_option() -> click.Option:
    """The option that every command has: other limits on what is read, while the command runs."""
    return click.Option(
        [OPTION, "limits"], multiple=True, metavar="NAME=NUMBER", expose_value=False, is_eager=True,
        callback=_set_limits, help=f"Raise or lower a limit on inputs: {', '.join(NAMES)}; repeatable.",
    )  # fmt: skip


def _set_limits(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> None:
    if values:
        context.with_resource(limited(**dict(map(parsed_limit, values))))


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="fstmetrics")
@click.pass_context
def cli(context: click.Context) -> None:
    """Finite-state metrics: exact lattice oracles, HyTER, and error rates against many references.

    Every command reads files or folders, plain or gzipped, and "-" for standard input.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(2)


def main() -> None:
    """Run the command line; errors of use and of input are one line each, exit status 2."""
    _prepare_process()
    try:
        status = cli(standalone_mode=False, prog_name="fstmetrics")
        if sys.stdout is not None:
            sys.stdout.flush()  # here, where a reader that has gone is no surprise
    except click.exceptions.Abort:
        sys.exit(INTERRUPTED)
    except click.ClickException as error:
        _fail(_with_help(error), error.exit_code)
    except FstmetricsError as error:
        _fail(str(error))
    except BrokenPipeError:
        _leave_quietly()
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except MemoryError:
        _fail("out of memory")
    sys.exit(status if isinstance(status, int) else 0)


def _prepare_process() -> None:
    """Unfinished files go when the process is told to stop; no word is too strange to print."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _with_help(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    where = f" ({context.command_path} --help says more)" if context else ""
    return error.format_message().rstrip(".") + where


def _fail(message: str, status: int = 2) -> NoReturn:
    """One line, and the end."""
    say(message)
    sys.exit(status)


def _leave_quietly() -> NoReturn:
    """The reader of our output has gone; keep Python from complaining at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(1)  # as click has it, where it sees the fault first
