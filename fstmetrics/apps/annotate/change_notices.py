"""News of changes for every window that is open: `ChangeNotices`, the source of the server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from fstmetrics.apps.annotate.project_store import Annotator, sees_others

# Seconds after which a line without meaning shows that the connection is alive.
ALIVE = 15.0
# News that wait for a window; one that is so far behind is told to load again.
MOST_WAITING = 500


class ChangeNotices:
    """Who listens, and what they are told. `tell` may be called from any thread."""

    def __init__(self) -> None:
        self._queues: dict[asyncio.Queue[str | None], Annotator] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def tell(self, annotator: Annotator, sentence: int, what: dict[str, Any]) -> None:
        """Tell everybody who may know that an annotator has changed a sentence."""
        data = json.dumps({"annotator": annotator.name, "sentence": sentence, **what})
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._spread, annotator, f"event: change\ndata: {data}\n\n")

    def _spread(self, annotator: Annotator, line: str) -> None:
        for queue, listener in self._queues.items():
            if listener.name == annotator.name or sees_others(listener.protocol):
                if queue.qsize() < MOST_WAITING:
                    queue.put_nowait(line)
                elif queue.qsize() == MOST_WAITING:
                    queue.put_nowait("event: reload\ndata: {}\n\n")

    async def listen(self, listener: Annotator) -> AsyncIterator[str]:
        """What an annotator's window is told, until the server ends."""
        self._loop = asyncio.get_running_loop()
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._queues[queue] = listener
        try:
            yield "retry: 1000\n\n"
            while True:
                try:
                    line = await asyncio.wait_for(queue.get(), ALIVE)
                except TimeoutError:
                    line = ": alive\n\n"
                if line is None:
                    return
                yield line
        finally:
            self._queues.pop(queue, None)

    def end(self) -> None:
        """Let all streams end, so that the server can."""
        for queue in list(self._queues):
            queue.put_nowait(None)
