"""Scoring pairs as they are read, batch by batch: `outcomes`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from fstmetrics.errors import FstmetricsError
from fstmetrics.pairing import Pair
from fstmetrics.results import Result
from fstmetrics.runs.batching import batches

Score = Callable[[Sequence[Pair]], Sequence[Result]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A pair, and its result or what is wrong with it."""

    pair: Pair
    result: Result | None = None
    fault: str = ""


def outcomes(pairs: Iterable[Pair], score: Score, threads: int, keep_going: bool) -> Iterator[list[Outcome]]:
    """Outcomes of the pairs in order.

    Args:
        pairs: values may be deferred.
        score: results of some pairs.
        threads: how many it works on at the same time.
        keep_going: whether a fault is an outcome; otherwise it is raised.

    Raises:
        FstmetricsError: what is wrong with an item, or with the pairs as a whole.
    """
    for batch in batches(pairs, threads):
        if not keep_going:
            loaded = [pair.loaded() for pair in batch]
            yield list(map(Outcome, loaded, score(loaded)))
            continue
        read = [_attempt(pair) for pair in batch]
        good = iter(_scored([outcome.pair for outcome in read if not outcome.fault], score))
        yield [outcome if outcome.fault else next(good) for outcome in read]


def _attempt(pair: Pair) -> Outcome:
    """The pair with what was deferred, or why it cannot be read."""
    try:
        return Outcome(pair.loaded())
    except FstmetricsError as error:
        return Outcome(pair, fault=str(error))


def _scored(pairs: Sequence[Pair], score: Score) -> list[Outcome]:
    """The outcomes of pairs at once; if one fails, which it is comes out by halves."""
    if not pairs:
        return []
    try:
        return list(map(Outcome, pairs, score(pairs)))
    except FstmetricsError as error:
        if len(pairs) == 1:
            return [Outcome(pairs[0], fault=str(error))]
    half = len(pairs) // 2
    return _scored(pairs[:half], score) + _scored(pairs[half:], score)
