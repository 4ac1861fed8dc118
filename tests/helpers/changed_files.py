"""Files that change so that their size, and mostly the time of writing, do not tell it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

# A system counts the time of changes in steps of some milliseconds.
STEP = 0.03


def other(path: Path) -> bytes:
    """As many bytes: other words where there is a hat, another digit at the end where there is none."""
    data = path.read_bytes()
    return data.replace(b"hat", b"bat") if b"hat" in data else data[:-2] + bytes([data[-2] ^ 1]) + data[-1:]


def touched(path: Path) -> None:
    """Nothing but the time of writing."""
    os.utime(path, (0, path.stat().st_mtime - 9))


def overwritten(path: Path, data: bytes = b"") -> None:
    """In place, by as many other bytes; the time of writing is set back."""
    before, data = path.stat(), data or other(path)
    with path.open("r+b") as file:
        file.write(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replaced(path: Path, data: bytes = b"") -> None:
    """By another file of its name, size and time of writing."""
    before, new = path.stat(), path.with_name("new")
    new.write_bytes(data or other(path))
    os.utime(new, ns=(before.st_atime_ns, before.st_mtime_ns))
    new.replace(path)


def copied(path: Path) -> None:
    """By a copy: another inode and other times, the same bytes."""
    new = path.with_name("new")
    new.write_bytes(path.read_bytes())
    new.replace(path)


Change = Callable[..., None]


def changed_later(change: Change, path: Path) -> None:
    """Change a file so much later that its time tells that."""
    time.sleep(STEP)
    change(path)
