"""Lattices in the shape that formats want: in topological order, with one final state, with a path at all."""

from __future__ import annotations

import numpy as np

from fstmetrics._native import Automaton
from fstmetrics.data.lattice import Lattice
from fstmetrics.support.errors import FstmetricsError

HAS_CYCLE = "the automaton has a cycle, and the format has room for none; slf, openfst, att or k2 hold it"


def check_path(lattice: Lattice) -> None:
    """Refuse a lattice without a path, which text formats cannot tell from one that is cut off; FstmetricsError."""
    if not lattice.prepared.has_path:
        raise FstmetricsError(
            "there is no path from the start to a final state; such a lattice has room in openfst, far and binary "
            "Kaldi archives alone"
        )


def one_final(lattice: Lattice) -> Lattice:
    """The same paths and costs with one final state, which costs nothing and has no arcs.

    For formats that have a single end: other ends get an arc without a word to it.
    """
    automaton = lattice.automaton
    last = automaton.num_states
    only = automaton.finals.tolist()
    if len(only) == 1 and not automaton.final_costs.any() and not (automaton.sources == only[0]).any():
        return lattice
    ends = len(only)
    return Lattice.from_labels(
        np.append(automaton.sources, automaton.finals),
        np.append(automaton.destinations, np.full(ends, last)),
        np.append(automaton.labels, np.zeros(ends, dtype=np.int32)),
        lattice.symbols.words,
        finals=[last],
        start=automaton.start,
        num_states=last + 1,
        costs=np.concatenate([automaton.arc_costs, automaton.final_costs]),
        id=lattice.id,
        scales=lattice.scales,
    )


def chained(lattice: Lattice) -> Lattice:
    """The same paths in topological order, from state 0 to the last state, the only final one, which costs nothing.

    Raises:
        FstmetricsError: there is no path.
    """
    check_path(lattice)
    return one_final(in_order(lattice))


def in_order(lattice: Lattice) -> Lattice:
    """An acyclic lattice's useful states in topological order, with costs, which `Lattice.prepared` does without.

    Raises:
        FstmetricsError: there are costs and a cycle.
    """
    automaton, ordered = lattice.automaton, lattice.prepared
    if automaton.has_costs and not ordered.sorted:
        raise FstmetricsError(HAS_CYCLE)
    if not automaton.has_costs:
        return Lattice(ordered, lattice.symbols, id=lattice.id)
    before = np.zeros(ordered.num_states, dtype=np.int32)  # what number a state had
    before[ordered.start] = automaton.start
    before[ordered.sources] = automaton.sources[ordered.origins]
    before[ordered.destinations] = automaton.destinations[ordered.origins]
    ends = np.zeros((automaton.num_states, 2))
    ends[automaton.finals] = automaton.final_costs
    with_costs = Automaton(
        ordered.num_states, ordered.start, ordered.sources, ordered.labels, ordered.destinations, ordered.finals,
        automaton.arc_costs[ordered.origins], ends[before[ordered.finals]],
    )  # fmt: skip
    return Lattice(with_costs, lattice.symbols, id=lattice.id)
