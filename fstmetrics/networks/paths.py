"""The accepting paths of a network, counted, listed and sampled exactly: `Paths`. Nothing is written out.

A path is counted, not a string: a word sequence that a network spells in two ways counts twice.
"""

from __future__ import annotations

import math
import operator
import random
import sys
from collections.abc import Iterator
from typing import overload

from fstmetrics._native import Automaton
from fstmetrics.data.network import Network
from fstmetrics.networks.calls import callees_first
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import limits
from fstmetrics.support.printable import magnitude

Words = tuple[str, ...]
# Cards that call cards twice have numbers of paths whose digits double with every card: 100 cards, 10^29 digits.
MOST_BITS = 1 << 20
LENGTH_BITS = 63  # of the words of one path
# Out of a state: the word or "", the number of the card called or None, and the next state.
Step = tuple[str, int | None, int]


def countable(number: int, what: str, bits: int = MOST_BITS) -> int:
    """A number of paths or words, if it can be written down.

    Raises:
        FstmetricsError: it has more binary digits than it may.

    >>> countable(10**31, "paths")
    10000000000000000000000000000000
    """
    if number.bit_length() > bits:
        raise FstmetricsError(
            f"a card has more than 10^{int(bits * math.log10(2))} {what}, which are not counted: cards that call "
            "others twice double them, level by level"
        )
    return number


class CardGraph:
    """A card with useful states only, in topological order unless cyclic, as the counts want it.

    Attributes:
        start: the start state.
        steps: the arcs of every state, as they were written.
        is_final: of every state.
        cyclic: whether some path can be prolonged for ever.
    """

    def __init__(self, automaton: Automaton, words: tuple[str, ...]) -> None:
        self.start = automaton.start
        self.cyclic = not automaton.sorted
        self.is_final = [False] * automaton.num_states
        for state in automaton.finals.tolist():
            self.is_final[state] = True
        self.steps: list[list[Step]] = [[] for _ in self.is_final]
        columns = (automaton.sources.tolist(), automaton.labels.tolist(), automaton.destinations.tolist())
        for source, label, destination in zip(*columns, strict=True):
            step = (words[label], None, destination) if label >= 0 else ("", -label - 1, destination)
            self.steps[source].append(step)


def card_graphs(network: Network) -> dict[int, CardGraph]:
    """The cards that the root reaches, by their numbers in `network.cards`, callees first."""
    automata, words = network.rtn.cards, network.symbols.words
    graphs: dict[int, CardGraph] = {}

    def calls(number: int) -> list[int]:
        graph = graphs[number] = CardGraph(automata[number], words)
        return [called for steps in graph.steps for _, called, _ in steps if called is not None]

    return {number: graphs[number] for number in callees_first(calls, [network.rtn.root])}


class Paths:
    """All accepting paths of a network, numbered from 0 in the order in which the cards have their phrases or arcs.

    Attributes:
        count: how many there are, exactly.

    Raises:
        FstmetricsError: a card is cyclic, so there are infinitely many; or more than can be counted (`countable`).

    >>> from fstmetrics import Card, Network
    >>> paths = Paths(Network([Card.from_phrases("S", ["a [X]", "c"]), Card.from_phrases("X", ["x", "y"])], "S"))
    >>> len(paths), paths[1], list(paths)
    (3, ('a', 'y'), [('a', 'x'), ('a', 'y'), ('c',)])
    >>> [" ".join(words) for words in paths.sample(4, seed=1)]
    ['a x', 'c', 'a x', 'a y']
    """

    def __init__(self, network: Network) -> None:
        self._graphs = card_graphs(network)
        self._rests: dict[
            int, list[int]
        ] = {}  # of each card and state, how many ways there are to the card's end
        self._counts: dict[int, int] = {}
        for number, graph in self._graphs.items():
            if graph.cyclic:
                name = list(network.cards)[number]
                raise FstmetricsError(f"card {name!r} is cyclic, so the network has infinitely many paths")
            self._rests[number] = self._count(graph)
            self._counts[number] = self._rests[number][graph.start]
        self._root = next(reversed(self._graphs))
        self.count = self._counts[self._root]

    def __repr__(self) -> str:
        return f"Paths({magnitude(self.count)})"

    def __len__(self) -> int:
        """`count`; raises OverflowError from 2^63 on, which `len` cannot give."""
        if self.count > sys.maxsize:
            raise OverflowError(
                f"len() cannot give {magnitude(self.count)} paths: Paths.count has the number"
            )
        return self.count

    def __bool__(self) -> bool:
        return self.count > 0

    def _count(self, graph: CardGraph) -> list[int]:
        rests = [int(final) for final in graph.is_final]
        for state in reversed(range(len(rests))):
            for _, called, destination in graph.steps[state]:
                ways = rests[state] + (1 if called is None else self._counts[called]) * rests[destination]
                rests[state] = countable(ways, "paths")
        return rests

    @overload
    def __getitem__(self, index: int) -> Words: ...
    @overload
    def __getitem__(self, index: slice) -> list[Words]: ...
    def __getitem__(self, index: int | slice) -> Words | list[Words]:
        """The words of the path of this number, negative from the end; of a slice a list.

        Raises:
            IndexError: there is no such path.
            InputError: it has more arcs, or a slice more paths, than the limit on expansion.
        """
        if isinstance(index, slice):
            places = range(*index.indices(self.count))
            number = max(0, -((places.start - places.stop) // places.step))
            if number > limits().expansion:
                raise limits().error("expansion", f"{magnitude(number)} paths are asked for at once")
            return [self._path(place) for place in places]
        index = operator.index(index)
        if not -self.count <= index < self.count:
            raise IndexError(f"path {index} of {self.count}")
        return self._path(index % self.count)

    def _path(self, index: int) -> Words:
        words: list[str] = []
        asked, steps, most = index, 0, limits().expansion
        frames = [
            (self._root, self._graphs[self._root].start, index)
        ]  # card, state, number of the path from there on
        while frames:
            steps += 1
            if steps > most:
                raise limits().error("expansion", f"path {asked} of the network has more than {most} arcs")
            number, state, index = frames.pop()
            graph, rests = self._graphs[number], self._rests[number]
            if graph.is_final[state]:
                if index == 0:
                    continue
                index -= 1
            (word, called, destination), index = self._step(graph.steps[state], rests, index)
            inner, index = divmod(index, rests[destination])
            frames.append((number, destination, index))
            if called is not None:
                frames.append((called, self._graphs[called].start, inner))
            elif word:
                words.append(word)
        return tuple(words)

    def _step(self, steps: list[Step], rests: list[int], index: int) -> tuple[Step, int]:
        """The arc that a path takes, and the path's number among those that take it."""
        for step in steps:
            _, called, destination = step
            ways = (1 if called is None else self._counts[called]) * rests[destination]
            if index < ways:
                return step, index
            index -= ways
        raise AssertionError("a path's number is less than the number of paths")

    def __iter__(self) -> Iterator[Words]:
        """Every path in turn; each is made when it is asked for."""
        index = 0
        while index < self.count:  # not range(): there can be more than fit into a machine word
            yield self._path(index)
            index += 1

    def sample(self, size: int, seed: int | None = None) -> Iterator[Words]:
        """Independent draws, every path being as likely as any other; the same for the same seed."""
        rng = random.Random(seed)
        return (self._path(rng.randrange(self.count)) for _ in range(size))

    def some(self, size: int, seed: int | None = None) -> Iterator[Words]:
        """All paths, each once, where there are so many at most; else so many draws, as of `sample`."""
        return iter(self) if self.count <= size else self.sample(size, seed)
