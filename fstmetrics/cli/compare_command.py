"""`fstmetrics compare`, and the picture of its `--plot`: `draw`."""

from __future__ import annotations

from typing import Any, Literal

import click

from fstmetrics.cli.option_types import SEED, OutputFile, Real, Whole
from fstmetrics.cli.options import (
    OPTIONAL_WORDS_OPTION,
    SHARD,
    WHERE,
    alternations_option,
    block_options,
    called,
    command,
    fields_option,
    format_options,
    grammar_option,
    group,
    label_options,
    metric_parameters,
    metric_table,
    missing_option,
    networks_option,
    option,
    score_options,
    symbols_option,
    together,
    word_options,
)
from fstmetrics.cli.profiles_compared import profiles_options, show_profiles
from fstmetrics.cli.terminal import show, show_json, width
from fstmetrics.commands.compare import compare_prepared, prepared
from fstmetrics.evaluation.significance import TESTS
from fstmetrics.metrics import METRICS
from fstmetrics.reports.comparison_report import latex_lines, markdown_lines, text_lines
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import MOST_SAMPLES

Layout = Literal["json", "markdown", "latex"]
LAYOUTS: dict[Layout, str] = {
    "json": "one JSON object",
    "markdown": "a Markdown table",
    "latex": "a LaTeX table",
}

significance_options = group(
    "Significance",
    option("--test", type=click.Choice(list(TESTS), case_sensitive=False), default="bootstrap", show_default=True,
           metavar="TEST",
           help=f"Test of significance: {', '.join(TESTS)}. docs/significance.md says which is for what."),
    option("--samples", type=Whole(1, MOST_SAMPLES), default=10_000, show_default=True, metavar="B",
           help="Resamples of the test and of the intervals."),
    option("--seed", type=SEED, default=1, show_default=True, metavar="N",
           help="Seed of the random numbers. The same seed gives the same results everywhere."),
    option("--one-sided", is_flag=True,
           help="bootstrap, randomization: test only the side on which the difference is."),
    option("--both-ways", is_flag=True, help="sign test: also test the baseline against each system."),
    option("--pairs", type=click.Choice(["baseline", "all"]), default="baseline", show_default=True,
           help="Test each system against the first, or all pairs of systems."),
    option("--correction", type=click.Choice(["none", "holm"]), default="none", show_default=True,
           help="holm: correct p for the number of tests; the plain p is kept."),
    option("--confidence", type=Real(0, 1, True, True), default=0.95, show_default=True, metavar="C",
           help="Confidence of the intervals."),
)  # fmt: skip


def _choose(context: click.Context, parameter: click.Parameter, given: bool) -> None:
    """Keep the layout that is asked for, of which there may be one."""
    if given:
        before = context.meta.setdefault("layout", parameter.name)
        if before != parameter.name:
            raise FstmetricsError(
                f"--{before} and --{parameter.name}: a table is printed in one form; give one of them"
            )


layout_options = group(
    "Output",
    *(
        option(f"--{layout}", layout, is_flag=True, expose_value=False, callback=_choose, help=f"Print {what}.")
        for layout, what in LAYOUTS.items()
    ),
    option("--plot", metavar="FILE",
           help="Draw the distribution of the test, for the first two systems and the first metric."),
)  # fmt: skip


@command(
    usual=("--ref", "--metric", "--test", "--lowercase", "--json", "--markdown"),
    ending=metric_table,
)
@click.argument("systems", metavar="SYSTEM...", nargs=-1)
@together(
    group(
        "Metric",
        option("--metric", "metric_names", multiple=True, metavar="NAMES",
               help=f"Separated by commas: {', '.join(METRICS.shipped)}. mean-NAME is the mean of the item scores. "
                    "Default: wer; bleu where all files are plain text and the test is not one of speech."),
    ),
    metric_parameters,
    group(
        "Input",
        option("--ref", "references", multiple=True, metavar="FILE", help="References. Repeatable."),
    ),
    fields_option,
    networks_option,
    missing_option,
    format_options,
    symbols_option,
    alternations_option,
    group("Input", OPTIONAL_WORDS_OPTION),
    word_options,
    grammar_option,
    profiles_options,
    significance_options,
    block_options,
    score_options,
    label_options,
    layout_options,
    group(
        "Long runs",
        *WHERE,
        SHARD,
        option("--output", type=OutputFile("sums as JSON", ".sums"), metavar="FILE",
               help="With --shard: what fstmetrics merge puts together."),
    ),
)  # fmt: skip
def compare(
    systems: tuple[str, ...], profiles: str | None, top: int, are_systems: bool, **options: Any
) -> None:
    """Score several systems, and test each against the first, the baseline.

    \b
    Example:  fstmetrics compare --ref ref.txt base.txt new.txt --metric bleu,wer
              fstmetrics compare --ref ref.trn base.trn new.trn --test mapsswe
              fstmetrics compare base.jsonl new.jsonl --fields ref=text,hyp=pred
              fstmetrics compare --ref ref.txt old=b1,b2 new=n1,n2 --metric bleu
              fstmetrics compare --ref ref.txt a.txt b.txt --scores comet=c.json
              fstmetrics compare --scores comet=wmt.seg.score --pairs all

    SYSTEM: a file with the system's outputs, one sentence per line. Its name in the table is the file's name without
    ending; NAME=FILE gives another. NAME=FILE,FILE are several runs of one system, as of an optimizer. Of lattices and
    n-best lists the best paths are scored (oracles). Lines pair by id where all files have ids (Kaldi text), otherwise
    by order. Tables (JSON Lines, CSV, Parquet, ...) may have the references, too, and several systems, hyp=A,hyp=B:
    docs/tables.md. With --scores alone, SYSTEM is the name of a system in its file; without any, all are compared.
    """
    if not (systems or options["scores"] or options.get("merged")):
        raise click.MissingParameter(param_hint="'SYSTEM...'", param_type="argument")
    if options["shard"]:
        options["called"] = called()
    layout = click.get_current_context().meta.get("layout")
    call = prepared(systems, {**options, "profiles": profiles})
    if profiles is not None:
        show_profiles(profiles, call.request, systems, call.asked.references, top, layout == "json")
        return
    found = compare_prepared(call)
    comparison = found.comparison
    if comparison is None:
        show(found.shard)
    elif layout == "json":
        show_json(found.summary())
    elif layout:
        show(*(markdown_lines if layout == "markdown" else latex_lines)(comparison))
    else:
        show(*text_lines(comparison, found.remarks, width()))
