"""Which cards call which: `callees_first`, an order for work from the bottom up, and `useful_cards`.

Costs on cards: what has no place for them says so.

A card's arcs as the engine's flat automaton: `automaton_of`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import numpy as np

from fstmetrics._native import Automaton, Rtn
from fstmetrics.data.cards import Call, Token
from fstmetrics.data.network import Card, Network
from fstmetrics.data.symbols import labelled_arcs
from fstmetrics.support.errors import FstmetricsError


def automaton_of(card: Card, label: Callable[[Token], int]) -> Automaton:
    """The card's automaton, its states as they are numbered, given the label of every token."""
    rows = [(source, label(token), destination) for source, destination, token in card.arcs]
    sources, labels, destinations = np.array(rows, dtype=np.int32).reshape(-1, 3).T.copy()
    return Automaton(
        card.num_states,
        card.start,
        sources,
        labels,
        destinations,
        np.array(sorted(card.finals), dtype=np.int32),
    )


Caller = TypeVar("Caller")  # a card by its name or number, a state


def callees_first(calls: Callable[[Caller], Iterable[Caller]], roots: Iterable[Caller]) -> list[Caller]:
    """The roots and all that is called from them, callers after what they call. Calls must not run in a circle."""
    order: dict[Caller, None] = {}
    for root in roots:
        if root in order:
            continue
        stack = [(root, iter(calls(root)))]
        while stack:
            number, called = stack[-1]
            inner = next((c for c in called if c not in order), None)
            if inner is None:
                order[number] = None
                stack.pop()
            else:
                stack.append((inner, iter(calls(inner))))
    return list(order)


def bottom_up(rtn: Rtn) -> list[int]:
    """The numbers of the cards that the root uses, each behind those that it calls."""
    cards = rtn.cards
    return callees_first(
        lambda card: [-label - 1 for label in cards[card].labels.tolist() if label < 0], [rtn.root]
    )


def chain_of_calls(calls: Callable[[str], Iterable[str]], firsts: Iterable[str], last: str) -> list[str]:
    """The fewest cards that call one another from one of the first to the last; empty where there is no such chain."""
    before: dict[str, str | None] = dict.fromkeys(firsts)
    pending = list(before)
    for name in pending:  # which grows meanwhile
        if name == last:
            chain = [name]
            while (caller := before[chain[-1]]) is not None:
                chain.append(caller)
            return chain[::-1]
        for called in calls(name):
            if called not in before:
                before[called] = name
                pending.append(called)
    return []


def useful_cards(network: Network) -> dict[str, Card]:
    """The cards that are on some path of the network, callees first; arcs that are on none are left out."""
    names = list(network.cards)
    automata = network.rtn.cards
    tokens: list[Token] = [*network.symbols.words, *map(Call, reversed(names))]  # calls are negative labels
    cards: dict[int, Card] = {}

    def calls(number: int) -> list[int]:
        card, useful = network.cards[names[number]], automata[number]
        if card.phrases is None:
            ends = frozenset(useful.finals.tolist())
            card = Card(card.name, tuple(labelled_arcs(useful, tokens)), ends, useful.start, card.span)
        cards[number] = card
        return sorted({-label - 1 for label in useful.labels.tolist() if label < 0})

    return {names[number]: cards[number] for number in callees_first(calls, [network.rtn.root])}


def refuse_costs(networks: Iterable[Network], what: str) -> None:
    """Raise an FstmetricsError for a network whose cards carry costs: `what` would lose them."""
    for network in networks:
        if network.has_costs:
            raise FstmetricsError(
                f"network {network.id or '(no id)'}: its cards carry costs, which {what} would lose; "
                "take them off first (Network.without_costs)"
            )
