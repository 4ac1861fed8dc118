"""`fstmetrics compare`."""

from __future__ import annotations

import json
from typing import Any, Literal

import click

from fstmetrics.cli.clashes import refuse_clashes, refuse_no_picture
from fstmetrics.cli.format_names import FORMAT
from fstmetrics.cli.inputs import Columns, named_path, read_columns
from fstmetrics.cli.metric_options import MetricOptions, grr_options, metric_table, text_metric_options
from fstmetrics.cli.options import Request, grammar_option, word_options
from fstmetrics.cli.progress import stages
from fstmetrics.cli.terminal import width
from fstmetrics.errors import FstmetricsError
from fstmetrics.metrics import METRICS, CorpusMetric
from fstmetrics.notations import NOTATIONS
from fstmetrics.output import whole_file
from fstmetrics.reports.comparison import as_json, text_lines
from fstmetrics.reports.comparison_tables import latex_lines, markdown_lines
from fstmetrics.significance import TESTS, Comparison
from fstmetrics.significance.texts import compare as compare_systems
from fstmetrics.significance.texts import is_hyter

Layout = Literal["json", "markdown", "latex"]


def significance_options(function: Any) -> Any:
    """Which test, and how."""
    for option in reversed(
        [
            click.option("--test", type=click.Choice(list(TESTS)), default="bootstrap", show_default=True,
                         metavar="TEST",
                         help=f"Test of significance: {', '.join(TESTS)}; docs/significance.md says which is for "
                              "what."),
            click.option("--samples", type=click.IntRange(min=1), default=10_000, show_default=True, metavar="B",
                         help="Resamples, for the test and for the intervals."),
            click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="N",
                         help="Seed of the random numbers; the same seed gives the same numbers everywhere."),
            click.option("--one-sided", is_flag=True,
                         help="bootstrap and randomization: test only the side on which the difference lies."),
            click.option("--both-ways", is_flag=True,
                         help="Also test the baseline against each system, as the sign test asks for."),
            click.option("--correction", type=click.Choice(["none", "holm"]), default="none", show_default=True,
                         help="Correct p for the number of systems."),
            click.option("--confidence", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95,
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
@click.option("--networks", metavar="NETWORKS", help="Reference networks, for hyter.")
@click.option("--metric", "metric_names", multiple=True, default=["bleu"], show_default=True, metavar="NAMES",
              help=f"Comma-separated: {', '.join(METRICS)}; mean-NAME is the mean of item scores.")  # fmt: skip
@significance_options
@grr_options
@click.option("--window", type=click.IntRange(1, 64), default=1, show_default=True, metavar="K",
              help="Local reordering window of hyter.")  # fmt: skip
@click.option("--reordering", type=click.Choice(["moves", "jumps"]), default="moves", show_default=True,
              help="How hyter counts reordering.")  # fmt: skip
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
    order: int, alpha: str, beta: str, window: int, reordering: str, ref_length: str, smoothing: str, synonyms: str,
    analyser: str, discount: str, plot: str | None,
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
    metrics = _metrics(metric_names, options, references, networks)
    columns = read_columns(request, systems, references, networks)
    with stages() as progress:
        comparison = compare_systems(
            columns.systems, columns.references or columns.networks or [], metrics, test=test, samples=samples,
            seed=seed, networks=columns.networks, grammars=request.grammars, one_sided=one_sided, both_ways=both_ways,
            correction=correction, confidence=confidence, normalisation=request.normalisation, progress=progress,
        )  # fmt: skip
    if plot:
        from fstmetrics.cli.null_picture import draw

        draw(plot, comparison)
    _print(comparison, click.get_current_context().meta.get("layout"), request, columns)


def _metrics(
    names: tuple[str, ...], options: MetricOptions, references: tuple[str, ...], networks: str | None
) -> list[CorpusMetric]:
    """The metrics asked for, which must have something to compare with."""
    wanted = list(dict.fromkeys(name.strip() for part in names for name in part.split(",")))
    metrics = [options.metric(name) for name in wanted]
    if networks is not None and not any(map(is_hyter, metrics)):
        raise FstmetricsError("--networks are for the metric hyter, which was not asked for")
    if not references:
        for metric in metrics:
            if networks is None or not is_hyter(metric):
                raise FstmetricsError(f"{metric.name} needs references: --ref FILE")
    return metrics


def _print(comparison: Comparison, layout: Layout | None, request: Request, columns: Columns) -> None:
    if layout == "json":
        wider = {"grammars": request.grammar_signature} if request.grammars else {}
        settings = {**request.normalisation.settings(), **wider, "formats": columns.formats}
        with whole_file("-") as stream:
            record = as_json(comparison, settings)
            stream.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
        return
    if layout:
        lines = markdown_lines(comparison) if layout == "markdown" else latex_lines(comparison)
    else:
        lines = text_lines(comparison, columns.remarks, width())
    for line in lines:
        click.echo(line)
