"""Phrases that cards of a network lack, checked and added: `Phrase`, `check`, `accept`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fstmetrics.data.cards import Call, Token, parse_phrase, reached, write_phrase
from fstmetrics.data.network import Card, CardArc, Network
from fstmetrics.networks.calls import chain_of_calls, refuse_costs
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import did_you_mean

# Words and calls of a phrase: more than any sentence has.
MOST_TOKENS = 1000


class Phrase(NamedTuple):
    """A phrase for a card.

    Attributes:
        network: the id of the network.
        card: the card's name.
        phrase: words, and calls in brackets, as annotators write them.
    """

    network: str
    card: str
    phrase: str

    @property
    def id(self) -> str:
        """Ten digits and letters that are the same for the same phrase of the same card, in every run.

        >>> Phrase("station", "TS", "railway station").id
        '8bfbd9f55e'
        """
        text = "\0".join(self).encode("utf-8", "surrogatepass")
        return hashlib.sha256(text).hexdigest()[:10]


def check(phrase: Phrase, network: Network) -> tuple[Token, ...]:
    """The words and calls of a phrase that a card of a network could have.

    Raises:
        FstmetricsError: no such card; what cannot be read; a call of a card that is not there, or that would run in a
            circle; a phrase that is too long, or the empty one for the root.
    """
    where = f"network {network.id or '(no id)'}"
    if phrase.card not in network.cards:
        meant = did_you_mean(phrase.card, list(network.cards))
        raise FstmetricsError(f"{where}: there is no card {phrase.card!r}{'; ' * bool(meant)}{meant}")
    where += f", card {phrase.card!r}"
    try:
        tokens = parse_phrase(phrase.phrase)
    except FstmetricsError as error:
        raise FstmetricsError(f"{where}: {error}") from None
    if len(tokens) > MOST_TOKENS:
        raise FstmetricsError(f"{where}: a phrase of {len(tokens)} words; the most is {MOST_TOKENS}")
    if not tokens and phrase.card == network.root:
        raise FstmetricsError(f"{where}: the phrase of a whole sentence is empty")
    for name in dict.fromkeys(token.name for token in tokens if isinstance(token, Call)):
        if name not in network.cards:
            raise FstmetricsError(
                f"{where}: the phrase {phrase.phrase!r} calls {name!r}, which is not among the cards; a bracket that "
                r"is a word is written \["
            )
        if chain := chain_of_calls(lambda caller: network.cards[caller].calls(), [name], phrase.card):
            circle = " -> ".join([phrase.card, *chain])
            raise FstmetricsError(f"{where}: the phrase {phrase.phrase!r} would make a circle: {circle}")
    return tokens


def accept(network: Network, phrases: Iterable[Phrase]) -> Network:
    """The network with phrases added to its cards; those that a card has are not added again.

    Raises:
        FstmetricsError: as of `check`; or phrases that make a circle together, or a network with costs.

    >>> from fstmetrics import Card, Network
    >>> cards = [Card.from_phrases("S", ["the [PM] spoke"]), Card.from_phrases("PM", ["prime minister"])]
    >>> accept(Network(cards, "S"), [Phrase("", "PM", "premier")]).cards["PM"].phrases
    ('prime minister', 'premier')
    """
    refuse_costs([network], "a new phrase")
    for phrase in phrases:
        if not has(network.cards.get(phrase.card), check(phrase, network)):
            network = with_phrases(network, [phrase])
    return network


def with_phrases(network: Network, phrases: Iterable[Phrase]) -> Network:
    """The network with phrases that were checked."""
    cards = dict(network.cards)
    for _, name, phrase in phrases:
        cards[name] = _wider(cards[name], parse_phrase(phrase))
    return network.changed(cards.values())


def _wider(card: Card, tokens: Sequence[Token]) -> Card:
    """The card with one more path."""
    if card.phrases is not None:
        return Card.from_phrases(card.name, [*card.phrases, write_phrase(tokens)], card.span)
    # A start that nothing comes back to, and an end that nothing leaves: the path is all that is new.
    count = card.num_states
    start, end = card.start, count
    arcs: list[CardArc] = list(card.arcs)
    if any(destination == start for _, destination, _ in arcs):
        start, end = count, count + 1
        arcs.append((start, card.start, ""))
    inner = [start, *range(end + 1, end + len(tokens)), end]
    arcs += zip(inner, inner[1:], tokens or ("",), strict=False)
    return Card(card.name, tuple(arcs), card.finals | {end}, start, card.span)


def has(card: Card | None, tokens: Sequence[Token]) -> bool:
    """Whether a card has these words and calls as a path."""
    if card is None:
        return False
    leaving: dict[Token, dict[int, list[int]]] = {}
    for source, destination, token in card.arcs:
        leaving.setdefault(token, {}).setdefault(source, []).append(destination)
    without_word = leaving.pop("", {})
    states = reached(without_word, [card.start])
    for token in tokens:
        following = leaving.get(token, {})
        states = reached(without_word, [after for state in states for after in following.get(state, ())])
    return not states.isdisjoint(card.finals)
