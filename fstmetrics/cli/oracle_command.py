"""`fstmetrics oracle`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import click

from fstmetrics.cli.inputs import read_inputs
from fstmetrics.cli.lattice_options import asked_scales, one_best_remarks, scale_options, scaled
from fstmetrics.cli.metric_options import MetricOptions, path_metric_options
from fstmetrics.cli.numbers import MOST_WEIGHT, Real, real
from fstmetrics.cli.options import (
    Request,
    grammar_option,
    input_options,
    output_options,
    run_options,
    word_options,
)
from fstmetrics.cli.run import BestPaths, of_item, run
from fstmetrics.decoding.oracles import OracleSearch
from fstmetrics.metrics import Metric
from fstmetrics.runs.pairing import Pair
from fstmetrics.runs.tallies import RunTally
from fstmetrics.scoring.results import Result
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import finite
from fstmetrics.values.lattice import Lattice
from fstmetrics.values.nbest import NBest
from fstmetrics.values.network import Network


def _beams(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[float, ...]:
    """Numbers joined by commas, in order."""
    parts = [] if value is None else value.split(",")
    beams = [math.inf if part == "inf" else real(part) for part in parts]
    if any(beam is None or beam < 0 for beam in beams):
        raise click.BadParameter(f"expected numbers from 0 up, joined by commas, not {value!r}")
    return tuple(sorted({beam for beam in beams if beam is not None}))


@click.command()
@click.argument("references", metavar="REF")
@click.argument("lattices", metavar="LATTICES")
@path_metric_options(
    "Word error rate, word or n-gram recognition rate, or sclite's WER (sclite itself ignores case: --lowercase)."
)
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
    type=Real(0, MOST_WEIGHT),
    metavar="W",
    help="Find hope and fear, too: the least W x model cost plus, or less, the metric's cost.",
)
@click.option("--depth", is_flag=True, help="Count the arcs that lie side by side over time.")
@input_options
@word_options
@grammar_option
@output_options
@run_options
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
) -> int:
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
    search = OracleSearch(
        metric,
        nbest=request.nbest,
        normalisation=request.normalisation,
        grammars=request.grammars,
        options=request.search,
        beams=beams if beam is None else (),
        model_weight=model_weight,
        depth=depth,
    )
    settings = {
        "scales": asked or "as the files say",
        "beam": None if beam is None else finite(beam),
        "beams": [finite(each) for each in beams],
        "model_weight": model_weight,
        "depth": depth,
    }
    work = Oracles(request, search, asked, beam)
    return run(request, metric, inputs, work, settings, partial(_remarks, beam))


class Oracles(BestPaths):
    """Best paths of lattices beside the decoder's own.

    Args:
        request: what was asked for.
        search: what is asked of lattices.
        asked: scales that the user named.
        beam: what lattices are pruned to first.
    """

    def __init__(
        self, request: Request, search: OracleSearch, asked: dict[str, float], beam: float | None
    ) -> None:
        super().__init__(request, search.metric)
        self._search, self._asked, self._beam = search, asked, beam

    def results(self, pairs: Sequence[Pair]) -> Sequence[Result]:
        """All in one call of the engine, hope and fear aside."""
        return self._search.batch([(pair.id, self._prepared(pair), pair.reference) for pair in pairs])

    def _prepared(self, pair: Pair) -> Any:
        """What is searched of an item: the lattice under the scales that were asked for, pruned to the one beam."""
        found = scaled(pair.hypothesis, self._asked)
        if self._beam is not None and isinstance(found, NBest | Network):
            raise FstmetricsError("--beam is for lattices, not for n-best lists or networks")
        if self._beam is None or not isinstance(found, Lattice):
            return found
        try:
            return found.pruned(self._beam)
        except FstmetricsError as error:
            raise of_item([pair], error) from None


def _remarks(beam: float | None, tally: RunTally) -> Iterator[str]:
    yield from one_best_remarks(tally.oracles)
    if beam is not None:
        yield f"lattices pruned to beam {beam:g}"
