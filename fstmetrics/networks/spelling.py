"""A network spelled out with its costs: `spelled_out`; `lattice_of` makes a lattice of its arcs."""

from __future__ import annotations

import numpy as np

from fstmetrics._native import Automaton
from fstmetrics.cards import NO_COST, CostPair
from fstmetrics.errors import FstmetricsError
from fstmetrics.lattice import Lattice
from fstmetrics.limits import limits
from fstmetrics.network import Network
from fstmetrics.phrases import Call
from fstmetrics.symbols import SymbolTable

# Source, destination, word or "", cost.
SpelledArc = tuple[int, int, str, CostPair]


def spelled_out(network: Network, max_arcs: int) -> Lattice:
    """The network as one automaton: in place of a call a copy of the card, a path for every path at the same cost.

    Arcs without a word lead into a copy, at the cost of the call, and out of it, at that of the final state.

    Raises:
        FstmetricsError: it has more than `max_arcs` arcs.
    """
    arcs: list[SpelledArc] = []
    states = 2  # 0 is the start, 1 the end
    pending = [(network.root, 0, 1, NO_COST)]
    while pending:
        name, before, after, cost = pending.pop()
        card = network.cards[name]
        first, states = states, states + card.num_states
        arcs.append((before, first + card.start, "", cost))
        costs = card.costs or (NO_COST,) * len(card.arcs)
        for (source, destination, token), arc_cost in zip(card.arcs, costs, strict=True):
            if isinstance(token, Call):
                pending.append((token.name, first + source, first + destination, arc_cost))
            else:
                arcs.append((first + source, first + destination, token, arc_cost))
        final_costs = card.final_costs or (NO_COST,) * len(card.finals)
        for state, final_cost in zip(sorted(card.finals), final_costs, strict=True):
            arcs.append((first + state, after, "", final_cost))
        if len(arcs) + len(pending) > max_arcs:
            raise FstmetricsError(
                f"the expansion of {network.id or 'the network'} has more than {max_arcs} arcs (max_arcs, --max-arcs)"
            )
    return lattice_of(network, arcs, states)


def within_the_limit(network: Network, why: str) -> Lattice:
    """The network spelled out where the limit on expansion allows it.

    Raises:
        InputError: it could have more arcs; the message says why it had to be spelled out.
    """
    what, unit = f"network {network.id or '(no id)'}, {why}, could have", "arcs written out"
    limits().check("expansion", network.rtn.expanded_arcs, what, unit)
    try:
        return spelled_out(network, limits().expansion)
    except FstmetricsError:  # with arcs on no path, which the engine does not count
        raise limits().error("expansion", f"{what} more than {limits().expansion} {unit}") from None


def lattice_of(network: Network, arcs: list[SpelledArc], states: int) -> Lattice:
    """A lattice of arcs from state 0 to state 1, named and scaled as the network."""
    sources, destinations = (np.array([arc[i] for arc in arcs], dtype=np.int32) for i in (0, 1))
    symbols, labels = SymbolTable.intern(word for _, _, word, _ in arcs)
    costs = np.array([cost for *_, cost in arcs], dtype=np.float64)
    finals = np.array([1], dtype=np.int32)
    automaton = Automaton(states, 0, sources, labels, destinations, finals, costs, np.zeros((1, 2)))
    return Lattice(automaton, symbols, id=network.id, scales=network.scales)
