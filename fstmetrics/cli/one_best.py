"""What `oracle` says of the 1-best: which scales it was found with, and what there was to scale."""

from __future__ import annotations

from collections.abc import Iterator

from fstmetrics.runs.oracle_tally import WeightsTally
from fstmetrics.runs.tallies import OracleTally

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
