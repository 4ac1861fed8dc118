"""Files written whole or not at all.

`whole_file` is a stream of text, `whole_bytes` one of bytes; `write_whole` is at once; `whole_folder` is a folder;
`write_private` is for what nobody else may read.
They are written beside their place, under a name that nobody else has: it is made up of random digits, and where
something of that name is there all the same, a link above all, nothing is written through it.
What the shell has opened (`/dev/stdout`, `/dev/fd/3`) is written to as it is, from where it is: `descriptor_of`.
`refuse_overwriting` keeps outputs from inputs and from one another.
"""

from __future__ import annotations

import errno
import gzip
import io
import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import combinations
from pathlib import Path
from typing import BinaryIO, TextIO, TypeVar

from fstmetrics.support.errors import FstmetricsError

Begun = TypeVar("Begun")
# Folders of the open files of a process.
OPEN_FILES = re.compile(r"/dev/fd|/proc/(self|thread-self|(?P<process>[0-9]+))(/task/[0-9]+)?/fd")
# Links behind one another that a system follows.
MOST_LINKS = 40
# Characters of a name that the name of its unfinished file has, so that it is not too long for a file system.
KEPT = 40


@contextmanager
def whole_file(path: str) -> Iterator[TextIO]:
    """A UTF-8 file that appears under its name only when all of it is written, gzip by the ending `.gz`; "-" is
    standard output.

    Devices, pipes and open files (`/dev/null`, `/dev/fd/3`) are written to as they are. Halves of surrogate pairs are
    written as `\\udc80`, which is how JSON has them.

    Raises:
        FstmetricsError: it cannot be written.
    """
    if path == "-":
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
        yield sys.stdout
        return
    with (
        whole_bytes(path) as file,
        io.TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="\n") as stream,
    ):
        yield stream


@contextmanager
def whole_bytes(path: str) -> Iterator[BinaryIO]:
    """A file as of `whole_file`, for bytes; gzip by the ending `.gz`, with no time in it."""
    if path == "-":
        sys.stdout.flush()
        yield sys.stdout.buffer
        return
    with _whole(path) as stream:
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
    try:
        if os.path.lexists(target) and not (target.is_dir() and not any(target.iterdir())):
            raise FstmetricsError(f"{path}: is there already; give a folder that is new or empty")
        with _beside(target, Path.mkdir, shutil.rmtree) as (place, _):
            yield place
            if target.is_dir():
                target.rmdir()
            place.rename(target)
    except OSError as error:
        raise unwritable(path, error) from None


def write_whole(path: str, content: str | bytes) -> None:
    """Write a file as `whole_file` does, text or bytes; errors as there."""
    if isinstance(content, str):
        with whole_file(path) as stream:
            stream.write(content)
    else:
        with whole_bytes(path) as file:
            file.write(content)


def write_private(path: str | Path, content: str) -> None:
    """Write a file whole or not at all that only its owner may read, from its first byte on.

    Raises:
        FstmetricsError: it cannot be written.
    """

    def begin(place: Path) -> TextIO:
        return open(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8")

    try:
        with _beside(Path(path), begin, os.unlink) as (place, stream):
            with stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())  # or a machine that loses power may have the name and no content
            place.replace(path)
    except OSError as error:
        raise unwritable(str(path), error) from None


def refuse_overwriting(outputs: Iterable[str | None], inputs: Iterable[str | None]) -> None:
    """Keep outputs from inputs, whatever their names, and from one another.

    Args:
        outputs: paths; None and "-" are no files; devices, pipes and open files may take several outputs.
        inputs: paths; None and "-" are no files, and files right in a folder are inputs, too.

    Raises:
        FstmetricsError: an output is an input, would be in a folder of inputs, or is another output.
    """
    written = [path for path in outputs if path not in (None, "") and (is_plain(path) or os.path.isdir(path))]
    for path in written:
        for other in filter(None, inputs):
            if other == "-":
                continue
            if _same(path, other) or (os.path.isfile(path) and _is_within(path, other)):
                raise FstmetricsError(f"{path}: would overwrite the input {other}; write to another file")
            if _is_within(path, other):
                raise FstmetricsError(
                    f"{path}: would be in the folder {other}, which is read; write to another folder"
                )
    for one, other in combinations(written, 2):
        if _same(one, other):
            raise FstmetricsError(f"{one}, {other}: two outputs would be one file; name them differently")


def _same(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:  # not there yet
        return os.path.realpath(one) == os.path.realpath(other)


def _is_within(path: str, folder: str) -> bool:
    """Whether a file is, or would be, right in a folder."""
    if os.path.isdir(path) or path.endswith(os.sep) or not os.path.isdir(folder):
        return False
    places = {
        os.path.dirname(path) or ".",
        os.path.dirname(os.path.realpath(path)),
    }  # where its name is, and itself
    return any(_same(place, folder) for place in places)


def unwritable(path: str, error: OSError) -> FstmetricsError:
    """An error that says that, and why, a path cannot be written."""
    return FstmetricsError(f"{path}: cannot be written: {error.strerror}")


def descriptor_of(path: str) -> int | None:
    """The number of the open file that a path means, also through links; None of others.

    Raises:
        FstmetricsError: it is one of another process, in which nobody can write where that would write next.

    >>> descriptor_of("/dev/fd/7"), descriptor_of("/tmp/7"), descriptor_of("-")
    (7, None, None)
    """
    for _ in range(MOST_LINKS):
        try:
            folder, name = os.path.split(os.path.abspath(path))
        except FileNotFoundError:  # the folder that the process is in has been removed
            return None
        if name.isdecimal() and (found := OPEN_FILES.fullmatch(folder)):
            if (found["process"] or str(os.getpid())) != str(os.getpid()):
                raise FstmetricsError(
                    f"{path}: cannot be written: it is open in another process; /dev/fd/{name} is one of this one"
                )
            return int(name)
        if not os.path.islink(path):
            return None
        path = os.path.join(folder, os.readlink(path))
    return None


def named_output(path: str) -> str:
    """The name of an output as commands have it: "-" of whatever means standard output.

    Raises:
        FstmetricsError: it means an open file, and there is none of that number.
    """
    number = descriptor_of(path)
    if number == 1:
        return "-"
    if number is not None:
        try:
            os.fstat(number)
        except (OSError, OverflowError):
            raise FstmetricsError(
                f"{path}: cannot be written: no file of that number is open; {number}> FILE opens one"
            ) from None
    return path


def is_plain(path: str) -> bool:
    """Whether a path is, or will be, a plain file: no device, pipe or folder, no open file, not standard output."""
    if path == "-" or descriptor_of(path) is not None:
        return False
    return os.path.isfile(path) or not os.path.lexists(os.path.realpath(path))


def keep_rights(file: int, target: str | Path) -> None:
    """Give a file that is to replace another one its rights: who may read that one, and nobody else, may read this.

    Raises:
        OSError: the other one may not be written.
    """
    if os.path.exists(target) and hasattr(os, "fchmod"):
        if not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        os.fchmod(file, stat.S_IMODE(os.stat(target).st_mode))


@contextmanager
def _whole(path: str) -> Iterator[BinaryIO]:
    """A file whose content then moves to the path."""
    target = Path(os.path.realpath(path))  # through links, so that a link stays one
    try:
        if (number := descriptor_of(path)) is not None:
            for stream in (sys.stdout, sys.stderr):
                stream.flush()  # what was said before comes before
            with open(os.dup(number), "wb") as file:
                yield file
            return
        if not is_plain(path):
            with open(target, "wb", opener=_as_it_is) as device:
                yield device
            return
        with _beside(target, lambda place: place.open("xb"), os.unlink) as (place, stream):
            with stream:
                keep_rights(stream.fileno(), target)
                yield stream
            place.replace(target)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise unwritable(path, error) from None


def _as_it_is(path: str, flags: int) -> int:
    """Open a device or pipe; a plain file that took its place is not made, nor cut to nothing."""
    return os.open(path, flags & ~(os.O_CREAT | os.O_TRUNC))


@contextmanager
def _beside(
    target: Path, begin: Callable[[Path], Begun], remove: Callable[[Path], object]
) -> Iterator[tuple[Path, Begun]]:
    """What is begun under a name beside a path that nobody else has, or can know; it goes if it is not finished."""
    place = target.with_name(f".{target.name[:KEPT]}.{os.urandom(8).hex()}.unfinished")
    try:
        begun = begin(place)
    except FileExistsError:  # somebody has it all the same, and keeps it
        raise
    except BaseException:
        _without_fail(remove, place)
        raise
    try:
        yield place, begun
    except BaseException:
        _without_fail(remove, place)
        raise


def _without_fail(remove: Callable[[Path], object], place: Path) -> None:
    with suppress(OSError):
        remove(place)
