"""Words with the times at which they were said: `as_timed`, of the best path of a lattice whose states have times.

When a lattice is in its states, for formats that say it in seconds: `times_to_write`.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fstmetrics.convert.shapes import Lose, lose_all_but_the_best
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.segments import TimedWord, TimedWords
from fstmetrics.data.symbols import SENTENCE_MARKERS
from fstmetrics.data.times import Durations, Times
from fstmetrics.io.formats.ctm import MARKS, ONLY
from fstmetrics.io.formats.trn import written
from fstmetrics.io.items import Item
from fstmetrics.io.labels import checked_id
from fstmetrics.support.errors import FstmetricsError

Spans = npt.NDArray[np.float64]


def as_timed(item: Item, frame_length: float | None, lose: Lose) -> TimedWords:
    """Words with times as they are; of a lattice those of its best path, its id as file.

    A word begins and ends with the states of its arc. Where arcs have durations, it begins after those before it on the
    path.

    Args:
        item: whose value it is.
        frame_length: seconds a frame.
        lose: told of what is lost.

    Raises:
        FstmetricsError: there are no times, or none of some word; times are in frames, and nobody says how long these
            are; or an id or a word that the format cannot hold.
    """
    value = item.value
    if isinstance(value, TimedWords):
        return value
    if not isinstance(value, Lattice) or value.times is None or not says_something(value.times):
        raise FstmetricsError(
            "ctm holds words with the times at which they were said, and here are none; trn holds words without"
        )
    if value.times.unit == "frames" and frame_length is None:
        raise FstmetricsError(
            "ctm holds times in seconds, and here they are in frames; --frame-length 0.01 says how many seconds a "
            "frame is"
        )
    lose_all_but_the_best(value, lose)
    arcs = np.array(value.best_path().arcs, dtype=np.int64)
    begins, ends = _spans(value, arcs, frame_length)
    said = [value.symbols.words[label] for label in value.automaton.labels[arcs].tolist()]
    if not SENTENCE_MARKERS.isdisjoint(said):
        lose("sentence markers")
    words = [
        _timed(word, begin, end)
        for word, begin, end in zip(said, begins.tolist(), ends.tolist(), strict=True)
        if word and word not in SENTENCE_MARKERS
    ]
    if not words:
        lose("items without words")
    return TimedWords(checked_id(item), ONLY, tuple(words))


def _spans(lattice: Lattice, arcs: npt.NDArray[np.int64], frame_length: float | None) -> tuple[Spans, Spans]:
    """When the arcs of a path begin and end, in seconds."""
    times, automaton = lattice.times, lattice.automaton
    assert times is not None
    if isinstance(times, Durations):
        after = np.append(0, np.cumsum(times.of_arc[arcs])).astype(np.float64)
        begins, ends = after[:-1], after[1:]
    else:
        begins, ends = (
            times.of_state[states[arcs]] for states in (automaton.sources, automaton.destinations)
        )
    if times.unit == "frames" and frame_length is not None:
        begins, ends = (np.round(span * frame_length, DECIMALS) for span in (begins, ends))
    return begins, ends


def _timed(word: str, begin: float, end: float) -> TimedWord:
    if not math.isfinite(end - begin) or end < begin:
        between = (
            f"between {begin:g} and {end:g} seconds" if begin > end else "with a beginning or an end unknown"
        )
        raise FstmetricsError(
            f"the word {word!r} is {between}, and ctm holds when a word begins and how long it is; trn holds words "
            "without times"
        )
    text = written(word)
    return TimedWord(f"\\{text}" if text.upper() in MARKS else text, begin, round(end - begin, DECIMALS))


# Seconds are written to the billionth: 57 frames of 0.01 are 0.57, not 0.5700000000000001.
DECIMALS = 9


def times_to_write(lattice: Lattice, has_room: bool, frame_length: float | None, lose: Lose) -> Times | None:
    """The times of states in seconds; None where there are none, no room, or frames of unknown length.

    Args:
        lattice: whose times; where it has durations of arcs, a state's time is the longest way to it.
        has_room: whether the format has times.
        frame_length: seconds a frame.
        lose: told of times that are left out. Of durations only where there is room: they are part of something else
            that the file held.

    >>> from fstmetrics.data.lattice import Lattice
    >>> lattice = Lattice.from_arrays([0], [1], ["a"], finals=[1], times=Durations(np.array([57]), "frames"))
    >>> times_to_write(lattice, True, 0.01, print).of_state
    array([0.  , 0.57])
    """
    times = lattice.times
    if times is None or not says_something(times) or (isinstance(times, Durations) and not has_room):
        return None
    if not has_room or (times.unit == "frames" and frame_length is None):
        lose("times")
        return None
    if isinstance(times, Durations):
        if not lattice.prepared.sorted:
            lose("times")
            return None
        times = Times(_longest(lattice, times), times.unit)
    if times.unit == "seconds":
        return times
    return Times(np.round(times.of_state * (frame_length or 0.0), DECIMALS), "seconds")


def says_something(times: Times | Durations) -> bool:
    """Whether some state has a time, or some arc takes any."""
    if isinstance(times, Times):
        return bool(np.isfinite(times.of_state).any())
    return bool(times.of_arc.any())


def _longest(lattice: Lattice, durations: Durations) -> npt.NDArray[np.float64]:
    """The longest way to each state that is on a path; nan of the others."""
    useful, automaton = lattice.prepared, lattice.automaton
    longest = useful.longest_before(durations.of_arc).astype(np.float64)
    of_state = np.full(automaton.num_states, np.nan)
    of_state[automaton.start] = 0.0
    of_state[automaton.sources[useful.origins]] = longest[useful.sources]
    of_state[automaton.destinations[useful.origins]] = longest[useful.destinations]
    return of_state
