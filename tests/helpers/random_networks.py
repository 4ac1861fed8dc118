"""Small random networks with spans, and unions of networks by enumeration, from the definitions (design, section 2).

`SpannedCard` and `spu_strings` know nothing of the package; `as_network` says the same to it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import brute_force as bf
from random_cases import random_machine

import fstmetrics as fm
from fstmetrics.data.cards import Call

NAMES = "ABCDE"
SPANS = [(0, 1), (1, 2), (0, 2), (1, 3), (0, 3), None]
Strings = frozenset[bf.Words]


@dataclass(frozen=True)
class SpannedCard:
    """A card for the referee: labels `[NAME]` are calls."""

    machine: bf.Machine
    span: tuple[int, int] | None

    @property
    def length(self) -> float:
        return math.inf if self.span is None else self.span[1] - self.span[0]


Cards = Mapping[str, SpannedCard]  # the last one is the root


def spu_strings(networks: Sequence[Cards]) -> Strings:
    """The strings of the source-phrase-level union, word for word as it is defined."""
    merged: dict[tuple[int, str], Strings] = {}

    def own(i: int, name: str, length: float) -> Strings:
        def readings(label: str) -> Strings:
            if not label.startswith("["):
                return frozenset({(label,)})
            called = label[1:-1]
            smaller = networks[i][called].length < length
            return merged[i, called] if smaller else own(i, called, length)

        paths = (product(*map(readings, labels)) for labels in bf.strings(networks[i][name].machine))
        return frozenset(tuple(word for part in parts for word in part) for path in paths for parts in path)

    everything = [(i, name) for i, cards in enumerate(networks) for name in cards]
    for length in sorted({networks[i][name].length for i, name in everything} - {math.inf}):
        cards = {
            (i, name): own(i, name, length) for i, name in everything if networks[i][name].length == length
        }
        groups = [{card} for card in cards]
        for one, other in combinations(cards, 2):
            same_span = networks[one[0]][one[1]].span == networks[other[0]][other[1]].span
            if one[0] != other[0] and same_span and cards[one] & cards[other]:
                joined = [group for group in groups if one in group or other in group]
                groups = [group for group in groups if group not in joined] + [set().union(*joined)]
        for group in groups:
            merged |= dict.fromkeys(group, frozenset().union(*(cards[card] for card in group)))
    roots = [list(cards)[-1] for cards in networks]
    return frozenset().union(*(own(i, root, networks[i][root].length) for i, root in enumerate(roots)))


def strings(cards: Cards) -> Strings:
    """The strings of one network."""
    return frozenset(bf.expand({name: card.machine for name, card in cards.items()}, list(cards)[-1]))


def random_network(rng: random.Random, most_strings: int = 60) -> Cards:
    """Up to five cards that call one another in whatever order, now and then against their spans."""
    while True:
        names = rng.sample(NAMES, rng.randint(1, len(NAMES)))
        cards: dict[str, SpannedCard] = {}
        for name in [*names, "S"]:
            calls = tuple(rng.sample(list(cards), min(len(cards), 3)))
            machine = random_machine(rng, rng.randint(1, 4), rng.choice((0, 0.2)), calls)
            span = rng.choice(SPANS) if name != "S" else rng.choice(((0, 3), None))
            cards[name] = SpannedCard(_reachable(machine), span)
        if len(strings(cards)) <= most_strings:
            return cards


def _reachable(machine: bf.Machine) -> bf.Machine:
    reached = {machine.start}
    for _ in machine.arcs:
        reached |= {b for a, _, b in machine.arcs if a in reached}
    return bf.Machine(machine.start, machine.finals & reached, machine.arcs)


def as_network(cards: Cards, phrases: bool = False, id: str = "") -> fm.Network:
    """The same network for the package; as phrases, a phrase a path."""
    made = [_phrases(name, card) if phrases else _arcs(name, card) for name, card in cards.items()]
    return fm.Network(made, list(cards)[-1], id=id)


def _phrases(name: str, card: SpannedCard) -> fm.Card:
    return fm.Card.from_phrases(
        name, [" ".join(path) for path in bf.accepting_paths(card.machine)], card.span
    )


def _arcs(name: str, card: SpannedCard) -> fm.Card:
    def token(label: str) -> str | Call:
        return Call(label[1:-1]) if label.startswith("[") else label

    arcs = tuple((a, b, token(label)) for a, label, b in card.machine.arcs)
    return fm.Card(name, arcs, card.machine.finals, card.machine.start, card.span)


def strings_of(network: fm.Network) -> Strings:
    """The strings of a network of the package, by enumeration."""
    machines = {name: _machine(card) for name, card in network.cards.items()}
    return frozenset(bf.expand(machines, network.root))


def _machine(card: fm.Card) -> bf.Machine:
    arcs = tuple((a, f"[{t.name}]" if isinstance(t, Call) else t, b) for a, b, t in card.arcs)
    return bf.Machine(card.start, card.finals, arcs)


def paths(cards: Cards) -> list[bf.Words]:
    """The words of every accepting path: one item a path, so strings may repeat."""

    def of(name: str) -> list[bf.Words]:
        def readings(label: str) -> list[bf.Words]:
            return of(label[1:-1]) if label.startswith("[") else [(label,)]

        choices = (product(*map(readings, labels)) for labels in bf.accepting_paths(cards[name].machine))
        return [tuple(word for part in parts for word in part) for choice in choices for parts in choice]

    return of(list(cards)[-1])
