"""Batches that several threads work on at the same time, a whole one each: `in_order`."""

from __future__ import annotations

import atexit
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import Generic, TypeVar

from fstmetrics._native import Stop
from fstmetrics.scoring.pair_blocks import PairBlock
from fstmetrics.support.errors import FstmetricsError

Made = TypeVar("Made")
Work = Callable[[PairBlock], Iterable[Made]]


def in_order(batches: Iterable[PairBlock], work: Work[Made], threads: int) -> Iterator[Made]:
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

    def __init__(self, work: Work[Made], threads: int) -> None:
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
