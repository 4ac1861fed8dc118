"""Batches of pairs that engines on other machines work on: `engine_of` starts or finds one, `worked`
hands batches out, and gives what came of them in order; `elsewhere` is that of a run, `statistics_runner` of statistics
of systems. To add one: a class with the methods of `Engine`, as apps/distributed/ray_engine.py has, and its entry point
in pyproject.toml.

A batch crosses as a parcel, there and back, so that an engine needs one thing only: `Engine.map`. What a worker makes
of a batch are its records and sums, not its results, unless these are to be printed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from itertools import groupby
from pickle import PickleBuffer
from time import process_time
from typing import Any, Generic, Protocol, TypeVar

from fstmetrics.batches.builds import Build, differs, own_build
from fstmetrics.batches.parcels import Call, Parcel, apart, carried, packed, size_of, together, unpacked
from fstmetrics.engine.item_tables import narrowed
from fstmetrics.scoring.pair_blocks import PairBlock, in_parts
from fstmetrics.scoring.request import ENGINES
from fstmetrics.scoring.run import Elsewhere
from fstmetrics.scoring.sums import Sums
from fstmetrics.scoring.work import Work, Worked, label
from fstmetrics.significance.block_statistics import BlockFound, BlockStatistics, Runner
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import Limits, limited, limits

Made = TypeVar("Made")
# Items of the first batches; their time says how many later ones have.
FIRST_SIZE, LARGEST_SIZE = 256, 1 << 17
# Items of a block of native columns; the records of more take longer to write, beyond the caches of a processor.
BLOCK = 1 << 13
# What a batch should take a worker, in seconds of CPU time: long beside what an engine takes to hand it over.
WANTED_SECONDS = 0.5
# A batch has at most so many times the items of one before it.
MOST_GROWTH = 64
# A batch of more bytes is followed by one of half as many items.
MOST_BYTES = 1 << 25


class Engine(Protocol):
    """Something that calls a function in other processes."""

    def map(self, work: Call, given: Iterable[Parcel]) -> Iterator[Parcel | None]:
        """What the function makes of each, in order; None where the worker died of it, again and again.

        Only as many are asked for as keep all workers busy.
        """

    def close(self) -> None:
        """Stop what was started for the run."""


def engine_of(name: str, jobs: int) -> Engine:
    """An engine, ready.

    Args:
        name: as `--on` takes it.
        jobs: how many workers it has if it is started here; 1: one for each CPU.

    Raises:
        FstmetricsError: it is not installed, or does not start.
    """
    engine: Engine = ENGINES[name](jobs if jobs > 1 else None)
    return engine


@dataclass(frozen=True)
class BatchWork(Generic[Made]):
    """What a worker does with a parcel of batches.

    Args:
        work: what is done with one.
        limits: those that hold where it is made; they hold where it is called.
        build: likewise; where another one is called nothing is scored.
    """

    work: Work[Made]
    limits: Limits = field(default_factory=limits)
    build: tuple[str, int, int, str] = field(default_factory=own_build)

    @property
    def keep_going(self) -> bool:
        """Whether a fault is of its item; otherwise it is of the run."""
        return self.work.keep_going

    def __call__(self, given: Parcel) -> Parcel:
        """A batch to the seconds of CPU time it took, what came of its blocks up to an error, and that error."""
        begin = process_time()
        found: list[Any] = []
        failure: FstmetricsError | None = None
        is_whole = True
        try:
            if fault := differs(own_build(), Build(*self.build)):
                raise FstmetricsError(fault)
            with limited(**asdict(self.limits)):
                for pairs in apart(given):
                    for made in self._worked(pairs):
                        found.append(made)  # also before an error
        except FstmetricsError as error:
            failure = error
        except MemoryError:
            is_whole = False  # of a batch of one item that is said, of others each half is tried
        return packed((process_time() - begin, (found, failure) if is_whole else None))

    def _worked(self, pairs: PairBlock) -> Iterator[tuple[Any, ...]]:
        """How many pairs of a batch have been worked on, and the fields of `Worked` that travel, up to an error."""
        for some in map(self.work.told, self.work.tried(pairs)):
            sums = None
            if some.columns is not None:
                sums = Sums()
                sums.add_all(some.columns)
            written = some.written and tuple(map(PickleBuffer, some.written))
            results = list(some.results or ()) if self.work.results else None
            yield len(some.pairs), results, some.faults, written, None, sums, some.items


def worked(blocks: Iterable[PairBlock], work: BatchWork[Made], engine: Engine) -> Iterator[Worked[Made]]:
    """What came of pairs, batch by batch, in order.

    What is read when it is needed is read here: workers need not see the files.

    Raises:
        FstmetricsError: what is wrong with an item, or with the pairs as a whole; what comes before it is worked on.
    """
    handed = _Handed(blocks, work.keep_going)
    for answer in engine.map(work, handed):
        yield from handed.unreadable()
        batch = handed.under_way.popleft()
        seconds, found = _opened(answer)
        if seconds is not None:
            handed.took(sum(map(len, batch)), seconds)
        for pairs, made in _settled(batch, found, work, engine):
            if isinstance(made, FstmetricsError):
                raise made
            yield Worked(pairs, *made)
    yield from handed.unreadable()
    if handed.failure:
        raise handed.failure


# What came of the first blocks of a batch, each behind the number of its items, and what ended it.
_Found = tuple[list[tuple[Any, ...]], FstmetricsError | None]


def _opened(answer: Parcel | None) -> tuple[float | None, _Found | None]:
    """The seconds that a batch took and what came of it; None where its worker died or ran out of memory."""
    seconds, found = (None, None) if answer is None else unpacked(answer)
    return seconds, found


def _settled(
    batch: Sequence[PairBlock], found: _Found | None, work: BatchWork[Made], engine: Engine
) -> Iterator[tuple[PairBlock, Any]]:
    """What came of the blocks of a batch, up to an error; of a batch that a worker dies of, what came of its halves."""
    if found is not None:
        made, failure = found
        for pairs, (size, *fields) in zip(batch, made, strict=False):
            yield pairs if size == len(pairs) else pairs[:size], fields
        if failure:
            yield batch[0], failure
        return
    first = batch[0]
    if len(batch) == 1 and len(first) == 1:
        message = (
            f"{label(first)}: the worker that scored it died or ran out of memory, each time; it was left out"
        )
        yield first, (None, {0: message}) if work.keep_going else FstmetricsError(message)
        return
    half = (len(first) if len(batch) == 1 else len(batch)) // 2
    halves = ([first[:half]], [first[half:]]) if len(batch) == 1 else (batch[:half], batch[half:])
    given = (together(list(map(carried, each))) for each in halves)
    for each, answer in zip(halves, engine.map(work, given), strict=True):
        yield from _settled(each, _opened(answer)[1], work, engine)


class _Handed(Iterator[Parcel]):
    """The parcels of batches, one after the other.

    Attributes:
        under_way: the blocks of batches that were asked for, and between them what nobody has to work on.
        failure: what ended them, if that was an error.
    """

    def __init__(self, blocks: Iterable[PairBlock], keep_going: bool) -> None:
        self.under_way: deque[Any] = deque()
        self.failure: FstmetricsError | None = None
        self._rest = in_parts(blocks, lambda: min(self._size, BLOCK))
        self._keep_going = keep_going
        self._size = FIRST_SIZE
        self._parts: deque[PairBlock | Worked[Any]] = deque()

    def __next__(self) -> Parcel:
        batch: list[PairBlock] = []
        given: list[Parcel] = []
        while (
            sum(map(len, batch)) < self._size and sum(map(size_of, given)) < MOST_BYTES and self._has_next()
        ):
            if isinstance(self._parts[0], PairBlock):
                batch.append(self._parts.popleft())  # type: ignore[arg-type]
                given.append(carried(batch[-1]))
            elif batch:
                break
            else:
                self.under_way.append(self._parts.popleft())
        if not batch:
            raise StopIteration
        if size_of(given[0]) > MOST_BYTES:
            self._size = max(1, len(batch[0]) // 2)
        self.under_way.append(batch)
        return together(given)

    def _has_next(self) -> bool:
        while not self._parts:
            if self.failure:
                return False
            try:
                pairs = next(self._rest, None)
            except FstmetricsError as error:
                self.failure = error
                return False
            if pairs is None:
                return False
            self._parts += self._read(pairs)
        return True

    def _read(self, batch: PairBlock) -> list[PairBlock | Worked[Any]]:
        """A batch whose values have been read, cut where they cannot be."""
        if not batch.is_deferred:
            return [batch]
        pairs, faults = batch.readable(self._keep_going)
        if not self._keep_going:
            self.failure = next(iter(faults.values()), None)
            return [pairs] if pairs else []
        if not faults:
            return [pairs]
        parts: list[PairBlock | Worked[Any]] = []
        for wrong, run in groupby(range(len(pairs)), faults.__contains__):
            places = list(run)
            part = pairs[places[0] : places[-1] + 1]
            told = {number: str(faults[place]) for number, place in enumerate(places)} if wrong else {}
            parts.append(Worked(part, faults=told) if wrong else part)
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


def elsewhere(name: str, jobs: int) -> Elsewhere:
    """What has items worked on by an engine, which runs as long; arguments as of `engine_of`."""

    def mapped(blocks: Iterable[PairBlock], work: Work[Any]) -> Generator[Worked[Any], None, None]:
        with closing(engine_of(name, jobs)) as engine:
            yield from worked(blocks, BatchWork(work), engine)

    return mapped


@dataclass(frozen=True)
class StatisticsWork(BatchWork[BlockFound]):
    """What a worker does with a batch: it hands back columns of statistics, as narrow as they are, metric by metric.

    Args:
        work: a `BlockStatistics`.
    """

    work: Any
    keep_going = False

    def _worked(self, pairs: PairBlock) -> Iterator[tuple[Any, ...]]:
        yield len(pairs), [found._replace(rows=narrowed(found.rows)) for found in self.work(pairs)]


def statistics_runner(engine: Engine) -> Runner:
    """What has the statistics of `compare` found by an engine."""

    def run(work: BlockStatistics, pairs: PairBlock) -> Iterator[tuple[int, list[BlockFound]]]:
        for some in worked([pairs], StatisticsWork(work), engine):
            assert some.results is not None
            yield len(some.pairs), list(some.results)

    return run
