"""Networks in which a card is called only where a card begins, as Moses' search graphs: `linear_lattice`.

Nothing waits for such a call to return but the rest of the caller, so the network is a lattice of its own size: what
would be copied for every call is there once, and goes on wherever it was called. Written out as a tree of calls, the
same network may have billions of arcs.
"""

from __future__ import annotations

from fstmetrics.cards import NO_COST, Card, CostPair
from fstmetrics.lattice import Lattice
from fstmetrics.network import Network
from fstmetrics.networks.calls import callees_first
from fstmetrics.networks.spelling import SpelledArc, lattice_of
from fstmetrics.phrases import Call

# The states of the lattice where all paths begin and end.
START, END = 0, 1


def linear_lattice(network: Network) -> Lattice | None:
    """A lattice with a path for every path of the network, at the same cost; None where a call is not at a beginning.

    It has the arcs of the cards that are called, and one without a word for each of their final states. A card begins
    at the beginning of the lattice, and where it ends, all go on that call it.

    >>> from fstmetrics import Card, Network, Paths
    >>> network = Network([Card.from_phrases("S", ["[A] c", "[A] d"]), Card.from_phrases("A", ["a", "b"])], "S")
    >>> lattice = linear_lattice(network)
    >>> lattice.num_arcs, sorted(" ".join(words) for words in Paths(network))
    (8, ['a c', 'a d', 'b c', 'b d'])
    """
    names = callees_first(lambda name: dict.fromkeys(network.cards[name].calls()), [network.root])
    cards = [network.cards[name] for name in names]
    if not all(map(_calls_at_the_beginning, cards)):
        return None
    ends = {network.root: END}
    arcs: list[SpelledArc] = []
    states = 2
    for card in cards:
        first, states = states, states + card.num_states
        if card.name not in ends:
            ends[card.name], states = states, states + 1
        arcs += _card_arcs(card, first, ends)
    return lattice_of(network, arcs, states)


def _calls_at_the_beginning(card: Card) -> bool:
    """Whether all calls leave the start, and nothing comes back to it."""
    return all(
        (source == card.start or not isinstance(token, Call)) and destination != card.start
        for source, destination, token in card.arcs
    )


def _card_arcs(card: Card, first: int, ends: dict[str, int]) -> list[SpelledArc]:
    """A card's arcs, its states numbered from `first`, after those of the cards that it calls."""

    def place(state: int) -> int:
        return START if state == card.start else first + state

    arcs: list[SpelledArc] = []
    costs: tuple[CostPair, ...] = card.costs or (NO_COST,) * len(card.arcs)
    for (source, destination, token), cost in zip(card.arcs, costs, strict=True):
        if isinstance(token, Call):
            arcs.append((ends[token.name], place(destination), "", cost))
        else:
            arcs.append((place(source), place(destination), token, cost))
    finals = zip(sorted(card.finals), card.final_costs or (NO_COST,) * len(card.finals), strict=True)
    arcs += [(place(state), ends[card.name], "", cost) for state, cost in finals]
    return arcs


__all__ = ["linear_lattice"]
