"""The median of several outputs: the string of words with the least total edits to them.

A lattice counts by its path that is closest to the string. The search is exact (A* over tuples of places, one an
output), and stops after a number of steps: then the best string that is known has edits, and no string has fewer than
`least`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from fstmetrics import _native
from fstmetrics.combination.outputs import Output
from fstmetrics.combination.slots import Candidate, Slot, slots_of
from fstmetrics.data.lattice import Lattice
from fstmetrics.engine.api import align
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import limits
from fstmetrics.text.normalisation import Normalisation

STEPS, MOST_STEPS = 2_000_000, 1_000_000_000
# Of outputs with so many words the search may well stop.
LONG = 60
Labels = npt.NDArray[np.int32]
# Sources, words and destinations of arcs, and ends.
Columns = tuple[Labels, Labels, Labels, Labels]


def median(
    outputs: Sequence[Output | Lattice], steps: int, normalisation: Normalisation
) -> tuple[int, int, tuple[Slot, ...], tuple[Output, ...]]:
    """The median of outputs, of which lattices count by their closest path; or the best string that is known.

    Args:
        outputs: at least two; words of `Output`s are ready to be compared.
        steps: how many steps the search may take.
        normalisation: what is done to words of lattices.

    Returns:
        All edits to the outputs; how many any string has at least; the words of each system that stand for one another,
        the median's as the best; and what the systems say, of a lattice the path that is closest. Of several medians it
        is the first in the order of words by their code points, a string before what continues it; where the search
        stopped, any, and yet the same for any order of the systems.

    Raises:
        FstmetricsError: a lattice that has a cycle or no path, or is too large.
    """
    spelled = [
        [tuple(normalisation.arc_words(word)) if word else () for word in output.symbols.words]
        if isinstance(output, Lattice)
        else None
        for output in outputs
    ]
    vocabulary = {word for output in outputs if isinstance(output, Output) for word in output.words}
    vocabulary |= {word for table in spelled if table for words in table for word in words}
    words = sorted(vocabulary)
    numbers = {word: number for number, word in enumerate(words)}
    graphs = [
        _chain([numbers[word] for word in output.words])
        if isinstance(output, Output)
        else _graph(output, [[numbers[word] for word in one] for one in table or ()])
        for output, table in zip(outputs, spelled, strict=True)
    ]
    # In an order of their own, so that the order of systems does not matter where the search stops.
    keys = [tuple(column.tobytes() for column in graph) for graph in graphs]
    known, counts = dict(zip(keys, graphs, strict=True)), Counter(keys)
    ordered = sorted(known)
    states = [int(known[key][2].max(initial=0)) + 1 for key in ordered]
    cells = sum(a * b for n, a in enumerate(states) for b in states[n + 1 :])
    limits().check("cells", cells, "the median of these outputs needs", "cells")
    voted = (
        [np.array([numbers[word] for word in _voted(outputs)], dtype=np.int32)] if max(states) > LONG else []
    )
    found, edits, least, _, _ = _native.median_string(
        [known[key] for key in ordered],
        np.array([counts[key] for key in ordered], dtype=np.int64),
        voted,
        steps,
    )
    string = tuple(words[number] for number in found.tolist())
    said = tuple(
        output
        if isinstance(output, Output)
        else Output(tuple(align(output, list(string), normalisation=normalisation).hypothesis))
        for output in outputs
    )
    return edits, least, tuple(_slots(string, said)), said


def _voted(outputs: Sequence[Output | Lattice]) -> list[str]:
    """What votes give in an order of their own: better than any output, where the search stops."""
    texts = sorted(output.words for output in outputs if isinstance(output, Output))
    slots = slots_of([Output(words) for words in texts]) if len(texts) > 1 else []
    return [word for slot in slots if (word := slot.candidates[slot.best].word) is not None]


def _chain(labels: Sequence[int]) -> Columns:
    states = np.arange(len(labels) + 1, dtype=np.int32)
    return states[:-1], np.array(labels, dtype=np.int32), states[1:], states[-1:]


def _graph(lattice: Lattice, labels: Sequence[Sequence[int]]) -> Columns:
    """A lattice with each string once, in topological order; `labels`: what each of its words becomes.

    Raises:
        FstmetricsError: it has a cycle or no path, or becomes too large.
    """
    automaton = lattice.automaton
    silent = set(lattice.silent_labels)
    sources, names, destinations, states = [], [], [], automaton.num_states
    arcs = (automaton.sources, automaton.labels, automaton.destinations)
    for source, label, destination in zip(*(column.tolist() for column in arcs), strict=True):
        path = [0] if label in silent or not labels[label] else [number + 1 for number in labels[label]]
        for place, name in enumerate(path):
            is_last = place + 1 == len(path)
            states += not is_last
            sources.append(source)
            names.append(name)
            destinations.append(destination if is_last else states - 1)
            source = states - 1
    spelled = _native.Automaton(
        states,
        automaton.start,
        np.array(sources, dtype=np.int32),
        np.array(names, dtype=np.int32),
        np.array(destinations, dtype=np.int32),
        automaton.finals,
    )
    prepared = spelled.prepared()
    if not prepared.has_path:
        raise FstmetricsError("the lattice has no path")
    if not prepared.sorted:
        raise FstmetricsError("the lattice has a cycle, and a median is of lattices without")
    least = spelled.minimal(limits().states)
    if least is None:
        raise FstmetricsError(
            "the lattice becomes too large where each of its strings is to stand in it once"
        )
    ready = least.prepared()
    return ready.sources, ready.labels - 1, ready.destinations, ready.finals


def _slots(median_words: Sequence[str], outputs: Sequence[Output]) -> Iterator[Slot]:
    """A slot a word of the median, between them slots of what it leaves out."""
    aligned = [_aligned(median_words, output.words) for output in outputs]
    for at in range(len(median_words) + 1):
        added = [between[at] for _, between in aligned]
        for turn in range(max(map(len, added), default=0)):
            places = [places[turn] if turn < len(places) else -1 for places in added]
            yield _slot(None, places, outputs)
        if at < len(median_words):
            yield _slot(median_words[at], [places[at] for places, _ in aligned], outputs)


def _aligned(median_words: Sequence[str], words: Sequence[str]) -> tuple[list[int], list[list[int]]]:
    """By the fewest edits: of each word of the median that of an output, or -1; and those before it, or at the end."""
    shorter = min(len(median_words), len(words))
    same = next((n for n in range(shorter) if median_words[n] != words[n]), shorter)
    if same:  # what both begin with is aligned by some of the best alignments
        places, between = _aligned(median_words[same:], words[same:])
        later = [[at + same for at in some] for some in between]
        return (
            [*range(same), *(at if at < 0 else at + same for at in places)],
            [*([] for _ in range(same)), *later],
        )
    rows = _costs(median_words, words)
    places, between = [-1] * len(median_words), [list[int]() for _ in range(len(median_words) + 1)]
    number, at = len(median_words), len(words)
    while number or at:
        cost = rows[number][at]
        is_paired = (
            number and at and cost == rows[number - 1][at - 1] + (median_words[number - 1] != words[at - 1])
        )
        if is_paired:
            number, at = number - 1, at - 1
            places[number] = at
        elif number and cost == rows[number - 1][at] + 1:
            number -= 1
        else:
            at -= 1
            between[number].insert(0, at)
    return places, between


def _costs(median_words: Sequence[str], words: Sequence[str]) -> list[list[int]]:
    """The fewest edits between the beginnings of both, as far as the best alignments can reach [Ukkonen 1985]."""
    band, most = 2 + abs(len(median_words) - len(words)), len(median_words) + len(words)
    while True:
        rows = [[at if at <= band else most for at in range(len(words) + 1)]]
        for number, word in enumerate(median_words, 1):
            before, row = rows[-1], [most + 1] * (len(words) + 1)
            if number <= band:
                row[0] = number
            for at in range(max(1, number - band), min(len(words), number + band) + 1):
                row[at] = min(before[at - 1] + (word != words[at - 1]), before[at] + 1, row[at - 1] + 1)
            rows.append(row)
        if rows[-1][-1] <= band or band >= most:
            return rows
        band *= 2


def _slot(best: str | None, places: Sequence[int], outputs: Sequence[Output]) -> Slot:
    having: dict[str | None, list[int]] = {best: []}
    for system, place in enumerate(places):
        having.setdefault(outputs[system].words[place] if place >= 0 else None, []).append(system)
    candidates = tuple(_candidate(word, systems, places, outputs) for word, systems in having.items())
    return Slot(tuple(places), candidates, 0)


def _candidate(
    word: str | None, systems: Sequence[int], places: Sequence[int], outputs: Sequence[Output]
) -> Candidate:
    """With the means of times and confidences, which do not depend on the order of systems."""
    share = len(systems) / len(outputs)
    begin = duration = confidence = None
    if word is not None and systems:
        spans = [times[places[system]] for system in systems if (times := outputs[system].times) is not None]
        if len(spans) == len(systems):
            begin = math.fsum(span[0] for span in spans) / len(spans)
            duration = math.fsum(span[1] for span in spans) / len(spans) - begin
        mean = math.fsum(outputs[system].confidence(places[system]) for system in systems) / len(systems)
        confidence = None if math.isnan(mean) else mean
    return Candidate(word, tuple(systems), share, begin, duration, confidence)
