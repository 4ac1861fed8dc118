"""The k best word sequences of a lattice or forest by its costs: hope and fear without a metric."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics._native import PathWords, TextColumn, WeightedSides
from fstmetrics.data.lattice import BestWords, Lattice, Scales
from fstmetrics.data.network import Network
from fstmetrics.engine.search import SearchOptions, search, searched
from fstmetrics.lattices.weighted import PER_NAT, WeightedForest, WeightedLattice, weighed
from fstmetrics.metrics.cost_units import at_least_as_fine
from fstmetrics.metrics.custom import EditMetric
from fstmetrics.support.arguments import whole_number
from fstmetrics.text.normalisation import PLAIN

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics._native import LatticeColumn
    from fstmetrics.text.normalisation import Normalisation

# Every operation is free: against no words at all, what is left to minimise is what the arcs cost.
FREE = at_least_as_fine(EditMetric(match=0, substitution=0, insertion=0, deletion=0), PER_NAT)


def best_paths(
    hypotheses: Lattice | Network,
    n: int,
    scales: Scales | None = None,
    normalisation: Normalisation = PLAIN,
) -> list[BestWords]:
    """As `Lattice.best_paths`, of a lattice or a forest; words are distinct after normalisation."""
    whole = weighed(hypotheses, scales, normalisation)
    words = [path.words for path in best_of(whole, n)]
    return sorted(map(BestWords, words, whole.model_costs(words)), key=attrgetter("cost"))


class RankedPaths(NamedTuple):
    """The best word sequences of many lattices, one lattice behind the other, best first.

    Attributes:
        texts: the words of each sequence with spaces between.
        costs: of each, weighted negative natural logs.
        begins: where the sequences of each lattice begin, and the end.
    """

    texts: TextColumn
    costs: npt.NDArray[np.float64]
    begins: list[int]


def best_of_column(lattices: LatticeColumn, n: int, scales: Mapping[str, float]) -> RankedPaths | None:
    """As `best_paths`, of many lattices in one call; None where one is to be looked at alone.

    Args:
        lattices: no word of them has white space in it.
        n: how many sequences.
        scales: weights of costs, by their names in `Scales`; others are as each lattice's file says.
    """
    lm, acoustic, word_penalty = map(scales.get, ("lm", "acoustic", "word_penalty"))
    sides = WeightedSides(lattices, lm, acoustic, word_penalty, FREE.table.scale, 1)
    if sides.failure is not None:
        return None
    options = SearchOptions(threads=1)
    found = searched(None, sides, TextColumn([""] * len(sides)), FREE, n, options, fear=True)  # type: ignore[arg-type]
    paths, begins = found.paths_apart()
    words = PathWords(paths, "hypothesis")
    costs = sides.least_costs(words, begins[1:])
    order = np.lexsort((costs, np.repeat(np.arange(len(sides)), np.diff(begins))))
    return RankedPaths(words.texts().taken(order), costs[order], begins.tolist())


def best_of(hypotheses: WeightedLattice | WeightedForest, n: int, per_nat: int = PER_NAT) -> list[BestWords]:
    """The n distinct word sequences of least cost, and their costs in units.

    Args:
        hypotheses: the paths.
        n: how many.
        per_nat: whole units of a natural log, to which costs are rounded.

    Raises:
        FstmetricsError: n is less than 1.
    """
    whole_number(n, "n", 1)
    # Where no metric charges anything hope and fear are the same: fear's search keeps no row for each word sequence of
    # a lattice, and hope's does not write a forest out.
    fear = isinstance(hypotheses, WeightedLattice)
    free = FREE if per_nat == PER_NAT else at_least_as_fine(FREE, per_nat)
    graph = hypotheses.graph(free.table.scale)
    paths, _ = search([hypotheses.id], [graph], [""], free, n, fear=fear).found.paths_apart()
    costs = (paths.all_counts()[:, 0] / free.table.scale).tolist()
    return list(map(BestWords, PathWords(paths, "hypothesis"), costs))
