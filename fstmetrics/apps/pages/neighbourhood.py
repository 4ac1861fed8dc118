"""What lies beside a path of a reference or a lattice: `drawing_of`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from fstmetrics import Normalisation
from fstmetrics._native import Rtn
from fstmetrics.apps.pages.shown import Branch, Drawing
from fstmetrics.data.symbols import labelled_arcs, leaving
from fstmetrics.engine.sides import as_graph

# A network that would have more arcs written out is not drawn.
MAX_ARCS = 200_000
# Branches longer than this are cut off; more at one place are left out.
MAX_WORDS = 6
MAX_BRANCHES = 5
# Unfinished branches kept at a time.
MAX_WAITING = 1000

NO_PATH = (
    "Not drawn: neither the closest path nor the hypothesis is one of its paths, as after --lowercase, --ignore, "
    "--tokenize or --grammar."
)

NUMBERS = " The words of this lattice are numbers: --symbols FILE, as for oracle, says which words they are."

Leaving = Mapping[int, Sequence[tuple[int, str]]]


def drawing_of(value: Any, closest: Sequence[str], hypothesis: Sequence[str]) -> Drawing:
    """The branches that leave a path and come back to it.

    Args:
        value: a Network, Lattice, Transcript, or anything else that can be a reference.
        closest: the words of the path, if that is what references hold.
        hypothesis: those of the path, if it is what hypotheses were chosen from.
    """
    graph = as_graph(value, Normalisation())
    machine = graph.machine
    automaton = machine.expanded(MAX_ARCS) if isinstance(machine, Rtn) else machine
    if automaton is None or automaton.num_arcs > MAX_ARCS:
        return Drawing(why=f"Not drawn: it has more than {MAX_ARCS:,} arcs.")
    arcs = labelled_arcs(automaton, graph.words)
    by_state = leaving(arc for arc in arcs if arc[0] != arc[1])  # a loop is a wildcard once more
    for of_hypothesis, words in ((False, closest), (True, hypothesis)):
        if path := _path(by_state, automaton.start, frozenset(automaton.finals.tolist()), words):
            branches = _branches(by_state, path, words)
            return Drawing(
                branches, of_hypothesis, "" if branches else "There is no other path near this one."
            )
    numbers = all(word.isdecimal() for word in graph.words if word)
    return Drawing(why=NO_PATH + (NUMBERS if numbers else ""))


def _branches(by_state: Leaving, path: Sequence[tuple[int, int]], words: Sequence[str]) -> list[Branch]:
    """Where each branch leaves and where it comes back, as numbers of words of the path, and its words."""
    position = dict(path)
    taken = {(a, b) for (a, _), (b, _) in pairwise(path)}
    found: dict[int, list[Branch]] = {}
    for state, start in path:
        for end, text in _from(by_state, state, position, taken):
            branch = (start, end, text)
            here = found.setdefault(start, [])
            if text.split() != list(words[start:end]) and branch not in here and len(here) < MAX_BRANCHES:
                here.append(branch)
    return [branch for here in found.values() for branch in here]


def _path(
    by_state: Leaving, start: int, finals: frozenset[int], words: Sequence[str]
) -> list[tuple[int, int]]:
    """States of a path with these words, and how many words come before each; empty if there is none."""
    came: dict[tuple[int, int], tuple[int, int] | None] = {(start, 0): None}
    waiting = [(start, 0)]
    for node in waiting:  # grows while it is read
        state, position = node
        if state in finals and position == len(words):
            path = [node]
            while (before := came[path[-1]]) is not None:
                path.append(before)
            return path[::-1]
        for destination, word in by_state.get(state, ()):
            following = (destination, position + bool(word))
            fits = not word or (position < len(words) and words[position] == word)
            if fits and following not in came:
                came[following] = node
                waiting.append(following)
    return []


def _from(
    by_state: Leaving, start: int, position: Mapping[int, int], taken: set[tuple[int, int]]
) -> list[tuple[int, str]]:
    """Where branches from a state come back to the path, and their words; short ones first."""
    found: list[tuple[int, str]] = []
    waiting: list[tuple[int, tuple[str, ...]]] = [(start, ())]
    while waiting and len(found) < 4 * MAX_BRANCHES:
        following = []
        for state, before in waiting:
            for destination, word in by_state.get(state, ()):
                words = (*before, word) if word else before
                if destination in position:
                    # The path's own arc is no branch; another one between the same states is.
                    if words or (state, destination) not in taken:
                        found.append((position[destination], " ".join(words)))
                elif len(words) <= MAX_WORDS:
                    following.append((destination, words))
        waiting = following[:MAX_WAITING]
    return found
