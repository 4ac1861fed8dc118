"""How large machines are, before any is built: `Size`, and formulas for each machine (docs/compile.md).

OpenFst builds a composition as a whole, and a process that runs out of memory then is ended without an exception.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fstmetrics._native import Automaton, Rtn
from fstmetrics.metrics.path_metric import Reordering
from fstmetrics.networks.calls import callees_first
from fstmetrics.support.limits import limits
from fstmetrics.support.printable import counted

# OpenFst's weights are 32-bit floats, which have all whole numbers up to there.
MOST_UNITS = 2**24


class Size(NamedTuple):
    """States and arcs of a machine."""

    states: int
    arcs: int

    def __add__(self, other: Size) -> Size:  # type: ignore[override]
        return Size(self.states + other.states, self.arcs + other.arcs)

    def __str__(self) -> str:
        return f"{counted(self.states, 'state')} and {counted(self.arcs, 'arc')}"


def size_of_permutations(words: int, window: int, reordering: Reordering) -> Size:
    """Of Π(x, k), at most: every place has as many states and arcs as one in the middle of a long string.

    A state has a set of k - 1 places, and its arcs are the places left: (k + 1) / 2 of them on average. Where moves
    are counted, the block that is read may end behind any place taken whose neighbour is free: another (k - 2) / 4 of
    the states.

    >>> size_of_permutations(10, 3, "jumps"), size_of_permutations(10, 3, "moves")
    (Size(states=41, arcs=80), Size(states=51, arcs=100))
    """
    k = min(window, words)
    if k < 2:
        return Size(words + 1, words)
    if reordering == "jumps":
        return Size(words * 2 ** (k - 1) + 1, words * (k + 1) * 2 ** (k - 1) // 2)
    return Size(words * (k + 2) * 2 ** (k - 1) // 4 + 1, words * (k + 1) * (k + 2) * 2 ** (k - 1) // 8)


def size_of_network(rtn: Rtn) -> Size:
    """Of a network with every call replaced by a copy of what it calls, at most.

    A call becomes an arc into the copy, and one out of each of its final states.
    """
    cards, known = rtn.cards, dict[int, Size]()
    for number in bottom_up(rtn.root, cards):
        card = cards[number]
        known[number] = Size(card.num_states, card.num_arcs)
        for label in card.labels.tolist():
            if label < 0:
                known[number] += known[-label - 1] + Size(0, len(cards[-label - 1].finals))
    return known[rtn.root]


def bottom_up(root: int, cards: Sequence[Automaton]) -> list[int]:
    """The cards that the root uses, each behind those that it calls."""
    return callees_first(
        lambda card: [-label - 1 for label in cards[card].labels.tolist() if label < 0], [root]
    )


def size_of_composition(h: Size, memories: int, r: Size) -> Size:
    """Of H ∘ T ∘ R, at most: M(2 E_H E_R + E_H Q_R + Q_H E_R) arcs, with Q states and E arcs.

    Two arcs lie on each other at once as a match and as a substitution at most; or one stands still, in any of the
    other's states.

    >>> size_of_composition(Size(3, 2), 1, Size(4, 3))
    Size(states=12, arcs=29)
    """
    arcs = memories * (2 * h.arcs * r.arcs + h.arcs * r.states + h.states * r.arcs)
    return Size(memories * h.states * r.states, arcs)


def check_size(size: Size, what: str) -> None:
    """Whether a machine may be built, by the limit on what is written out.

    Raises:
        InputError: it may not; says how many arcs it could have, and how to raise the limit.
    """
    limits().check("expansion", size.arcs, f"{what} could have", "arcs as a machine of OpenFst")
