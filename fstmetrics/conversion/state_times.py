"""When a lattice is in its states, for formats that say it in seconds: `times_to_write`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fstmetrics.conversion.shapes import Lose
from fstmetrics.lattice import Lattice
from fstmetrics.times import Durations, Times

# Seconds are written to the billionth: 57 frames of 0.01 are 0.57, not 0.5700000000000001.
DECIMALS = 9


def times_to_write(lattice: Lattice, has_room: bool, frame_length: float | None, lose: Lose) -> Times | None:
    """The times of states in seconds; None where there are none, no room, or frames of unknown length.

    Args:
        lattice: whose times; where it has durations of arcs, a state's time is the longest way to it.
        has_room: whether the format has times.
        frame_length: seconds a frame.
        lose: told of times that are left out. Of durations only where there is room: they are part of something else
            that the file held.

    >>> from fstmetrics.lattice import Lattice
    >>> lattice = Lattice.from_arrays([0], [1], ["a"], finals=[1], times=Durations(np.array([57]), "frames"))
    >>> times_to_write(lattice, True, 0.01, print).of_state
    array([0.  , 0.57])
    """
    times = lattice.times
    if times is None or not says_something(times) or (isinstance(times, Durations) and not has_room):
        return None
    if not has_room or (times.unit == "frames" and frame_length is None):
        lose("times")
        return None
    if isinstance(times, Durations):
        if not lattice.prepared.sorted:
            lose("times")
            return None
        times = Times(_longest(lattice, times), times.unit)
    if times.unit == "seconds":
        return times
    return Times(np.round(times.of_state * (frame_length or 0.0), DECIMALS), "seconds")


def says_something(times: Times | Durations) -> bool:
    """Whether some state has a time, or some arc takes any."""
    if isinstance(times, Times):
        return bool(np.isfinite(times.of_state).any())
    return bool(times.of_arc.any())


def _longest(lattice: Lattice, durations: Durations) -> npt.NDArray[np.float64]:
    """The longest way to each state that is on a path; nan of the others."""
    useful, automaton = lattice.prepared, lattice.automaton
    longest = useful.longest_before(durations.of_arc).astype(np.float64)
    of_state = np.full(automaton.num_states, np.nan)
    of_state[automaton.start] = 0.0
    of_state[automaton.sources[useful.origins]] = longest[useful.sources]
    of_state[automaton.destinations[useful.origins]] = longest[useful.destinations]
    return of_state
