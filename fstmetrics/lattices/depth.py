"""How deep a lattice is over time: the number of arcs that lie side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fstmetrics.data.depth import Depth
from fstmetrics.data.symbols import EPSILON
from fstmetrics.data.times import Times
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    from fstmetrics.data.lattice import Lattice


def lattice_depth(lattice: Lattice) -> Depth:
    """The depth of a lattice over time, over the arcs that are on a path from its start to an end.

    An arc lies from the time of the state that it leaves to that of the state that it enters, whatever its word,
    silence included. By word position only arcs with words lie anywhere.

    Raises:
        FstmetricsError: the lattice has a cycle.

    >>> from fstmetrics.data.lattice import Lattice
    >>> lattice = Lattice.from_arcs([(0, 1, "a"), (0, 1, "the"), (1, 2, "cat")], finals=[2])
    >>> lattice.depth
    Depth(unit='words', times=(0.0, 1.0, 2.0), arcs=(2, 1), untimed=0)
    """
    useful = lattice.prepared
    if not useful.sorted:
        raise FstmetricsError(
            f"lattice {lattice.id or '(no id)'}: the lattice has a cycle, so it has no depth"
        )
    if isinstance(lattice.times, Times):
        of_state = lattice.times.of_state
        # Arcs in the order of the prepared automaton; any order would do.
        begins = of_state[lattice.automaton.sources[useful.origins]]
        ends = of_state[lattice.automaton.destinations[useful.origins]]
        timed = ends >= begins  # false where either is nan
        return _stacked(begins[timed], ends[timed], lattice.times.unit, int((~timed).sum()))
    lengths = (lattice.automaton.labels != EPSILON) if lattice.times is None else lattice.times.of_arc
    longest = useful.longest_before(lengths.astype(np.int64)).astype(np.float64)
    some = lengths[useful.origins] > 0
    begins, ends = longest[useful.sources[some]], longest[useful.destinations[some]]
    return _stacked(begins, ends, lattice.times.unit if lattice.times else "words", 0)


def _stacked(
    begins: np.ndarray[Any, Any],
    ends: np.ndarray[Any, Any],
    unit: Literal["seconds", "frames", "words"],
    untimed: int,
) -> Depth:
    longer = ends > begins
    times, place = np.unique(np.concatenate([begins[longer], ends[longer]]), return_inverse=True)
    change = np.zeros(times.size, dtype=np.int64)
    half = int(longer.sum())
    np.add.at(change, place[:half], 1)
    np.add.at(change, place[half:], -1)
    return Depth(unit, tuple(times.tolist()), tuple(np.cumsum(change)[:-1].tolist()), untimed)
