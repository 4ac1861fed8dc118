"""Cards with all that they call, one object for the same content: what is computed of it is kept with it.

`rooted_cards` has those of a sentence by name. Of a change, only the cards that call the changed one are new.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache

from fstmetrics import Network
from fstmetrics.apps.annotate.sentence_cards import ROOT_NAME, Compiled
from fstmetrics.data.cards import Card
from fstmetrics.networks.calls import callees_first


class RootedCard:
    """A card and what it calls. Equal only to itself: `rooted_cards` gives the same one for the same content.

    Attributes:
        card: the card.
        called: the cards that it calls.
    """

    def __init__(self, card: Card, called: tuple[RootedCard, ...]) -> None:
        self.card, self.called = card, called

    @cached_property
    def network(self) -> Network:
        """The network of which this card is the root; the same object every time, with what is prepared for it."""
        order = callees_first(lambda one: one.called, [self])
        return Network([one.card for one in order], self.card.name)


_rooted = lru_cache(maxsize=8192)(RootedCard)


def rooted_cards(made: Compiled) -> dict[str, RootedCard]:
    """The cards that have paths, by name."""
    return _all_rooted(made.cards, made.cards)


def whole_sentence(made: Compiled) -> RootedCard | None:
    """The card of the whole sentence, or None while it has no path."""
    return rooted_cards(made).get(ROOT_NAME)


def root_of(network: Network) -> RootedCard:
    """The root of a network."""
    order = callees_first(lambda name: list(network.cards[name].calls()), [network.root])
    return _all_rooted(network.cards, order)[network.root]


def _all_rooted(cards: Mapping[str, Card], callees_first: Iterable[str]) -> dict[str, RootedCard]:
    found: dict[str, RootedCard] = {}
    for name in callees_first:
        card = cards[name]
        found[name] = _rooted(card, tuple(found[each] for each in dict.fromkeys(card.calls())))
    return found
