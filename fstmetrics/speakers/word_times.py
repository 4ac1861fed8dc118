"""When each word of an utterance is taken to have been said: `Clock`; and on every path: `timed_paths`.

An utterance has a begin and an end, its words have none. As in MeetEval, a word's share of the time is its share of the
characters: `character_based` for references, and for hypotheses the middle of that time, `character_based_points`, to
which the collar is added on either side. Source: von Neumann et al., "MeetEval", CHiME 2023, section 3.4.

Where an utterance leaves a choice, the words of each path have the times that they would have if the path was all
that was said. So words that several paths have in common may have several times; `timed_paths` has an arc for each.

Times are computed in whole numbers and rounded once, so that what touches is never taken to overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from math import lcm
from typing import NamedTuple

from fstmetrics._native import Automaton
from fstmetrics.data.symbols import SymbolTable, labelled_arcs
from fstmetrics.support.limits import limits

Interval = tuple[float, float]


class Clock:
    """The times of words between two times.

    Args:
        begin, end: of the utterance, in seconds.
        collar: seconds on either side of the middle of a word, as hypotheses have them; None: from the begin of a word
            to its end, as references have them.

    >>> Clock(0, 4).times(["abc", "b"])
    [(0.0, 3.0), (3.0, 4.0)]
    >>> Clock(0, 4, collar=5).times(["abc", "b"])
    [(-3.5, 6.5), (-1.5, 8.5)]
    """

    def __init__(self, begin: float, end: float, collar: float | None = None) -> None:
        ratios = [Decimal(repr(float(time))).as_integer_ratio() for time in (begin, end, collar or 0.0)]
        self._ticks = lcm(*(denominator for _, denominator in ratios))  # in a second
        self._begin, self._end, self._collar = (
            numerator * (self._ticks // denominator) for numerator, denominator in ratios
        )
        self._is_point = collar is not None

    def time(self, before: int, characters: int, total: int) -> Interval:
        """Of a word after so many characters, with so many, of an utterance of `total`."""
        duration = self._end - self._begin
        if self._is_point:
            middle = 2 * total * self._begin + duration * (2 * before + characters)
            around, unit = 2 * total * self._collar, 2 * total * self._ticks
            return (middle - around) / unit, (middle + around) / unit
        origin, unit = total * self._begin, total * self._ticks
        return (origin + duration * before) / unit, (origin + duration * (before + characters)) / unit

    def times(self, words: Sequence[str]) -> list[Interval]:
        """Of the words of an utterance."""
        total, before = sum(map(len, words)), 0
        found = []
        for word in words:
            found.append(self.time(before, len(word), total))
            before += len(word)
        return found


class TimedArc(NamedTuple):
    """An arc of an automaton whose words have times; a word that is empty is no word."""

    source: int
    destination: int
    word: str
    time: Interval


# What an arc without a word has for a time: it is not looked at.
NEVER = (0.0, 0.0)


def timed_paths(
    machine: Automaton, symbols: SymbolTable, clock: Clock, name: str
) -> tuple[int, list[TimedArc]]:
    """All paths of an utterance that leaves a choice, from state 0 to the last, with the times of their words.

    A state is a state of the machine, the characters so far, and those of the whole path.

    Args:
        machine: prepared, without cycles.
        symbols: its words.
        clock: of the utterance.
        name: of the utterance, for messages.

    Returns:
        How many states there are, and the arcs.

    Raises:
        FstmetricsError: more arcs than the limit `expansion`.
    """
    arcs: list[list[tuple[int, str]]] = [[] for _ in range(machine.num_states)]
    for source, destination, word in labelled_arcs(machine, symbols.words):
        arcs[source].append((destination, word))
    finals = machine.finals.tolist()
    reached = _characters_before(arcs)
    totals = sorted({total for final in finals for total in reached[final]})
    states: dict[tuple[int, int, int], int] = {}
    found: list[TimedArc] = []
    most = limits().expansion
    ends = []
    for total in totals:
        rest = _characters_after(arcs, finals, total)
        places = {0: {0}}
        for state in range(machine.num_states):
            for before in sorted(places.get(state, ())):
                here = states.setdefault((total, state, before), len(states) + 1)
                for destination, word in arcs[state]:
                    after = before + len(word)
                    if total - after not in rest[destination]:
                        continue
                    places.setdefault(destination, set()).add(after)
                    there = states.setdefault((total, destination, after), len(states) + 1)
                    time = clock.time(before, len(word), total) if word else NEVER
                    found.append(TimedArc(here, there, word, time))
                if len(found) > most:
                    raise limits().error(
                        "expansion", f"{name}, with a time for each word of each path, has {len(found)} arcs"
                    )
        found.append(TimedArc(0, states[total, 0, 0], "", NEVER))
        ends += [states[total, final, total] for final in finals if (total, final, total) in states]
    last = len(states) + 1
    found += [TimedArc(end, last, "", NEVER) for end in ends]
    return last + 1, found


def _characters_before(arcs: Sequence[Sequence[tuple[int, str]]]) -> list[set[int]]:
    """How many characters may come before each state."""
    found: list[set[int]] = [set() for _ in arcs]
    found[0] = {0}
    for state, leaving in enumerate(arcs):
        for destination, word in leaving:
            found[destination] |= {before + len(word) for before in found[state]}
    return found


def _characters_after(
    arcs: Sequence[Sequence[tuple[int, str]]], finals: Sequence[int], total: int
) -> list[set[int]]:
    """How many characters may follow each state, up to `total`."""
    found: list[set[int]] = [set() for _ in arcs]
    for final in finals:
        found[final].add(0)
    for state in reversed(range(len(arcs))):
        for destination, word in arcs[state]:
            found[state] |= {after + len(word) for after in found[destination] if after + len(word) <= total}
    return found
