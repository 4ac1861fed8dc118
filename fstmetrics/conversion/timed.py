"""Words with the times at which they were said: `as_timed`, of the best path of a lattice whose states have times."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fstmetrics.conversion.shapes import Lose, lose_all_but_the_best
from fstmetrics.conversion.state_times import DECIMALS, says_something
from fstmetrics.errors import FstmetricsError
from fstmetrics.lattice import SENTENCE_MARKERS, Lattice
from fstmetrics.readers.base import Item
from fstmetrics.readers.checks import checked_id
from fstmetrics.readers.formats.ctm_writing import MARKS, ONLY
from fstmetrics.readers.formats.trn_writing import written
from fstmetrics.segments import TimedWord, TimedWords
from fstmetrics.times import Durations

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
            f"the word {word!r} stands {between}, and ctm holds when a word begins and how long it is; trn holds words "
            "without times"
        )
    text = written(word)
    return TimedWord(f"\\{text}" if text.upper() in MARKS else text, begin, round(end - begin, DECIMALS))
