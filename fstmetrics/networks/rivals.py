"""Proposals that compete for one place of a network: `with_rivals` finds them, `side_by_side` puts them together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from fstmetrics.data.cards import Token, parse_phrase
from fstmetrics.data.network import Card, Network
from fstmetrics.networks.proposals import Proposal


@dataclass(frozen=True)
class _Place:
    """What a proposal changes: words and calls from `start` to `end`, half-open, of a phrase that its card has."""

    card: Card
    instead: tuple[Token, ...]
    start: int
    end: int

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the phrase stays."""
        return (self.start, self.end) == (0, len(self.instead))

    def is_of(self, other: _Place) -> bool:
        """Whether two proposals compete."""
        if self.card is not other.card:
            return self.card.span is not None and self.card.span == other.card.span
        if self.instead != other.instead:
            return self.is_whole or other.is_whole
        if self.start == self.end or other.start == other.end:
            same = (self.start, self.end) == (other.start, other.end)
            return same or other.start < self.start < other.end or self.start < other.start < self.end
        return self.start < other.end and other.start < self.end


def with_rivals(network: Network, proposals: Iterable[Proposal]) -> list[Proposal]:
    """The same proposals, each with the ids of those that compete with it, in the same order.

    Two phrases compete if they are for one card, or for two cards of the same source span, and change the same words:
    of one phrase of the card words that overlap, or of two phrases one as a whole. Accepted together they save less
    than the sum of both, or mean two things at one place.

    Args:
        network: which they are for.
        proposals: as of `propose`.

    >>> from fstmetrics import Card, Network
    >>> from fstmetrics.networks import propose
    >>> network = Network([Card.from_phrases("S", ["the dog ran home"])], "S")
    >>> found = propose(network, {"a": "the cat ran home", "b": "the cow ran home", "c": "the dog ran away"})
    >>> [(one.phrase.phrase, len(one.rivals)) for one in with_rivals(network, found)]
    [('the cat ran home', 1), ('the cow ran home', 1), ('the dog ran away', 0)]
    """
    given = list(proposals)
    places = [_place(network, one) for one in given]
    rivals: list[list[str]] = [[] for _ in given]
    for i, j in combinations(range(len(given)), 2):
        if places[i].is_of(places[j]):
            rivals[i].append(given[j].id)
            rivals[j].append(given[i].id)
    return [replace(one, rivals=tuple(ids)) for one, ids in zip(given, rivals, strict=True)]


def side_by_side(proposals: Sequence[Proposal]) -> list[list[Proposal]]:
    """Proposals in groups: the first one that is in none yet, and its rivals that are in none yet, in their order."""
    left = {one.id: one for one in proposals}
    groups: list[list[Proposal]] = []
    for one in proposals:
        if left.pop(one.id, None) is not None:
            groups.append([one, *(left.pop(id) for id in one.rivals if id in left)])
    return groups


def _place(network: Network, one: Proposal) -> _Place:
    """Where a proposal differs from the phrase in whose place it is, or from the most similar one of its card."""
    card = network.cards[one.phrase.card]
    tokens = parse_phrase(one.phrase.phrase)
    known = [one.instead] if one.instead else card.phrases or ()
    places = [_Place(card, each, *_stretch(each, tokens)) for each in map(parse_phrase, known)]
    return min(places, key=lambda place: place.end - place.start, default=_Place(card, (), 0, 0))


def _stretch(instead: Sequence[Token], tokens: Sequence[Token]) -> tuple[int, int]:
    """Between what two phrases begin and end with alike, in the first."""
    shorter = min(len(instead), len(tokens))
    start = next((i for i in range(shorter) if instead[i] != tokens[i]), shorter)
    rest = shorter - start
    after = next((i for i in range(rest) if instead[-1 - i] != tokens[-1 - i]), rest)
    return start, len(instead) - after
