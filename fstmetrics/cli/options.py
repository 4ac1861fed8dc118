"""Options that commands share, and `Request`, what they become.

Names of formats on the command line: `FormatName`, the type of an option; `FORMAT`, for those that are read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from fstmetrics.cli.numbers import Whole
from fstmetrics.metrics.base import Metric
from fstmetrics.readers import FORMATS
from fstmetrics.reports.summary import table_lines
from fstmetrics.runs.pairing import Missing
from fstmetrics.scoring.search import MOST_THREADS, ROUTES, SearchOptions, workers
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import MOST_PATHS
from fstmetrics.support.names import unknown
from fstmetrics.values.normalisation import FORMS, Normalisation
from fstmetrics.values.transcripts import NOTATIONS, Notation

Function = TypeVar("Function", bound=Callable[..., Any])


def format_options(function: Function) -> Function:
    """What texts are, for commands that read nothing else."""
    for option in reversed(
        [
            click.option("--format", "format", type=FORMAT, help="Format of the hypotheses; recognised by default."),
            click.option("--ref-format", type=FORMAT, help="Format of the references; recognised by default."),
        ]
    ):  # fmt: skip
        function = option(function)
    return function


def input_options(function: Function) -> Function:
    """Which files, and how they pair."""
    for option in reversed(
        [
            click.option("--ref", "more_references", multiple=True, metavar="FILE",
                         help="Further references for the same items; repeatable."),
            click.option("--format", "format", type=FORMAT,
                         help="Format of the hypotheses; recognised by default. fstmetrics convert --help lists them."),
            click.option("--ref-format", type=FORMAT,
                         help="Format of the references; recognised by default."),
            click.option("--alternations", type=click.Choice(NOTATIONS),
                         help="How plain and Kaldi references write choices: `{ a / b / @ }`, `{a|b|}` or `[a|b]`; "
                              "wildcards: not at all, but `<*>` stands for any words, as with the others. "
                              "trn, stm and ctm always have sclite's."),
            click.option("--symbols", metavar="FILE",
                         help="Symbol table (`word integer` lines) of hypotheses that hold numbers."),
            click.option("--weights", metavar="FILE",
                         help="Feature weights (`name value` or `name= value ...` lines) of hypergraphs and PLF."),
            click.option("--missing", type=click.Choice(["error", "skip", "empty"]), default="error", show_default=True,
                         help="What to do with an id that one side lacks: skip it, or score the other side against "
                              "nothing (empty)."),
        ]
    ):  # fmt: skip
        function = option(function)
    return function


def word_options(function: Function) -> Function:
    """What is done to words."""
    for option in reversed(
        [
            click.option("--normalise-unicode", type=click.Choice(FORMS), default="as-is", show_default=True,
                         help="Bring both sides to this normal form of Unicode first; never done unasked."),
            click.option("--lowercase", is_flag=True, help="Fold case on both sides."),
            click.option("--remove-punctuation", is_flag=True, help="Take punctuation characters out of words."),
            click.option("--ignore", multiple=True, metavar="WORDS",
                         help="Words that do not count, with spaces between them: --ignore \"uh um\"; repeatable."),
            click.option("--ignore-ref", "ignore_reference", multiple=True, metavar="WORDS",
                         help="Words of references that do not count; repeatable."),
            click.option("--ignore-hyp", "ignore_hypothesis", multiple=True, metavar="WORDS",
                         help="Words of hypotheses that do not count; repeatable."),
            click.option("--unit", type=click.Choice(["word", "char"]), default="word", show_default=True,
                         help="What is compared; with char, the space between two words is a character."),
            click.option("--tokenize", metavar="NAME",
                         help="A tokenizer of sacrebleu (13a, zh, intl, ...), or none. By default 13a for BLEU and "
                              "its kin, as in sacrebleu, and none for other metrics."),
            click.option("--allow-download", is_flag=True,
                         help="Let a tokenizer fetch its model from the network (flores200 and its like)."),
        ]
    ):  # fmt: skip
        function = option(function)
    return function


def run_options(function: Function) -> Function:
    """How a long run goes on; docs/long-runs.md."""
    for option in reversed(
        [
            click.option("--jobs", type=Whole(1, MOST_THREADS), default=1, show_default=True, metavar="N",
                         help="Items searched at the same time; the answers are the same for any N."),
            click.option("--keep-going", is_flag=True,
                         help="Report items that cannot be read or scored, leave them out, and exit with status 1."),
            click.option("--resume", is_flag=True,
                         help="Go on with a run of the same command that was stopped, from the records of --output."),
        ]
    ):  # fmt: skip
        function = option(function)
    return function


def grammar_option(function: Function) -> Function:
    """What widens the references."""
    return click.option(
        "--grammar", "grammars", multiple=True, metavar="NAMES",
        help="Rewrite rules that widen the references: names (en.spelling,en.numbers), or files; NAME@0.5 sets what a "
             "rewrite costs. See fstmetrics grammar list.",
    )(function)  # fmt: skip


def output_options(function: Function) -> Function:
    """What is found, shown and written."""
    for option in reversed(
        [
            click.option("--nbest", type=Whole(1, MOST_PATHS), default=1, show_default=True, metavar="K",
                         help="Distinct best paths an item, printed or in the records of --json or --output."),
            click.option("--alignment", is_flag=True,
                         help="Print every item's alignment, or put it into the records of --json or --output."),
            click.option("--output", metavar="FILE",
                         help="Write one JSON record an item to this file; - is standard output."),
            click.option("--json", "as_json", is_flag=True,
                         help="Print the summary as one JSON object; with --nbest or --alignment and without "
                              "--output, it has all records."),
            click.option("--route", default="auto", show_default=True, metavar="ROUTE", type=click.Choice(ROUTES),
                         help=f"How to search; the answer is the same. One of {', '.join(ROUTES)}."),
        ]
    ):  # fmt: skip
        function = option(function)
    return function


@dataclass(frozen=True)
class Request:
    """What a command was asked to do, beyond its own options.

    Raises:
        FstmetricsError: options that contradict one another, or a tokenizer that there is not.
    """

    more_references: Sequence[str] = ()
    format: str | None = None
    ref_format: str | None = None
    alternations: Notation | None = None
    symbols: str | None = None
    weights: str | None = None
    missing: Missing = "error"
    lowercase: bool = False
    remove_punctuation: bool = False
    ignore: Sequence[str] = ()
    ignore_reference: Sequence[str] = ()
    ignore_hypothesis: Sequence[str] = ()
    unit: Any = "word"
    normalise_unicode: Any = "as-is"
    tokenize: str | None = None
    allow_download: bool = False
    grammars: Sequence[str] = ()
    nbest: int = 1
    alignment: bool = False
    output: str | None = None
    as_json: bool = False
    route: str = "auto"
    jobs: int = 1
    keep_going: bool = False
    resume: bool = False

    def __post_init__(self) -> None:
        if self.output == "":
            raise FstmetricsError("--output needs a file's name, or - for standard output")
        if self.resume and self.output in (None, "-"):
            raise FstmetricsError("--resume goes on with the records of --output FILE, which was not given")
        if self.as_json and self.output == "-":
            raise FstmetricsError("--json and --output - both want standard output; give --output a file")
        self.normalisation.words("")  # fails here, before anything is read, if there is no such tokenizer
        if self.grammars:
            from fstmetrics.grammars.library import resolve

            resolve(self.grammars)  # likewise

    @property
    def shows_items(self) -> bool:
        """Whether every item is to be printed."""
        return self.output is None and (self.alignment or self.nbest > 1)

    @property
    def partnerless(self) -> Missing:
        """What is done with an id that one side lacks: a run that keeps going leaves it out."""
        return "skip" if self.keep_going and self.missing == "error" else self.missing

    @property
    def normalisation(self) -> Normalisation:
        """What is done to words."""
        ignored = (self.ignore, self.ignore_hypothesis, self.ignore_reference)
        both, hypothesis, reference = (frozenset(" ".join(values).split()) for values in ignored)
        return Normalisation(
            self.tokenize,
            self.lowercase,
            self.remove_punctuation,
            both,
            self.unit,
            hypothesis,
            reference,
            self.normalise_unicode,
            self.allow_download,
        )

    @property
    def grammar_files(self) -> list[str]:
        """Those of the grammars that may be files, without what a rewrite costs."""
        names = [name.strip() for names in self.grammars for name in names.split(",")]
        return [name if os.path.exists(name) else name.rpartition("@")[0] or name for name in names if name]

    @property
    def grammar_signature(self) -> str:
        """The grammars, as the signature has them; empty where there are none."""
        if not self.grammars:
            return ""
        from fstmetrics.grammars.library import signature

        return signature(self.grammars)

    def metric_of_results(self, metric: Metric) -> Metric:
        """The metric as results have it: in units that costs of rewriting are whole numbers of."""
        if not self.grammars:
            return metric
        from fstmetrics.grammars.library import widening_of
        from fstmetrics.metrics.scaled import in_units_of

        return in_units_of(metric, widening_of(self.grammars, self.normalisation).scale)

    @property
    def search(self) -> SearchOptions:
        """How to search; words and alignments are written out only for somebody to see."""
        return SearchOptions(self.route, self.shows_items or self.output is not None, workers(self.jobs))


class FormatName(click.ParamType):  # type: ignore[type-arg]  # generic only from click 8.4 on
    """A name of a format: too many for the line of an option, so `fstmetrics convert --help` lists them.

    Args:
        known: all names, shipped ones and those of other packages, which are looked up when they are needed.
    """

    name = "format"

    def __init__(self, known: Collection[str]) -> None:
        self._known = known

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, if there is one; an error has the nearest first."""
        if value not in self._known:
            self.fail(unknown("format", value, self._known), param, ctx)
        return str(value)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """What help pages call it."""
        return "FORMAT"


FORMAT = FormatName(FORMATS)


def format_list() -> str:
    """What the help page of `convert` ends with: each format that is read, and what it is."""
    rows = [("--format", "what it is")]
    rows += [(name, format.description) for name, format in FORMATS.items()]
    return "\b\n" + "\n".join(table_lines(rows, 2))
