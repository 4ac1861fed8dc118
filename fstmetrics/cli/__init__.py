"""The command line: parse, call, print.

A command is a file of `fstmetrics.commands`, which is imported when the command is called, so that `fstmetrics --help`
does not load the engine. Those of apps stand in their folders, and are found by entry points, as those of other
packages. What commands share is here: `option_tables` (their options), `click_options` (the same as click has them),
`terminal` (what is printed).
"""

from __future__ import annotations

import errno
import gc
import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, partial
from itertools import pairwise
from typing import ClassVar, NoReturn

import click

from fstmetrics.cli import terminal
from fstmetrics.cli.completing import Text
from fstmetrics.cli.terminal import VERBOSE, guarded, say, tell
from fstmetrics.support.errors import MISSING_CORE, FstmetricsError
from fstmetrics.support.limits import NAMES, OPTION, limited, limits, parsed_limit
from fstmetrics.support.names import did_you_mean, listed
from fstmetrics.support.plugins import Registry
from fstmetrics.support.printable import ARE_SHORT
from fstmetrics.support.progress import listener
from fstmetrics.support.signals import Stopped, ending_at_once, raising
from fstmetrics.support.version import __version__

# Where commands are.
COMMANDS = "fstmetrics.commands"
# What a system says of a library that it has no memory for.
NO_ROOM = re.compile("failed to map segment|[Cc]annot allocate memory")
# What may be why a command fails, whatever it says.
REMOVED = "the folder that the command was called in has been removed: call it in another one, or with absolute paths"
# Objects that are made before Python looks for garbage in circles: with its own 700, tables take a quarter longer.
GARBAGE = 100_000
# Options that say in which form results are printed.
FORMS = ("--csv", "--tsv", "--json", "--markdown", "--latex")
# What shells report for a program whose reader has gone.
UNREAD = 141


def _fault(name: str, command: object) -> str:
    return "" if isinstance(command, click.Command) else "it is no command of click"


# The heading of commands of other packages.
OTHER_PACKAGES = "Other packages"


class ReaderGoneError(Exception):
    """Standard output is a pipe that nobody reads any more."""


class HelpfulGroup(click.Group):
    """A group that, without a command, prints its help and fails."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments, of which there has to be one."""
        if not args and not ctx.resilient_parsing:  # with which click asks what may follow
            tell(*ctx.get_help().split("\n"))
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments begin with; an error names those that may have been meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            from fstmetrics.cli.other_programs import command_here

            group = "" if ctx.parent is None else str(ctx.info_name)
            near = command_here(args[0], group) or did_you_mean(args[0], self.list_commands(ctx))
            ctx.fail(f"no such command {args[0]!r}{'; ' if near else ''}{near}")


class Commands(HelpfulGroup):
    """A group whose commands are imported on use."""

    # Those of `fstmetrics.commands`, of apps, and of other packages.
    FOUND: ClassVar[Registry[click.Command]] = Registry(
        "command", "fstmetrics.commands", lambda: _shipped(Commands.MODULES), _fault
    )
    # Headings of the help page, by the first command below each.
    HEADINGS: ClassVar[dict[str, str]] = {
        "score": "Score",
        "compare": "Compare systems",
        "show": "Look into errors",
        "network": "References and files",
        "features": "Levels of translators",
        "demo": "Try it, set it up",
    }
    MODULES: ClassVar[dict[str, str]] = {
        "score": "WER, N-GRR, BLEU and other metrics, with one reference or several.",
        "oracle": "Best paths of lattices or n-best lists, compared with the decoder's 1-best.",
        "hyter": "HyTER: the fewest edits and moves to a path of a reference network.",
        "speakers": "cpWER, tcpWER, ORC-WER and DI-cpWER of recordings with several speakers.",
        "latency": "Latency and quality of simultaneous translation, from the logs of its tools.",
        "partials": "Partial results of a recogniser: stability, and latency of words.",
        "segment": "Documents without segment ends, cut into the segments of references.",
        "best": "The best word sequences of lattices: 1-best and k-best lists.",
        "mbr": "Hypotheses with the least expected loss, from lattices, forests or n-best lists.",
        "combine": "One output of those of several systems: ROVER, or the exact median string.",
        "tune": "Weights of a decoder's model, tuned towards a metric: MERT, MIRA, PRO.",
        "verify": "Prove records without the engine: are they true, and is no path better.",
        "merge": "One run of its shards: records and summary as if it had not been cut.",
        "compare": "Several systems against a baseline: scores, intervals, tests of significance.",
        "correlate": "Metrics against human scores: by system, document and segment.",
        "rankings": "Human rankings: which systems are best, with the sign test; weights of TESLA-F.",
        "show": "Alignments of items, the worst first.",
        "errors": "What goes wrong most, in one system or in two side by side.",
        "confidence": "Are a recogniser's confidences right: NCE, ECE, reliability.",
        "report": "An HTML page about a run.",
        "network": "Reference networks: build, look into, combine, draw, check, convert.",
        "annotate": "Write reference networks in a browser.",
        "compile": "An item or a grammar as machines of OpenFst, with a script that solves them.",
        "grammar": "Rewrite rules that widen references: list, show, test, measure.",
        "variants": "Count the word orders of a sentence that BLEU cannot tell apart.",
        "convert": "Convert lattices, n-best lists, networks and text.",
        "pack": "Lattices in one file that is read faster than it is searched.",
        "index": "Where the items of archives lie, to read one without the rest.",
        "features": "Features of translations against networks, for learning.",
        "proficiency": "Learn the levels of translators from such features.",
        "demo": "Examples of oracle and hyter that come with the package.",
        "doctor": "What is installed here, to paste into a report of an error.",
        "completion": "Completion of commands and options in bash, zsh and fish.",
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names, in the order of the help page."""
        return [*self.MODULES, *self._of_other_packages()]

    def _of_other_packages(self) -> list[str]:
        """Names that no command of ours has."""
        return [name for name in self.FOUND.other_names if name not in self.MODULES]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command's module and take the command of that name."""
        with ending_at_once():
            command = self.FOUND.get(cmd_name)
        if command is None:
            return None
        gc.freeze()  # what modules have made stays to the end
        gc.set_threshold(GARBAGE)
        gc.enable()
        for each in command.commands.values() if isinstance(command, click.Group) else (command,):
            _complete(each)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; a reader that has gone is told apart from click's own exits, which take it for a failure."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise ReaderGoneError from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands under their headings; those of other packages are imported for it."""
        sections: dict[str, list[tuple[str, str]]] = {}
        heading = "Commands"
        width = max(map(len, self.MODULES))
        for name, text in self.MODULES.items():
            heading = self.HEADINGS.get(name, heading)
            sections.setdefault(heading, []).append((name.ljust(width), text))
        for name in self._of_other_packages():
            try:
                text = command.get_short_help_str(70) if (command := self.get_command(ctx, name)) else ""
            except FstmetricsError as error:  # of its package; the others are listed
                text = str(error)
            sections.setdefault(OTHER_PACKAGES, []).append((name.ljust(width), text))
        for name, said in self.FOUND.refused().items():
            sections.setdefault(OTHER_PACKAGES, []).append((name.ljust(width), said))
        for heading, rows in sections.items():
            with formatter.section(heading):
                formatter.write_dl(rows)


def _shipped(names: Iterable[str]) -> dict[str, Callable[[], click.Command]]:
    """What imports those commands that have a file in `commands`."""
    return {
        name: partial(command_in, name, name)
        for name in names
        if importlib.util.find_spec(f"{COMMANDS}.{name}")
    }


def command_in(file: str, name: str) -> click.Command:
    """Import a file of `commands`, and take the command of that name."""
    command: click.Command = getattr(importlib.import_module(f"{COMMANDS}.{file}"), f"{name}_command")
    return command


@cache
def _complete(command: click.Command) -> None:
    """What every command has, once: other limits on what is read and searched while it runs; all remarks."""
    defaults = ", ".join(f"{name}={getattr(limits(), name)}" for name in NAMES)
    limited_by = click.Option(
        [OPTION, "limits"], multiple=True, metavar="NAME=NUMBER", expose_value=False, is_eager=True,
        callback=_set_limits,
        help="Set a limit on inputs and searches (docs/hostile-input.md explains them). Repeatable. "
             f"Defaults: {defaults}.",
    )  # fmt: skip
    verbose = click.Option(
        [VERBOSE], is_flag=True, expose_value=False,
        help="Show all remarks, also those that say the same of several files or systems.",
    )  # fmt: skip
    command.params += [limited_by, verbose]
    for param in command.params:
        if type(param.type) is click.types.StringParamType:
            param.type = Text()


def _set_limits(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> None:
    if values:
        context.with_resource(limited(**dict(map(parsed_limit, values))))


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="fstmetrics")
def cli() -> None:
    """Finite-state metrics: exact lattice oracles, HyTER, and error rates against many references.

    \b
    Example:  fstmetrics demo
              fstmetrics score ref.txt hyp.txt

    Commands read files or folders, plain or gzipped; - is standard input. fstmetrics COMMAND --help explains a command.
    """


def main() -> None:
    """Run the command line; errors of use and of input are one line each, exit status 2."""
    silence, short = listener.set(terminal), ARE_SHORT.set(True)
    try:
        with guarded():
            _run()
    finally:
        listener.reset(silence)
        ARE_SHORT.reset(short)


def _run() -> NoReturn:
    try:
        with raising():
            status = cli(standalone_mode=False, prog_name="fstmetrics")
            if sys.stdout is not None:
                sys.stdout.flush()  # here, where a reader that has gone is no surprise
    except Stopped as stopped:
        _fail("; ".join(filter(None, ("stopped", stopped.remark))), stopped.status)
    except click.ClickException as error:
        _fail(_with_form(_with_help(error)), error.exit_code)
    except FstmetricsError as error:
        _fail(_with_form(str(error)), error.exit_status)
    except (ReaderGoneError, BrokenPipeError):
        # So that Python does not complain at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(UNREAD)
    except OSError as error:
        if error.errno == errno.ENOMEM:
            _fail("out of memory")
        _fail(f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error))
    except MemoryError:
        _fail("out of memory")
    except ImportError as error:
        if NO_ROOM.search(str(error)):
            _fail("out of memory")
        if "fstmetrics._native" in sys.modules:
            raise
        said = MISSING_CORE if error.name == "fstmetrics._native" else error
        _fail(f"the compiled core cannot be loaded: {said} (fstmetrics doctor shows what is installed)")
    sys.exit(status if isinstance(status, int) else 0)


def _with_form(said: str) -> str:
    """An error, with what to do where the file that it names was meant as that of a form of output."""
    for option, name in pairwise(sys.argv):
        is_meant = f"{name}: cannot be read: No such file" in said or f"unexpected argument: {name!r}" in said
        if option in FORMS and is_meant:
            return f"{said}; {option} takes no file, and prints: {option} > {name}"
    return said


def _with_help(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    return _message(error) + (f" (see {context.command_path} --help)" if context else "")


def _message(error: click.ClickException) -> str:
    """What click says; of an option without its value, what that is; of one that there is not, which commands have it,
    else those that are nearest to it."""
    said = error.format_message().rstrip(".")
    if type(error) is click.BadOptionUsage and error.ctx is not None:
        return said + _value_of(error.option_name, error.ctx)
    if not isinstance(error, click.NoSuchOption) or error.ctx is None:
        return said
    from fstmetrics.cli.other_programs import SIDES, option_here

    context, option = error.ctx, error.option_name
    if option[:2] != "--":  # click takes -tok for -t
        option = next((each for each in sys.argv[1:] if each.startswith(option)), option)
    context.resilient_parsing = True  # so that it has all options, not only those that this call needs
    known = _options(context.command.get_params(context))
    arguments = {param.name for param in context.command.params if isinstance(param, click.Argument)}
    if context.parent is None:
        near = "a command comes first: fstmetrics score REF HYP"
    elif option in SIDES and arguments == {"references", "hypotheses"}:
        near = SIDES[option]
    elif not (near := option_here(option, known)):
        near = _in_others(option, context) or did_you_mean(option, known)
    return f"no such option {option!r}{'; ' if near else ''}{near}"


def _in_others(option: str, context: click.Context) -> str:
    """Which other commands have an option, or how it is done without; "" where none has."""
    if context.command_path.count(" ") != 1 or not (others := _commands_with(option)):
        return ""
    from fstmetrics.support.arguments import SCALES

    command = context.info_name
    if command in ("compare", "errors", "report") and option[2:].replace("-", "_") in SCALES:
        return f"fstmetrics best {option} X LATTICES -o FILE writes the 1-best, which {command} takes"
    is_argument = command in ("convert", "pack") and option in ("-o", "--output")
    return "OUT is the second argument" if is_argument else f"it is an option of {listed(others)}"


def _value_of(option: str, context: click.Context) -> str:
    """What stands behind an option; "" of a flag."""
    from fstmetrics.cli.click_options import word_of

    found = next((param for param in context.command.get_params(context) if option in param.opts), None)
    takes_none = found is None or (isinstance(found, click.Option) and found.is_flag)
    return "" if found is None or takes_none else f": {option} {word_of(found, context)}"


def _options(params: Iterable[click.Parameter]) -> list[str]:
    """The names of options."""
    return [name for option in params for name in option.opts if name[0] == "-"]


def _commands_with(option: str) -> list[str]:
    """The commands that have an option; of help, which all have, click keeps what the context calls it."""
    assert isinstance(cli, Commands)
    context = click.Context(cli, help_option_names=[])
    commands = {name: cli.get_command(context, name) for name in cli.MODULES}
    return [
        name
        for name, command in commands.items()
        if command and option in _options(command.get_params(context))
    ]


def _fail(message: str, status: int = 2) -> NoReturn:
    """One line, and the end; where nobody can read the line, as when the terminal has gone, the end."""
    try:
        os.getcwd()
    except OSError:
        message += f"; {REMOVED}"
    with suppress(OSError):
        say(message)
    sys.exit(status)
