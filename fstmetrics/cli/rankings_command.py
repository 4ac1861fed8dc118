"""`fstmetrics rankings`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click
import numpy as np
from click.core import ParameterSource

from fstmetrics.cli.option_types import Output, Real
from fstmetrics.cli.options import (
    FIELDS,
    FORMAT_OPTIONS,
    TESLA_F_PARAMETERS,
    Option,
    command,
    group,
    option,
    together,
    word_options,
)
from fstmetrics.cli.terminal import show, show_json, stages
from fstmetrics.evaluation.agreement.preferences import agreeing_judgments, preferences
from fstmetrics.evaluation.agreement.ranking_weights import learn_weights, share_held_out, share_in_order
from fstmetrics.evaluation.significance.texts import Work
from fstmetrics.evaluation.systems import named_path, read_columns
from fstmetrics.metrics.tesla_f import EQUAL, FEATURES, LM, TeslaF, TeslaFFeatures
from fstmetrics.readers.ranking_files import Rankings, read_rankings
from fstmetrics.readers.reading import check_paths
from fstmetrics.reports.ranking_tables import LearnedWeights, ranking_lines, ranking_summary, weights_text
from fstmetrics.runs.request import MetricParameters, Request, fields_of, refuse_unready
from fstmetrics.scoring.search import SearchOptions
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed
from fstmetrics.support.output import write_whole

# The headings of options that say how outputs are read.
OF_LEARNING = ("Weights of tesla-f", "Words", "Outputs")
# Of segments, to see how well learned weights order those that they were not learned from.
FOLDS = 10

input_options = group(
    "Input",
    option("--ranks", "column", metavar="COLUMN",
           help="Of a table with a line a system: the column of ranks. Default: rank."),
    option("--higher/--lower", default=None,
           help="Higher numbers are better, as of scores, or rank 1 is best. Default: rank 1; numbers above the number "
           "of systems are refused."),
    option("--language-pair", "pair", metavar="LP",
           help="Of WMT's tables of several language pairs: which, such as cze-eng."),
    option("--systems", metavar="NAMES", help="Only these systems, separated by commas. Default: all."),
)  # fmt: skip
learning_options = group(
    "Weights of tesla-f",
    option("--learn-weights", "weights", type=Output(), metavar="FILE",
           help="Learn weights of TESLA-F from the rankings of SYSTEM, and write them for --tesla-f-weights."),
    option("--ref", "references", multiple=True, metavar="FILE", help="References of SYSTEM. Repeatable."),
    *TESLA_F_PARAMETERS,
    option("--regularisation", type=Real(0, 1e9, without_least=True), default=1.0, show_default=True, metavar="C",
           help="What each pair in the wrong order costs the support vector machine."),
)  # fmt: skip


@command(usual=("--systems", "--learn-weights", "--ref", "--pivot-table", "--json"))
@click.argument("file", metavar="RANKINGS")
@click.argument("outputs", metavar="[SYSTEM...]", nargs=-1)
@together(
    input_options,
    learning_options,
    group("Outputs", *FORMAT_OPTIONS, FIELDS),
    word_options,
    group("Output", option("--json", "as_json", is_flag=True, help="Print one JSON object.")),
)  # fmt: skip
def rankings(
    file: str, outputs: tuple[str, ...], column: str | None, higher: bool | None, pair: str | None, systems: str | None,
    weights: str | None, references: tuple[str, ...], regularisation: float, as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Count which systems people prefer, from rankings of their outputs [L11 §4].

    \b
    Example:  fstmetrics rankings ranks.tsv
              fstmetrics rankings scores.tsv --ranks human --higher
              fstmetrics rankings r.tsv A.txt B.txt --ref r.txt --learn-weights w

    RANKINGS: a table of a line a judgment with a column a system, of a line a judgment and system (columns segment,
    system, rank, and judge), or WMT's (system1Id, system1rank, ...). How often each system is best, and each pair of
    systems with the sign test.

    SYSTEM: with --learn-weights, the systems' outputs, NAME=FILE; without NAME the system is called as the file is. The
    segments of RANKINGS are ids of the outputs, or numbers of their lines.
    """
    if weights is None:
        _refuse_options_of_learning(outputs)
    paths = [named_path(each)[1] for each in outputs]
    check_paths([file, *paths, *references, options["pivot_table"], options["language_model"]], weights)
    found = _only(read_rankings(file, column, higher, pair), systems)
    learned = None
    if weights is not None:
        learned = _learned(found, outputs, references, regularisation, options)
    counted = preferences(found.by_system)
    agreeing = agreeing_judgments(found.ranks, found.segments) if all(found.segments) else (0, 0)
    if learned is not None and weights is not None:
        write_whole(weights, weights_text(learned))
    if as_json:
        show_json(ranking_summary(found, counted, agreeing, learned))
        return
    show(*ranking_lines(found, counted, agreeing, learned))


def _refuse_options_of_learning(outputs: Sequence[str]) -> None:
    """Raise an FstmetricsError for outputs, and for options of them, where no weights are learned."""
    context = click.get_current_context()
    given = [
        each.opts[0]
        for each in context.command.params
        if isinstance(each, Option)
        and each.heading in OF_LEARNING
        and context.get_parameter_source(each.name or "") is ParameterSource.COMMANDLINE
    ]
    if outputs or given:
        raise FstmetricsError(
            f"{(given or outputs)[0]} is for --learn-weights FILE; without it RANKINGS alone are counted"
        )


def _only(found: Rankings, names: str | None) -> Rankings:
    """Some of the systems, in the order in which they were asked for."""
    if names is None:
        return found
    wanted = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    if strange := [name for name in wanted if name not in found.systems]:
        raise FstmetricsError(
            f"--systems: nobody ranked {strange[0]}; ranked are {listed(list(found.systems), 8)}"
        )
    ranks = found.ranks[:, [found.systems.index(name) for name in wanted]]
    kept = [not np.isnan(row).all() for row in ranks]

    def of_kept(values: Sequence[str]) -> tuple[str, ...]:
        return tuple(value for value, keep in zip(values, kept, strict=True) if keep)

    return replace(
        found,
        systems=tuple(wanted),
        segments=of_kept(found.segments),
        judges=of_kept(found.judges),
        ranks=ranks[np.array(kept, dtype=bool)],
    )


def _learned(
    found: Rankings,
    outputs: Sequence[str],
    references: Sequence[str],
    regularisation: float,
    options: dict[str, Any],
) -> LearnedWeights:
    """Weights of TESLA-F's features."""
    if len(outputs) < 2 or not references:
        raise FstmetricsError(
            "--learn-weights needs the outputs of two systems or more, NAME=FILE NAME=FILE --ref REF"
        )
    if not all(found.segments):
        raise FstmetricsError(
            f"{found.path}: no column segment, so that nobody knows which output was ranked"
        )
    metric = fields_of(MetricParameters, options).metric("tesla-f")
    assert isinstance(metric, TeslaF)
    request = Request(**options)
    request.refuse_rules("rankings")
    refuse_unready([metric], request.normalisation)
    read = read_columns(request, outputs, references, None)
    places = _places(found, [id or str(number) for number, id in enumerate(read.ids, 1)])
    work = Work(read.references, None, [TeslaFFeatures(metric)], request.normalisation, SearchOptions(), ())
    features = np.zeros((len(found.segments), len(found.systems), len(FEATURES)))
    if strange := [name for name in read.systems if name not in found.systems]:
        raise FstmetricsError(
            f"nobody ranked {strange[0]}; ranked are {listed(list(found.systems), 8)}: NAME=FILE says whose output "
            "a file is"
        )
    with stages() as progress:
        for done, (name, texts) in enumerate(read.systems.items()):
            progress(f"features of {name}", done, len(read.systems))
            (statistics,) = work.statistics(name, texts, lambda what, done: None).values()
            features[:, found.systems.index(name)] = statistics.values[places]
    ranks = np.where([name in read.systems for name in found.systems], found.ranks, np.nan)
    learned = learn_weights(features, ranks, regularisation)
    equal = np.array([EQUAL[name] for name in FEATURES])
    return LearnedWeights(
        {
            name: float(value)
            for name, value in zip(FEATURES, learned, strict=True)
            if name != LM or metric.language_model
        },
        share_in_order(features @ learned, ranks),
        share_held_out(features, ranks, found.segments, FOLDS, regularisation),
        share_in_order(features @ equal, ranks),
        int((ranks[:, :, None] < ranks[:, None, :]).sum()),
        FOLDS,
    )


def _places(found: Rankings, ids: Sequence[str]) -> list[int]:
    """Where the outputs of each judgment's segment are."""
    known = {id: place for place, id in enumerate(ids)}
    if strange := [segment for segment in found.segments if segment not in known]:
        raise FstmetricsError(
            f"{found.path}: segment {strange[0]} is no line of the outputs, which have {listed(list(ids), 3)}"
        )
    return [known[segment] for segment in found.segments]
