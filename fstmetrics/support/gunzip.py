"""gzip: the content of some bytes (`gunzipped`), or of a stream, piece by piece (`Gunzipped`).

The inflater is python-isal's where that is installed: it takes a third of the time of Python's own. What it finds wrong
is read once more by Python's modules, and what they say counts: files are read, refused and described alike with it and
without.

The members of a file of several (bgzip, `cat a.gz b.gz`) are unpacked by several threads. Only the member before says
where a member begins, so some are tried ahead where one seems to begin, and count if the one before ends there.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import suppress
from functools import cache
from io import BufferedIOBase, BufferedReader, BytesIO
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from fstmetrics.support.errors import InputError
from fstmetrics.support.limits import limits
from fstmetrics.support.patterns import pattern

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

GZIP_MAGIC = b"\x1f\x8b"
GZIP = 31  # zlib's windowBits for gzip with its header and checksum
PIECE = 1 << 20
PACKED_PIECE = 1 << 16
# So many bytes may be packed however densely: no harm is in them.
HARMLESS = 1 << 27
ZEROS = pattern(rb"\0*")
DAMAGE = (EOFError, zlib.error, gzip.BadGzipFile)  # what Python says of it
# What a member begins with: magic number, method, flags that are in use.
MEMBER = pattern(rb"\x1f\x8b\x08[\x00-\x1f]")
FLAGS, LAST_FLAGS = 3, b"\x1f"
# Packed bytes that a thread unpacks at a time, and a stream reads for each thread.
SPAN = 1 << 20
# A stream unpacks no larger member ahead, so that no more than this times twice the threads waits in memory.
MOST_AHEAD = 1 << 22
MOST_THREADS = 8


@cache
def inflater() -> Any:
    """The module whose `decompressobj` is fastest: `isal.isal_zlib`, or Python's zlib."""
    with suppress(ImportError):
        from isal import isal_zlib

        return isal_zlib
    return zlib


@cache
def _threads() -> int:
    is_told = hasattr(os, "sched_getaffinity")  # not on every system
    return min(MOST_THREADS, len(os.sched_getaffinity(0)) if is_told else os.cpu_count() or 1)


def gunzipped(data: bytes, path: object = None) -> bytes:
    """The content of gzip, of one member or several; zeros may follow.

    Raises:
        InputError: damaged, cut off, more bytes than the limit, or packed too densely.
    """
    is_worth = len(data) > 2 * SPAN and _threads() > 1 and MEMBER.search(data, 1)
    if is_worth and (content := _in_parallel(data)) is not None:
        return content
    if inflater() is not zlib:
        with suppress(inflater().error, EOFError):
            return _gunzipped(data, path, inflater())
    try:
        return _gunzipped(data, path, zlib)
    except (zlib.error, EOFError) as error:
        raise InputError(f"damaged gzip: {error}", path) from None


def _in_parallel(data: bytes) -> bytes | None:
    """The same by several threads; None if anything is wrong or too large."""
    content, at = BytesIO(), 0
    for run in _runs(data, limits().bytes):
        for piece in run.pieces:
            content.write(piece)
        at, size = run.end, content.tell()
        if size > limits().bytes or (size > HARMLESS and size > limits().ratio * len(data)):
            return None
    return content.getvalue() if at == len(data) else None


def _gunzipped(data: bytes, path: object, module: Any) -> bytes:
    """The same one member after the other, with the errors of an inflater."""
    content, at = BytesIO(), 0
    while at < len(data):
        at += _unpack_member(memoryview(data)[at:], len(data), content, path, module)
        at = ZEROS.match(data, at).end()  # type: ignore[union-attr]
    return content.getvalue()


def _unpack_member(data: memoryview, packed: int, content: BytesIO, path: object, module: Any) -> int:
    """Unpack the first member, and say how many bytes it takes. In pieces, so that what is too much is seen at once."""
    unpacker = _begun(data) if module is inflater() else module.decompressobj(GZIP)
    for at in range(0, len(data), PACKED_PIECE):
        left: memoryview | bytes = data[at : at + PACKED_PIECE]
        while left:
            most = min(PIECE, limits().bytes - content.tell() + 1)
            size = content.tell() + len(piece := unpacker.decompress(left, most))
            check_size(size, path)
            check_density(size, packed, path)
            content.write(piece)
            if unpacker.eof:
                return min(at + PACKED_PIECE, len(data)) - len(unpacker.unused_data)
            left = unpacker.unconsumed_tail
    raise EOFError("it ends before its end is marked")


class _Run(NamedTuple):
    """Members one after the other.

    Attributes:
        pieces: their content.
        end: the byte after the last of them and the zeros behind it; where the first begins if there is none.
    """

    pieces: list[bytes]
    end: int


def _run(data: bytes, begin: int, most: int) -> _Run:
    """The members from a place on that are whole and good, for about `SPAN` bytes, or `most` of content."""
    pieces: list[bytes] = []
    view, size, end = memoryview(data), 0, begin
    try:
        while end < min(begin + SPAN, len(data)) and size <= most:
            unpacker, found, at = _begun(view[end:]), [], end
            while not unpacker.eof:
                left: memoryview | bytes = view[at : at + PACKED_PIECE]
                if not left:
                    return _Run(pieces, end)
                at += len(left)
                while left and not unpacker.eof:
                    found.append(unpacker.decompress(left, PIECE))
                    if (size := size + len(found[-1])) > most:
                        return _Run(pieces, end)
                    left = unpacker.unconsumed_tail
            pieces += found
            end = ZEROS.match(data, at - len(unpacker.unused_data)).end()  # type: ignore[union-attr]
    except (inflater().error, EOFError):
        pass
    return _Run(pieces, end)


def _runs(data: bytes, most: int) -> Iterator[_Run]:
    """All members from the beginning on, in order, up to one that is not whole, not good or too large."""
    from concurrent.futures import ThreadPoolExecutor  # loads queues and logging

    with ThreadPoolExecutor(_threads()) as pool:
        ahead: deque[tuple[int, Future[_Run]]] = deque([(0, pool.submit(_run, data, 0, most))])
        at = last = 0
        try:
            while at < len(data):
                while ahead and ahead[0][0] < at:  # within a member
                    ahead.popleft()[1].cancel()
                last = _look_ahead(data, max(last, at), most, pool, ahead)
                is_known = ahead and ahead[0][0] == at
                run = ahead.popleft()[1].result() if is_known else _run(data, at, most)
                yield run
                if run.end == at:
                    return
                at = run.end
        finally:
            for _, future in ahead:
                future.cancel()


def _look_ahead(
    data: bytes, last: int, most: int, pool: Executor, ahead: deque[tuple[int, Future[_Run]]]
) -> int:
    """Begin to unpack where members seem to begin; returns where the last one does."""
    while len(ahead) < 2 * _threads() and (found := MEMBER.search(data, last + SPAN)):
        last = found.start()
        ahead.append((last, pool.submit(_run, data, last, most)))
    return last if len(ahead) == 2 * _threads() else len(data)


class _Ahead:
    """The next pieces, `PIECE` bytes of them or up to a fault.

    Args:
        pieces: gives them.
        in_thread: whether a thread fetches them; they are there after `wait`.
    """

    def __init__(self, pieces: Iterator[bytes], in_thread: bool = False) -> None:
        self.pieces: list[bytes] = []
        self.fault: Exception | None = None
        self._source = pieces
        self._thread = Thread(target=self._fetch, daemon=True) if in_thread else None
        if self._thread is None:
            self._fetch()
        else:
            self._thread.start()

    def _fetch(self) -> None:
        size = 0
        try:
            while size < PIECE and (piece := next(self._source, b"")):
                self.pieces.append(piece)
                size += len(piece)
        except Exception as error:  # raised where the piece is asked for
            self.fault = error

    def wait(self) -> None:
        """Until they are there."""
        if self._thread is not None:
            self._thread.join()


class Gunzipped(BufferedIOBase):
    """The content of a stream of gzip, of which the density is looked at as it is read.

    Args:
        stream: the packed bytes, from the beginning.
        path: the file, for messages.

    Methods raise what Python's gzip module raises, and an InputError where gzip becomes much larger than real data.
    """

    def __init__(self, stream: BufferedReader, path: object) -> None:
        self._packed, self._path = stream, path
        self._begin()

    def _begin(self) -> None:
        self._place = 0
        self._piece, self._at = b"", 0  # what was unpacked last, and how much of it has been read
        self._fault: Exception | None = None
        self._ahead: _Ahead | None = None
        self._ready: deque[bytes] = deque()
        self._pieces = self._unpacked() if self._packed.seekable() else _pieces(_by_python(self._packed))

    def close(self) -> None:
        """Stop the threads that unpack ahead; the packed stream stays open."""
        self._wait()
        self._pieces.close()
        super().close()

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """Whether there is a way back, which is from the beginning."""
        return self._packed.seekable()

    def tell(self) -> int:
        """How many bytes of content have been read."""
        return self._place

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place in the content, or to its end."""
        if whence == 0 and offset < self._place:
            self._wait()
            self._packed.seek(0)
            self._begin()
        while (whence == 2 or self._place < offset) and self.read1(
            PIECE if whence == 2 else min(PIECE, offset - self._place)
        ):
            pass
        return self._place

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
        if self._at == len(self._piece):
            self._piece, self._at = self._next(), 0
        end = len(self._piece) if size < 0 else min(self._at + size, len(self._piece))
        piece = self._piece[self._at : end]
        self._at = end
        self._place += len(piece)
        if self._place > HARMLESS:
            check_density(self._place, self._packed_size(), self._path)
        return piece

    def _next(self) -> bytes:
        """The next piece. While it is looked at, those after it are unpacked by a thread, once a file is large."""
        if not self._ready and self._fault is None:
            self._wait()
            ahead = self._ahead or _Ahead(self._pieces)
            self._ahead = None
            self._ready.extend(ahead.pieces)
            self._fault = ahead.fault
            if self._place > SPAN and self._ready and self._fault is None and _threads() > 1:
                self._ahead = _Ahead(self._pieces, in_thread=True)
        if self._ready:
            return self._ready.popleft()
        if self._fault is not None:
            raise self._fault
        return b""

    def _wait(self) -> None:
        if self._ahead is not None:
            self._ahead.wait()

    def _unpacked(self) -> Generator[bytes]:
        """The content in pieces. Where anything is wrong, what is left of it is as Python's module has it."""
        given, at = 0, 0
        try:
            for run in self._small_members():
                for piece in run.pieces:
                    yield piece
                    given += len(piece)
                at = run.end
            self._packed.seek(at)
            if not self._packed.peek(1):
                return
            by_isal = inflater() is not zlib
            for piece in _by_isal(self._packed) if by_isal else _pieces(_by_python(self._packed)):
                yield piece
                given += len(piece)
            return
        except (*DAMAGE, inflater().error):
            pass
        self._packed.seek(0)
        content = _by_python(self._packed)
        content.seek(given)
        yield from _pieces(content)

    def _small_members(self) -> Iterator[_Run]:
        """The first members, as long as they are small; `end` is a place in the stream."""
        rest, begin = b"", 0
        if _threads() == 1 or MEMBER.search(self._packed.read(SPAN), 1) is None:
            return
        self._packed.seek(0)
        while data := rest + self._packed.read(_threads() * SPAN):
            end = 0
            for run in _runs(data, MOST_AHEAD):
                end = run.end
                yield run._replace(end=begin + end)
            if end == 0:
                return
            rest, begin = data[end:], begin + end

    def _packed_size(self) -> int:
        """Of a file all of it, of what comes through a pipe as much as has come."""
        try:
            return os.fstat(self._packed.fileno()).st_size
        except OSError:
            return self._packed.tell()


def _by_isal(stream: BufferedReader) -> Generator[bytes]:
    """The content in pieces, with the errors of isal, or an EOFError; zeros may stand behind a member."""
    data = stream.read(PACKED_PIECE)
    while data:
        while len(data) <= FLAGS and (more := stream.read(PACKED_PIECE)):
            data += more
        unpacker = _begun(data)
        while not unpacker.eof:
            if not (data := data or stream.read(PACKED_PIECE)):
                raise EOFError
            if piece := unpacker.decompress(data, PIECE):
                yield piece
            data = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
        while not (data := data.lstrip(b"\0")) and (more := stream.read(PACKED_PIECE)):
            data = more


def _begun(data: bytes | memoryview) -> Any:
    """What unpacks the member that begins here.

    Raises:
        EOFError: it has a flag that RFC 1952 keeps for later, which isal does not look at.
    """
    if inflater() is not zlib and bytes(data[FLAGS : FLAGS + 1]) > LAST_FLAGS:
        raise EOFError
    return inflater().decompressobj(GZIP)


def _by_python(stream: BufferedReader) -> BufferedIOBase:
    return gzip.GzipFile(fileobj=stream, mode="rb")


def _pieces(content: BufferedIOBase) -> Generator[bytes]:
    while piece := content.read1(PIECE):
        yield piece


def check_size(size: int, path: object) -> None:
    """Hold a file to the limit of bytes; InputError."""
    limits().check("bytes", size, "holds", "bytes or more", path)


def check_density(size: int, packed: int, path: object) -> None:
    """Refuse gzip that becomes much larger than real data do; InputError."""
    most = limits().ratio
    if size > HARMLESS and size > most * packed:
        raise limits().error(
            "ratio", f"gzip of {packed} bytes unpacks to more than {most} times as many", path
        )
