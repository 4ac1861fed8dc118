"""`minimal_card`: a card as its least deterministic automaton; OpenFst does the work (`fstmetrics.openfst`)."""

from __future__ import annotations

from fstmetrics import doors
from fstmetrics.network import Card
from fstmetrics.networks.machines import arcs_of, automaton_of
from fstmetrics.phrases import Call, Token

# A card that would have more states than this when deterministic stays as it is; annotators' cards have some dozens.
MAX_STATES = 100_000


def minimal_card(card: Card) -> Card:
    """The card as its least deterministic automaton, calls being taken as words of their own.

    A card for which that would be larger than `MAX_STATES` states is returned as it is.

    Raises:
        FstmetricsError: pynini is not installed.
    """
    tokens = sorted({token for *_, token in card.arcs if token}, key=_order)
    label: dict[Token, int] = {"": 0, **{token: i for i, token in enumerate(tokens, 1)}}
    least = doors.minimal(automaton_of(card, label.__getitem__), MAX_STATES)
    if least is None:
        return card
    return Card(card.name, arcs_of(least, list(label)), frozenset(least.finals.tolist()), 0, card.span)


def _order(token: Token) -> tuple[bool, str]:
    return (True, token.name) if isinstance(token, Call) else (False, token)
