"""Files written whole or not at all.

`whole_file` is a stream of text, `whole_bytes` one of bytes; `write_whole` is at once; `whole_folder` is a folder.
"""

from __future__ import annotations

import gzip
import io
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO

from fstmetrics.errors import FstmetricsError


@contextmanager
def whole_file(path: str) -> Iterator[TextIO]:
    """A UTF-8 file that appears under its name only when all of it is written; "-" is standard output.

    Devices and pipes (`/dev/null`, `/dev/fd/3`) are written to as they are. Halves of surrogate pairs are written as
    `\\udc80`, which is how JSON has them.

    Raises:
        FstmetricsError: it cannot be written.
    """
    if path == "-":
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
        yield sys.stdout
        return
    with _whole(path) as place:
        stream = place.open("w", encoding="utf-8", errors="backslashreplace", newline="\n")
        with stream:
            yield stream


@contextmanager
def whole_bytes(path: str) -> Iterator[BinaryIO]:
    """A file as of `whole_file`, for bytes; gzip by the ending `.gz`, with no time in it."""
    if path == "-":
        sys.stdout.flush()
        yield sys.stdout.buffer
        return
    with _whole(path) as place, place.open("wb") as stream:
        if path.endswith(".gz"):
            with gzip.GzipFile("", "wb", 6, stream, 0) as packed:
                yield packed  # type: ignore[misc]
        else:
            yield stream


@contextmanager
def whole_folder(path: str) -> Iterator[Path]:
    """A new folder that appears under its name only when everything in it is written.

    Raises:
        FstmetricsError: there is something of that name already, other than an empty folder; or it cannot be written.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise FstmetricsError(f"{path}: is there already; give a folder that is new or empty")
    place = target.with_name(f".{target.name}.{os.getpid()}.unfinished")
    try:
        place.mkdir()
        yield place
        if target.is_dir():
            target.rmdir()
        place.rename(target)
    except OSError as error:
        raise FstmetricsError(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(place, ignore_errors=True)


def write_whole(path: str, content: str | bytes) -> None:
    """Write a file as `whole_file` does, text or bytes; errors as there."""
    if isinstance(content, str):
        with whole_file(path) as stream:
            stream.write(content)
    elif path == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
    else:
        with _whole(path) as place:
            place.write_bytes(content)


@contextmanager
def _whole(path: str) -> Iterator[Path]:
    """A place to write to, whose content then moves to the path."""
    target = Path(os.path.realpath(path))  # through links, so that a link stays one
    is_file = os.path.isfile(target) or not os.path.exists(target)
    place = target.with_name(f".{target.name}.{os.getpid()}.unfinished") if is_file else target
    try:
        yield place
        if is_file:
            place.replace(target)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise FstmetricsError(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        if is_file:
            with suppress(OSError):
                place.unlink(missing_ok=True)
