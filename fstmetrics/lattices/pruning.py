"""Pruning by beam: a lattice without the arcs that only bad paths take."""

from __future__ import annotations

import math
from numbers import Real

import numpy as np

from fstmetrics._native import Automaton
from fstmetrics.data.lattice import Lattice, Scales
from fstmetrics.data.times import Durations, Times
from fstmetrics.lattices.weighted import PER_NAT, one_ended, scaled_costs, without_infinite
from fstmetrics.support.errors import FstmetricsError

# What the engine says of arcs on no path.
ON_NO_PATH = np.iinfo(np.int64).max


def pruned(lattice: Lattice, beam: float, scales: Scales | None = None) -> Lattice:
    """The arcs and ends of paths that cost no more than `beam` above the best path, as Kaldi's lattice-prune.

    Forwards and backwards over all paths, in whole units of 2^-24: an arc is kept exactly where the sum of the rounded
    costs of some path through it is within the beam. Costs are kept as they are, arcs in their order; states that
    no arc needs are gone and the others numbered anew.

    Args:
        lattice: acyclic.
        beam: from 0, the best path and its equals, to inf, every path of finite cost; a negative natural log.
        scales: weights of the lattice's costs; by default its own. A word penalty counts, too.

    Raises:
        FstmetricsError: a beam that is negative or no number; a cost that is not a number; a cycle; or no path.

    >>> lattice = Lattice.from_arrays([0, 0], [1, 1], ["the", "a"], finals=[1], costs=[(2, 0), (1, 0)])
    >>> lattice.pruned(0.5).num_arcs, lattice.pruned(1).num_arcs
    (1, 2)
    """
    if not (isinstance(beam, Real) and beam >= 0):
        raise FstmetricsError(f"a beam is a number from 0 up, not {beam!r}")
    through = _costs_through(lattice, scales)
    # An int of Python, as far as it may be beyond 64 bits.
    most = int(through.min()) + math.floor(beam * PER_NAT) if math.isfinite(beam * PER_NAT) else ON_NO_PATH
    kept = through <= min(most, ON_NO_PATH - 1)
    return _restricted(lattice, kept[: lattice.num_arcs], kept[lattice.num_arcs :])


def _costs_through(lattice: Lattice, scales: Scales | None) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """In units, the least cost of a path through each arc, then through each state as its end."""
    arcs, ends = scaled_costs(lattice, scales)
    # What costs infinity is on no path; the arcs left are numbered without it.
    automaton, arc_costs, end_costs = without_infinite(lattice.automaton, arcs, ends)
    whole = one_ended(automaton, lattice.symbols.words, np.concatenate([arc_costs, end_costs]), lattice.id)
    through = whole.machine.least_costs_through(whole.units())
    every = np.full(arcs.size + ends.size, ON_NO_PATH)
    every[np.append(np.isfinite(arcs), np.full(ends.size, True))] = through
    return every


def _restricted(
    lattice: Lattice,
    arcs: np.ndarray[tuple[int], np.dtype[np.bool_]],
    ends: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> Lattice:
    """Only some arcs, and some states as ends."""
    old = lattice.automaton
    finals = np.flatnonzero(ends).astype(np.int32)
    sources, destinations = old.sources[arcs], old.destinations[arcs]
    states = np.unique(np.concatenate([[old.start], sources, destinations, finals])).astype(np.int32)
    number = np.full(old.num_states, -1, dtype=np.int32)
    number[states] = np.arange(states.size, dtype=np.int32)
    final_costs = old.final_costs[np.isin(old.finals, finals)]
    machine = Automaton(
        states.size, int(number[old.start]), number[sources], old.labels[arcs], number[destinations],
        number[finals], old.arc_costs[arcs], final_costs,
    )  # fmt: skip
    times = lattice.times
    if isinstance(times, Times):
        times = Times(times.of_state[states], times.unit)
    elif times:
        times = Durations(times.of_arc[arcs], times.unit)
    return Lattice(
        machine, lattice.symbols, id=lattice.id, scales=lattice.scales, times=times, numbered=lattice.numbered
    )
