"""What is allowed in a network but seldom meant: `network_remarks`, `card_remarks`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fstmetrics.network import Card, Network
from fstmetrics.networks.calls import useful_cards
from fstmetrics.networks.validation import Fault


def network_remarks(network: Network) -> list[Fault]:
    """Cards that are on no path, phrases given twice, spans that do not fit one another or the source.

    >>> cards = [Card.from_phrases("S", ["a", "a"], (0, 1)), Card.from_phrases("X", ["x"])]
    >>> for remark in network_remarks(Network(cards, "S")):
    ...     print(remark)
    card 'S': the phrase 'a' stands twice
    card 'X': is on no path from the root
    """
    useful = useful_cards(network)
    found = []
    for name, card in network.cards.items():
        found += card_remarks(card, network.cards, network.source)
        if name not in useful:
            found.append(Fault(name, "is on no path from the root"))
    return found


def card_remarks(card: Card, cards: Mapping[str, Card], source: Sequence[str] | None) -> list[Fault]:
    """What can be said of one card, though others be faulty.

    Args:
        card: which is sound.
        cards: those that are sound, by name.
        source: the words that spans are of, if they are known.
    """
    return [Fault(card.name, message) for message in (*_spans(card, cards, source), *_phrases(card))]


def _spans(card: Card, cards: Mapping[str, Card], source: Sequence[str] | None) -> Iterator[str]:
    if card.span is None:
        return
    begin, end = card.span
    if source is not None and end > len(source):
        yield f"the span {begin}-{end} goes beyond the source, which has {len(source)} words"
    for called in dict.fromkeys(card.calls()):
        inner = cards[called].span if called in cards else None
        if inner is not None and not begin <= inner[0] <= inner[1] <= end:
            yield f"calls {called!r}, whose span {inner[0]}-{inner[1]} is not within its own, {begin}-{end}"


def _phrases(card: Card) -> Iterator[str]:
    seen = set()
    for phrase in card.phrases or ():
        if phrase in seen:
            yield f"the phrase {phrase!r} stands twice"
        seen.add(phrase)
