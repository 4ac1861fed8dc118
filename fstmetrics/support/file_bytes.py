"""The bytes of files, after gzip, of files that do not change while they are read.

- `read_bytes`, `opened_file`: reading, at once or piece by piece; a small gzip file cannot fill the memory.
- `gunzipped`, `Gunzipped`: the content of gzip, of bytes and of a stream.
- `standard_input`: what "-" is, once.
- `OpenBytes`: those of a large file, which stay in it.
- `readable`: what goes wrong, as an error that names the file.
- `FileState`, `Watched`: whether a file is still what it was. Size and time of writing are not enough: they can be set,
  and programs that copy files do. The time of change is set by the system alone, and another file has another inode.

gzip is read by python-isal's module where that is installed, in a third of the time that Python's own takes. What that
finds wrong is read once more by Python's module, and what this says counts: files are read, refused and described
alike with python-isal and without.
"""

from __future__ import annotations

import gzip
import os
import re
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from io import BufferedIOBase, BufferedReader, BytesIO, FileIO
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, cast

from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.limits import OPTION, check_size, limits

ONCE = "standard input (-) can be read only once"
GZIP_MAGIC = b"\x1f\x8b"
PIECE = 1 << 20
# Bytes that are read at a time.
BUFFER = 1 << 16
# So many bytes may be packed however densely: no harm is in them.
HARMLESS = 1 << 27
DAMAGE = (EOFError, zlib.error, gzip.BadGzipFile)  # what Python says of it
# What gzip begins with: magic number, method, flags that are in use.
MEMBER = re.compile(rb"\x1f\x8b\x08[\x00-\x1f]")
# The standard input that has been read.
_taken: list[BufferedIOBase] = []


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


def stamp_of_file(path: str | PathLike[str] | None) -> str:
    """A file in signatures: its name and a stamp of its content, or `none`."""
    return "none" if path is None else f"{os.path.basename(path)}-{_stamp(os.fspath(path), state_of(path))}"


@lru_cache(maxsize=8)
def _stamp(path: str, _state: FileState | None) -> str:
    from hashlib import sha256  # few runs have such files

    return sha256(read_bytes(path)).hexdigest()[:12]


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

    Attributes:
        state: what it has to be; None where it may be anything.

    Raises:
        InputError: it has changed, also while it is read.
    """

    def __init__(self, path: str | PathLike[str], state: FileState | None = None) -> None:
        super().__init__(path)
        self._path = path
        is_plain = stat.S_ISREG(os.fstat(self.fileno()).st_mode)
        self.state = (state or FileState.of(self.fileno())) if is_plain else None
        if state is not None:
            self.check()

    def check(self) -> None:
        """Raise an InputError if the file has changed."""
        if self.state is not None and FileState.of(self.fileno()) != self.state:
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


class OpenBytes:
    """The bytes of an open file, any piece of which is read when it is asked for.

    Args:
        path: the file, for messages.
        stream: the same, open.
        is_in_place: whether it is the file itself, and no copy.

    Attributes:
        size: how many there are.
        number: the system's number of the open file.
        is_in_place: as given.

    Methods raise an InputError if the file cannot be read, or has changed.
    """

    def __init__(self, path: str, stream: FileIO, is_in_place: bool = False) -> None:
        self.is_in_place = is_in_place
        self._path, self._stream = path, stream
        self.number = stream.fileno()
        self._state = FileState.of(self.number)
        self.size = self._state.size

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, part: slice) -> bytes:
        begin, end, _ = part.indices(self.size)
        with readable(self._path):
            self._stream.seek(begin)
            data = self._stream.read(max(end - begin, 0))
            while len(data) < end - begin and (more := self._stream.read(end - begin - len(data))):
                data += more
            self.check()
            if len(data) < end - begin:
                self.refuse()
        return data

    def check(self) -> None:
        """Raise an InputError if the file has changed."""
        if FileState.of(self.number) != self._state:
            self.refuse()

    def refuse(self) -> None:
        """Raise the error of a file that is not what it was."""
        raise has_changed(self._path)


def read_bytes(path: str | PathLike[str]) -> bytes:
    """All of a file, or of standard input for "-", after gzip.

    Raises:
        InputError: no such file, damaged gzip, or more bytes than the limits allow.
    """
    with readable(path):
        if str(path) == "-":
            return read_stream(standard_input(), path)
        if "://" in str(path):
            from fstmetrics.support.remote_files import read_remote

            data = read_remote(str(path))
            check_size(len(data), path)
            return _unpacked(data, path)
        with BufferedReader(Watched(path)) as stream:
            check_size(os.fstat(stream.fileno()).st_size, path)
            if not Path(path).is_file():
                return read_stream(stream, path)
            return _unpacked(stream.read(), path)


def standard_input() -> BufferedIOBase:
    """The bytes of standard input, which can be had once.

    Raises:
        FstmetricsError: they have been taken before: a second reader would find nothing.
    """
    stream = cast(BufferedIOBase, sys.stdin.buffer)
    if _taken[-1:] == [stream]:
        raise FstmetricsError(ONCE)
    _taken[:] = [stream]
    return stream


def read_stream(stream: BufferedIOBase, path: object) -> bytes:
    """All that comes through a pipe or device, which may have no end; as of `read_bytes`."""
    pieces, size = [], 0
    while piece := stream.read(PIECE):
        pieces.append(piece)
        size += len(piece)
        check_size(size, path)
    return _unpacked(b"".join(pieces), path)


def _unpacked(data: bytes, path: object) -> bytes:
    if not data:
        _refuse_no_gzip(path)
    return gunzipped(data, path) if data.startswith(GZIP_MAGIC) else data


@contextmanager
def readable(path: object) -> Iterator[None]:
    """Where a file is read: what goes wrong is an InputError that names it."""
    try:
        yield
    except MemoryError:
        raise beyond_memory(path) from None
    except DAMAGE as error:
        raise InputError(f"damaged gzip: {error}", path) from None
    except OSError as error:
        parts = str(path).split(",")
        several = f"; these are {len(parts)} files: give each by itself, as --ref {' --ref '.join(parts)}"
        are_several = len(parts) > 1 and all(map(os.path.isfile, parts))
        raise InputError(f"cannot be read: {error.strerror}{several * are_several}", path) from None
    except UnicodeEncodeError as error:
        said = f"cannot be read: names of files have no {error.object[error.start]!a} in {error.encoding}"
        raise InputError(
            f"{said}, which the locale asks for; with PYTHONUTF8=1 they are UTF-8", path
        ) from None


@contextmanager
def opened_file(
    path: str, state: FileState | None = None
) -> Iterator[tuple[BufferedIOBase, FileState | None]]:
    """The content of a file or URL from its beginning, after gzip, and the state of the file.

    Args:
        path: the file.
        state: what it has to be; None: what it is now.

    Raises:
        InputError: it cannot be read, or has changed, also while it is read.
    """
    with readable(path):
        if "://" in path:
            from fstmetrics.support.remote_files import opened_remote

            stream = opened_remote(path)
        else:
            watched = Watched(path, state)
            state, stream = watched.state, BufferedReader(watched, BUFFER)
        with stream, unpacked(stream, path) as content:
            yield content, state


def beyond_memory(path: object) -> InputError:
    """The error of a file for which memory does not suffice."""
    return InputError(
        f"does not fit into the memory that is left; {OPTION} bytes=N refuses such files at once", path
    )


def unpacked(stream: BufferedReader, path: object) -> BufferedIOBase:
    """The content of a stream, which may be gzip; errors as of Python's own modules, and where it is too dense."""
    begun = stream.peek(len(GZIP_MAGIC))
    if not begun:
        _refuse_no_gzip(path)
    return Gunzipped(stream, path) if begun.startswith(GZIP_MAGIC) else stream


def _refuse_no_gzip(path: object) -> None:
    """Raise an InputError for a file without a byte that is called gzip, which has some even of nothing."""
    if str(path).endswith(".gz"):
        raise InputError(
            "is empty, without a byte, which gzip never is: was it written to its end? Write it again", path
        )


@cache
def quick_reader() -> tuple[type[gzip.GzipFile], type[Exception]]:
    """The class of python-isal, and what it raises beside `DAMAGE`; Python's own where that is not installed."""
    with suppress(ImportError):
        from isal import igzip, isal_zlib

        return igzip.IGzipFile, isal_zlib.error  # type: ignore[return-value]
    return gzip.GzipFile, zlib.error


def gunzipped(data: bytes, path: object = None) -> bytes:
    """The content of gzip, of one member or several; zeros may follow.

    Raises:
        InputError: damaged, cut off, more bytes than the limit, or packed too densely.
    """
    most = limits().bytes
    try:
        with Gunzipped(BufferedReader(BytesIO(data)), path) as content:
            found = content.read(most + 1)
    except DAMAGE as error:
        raise InputError(f"damaged gzip: {error}", path) from None
    if len(found) > most:
        check_size(len(found), path)
    return found


class Gunzipped(BufferedIOBase):
    """The content of a stream of gzip, of which the density is looked at as it is read.

    Args:
        stream: the packed bytes, from the beginning.
        path: the file, for messages.

    Methods raise what Python's gzip module raises, and an InputError where gzip becomes much larger than real data.
    """

    def __init__(self, stream: BufferedReader, path: object) -> None:
        self._packed, self._path = stream, path
        # What cannot be read once more is read by Python's module at once.
        kind, self._error = quick_reader()
        self._content = (kind if stream.seekable() else gzip.GzipFile)(fileobj=stream, mode="rb")

    def close(self) -> None:
        """The packed stream stays open."""
        self._content.close()
        super().close()

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """Whether there is a way back, which is from the beginning."""
        return self._packed.seekable()

    def tell(self) -> int:
        """How many bytes of content have been read."""
        return self._content.tell()

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place in the content, or to its end."""
        if whence == 0 and offset < self.tell():
            self._content.seek(0)
        while (whence == 2 or self.tell() < offset) and self.read1(
            PIECE if whence == 2 else min(PIECE, offset - self.tell())
        ):
            pass
        return self.tell()

    def read(self, size: int | None = -1) -> bytes:
        """So many bytes, or as many as there are."""
        wanted = limits().bytes + 1 if size is None or size < 0 else size
        pieces: list[bytes] = []
        while wanted > 0 and (piece := self.read1(wanted)):
            pieces.append(piece)
            wanted -= len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def read1(self, size: int = -1) -> bytes:
        """Some bytes, no more than `size`."""
        begin = self._content.tell()
        most = min(size, PIECE) if size >= 0 else PIECE
        try:
            piece = self._content.read1(most)
        except (*DAMAGE, self._error):
            if type(self._content) is gzip.GzipFile:
                raise
            self._packed.seek(0)
            self._content = gzip.GzipFile(fileobj=self._packed, mode="rb")
            self._content.seek(begin)
            piece = self._content.read1(most)
        if begin + len(piece) > HARMLESS:
            self._check_density(begin + len(piece))
        return piece

    def _check_density(self, size: int) -> None:
        """Refuse gzip that becomes much larger than real data do; InputError."""
        try:
            packed = os.fstat(self._packed.fileno()).st_size
        except OSError:
            packed = self._packed.tell()  # of what comes through a pipe, as much as has come
        most = limits().ratio
        if size > most * packed:
            raise limits().error(
                "ratio", f"gzip of {packed} bytes unpacks to more than {most} times as many", self._path
            )
