"""What is done with a batch of pairs, here or by a worker of another engine: `Work`; and what came of it, `Worked`.

A run is a map of `Work` over batches. `attempted` scores one batch and finds the items that fail. `in_order` has
several threads work on batches at the same time, a whole one each.
"""

from __future__ import annotations

import atexit
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, repeat
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, Protocol, TypeVar

from fstmetrics._native import Stop
from fstmetrics.scoring.pair_blocks import Pair, PairBlock
from fstmetrics.scoring.sums import Sums, TermColumn, Terms
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import written_json

Made = TypeVar("Made")
Results = Callable[[PairBlock], Sequence[Made]]


class Scoring(Protocol[Made]):
    """What is computed of pairs; it can be pickled. `PathScoring` of `path_scoring` is one. What derives from it works
    item by item, unless it says what stands in columns.

    Attributes:
        signature: all that the score of an item depends on.
    """

    signature: str

    def results(self, pairs: PairBlock) -> Sequence[Made]:
        """What pairs come to, in order; the same for an item whatever the others are."""

    def signed(self, result: Made, pair: Pair) -> dict[str, Any]:
        """The record of an item, with its fields and the signature."""

    def item_terms(self, result: Made, pair: Pair) -> Terms:
        """What an item adds to sums."""

    def columns(self, results: Sequence[Made]) -> Sequence[TermColumn] | None:
        """What all add to sums, in columns; None: item by item."""
        return None

    def written(self, results: Sequence[Made], pairs: PairBlock) -> tuple[bytes, bytes] | None:
        """Records of all and entries of a journal, where columns tell all; None: item by item."""
        return None


@dataclass
class Worked(Generic[Made]):
    """What came of a batch.

    Attributes:
        pairs: of the batch, all of them, read as far as they can be.
        results: of those without faults, in order; None where an engine's workers have kept them.
        faults: what is wrong with the others, by their place.
        written: records and entries of a journal, where columns tell all.
        columns: what they add to sums, likewise; the engine of another machine has added them up: `sums`.
        items: else the line of each record, empty where none is written, and its terms.
    """

    pairs: PairBlock
    results: Sequence[Made] | None = None
    faults: Mapping[int, str] = field(default_factory=dict)
    written: tuple[bytes, bytes] | None = None
    columns: Sequence[TermColumn] | None = None
    sums: Sums | None = None
    items: Sequence[tuple[str, Terms]] = ()

    def __iter__(self) -> Iterator[tuple[Pair, str, str, Terms, Made | None]]:
        """Each pair with what is wrong with it, or else the line of its record, its terms and its result."""
        items = iter(zip(self.items, repeat(None) if self.results is None else self.results, strict=False))
        for place, pair in enumerate(self.pairs):
            if place in self.faults:
                yield pair, self.faults[place], "", (), None
            else:
                (line, terms), result = next(items)
                yield pair, "", line, terms, result


@dataclass(frozen=True)
class Work(Generic[Made]):
    """What is done with a batch; it may be pickled.

    Args:
        scoring: what is computed.
        keep_going: whether a fault is of its item; otherwise it is of the run.
        records: whether they are written.
        by_item: whether each item's terms are asked for, and not only their sum.
        results: whether an engine's workers hand them back, since they are printed.
    """

    scoring: Scoring[Made]
    keep_going: bool = False
    records: bool = False
    by_item: bool = False
    results: bool = False

    def __call__(self, batch: PairBlock) -> Iterator[Worked[Made]]:
        """What came of a batch, up to an error.

        Raises:
            FstmetricsError: what is wrong with an item, or with the pairs as a whole.
        """
        is_read = self.keep_going or batch.is_in_columns
        pairs, faults = (batch, {}) if is_read else batch.readable()
        for some in self.tried(pairs) if len(pairs) else ():
            yield from self._recorded(some)
        for fault in faults.values():
            raise fault  # there is one

    def tried(self, pairs: PairBlock) -> Iterator[Worked[Made]]:
        """The results of pairs, where one fails of those before it, and then its error."""
        if self.keep_going:
            yield attempted(pairs, self.scoring.results)
            return
        failure: FstmetricsError | None = None
        try:
            yield Worked(pairs, self.scoring.results(pairs))
            return
        except FstmetricsError as error:
            failure = error
        except MemoryError:
            pass  # smaller batches may do
        made: list[Sequence[Made]] = []
        for place, found in _scored(pairs, self.scoring.results):
            if isinstance(found, FstmetricsError):
                if place:
                    yield Worked(pairs[:place], _joined(made))
                raise found
            made.append(found)
        if failure:
            raise failure  # of no single item
        yield Worked(pairs, _joined(made))

    def told(self, some: Worked[Made]) -> Worked[Made]:
        """The same with what it adds to sums and with records, in columns where these tell all.

        Raises:
            MemoryError: there is not enough for the records.
        """
        scoring, results = self.scoring, some.results
        assert results is not None
        if not (some.faults or self.by_item) and (columns := scoring.columns(results)) is not None:
            with suppress(MemoryError):  # item by item they need less
                some.written = scoring.written(results, some.pairs) if self.records else None
            if some.written or not self.records:
                some.columns = columns
                return some
        good = [pair for place, pair in enumerate(some.pairs) if place not in some.faults]
        some.items = [self._item(*each) for each in zip(results, good, strict=True)]
        return some

    def _item(self, result: Made, pair: Pair) -> tuple[str, Terms]:
        line = written_json(self.scoring.signed(result, pair)) + "\n" if self.records else ""
        return line, self.scoring.item_terms(result, pair)

    def _recorded(self, some: Worked[Made]) -> Iterator[Worked[Made]]:
        """The same; of what the memory does not suffice for, the halves.

        Raises:
            FstmetricsError: it does not suffice for an item.
        """
        try:
            yield self.told(some)
            return
        except MemoryError:
            if len(some.pairs) == 1:
                message = f"{label(some.pairs)}: its record needs more memory than there is"
                raise FstmetricsError(message) from None
        assert some.results is not None
        half = len(some.pairs) // 2
        good = half - sum(place < half for place in some.faults)
        faults = {place: fault for place, fault in some.faults.items() if place < half}
        later = {place - half: fault for place, fault in some.faults.items() if place >= half}
        yield from self._recorded(Worked(some.pairs[:half], some.results[:good], faults))
        yield from self._recorded(Worked(some.pairs[half:], some.results[good:], later))


def attempted(batch: PairBlock, results: Results[Made]) -> Worked[Made]:
    """The results of pairs of which some may not be read or scored."""
    batch, unread = batch.readable(keep_going=True)
    faults = {place: str(error) for place, error in unread.items()}
    good = [place for place in range(len(batch)) if place not in faults] if faults else range(len(batch))
    whole = PairBlock.of([batch[n] for n in good], [batch.places[n] for n in good]) if faults else batch
    made: list[Sequence[Made]] = []
    for place, found in _scored(whole, results):
        if isinstance(found, FstmetricsError):
            faults[good[place]] = str(found)
        else:
            made.append(found)
    return Worked(batch, _joined(made), faults)


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


def in_order(
    batches: Iterable[PairBlock], work: Callable[[PairBlock], Iterable[Made]], threads: int
) -> Iterator[Made]:
    """What comes of batches, in their order.

    Batches of columns are handed to threads, whose work in the engine needs no lock of Python's; others are worked on
    here, with nothing beside them. Whoever does not come to the end closes the generator: the threads stop then.

    Args:
        batches: they are asked for here, a few ahead.
        work: what is done with a batch, by any thread; what it raises comes behind what it made before.
        threads: how many.

    Raises:
        FstmetricsError: the batches or the work raised it, and what comes before it has been given.

    >>> from fstmetrics._native import TextColumn
    >>> batches = [PairBlock(None, TextColumn(["a", "b"][:n]), (TextColumn(["a", "c"][:n]),)) for n in (1, 2)]
    >>> list(in_order(batches, lambda batch: [len(batch)], 2))
    [1, 2]
    """
    crew = _Crew(work, threads)
    atexit.register(crew.stop)
    coming = iter(batches)
    try:
        while True:
            try:
                batch = next(coming, None)
            except FstmetricsError:
                yield from crew.rest(0)
                raise
            if batch is None:
                break
            if batch.is_in_columns:
                crew.begin(batch)
                yield from crew.rest(2 * threads)
            else:
                yield from crew.rest(0)
                yield from work(batch)
        yield from crew.rest(0)
    finally:
        crew.stop()
        atexit.unregister(crew.stop)


# What came of a batch, and what was raised behind it.
_Answer = tuple[list[Made], BaseException | None]


class _Crew(Generic[Made]):
    """Threads that take one batch after the other; they start when there is one for them."""

    def __init__(self, work: Callable[[PairBlock], Iterable[Made]], threads: int) -> None:
        self._work, self._most = work, threads
        self._stop, self._is_over = Stop(), False
        self._given: SimpleQueue[tuple[PairBlock, SimpleQueue[_Answer[Made]]] | None] = SimpleQueue()
        self._under_way: deque[SimpleQueue[_Answer[Made]]] = deque()
        self._threads: list[Thread] = []

    def begin(self, batch: PairBlock) -> None:
        """Hand a batch over."""
        if len(self._threads) < self._most:
            self._threads.append(Thread(target=self._run, name="batches", daemon=True))
            self._threads[-1].start()
        answer: SimpleQueue[_Answer[Made]] = SimpleQueue()
        self._under_way.append(answer)
        self._given.put((batch, answer))

    def rest(self, most: int) -> Iterator[Made]:
        """What came of the first batches, until no more than so many are under way."""
        while len(self._under_way) > most:
            made, failure = self._under_way.popleft().get()
            yield from made
            if failure:
                raise failure

    def stop(self) -> None:
        """End the threads, and what they are working on."""
        self._is_over = True
        self._stop.set()
        for _ in self._threads:
            self._given.put(None)
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        self._stop.heed()
        while (given := self._given.get()) is not None and not self._is_over:
            batch, answer = given
            made: list[Made] = []
            failure: BaseException | None = None
            try:
                for each in self._work(batch):
                    made.append(each)
            except BaseException as error:  # all of it is for whoever waits
                failure = error
            answer.put((made, failure))
            del given, batch, made, failure  # while it waits
