"""Many items in batches that take about as long as a progress bar may stand still: `batches`; `workers` on them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from time import monotonic
from typing import TypeVar

from fstmetrics.errors import FstmetricsError

Kind = TypeVar("Kind")

# So many items at first; then as many as take about this long, so that results come, and memory is let go, steadily.
# What stops a run loses the batch that is worked on: with items that take long, no more than keeps the threads busy.
FIRST_BATCH = 1
BATCH_SECONDS = 0.1
LARGEST_BATCH = 4096


def batches(items: Iterable[Kind], threads: int = 1) -> Iterator[list[Kind]]:
    """The items, in lists; the time that reading a list and working on it takes decides how long the next one is.

    Raises:
        FstmetricsError: the items raised it, and what they gave before has been worked on.
    """
    threads = workers(threads)
    rest, size, failure = iter(items), min(FIRST_BATCH * least_size(threads), LARGEST_BATCH), None
    begin = monotonic()
    while failure is None:
        batch: list[Kind] = []
        try:
            for item in islice(rest, size):
                batch.append(item)
        except FstmetricsError as error:
            failure = error
        if not batch:
            break
        yield batch
        end = monotonic()
        size = next_size(len(batch), end - begin, threads)
        begin = end
    if failure:
        raise failure


def workers(threads: int) -> int:
    """How many of so many threads are of use: beyond twice the processors, they and their items only cost memory."""
    is_told = hasattr(os, "sched_getaffinity")  # not on every system
    processors = len(os.sched_getaffinity(0)) if is_told else os.cpu_count() or 1
    return min(threads, 2 * processors)


def least_size(threads: int) -> int:
    """Several items a thread, as one may take longer than the others together; one thread is always busy."""
    return 1 if threads == 1 else 4 * threads


def next_size(size: int, seconds: float, threads: int) -> int:
    """How many items to take after `size` of them took some time: enough for all threads, and not much longer."""
    if seconds < BATCH_SECONDS / 2:
        return min(2 * size, LARGEST_BATCH)
    return max(size // 2, least_size(threads)) if seconds > 2 * BATCH_SECONDS else size
