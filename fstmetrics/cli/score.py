"""`fstmetrics score`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.inputs import Inputs, read_inputs
from fstmetrics.cli.metric_options import MetricOptions, grr_options, metric_table, text_metric_options
from fstmetrics.cli.options import Request, grammar_option, input_options, output_options, word_options
from fstmetrics.cli.progress import counter
from fstmetrics.cli.run import run, run_statistics
from fstmetrics.errors import FstmetricsError
from fstmetrics.metrics import METRICS, Metric, TextMetric
from fstmetrics.scoring import iter_results
from fstmetrics.statistics import text_statistics

# HyTER has a command of its own.
NAMES = [name for name in METRICS if name != "hyter"]


@click.command(epilog=metric_table(NAMES))
@click.argument("references", metavar="REF")
@click.argument("hypotheses", metavar="HYP")
@click.option("--metric", "metric_name", type=click.Choice(NAMES), default="wer", show_default=True,
              help="A finite-state metric or a metric of strings, listed below; sclite itself ignores case: for its "
                   "numbers add --lowercase.")  # fmt: skip
@grr_options
@text_metric_options
@input_options
@word_options
@grammar_option
@output_options
def score(
    references: str, hypotheses: str, metric_name: str, order: int, alpha: str, beta: str, ref_length: str,
    smoothing: str, synonyms: str, analyser: str, discount: str, **common: Any,
) -> None:  # fmt: skip
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
    inputs = read_inputs(request, references, hypotheses)
    if isinstance(metric, TextMetric):
        _score_texts(request, metric, inputs)
    elif isinstance(metric, Metric):
        items = ((p.id, p.hypothesis, p.reference) for p in inputs.pairs)
        results = iter_results(
            items, metric, request.nbest, request.normalisation, request.search, request.grammars
        )
        run(request, metric, results, inputs)


def _score_texts(request: Request, metric: TextMetric, inputs: Inputs) -> None:
    hypotheses, references = [p.hypothesis for p in inputs.pairs], [p.reference for p in inputs.pairs]
    with counter("scoring", len(hypotheses)) as progress:
        statistics = text_statistics(
            metric, hypotheses, references, [p.id for p in inputs.pairs], request.normalisation, progress
        )
    run_statistics(request, statistics, inputs)
