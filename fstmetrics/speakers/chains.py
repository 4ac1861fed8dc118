"""The utterances of a speaker in a row, as the engine wants them for sessions: `Chain`, `Vocabulary`.

When each word of an utterance is taken to have been said: `Clock`; and on every path: `timed_paths`. An utterance has a
begin and an end, its words have none. As in MeetEval, a word's share of the time is its share of the characters:
`character_based` for references, and for hypotheses the middle of that time, `character_based_points`, to which the
collar is added on either side. Source: von Neumann et al., "MeetEval", CHiME 2023, section 3.4.

Where an utterance leaves a choice, the words of each path have the times that they would have if the path was all
that was said. So words that several paths have in common may have several times; `timed_paths` has an arc for each.

Times are computed in whole numbers and rounded once, so that what touches is never taken to overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from math import lcm
from typing import NamedTuple

import numpy as np

from fstmetrics._native import Automaton, Graph
from fstmetrics.data.symbols import WILDCARD, SymbolTable, labelled_arcs, leaving
from fstmetrics.engine.sides import Side, written_out
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import limits
from fstmetrics.text.normalisation import PLAIN

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
    by_state = leaving(labelled_arcs(machine, symbols.words))
    arcs = [by_state.get(state, ()) for state in range(machine.num_states)]
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
    for state, further in enumerate(arcs):
        for destination, word in further:
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


Times = np.ndarray[tuple[int], np.dtype[np.float64]]
# An automaton, and when its arcs, by their origin, begin and end.
Timed = tuple[Automaton, Times, Times]
# The labels of a session's words, from 1; 0 is that of no word.
Vocabulary = dict[str, int]


class Chain:
    """An automaton that grows at its end, utterance by utterance.

    Args:
        vocabulary: of the session.
        metric: what is computed, for messages.
    """

    def __init__(self, vocabulary: Vocabulary, metric: str) -> None:
        self._vocabulary, self._metric = vocabulary, metric
        self._last = 0
        self._sources: list[int] = []
        self._labels: list[int] = []
        self._destinations: list[int] = []
        self._times: list[Interval] = []

    def __len__(self) -> int:
        """How many arcs there are."""
        return len(self._sources)

    def add(self, side: Side, name: str, clock: Clock | None = None) -> None:
        """An utterance, with times if there is a clock.

        Raises:
            FstmetricsError: a network with cycles, a stretch that is left open, or more paths than the limit says.
        """
        if isinstance(side, Graph):
            self._add_graph(side, name, clock)
        else:
            words = PLAIN.words(side)
            states = range(self._last, self._last + len(words))
            self._sources += states
            self._labels += map(self._label, words)
            self._destinations += (state + 1 for state in states)
            self._times += clock.times(words) if clock else [NEVER] * len(words)
            self._last += len(words)

    def _label(self, word: str) -> int:
        return self._vocabulary.setdefault(word, len(self._vocabulary))

    def _add_graph(self, side: Graph, name: str, clock: Clock | None) -> None:
        machine, symbols = self._acyclic(side, name)
        if clock:
            states, arcs = timed_paths(machine, symbols, clock, name)
        else:
            states = machine.num_states + 1
            arcs = [TimedArc(*arc, NEVER) for arc in labelled_arcs(machine, symbols.words)]
            arcs += [TimedArc(final, states - 1, "", NEVER) for final in machine.finals.tolist()]
        first = self._last
        for arc in arcs:
            self._sources.append(first + arc.source)
            self._labels.append(self._label(arc.word))
            self._destinations.append(first + arc.destination)
            self._times.append(arc.time)
        self._last = first + states - 1

    def _acyclic(self, side: Graph, name: str) -> tuple[Automaton, SymbolTable]:
        machine, symbols = written_out(side)
        if WILDCARD in symbols.index:
            raise FstmetricsError(
                f"{name} leaves a stretch open, {WILDCARD}; {self._metric} does not take that, cpwer does"
            )
        machine = machine.prepared()
        if not machine.sorted:
            raise FstmetricsError(
                f"{name} is a network with cycles; {self._metric} does not take that, cpwer does"
            )
        return machine, symbols

    def timed(self) -> Timed:
        """All so far, with one end, prepared; and when its arcs, by their origin, begin and end."""
        # In which arcs are numbered.
        order = np.argsort(np.array(self._sources, dtype=np.int32), kind="stable")
        columns = (self._sources, self._labels, self._destinations)
        sources, labels, destinations = (np.array(column, dtype=np.int32)[order] for column in columns)
        finals = np.array([self._last], dtype=np.int32)
        automaton = Automaton(self._last + 1, 0, sources, labels, destinations, finals).prepared()
        times = np.array(self._times, dtype=np.float64).reshape(-1, 2)[order]
        return automaton, np.ascontiguousarray(times[:, 0]), np.ascontiguousarray(times[:, 1])
