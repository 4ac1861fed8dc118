"""`fstmetrics oracle`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.inputs import read_inputs
from fstmetrics.cli.lattice_options import asked_scales, scale_options, scaled
from fstmetrics.cli.metric_options import MetricOptions, grr_options
from fstmetrics.cli.options import (
    Request,
    finite,
    grammar_option,
    input_options,
    output_options,
    word_options,
)
from fstmetrics.cli.run import run
from fstmetrics.errors import FstmetricsError
from fstmetrics.lattice import Lattice
from fstmetrics.metrics import Metric
from fstmetrics.oracles import Beside, iter_oracles
from fstmetrics.pairing import Pair


def _beams(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[float, ...]:
    """Numbers joined by commas, in order."""
    try:
        beams = tuple(float(beam) for beam in (value or "").split(",") if value)
    except ValueError:
        raise click.BadParameter(f"numbers joined by commas are expected, not {value!r}") from None
    if any(not beam >= 0 for beam in beams):
        raise click.BadParameter(f"a beam is a number from 0 up, not {value}")
    return tuple(sorted(set(beams)))


@click.command()
@click.argument("references", metavar="REF")
@click.argument("lattices", metavar="LATTICES")
@click.option(
    "--metric",
    "metric_name",
    type=click.Choice(["wer", "wrr", "grr", "sclite"]),
    default="wer",
    show_default=True,
    help="Word error rate, word or n-gram recognition rate, or sclite's WER.",
)
@grr_options
@scale_options
@click.option(
    "--beam",
    "beams",
    metavar="B[,B...]",
    callback=_beams,
    help="Prune lattices to paths that cost at most B more than the best; with several, one row each.",
)
@click.option(
    "--model-weight",
    type=float,
    callback=finite,
    metavar="W",
    help="Find hope and fear, too: the least W x model cost plus, or less, the metric's cost.",
)
@click.option("--depth", is_flag=True, help="Count the arcs that lie side by side over time.")
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
    beams: tuple[float, ...],
    model_weight: float | None,
    depth: bool,
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
    asked = asked_scales(lm_scale, acoustic_scale, word_penalty)
    (beam,) = beams if len(beams) == 1 else (None,)
    items = ((p.id, _prepared(p, asked, beam), p.reference) for p in inputs.pairs)
    beside = Beside(beams if beam is None else (), model_weight, depth)
    results = iter_oracles(
        items, metric, None, request.nbest, request.normalisation, request.search, request.grammars, beside
    )
    named = ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in asked.items())
    remarks = [f"1-best with {named}"] if asked else []
    if beam is not None:
        remarks.append(f"lattices pruned to beam {beam:g}")
    settings = {"scales": asked or "as the files say", "beam": beam, "model_weight": model_weight}
    run(request, metric, results, inputs, settings, remarks)


def _prepared(pair: Pair, asked: dict[str, float], beam: float | None) -> Any:
    """What is searched of an item: the lattice under the scales that were asked for, pruned to the one beam."""
    found = scaled(pair.hypothesis, asked)
    if beam is None or not isinstance(found, Lattice):
        return found
    try:
        return found.pruned(beam)
    except FstmetricsError as error:
        raise FstmetricsError(f"item {pair.id}: {error}" if pair.id else str(error)) from None
