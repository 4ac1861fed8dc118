"""Batches and answers as files that this machine and the workers see: an engine then hands over names only.

`FileExchange` has the folder; `ByFiles` is what a worker calls.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from fstmetrics.support.errors import FstmetricsError

# A folder that all machines of a cluster see.
VARIABLE = "FSTMETRICS_EXCHANGE"
# Where files are memory.
MEMORY = "/dev/shm"


class FileExchange:
    """A folder for the batches of a run; `close` removes it.

    Args:
        parent: where it is made.

    Raises:
        FstmetricsError: it cannot be made there.
    """

    def __init__(self, parent: str) -> None:
        try:
            self._folder = tempfile.TemporaryDirectory(prefix="fstmetrics-", dir=parent)
        except OSError as error:
            raise FstmetricsError(f"batches cannot be exchanged in {parent}: {error.strerror}") from None
        self._numbers = count()

    def given(self, batch: bytes) -> bytes:
        """The name of a batch, for a worker."""
        path = Path(self._folder.name, str(next(self._numbers)))
        path.write_bytes(batch)
        return os.fsencode(path)

    def answer(self, name: bytes | None, given: bytes) -> bytes | None:
        """What a worker has made of a batch, None where it died; the files of both are removed."""
        answer = None if name is None else Path(os.fsdecode(name)).read_bytes()
        for path in filter(None, (name, given)):
            os.unlink(path)
        return answer

    def close(self) -> None:
        """Remove all that is left."""
        self._folder.cleanup()


@dataclass(frozen=True)
class ByFiles:
    """A function of bytes, as one of names of files that have them."""

    work: Callable[[bytes], bytes]

    def __call__(self, name: bytes) -> bytes:
        """The name of the answer; a worker that is called again writes one of its own."""
        path = Path(os.fsdecode(name))
        answer = self.work(path.read_bytes())
        file, own = tempfile.mkstemp(prefix=f"{path.name}-", dir=path.parent)
        with open(file, "wb") as stream:
            stream.write(answer)
        return os.fsencode(own)


def exchange_of(is_one_machine: bool) -> FileExchange | None:
    """The folder that somebody has named, or on one machine one in memory; else None: the engine copies batches."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return FileExchange(chosen)
    if not is_one_machine:
        return None
    return FileExchange(MEMORY if os.access(MEMORY, os.W_OK) else tempfile.gettempdir())
