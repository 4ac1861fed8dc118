"""Costs of networks made to fit a format, as `fitting` does it for automata: `weighed`, `summed`, `has_acoustic`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fstmetrics.values.cards import NO_COST, Call, Card, CostPair, Token, some_costs
from fstmetrics.values.network import Network
from fstmetrics.values.scales import Scales
from fstmetrics.values.symbols import SENTENCE_MARKERS

# What becomes of the cost of an arc with this token, or of a final state.
Change = Callable[[CostPair, Token], CostPair]


def has_acoustic(network: Network) -> bool:
    """Whether there are acoustic costs."""
    return any(acoustic for card in network.cards.values() for _, acoustic in card.costs + card.final_costs)


def weighed(network: Network, scales: Scales) -> Network:
    """The network with its costs multiplied, the word penalty among the graph costs, and no scales of its own.

    Raises:
        FstmetricsError: a cost becomes too large.

    >>> card = Card("S", ((0, 1, "a"),), frozenset({1}), costs=((2.0, 3.0),))
    >>> weighed(Network([card], "S"), Scales(2.0, 1.0, 0.5)).cards["S"].costs
    ((4.5, 3.0),)
    """

    def change(cost: CostPair, token: Token) -> CostPair:
        counted = not isinstance(token, Call) and token != "" and token not in SENTENCE_MARKERS
        penalty = scales.word_penalty if counted else 0.0
        return scales.lm * cost[0] + penalty, scales.acoustic * cost[1]

    return _changed(network, change)


def summed(network: Network) -> Network:
    """The network with graph and acoustic cost added up as graph cost; errors as of `weighed`."""
    return _changed(network, lambda cost, _: (cost[0] + cost[1], 0.0))


def _changed(network: Network, change: Change) -> Network:
    cards = [_card(card, change) for card in network.cards.values()]
    return Network(cards, network.root, id=network.id, source=network.source, unit=network.unit)


def _card(card: Card, change: Change) -> Card:
    costs = card.costs or (NO_COST,) * len(card.arcs)
    final_costs = card.final_costs or (NO_COST,) * len(card.finals)
    return replace(
        card,
        costs=some_costs([change(cost, arc[2]) for cost, arc in zip(costs, card.arcs, strict=True)]),
        final_costs=some_costs([change(cost, "") for cost in final_costs]),
    )
