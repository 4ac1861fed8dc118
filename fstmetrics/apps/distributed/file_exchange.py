"""Batches and answers as files that this machine and the workers see: an engine then hands over names only.

`FileExchange` has the folder; `ByFiles` is what a worker calls.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from glob import glob
from itertools import count

from fstmetrics import FstmetricsError
from fstmetrics.batches.parcels import Call, Parcel, read_from, written_to

try:
    import fcntl
except ImportError:  # not on this system
    fcntl = None  # type: ignore[assignment]

# How folders of batches are called, and what in them is locked by the process that made it.
PREFIX, LOCK = "fstmetrics-batches-", "lock"
# A folder that all machines of a cluster see.
VARIABLE = "FSTMETRICS_EXCHANGE"
# Where files are memory.
MEMORY = "/dev/shm"
# Bytes that have to be free there; containers often have 64 MB, less than a batch and its answer.
ROOM = 1 << 30


class FileExchange:
    """A folder for the batches of a run; `close` removes it.

    Args:
        parent: where it is made.
        is_memory: whether it is on this machine, so that answers need not be copied.

    Raises:
        FstmetricsError: it cannot be made there.
    """

    def __init__(self, parent: str, is_memory: bool) -> None:
        self._parent, self._is_memory = parent, is_memory
        try:
            if is_memory:
                remove_left_behind(parent)
            self._folder = tempfile.TemporaryDirectory(prefix=PREFIX, dir=parent)
            self._lock = _locked(self._folder.name) if is_memory else None
        except OSError as error:
            raise self._failed(error) from None
        self._numbers = count()

    def given(self, batch: Parcel) -> str:
        """The name of a batch, for a worker.

        Raises:
            FstmetricsError: it cannot be written.
        """
        path = os.path.join(self._folder.name, str(next(self._numbers)))
        try:
            written_to(path, batch)
        except OSError as error:
            raise self._failed(error) from None
        return path

    def worker(self, work: Call) -> ByFiles:
        """What a worker calls with the name of a batch."""
        return ByFiles(work, self._is_memory)

    def answer(self, name: str | None, given: str) -> Parcel | None:
        """What a worker has made of a batch, None where it died; the files of both are removed."""
        answer = None if name is None else read_from(name, self._is_memory)
        for path in filter(None, (name, given)):
            os.unlink(path)
        return answer

    def close(self) -> None:
        """Remove all that is left."""
        self._folder.cleanup()
        if self._lock is not None:
            os.close(self._lock)

    def _failed(self, error: OSError) -> FstmetricsError:
        return FstmetricsError(f"batches cannot be exchanged in {self._parent}: {error.strerror}")


def remove_left_behind(parent: str) -> None:
    """Remove the folders of this user's runs that were killed: those whose lock nobody holds.

    Their lock is there once it is held, so a folder that has just been made is let alone.
    """
    if fcntl is None:
        return
    for folder in glob(os.path.join(parent, f"{PREFIX}*")):
        path = os.path.join(folder, LOCK)
        with suppress(OSError):
            if os.path.islink(folder) or os.stat(folder).st_uid != os.geteuid():
                continue
            lock = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def _locked(folder: str) -> int | None:
    """The lock of a folder, held as long as this process lives, and no longer; None where the system has none."""
    if fcntl is None:
        return None
    path = os.path.join(folder, LOCK)
    lock = os.open(f"{path}.new", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    os.rename(f"{path}.new", path)
    return lock


@dataclass(frozen=True)
class ByFiles:
    """A function of parcels, as one of names of files that have them."""

    work: Call
    is_memory: bool

    def __call__(self, name: str) -> str:
        """The name of the answer; a worker that is called again writes one of its own."""
        answer = self.work(read_from(name, self.is_memory))
        file, own = tempfile.mkstemp(prefix=f"{os.path.basename(name)}-", dir=os.path.dirname(name))
        os.close(file)
        written_to(own, answer)
        return own


def exchange_of(is_one_machine: bool) -> FileExchange | None:
    """The folder that somebody has named, or on one machine one in memory; else None: the engine copies batches."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return FileExchange(chosen, False)
    if not is_one_machine:
        return None
    has_room = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ROOM
    return FileExchange(MEMORY if has_room else tempfile.gettempdir(), True)
