"""When a lattice is where: times of its states or durations of its arcs, as its file has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

TimeUnit = Literal["seconds", "frames"]


class Times(NamedTuple):
    """When a lattice is in its states.

    Attributes:
        of_state: one a state; nan where that is not known: arcs from and to that state have no place in time.
        unit: what they are counted in.
    """

    of_state: npt.NDArray[np.float64]
    unit: TimeUnit


class Durations(NamedTuple):
    """How long the arcs of a lattice take; a state's time is the longest way to it.

    Attributes:
        of_arc: one an arc, none negative, in the order of the automaton's arcs.
        unit: what they are counted in.
    """

    of_arc: npt.NDArray[np.int64]
    unit: TimeUnit
