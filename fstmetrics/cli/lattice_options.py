"""Options of commands that weigh the costs of lattices, and what they mean for lattices and n-best lists.

What `oracle` says of the 1-best: which scales it was found with, and what there was to scale.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

import click

from fstmetrics.cli.numbers import WEIGHT
from fstmetrics.runs.oracle_tally import WeightsTally
from fstmetrics.runs.tallies import OracleTally
from fstmetrics.values.lattice import Lattice
from fstmetrics.values.nbest import NBest
from fstmetrics.values.network import Network
from fstmetrics.values.scales import Scales

Function = TypeVar("Function", bound=Callable[..., Any])


def scale_options(function: Function) -> Function:
    """Weights of costs."""
    for option in reversed(
        [
            click.option("--lm-scale", type=WEIGHT,
                         help="Weight of graph costs, for n-best lists of scores; by default the file's own, or 1."),
            click.option("--acoustic-scale", type=WEIGHT,
                         help="Weight of acoustic costs; by default 1."),
            click.option("--word-penalty", type=WEIGHT,
                         help="Cost added for every word; by default the file's own, or 0."),
        ]
    ):  # fmt: skip
        function = option(function)
    return function


def asked_scales(
    lm_scale: float | None, acoustic_scale: float | None, word_penalty: float | None
) -> dict[str, float]:
    """Those that were given, by their names in `Scales`."""
    scales = {"lm": lm_scale, "acoustic": acoustic_scale, "word_penalty": word_penalty}
    return {name: value for name, value in scales.items() if value is not None}


def scaled(hypothesis: Any, asked: dict[str, float]) -> Any:
    """A lattice or forest under the scales that were asked for; others stay as its file says. An n-best list's total
    scores count as graph costs; what is none of them stays as it is."""
    if not asked:
        return hypothesis
    if isinstance(hypothesis, Lattice | Network):
        return hypothesis.weighed(replace(hypothesis.scales, **asked))
    if isinstance(hypothesis, NBest):
        return hypothesis.weighed(Scales(**asked))
    return hypothesis


# By (graph costs, acoustic costs), of any lattice or forest.
COSTS = {
    (True, True): "",
    (True, False): "the lattices have graph scores only",
    (False, True): "the lattices have acoustic scores only",
    (False, False): "the lattices have no scores, so the 1-best is any path",
}
# A forest's scores are the decoder's, weighted: that there are no others goes without saying.
FOREST_COSTS = COSTS | {(True, False): ""}
NO_FOREST_COSTS = (
    "no 1-best: the forests have no scores; --weights FILE says what the features of a hypergraph weigh"
)


def one_best_remarks(oracles: OracleTally) -> Iterator[str]:
    """A line on what was weighed, another if there were forests without scores; none if there was none."""
    if weights := oracles.weights:
        named = ", ".join(_named(weights, name) for name in ("lm", "acoustic", "word_penalty"))
        costs = FOREST_COSTS if weights.least.forest else COSTS
        found = costs[weights.most.graph_costs, weights.most.acoustic_costs]
        yield "; ".join(filter(None, (f"1-best with {named}", found)))
    if oracles.has_bare_forests:
        yield NO_FOREST_COSTS


def _named(weights: WeightsTally, name: str) -> str:
    """A scale, or its least and greatest value."""
    least, most = getattr(weights.least, name), getattr(weights.most, name)
    shown = f"{least:g}" if least == most else f"{least:g} to {most:g}"
    return f"{name.replace('_', ' ')} {shown}"
