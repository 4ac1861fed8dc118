"""Batches of pairs that another engine works on: `worked` hands them out, and gives what came of them in order.

A batch crosses as bytes, there and back, so that an engine needs one thing only: `Engine.map`. What a worker makes of a
batch are its records and sums, not its results, unless these are to be printed.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar

from fstmetrics.cluster.carried_pairs import carried, pairs_of
from fstmetrics.runs.outcomes import attempted, readable
from fstmetrics.runs.pair_blocks import Pair, PairBlock, Rest
from fstmetrics.runs.sums import Sums, Terms
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import written_json

Made = TypeVar("Made")
# Items of the first batches; their time says how many later ones have.
FIRST_SIZE, LARGEST_SIZE = 64, 1 << 16
# What a batch should take a worker, in seconds: long beside what an engine takes to hand it over.
WANTED_SECONDS = 0.5
# A batch has at most so many times the items of one before it.
MOST_GROWTH = 8
# A batch of more bytes is followed by one of half as many items.
MOST_BYTES = 1 << 22


class Engine(Protocol):
    """Something that calls a function in other processes."""

    def map(self, work: Callable[[bytes], bytes], given: Iterable[bytes]) -> Iterator[bytes | None]:
        """What the function makes of each, in order; None where the worker died of it, again and again.

        Only as many are asked for as keep all workers busy.
        """

    def close(self) -> None:
        """Stop what was started for the run."""


class Scoring(Protocol[Made]):
    """What is computed of pairs; it can be pickled. `fstmetrics.batches.PathScoring` is one."""

    def results(self, pairs: PairBlock) -> Sequence[Made]:
        """What pairs come to, in order."""

    def signed(self, result: Made, pair: Pair) -> dict[str, Any]:
        """The record of an item."""

    def item_terms(self, result: Made, pair: Pair) -> Terms:
        """What an item adds to sums."""

    def written(self, results: Sequence[Made], pairs: PairBlock) -> tuple[bytes, bytes] | None:
        """Records of all and entries of a journal, where columns tell all; None: item by item."""

    def summed(self, results: Sequence[Made]) -> Sums | None:
        """The sums of all, where columns tell all; None: item by item."""


@dataclass
class Worked(Generic[Made]):
    """What came of a batch.

    Attributes:
        pairs: of the batch, all of them.
        faults: what is wrong with some, by their place; the rest is of the others, in order.
        written, sums: records, entries of a journal and sums, where columns tell all.
        items: else the line of each record, empty where none is written, and its terms.
        results: where they were asked for.
    """

    pairs: PairBlock
    faults: Mapping[int, str] = field(default_factory=dict)
    written: tuple[bytes, bytes] | None = None
    sums: Sums | None = None
    items: Sequence[tuple[str, Terms]] = ()
    results: Sequence[Made] | None = None


@dataclass(frozen=True)
class BatchWork(Generic[Made]):
    """What a worker does with a batch.

    Args:
        scoring: what is computed.
        keep_going: whether a fault is of its item; otherwise it is of the run.
        records: whether they are written.
        results: whether they are handed back, too, since they are printed.
        by_item: whether each item's terms are asked for, and not only their sum.
    """

    scoring: Scoring[Made]
    keep_going: bool = False
    records: bool = False
    results: bool = False
    by_item: bool = False

    def __call__(self, given: bytes) -> bytes:
        """Pairs as bytes to an error or what came of them as bytes, behind the seconds it took."""
        begin = monotonic()
        try:
            found: Any = self._worked(pairs_of(given))
        except FstmetricsError as error:
            found = error
        except MemoryError:
            found = None  # of a batch of one item that is said, of others each half is tried
        return pickle.dumps((monotonic() - begin, found), pickle.HIGHEST_PROTOCOL)

    def _worked(self, pairs: PairBlock) -> tuple[Any, ...]:
        """The fields of `Worked` but for the pairs."""
        faults: Mapping[int, str] = {}
        if self.keep_going:
            some = attempted(pairs, self.scoring.results)
            results, faults = some.results, some.faults
        else:
            results = self.scoring.results(pairs)
        if faults:
            pairs = PairBlock.of([pair for place, pair in enumerate(pairs) if place not in faults])
        elif not (self.results or self.by_item) and (sums := self.scoring.summed(results)):
            written = self.scoring.written(results, pairs) if self.records else None
            if written or not self.records:
                return {}, written, sums, (), None
        return (
            faults,
            None,
            None,
            list(map(self._item, results, pairs)),
            list(results) if self.results else None,
        )

    def _item(self, result: Made, pair: Pair) -> tuple[str, Terms]:
        line = written_json(self.scoring.signed(result, pair)) + "\n" if self.records else ""
        return line, self.scoring.item_terms(result, pair)


def worked(blocks: Iterable[PairBlock], work: BatchWork[Made], engine: Engine) -> Iterator[Worked[Made]]:
    """What came of pairs, batch by batch, in order.

    What is read when it is needed is read here: workers need not see the files.

    Raises:
        FstmetricsError: what is wrong with an item, or with the pairs as a whole; what comes before it is worked on.
    """
    handed = _Handed(blocks, work.keep_going)
    for answer in engine.map(work, handed):
        yield from handed.unreadable()
        for pairs, (seconds, found) in _settled(handed.under_way.popleft(), answer, work, engine):
            if isinstance(found, FstmetricsError):
                raise found
            handed.took(len(pairs), seconds)
            yield Worked(pairs, *found)
    yield from handed.unreadable()
    if handed.failure:
        raise handed.failure


def _settled(
    pairs: PairBlock, answer: bytes | None, work: BatchWork[Made], engine: Engine
) -> Iterator[tuple[PairBlock, tuple[float, Any]]]:
    """What came of a batch; of one that a worker dies of, what came of either half, down to the item that it is."""
    seconds, found = (0.0, None) if answer is None else pickle.loads(answer)
    if found is not None:
        yield pairs, (seconds, found)
    elif len(pairs) == 1:
        label = "an item" if pairs[0].id is None else f"item {pairs[0].id}"
        message = f"{label}: the worker that scored it died or ran out of memory, each time; it was left out"
        yield (
            pairs,
            (0.0, ({0: message}, None, None, (), None) if work.keep_going else FstmetricsError(message)),
        )
    else:
        half = len(pairs) // 2
        halves = pairs[:half], pairs[half:]
        for part, more in zip(halves, engine.map(work, map(carried, halves)), strict=True):
            yield from _settled(part, more, work, engine)


class _Handed(Iterator[bytes]):
    """The bytes of batches, one after the other.

    Attributes:
        under_way: the batches whose bytes were asked for; None for a batch of items that cannot be read.
        failure: what ended them, if that was an error.
    """

    def __init__(self, blocks: Iterable[PairBlock], keep_going: bool) -> None:
        self.under_way: deque[Any] = deque()
        self.failure: FstmetricsError | None = None
        self._rest, self._keep_going = Rest(blocks), keep_going
        self._size = FIRST_SIZE
        self._parts: Iterator[PairBlock | Worked[Any]] = iter(())

    def __next__(self) -> bytes:
        for part in self._parts:
            self.under_way.append(part)
            if isinstance(part, PairBlock):
                given = carried(part)
                if len(given) > MOST_BYTES:
                    self._size = max(1, len(part) // 2)
                return given
        if self.failure:
            raise StopIteration
        batch = self._rest.take(self._size)
        if batch is None:
            self.failure = self._rest.failure
            raise StopIteration
        self._parts = iter(self._read(batch))
        return next(self)

    def _read(self, batch: PairBlock) -> list[PairBlock | Worked[Any]]:
        """A batch whose values have been read, cut where they cannot be."""
        if not batch.is_deferred:
            return [batch]
        if not self._keep_going:
            pairs, self.failure = batch.readable()
            return [pairs] if pairs else []
        pairs, faults = readable(batch)
        if not faults:
            return [pairs]
        parts: list[PairBlock | Worked[Any]] = []
        for wrong, run in groupby(range(len(pairs)), faults.__contains__):
            places = list(run)
            part = pairs[places[0] : places[-1] + 1]
            told = {number: faults[place] for number, place in enumerate(places)} if wrong else {}
            parts.append(Worked(part, told) if wrong else part)
        return parts

    def unreadable(self) -> Iterator[Worked[Any]]:
        """The next batches, as far as nobody has to work on them."""
        while self.under_way and isinstance(self.under_way[0], Worked):
            yield self.under_way.popleft()

    def took(self, items: int, seconds: float) -> None:
        """Learn how long a worker has worked on so many items."""
        if seconds < WANTED_SECONDS / 2:
            faster = WANTED_SECONDS / 2 / max(seconds, WANTED_SECONDS / 2 / MOST_GROWTH)
            self._size = max(self._size, min(max(2 * items, int(faster * items)), LARGEST_SIZE))
        elif seconds > 2 * WANTED_SECONDS:
            self._size = max(1, min(self._size, items // 2))
