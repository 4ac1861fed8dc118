"""The sizes of a network: `network_info`; how many different sentences it has: `count_strings`."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fstmetrics._native import Automaton
from fstmetrics.data.network import Network
from fstmetrics.networks.automata import linear_lattice
from fstmetrics.networks.paths import LENGTH_BITS, CardGraph, card_graphs, countable
from fstmetrics.support.arguments import WHOLE, instance, shortened, takes
from fstmetrics.support.printable import counted, magnitude

# Expansions up to this many arcs are written out to be counted: about a second and half a gigabyte.
MAX_EXPANDED_ARCS = 10_000_000
# Strings are counted in expansions up to this many arcs: some seconds.
MAX_COUNTED_ARCS = 500_000
# States of the deterministic automaton: some seconds. Annotators' networks need some thousands.
MAX_STATES = 100_000


@dataclass(frozen=True, slots=True)
class NetworkInfo:
    """Sizes of a network. Of its cards, those are counted that are on some path.

    Attributes:
        id: the network's id.
        cards: cards that are on some path, the root included.
        unused_cards: all others.
        states: states of the cards, useless ones left out.
        arcs: arcs of the cards, likewise.
        depth: cards on the longest chain of calls; 1 where none is called.
        expanded_states: states of the network with every call replaced by what is called, calls and returns being
            epsilon arcs; None beyond the limit.
        expanded_arcs: arcs of the same.
        most_expanded_arcs: an upper bound of `expanded_arcs` that needs no expansion.
        shared_states: where the expansion is beyond the limit, but cards are called only where cards begin, states of
            the lattice in which each card is there once (`linear_lattice`); None otherwise.
        shared_arcs: arcs of the same.
        paths: accepting paths, exactly; None if there are infinitely many.
        strings: distinct word sequences, exactly; None where they are not counted, or infinitely many.
        shortest: words of the shortest path.
        longest: words of the longest path; None if there is none.
        mean_length: words of a path, averaged over all paths; None if they are infinitely many.
        vocabulary: distinct words.
    """

    id: str
    cards: int
    unused_cards: int
    states: int
    arcs: int
    depth: int
    expanded_states: int | None
    expanded_arcs: int | None
    most_expanded_arcs: int
    shared_states: int | None
    shared_arcs: int | None
    paths: int | None
    strings: int | None
    shortest: int
    longest: int | None
    mean_length: Fraction | None
    vocabulary: int

    def _repr_html_(self) -> str:
        from fstmetrics.reports.notebook import sizes_html

        return sizes_html(self)

    def __repr__(self) -> str:
        paths = "infinitely many" if self.paths is None else magnitude(self.paths)
        return (
            f"NetworkInfo({shortened(self.id)}, {counted(self.cards, 'card')}, {self.states} states, {self.arcs} arcs, "
            f"{paths} paths)"
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the mean length as a float, the rest as it is."""
        data: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        return data | {"mean_length": None if self.mean_length is None else float(self.mean_length)}


@dataclass(frozen=True, slots=True)
class _Lengths:
    """The paths of a card: how many, the sum of their words, and the extremes."""

    paths: int | None
    words: int
    shortest: int
    longest: int | None
    depth: int


@takes(network=instance(Network), max_expanded_arcs=WHOLE, max_states=WHOLE)
def network_info(
    network: Network, max_expanded_arcs: int = MAX_EXPANDED_ARCS, max_states: int = MAX_STATES
) -> NetworkInfo:
    """Count what is in a network, without expanding it beyond a limit.

    Args:
        network: what to count.
        max_expanded_arcs: expansions of more arcs are not written out.
        max_states: states of the deterministic automaton by which strings are counted; with more they are not.
            0 counts none.

    Raises:
        FstmetricsError: paths or their words cannot be counted, as of `Paths`.

    >>> from fstmetrics import Card
    >>> network = Network([Card.from_phrases("S", ["a [X]", "c"]), Card.from_phrases("X", ["x", "y z"])], "S")
    >>> info = network_info(network)
    >>> info.paths, info.shortest, info.longest, info.mean_length, info.depth, info.vocabulary
    (3, 1, 3, Fraction(2, 1), 2, 5)
    """
    graphs = card_graphs(network)
    lengths: dict[int, _Lengths] = {}
    for number, graph in graphs.items():
        lengths[number] = _lengths(graph, lengths)
    whole = lengths[next(reversed(graphs))]
    expansion = network.rtn.expanded(max_expanded_arcs)
    lattice = linear_lattice(network) if expansion is None else None
    shared = lattice.prepared if lattice else None
    automaton = expansion or shared
    strings = None
    if automaton is not None and whole.paths is not None and automaton.num_arcs <= MAX_COUNTED_ARCS:
        strings = count_strings(automaton, max_states)
    words = {word for graph in graphs.values() for steps in graph.steps for word, _, _ in steps if word}
    return NetworkInfo(
        id=network.id,
        cards=len(graphs),
        unused_cards=len(network.cards) - len(graphs),
        states=sum(len(graph.steps) for graph in graphs.values()),
        arcs=sum(len(steps) for graph in graphs.values() for steps in graph.steps),
        depth=whole.depth,
        expanded_states=expansion.num_states if expansion else None,
        expanded_arcs=expansion.num_arcs if expansion else None,
        most_expanded_arcs=network.rtn.expanded_arcs,
        shared_states=shared.num_states if shared else None,
        shared_arcs=shared.num_arcs if shared else None,
        paths=whole.paths,
        strings=strings,
        shortest=whole.shortest,
        longest=whole.longest,
        mean_length=None if whole.paths is None else Fraction(whole.words, whole.paths),
        vocabulary=len(words),
    )


def _lengths(graph: CardGraph, cards: dict[int, _Lengths]) -> _Lengths:
    called = [cards[number] for steps in graph.steps for _, number, _ in steps if number is not None]
    depth = 1 + max((card.depth for card in called), default=0)
    if graph.cyclic or any(card.paths is None for card in called):
        return _Lengths(None, 0, _shortest(graph, cards), None, depth)
    states = len(graph.steps)
    paths, words, longest = [0] * states, [0] * states, [-1] * states
    for state in reversed(range(states)):
        if graph.is_final[state]:
            paths[state], longest[state] = 1, 0
        for word, number, destination in graph.steps[state]:
            step = _Lengths(1, bool(word), 0, bool(word), 0) if number is None else cards[number]
            assert step.paths is not None
            assert step.longest is not None
            paths[state] = countable(paths[state] + step.paths * paths[destination], "paths")
            words[state] += step.words * paths[destination] + step.paths * words[destination]
            longest[state] = max(longest[state], step.longest + longest[destination])
            countable(longest[state], "words on a path", LENGTH_BITS)
    start = graph.start
    return _Lengths(paths[start], words[start], _shortest(graph, cards), longest[start], depth)


def _shortest(graph: CardGraph, cards: dict[int, _Lengths]) -> int:
    """Words on the shortest path, by Dijkstra's algorithm, as cards may be cyclic."""
    queue, done = [(0, graph.start)], set[int]()
    while True:
        length, state = heapq.heappop(queue)
        if graph.is_final[state]:
            return length
        if state in done:
            continue
        done.add(state)
        for word, number, destination in graph.steps[state]:
            more = bool(word) if number is None else cards[number].shortest
            heapq.heappush(queue, (countable(length + more, "words on a path", LENGTH_BITS), destination))


def count_strings(automaton: Automaton, max_states: int = MAX_STATES) -> int | None:
    """The strings of an acyclic automaton, each counted once, however many paths spell it.

    They are the paths of the deterministic automaton [Rabin and Scott 1959], which the engine makes minimal.

    Args:
        automaton: without a cycle; label 0 is no word.
        max_states: how many states the deterministic automaton may have.

    Returns:
        The number; None where there would be more states.
    """
    if max_states < 1:
        return None
    least: Automaton | None = automaton.minimal(max_states)
    if least is None:
        return None
    following: list[list[int]] = [[] for _ in range(least.num_states)]
    for source, destination in zip(least.sources.tolist(), least.destinations.tolist(), strict=True):
        following[source].append(destination)
    counts: list[int | None] = [None] * least.num_states
    ends = set(least.finals.tolist())
    stack = [least.start]
    while stack:
        state = stack[-1]
        waiting = [other for other in following[state] if counts[other] is None]
        if waiting:
            stack += waiting
            continue
        stack.pop()
        counts[state] = (state in ends) + sum(counts[other] or 0 for other in following[state])
    return counts[least.start]
