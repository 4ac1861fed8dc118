"""Which phrases of a network's cards a path took: `cards_taken`, told by the path's words after the search.

A chart of the cards over the words, from the root down and from left to right [Earley 1970]: the network is not
written out, and only cards are looked at that can begin where they are called.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from fstmetrics.data.cards import Call, Token, write_phrase
from fstmetrics.data.network import Network
from fstmetrics.engine.sides import Alternatives
from fstmetrics.networks.paths import CardGraph, Step, card_graphs
from fstmetrics.support.arguments import expect, instance, sentences_of
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import PLAIN, Normalisation


class CardTaken(NamedTuple):
    """A card that a path entered.

    Attributes:
        card: its name.
        phrase: the phrase taken through it, calls in brackets.
        start, end: the words of the path under it, half-open.
    """

    card: str
    phrase: str
    start: int
    end: int


def cards_taken(
    network: Network, words: str | Sequence[str], normalisation: Normalisation = PLAIN
) -> tuple[CardTaken, ...]:
    """The cards that a path with these words enters, callers before what they call, from left to right.

    Where several paths have these words, it is one of them, always the same.

    Args:
        network: where the path is.
        words: its words, such as `Result.closest`; or a string, split at white space.
        normalisation: what was done to the network's words before they were compared.

    Raises:
        FstmetricsError: the words are no path of the network.

    >>> from fstmetrics import Card
    >>> network = Network([Card.from_phrases("S", ["the [PM] spoke"]), Card.from_phrases("PM", ["PM", "premier"])], "S")
    >>> cards_taken(network, ["the", "premier", "spoke"])[1]
    CardTaken(card='PM', phrase='premier', start=1, end=2)
    """
    instance(Network).check(network, "network")
    expect(normalisation, Normalisation, "normalisation")
    (words,) = sentences_of([words], "words")
    chart = _Chart(network, words, normalisation.of_references)
    if not chart.complete():
        raise FstmetricsError(
            f"the words {' '.join(words)!r} are no path of network {network.id or '(no id)'}"
        )
    return tuple(chart.taken())


def has_path(network: Network, words: str | Sequence[str]) -> bool:
    """Whether the words are a path of the network; arguments as of `cards_taken`."""
    (words,) = sentences_of([words], "words")
    return _Chart(network, words, PLAIN.of_references).complete()


def taken_in(reference: Any, words: Sequence[str], normalisation: Normalisation) -> list[CardTaken]:
    """What was taken in a reference that is a network, or has networks among its alternatives.

    Empty where the words are no path of one, as after a grammar's rewriting or where characters are compared.
    """
    items = reference.items if isinstance(reference, Alternatives) else (reference,)
    for item in items:
        if isinstance(item, Network):
            try:
                return list(cards_taken(item, words, normalisation))
            except FstmetricsError:
                continue
    return []


class _Place(NamedTuple):
    """A state of a card that began at one position of the words, reached at another."""

    card: int
    begin: int
    state: int
    at: int


# How a place was reached: from which, by which arc, and, where that is a call, where the card called ended.
_Came = tuple[_Place, Step]


class _Chart:
    def __init__(self, network: Network, words: Sequence[str], normalisation: Normalisation) -> None:
        self._network, self._words, self._normalisation = network, tuple(words), normalisation
        self._graphs: dict[int, CardGraph] = card_graphs(network)
        self._root: int = network.rtn.root
        self._spelled: dict[str, tuple[str, ...]] = {}
        self._came: dict[_Place, _Came | None] = {}
        self._waiting: list[_Place] = []
        # By card and position: who called it there, and the places where it ends.
        self._callers: dict[tuple[int, int], list[_Came]] = defaultdict(list)
        self._ends: dict[tuple[int, int], dict[int, _Place]] = defaultdict(dict)

    def complete(self) -> bool:
        """Fill the chart; whether the root spans all words."""
        self._enter(self._root, 0)
        while self._waiting:
            place = self._waiting.pop()
            graph = self._graphs[place.card]
            for step in graph.steps[place.state]:
                self._take(place, step)
            if graph.is_final[place.state]:
                self._end(place)
        return len(self._words) in self._ends[self._root, 0]

    def _enter(self, card: int, at: int) -> None:
        self._reach(_Place(card, at, self._graphs[card].start, at), None)

    def _reach(self, place: _Place, came: _Came | None) -> None:
        if place not in self._came:
            self._came[place] = came
            self._waiting.append(place)

    def _take(self, place: _Place, step: Step) -> None:
        word, called, destination = step
        if called is not None:
            self._callers[called, place.at].append((place, step))
            self._enter(called, place.at)
            for end in list(self._ends[called, place.at]):
                self._reach(_Place(place.card, place.begin, destination, end), (place, step))
            return
        end = place.at + len(spelled := self._spelling(word))
        if self._words[place.at : end] == spelled:
            self._reach(_Place(place.card, place.begin, destination, end), (place, step))

    def _spelling(self, word: str) -> tuple[str, ...]:
        if word not in self._spelled:
            self._spelled[word] = tuple(self._normalisation.arc_words(word)) if word else ()
        return self._spelled[word]

    def _end(self, place: _Place) -> None:
        key = (place.card, place.begin)
        if place.at in self._ends[key]:
            return
        self._ends[key][place.at] = place
        for caller, step in list(self._callers[key]):
            self._reach(_Place(caller.card, caller.begin, step[2], place.at), (caller, step))

    def taken(self) -> Iterator[CardTaken]:
        """The cards on one path through the finished chart."""
        names = self._network.card_names
        pending = [self._ends[self._root, 0][len(self._words)]]
        while pending:
            end = pending.pop()
            tokens: list[Token] = []
            inner: list[_Place] = []
            place = end
            while (came := self._came[place]) is not None:
                before, (word, called, _) = came
                if called is not None:
                    tokens.append(Call(names[called]))
                    inner.append(self._ends[called, before.at][place.at])
                elif word:
                    tokens.append(word)
                place = before
            yield CardTaken(names[end.card], write_phrase(reversed(tokens)), end.begin, end.at)
            pending += inner  # from right to left, so that the leftmost is taken next
