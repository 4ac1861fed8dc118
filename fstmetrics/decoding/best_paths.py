"""The k best word sequences of a lattice by its costs: hope and fear without a metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fstmetrics.decoding.weighted import PER_NAT, WeightedLattice, weighted
from fstmetrics.errors import FstmetricsError
from fstmetrics.lattice import BestWords, Lattice, Scales
from fstmetrics.metrics import EditMetric
from fstmetrics.metrics.finer import at_least_as_fine
from fstmetrics.scoring import search
from fstmetrics.sides import PLAIN

if TYPE_CHECKING:
    from fstmetrics.normalisation import Normalisation

# Every operation is free: against no words at all, what is left to minimise is what the arcs cost.
FREE = at_least_as_fine(EditMetric(match=0, substitution=0, insertion=0, deletion=0), PER_NAT)


def best_paths(
    lattice: Lattice, n: int, scales: Scales | None = None, normalisation: Normalisation = PLAIN
) -> list[BestWords]:
    """As `Lattice.best_paths`; words are distinct after normalisation."""
    return best_of(weighted(lattice, scales, normalisation), n)


def best_of(lattice: WeightedLattice, n: int) -> list[BestWords]:
    """The n distinct word sequences of least cost.

    Raises:
        FstmetricsError: n is less than 1.
    """
    if n < 1:
        raise FstmetricsError(f"at least one best path must be asked for, not {n}")
    # Where no metric charges anything hope and fear are the same, and fear's search knows no word sequences by heart.
    (batch,) = search([lattice.id], [lattice.graph(FREE.table.scale)], [""], FREE, n, fear=True)
    return [
        BestWords(path.hypothesis, path.totals.units / FREE.table.scale) for path in batch.nbest or (batch,)
    ]
