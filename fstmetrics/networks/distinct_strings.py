"""How many different sentences an automaton has: `count_strings`, exactly, or not at all."""

from __future__ import annotations

from fstmetrics._native import Automaton

# States of the deterministic automaton: some seconds. Annotators' networks need some thousands.
MAX_STATES = 100_000


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
