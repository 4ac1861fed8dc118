"""Options of click, and `command`, whose help shows them in groups.

Read `command` first: it makes a click command whose `--help` has the usual options on top and the rest under headings.
`options_of` makes the options of a table of `cli.option_tables`, which say their headings; `option` one that only
one command has.

`in_order` puts references and hypotheses in order where options name them. REF comes first, HYP second. `--references
REF --hypotheses HYP` says which is which in any order, and `--ref REF HYP` is the order of `compare`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

import click
from click.core import ParameterSource

from fstmetrics.cli.completing import Text, offered
from fstmetrics.cli.option_tables import (
    PARAMETERS,
    Options,
    metric_names,
    metric_table,
    take_parameters,
    with_metrics,
)
from fstmetrics.cli.terminal import VERBOSE
from fstmetrics.metrics.registry import MetricParameters, metric_options
from fstmetrics.reports.table_forms import FORMS, Form
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.options import FLAG, SHORT, Kind, dashed
from fstmetrics.support.options import Option as Declared
from fstmetrics.support.printable import ARE_SHORT, counted

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Function = TypeVar("Function", bound=Callable[..., Any])
# What the options of `FORMS_PRINTED` are: None is text.
FormOfTables: TypeAlias = Form | Literal["json"] | None

# Where a context of click keeps the arguments of a command.
ARGUMENTS = "fstmetrics.arguments"
USUAL, LIMITS, OTHER = "Usual options", "Limits", "Other options"
# Where a context keeps the part of the help page that is asked for; the page without a part, and all of it.
HELP = "fstmetrics.help"
USUAL_PART, ALL_PARTS = "usual", "all"
# What to do where more arguments are given than a command takes: a shell made them of a pattern, as a rule.
SEVERAL_FILES = (
    "for several files give a pattern in quotes, such as 'lat.*.gz', or the folder that holds them"
)
MORE_FILES = f"more references: --ref FILE for each; {SEVERAL_FILES}"
# What the second argument is called of commands that take REF HYP.
SECOND = ("hypotheses", "lattices")
# Columns of an option's name; the text of a longer name begins on the next line.
NAME_COLUMNS = 30


def called() -> tuple[str, list[str]]:
    """The command that is running, and its arguments, by which shards are put together."""
    context = click.get_current_context()
    return str(context.info_name), context.meta[ARGUMENTS]


def ref_leads() -> bool:
    """Whether `--ref REF HYP` is on the command line, as of `cli.side_order`."""
    return "fstmetrics.ref_leads" in click.get_current_context().meta


def options_of_line() -> list[str]:
    """The options that are on the command line, by their names in Python, in the order of the help page."""
    context = click.get_current_context()
    return [
        max(param.opts, key=len).removeprefix("--").replace("-", "_")
        for param in context.command.get_params(context)
        if isinstance(param, click.Option)
        and context.get_parameter_source(param.name or "") is ParameterSource.COMMANDLINE
        and (param.name != "form" or param.flag_value == context.params["form"])  # one of several
    ]


class Option(click.Option):
    """An option that stands under a heading of the help."""

    def __init__(self, *names: Any, heading: str = OTHER, **attributes: Any) -> None:
        super().__init__(*names, **attributes)
        self.heading = heading


class OfMetrics(click.Option):
    """What stands in a command for the options of metrics; `table` has its others, `known` those of the last call."""

    def __init__(self, names: Sequence[str], table: Options) -> None:
        super().__init__(names)
        self.table, self.known = table, dict[str, Declared]()


class Command(click.Command):
    """A command whose help shows the usual options first and the rest under headings.

    Args:
        usual: the names of the usual options, in order; without any, few options need no headings.
        ending: makes the end of the help page, when that is asked for: what other packages add is in it, too.
        several: what is said of too many arguments: how to give several files, or several systems.
    """

    def __init__(
        self,
        *given: Any,
        usual: Sequence[str] = (),
        ending: Callable[[], str] | None = None,
        several: str = SEVERAL_FILES,
        **attributes: Any,
    ) -> None:
        super().__init__(*given, **attributes)
        self.usual = usual
        self.several = several
        self.ending = ending

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters that a call may need; a call for help, and what a shell completes, need all."""
        line = None if ctx.resilient_parsing else ctx.meta.get(ARGUMENTS)
        if line and not set(ctx.help_option_names).isdisjoint(line):
            line = None
        taken = {name for param in self.params for name in param.opts}
        written = {each.partition("=")[0] for each in line or () if each.startswith("--")} - {*taken, "--"}
        found: list[click.Parameter] = []
        for param in self.params:
            if not isinstance(param, OfMetrics):
                found.append(param)
            elif line is None or written:
                options = with_metrics(param.table, line and written, _metric_values(line or ()))
                param.known = {name: known for name, known in options.items() if dashed(name) not in taken}
                found += [_made(name, known) for name, known in param.known.items()]
        return [*found, *filter(None, [self.get_help_option(ctx)])]

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The end of the help page; of metrics only where these are asked for."""
        if self.ending and (self.ending is not metric_table or ctx.meta.get(HELP) in ("metric", ALL_PARTS)):
            self.epilog = self.ending()
            super().format_epilog(ctx, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments; of too many, an error says what to do."""
        ctx.allow_extra_args = True
        ctx.meta[ARGUMENTS] = list(args)
        if VERBOSE in args:
            ARE_SHORT.set(False)
        for place, arg in enumerate(args if self.usual else ()):
            if arg in ctx.help_option_names:  # behind it a part of the page may stand
                ctx.meta[HELP] = args[place + 1] if args[place + 1 :] else USUAL_PART
        joined = " ".join(args)
        if (
            ("--ref" in joined or "--hyp" in joined)
            and len(self.params) > 1
            and self.params[1].name in SECOND
        ):
            args = in_order(self, ctx, args)
            ctx.meta[ARGUMENTS] = list(args)
        try:
            rest = super().parse_args(ctx, args)
        except click.BadOptionUsage as error:
            error.ctx = ctx  # of which its parser knows nothing
            raise
        if not ctx.resilient_parsing:
            self._refuse_repeated(ctx, ctx.meta[ARGUMENTS])
        if rest and not ctx.resilient_parsing:
            named = [param.metavar or "" for param in self.params if isinstance(param, click.Argument)]
            expected = f"expected {' '.join(named) or 'none'}"
            advice = "; ".join(filter(None, (expected, self.several if named else "")))
            more = " ..." if len(rest) > 1 else ""
            ctx.fail(f"{counted(len(rest), 'unexpected argument')}: {rest[0]!r}{more}; {advice}")
        forms = [name for name in ("json", *FORMS) if f"--{name}" in ctx.meta[ARGUMENTS]]
        if ctx.params.get("form") and len(forms) > 1:
            raise FstmetricsError(
                f"--{forms[0]} and --{forms[1]}: a table is printed in one form; give one of them"
            )
        for param in self.params:
            if isinstance(param, OfMetrics):
                ctx.params[PARAMETERS] = MetricParameters()
                if not param.known.keys().isdisjoint(ctx.params):
                    take_parameters(param.known, ctx.params)
        return rest

    def _refuse_repeated(self, ctx: click.Context, args: Sequence[str]) -> None:
        """End with an error where an option that takes one value is given twice: the first would be dropped."""
        params = [each for each in self.params if isinstance(each, click.Option)]
        single = {opt: p for p in params if not (p.multiple or p.is_flag or p.count) for opt in p.opts}
        options = args[: args.index("--")] if "--" in args else args
        # -mwer is -m wer.
        names = [arg.partition("=")[0] if arg.startswith("--") else arg[:2] for arg in options]
        given = [single[name] for name in names if name in single]
        for param in given if len({*given}) < len(given) else ():
            if given.count(param) > 1:
                name = max(param.opts, key=len)
                lists = "," in word_of(param, ctx)
                advice = f"give a list: {name} wer,cer" if name == "--metric" and lists else "give it once"
                ctx.fail(f"{name} is given twice; {advice}")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A section for each heading that is asked for; the texts of all begin in the same column.

        Without a part these are the usual options, those of the metric that is asked for, and the names of the rest.
        """
        sections = self._sections(ctx)
        parts = [ALL_PARTS, *map(_part_of, sections)]
        part = ctx.meta.get(HELP, USUAL_PART) if self.usual else ALL_PARTS
        part = part if part in parts else USUAL_PART
        shown = sections
        if part == USUAL_PART:
            shown = {USUAL: sections[USUAL]}
            for name in metric_names(_metric_values(ctx.meta.get(ARGUMENTS, ()))):
                known = metric_options([name])
                if own := [option for option in sections["Metric"] if option.name in known]:
                    shown[f"Options of {name}"] = own
            shown[OTHER] = sections[OTHER]
        elif part != ALL_PARTS:
            shown = {heading: options for heading, options in sections.items() if _part_of(heading) == part}
            shown[OTHER] = sections[OTHER]
        records = {
            heading: [record for option in options if (record := option.get_help_record(ctx))]
            for heading, options in shown.items()
        }
        longest = max(len(name) for each in records.values() for name, _ in each)
        width = min(longest, NAME_COLUMNS)
        for heading, each in records.items():
            if heading == OTHER and part == USUAL_PART:
                self._format_parts(sections, formatter, width)
            with formatter.section(heading if len(sections) > 1 else "Options"):
                formatter.write_dl([(name.ljust(width), text) for name, text in each], width)

    def _sections(self, ctx: click.Context) -> dict[str, list[click.Option]]:
        """The options by their headings."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        options.sort(key=lambda option: _place(option, self.usual))
        sections: dict[str, list[click.Option]] = {}
        for option in options:
            usual = _place(option, self.usual) < len(self.usual)
            own = (
                getattr(option, "heading", LIMITS if option.name == "limits" else OTHER)
                if self.usual
                else OTHER
            )
            sections.setdefault(USUAL if usual else own, []).append(option)
        sections[OTHER] = sections.pop(OTHER)  # where --help is, comes last
        return sections

    def _format_parts(
        self, sections: Mapping[str, Sequence[click.Option]], formatter: click.HelpFormatter, width: int
    ) -> None:
        """The names of the options that are not shown, by part."""
        with formatter.section("Parts, which --help PART shows (--help all: all of them)"):
            rows = []
            for heading, options in sections.items():
                if heading not in (USUAL, OTHER):
                    names = " ".join(max(option.opts, key=len) for option in options)
                    room = formatter.width - width - 6
                    rows.append((_part_of(heading).ljust(width), shortened_list(names, room)))
            formatter.write_dl(rows, width)


def _part_of(heading: str) -> str:
    """What stands behind `--help` for a heading."""
    return heading.lower().replace(" ", "-")


def _metric_values(given: Sequence[str]) -> list[str]:
    """What stands behind --metric."""
    names = [value for name, value in pairwise(given) if name in ("-m", "--metric")]
    return names + [value.removeprefix("--metric=") for value in given if value.startswith("--metric=")]


def shortened_list(text: str, room: int) -> str:
    """Words in so many characters, with `...` for those that there is no room for."""
    if len(text) <= room:
        return text
    return text[: room - 3].rpartition(" ")[0] + " ..."


def _place(option: click.Option, usual: Sequence[str]) -> int:
    """Where an option is among the usual ones; behind them if it is none."""
    return min((usual.index(name) for name in option.opts if name in usual), default=len(usual))


def command(usual: Sequence[str] = (), **attributes: Any) -> Callable[[Function], Command]:
    """`NAME_command` as the command NAME; `usual` are the options that its help shows on top."""

    def decorate(function: Function) -> Command:
        name = function.__name__.removesuffix("_command")
        return click.command(name, cls=Command, usual=usual, **attributes)(function)

    return decorate


def single_option(heading: str, names: str, **attributes: Any) -> Callable[[Function], Function]:
    """An option that only one command has, under a heading of its help, as a decorator."""
    return click.option(names, cls=Option, heading=heading, **attributes)


def together(*decorators: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """Decorators in the order of the help page."""

    def decorate(function: Function) -> Function:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


class Value(Text):
    """What a kind reads. What it does not take is refused in one line that says what was expected.

    Args:
        kind: the kind.
    """

    name = "value"

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def __repr__(self) -> str:
        return f"{self.kind.word} {self.kind.extent}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value; a default is one."""
        if param is not None and value == param.default:
            return value
        try:
            return self.kind(value)
        except FstmetricsError:
            raise  # it says what it is about
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """What help pages call it."""
        return self.kind.word

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that begin so, or files."""
        if self.kind.offers is None:
            return super().shell_complete(ctx, param, incomplete)
        return offered(self.kind.offers, incomplete)


def word_of(option: click.Parameter, context: click.Context) -> str:
    """What help pages call its value; `make_metavar` takes no context before click 8.2."""
    return option.metavar or option.type.get_metavar(option, context) or ""


class Ranged(Value, click.IntRange):
    """The same of numbers, whose range help pages show as click shows that of whole numbers."""

    def _describe_range(self) -> str:
        return self.kind.extent


def options_of(options: Options) -> Callable[[Function], Function]:
    """A table of options, as a decorator."""
    return together(*(_clicked(name, each, options) for name, each in options.items()))


def _clicked(name: str, declared: Declared, table: Options) -> Callable[[Function], Function]:
    """An option of a table, as click has it, as a decorator."""
    made = OfMetrics([f"--{name}"], table) if name == PARAMETERS else _made(name, declared)
    return click.option(cls=lambda *_, **__: made)  # type: ignore[arg-type]


@cache
def _made(name: str, declared: Declared) -> Option:
    """An option as click has it, the same object in all calls."""
    kind = declared.kind
    attributes: dict[str, Any] = {}
    if declared.field == "form":
        attributes["flag_value"] = name
    elif kind is FLAG:
        attributes["is_flag"] = True
    else:
        made_of = Ranged if kind.extent else Value
        attributes |= {"type": made_of(kind), "required": declared.required}
    if kind.repeated:
        attributes |= {"type": Text(), "multiple": True, "callback": partial(_read, kind)}
    if declared.default is not None:
        attributes |= {"default": declared.default, "show_default": declared.default not in ("", (), "-")}
    if declared.bare is not None:
        attributes |= {"is_flag": False, "flag_value": declared.bare}
    short = declared.short or SHORT.get(name, "")
    names = [*filter(None, [short]), f"--{name.replace('_', '-')}", declared.field]
    attributes |= {"metavar": declared.metavar, "help": declared.help, "heading": declared.heading or OTHER}
    return Option(names, **attributes)


def _read(kind: Kind, context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> Any:
    """All values of an option that may be repeated."""
    try:
        return kind(list(values)) if values else []
    except FstmetricsError:
        raise  # it says what it is about
    except ValueError as error:
        raise click.BadParameter(str(error), context, parameter) from None


def check_form(form: str, options: Mapping[str, Any]) -> None:
    """Refuse a form of tables beside what is printed and is no table.

    Args:
        form: the form.
        options: those of `score`.

    Raises:
        FstmetricsError: both are asked for.
    """
    output = options.get("output")
    printed = {"output -": output == "-", "shard": options.get("shard")}
    if output is None:
        printed |= {"alignment": options.get("alignment"), "report": options.get("reports")}
        printed["nbest"] = options.get("nbest", 1) > 1
    if other := next((name for name, is_asked in printed.items() if is_asked), None):
        there = "" if other in ("output -", "shard") else "; with --output FILE.jsonl it goes there"
        raise FstmetricsError(
            f"--{form} prints tables, and --{other} something else; give one of them{there}"
        )


def refuse_shared_output(form: str | None, output: str | None) -> None:
    """Raise an FstmetricsError where a table in a form and what `--output` writes both want standard output."""
    if form and output == "-":
        raise FstmetricsError(f"--{form} and --output - both want standard output; give --output a file")


REFERENCES = ("--references", "--reference")
HYPOTHESES = ("--hypotheses", "--hypothesis", "--hyp")
MORE = "--ref"
# Where a context keeps that `--ref REF` leads a file that may be a table of both sides: only its reader can tell.
LEADS = "fstmetrics.ref_leads"


def in_order(command: click.Command, context: click.Context, args: list[str]) -> list[str]:
    """The arguments as REF HYP, which the command takes; as they are where no option says which is which."""
    arguments = [param for param in command.params if isinstance(param, click.Argument)]
    hypotheses, rest = _taken(args, HYPOTHESES)
    has_more = any(MORE in param.opts for param in command.params)
    references, rest = _taken(rest, REFERENCES if has_more and not hypotheses else (*REFERENCES, MORE))
    alone = _arguments(command, context, rest)
    if not (references or alone):
        return args
    if hypotheses or references:
        lead = references[: 0 if hypotheses and alone else 1]
        more = [each for path in references[len(lead) :] for each in (MORE, path)]
        return [*lead, *more, *rest, *hypotheses]
    if len(alone) != 1 or not _leads(args, alone[0]):
        return args
    if arguments[0].name == "references" and not arguments[1].required and "--resegment" not in args:
        context.meta[LEADS] = True
        return args
    references, rest = _taken(args, (MORE,))
    return [references[0], *(each for path in references[1:] for each in (MORE, path)), *rest]


def _taken(args: Sequence[str], names: Sequence[str]) -> tuple[list[str], list[str]]:
    """The values of options of some names, and the other arguments."""
    found: list[str] = []
    others: list[str] = []
    left = iter(args)
    for each in left:
        name, is_joined, value = each.partition("=")
        following = value if is_joined else next(left, None) if name in names else None
        if name in names and following is not None:
            found.append(following)
        else:
            others.append(each)
    return found, others


def _arguments(command: click.Command, context: click.Context, args: Sequence[str]) -> list[str]:
    """What is no option, nor the value of one; nothing where options are wrong, of which click tells."""
    try:
        found, more, _ = command.make_parser(context).parse_args(list(args))
    except click.UsageError:
        return []
    names = [param.name for param in command.params if isinstance(param, click.Argument)]
    return [value for name in names if isinstance(value := found.get(name), str)] + more


def _leads(args: Sequence[str], path: str) -> bool:
    """Whether `--ref` stands before a path."""
    names = [each.partition("=")[0] for each in args]
    return MORE in names and path not in args[: names.index(MORE)]
