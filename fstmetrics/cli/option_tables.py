"""Tables of options: the command line makes its options of them, and `fields_of_options` what Python gives.

A table has the options of a command by their names in Python: `--lm-scale` is `lm_scale`. What several commands have is
a table of its own, or a name: `INPUT`, `WORDS`, `MISSING`. `SCORING` is that of `score` and `hyter`, `ORACLE` of
`oracle`; other commands have theirs in their own modules.

An option is declared on the field that has its value: `REQUEST` has those of `Request`, `OF_LATTICES` those of
`LatticeOptions`. Tables choose among them, and put them `under` a heading. What a command says otherwise of one it
replaces. Metrics declare their options likewise: `of_metrics` is the row of a table that stands for them, and
`with_metrics` puts them in its place.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from decimal import Decimal
from functools import wraps
from inspect import signature
from numbers import Real
from typing import Any, ParamSpec, TypeVar

from fstmetrics.io.column_roles import COLUMNS
from fstmetrics.metrics.corpus_metric import MEAN, CorpusMetric
from fstmetrics.metrics.registry import METRICS, SOME_METRICS, MetricParameters, metric_options, registered
from fstmetrics.reports.summary import table_lines
from fstmetrics.reports.table_forms import FORMS as FORMS_OF_TABLES
from fstmetrics.scoring.request import LatticeOptions, Request
from fstmetrics.scoring.shards import Shard
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import did_you_mean
from fstmetrics.support.options import (
    FLAG,
    MANY_NAMED,
    WEIGHT,
    Kind,
    Option,
    dashed,
    one_of,
    options_of_fields,
    path,
)

Options = Mapping[str, Option]
PathLike = str | os.PathLike[str]
P = ParamSpec("P")
T = TypeVar("T")
# What is scored and what it is scored against, in calls on paths.
SIDES = ("references", "networks", "hypotheses", "lattices")


def under(heading: str, options: Options | None = None, /, *names: str, **more: Option) -> dict[str, Option]:
    """Options under a heading; the field of each has a name.

    Args:
        heading: the heading.
        options: a table.
        names: those of it, in that order; without any, all.
        more: others, behind them.
    """
    chosen = some(options, *names) if options and names else options or {}
    return {
        name: option._replace(heading=heading, field=option.field or name)
        for name, option in {**chosen, **more}.items()
    }


# The row of a table that stands for options of metrics, and the field that has their values.
PARAMETERS = "parameters"


def of_metrics(*metrics: str, but: Sequence[str] = (), without: Sequence[str] = ()) -> dict[str, Option]:
    """A row of a table that stands for options of metrics.

    Args:
        metrics: of which; none: of all, or those that are asked for.
        but: metrics whose options are left out.
        without: options that are left out.
    """

    def options(asked: Sequence[str] | None) -> dict[str, Option]:
        found = metric_options(metrics or asked, but)
        return {name: option for name, option in found.items() if name not in without}

    return under("Metric", parameters=Option(Kind(options), ""))


def with_metrics(known: Options, written: Iterable[str] | None = None, asked: Any = None) -> Options:
    """A table with the options of metrics in the place of the row that stands for them.

    Metrics are imported only as far as need be: none where the table has all options that are written; those that are
    asked for, or the default, where they have the others; else all. What a command calls its own stays that.

    Args:
        known: the table.
        written: options as Python or the command line calls them; None: the options of all metrics are wanted.
        asked: names of metrics, joined by commas, or several.

    Raises:
        FstmetricsError: metrics that are asked for have different options of one name.

    >>> [name for name in with_metrics(SCORING, ["window"], "hyter") if name not in SCORING]
    ['window', 'reordering']
    """
    row = known.get(PARAMETERS)
    if row is None:
        return known
    names = {name.removeprefix("--").replace("-", "_") for name in written or ()}
    others = None if written is None else names - (known.keys() - {PARAMETERS})
    found: dict[str, Option] = {}
    if others:
        found = row.kind(metric_names(asked or known["metric"].default if "metric" in known else ()))
    if others is None or not others <= found.keys():
        found = row.kind(None)
    taken = {*known, *(option.field for option in known.values())}
    own = under(row.heading, {name: option for name, option in found.items() if name not in taken})
    spliced: dict[str, Option] = {}
    for name, option in known.items():
        spliced |= own if option is row else {name: option}
    return spliced


def metric_names(asked: Any) -> list[str]:
    """The metrics of some names, as they are registered; what is none, or the mean of one, by its own name."""
    several = asked if isinstance(asked, list | tuple) else [asked]
    names = [name.strip() for part in several if isinstance(part, str) for name in part.split(",")]
    return [name for each in names if (name := registered(each).removeprefix(MEAN)) in METRICS]


def some(options: Options, *names: str) -> dict[str, Option]:
    """Those of some names, in that order."""
    return {name: options[name] for name in names}


# The options of every run, and of lattices.
REQUEST, OF_LATTICES = options_of_fields(Request), options_of_fields(LatticeOptions)
INPUT = under(
    "Input", REQUEST, "ref", "format", "ref_format", "fields", "alternations", "optional_words", "tag_candidates",
    "symbols", "weights", "missing",
)  # fmt: skip
RESEGMENT = under("Input", REQUEST, "resegment", "criterion", "documents")
# Of several systems.
MISSING = REQUEST["missing"]._replace(
    kind=one_of("error", "skip"), help="An id that a file lacks: stop, or leave the item out for all systems."
)
WORDS = under(
    "Words", REQUEST, "profile", "lowercase", "remove_punctuation", "unit", "ignore", "ignore_ref", "ignore_hyp",
    "tokenize", "allow_download", "normalise_unicode",
)  # fmt: skip
# The same where no space between words can count; what refuses `char` says so.
UNSPACED_UNITS = ("word", "char-no-space", "mixed")
UNSPACED = WORDS | under(
    "Words",
    unit=REQUEST["unit"]._replace(
        kind=one_of(*UNSPACED_UNITS, others=lambda: ["char"]),
        help="What counts as a word. char-no-space: each character. mixed: Han characters, and words of other scripts.",
    ),
)
GRAMMAR = under("Words", REQUEST, "grammar")
LATTICES = under("Lattices", OF_LATTICES)
SCALES = under(
    "Lattices",
    lm_scale=LATTICES["lm_scale"]._replace(
        kind=WEIGHT,
        help="Weight of graph costs, or of the scores of n-best lists. Default: as the file says, or 1.",
    ),
    acoustic_scale=LATTICES["acoustic_scale"],
    word_penalty=LATTICES["word_penalty"]._replace(
        kind=WEIGHT,
        help="Cost added for every word, which no scale multiplies. Default: as the file says, or 0.",
    ),
)
# The form of tables, one value; a command has JSON beside it, or among it where that is all it prints.
TABLE_FORMS = under(
    "Output",
    {
        name: Option(FLAG, f"Print {form.help}.", field="form", printed=True)
        for name, form in FORMS_OF_TABLES.items()
    },
)
FORMS_PRINTED = {
    **under("Output", json=Option(FLAG, "Print one JSON object.", field="form", printed=True)),
    **TABLE_FORMS,
}
PERCENT = under(
    "Output",
    percent=Option(
        FLAG, "Print rates in percent, as 21.71 for 0.2171; not in JSON, CSV and TSV.", printed=True
    ),
)
RUN = under("Long runs", REQUEST, "jobs", "on", "keep_going", "resume", "shard")


def scoring(metric: str) -> dict[str, Option]:
    """The options of `score`, `oracle` and `hyter`.

    Args:
        metric: the default.
    """
    return {
        **under(
            "Metric",
            metric=Option(
                SOME_METRICS,
                "wer, cer, wrr, grr, hyter, bleu or another metric, or several; --help metric lists them.", metric,
                field="metric_name",
            ),
        ),
        **of_metrics(),
        **INPUT,
        **RESEGMENT,
        **WORDS,
        **GRAMMAR,
        **LATTICES,
        **under(
            "Output", REQUEST, "alignment", "nbest", "output", "json", "by", "speakers", "biasing", "report", "times"
        ),
        **TABLE_FORMS,
        **PERCENT,
        **RUN,
        **under("Long runs", REQUEST, "route", "check"),
    }  # fmt: skip


SCORING = scoring("wer")
# Segments are cut out of texts.
ORACLE: Options = {name: option for name, option in SCORING.items() if name not in RESEGMENT}


def fields_of_options(function: str, known: Options, given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of all options of a call; None is an option that is not given.

    Args:
        function: the function that was called.
        known: its options.
        given: those that it was given.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: a value that an option does not take.

    >>> found = fields_of_options("score_files", SCORING, {"beam": [8, 4.5], "ref": "b.txt"})
    >>> found["beams"], found["more_references"], found["unit"]
    ((4.5, 8.0), ['b.txt'], 'word')
    """
    own = {name: option for name, option in known.items() if not option.printed}
    options = with_metrics(own, given, given.get("metric"))
    for name in given:
        if name not in options:
            near = did_you_mean(name, list(options))
            raise TypeError(f"{function}() has no option {name!r}{'; ' if near else ''}{near}")
    found: dict[str, Any] = {}
    for name, option in options.items():
        value = given.get(name)
        try:
            if name in own or value is not None:
                found[option.field] = _value(name, option, value)
        except FstmetricsError:
            raise  # it says what it is about
        except ValueError as error:
            raise FstmetricsError(f"{name}: {error}") from None
    if PARAMETERS in own:
        take_parameters({name: option for name, option in options.items() if name not in own}, found)
    return found


def take_parameters(known: Options, fields: dict[str, Any]) -> None:
    """Make one field of those that options of metrics have; values that say that texts are plain make formats plain.

    Args:
        known: the options of metrics.
        fields: the fields of all options.
    """
    values = {name: fields.pop(name) for name in known if name in fields}
    asked = fields.get("metric_name")
    has_names = not all(
        isinstance(each, CorpusMetric) for each in (asked if isinstance(asked, list) else [asked])
    )
    given = {
        name: value
        for name, value in values.items()
        if value is not None
        # Beside metrics themselves each is wrong, the default, too.
        and not (has_names and (value is False or value == known[name].default))
    }
    if [name for name, value in given.items() if value in known[name].plain]:
        # Hypotheses of tune are lists.
        for name in ("ref_format",) if "feature_names" in fields else ("format", "ref_format"):
            if fields.get(name, "") is None:
                fields[name] = "plain"
    fields[PARAMETERS] = MetricParameters(given, known)


def sides_by_name(function: Callable[P, T]) -> Callable[P, T]:
    """Says how a function takes its sides where they are given without names."""
    parameters = signature(function).parameters.values()
    by_place = sum(each.kind is each.POSITIONAL_OR_KEYWORD for each in parameters)
    sides = ", ".join(f"{each.name}=..." for each in parameters if each.name in SIDES)

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> T:
        if len(args) > by_place:
            raise TypeError(f"{function.__name__}() takes its sides by name: {sides}")
        return function(*args, **kwargs)

    return checked


def path_of(function: str, given: Any, advice: str = "") -> str:
    """The path of a call.

    Args:
        function: the function that was called.
        given: what it was given.
        advice: which other function takes other things.

    Raises:
        FstmetricsError: it is no path.
    """
    try:
        return path(given)
    except ValueError as error:
        raise FstmetricsError(f"{function}() takes paths: {error}{advice and '; '}{advice}") from None


def _value(name: str, option: Option, given: Any) -> Any:
    """The value of a field.

    Raises:
        ValueError: it is not what the option takes.
    """
    if given is None:
        given = [] if option.kind.repeated else False if option.kind is FLAG else option.default
    elif option.bare is not None and given is True:
        given = option.bare
    found = None if given is None else option.kind(given)
    if name == "output" and found == "-":
        raise ValueError("expected a file; what is printed is printed by the command only")
    return found


def written(given: Mapping[str, Any]) -> list[str]:
    """Options as the command line has them, by which `merge` calls the command of shards.

    >>> written({"lowercase": True, "ref": ["b.txt", "c.txt"], "beam": [8, 4.5], "fields": {"id": "path"}})
    ['--lowercase', '--ref', 'b.txt', '--ref', 'c.txt', '--beam', '8,4.5', '--fields', 'id=path']
    """
    found: list[str] = []
    for name, value in given.items():
        option = dashed(name)
        if value is True:
            found.append(option)
        elif isinstance(value, Mapping):
            for each in COLUMNS(value) if name == "fields" else MANY_NAMED(value):
                found += [option, each]
        elif value is None or value is False:
            continue
        elif isinstance(value, str | os.PathLike | Real | Decimal | Shard):
            found += [option, str(value)]
        elif name in ("beam", "lm_scale", "word_penalty"):
            found += [option, ",".join(map(str, value))]
        else:
            for each in value:
                found += [option, str(each)]
    return found


def several_paths(function: str, given: Any, needed: str = "") -> list[str]:
    """One path that a function is given, or some.

    Args:
        function, given: as of `path_of`.
        needed: what at least one has to be there of.

    Raises:
        FstmetricsError: as of `path_of`, or there is none.
    """
    is_one = isinstance(given, str | os.PathLike | set | frozenset) or not isinstance(given, Iterable)
    found = [path_of(function, each) for each in ([given] if is_one else given)]
    if needed and not found:
        raise FstmetricsError(f"{function}() takes paths of {needed}, and there is none: give one or more")
    return found


def systems_of(function: str, given: Any, needed: str = "") -> list[str]:
    """Files of systems, as the command line has them: `NAME=FILE` where a dict has their names.

    Raises:
        FstmetricsError: as of `path_of`, or a name that the command line cannot have.
    """
    if not isinstance(given, Mapping) or not given:
        return several_paths(function, given, needed)
    for name in given:
        if not isinstance(name, str) or "=" in name:
            raise FstmetricsError(f"{name}: a system has a name without =")
    return [f"{name}={path_of(function, file)}" for name, file in given.items()]


def given_options(known: Options, given: Mapping[str, Any]) -> list[str]:
    """The options that Python gives, in the order of those that are known.

    >>> given_options(SCORING, {"lowercase": False, "ref": [], "lm_scale": 7})
    ['lm_scale']
    """
    said = {name: value for name, value in given.items() if value is not None and value is not False}
    empty = [name for name, value in said.items() if isinstance(value, Sized) and not len(value)]
    options = with_metrics(known, said, said.get("metric"))
    return [name for name in options if name in said and name not in empty]


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
        "This is always so for the mean of the item scores (mean-NAME in compare and correlate). docs/metrics.md "
        "says which metric is for what. sclite itself ignores case: for its numbers add --lowercase."
    )
