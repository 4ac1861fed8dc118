"""Blocks of a file that are read on a thread of their own while those before them are worked on: `read_ahead`."""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from queue import SimpleQueue
from threading import Thread

from fstmetrics._native import Stop
from fstmetrics.io.blocks import Block


def read_ahead(blocks: Iterator[Block]) -> Iterator[Block]:
    """The blocks in order, read one ahead; what reading raises comes in its place.

    Whoever does not come to the end closes the generator, or Python does at its own end: the thread stops then.

    >>> list(read_ahead(iter([Block(["u1"], [1])])))[0].ids
    ['u1']
    """
    ahead = _Ahead(blocks)
    atexit.register(ahead.stop)
    try:
        while (block := ahead.next()) is not None:
            yield block
    finally:
        ahead.stop()
        atexit.unregister(ahead.stop)


class _Ahead:
    """A thread that reads a block whenever one has been taken."""

    def __init__(self, blocks: Iterator[Block]) -> None:
        self._blocks = blocks
        self._stop = Stop()
        self._wanted: SimpleQueue[bool] = SimpleQueue()
        self._read: SimpleQueue[Block | BaseException | None] = SimpleQueue()
        self._wanted.put(True)
        self._thread = Thread(target=self._work, name="reading ahead", daemon=True)
        self._thread.start()

    def next(self) -> Block | None:
        """The next block, None at the end. Raises what reading raised."""
        found = self._read.get()
        if isinstance(found, BaseException):
            raise found
        self._wanted.put(True)
        return found

    def stop(self) -> None:
        """End the thread, and what it is reading."""
        self._stop.set()
        self._wanted.put(False)
        self._thread.join()

    def _work(self) -> None:
        self._stop.heed()
        while self._wanted.get():
            try:
                found = next(self._blocks, None)
            except BaseException as error:  # all of it is for whoever waits
                self._read.put(error)
                return
            self._read.put(found)
            if found is None:
                return
