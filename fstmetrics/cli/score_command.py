"""`fstmetrics score`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.inputs import read_inputs
from fstmetrics.cli.metric_options import (
    MetricOptions,
    grr_options,
    metric_table,
    refuse_unready,
    text_metric_options,
)
from fstmetrics.cli.options import (
    Request,
    grammar_option,
    input_options,
    output_options,
    run_options,
    word_options,
)
from fstmetrics.cli.run import run
from fstmetrics.cli.text_run import run_texts
from fstmetrics.metrics import METRICS, Metric, TextMetric
from fstmetrics.metrics.corpus import MEAN
from fstmetrics.support.errors import FstmetricsError

# HyTER has a command of its own.
NAMES = [name for name in METRICS if name != "hyter"]


class OneMetric(click.Choice[str]):
    """A name of a metric; of what other commands do, it says which."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, if it is one."""
        names = [name.strip() for name in str(value).split(",")]
        if len(names) > 1 or names[0].startswith(MEAN):
            self.fail(
                f"{value!r}: score takes one metric and shows the mean of its item scores beside it; several, of one "
                f"system or more: fstmetrics compare --metric {value} --ref REF HYP",
                param,
                ctx,
            )
        if value == "hyter":
            self.fail("'hyter' has a command of its own: fstmetrics hyter NETWORKS HYP", param, ctx)
        return super().convert(value, param, ctx)


@click.command(epilog=metric_table(NAMES))
@click.argument("references", metavar="REF")
@click.argument("hypotheses", metavar="HYP")
@click.option("--metric", "metric_name", metavar="NAME", type=OneMetric(NAMES), default="wer", show_default=True,
              help="A finite-state metric or a metric of strings, listed below; sclite itself ignores case: for its "
                   "numbers add --lowercase.")  # fmt: skip
@grr_options
@text_metric_options
@input_options
@word_options
@grammar_option
@output_options
@run_options
def score(
    references: str, hypotheses: str, metric_name: str, order: int, alpha: str, beta: str, ref_length: str,
    smoothing: str | None, synonyms: str, analyser: str, discount: str, **common: Any,
) -> int:  # fmt: skip
    """Score HYP against REF, a sentence a line, or by id where both have ids (Kaldi text).

    With further references (--ref), the closest counts; BLEU counts matches in all of them.
    """
    request = Request(**common)
    options = MetricOptions(order, alpha, beta, ref_length, smoothing, synonyms, analyser, discount)
    metric = options.metric(metric_name)
    if isinstance(metric, TextMetric) and (request.alignment or request.nbest > 1):
        raise FstmetricsError(f"{metric.name} has no alignments and no n-best paths to show")
    if isinstance(metric, TextMetric) and request.grammars:
        raise FstmetricsError(f"grammars are for best paths; {metric.name} takes none")
    refuse_unready([metric], request.normalisation)
    inputs = read_inputs(request, references, hypotheses)
    if isinstance(metric, TextMetric):
        return run_texts(request, metric, inputs)
    assert isinstance(metric, Metric)
    return run(request, metric, inputs)
