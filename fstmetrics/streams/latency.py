"""Latency of simultaneous translation: `latency` of one segment, and `mean_latency` of many.

Delays say how much of the source had been heard when a word came, from the beginning of the segment on; all lengths are
in one unit, milliseconds of speech or words of text. With X the length of the source, N words that were written, Y
words of the reference, and d_t the delay of word t:

- AL (Ma et al. 2019): the mean of d_t - (t - 1) X / Y over the words up to the first that comes at the end of the
  source or later; d_1, if already the first word comes after the end.
- LAAL (Papi et al. 2022; Polák et al. 2022): the same with max(N, Y) in place of Y.
- AP (Cho and Esipova 2016): the sum of all d_t, over X Y.
- DAL (Cherry and Foster 2019): the mean of d'_t - (t - 1) X / N over all words, where d'_1 = d_1, and d'_t is the
  larger one of d_t and d'_(t-1) + X / N.
- YAAL (Polák et al. 2025): as LAAL, but only words that come before the end of the source count; of a segment of a
  longer recording, before the end of the recording.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from fstmetrics.support.arguments import numbers_of, whole_number
from fstmetrics.support.errors import FstmetricsError

# Whether each is in the unit of the delays, or a share; in the order of tables.
MEASURES = {"yaal": True, "laal": True, "al": True, "dal": True, "ap": False}


class Latency(NamedTuple):
    """The latency of a segment, in the unit of its delays; of many, the means over those that have a value.

    A value is None where there is nothing to divide by, or no word that counts.

    Attributes:
        al: Average Lagging.
        laal: Length-Adaptive Average Lagging.
        ap: Average Proportion; it has no unit.
        dal: Differentiable Average Lagging.
        yaal: Yet Another Average Lagging.
    """

    al: float | None = None
    laal: float | None = None
    ap: float | None = None
    dal: float | None = None
    yaal: float | None = None


def latency(
    delays: Sequence[float],
    source_length: float,
    reference_length: int,
    recording_end: float | None = None,
) -> Latency:
    """The latency of one segment.

    Args:
        delays: of the words, in order, from the beginning of the segment; of a segment of a longer recording the first
            ones may be below 0.
        source_length: of the segment, in the unit of the delays.
        reference_length: how many words the reference has.
        recording_end: from the beginning of the segment; None: the segment is all that there is.

    Raises:
        FstmetricsError: a number that is not finite, delays that go back, or are below 0 of a segment that is all that
            there is, a source without length, or a reference of less than 0 words.

    >>> latency([1000, 2000, 3000, 3000], 3000, 4).al
    1250.0
    """
    values = numbers_of(delays, "delays").tolist()
    ends = [source_length, *([] if recording_end is None else [recording_end])]
    length, *rest = numbers_of(ends, "source_length and recording_end").tolist()
    whole_number(reference_length, "reference_length", 0)
    if not all(map(math.isfinite, [*values, length, *rest])):
        raise FstmetricsError("delays and lengths are finite numbers")
    if fault := fault_of_times("delays", values, 0 if recording_end is None else -math.inf):
        raise FstmetricsError(fault)
    if length <= 0:
        raise FstmetricsError(f"the length of a source is above 0, not {length:g}")
    return latency_of(values, length, reference_length, rest[0] if rest else None)


def fault_of_times(name: str, times: Sequence[float], least: float = 0) -> str:
    """What is wrong with the times of words, that they begin below `least` or go back; empty where nothing is.

    >>> fault_of_times("delays", [1, 3, 2])
    'delays goes back from 3 to 2 at word 3; expected times in order'
    """
    if len(times) and times[0] < least:
        return f"{name} begins at {times[0]:g}; expected times from {least:g} on"
    for place, (time, later) in enumerate(pairwise(times), 2):
        if later < time:
            return f"{name} goes back from {time:g} to {later:g} at word {place}; expected times in order"
    return ""


def latency_of(
    delays: Sequence[float], source_length: float, words: int, recording_end: float | None = None
) -> Latency:
    """The same of numbers that have been checked."""
    longer = max(len(delays), words)
    end = source_length if recording_end is None else recording_end
    if not delays:
        return Latency()
    return Latency(
        al=_lagging(delays, source_length, words),
        laal=_lagging(delays, source_length, longer),
        ap=sum(delays) / (source_length * words) if words else None,
        dal=_differentiable(delays, source_length),
        yaal=_before(delays, source_length / longer, end),
    )


def _lagging(delays: Sequence[float], source_length: float, words: int) -> float | None:
    if delays[0] > source_length:
        return delays[0]
    if not words:
        return None
    total = 0.0
    for place, delay in enumerate(delays):
        total += delay - place * source_length / words
        if delay >= source_length:
            return total / (place + 1)
    return total / len(delays)


def _differentiable(delays: Sequence[float], source_length: float) -> float:
    step = source_length / len(delays)
    total, last = 0.0, -math.inf
    for place, delay in enumerate(delays):
        last = max(delay, last + step)
        total += last - place * step
    return total / len(delays)


def _before(delays: Sequence[float], step: float, end: float) -> float | None:
    """The mean over the words before the first one that comes at the end or later."""
    counted = next((place for place, delay in enumerate(delays) if delay >= end), len(delays))
    return sum(delays[place] - place * step for place in range(counted)) / counted if counted else None


def mean_latency(segments: Iterable[Latency]) -> Latency:
    """The means over the segments that have a value; None where none has.

    >>> mean_latency([latency([1], 2, 1), latency([], 2, 1), latency([2], 2, 1)]).al
    1.5
    """
    columns = [[value for value in column if value is not None] for column in zip(*segments, strict=True)]
    return Latency(*(math.fsum(values) / len(values) if values else None for values in columns))
