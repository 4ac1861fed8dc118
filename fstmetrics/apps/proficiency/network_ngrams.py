"""Which n-grams of a sentence occur somewhere on a path of a network: `ngram_matches`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fstmetrics import FstmetricsError, Normalisation
from fstmetrics._native import Automaton, Rtn
from fstmetrics.data.symbols import EPSILON
from fstmetrics.engine.sides import Input, as_graph
from fstmetrics.support.limits import limits


def ngram_matches(
    words: Sequence[str], reference: Input, max_order: int, normalisation: Normalisation | None = None
) -> npt.NDArray[np.int64]:
    """How many n-grams of a sentence occur on some path, for n = 1 .. max_order.

    Not clipped: every occurrence in the sentence counts. An n-gram occurs in an automaton if a path from the start to a
    final state reads it somewhere. One sweep over the sentence decides all orders: for every state, the longest run of
    words just read that ends there on some path. O(words x arcs that carry the word, or none).

    Args:
        words: the sentence's words, normalised like the reference.
        reference: a network, or anything else that can be a reference.
        max_order: the largest n.
        normalisation: of the reference's words.

    Returns:
        Counts, shape [max_order].

    Raises:
        FstmetricsError: the network is too large to be written out.

    >>> import fstmetrics as fm
    >>> ngram_matches("the cat sat".split(), fm.Alternatives(["the cat", "a cat sat"]), 3).tolist()
    [3, 2, 0]
    """
    graph = as_graph(reference, normalisation or Normalisation())
    machine = graph.machine
    automaton = machine.expanded(limits().expansion) if isinstance(machine, Rtn) else machine
    if automaton is None:
        raise FstmetricsError("the network is too large to look for n-grams in it")
    automaton = automaton.prepared()
    longest = np.zeros(automaton.num_states, dtype=np.int64)
    counts = np.zeros(max_order, dtype=np.int64)
    arcs = _Arcs(automaton)
    labels = {word: label for label, word in enumerate(graph.words)}
    for word in words:
        longest = arcs.read(longest, labels.get(word, EPSILON))
        counts[: min(int(longest.max(initial=0)), max_order)] += 1
    return counts


class _Arcs:
    """The arcs of an automaton by label."""

    def __init__(self, automaton: Automaton) -> None:
        order = np.argsort(automaton.labels, kind="stable")
        self._labels = automaton.labels[order]
        self._sources = automaton.sources[order]
        self._destinations = automaton.destinations[order]

    def _of(self, label: int) -> slice:
        first, last = np.searchsorted(self._labels, [label, label + 1])
        return slice(int(first), int(last))

    def read(self, longest: npt.NDArray[np.int64], label: int) -> npt.NDArray[np.int64]:
        """The longest runs after one more word; no state has any after a word that no arc has."""
        after = np.zeros_like(longest)
        if label == EPSILON:
            return after
        arcs = self._of(label)
        np.maximum.at(after, self._destinations[arcs], longest[self._sources[arcs]] + 1)
        self._pass_epsilons(after)
        return after

    def _pass_epsilons(self, longest: npt.NDArray[np.int64]) -> None:
        arcs = self._of(EPSILON)
        while arcs.stop > arcs.start:
            before = longest.copy()
            np.maximum.at(longest, self._destinations[arcs], before[self._sources[arcs]])
            if np.array_equal(before, longest):
                return
