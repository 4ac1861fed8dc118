"""Options that commands share, in groups, and `command`, whose help shows them so.

Read `command` first: it makes a click command whose `--help` has the usual options on top and the rest under headings.
A group of options is a decorator: `metric_parameters`, `grr_options`, `lattice_options`, `input_options`,
`word_options`, `grammar_option`, `output_options`, `run_options`. `scoring_options` is all of them: what `oracle`,
`hyter` and `score` share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from fstmetrics.cli.option_types import (
    FORMAT,
    METRIC,
    RECORDS,
    WEIGHT,
    Beams,
    CheckedBy,
    Decimal,
    Groupings,
    Names,
    Real,
    ShardType,
    Weights,
    Whole,
)
from fstmetrics.metrics import METRICS
from fstmetrics.metrics.bounds import MOST_CHRF, MOST_EXPONENT, MOST_ORDER, MOST_WINDOW
from fstmetrics.readers import FORMATS
from fstmetrics.reports.summary import table_lines
from fstmetrics.runs.option_values import MOST_WEIGHT, PLACES
from fstmetrics.runs.request import REPORTS
from fstmetrics.scoring.search import MOST_THREADS, ROUTES
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import MOST_PATHS
from fstmetrics.support.printable import counted
from fstmetrics.values.normalisation import FORMS, OPTIONAL_WORDS, UNITS
from fstmetrics.values.profiles import is_profile, profile, profile_names
from fstmetrics.values.transcripts import NOTATIONS

Function = TypeVar("Function", bound=Callable[..., Any])

# Where a context of click keeps the arguments of a command.
ARGUMENTS = "fstmetrics.arguments"
USUAL, OTHER = "Usual options", "Other options"
# What to do where more arguments are given than a command takes: a shell made them of a pattern, as a rule.
SEVERAL_FILES = (
    "for several files give a pattern in quotes, such as 'lat.*.gz', or the folder that holds them"
)
# Columns of an option's name; the text of a longer name begins on the next line.
NAME_COLUMNS = 30


def called() -> tuple[str, list[str]]:
    """The command that is running, and its arguments, by which shards are put together."""
    context = click.get_current_context()
    return str(context.info_name), context.meta[ARGUMENTS]


class Option(click.Option):
    """An option that stands under a heading of the help."""

    def __init__(self, *names: Any, heading: str = OTHER, **attributes: Any) -> None:
        super().__init__(*names, **attributes)
        self.heading = heading


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

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The end of the help page."""
        self.epilog = self.ending() if self.ending else self.epilog
        super().format_epilog(ctx, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments; of too many, an error says what to do."""
        ctx.allow_extra_args = True
        ctx.meta[ARGUMENTS] = list(args)
        try:
            rest = super().parse_args(ctx, args)
        except click.BadOptionUsage as error:
            error.ctx = ctx  # of which its parser knows nothing
            raise
        if rest and not ctx.resilient_parsing:
            named = [param.metavar or "" for param in self.params if isinstance(param, click.Argument)]
            expected = f"expected {' '.join(named) or 'none'}"
            advice = "; ".join(filter(None, (expected, self.several if named else "")))
            more = " ..." if len(rest) > 1 else ""
            ctx.fail(f"{counted(len(rest), 'unexpected argument')}: {rest[0]!r}{more}; {advice}")
        return rest

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A section for each heading; the texts of all begin in the same column."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        options.sort(key=lambda option: _place(option, self.usual))
        sections: dict[str, list[tuple[str, str]]] = {}
        for option in options:
            usual = _place(option, self.usual) < len(self.usual)
            own = getattr(option, "heading", OTHER) if self.usual else OTHER
            heading = USUAL if usual else own
            if record := option.get_help_record(ctx):
                sections.setdefault(heading, []).append(record)
        sections[OTHER] = sections.pop(OTHER)  # where --help is, comes last
        longest = max(len(name) for records in sections.values() for name, _ in records)
        width = min(longest, NAME_COLUMNS)
        for heading, records in sections.items():
            with formatter.section(heading if len(sections) > 1 else "Options"):
                formatter.write_dl([(name.ljust(width), text) for name, text in records], width)


def _place(option: click.Option, usual: Sequence[str]) -> int:
    """Where an option is among the usual ones; behind them if it is none."""
    return min((usual.index(name) for name in option.opts if name in usual), default=len(usual))


def command(usual: Sequence[str] = (), **attributes: Any) -> Callable[[Function], Command]:
    """A command; `usual` are the options that its help shows on top."""
    return click.command(cls=Command, usual=usual, **attributes)


def option(*names: str, **attributes: Any) -> Callable[[str], Callable[[Function], Function]]:
    """An option of a group, which gives it its heading."""
    return lambda heading: click.option(*names, cls=Option, heading=heading, **attributes)


def group(heading: str, *options: Callable[[str], Any]) -> Callable[[Function], Function]:
    """Options under one heading, as a decorator."""
    return together(*(each(heading) for each in options))


def together(*decorators: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """Decorators in the order of the help page."""

    def decorate(function: Function) -> Function:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def joined(ctx: click.Context, param: click.Parameter, values: Sequence[Sequence[Any]]) -> list[Any]:
    """The lists of an option that may be repeated as one, each value once."""
    return list(dict.fromkeys(value for some in values for value in some))


def metric_option(default: str) -> Callable[[Function], Function]:
    """The one metric of a run."""
    return group(
        "Metric",
        option("--metric", "metric_name", type=METRIC, default=default, show_default=True,
               help="wer, wrr, grr, hyter, bleu or another metric; the table below has all."),
    )  # fmt: skip


GRR_PARAMETERS = (
    option("--order", type=Whole(1, MOST_ORDER), default=4, show_default=True, metavar="N",
           help="grr: the length of the n-grams."),
    option("--alpha", type=Decimal(-MOST_WEIGHT, MOST_WEIGHT), default="1", show_default=True, metavar="X",
           help="grr: the loss of an insertion."),
    option("--beta", type=Decimal(-MOST_WEIGHT, MOST_WEIGHT), default="0", show_default=True, metavar="X",
           help="grr: the loss of a deletion."),
)  # fmt: skip
HYTER_PARAMETERS = (
    option("--window", type=Whole(1, MOST_WINDOW), default=1, show_default=True, metavar="K",
           help="hyter: words may be reordered within K words; 1 is no reordering."),
    option("--reordering", type=click.Choice(["moves", "jumps"]), default="moves", show_default=True,
           help="hyter: count each block that moves, or each word that is out of order (jumps)."),
)  # fmt: skip
# What the features of tesla-f depend on.
TESLA_F_PARAMETERS = (
    option("--analyser", type=click.Choice(["wordnet", "factored", "factored-wordnet"]), default="wordnet",
           show_default=True,
           help="tesla-m, tesla-f, maxsim: lemmas from WordNet, or from words written as word|lemma|POS."),
    option("--discount", type=click.Choice(["subtract", "factor"]), default="subtract", show_default=True,
           help="tesla-m, tesla-f: the weight of a function word: 0.1 less for each, or times 0.1 for each."),
    option("--pivot-table", metavar="FILE", help="tesla-f: a phrase table of Moses, to the pivot language."),
    option("--language-model", metavar="FILE", help="tesla-f: a language model in ARPA format."),
)  # fmt: skip
TEXT_PARAMETERS = (
    option("--ref-length", type=click.Choice(["closest", "shortest", "average"]), default="closest",
           show_default=True, help="bleu, bleu-sbp: the length that counts where there are several references."),
    option("--smoothing", type=click.Choice(["exp", "plus-one", "none"]), default="exp", show_default=True,
           help="bleu, bleu-sbp, sentence-bleu: smoothing where an n-gram order has no match; exp is sacrebleu's."),
    option("--chrf-char-order", type=Whole(1, MOST_CHRF), default=6, show_default=True, metavar="N",
           help="chrf, chrf++: n-grams of up to N characters."),
    option("--chrf-word-order", type=Whole(0, MOST_CHRF), metavar="N",
           help="chrf, chrf++: n-grams of up to N words. Default: none; chrf++: 2."),
    option("--chrf-beta", type=Whole(1, MOST_CHRF), default=2, show_default=True, metavar="B",
           help="chrf, chrf++: how many times as important as precision recall is."),
    option("--chrf-whitespace", is_flag=True, help="chrf, chrf++: spaces are characters."),
    option("--chrf-eps-smoothing", is_flag=True,
           help="chrf, chrf++: smoothing as in chrF++.py, nltk and Moses."),
    option("--ter-case-sensitive", is_flag=True, help="ter: case counts."),
    option("--ter-normalized", is_flag=True, help="ter: cut punctuation off words, as tercom does."),
    option("--ter-no-punct", is_flag=True, help="ter: remove punctuation."),
    option("--ter-asian-support", is_flag=True, help="ter: the two options above know Asian characters, too."),
    option("--synonyms", type=click.Choice(["wordnet", "none"]), default="wordnet", show_default=True,
           help="meteor, terp: where synonyms come from."),
    option("--terp-costs", type=click.Choice(["adequacy", "hter", "unit"]), default="adequacy", show_default=True,
           help="terp: costs as TERp's authors tuned them, or 1 an edit."),
    option("--terp-paraphrases", metavar="FILE", help="terp: a phrase table of Moses, of references' phrases."),
    option("--gtm-exponent", type=Real(1, MOST_EXPONENT), default=1, show_default=True, metavar="E",
           help="gtm: a run of L words counts as L to the power of E; with 1 the order of words does not count."),
    TESLA_F_PARAMETERS[0],
    option("--maxsim-recall-weight", type=Real(0, 1), default=0.9, show_default=True, metavar="A",
           help="maxsim: what recall weighs in F."),
    *TESLA_F_PARAMETERS[1:],
    option("--tesla-f-weights", metavar="FILE",
           help="tesla-f: lines `feature weight`. Default: the mean of the six F."),
)  # fmt: skip

grr_options = group("Metric", *GRR_PARAMETERS)
mbr_parameters = group("Metric", *GRR_PARAMETERS, *TEXT_PARAMETERS)
metric_parameters = group("Metric", *GRR_PARAMETERS, *HYTER_PARAMETERS, *TEXT_PARAMETERS)
# Of several systems; of one, `input_options` has it.
missing_option = group(
    "Input",
    option("--missing", type=click.Choice(["error", "skip"]), default="error", show_default=True,
           help="An id that a file lacks: stop, or leave the item out for all systems."),
)  # fmt: skip
networks_option = group(
    "Input",
    option(
        "--networks",
        metavar="NETWORKS",
        help="Reference networks, for wer, hyter and other finite-state metrics: a file or a folder.",
    ),
)

SCALES = (
    option("--lm-scale", type=WEIGHT,
           help="Weight of graph costs, or of the scores of n-best lists. Default: as the file says, or 1."),
    option("--acoustic-scale", type=WEIGHT, help="Weight of acoustic costs. Default: 1."),
    option("--word-penalty", type=WEIGHT, help="Cost added for every word. Default: as the file says, or 0."),
)  # fmt: skip
scale_options = group("Lattices", *SCALES)
SWEPT_SCALES = (
    option("--lm-scale", type=Weights(),
           help="Weight of graph costs, or of the scores of n-best lists. Default: as the file says, or 1. Of several "
           "(7:17, 0:1:.1 or 7,8,12) each has a row of its own, and the best is marked."),
    SCALES[1],
    option("--word-penalty", type=Weights(),
           help="Cost added for every word. Default: as the file says, or 0. Of several as above; in such a sweep the "
           "lm scale multiplies it, as in Kaldi's score.sh."),
)  # fmt: skip
lattice_options = group(
    "Lattices",
    *SWEPT_SCALES,
    option("--beam", "beams", metavar="B[,B...]", type=Beams(), default=(),
           help="Keep only paths that cost at most B more than the best path. One beam prunes the lattices first; of "
           "several, each has a row of its own."),
    option("--model-weight", type=Real(0, MOST_WEIGHT), metavar="W",
           help="Also find hope and fear: the least W x model cost plus, or minus, the metric's cost."),
    option("--depth", is_flag=True, help="Count how many arcs there are at the same time."),
)  # fmt: skip

FORMAT_OPTIONS = (
    option("--format", "format", type=FORMAT,
           help="Format of the hypotheses. Default: recognised. fstmetrics convert --help lists all."),
    option("--ref-format", type=FORMAT, help="Format of the references. Default: recognised."),
)  # fmt: skip
FIELDS = option(
    "--fields", multiple=True, metavar="NAME=COLUMN,...",
    help="Which columns of a table are the id, the reference, the hypothesis, or another field: "
         "id=audio_filepath,ref=text,hyp=pred_text,speaker=spk. Default: recognised, and said in the summary.",
)  # fmt: skip
fields_option = group("Input", FIELDS)
format_options = group("Input", *FORMAT_OPTIONS)
ALTERNATIONS = option(
    "--alternations", type=click.Choice(NOTATIONS),
    help="How plain and Kaldi references write choices: sclite `{ a / b / @ }`, braces `{a|b|}`, brackets `[a|b]`, "
         "or wildcards, where only `<*>` is special: it means any words, as in the others. trn, stm and ctm "
         "always use sclite.",
)  # fmt: skip
alternations_option = group("Input", ALTERNATIONS)
SYMBOLS = option(
    "--symbols", metavar="FILE", help="Symbol table (lines `word integer`) where lattices hold numbers for words."
)  # fmt: skip
WEIGHTS = option(
    "--weights", metavar="FILE",
    help="Feature weights (lines `name value` or `name= value ...`) of n-best lists, hypergraphs and "
    "PLF.",
)  # fmt: skip
symbols_option = group("Input", SYMBOLS)
hypothesis_options = group("Input", FORMAT_OPTIONS[0], SYMBOLS, WEIGHTS)
OPTIONAL_WORDS_OPTION = option(
    "--optional-words", type=click.Choice(OPTIONAL_WORDS), default="free", show_default=True,
    help="What `(word)` is in sclite's notation, as in trn and stm: free to be left out; a word, as in sclite; or "
         "correct where it is left out, as in sclite -D (under --metric sclite).",
)  # fmt: skip
TAG_CANDIDATES = option(
    "--tag-candidates", metavar="FILE",
    help="fstalign's norm.json: other ways to write the tagged words of references in its NLP format. Each is an "
         "alternative of the words as written.",
)  # fmt: skip
input_options = group(
    "Input",
    option("--ref", "more_references", multiple=True, metavar="FILE",
           help="More references for the same items. Repeatable."),
    *FORMAT_OPTIONS,
    FIELDS,
    ALTERNATIONS,
    OPTIONAL_WORDS_OPTION,
    TAG_CANDIDATES,
    SYMBOLS,
    WEIGHTS,
    option("--missing", type=click.Choice(["error", "skip", "empty"]), default="error", show_default=True,
           help="An id that one side lacks: stop, skip the item, or score it against an empty sentence."),
)  # fmt: skip


def _profile(context: click.Context, parameter: click.Parameter, name: str | None) -> str | None:
    """A profile's name; one that there is not is refused before anything else."""
    if name is not None:
        several = name.split(",")
        if len(several) > 1 and all(is_profile(each) for each in several):
            raise FstmetricsError(
                f"--profile takes one profile; for several: fstmetrics compare --profiles {name} --ref REF SYSTEM..."
            )
        profile(name)
    return name


word_options = group(
    "Words",
    option("--profile", metavar="NAME", callback=_profile,
           help="The rules of a scoring tool or leaderboard: " + ", ".join(profile_names()) + ". docs/profiles.md says "
                "what they do. The options below add to them."),
    option("--lowercase", is_flag=True, help="Ignore case."),
    option("--remove-punctuation", is_flag=True, help="Remove punctuation characters from words."),
    option("--unit", type=click.Choice(UNITS), default="word", show_default=True,
           help="What is compared. With char, wer is the character error rate; a space between words is a character. "
                "char-no-space: characters without spaces. mixed: Han characters, and words of other scripts."),
    option("--ignore", multiple=True, metavar="WORDS",
           help="Words that do not count, separated by spaces: --ignore \"uh um\". Repeatable."),
    option("--ignore-ref", "ignore_reference", multiple=True, metavar="WORDS",
           help="The same, in references only."),
    option("--ignore-hyp", "ignore_hypothesis", multiple=True, metavar="WORDS",
           help="The same, in hypotheses only."),
    option("--tokenize", metavar="NAME",
           help="A tokenizer of sacrebleu (13a, intl, char, zh, ja-mecab, ko-mecab, spm, flores101, flores200, "
                "spBLEU-1K), or none. Default: 13a for BLEU and similar metrics (as in sacrebleu), none for others."),
    option("--allow-download", is_flag=True,
           help="Let a tokenizer load its model from the network (flores200 and similar)."),
    option("--normalise-unicode", type=click.Choice(FORMS), default="as-is", show_default=True,
           help="Convert both sides to this Unicode normal form first."),
)  # fmt: skip

GRAMMARS = option(
    "--grammar", "grammars", multiple=True, metavar="NAMES",
    help="Rewrite rules that widen the references: names (en.spelling,en.numbers) or files; en is for written "
         "text, en.speech for speech, compounds for any language. NAME@0.5: each rewrite costs 0.5. fstmetrics grammar "
         "list shows all.",
)  # fmt: skip
grammar_option = group("Words", GRAMMARS)

NBEST = option(
    "--nbest", type=Whole(1, MOST_PATHS), default=1, show_default=True, metavar="K",
    help="Find the K best different paths of every item.",
)  # fmt: skip
OUTPUT = option(
    "--output",
    type=RECORDS,
    metavar="FILE",
    help="Write one JSON record per item to FILE; - is standard output. With --alignment, show, errors and report can "
    "read them.",
)
SPEAKERS = option(
    "--speakers", metavar="RULE",
    help="Who speaks, where files do not say: spu_id (ids are speaker-utterance or speaker_utterance, as for sclite), "
         "wsj (the first three characters), or a file of lines `id speaker`.",
)  # fmt: skip
REPORT = option(
    "--report", "reports", multiple=True, metavar="NAMES", type=Names(REPORTS),
    callback=joined,
    help="Also make reports as sclite's: sys or raw (by speaker), lur (by labels of stm), dtl or spk (words in error). "
         "Joined by commas. They are printed, or written beside --output FILE as FILE.sys and so on.",
)  # fmt: skip
BY = option(
    "--by", multiple=True, metavar="FIELDS", type=Groupings(), callback=joined,
    help="Also print a table by a field of the items: speaker. Several, joined by commas, make a table each; "
         "domain+gender is one table of both; duration:5,10,20 has bins. Repeatable.",
)  # fmt: skip
output_options = group(
    "Output",
    option("--alignment", is_flag=True, help="Print the alignment of every item, or write it into the records."),
    NBEST,
    OUTPUT,
    option("--json", "as_json", is_flag=True,
           help="Print the summary as one JSON object. With --nbest or --alignment and without --output, it "
                "contains all records."),
)  # fmt: skip

label_options = group(
    "Output",
    option("--by", multiple=True, metavar="FIELDS", type=Groupings(), callback=joined,
           help="Also compare the items with each value of a field: domain; domain,speaker are two tables, "
                "domain+speaker one; duration:5,10 has bins. Repeatable."),
    option("--labels", multiple=True, metavar="FIELD=FILE",
           help="A field of the items: a file with one value a line, in the order of the items. Repeatable."),
    option("--documents", metavar="FILE",
           help="The fields domain and document: WMT's documents/LP.docs, lines `DOMAIN DOCUMENT`."),
)  # fmt: skip
score_options = group(
    "Scores",
    option("--scores", multiple=True, metavar="NAME=FILE",
           help="Scores of another program, as of COMET, for all systems: WMT's .seg.score and .sys.score, tables with "
                "columns system and segment, JSON of comet-score. NAME:SYSTEM=FILE: scores of one system, as one a "
                "line. Repeatable."),
    option("--lower", default="", metavar="NAMES", help="Those of --scores where lower is better."),
)  # fmt: skip
block_options = group(
    "Significance",
    option("--blocks", metavar="FIELD",
           help="Resample, and rank, all items of a speaker or session together: speaker, or another field of the "
                "files. item: do not; wilcoxon then ranks items."),
    SPEAKERS,
)  # fmt: skip

SHARD = option(
    "--shard", type=ShardType(), metavar="I/N",
    help="Score every N-th item from the I-th on (I from 1), as job I of N. fstmetrics merge puts the records of all "
         "shards together.",
)  # fmt: skip
WHERE = (
    option("--jobs", type=Whole(1, MOST_THREADS), default=1, show_default=True, metavar="N",
           help="Search N items at the same time. The results are the same for any N."),
    option("--on", type=click.Choice(PLACES), default="local", show_default=True,
           help="Where to score: on this machine, or on an engine for many machines (docs/scale.md). The results are "
                "the same. --jobs: how many workers an engine has that is started here; by default one a CPU."),
)  # fmt: skip
RUN = (
    *WHERE,
    option("--keep-going", is_flag=True,
           help="Report items that cannot be read or scored, leave them out, and exit with status 1."),
    option("--resume", is_flag=True,
           help="Continue a run of the same command that was stopped, from the records of --output."),
    SHARD,
)  # fmt: skip
run_options = group("Long runs", *RUN)
ROUTE = option(
    "--route", default="auto", show_default=True, metavar="ROUTE", type=click.Choice(ROUTES),
    help=f"How to search. The results are the same. One of {', '.join(ROUTES)}.",
)  # fmt: skip


CHECK = option(
    "--check", metavar="openfst[=N]", type=CheckedBy(),
    help="Solve every N-th item again by OpenFst alone (docs/compile.md). Where its answer differs the run ends with "
         "status 1, and the machines of the item are written into a folder. Needs pynini.",
)  # fmt: skip


def scoring_options(metric: str) -> Callable[[Function], Function]:
    """What `oracle`, `hyter` and `score` share: all their options.

    Args:
        metric: the default.
    """
    return together(
        metric_option(metric),
        metric_parameters,
        input_options,
        word_options,
        grammar_option,
        lattice_options,
        output_options,
        group("Output", BY, SPEAKERS, REPORT),
        group("Long runs", *RUN, ROUTE, CHECK),
    )


def metric_table() -> str:
    """The end of a help page: each metric, which scores are better, and when it is decomposable."""
    rows = [("metric", "better", "decomposable")]
    rows += [
        (name, "higher" if metric.recognition else "lower", metric.decomposable)
        for name, metric in METRICS.items()
    ]
    table = "\n".join(table_lines(rows, 3))
    return (
        f"\b\n{table}\n\nDecomposable: a better sentence never makes the corpus worse (Chiang et al., EMNLP 2008). "
        "This is always so for the mean of the item scores (mean-NAME in compare and correlate). docs/significance.md "
        "says which metric is for what. sclite itself ignores case: for its numbers add --lowercase."
    )


def format_list() -> str:
    """The end of the help page of `convert`: each format that is read, and what it is."""
    rows = [("--format", "what it is")]
    rows += [(name, format.description) for name, format in FORMATS.items()]
    return "\b\n" + "\n".join(table_lines(rows, 2))
