"""The utterances of a speaker in a row, as the engine wants them for sessions: `Chain`, `Vocabulary`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fstmetrics._native import Automaton, Graph
from fstmetrics.data.symbols import WILDCARD, SymbolTable, labelled_arcs
from fstmetrics.engine.sides import Side, written_out
from fstmetrics.speakers.word_times import NEVER, Clock, Interval, TimedArc, timed_paths
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import PLAIN

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
            self._add_words(words, clock.times(words) if clock else [NEVER] * len(words))

    def _add_words(self, words: Sequence[str], times: Sequence[Interval]) -> None:
        states = range(self._last, self._last + len(words))
        self._sources += states
        self._labels += map(self._label, words)
        self._destinations += (state + 1 for state in states)
        self._times += times
        self._last += len(words)

    def _label(self, word: str) -> int:
        return self._vocabulary.setdefault(word, len(self._vocabulary))

    def _add_graph(self, side: Graph, name: str, clock: Clock | None) -> None:
        machine, symbols = self._acyclic(side, name)
        if clock:
            states, arcs = timed_paths(machine, symbols, clock, name)
        else:
            states, arcs = _one_end(machine, symbols)
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
        order = np.argsort(
            np.array(self._sources, dtype=np.int32), kind="stable"
        )  # in which arcs are numbered
        columns = (self._sources, self._labels, self._destinations)
        sources, labels, destinations = (np.array(column, dtype=np.int32)[order] for column in columns)
        finals = np.array([self._last], dtype=np.int32)
        automaton = Automaton(self._last + 1, 0, sources, labels, destinations, finals).prepared()
        times = np.array(self._times, dtype=np.float64).reshape(-1, 2)[order]
        return automaton, np.ascontiguousarray(times[:, 0]), np.ascontiguousarray(times[:, 1])


def _one_end(machine: Automaton, symbols: SymbolTable) -> tuple[int, list[TimedArc]]:
    """The arcs of a prepared automaton, and how many states it has; the last is the only end."""
    arcs = [TimedArc(*arc, NEVER) for arc in labelled_arcs(machine, symbols.words)]
    end = machine.num_states
    arcs += [TimedArc(final, end, "", NEVER) for final in machine.finals.tolist()]
    return end + 1, arcs
