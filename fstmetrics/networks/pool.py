"""`CardPool`: cards on their way into a new network, under numbers instead of names, equal ones kept once.

`minimal_card`: a card as its least deterministic automaton. `normal_form`: a network of such cards, minimal and shared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from fstmetrics._native import Automaton, Rtn
from fstmetrics.data.cards import Call, Token, parse_phrase, write_phrase
from fstmetrics.data.network import SETTINGS, Card, CardArc, Network
from fstmetrics.data.symbols import EPSILON, labelled_arcs
from fstmetrics.networks.calls import automaton_of, callees_first, refuse_costs, useful_cards
from fstmetrics.support.arguments import instance, takes
from fstmetrics.support.names import unused


class CardPool:
    """Cards whose calls are numbers of other cards of the pool; a card goes in after those it calls.

    Args:
        keep_names: whether equal cards of different names stay apart.
    """

    def __init__(self, keep_names: bool = True) -> None:
        self._keep_names = keep_names
        self._cards: list[Card] = []
        self._numbers: dict[object, int] = {}
        self._labels: dict[str, int] = {"": EPSILON}
        self._automata: list[Automaton] = []

    def __getitem__(self, number: int) -> Card:
        return self._cards[number]

    def add(self, card: Card, numbers: Mapping[str, int]) -> int:
        """The number of a card of a network, given those of the cards it calls."""
        return self.put(self.numbered(card, numbers))

    @staticmethod
    def numbered(card: Card, numbers: Mapping[str, int]) -> Card:
        """A card of a network with numbers for the names it calls."""
        return renamed(card, card.name, lambda name: str(numbers[name]))

    def merge(self, members: Iterable[int]) -> int:
        """A card with all paths of the members, each kept once; their span is that of the first."""
        members = sorted(set(members))
        if len(members) == 1:
            return members[0]
        card = merged([self._cards[number] for number in members])
        # Cards of several annotators have much in common.
        return self.put(minimal_card(card) if card.phrases is None else card)

    def put(self, card: Card) -> int:
        """The number of a card whose calls are numbers; that of an equal card if there is one."""
        key = (
            card.name if self._keep_names else None,
            card.span,
            card.start,
            card.finals,
            card.arcs,
            card.phrases,
        )
        number = self._numbers.setdefault(key, len(self._cards))
        if number == len(self._cards):
            self._cards.append(card)
        return number

    def rtn(self) -> Rtn:
        """The cards so far as the engine has them, by their numbers."""
        for card in self._cards[len(self._automata) :]:
            self._automata.append(automaton_of(card, self._label))
        return Rtn(self._automata, 0)

    def _label(self, token: Token) -> int:
        if isinstance(token, Call):
            return -int(token.name) - 1
        return self._labels.setdefault(token, len(self._labels))

    def network(self, root: int, **settings: Any) -> Network:
        """The network of a root and what it calls, callees first; of several cards of one name, the later ones get a
        number: `NAME~2`. Settings are those of a network.
        """
        order = callees_first(lambda number: [int(name) for name in self._cards[number].calls()], [root])
        names = self._names(order)
        cards = [renamed(self._cards[n], names[n], lambda number: names[int(number)]) for n in order]
        return Network(cards, names[root], **settings)

    def _names(self, order: Sequence[int]) -> dict[int, str]:
        names: dict[int, str] = {}
        wanted = {self._cards[number].name for number in order}
        taken: set[str] = set()
        for number in [order[-1], *order[:-1]]:  # the root keeps its name, then who comes first
            name = self._cards[number].name
            if name in taken:
                name = unused(name, taken | wanted)
            taken.add(name)
            names[number] = name
        return names


def renamed(card: Card, name: str, call: Callable[[str], str]) -> Card:
    """The same card under another name, with other names for what it calls."""

    def token(old: Token) -> Token:
        return Call(call(old.name)) if isinstance(old, Call) else old

    if card.phrases is not None:
        phrases = [
            write_phrase(map(token, parse_phrase(p))) if "[" in p else " ".join(p.split())
            for p in card.phrases
        ]
        return Card.from_phrases(name, phrases, card.span)
    return Card(name, tuple((a, b, token(t)) for a, b, t in card.arcs), card.finals, card.start, card.span)


def merged(cards: Sequence[Card]) -> Card:
    """One card with the paths of all; its name is the first in the alphabet, so that no order of cards matters."""
    name, span = min(card.name for card in cards), cards[0].span
    if all(card.phrases is not None for card in cards):
        phrases = dict.fromkeys(phrase for card in cards for phrase in card.phrases or ())
        return Card.from_phrases(name, list(phrases), span)
    arcs: dict[CardArc, None] = {}
    finals: list[int] = []
    states = 1  # 0 is the start of all
    for card in {(c.start, c.finals, c.arcs): c for c in cards}.values():
        arcs[0, states + card.start, ""] = None
        arcs |= {(states + a, states + b, token): None for a, b, token in card.arcs}
        finals += [states + state for state in sorted(card.finals)]
        states += card.num_states
    return Card(name, tuple(arcs), frozenset(finals), 0, span)


# A card that would have more states than this when deterministic stays as it is; annotators' cards have some dozens.
MAX_STATES = 100_000


def minimal_card(card: Card) -> Card:
    """The card as its least deterministic automaton, calls being taken as words of their own.

    A card for which that would be larger than `MAX_STATES` states is returned as it is.
    """
    tokens = sorted({token for *_, token in card.arcs if token}, key=_order)
    label: dict[Token, int] = {"": 0, **{token: i for i, token in enumerate(tokens, 1)}}
    least = automaton_of(card, label.__getitem__).minimal(MAX_STATES)
    if least is None:
        return card
    return Card(
        card.name, tuple(labelled_arcs(least, list(label))), frozenset(least.finals.tolist()), 0, card.span
    )


def _order(token: Token) -> tuple[bool, str]:
    return (True, token.name) if isinstance(token, Call) else (False, token)


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
