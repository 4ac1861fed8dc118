"""`normal_form`: cards deterministic, minimal and shared."""

from __future__ import annotations

from fstmetrics.data.network import SETTINGS, Network
from fstmetrics.networks.calls import refuse_costs, useful_cards
from fstmetrics.networks.pool import CardPool, minimal_card
from fstmetrics.support.arguments import instance, takes


@takes(network=instance(Network))
def normal_form(network: Network) -> Network:
    """The same strings with fewer cards, states and arcs.

    Every card becomes the least deterministic automaton over its words and calls, without epsilons; cards that are
    then equal and have the same span, or none, become one; cards that are on no path go. So a card has no two
    paths of the same words and calls, while paths of different calls may still spell the same words.

    Raises:
        FstmetricsError: cards carry costs.

    >>> from fstmetrics import Card, Network
    >>> cards = [Card.from_phrases("X", ["a b", "a c"]), Card.from_phrases("Y", ["a c", "a b", "a b"])]
    >>> normal = normal_form(Network([*cards, Card.from_phrases("S", ["[X] [Y]"])], "S"))
    >>> normal.cards["X"].arcs
    ((0, 1, 'a'), (1, 2, 'b'), (1, 2, 'c'))
    >>> normal.cards["S"].arcs
    ((0, 1, Call(name='X')), (1, 2, Call(name='X')))
    """
    refuse_costs([network], "a normal form")
    pool = CardPool(keep_names=False)
    numbers: dict[str, int] = {}
    for name, card in useful_cards(network).items():
        numbers[name] = pool.put(minimal_card(pool.numbered(card, numbers)))
    return pool.network(
        numbers[network.root],
        **{name: getattr(network, name) for name in SETTINGS if name != "root"},
    )
