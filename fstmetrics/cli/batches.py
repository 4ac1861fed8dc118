"""Scoring pairs as they are read, batch by batch: `outcomes`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from fstmetrics.errors import FstmetricsError
from fstmetrics.pairing import Pair
from fstmetrics.runs.batching import batches

Made = TypeVar("Made")
Results = Callable[[Sequence[Pair]], Sequence[Made]]


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Made]):
    """A pair, and its result or what is wrong with it."""

    pair: Pair
    result: Made | None = None
    fault: str = ""


def outcomes(
    pairs: Iterable[Pair], results: Results[Made], threads: int, keep_going: bool
) -> Iterator[list[Outcome[Made]]]:
    """Outcomes of the pairs in order.

    Args:
        pairs: values may be deferred.
        results: those of some pairs.
        threads: how many it works on at the same time.
        keep_going: whether a fault is an outcome; otherwise it is raised.

    Raises:
        FstmetricsError: what is wrong with an item, or with the pairs as a whole.
    """
    for batch in batches(pairs, threads):
        if not keep_going:
            loaded = [pair.loaded() for pair in batch]
            yield _outcomes(loaded, results)
            continue
        read: list[Outcome[Made]] = [_attempt(pair) for pair in batch]
        good = iter(_scored([outcome.pair for outcome in read if not outcome.fault], results))
        yield [outcome if outcome.fault else next(good) for outcome in read]


def _attempt(pair: Pair) -> Outcome[Made]:
    """The pair with what was deferred, or why it cannot be read."""
    try:
        return Outcome(pair.loaded())
    except FstmetricsError as error:
        return Outcome(pair, fault=str(error))


def _outcomes(pairs: Sequence[Pair], results: Results[Made]) -> list[Outcome[Made]]:
    return [Outcome(pair, result) for pair, result in zip(pairs, results(pairs), strict=True)]


def _scored(pairs: Sequence[Pair], results: Results[Made]) -> list[Outcome[Made]]:
    """The outcomes of pairs at once; if one fails, which it is comes out by halves."""
    if not pairs:
        return []
    try:
        return _outcomes(pairs, results)
    except FstmetricsError as error:
        if len(pairs) == 1:
            return [Outcome(pairs[0], fault=str(error))]
    half = len(pairs) // 2
    return _scored(pairs[:half], results) + _scored(pairs[half:], results)


def of_item(pairs: Sequence[Pair], error: FstmetricsError) -> FstmetricsError:
    """An error that names its item, where it is known which: among one. What the engine says names it already."""
    if len(pairs) != 1 or pairs[0].id is None or str(error).startswith(f"item {pairs[0].id}: "):
        return error
    return type(error)(f"item {pairs[0].id}: {error}")
