"""Π(x, k) as arcs: the permutations of a string in a local window [H12 §3, after Kanthak et al. 2005]: `permutations`.

A permutation is read from left to right. Each word taken is at most k - 1 places right of the leftmost word not yet
taken. So a state is that leftmost place, the set of words taken beyond it, and, where moves are counted, the place
whose word would continue the block that is being read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fstmetrics.metrics.path_metric import Reordering


class Taken(NamedTuple):
    """A word taken: from state to state, which word of the string, and whether that is a move."""

    source: int
    position: int
    moves: int
    destination: int


# The leftmost place not yet taken, places taken beyond it, and the place that continues the block or -1.
State = tuple[int, frozenset[int], int]


def permutations(words: int, window: int, reordering: Reordering) -> tuple[list[Taken], int, int]:
    """The arcs, the number of states and the final state; state 0 is the start.

    Args:
        words: how many the string has.
        window: k.
        reordering: what is a move; see `fstmetrics.HyTER`.

    >>> arcs, states, final = permutations(3, 2, "moves")
    >>> [(arc.source, arc.position, arc.moves, arc.destination) for arc in arcs]
    [(0, 0, 0, 1), (0, 1, 1, 2), (1, 1, 0, 3), (1, 2, 1, 4), (2, 0, 0, 3), (3, 2, 0, 5), (4, 1, 0, 5)]
    >>> states, final
    (6, 5)
    """
    start: State = (0, frozenset(), -1)
    number, todo = {start: 0}, [start]
    arcs: list[Taken] = []
    for here in todo:
        for position, moves, there in _ways_on(here, words, window, reordering):
            if there not in number:
                number[there] = len(number)
                todo.append(there)
            arcs.append(Taken(number[here], position, moves, number[there]))
    return arcs, len(number), number[words, frozenset(), -1]


def _ways_on(
    here: State, words: int, window: int, reordering: Reordering
) -> Iterator[tuple[int, int, State]]:
    """The place of each word that can be taken next, whether that is a move, and the state behind it."""
    leftmost, taken, continuing = here
    for position in range(leftmost, min(words, leftmost + window)):
        if position in taken:
            continue
        left, beyond = leftmost, taken | {position}
        while left in beyond:
            beyond, left = beyond - {left}, left + 1
        after = position + 1
        # It matters only where it could be taken out of turn.
        matters = reordering == "moves" and left < after < min(words, left + window) and after not in beyond
        yield position, int(position not in (leftmost, continuing)), (left, beyond, after if matters else -1)
