"""Networks in which a card is called only where a card begins, as Moses' search graphs: `linear_lattice`.

Nothing waits for such a call to return but the rest of the caller, so the network is a lattice of its own size: what
would be copied for every call is there once, and goes on wherever it was called. Written out as a tree of calls, the
same network may have billions of arcs.

A network spelled out with its costs: `spelled_out`; `lattice_of` makes a lattice of its arcs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from fstmetrics._native import Automaton
from fstmetrics.data.cards import NO_COST, Call, Card, CostPair, Token, parse_phrase
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.network import Network
from fstmetrics.data.shaping import in_order
from fstmetrics.data.symbols import SymbolTable, labelled_arcs
from fstmetrics.networks.calls import callees_first
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import limits

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


def within_the_limit(network: Network) -> Lattice:
    """The network spelled out, to be weighed by characters, where the limit on expansion allows it.

    Raises:
        InputError: it could have more arcs; the message says why it had to be spelled out.
    """
    what = f"network {network.id or '(no id)'}, to be weighed by characters, could have"
    unit = "arcs written out"
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


# The expansion of a network of 10^12 paths has some ten thousand arcs; this many are a file of 100 megabytes.
MAX_ARCS = 5_000_000

ROOT = "S"


def from_lattice(lattice: Lattice, costs: bool = False) -> Network:
    """A network of one card, the lattice, with its costs or without.

    Raises:
        FstmetricsError: the lattice has no path, or it is to keep its costs and has a cycle.

    >>> from_lattice(Lattice.from_arcs([(0, 1, "a"), (0, 1, "b")], finals=[1], id="x"))
    Network(id='x', root='S', cards=1)
    """
    card = _card(ROOT, lattice, lambda word: word)
    if costs and lattice.automaton.has_costs:
        automaton = in_order(lattice).automaton
        card = replace(card, costs=_pairs(automaton.arc_costs), final_costs=_pairs(automaton.final_costs))
    return Network([card], ROOT, id=lattice.id)


def _pairs(costs: Any) -> tuple[CostPair, ...]:
    return tuple((graph, acoustic) for graph, acoustic in costs.tolist())


def from_machines(machines: Mapping[str, Lattice], root: str | None = None, id: str = "") -> Network:
    """The network whose cards are machines, as `file_content` writes them into an archive.

    Args:
        machines: by the names of the cards. Where one calls another, labels are written as in phrases: `[NAME]` is a
            call, `\\\\[` a bracket; otherwise they are words.
        root: the card that stands for the whole; by default the one that no other calls.
        id: the network's id.

    Raises:
        FstmetricsError: no way to tell the root, or no valid network.
    """
    labels = chain.from_iterable(machine.symbols.words[1:] for machine in machines.values())
    token = _token if any(call.name in machines for call in calls_in(labels)) else str
    cards = [_card(name, machine, token) for name, machine in machines.items()]
    if root is None:
        called = {name for card in cards for name in card.calls()}
        roots = [card.name for card in cards if card.name not in called]
        if len(roots) != 1:
            which = f"{', '.join(map(repr, roots))} are" if roots else "none is"
            raise FstmetricsError(
                f"of {len(cards)} cards {which} called by no other: say which is the root (--root)"
            )
        root = roots[0]
    return Network(cards, root, id=id)


def calls_in(words: Iterable[str]) -> Iterator[Call]:
    """The calls among labels that are written as in phrases."""
    for word in words:
        if word.startswith("["):
            with suppress(FstmetricsError):  # a word that only looks like a call
                yield from (token for token in parse_phrase(word) if isinstance(token, Call))


def _card(name: str, lattice: Lattice, token: Callable[[str], Token]) -> Card:
    automaton = lattice.prepared
    if not automaton.has_path:
        raise FstmetricsError(f"{name!r} has no path from its start to a final state")
    tokens = [token(word) for word in lattice.symbols.words]
    return Card(
        name, tuple(labelled_arcs(automaton, tokens)), frozenset(automaton.finals.tolist()), automaton.start
    )


def _token(label: str) -> Token:
    tokens = parse_phrase(label)
    if len(tokens) > 1:
        raise FstmetricsError(f"the label {label!r} is {len(tokens)} words; one arc, one word")
    return tokens[0] if tokens else ""


def expanded(network: Network, max_arcs: int = MAX_ARCS) -> Lattice:
    """The network as one automaton, every call replaced by what it calls, costs included.

    Where that could have more arcs than `max_arcs`, but calls stand only where cards begin, cards are shared:
    `linear_lattice`.

    Raises:
        FstmetricsError: it could have more than `max_arcs` arcs.
    """
    if network.rtn.expanded_arcs > max_arcs:
        lattice = linear_lattice(network)
        if lattice is not None and lattice.num_arcs <= max_arcs:
            return lattice
    if network.has_costs:
        return spelled_out(network, max_arcs)
    automaton = network.rtn.expanded(max_arcs)
    if automaton is None:
        raise FstmetricsError(
            f"the expansion of {network.id or 'the network'} may have {network.rtn.expanded_arcs} arcs, the limit is "
            f"{max_arcs} (max_arcs, --max-arcs); slf, pfsg and an archive of cards (far) hold it as it is"
        )
    return Lattice(automaton, network.symbols, id=network.id, scales=network.scales)
