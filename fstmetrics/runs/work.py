"""Outcomes of pairs: the result of each, or what is wrong with it.

`outcomes` scores blocks batch by batch; `attempted` scores one batch and finds the items that fail. Every runner stands
on them: the commands, and `fstmetrics.batches.scorer` on other engines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Generic, TypeVar

from fstmetrics.runs.pair_blocks import Pair, PairBlock, in_batches
from fstmetrics.support.errors import FstmetricsError

Made = TypeVar("Made")
Results = Callable[[PairBlock], Sequence[Made]]
Written = Callable[[Sequence[Made], PairBlock], tuple[bytes, bytes] | None]


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Made]):
    """A pair, and its result or what is wrong with it."""

    pair: Pair
    result: Made | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Outcomes(Generic[Made]):
    """What came of a batch.

    Attributes:
        pairs: in order, read as far as they can be.
        results: of the pairs without faults, in order.
        faults: what is wrong with the others, by their place.
        written: the records of all and what a journal says of them, where columns tell all; None: item by item.
    """

    pairs: PairBlock
    results: Sequence[Made]
    faults: Mapping[int, str] = field(default_factory=dict)
    written: tuple[bytes, bytes] | None = None

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Outcome[Made]]:
        results = iter(self.results)
        for place, pair in enumerate(self.pairs):
            fault = self.faults.get(place, "")
            yield Outcome(pair, fault=fault) if fault else Outcome(pair, next(results))


def outcomes(
    blocks: Iterable[PairBlock],
    results: Results[Made],
    threads: int,
    keep_going: bool,
    written: Written[Made] | None = None,
    whole: bool = False,
) -> Iterator[Outcomes[Made]]:
    """Outcomes of the pairs in order, batch by batch.

    Args:
        blocks: the pairs; values may be deferred.
        results: those of some pairs.
        threads: how many it works on at the same time.
        keep_going: whether a fault is an outcome; otherwise it is raised.
        written: the records of a batch, where they are asked for.
        whole: whether several threads may work on a batch each.

    Raises:
        FstmetricsError: what is wrong with an item, or with the pairs as a whole.
    """

    def work(batch: PairBlock) -> Iterator[Outcomes[Made]]:
        for some in _of_batch(batch, results, keep_going):
            told = None
            if written is not None and not some.faults:
                with suppress(MemoryError):  # item by item they need less
                    told = written(some.results, some.pairs)
            yield replace(some, written=told) if told else some

    batches = in_batches(blocks, threads)
    if whole and threads > 1:
        from fstmetrics.runs.batch_threads import in_order  # loads queues, which one thread does without

        return in_order(batches, work, threads)
    return chain.from_iterable(map(work, batches))


def _of_batch(batch: PairBlock, results: Results[Made], keep_going: bool) -> Iterator[Outcomes[Made]]:
    """The outcomes of a batch, up to an error."""
    if keep_going:
        yield attempted(batch, results)
        return
    loaded, failure = batch.readable()
    if loaded:
        yield from up_to_fault(loaded, results)
    if failure:
        raise failure


def up_to_fault(batch: PairBlock, results: Results[Made]) -> Iterator[Outcomes[Made]]:
    """The outcomes of a batch; if it fails, of the items before the first that fails, and then its error."""
    failure: FstmetricsError | None = None
    try:
        yield Outcomes(batch, results(batch))
        return
    except FstmetricsError as error:
        failure = error
    except MemoryError:
        pass  # smaller batches may do
    made: list[Sequence[Made]] = []
    for place, found in _scored(batch, results):
        if isinstance(found, FstmetricsError):
            if place:
                yield Outcomes(batch[:place], _joined(made))
            raise found
        made.append(found)
    if failure:
        raise failure  # of no single item
    yield Outcomes(batch, _joined(made))


def readable(batch: PairBlock) -> tuple[PairBlock, dict[int, str]]:
    """The pairs with what was deferred, and what is wrong with those that cannot be read, by their place."""
    if not batch.is_deferred:
        return batch, {}
    if (columns := batch.in_columns()) is not None:
        return columns, {}
    faults: dict[int, str] = {}
    read: list[Pair] = []
    for place, pair in enumerate(batch):
        try:
            read.append(pair.loaded())
        except FstmetricsError as error:
            read.append(pair)
            faults[place] = str(error)
    return PairBlock.of(read, batch.places), faults


def attempted(batch: PairBlock, results: Results[Made]) -> Outcomes[Made]:
    """The outcomes of pairs of which some may not be read or scored."""
    batch, faults = readable(batch)
    good = [place for place in range(len(batch)) if place not in faults] if faults else range(len(batch))
    whole = PairBlock.of([batch[n] for n in good], [batch.places[n] for n in good]) if faults else batch
    made: list[Sequence[Made]] = []
    for place, found in _scored(whole, results):
        if isinstance(found, FstmetricsError):
            faults[good[place]] = str(found)
        else:
            made.append(found)
    return Outcomes(batch, _joined(made), faults)


def _joined(made: Sequence[Sequence[Made]]) -> Sequence[Made]:
    return made[0] if len(made) == 1 else list(chain.from_iterable(made))


def _scored(
    pairs: PairBlock, results: Results[Made], begin: int = 0
) -> Iterator[tuple[int, Sequence[Made] | FstmetricsError]]:
    """The results of pairs at once, with the place where they begin; which of them fails comes out by halves."""
    if not pairs:
        return
    try:
        yield begin, results(pairs)
        return
    except FstmetricsError as error:
        if len(pairs) == 1:
            yield begin, error
            return
    except MemoryError:
        if len(pairs) == 1:
            yield begin, FstmetricsError(f"{label(pairs)}: it needs more memory than there is")
            return
    half = len(pairs) // 2
    yield from _scored(pairs[:half], results, begin)
    yield from _scored(pairs[half:], results, begin + half)


def label(pairs: PairBlock) -> str:
    """How messages name a single pair: by its id, or its place."""
    return f"item {pairs.places[0]} (from 0)" if pairs[0].id is None else f"item {pairs[0].id}"


def of_item(pairs: Sequence[Pair], error: FstmetricsError) -> FstmetricsError:
    """An error that names its item, where it is known which: among one. What the engine says names it already."""
    if len(pairs) != 1 or pairs[0].id is None or str(error).startswith(f"item {pairs[0].id}: "):
        return error
    return type(error)(f"item {pairs[0].id}: {error}")
