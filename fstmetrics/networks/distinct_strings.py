"""How many different sentences an automaton has: `count_strings`, exactly, or not at all."""

from __future__ import annotations

from fstmetrics._native import Automaton

# States of the deterministic automaton: some seconds. Annotators' networks need some thousands.
MAX_STATES = 100_000
States = frozenset[int]


def count_strings(automaton: Automaton, max_states: int = MAX_STATES) -> int | None:
    """The strings of an acyclic automaton, each counted once, however many paths spell it.

    They are the paths of the deterministic automaton, whose states are sets of states [Rabin and Scott 1959]; the sets
    are counted from the end, and made when they are reached.

    Args:
        automaton: without a cycle; label 0 is no word.
        max_states: how many sets of states may be made.

    Returns:
        The number; None where there would be more sets.
    """
    without_word, by_word = _leaving(automaton)
    finals = frozenset(automaton.finals.tolist())
    closures: dict[int, States] = {}

    def closure(state: int) -> States:
        if state not in closures:
            reached, pending = {state}, [state]
            while pending:
                for destination in without_word[pending.pop()]:
                    if destination not in reached:
                        reached.add(destination)
                        pending.append(destination)
            closures[state] = frozenset(s for s in reached if by_word[s] or s in finals)
        return closures[state]

    def after(states: States) -> list[States]:
        reached: dict[int, set[int]] = {}
        for state in states:
            for label, destinations in by_word[state].items():
                reached.setdefault(label, set()).update(*map(closure, destinations))
        return [frozenset(one) for one in reached.values()]

    start = closure(automaton.start)
    following: dict[States, list[States]] = {}
    counts: dict[States, int] = {}
    stack = [start]
    while stack:
        states = stack[-1]
        if states in counts:
            stack.pop()
            continue
        if states not in following:
            if len(following) + len(counts) >= max_states:
                return None
            following[states] = after(states)
        waiting = [one for one in following[states] if one not in counts]
        if waiting:
            stack += waiting
            continue
        counts[states] = (not finals.isdisjoint(states)) + sum(counts[one] for one in following.pop(states))
        stack.pop()
    return counts[start]


def _leaving(automaton: Automaton) -> tuple[list[list[int]], list[dict[int, list[int]]]]:
    """Of every state, where its arcs without a word lead, and where those with a word do, by the word."""
    without_word: list[list[int]] = [[] for _ in range(automaton.num_states)]
    by_word: list[dict[int, list[int]]] = [{} for _ in range(automaton.num_states)]
    columns = (automaton.sources.tolist(), automaton.labels.tolist(), automaton.destinations.tolist())
    for source, label, destination in zip(*columns, strict=True):
        if label:
            by_word[source].setdefault(label, []).append(destination)
        else:
            without_word[source].append(destination)
    return without_word, by_word
