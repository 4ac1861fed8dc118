"""`fstmetrics correlate`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import click
import numpy as np
from click.core import ParameterSource

from fstmetrics.cli.option_types import SEED, OutputFile, Real, Whole
from fstmetrics.cli.options import (
    Option,
    command,
    fields_option,
    format_options,
    grammar_option,
    group,
    metric_parameters,
    missing_option,
    networks_option,
    option,
    together,
    word_options,
)
from fstmetrics.cli.terminal import show, show_json, stages, width
from fstmetrics.evaluation.agreement import Documents, Intervals, ScoreTable
from fstmetrics.evaluation.agreement.levels import MOST_DOCUMENTS
from fstmetrics.evaluation.agreement.metric_tests import TESTS as OF_METRICS
from fstmetrics.evaluation.agreement.study import Findings, Study, study
from fstmetrics.evaluation.agreement.tasks import (
    average_intervals,
    read_tasks,
    task_resamples,
    task_values,
    tied_metrics,
)
from fstmetrics.evaluation.agreement.wanted import wanted as wanted_coefficients
from fstmetrics.evaluation.correlate_inputs import read_inputs, read_pairs
from fstmetrics.evaluation.significance import TESTS
from fstmetrics.evaluation.significance.p_values import as_test
from fstmetrics.evaluation.systems import asked_metrics, named_path
from fstmetrics.metrics import METRICS
from fstmetrics.readers.reading import check_paths
from fstmetrics.reports.correlation import TaskFindings, score_lines, task_lines, tasks_json, text_lines
from fstmetrics.reports.correlation import as_json as findings_json
from fstmetrics.reports.plots import check_pictures
from fstmetrics.runs.request import MetricParameters, Request, fields_of, refuse_unready
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import MOST_SAMPLES
from fstmetrics.support.names import listed
from fstmetrics.support.output import whole_file

LEVELS = ("system", "document", "segment")
# Tests that need no more than scores of items.
OF_ITEMS = [name for name, test in TESTS.items() if test.compares == "items"]


@dataclass(frozen=True)
class Pictures:
    """Files to draw, and to write the joined table to."""

    plot: str | None
    plot_level: str | None
    grid: str | None
    bars: str | None
    output: str | None


score_options = group(
    "Scores",
    option("--human", metavar="COLUMN",
           help="The column of the human scores, or the name of WMT's file of them (mqm of en-de.mqm.seg.score)."),
    option("--language-pair", "pair", metavar="LP", help="Of a folder of WMT: the language pair, such as en-de."),
    option("--metric-refs", "metric_references", metavar="NAME",
           help="Of a folder of WMT: the references that its metrics had, such as refA. Default: the first in order."),
    option("--lower", default="", metavar="NAMES",
           help="Columns where lower is better. The metrics of this program are known."),
    option("--people", default="", metavar="NAMES",
           help="Systems that are human translations: for m/h, and left out of the correlations."),
    option("--rename", "renamed", multiple=True, metavar="OLD=NEW",
           help="What a system of a file of scores is called in the others. Repeatable."),
    option("--raw", is_flag=True,
           help="Average the scores of the assessors as they are. Default: with a column assessor, the scores of "
                "each assessor are standardised first."),
    option("--threshold", type=Real(0, 1e9), default=0.0, show_default=True, metavar="D",
           help="WMT's variants of tau: human scores that differ by less are ties."),
)  # fmt: skip
level_options = group(
    "Levels",
    option("--level", "levels", default="system,segment", show_default=True, metavar="NAMES",
           help="Separated by commas: system, document, segment."),
    option("--coefficients", metavar="NAMES",
           help="Separated by commas: spa, acc-eq, pearson, spearman, kendall-a, -b, -c, -12, -13, -14, -23, -like, "
                "accuracy, acc-23. With a group: pearson:item, pearson:system. Default: the usual ones of each level."),
    option("--tasks", metavar="LIST",
           help="Of a folder of WMT: rank metrics by the weighted average over tasks, wmt23, wmt24 or a TOML file."),
    option("--by", "by_field", type=click.Choice(["domain", "document"]), metavar="FIELD",
           help="The coefficients of each domain or document, too."),
    option("--documents", "sizes", metavar="SIZES",
           help="Make documents of so many random segments, for example 1,2,4,8."),
    option("--per-size", type=Whole(2, MOST_DOCUMENTS), default=50, show_default=True, metavar="N",
           help="Documents of each size."),
)  # fmt: skip
significance_options = group(
    "Significance",
    option("--test", type=click.Choice([*OF_ITEMS, *OF_METRICS]), metavar="TEST",
           help=f"Test each pair of metrics: does one agree better with people ({', '.join(OF_METRICS)})? Or test each "
                f"pair of systems ({', '.join(OF_ITEMS)}), and compare with a rank-sum test of the human scores."),
    option("--fluency", metavar="COLUMN",
           help="With --test: a column of further human scores, of fluency. They decide pairs of systems that the "
                "human scores, of adequacy, leave undecided."),
    option("--p-level", type=Real(0, 1, without_least=True), default=0.05, show_default=True, metavar="P",
           help="Level of significance of --test."),
    option("--samples", type=Whole(0, MOST_SAMPLES), default=1000, show_default=True, metavar="B",
           help="Resamples of the intervals and of --test; 0 is no intervals."),
    option("--seed", type=SEED, default=1, show_default=True, metavar="N", help="Seed of the random numbers."),
    option("--resample", type=click.Choice(["both", "segments", "systems"]), default="both", show_default=True,
           help="What the intervals resample."),
    option("--confidence", type=Real(0, 1, True, True), default=0.95, show_default=True, metavar="C",
           help="Confidence of the intervals."),
)  # fmt: skip
result_options = group(
    "Output",
    option("--json", "as_json", is_flag=True, help="Print one JSON object."),
    option("--output", type=OutputFile("a table with tabs", ".tsv"), metavar="FILE",
           help="Write all scores of the segments as one table."),
    option("--plot", metavar="FILE", help="Draw metrics against human scores: .png, .pdf or .svg."),
    option("--plot-level", type=click.Choice(LEVELS[::2]), help="The points of --plot. Default: system."),
    option("--grid", metavar="FILE", help="With --test: draw which system is better than which."),
    option("--bars", metavar="FILE", help="With --people: draw how far people and machines are from perfect."),
)  # fmt: skip


@command(usual=("--human", "--level", "--ref", "--metric", "--test", "--plot"))
@click.argument("files", metavar="SCORES...", nargs=-1, required=True)
@together(
    score_options,
    level_options,
    group(
        "Input",
        option("--ref", "references", multiple=True, metavar="FILE",
               help="References, to score outputs of systems among SCORES. Repeatable."),
    ),
    networks_option,
    missing_option,
    format_options,
    fields_option,
    group(
        "Metric",
        option("--metric", "metric_names", default="bleu", show_default=True, metavar="NAMES",
               help=f"With --ref: {', '.join(METRICS.shipped)}. mean-NAME is the mean of the item scores."),
    ),
    metric_parameters,
    word_options,
    grammar_option,
    significance_options,
    result_options,
)  # fmt: skip
def correlate(
    files: tuple[str, ...], references: tuple[str, ...], networks: str | None, metric_names: str, human: str | None,
    pair: str | None, metric_references: str | None, renamed: tuple[str, ...], raw: bool, lower: str,
    levels: str,
    coefficients: str | None, tasks: str | None, by_field: Any, sizes: str | None, per_size: int, threshold: float,
    people: str,
    test: str | None, fluency: str | None, p_level: float, samples: int, seed: int, resample: Any, confidence: float,
    plot: str | None, plot_level: str | None, grid: str | None, bars: str | None, output: str | None, as_json: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Correlate metrics with human scores.

    \b
    Example:  fstmetrics correlate scores.tsv
              fstmetrics correlate human.tsv --ref ref.txt A.txt B.txt

    SCORES: tables (the first line names the columns: system, segment, human, and metrics), WMT's files of human
    scores, records of `score --output` (one file per system), and, with --ref, outputs of systems. NAME=FILE says
    which system a file is of. Without NAME it is the judged system whose name is between dots in the file's name
    (hyp.Online-W.de.gz), otherwise the file's name without ending. METRIC:SYSTEM=FILE has scores of one system, one a
    line.
    """
    if tasks is not None:
        _refuse_beside_tasks()
        _by_tasks(
            tasks, files, human, metric_references, _names(lower), _names(people), as_json,
            Intervals(samples if _is_given("samples") else 0, seed, resample, confidence),
        )  # fmt: skip
        return
    parameters = fields_of(MetricParameters, options)
    request = Request(**options)
    request.refuse_rules("correlate", widening=True)
    scores_outputs = bool(references) or networks is not None
    if not scores_outputs:
        _refuse_options_of_outputs()
    metrics = asked_metrics([metric_names], parameters, references, networks) if scores_outputs else []
    refuse_unready(metrics, request.normalisation)
    check_paths([*(named_path(file)[1] for file in files), *references, networks], plot, grid, bars, output)
    pictures = Pictures(plot, plot_level, grid, bars, output)
    _refuse(pictures, people, test, fluency, p_level, samples)
    wanted = Study(
        _levels(levels, sizes),
        Documents(_sizes(sizes), per_size, seed) if sizes else None,
        Intervals(samples, seed, resample, confidence),
        threshold,
        tuple(_names(people)),
        None if test in OF_METRICS else test,
        p_level,
        fluency,
        None if coefficients is None else wanted_coefficients(_names(coefficients)),
        test if test in OF_METRICS else None,
        by_field,
    )
    table, remarks, signatures = read_inputs(
        files,
        references,
        networks,
        metrics,
        request,
        human,
        _names(lower),
        not raw,
        pair,
        metric_references,
        renamed,
    )
    with stages() as progress:
        findings, grids = study(table, wanted, progress)
    _write(table, wanted, findings, grids, pictures)
    if as_json:
        show_json(findings_json(findings, signatures, remarks))
        return
    show(*(*text_lines(findings, width()), *remarks, *signatures))


# What goes with a list of tasks.
BESIDE_TASKS = ("files", "tasks", "human", "metric_references", "lower", "people", "as_json", "samples")
# With --samples these, too.
OF_INTERVALS = ("seed", "resample", "confidence")


def _refuse_beside_tasks() -> None:
    """Raise an FstmetricsError for options that a list of tasks decides by itself."""
    allowed = (*BESIDE_TASKS, *OF_INTERVALS) if _is_given("samples") else BESIDE_TASKS
    for given in click.get_current_context().command.params:
        name = given.name or ""
        if name in OF_INTERVALS and name not in allowed and _is_given(name):
            raise FstmetricsError(
                f"{given.opts[0]} is for the intervals of averages over --tasks, which --samples asks for"
            )
        if name not in allowed and _is_given(name):
            raise FstmetricsError(
                f"--tasks says itself what is found, so {given.opts[0]} cannot be given; beside it go --human, "
                "--metric-refs, --lower, --people, --samples and --json"
            )


def _is_given(name: str) -> bool:
    """Whether an option is on the command line."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def _by_tasks(
    tasks: str, files: Sequence[str], human: str | None, metric_references: str | None, lower: list[str],
    people: list[str], as_json: bool, intervals: Intervals,
) -> None:  # fmt: skip
    """Rank metrics by a list of tasks."""
    tables, remarks = read_pairs(files, human, metric_references, lower)
    wanted = read_tasks(tasks, list(tables))
    systems = {name for table in tables.values() for name in table.systems}
    if strange := [name for name in people if name not in systems]:
        raise FstmetricsError(
            f"--people: no language pair has a system {strange[0]}; there are {listed(sorted(systems))}"
        )
    machines = {
        pair: table.without([p for p in people if p in table.systems]) for pair, table in tables.items()
    }
    values, tied, resamples = [], [], []
    with stages() as progress:
        for done, task in enumerate(wanted):
            progress(task.name, done, len(wanted))
            values.append(task_values(task, machines))
            tied.append(tied_metrics(task, machines))
            if intervals.samples:
                resamples.append(task_resamples(task, machines, intervals))
    found = TaskFindings(wanted, values, tied)
    if intervals.samples:
        found = TaskFindings(
            wanted, values, tied, asdict(intervals), average_intervals(wanted, resamples, intervals)
        )
    if as_json:
        show_json(tasks_json(found, remarks))
        return
    show(*(*task_lines(found, width()), "", *found.remarks(), *remarks))


def _refuse(
    pictures: Pictures, people: str, test: str | None, fluency: str | None, p_level: float, samples: int
) -> None:
    """Raise an FstmetricsError, before anything is computed, for what can come to nothing."""
    least = 1 / (samples + 1)
    if test and test not in OF_METRICS and as_test(test).draws and p_level <= least:
        raise FstmetricsError(
            f"with --samples {samples} no p of --test {test} is below {least:.2g}, so nothing is significant at "
            f"{p_level:g}; ask for more"
        )
    if fluency is not None and (not test or test in OF_METRICS):
        raise FstmetricsError("--fluency decides pairs of --test, which was not asked for")
    if pictures.grid and (not test or test in OF_METRICS):
        raise FstmetricsError("--grid draws the outcome of --test, which was not asked for")
    if pictures.bars and not people:
        raise FstmetricsError("--bars draws human translations beside machines; --people names them")
    check_pictures(pictures.plot, pictures.grid, pictures.bars)


# What says how outputs are scored: the groups of options that tables and records have no use for.
OF_OUTPUTS = ("Metric", "Words")


def _refuse_options_of_outputs() -> None:
    """Raise an FstmetricsError for an option that says how to score outputs, where there are none."""
    context = click.get_current_context()
    for given in context.command.params:
        of_outputs = isinstance(given, Option) and (given.heading in OF_OUTPUTS or given.name == "missing")
        if of_outputs and context.get_parameter_source(given.name or "") is ParameterSource.COMMANDLINE:
            raise FstmetricsError(
                f"{given.opts[0]} says how outputs of systems are scored; scores in tables and records stay as they "
                "are: give outputs with --ref REF or --networks NETWORKS"
            )


def _names(text: str) -> list[str]:
    return list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def _levels(text: str, sizes: str | None) -> tuple[Any, ...]:
    names = _names(text)
    for name in names:
        if name not in LEVELS:
            raise FstmetricsError(f"unknown level {name!r}; known are {', '.join(LEVELS)}")
    return tuple(dict.fromkeys([*names, *(["document"] if sizes else [])]))


def _sizes(text: str) -> tuple[int, ...]:
    names = _names(text)
    if not names or not all(re.fullmatch("0*[1-9][0-9]{0,8}", name) for name in names):
        raise FstmetricsError(f"--documents takes sizes such as 1,2,4,8, not {text!r}")
    return tuple(map(int, names))


def _write(
    table: ScoreTable, wanted: Study, findings: Findings, grids: dict[str, Any], pictures: Pictures
) -> None:
    """The table and the pictures that were asked for."""
    if pictures.output:
        with whole_file(pictures.output) as stream:
            stream.writelines(f"{line}\n" for line in score_lines(table))
    if pictures.plot or pictures.grid:
        from fstmetrics.reports.plots import human_plot, panels, significance_grid

        judged = table.without(wanted.people)
        if pictures.plot:
            human_plot(panels(judged, pictures.plot_level or "system"), pictures.plot)
        if pictures.grid:
            best = np.argsort(-judged.human.sign * judged.human.whole(), kind="stable")
            significance_grid([judged.systems[i] for i in best], grids, pictures.grid)
    if pictures.bars:
        from fstmetrics.reports.plots import separation_plot

        separation_plot(findings.separations, pictures.bars)
