"""`fstmetrics compare`.

The picture of `compare --plot`: what tests take for chance; `draw`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import click

from fstmetrics.cli.inputs import Columns, named_path, read_columns
from fstmetrics.cli.metric_options import (
    MetricOptions,
    asked_metrics,
    grr_options,
    hyter_options,
    metric_table,
    refuse_plain_hyter,
    refuse_unready,
    text_metric_options,
)
from fstmetrics.cli.numbers import SEED, Real, Whole
from fstmetrics.cli.options import FORMAT, Request, grammar_option, word_options
from fstmetrics.cli.path_checks import refuse_clashes, refuse_no_picture
from fstmetrics.cli.terminal import show, stages, width
from fstmetrics.evaluation.significance import TESTS
from fstmetrics.evaluation.significance.comparison import Comparison
from fstmetrics.evaluation.significance.distributions import distributions
from fstmetrics.evaluation.significance.texts import compare as compare_systems
from fstmetrics.metrics import METRICS
from fstmetrics.reports.comparison_report import comparison_dict, latex_lines, markdown_lines, text_lines
from fstmetrics.reports.plots import null_plot
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import written_json
from fstmetrics.support.limits import MOST_SAMPLES
from fstmetrics.support.output import whole_file
from fstmetrics.values.transcripts import NOTATIONS

Layout = Literal["json", "markdown", "latex"]


def significance_options(function: Any) -> Any:
    """Which test, and how."""
    for option in reversed(
        [
            click.option("--test", type=click.Choice(list(TESTS)), default="bootstrap", show_default=True,
                         metavar="TEST",
                         help=f"Test of significance: {', '.join(TESTS)}; docs/significance.md says which is for "
                              "what."),
            click.option("--samples", type=Whole(1, MOST_SAMPLES), default=10_000, show_default=True, metavar="B",
                         help="Resamples, for the test and for the intervals."),
            click.option("--seed", type=SEED, default=1, show_default=True, metavar="N",
                         help="Seed of the random numbers; the same seed gives the same numbers everywhere."),
            click.option("--one-sided", is_flag=True,
                         help="bootstrap and randomization: test only the side on which the difference lies."),
            click.option("--both-ways", is_flag=True,
                         help="Also test the baseline against each system, as the sign test asks for."),
            click.option("--correction", type=click.Choice(["none", "holm"]), default="none", show_default=True,
                         help="Correct p for the number of systems."),
            click.option("--confidence", type=Real(0, 1, True, True), default=0.95,
                         show_default=True, metavar="C", help="Of the intervals."),
        ]
    ):  # fmt: skip
        function = option(function)
    return function


def layout_options(function: Any) -> Any:
    """How to print: one of the layouts, or text."""
    for layout, what in (
        ("latex", "a LaTeX table"),
        ("markdown", "a Markdown table"),
        ("json", "one JSON object"),
    ):
        function = click.option(
            f"--{layout}", layout, is_flag=True, expose_value=False, callback=_choose, help=f"Print {what}."
        )(function)
    return function


def _choose(context: click.Context, option: click.Parameter, given: bool) -> None:
    """Keep the layout that is asked for, of which there may be one."""
    if given:
        before = context.meta.setdefault("layout", option.name)
        if before != option.name:
            raise FstmetricsError(
                f"--{before} and --{option.name}: a table is printed in one form; give one of them"
            )


@click.command(epilog=metric_table(METRICS))
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@click.option("--ref", "references", multiple=True, metavar="FILE", help="References; repeatable.")
@click.option("--metric", "metric_names", multiple=True, default=["bleu"], show_default=True, metavar="NAMES",
              help=f"Comma-separated: {', '.join(METRICS)}; mean-NAME is the mean of item scores.")  # fmt: skip
@significance_options
@grr_options
@hyter_options
@text_metric_options
@click.option("--format", "format", type=FORMAT, help="Format of the systems' outputs.")
@click.option("--ref-format", type=FORMAT, help="Format of the references.")
@click.option("--alternations", type=click.Choice(NOTATIONS),
              help="How plain and Kaldi references write choices; for wer, grr and hyter.")  # fmt: skip
@click.option("--plot", metavar="FILE",
              help="Draw what tests take for chance, for the first two systems and the first metric.")  # fmt: skip
@word_options
@grammar_option
@layout_options
def compare(
    systems: tuple[str, ...], references: tuple[str, ...], networks: str | None, metric_names: tuple[str, ...],
    test: str, samples: int, seed: int, one_sided: bool, both_ways: bool, correction: Any, confidence: float,
    order: int, alpha: str, beta: str, window: int, reordering: str, ref_length: str, smoothing: str | None,
    synonyms: str, analyser: str, discount: str, plot: str | None,
    **common: Any,
) -> None:  # fmt: skip
    """Score SYSTEMs and test each against the first, the baseline.

    A SYSTEM is a file of outputs, called by its stem, or NAME=FILE. A sentence a line, or by id where all files have
    ids (Kaldi text).
    """
    refuse_clashes([*(named_path(system)[1] for system in systems), *references, networks], plot)
    refuse_no_picture(plot)
    request = Request(**common)
    options = MetricOptions(
        order, alpha, beta, ref_length, smoothing, synonyms, analyser, discount, window, reordering
    )
    metrics = asked_metrics(metric_names, options, references, networks)
    refuse_unready(metrics, request.normalisation)
    columns = read_columns(request, systems, references, networks)
    refuse_plain_hyter(metrics, columns.networks or columns.references, request)
    with stages() as progress:
        comparison = compare_systems(
            columns.systems, columns.references or columns.networks or [], metrics, test=test, samples=samples,
            seed=seed, networks=columns.networks, grammars=request.grammars, one_sided=one_sided, both_ways=both_ways,
            correction=correction, confidence=confidence, normalisation=request.normalisation, progress=progress,
        )  # fmt: skip
    read = [columns.ids_read, *([f"alternations:{request.alternations}"] if request.alternations else [])]
    said = {name: (*parts, *read) for name, parts in comparison.conditions.items()}
    comparison = replace(comparison, conditions=said)
    if plot:
        from fstmetrics.cli.compare_command import draw

        draw(plot, comparison)
    _print(comparison, click.get_current_context().meta.get("layout"), request, columns)


def _print(comparison: Comparison, layout: Layout | None, request: Request, columns: Columns) -> None:
    if layout == "json":
        wider = {"grammars": request.grammar_signature} if request.grammars else {}
        words = {**request.normalisation.settings(), "tokenize": request.tokenize}
        settings = {**words, **wider, "formats": columns.formats, "pairing": columns.pairing}
        with whole_file("-") as stream:
            record = comparison_dict(comparison, settings) | {"remarks": list(columns.remarks)}
            stream.write(written_json(record) + "\n")
        return
    if layout:
        lines = markdown_lines(comparison) if layout == "markdown" else latex_lines(comparison)
    else:
        lines = text_lines(comparison, columns.remarks, width())
    show(*lines)


def draw(path: str, comparison: Comparison) -> None:
    """Draw the differences of the second system from the first under the first metric, on the comparison's resamples.

    Raises:
        FstmetricsError: one system only, or a metric or file that cannot be drawn.
    """
    if len(comparison.statistics) < 2:
        raise FstmetricsError("--plot draws the difference of two systems; only one was given")
    metric = next(iter(comparison.metrics))
    (one, baseline), (other, system) = list(comparison.statistics.items())[:2]
    found = distributions(baseline[metric], system[metric], comparison.design.resampling)
    null_plot(found, path, f"{metric} of {other} over {one}")
