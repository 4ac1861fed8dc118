"""`fstmetrics correlate`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from fstmetrics.cli.inputs import named_path
from fstmetrics.cli.metric_options import (
    MetricOptions,
    asked_metrics,
    grr_options,
    hyter_options,
    refuse_unready,
    text_metric_options,
)
from fstmetrics.cli.numbers import SEED, Real, Whole
from fstmetrics.cli.options import Request, format_options, word_options
from fstmetrics.cli.path_checks import refuse_clashes, refuse_no_picture
from fstmetrics.cli.score_inputs import read_scores
from fstmetrics.cli.terminal import show, stages, width
from fstmetrics.evaluation.agreement import Documents, Intervals, ScoreTable
from fstmetrics.evaluation.agreement.levels import MOST_DOCUMENTS
from fstmetrics.evaluation.agreement.study import Study, study
from fstmetrics.evaluation.significance import TESTS
from fstmetrics.evaluation.significance.tests import as_test
from fstmetrics.metrics import METRICS
from fstmetrics.reports.correlation import as_json, score_lines, text_lines
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import written_json
from fstmetrics.support.limits import MOST_SAMPLES
from fstmetrics.support.output import whole_file

LEVELS = ("system", "document", "segment")


@dataclass(frozen=True)
class Pictures:
    """Files to draw, and to write the joined table to."""

    plot: str | None
    plot_level: str | None
    grid: str | None
    output: str | None


def study_options(function: Any) -> Any:
    """What to find."""
    for option in reversed(
        [
            click.option("--human", metavar="COLUMN", help="The column of people's scores."),
            click.option("--raw", is_flag=True,
                         help="Average the scores of assessors as they are; by default, where a column assessor tells "
                              "them apart, each assessor's are first standardised."),
            click.option("--lower", default="", metavar="NAMES",
                         help="Columns of which the lower score is better; the project's own metrics are known."),
            click.option("--level", "levels", default="system,segment", show_default=True, metavar="NAMES",
                         help="Comma-separated: system, document, segment."),
            click.option("--documents", "sizes", metavar="SIZES",
                         help="Draw documents of so many segments at random: 1,2,4,8."),
            click.option("--per-size", type=Whole(2, MOST_DOCUMENTS), default=50, show_default=True, metavar="N",
                         help="Documents of each size."),
            click.option("--threshold", type=Real(0, 1e9), default=0.0, show_default=True, metavar="D",
                         help="For WMT's taus: human scores that differ by less are tied."),
            click.option("--people", default="", metavar="NAMES",
                         help="Systems that are human translations: for m/h, and not to be correlated."),
            click.option("--test", type=click.Choice(list(TESTS)), metavar="TEST",
                         help=f"Test each pair of systems ({', '.join(TESTS)}), and compare with a rank-sum test of "
                              "human scores."),
            click.option("--p-level", type=Real(0, 1, without_least=True), default=0.05, show_default=True,
                         metavar="P", help="Significance, for --test."),
            click.option("--samples", type=Whole(0, MOST_SAMPLES), default=1000, show_default=True, metavar="B",
                         help="Resamples, for intervals and --test; 0 for no intervals."),
            click.option("--seed", type=SEED, default=1, show_default=True, metavar="N",
                         help="Seed of the random numbers."),
            click.option("--resample", type=click.Choice(["both", "segments", "systems"]), default="both",
                         show_default=True, help="What intervals draw anew."),
            click.option("--confidence", type=Real(0, 1, True, True), default=0.95,
                         show_default=True, metavar="C", help="Of the intervals."),
        ]
    ):  # fmt: skip
        function = option(function)
    return function


@click.command()
@click.argument("files", metavar="SCORES...", nargs=-1, required=True)
@click.option("--ref", "references", multiple=True, metavar="FILE",
              help="References, to score outputs of systems among SCORES; repeatable.")  # fmt: skip
@click.option("--metric", "metric_names", default="bleu", show_default=True, metavar="NAMES",
              help=f"With --ref: {', '.join(METRICS)}; mean-NAME is the mean of item scores.")  # fmt: skip
@study_options
@click.option("--plot", metavar="FILE", help="Draw metrics against human scores: .png, .pdf or .svg.")
@click.option("--plot-level", type=click.Choice(LEVELS[::2]), help="What its points are; by default systems.")
@click.option("--grid", metavar="FILE", help="With --test: draw which system beats which.")
@click.option("--output", metavar="FILE", help="Write all scores of segments as one table.")
@click.option("--json", "json_wanted", is_flag=True, help="Print one JSON object.")
@grr_options
@hyter_options
@text_metric_options
@format_options
@word_options
def correlate(
    files: tuple[str, ...], references: tuple[str, ...], metric_names: str, human: str | None, raw: bool, lower: str,
    levels: str, sizes: str | None, per_size: int, threshold: float, people: str, test: str | None, p_level: float,
    samples: int, seed: int, resample: Any, confidence: float, plot: str | None, plot_level: str | None,
    grid: str | None, output: str | None, json_wanted: bool, order: int, alpha: str, beta: str,
    networks: str | None, window: int, reordering: str, ref_length: str, smoothing: str | None, synonyms: str,
    analyser: str, discount: str, **words: Any,
) -> None:  # fmt: skip
    """Correlate metrics with human scores.

    SCORES are tables (their first line names the columns: system, segment, human, and metrics), WMT's files of human
    scores, records of `score --output` (a file a system), and, with --ref, outputs of systems. NAME=FILE says which
    system a file is of; otherwise it is the judged one whose name stands between dots in the file's
    (hyp.Online-W.de.gz), or the file's stem, as for compare.
    """
    request = Request(**words)
    options = MetricOptions(
        order, alpha, beta, ref_length, smoothing, synonyms, analyser, discount, window, reordering
    )
    scores_outputs = bool(references) or networks is not None
    metrics = asked_metrics([metric_names], options, references, networks) if scores_outputs else []
    refuse_unready(metrics, request.normalisation)
    refuse_clashes([*(named_path(file)[1] for file in files), *references, networks], plot, grid, output)
    pictures = Pictures(plot, plot_level, grid, output)
    _refuse(pictures, test, p_level, samples)
    wanted = Study(
        _levels(levels, sizes),
        Documents(_sizes(sizes), per_size, seed) if sizes else None,
        Intervals(samples, seed, resample, confidence),
        threshold,
        tuple(_names(people)),
        test,
        p_level,
    )  # fmt: skip
    table, remarks, signatures = read_scores(
        files, references, networks, metrics, request, human, _names(lower), not raw
    )
    with stages() as progress:
        findings, grids = study(table, wanted, progress)
    _write(table, wanted, grids, pictures)
    if json_wanted:
        with whole_file("-") as stream:
            stream.write(written_json(as_json(findings, signatures)) + "\n")
        return
    show(*(*text_lines(findings, width()), *remarks, *signatures))


def _refuse(pictures: Pictures, test: str | None, p_level: float, samples: int) -> None:
    """Raise an FstmetricsError, before anything is computed, for what can come to nothing."""
    least = 1 / (samples + 1)
    if test and as_test(test).draws and p_level <= least:
        raise FstmetricsError(
            f"with --samples {samples} no p of --test {test} is below {least:.2g}, so nothing is significant at "
            f"{p_level:g}; ask for more"
        )
    if pictures.grid and not test:
        raise FstmetricsError("--grid draws the outcome of --test, which was not asked for")
    refuse_no_picture(pictures.plot, pictures.grid)


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


def _write(table: ScoreTable, wanted: Study, grids: dict[str, Any], pictures: Pictures) -> None:
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
