"""Whether a file is still what it was: `FileState`, and `Watched`, a file that is refused once it has changed.

Size and time of writing are not enough: they can be set, and programs that copy files do. The time of change is set by
the system alone, and another file has another inode.
"""

from __future__ import annotations

import os
import stat
from io import FileIO
from os import PathLike
from typing import Any, NamedTuple

from fstmetrics.support.errors import InputError


class FileState(NamedTuple):
    """What changes when a file does.

    Attributes:
        size: in bytes.
        written: when its content was written last, in nanoseconds; it can be set.
        changed: when anything of it changed last, in nanoseconds; on Windows when it was made.
        inode: its number in the file system.
    """

    size: int
    written: int
    changed: int
    inode: int

    @classmethod
    def of(cls, file: int | str | PathLike[str]) -> FileState:
        """That of an open file, by its number, or of a path. Raises OSError."""
        found = os.stat(file)
        return cls(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def state_of(path: str | PathLike[str]) -> FileState | None:
    """The state of a plain file; None of a URL, of a pipe or device, and of what is not there."""
    try:
        return FileState.of(path) if stat.S_ISREG(os.stat(path).st_mode) else None
    except (OSError, ValueError):
        return None


def has_changed(path: object) -> InputError:
    """The error of a file that is not what it was."""
    return InputError(
        "has changed while it was being read; run the command again when nothing writes to it", path
    )


class Watched(FileIO):
    """A file to be read, which is looked at after each piece; pipes and devices are not.

    Args:
        path: the file.
        state: what it has to be; None: what it is now.

    Raises:
        InputError: it has changed, also while it is read.
    """

    def __init__(self, path: str | PathLike[str], state: FileState | None = None) -> None:
        super().__init__(path)
        self._path = path
        is_plain = stat.S_ISREG(os.fstat(self.fileno()).st_mode)
        self._state = (state or FileState.of(self.fileno())) if is_plain else None
        if state is not None:
            self.check()

    def check(self) -> None:
        """Raise an InputError if the file has changed."""
        if self._state is not None and FileState.of(self.fileno()) != self._state:
            raise has_changed(self._path)

    def readinto(self, buffer: Any, /) -> int:
        """As of `FileIO`."""
        size = super().readinto(buffer)
        self.check()
        return size

    def readall(self) -> bytes:
        """As of `FileIO`."""
        data = super().readall()
        self.check()
        return data

    def read(self, size: int | None = -1, /) -> bytes:
        """As of `FileIO`."""
        data = super().read(size)
        self.check()
        return data
