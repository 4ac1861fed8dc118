"""Where a document is cut: criteria, which find the cuts of its words against the references of its segments.

A criterion takes the references of the segments as lists of words, and the words of the hypothesis, and gives K + 1
cuts `0 = c[0] <= ... <= c[K] = N`: segment k has the words from `c[k - 1]` to `c[k]`. `edit_cuts` has the fewest edits
in all; `graph_cuts` is the same where references leave a choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from fstmetrics._native import Graph, cuts_of_graphs, cuts_of_strings
from fstmetrics.data.symbols import WILDCARD
from fstmetrics.engine.sides import Side, written_out
from fstmetrics.support.errors import FstmetricsError

Criterion = Literal["edits", "soft"]
# The label of any word, in a segment's graph.
ANY_WORD = -1


def edit_cuts(references: Sequence[Sequence[str]], hypothesis: Sequence[str]) -> list[int]:
    """The cuts with the fewest edits between segments and their references; of equal ones the earliest.

    The first cut is as early as it can be in any best segmentation, the second as early as it can be beside that one,
    and so on. Source: Matusov et al. 2005.

    >>> edit_cuts([["the", "cat"], ["sat", "down"]], ["the", "hat", "uh", "sat", "down"])
    [0, 2, 5]
    """
    cuts, _ = cuts_of_strings(list(map(list, references)), [list(hypothesis)])
    return list(map(int, cuts))


def cuts_by(criterion: Criterion) -> Callable[[Sequence[Sequence[str]], Sequence[str]], list[int]]:
    """The function of a criterion."""
    if criterion == "soft":
        from fstmetrics.streams.soft import soft_cuts

        return soft_cuts
    return edit_cuts


def graph_cuts(references: Sequence[Side], hypothesis: Sequence[str]) -> list[int]:
    """As `edit_cuts`, with the closest path of each reference.

    Raises:
        FstmetricsError: a reference that is cyclic, or a network that is too large.
    """
    labels: dict[str, int] = {"": 0, WILDCARD: ANY_WORD}
    firsts, starts = [0], []
    columns: list[list[np.ndarray[tuple[int], np.dtype[np.int32]]]] = [[], [], []]
    for reference in references:
        automaton, symbols = written_out(reference)
        begin = firsts[-1]
        end = begin + automaton.num_states
        new = np.array([labels.setdefault(word, len(labels)) for word in symbols.words], dtype=np.int32)
        finals = automaton.finals + np.int32(begin)
        columns[0] += [automaton.sources + np.int32(begin), finals]
        columns[1] += [new[automaton.labels], np.zeros(len(finals), dtype=np.int32)]
        columns[2] += [automaton.destinations + np.int32(begin), np.full(len(finals), end, dtype=np.int32)]
        starts.append(begin + automaton.start)
        firsts.append(end + 1)
    words = [labels.setdefault(word, len(labels)) for word in hypothesis]
    first_states, begins, heard = (np.array(each, dtype=np.int32) for each in (firsts, starts, words))
    sources, arc_labels, destinations = map(np.concatenate, columns)
    try:
        cuts, _ = cuts_of_graphs(first_states, begins, sources, arc_labels, destinations, heard)
    except ValueError as error:
        raise FstmetricsError(f"a document cannot be cut: {error}") from None
    return list(map(int, cuts))


def has_choices(references: Sequence[Side]) -> bool:
    """Whether a reference is more than one string."""
    return any(isinstance(reference, Graph) for reference in references)
