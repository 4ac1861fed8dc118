"""`fstmetrics oracle`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.inputs import read_inputs
from fstmetrics.cli.metric_options import MetricOptions, grr_options
from fstmetrics.cli.one_best import OneBest
from fstmetrics.cli.options import (
    Request,
    finite,
    grammar_option,
    input_options,
    output_options,
    word_options,
)
from fstmetrics.cli.run import run
from fstmetrics.metrics import Metric
from fstmetrics.oracles import iter_oracles


@click.command()
@click.argument("references", metavar="REF")
@click.argument("lattices", metavar="LATTICES")
@click.option(
    "--metric",
    "metric_name",
    type=click.Choice(["wer", "wrr", "grr", "sclite"]),
    default="wer",
    show_default=True,
    help="Word error rate, word or n-gram recognition rate, or sclite's WER (sclite itself ignores case: --lowercase).",
)
@grr_options
@click.option(
    "--lm-scale",
    type=float,
    callback=finite,
    help="Weight of graph costs for the 1-best; by default the file's own, or 1.",
)
@click.option("--acoustic-scale", type=float, callback=finite, help="Weight of acoustic costs; by default 1.")
@click.option(
    "--word-penalty",
    type=float,
    callback=finite,
    help="Cost added for every word; by default the file's own, or 0.",
)
@input_options
@word_options
@grammar_option
@output_options
def oracle(
    references: str,
    lattices: str,
    metric_name: str,
    order: int,
    alpha: str,
    beta: str,
    lm_scale: float | None,
    acoustic_scale: float | None,
    word_penalty: float | None,
    **common: Any,
) -> None:
    """Find the best path of each lattice in LATTICES (a file or a folder) under a metric.

    REF holds the references: text with or without ids, or networks. Beside the oracle stands the 1-best of the same
    lattice, by the weighted costs; for n-best lists, also the oracle among the first 1, 2, 5, 10, ... entries.
    """
    request = Request(**common)
    metric = MetricOptions(order, alpha, beta).metric(metric_name)
    assert isinstance(metric, Metric)
    inputs = read_inputs(request, references, lattices, text=False)
    scales = {"lm": lm_scale, "acoustic": acoustic_scale, "word_penalty": word_penalty}
    asked = {name: value for name, value in scales.items() if value is not None}
    one_best = OneBest(asked)
    items = ((p.id, one_best.scaled(p.hypothesis), p.reference) for p in inputs.pairs)
    results = iter_oracles(
        items, metric, None, request.nbest, request.normalisation, request.search, request.grammars
    )
    run(request, metric, results, inputs, {"scales": asked or "as the files say"}, one_best.remarks())
