"""Networks in formats that have words and calls on nodes: `callees_first`, `node_form`, `written_names`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from fstmetrics.data.cards import NO_COST, Card, CostPair, Token
from fstmetrics.data.network import Network
from fstmetrics.io.written_words import check_word


class NodeForm(NamedTuple):
    """A card with words on nodes.

    Attributes:
        tokens: the word or call of each node, "" for none: of those that are the card's states, of those that stand for
            its arcs, and of one that is the only end.
        links: source, destination and cost; the first into the node of an arc has its cost, the one out of it none.
        start, end: nodes without words.
    """

    tokens: list[Token]
    links: list[tuple[int, int, CostPair]]
    start: int
    end: int


def node_form(card: Card) -> NodeForm:
    """The same paths and costs: a node a state, a node an arc, and one end that costs nothing.

    >>> form = node_form(Card("X", ((0, 1, "cat"),), frozenset({1}), costs=((2.0, 1.0),)))
    >>> form.tokens, form.links
    (['', '', 'cat', ''], [(0, 2, (2.0, 1.0)), (2, 1, (0.0, 0.0)), (1, 3, (0.0, 0.0))])
    """
    states = card.num_states
    end = states + len(card.arcs)
    links: list[tuple[int, int, CostPair]] = []
    costs = card.costs or (NO_COST,) * len(card.arcs)
    for node, ((source, destination, _), cost) in enumerate(zip(card.arcs, costs, strict=True), states):
        links += [(source, node, cost), (node, destination, NO_COST)]
    final_costs = card.final_costs or (NO_COST,) * len(card.finals)
    links += [(state, end, cost) for state, cost in zip(sorted(card.finals), final_costs, strict=True)]
    return NodeForm([*[""] * states, *(token for *_, token in card.arcs), ""], links, card.start, end)


def callees_first(network: Network) -> list[Card]:
    """The cards that the root needs, each after those it calls, so the root last."""
    from fstmetrics.networks import calls

    order = calls.callees_first(lambda name: network.cards[name].calls(), [network.root])
    return [network.cards[name] for name in order]


def written_names(names: Iterable[str], distinct: Callable[[str, AbstractSet[str]], str]) -> dict[str, str]:
    """What to write for the names of cards: one word each, and all different.

    Args:
        names: as the cards have them.
        distinct: makes one of a name that is not among these others, nor anything else to the format.

    Raises:
        FstmetricsError: a name that no text file holds.
    """
    written: dict[str, str] = {}
    for name in names:
        plain = "_".join(name.split()) or "_"
        check_word(plain)
        written[name] = distinct(plain, set(written.values()))
    return written
