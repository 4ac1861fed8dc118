"""The k best word sequences of a lattice or forest by its costs: hope and fear without a metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fstmetrics._native import PathWords
from fstmetrics.decoding.weighted import PER_NAT, WeightedForest, WeightedLattice, weighed
from fstmetrics.metrics import EditMetric
from fstmetrics.metrics.cost_units import at_least_as_fine
from fstmetrics.scoring.search import search
from fstmetrics.support.arguments import whole_number
from fstmetrics.values.lattice import BestWords, Lattice
from fstmetrics.values.network import Network
from fstmetrics.values.normalisation import PLAIN
from fstmetrics.values.scales import Scales

if TYPE_CHECKING:
    from fstmetrics.values.normalisation import Normalisation

# Every operation is free: against no words at all, what is left to minimise is what the arcs cost.
FREE = at_least_as_fine(EditMetric(match=0, substitution=0, insertion=0, deletion=0), PER_NAT)


def best_paths(
    hypotheses: Lattice | Network,
    n: int,
    scales: Scales | None = None,
    normalisation: Normalisation = PLAIN,
) -> list[BestWords]:
    """As `Lattice.best_paths`, of a lattice or a forest; words are distinct after normalisation."""
    return best_of(weighed(hypotheses, scales, normalisation), n)


def best_of(hypotheses: WeightedLattice | WeightedForest, n: int) -> list[BestWords]:
    """The n distinct word sequences of least cost.

    Raises:
        FstmetricsError: n is less than 1.
    """
    whole_number(n, "n", 1)
    # Where no metric charges anything hope and fear are the same: fear's search keeps no row for each word sequence of
    # a lattice, and hope's does not write a forest out.
    fear = isinstance(hypotheses, WeightedLattice)
    graph = hypotheses.graph(FREE.table.scale)
    paths, _ = search([hypotheses.id], [graph], [""], FREE, n, fear=fear).found.paths_apart()
    costs = (paths.all_counts()[:, 0] / FREE.table.scale).tolist()
    return list(map(BestWords, PathWords(paths, "hypothesis"), costs))
