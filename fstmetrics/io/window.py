"""The part of a file that is in memory while an archive is read piece by piece: `Window`.

A `Piece` is some of its bytes, whose errors name their place in the whole. `bytes_at` reads what lies at a place of an
archive, and refuses what has changed.

Text files split into items by lines that belong together, without parsing them: `split`.

- `lines`: every line is an item; `lists`: lines of one key are; `paragraphs`: lines up to a blank one.
- `sentence_numbers`: keys that say no more than the order.

What is in memory of such a file is where each item lies. It is read by the parser that reads a whole file, given a
piece of it.
"""

from __future__ import annotations

import mmap
import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from io import BufferedIOBase, BufferedReader
from typing import NamedTuple

import numpy as np

from fstmetrics._native import xxh64
from fstmetrics.io.items import OPEN, Deferred, IndexedPlace, Item, Listing, Order, Place, ReadOptions
from fstmetrics.support.errors import InputError
from fstmetrics.support.file_bytes import Watched, readable
from fstmetrics.support.limits import limits
from fstmetrics.support.source import HEAD, File, Source, is_blank

# Bytes read at a time; more where an item is larger, so that the work grows no faster than the item.
BLOCK = 1 << 20


@dataclass(frozen=True)
class Piece(Source):
    """Some bytes from the middle of a file."""

    is_whole: bool = False
    is_end: bool = False


class Window:
    """Bytes of a file from a place that moves on.

    Args:
        path: the file, for messages.
        stream: its content, from the beginning.

    Attributes:
        path: the file, for messages.
        data: what is in memory.
        at: what of it has been used.
        byte: where in the file the data begin.
        line: how many lines have been used; whoever uses them counts.
        ended: whether nothing follows in the file.
        last: the last byte that was read.
    """

    def __init__(self, path: str, stream: BufferedIOBase) -> None:
        self.path = path
        self.data = b""
        self.at = 0
        self.line = 0
        self.ended = False
        self.byte = 0
        self.last = b""
        self._stream = stream
        self._fault: InputError | None = None

    @property
    def left(self) -> int:
        """How many bytes in memory have not been used."""
        return len(self.data) - self.at

    def more(self) -> None:
        """Let go of what has been used, and read on: at least as much again as is left.

        Raises:
            InputError: the rest of the file cannot be read; or what is left is more than a file may have, as an item
                without an end must not fill the memory.
        """
        limits().check("bytes", self.left, "an item whose end is not found takes", "bytes or more", self.path)
        blocks: list[bytes] = []
        wanted = max(BLOCK, self.left)
        while wanted > 0 and (block := self._next(wanted)):
            blocks.append(block)
            wanted -= len(block)
        if self._fault and not blocks:
            place = f"byte {self.byte + self.at}" + (f" (line {self.line})" if self.line else "")
            raise InputError(f"{self._fault}; what follows {place} is lost")
        self.byte += self.at
        self.data = b"".join([memoryview(self.data)[self.at :], *blocks])
        self.at = 0
        self.ended = not blocks
        self.last = blocks[-1][-1:] if blocks else self.last

    def _next(self, most: int) -> bytes:
        """Some bytes; none where the file ends, or is damaged, which is told when nothing else is left."""
        if self._fault is None:
            try:
                with readable(self.path):
                    return self._stream.read1(most)
            except InputError as error:
                self._fault = error
        return b""

    def piece(self) -> Piece:
        """All that is in memory, by bytes."""
        return Piece(self.path, self.data, byte=self.byte)


def let_go(data: memoryview, end: int) -> None:
    """Let what a mapped file has before a byte leave memory; it comes back where somebody looks at it."""
    whole = end - end % mmap.PAGESIZE
    if whole and isinstance(data.obj, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        data.obj.madvise(mmap.MADV_DONTNEED, 0, whole)


PACKED = "is compressed, so that no item can be read without all before it; decompress it first"


def checksum_of(data: bytes | memoryview) -> str:
    """As of `IndexedPlace`.

    >>> checksum_of(b"")
    'ef46db3751d8e999'
    """
    return f"{xxh64(np.frombuffer(data, dtype=np.uint8)):016x}"


def bytes_at(place: IndexedPlace) -> bytes:
    """The bytes of a place.

    Raises:
        InputError: the archive is not there, shorter, or has other bytes there.
    """
    if place.offset < 0 or place.length < 1:
        raise InputError(f"no item lies at offset {place.offset} with length {place.length}", place.path)
    limits().check("bytes", place.length, "an item takes", "bytes", place.path)
    data = part_of(place.path, place.offset, place.length)
    if len(data) != place.length:
        raise InputError(
            f"has changed: {len(data)} bytes are left at offset {place.offset}, and the item has {place.length}",
            place.path,
        )
    if place.checksum is not None and checksum_of(data) != place.checksum:
        raise InputError(
            f"has changed: the checksum of the item at offset {place.offset} differs", place.path
        )
    return data


def part_of(path: str, offset: int, length: int) -> bytes:
    """Some bytes of a file, or of what fsspec knows by a URL; fewer where it ends before. Raises InputError."""
    if "\0" in path:
        raise InputError("a path has no null byte", path)
    if "://" in path:
        from fstmetrics.support.remote_files import read_range

        return read_range(path, offset, length)
    with readable(path), BufferedReader(Watched(path)) as stream:
        if stream.read(2) == b"\x1f\x8b":
            raise InputError(PACKED, path)
        stream.seek(offset)
        return stream.read(length)


Read = Callable[[Source, ReadOptions], Iterator[Item]]
LINE = re.compile(rb"[^\n]*+(?:\n|\Z)")
PARAGRAPH = re.compile(rb"((?>(?:[^\S\n]*+\S[^\n]*+(?:\n|\Z))+))|[^\n]*+(?:\n|\Z)")


class LineRun(NamedTuple):
    """Whole lines that belong together: what the pattern's group holds, where they lie, and the lines before them."""

    mark: bytes | None
    begin: int
    end: int
    line: int


class Span(NamedTuple):
    """Where an item lies: its key, from byte to byte, and the lines before it."""

    key: str | None
    begin: int
    end: int
    line: int


def runs(window: Window, pattern: re.Pattern[bytes]) -> Iterator[LineRun]:
    """A file cut up by a pattern that matches one or more lines. What goes on in the next block is another run.

    Raises:
        InputError: the file cannot be read to its end.
    """
    while True:
        end = len(window.data) if window.ended else window.data.rfind(b"\n", window.at) + 1
        if end <= window.at:
            if window.ended:
                return
            window.more()
            continue
        for match in pattern.finditer(window.data, window.at, end):
            if match.end() > match.start():
                mark = match[1] if pattern.groups else None
                yield LineRun(mark, match.start() + window.byte, match.end() + window.byte, window.line)
                window.line += window.data.count(b"\n", *match.span())
        window.at = end


Join = Callable[[Iterable[LineRun]], Iterator[Span]]


def lines(runs: Iterable[LineRun]) -> Iterator[Span]:
    """Every line is an item."""
    return (Span(None, run.begin, run.end, run.line) for run in runs)


def lists(runs: Iterable[LineRun], key_of: Callable[[str], str]) -> Iterator[Span]:
    """Lines of the same key are an item, and so are lines without a key, which are damaged, with those before them.

    Args:
        runs: by a pattern whose group names the item.
        key_of: the key in what the group holds; "" if there is none.
    """
    span: Span | None = None
    for run in runs:
        key = _key(run, key_of)
        if span is not None and (key is None or span.key in (None, key)):
            span = Span(span.key or key, span.begin, run.end, span.line)
        else:
            if span is not None:
                yield span
            span = Span(key, run.begin, run.end, run.line)
    if span is not None:
        yield span


def _key(run: LineRun, key_of: Callable[[str], str]) -> str | None:
    if run.mark is None:
        return None
    try:
        return key_of(run.mark.decode("utf-8" if run.begin else "utf-8-sig")) or None
    except UnicodeDecodeError:  # said when the item is read
        return None


def paragraphs(runs: Iterable[LineRun], path: str) -> Iterator[Span]:
    """Lines up to a blank one are an item.

    Raises:
        InputError: a blank line that ends nothing.
    """
    span: Span | None = None
    for run in runs:
        if run.mark is None and span is None:
            raise InputError("a blank line ends a sentence, but there is none before it", path, run.line + 1)
        span = Span(
            None, run.begin if span is None else span.begin, run.end, run.line if span is None else span.line
        )
        if run.mark is None:
            yield span
            span = None
    if span is not None:
        yield span


def sentence_numbers(ids: Iterable[str], known: frozenset[str]) -> list[str] | None:
    """The numbers of the sentences, in order, if ids are no more than that and the other side does not have them."""
    found = set(ids)
    numbers = list(map(str, range(len(found))))
    return numbers if known.isdisjoint(found) and found == set(numbers) else None


class Spans:
    """Where the items of a file lie, and how to read them.

    Args:
        file: the file.
        options: what its user says.
        read: the parser of a whole file.

    Attributes:
        options: the same, with what the first items settle.
        keys: of the items; None where there are none.
        is_open: whether the last line has no line end.
    """

    def __init__(self, file: File, options: ReadOptions, read: Read) -> None:
        self.options = options
        self.keys: list[str | None] = []
        self.is_open = False
        self._file = file
        self._read = read
        self._begins, self._ends, self._lines = array("q"), array("q"), array("q")

    def find(self, pattern: re.Pattern[bytes], join: Join) -> InputError | None:
        """Find the items; returns why the file cannot be told apart to its end, if so it is."""
        with self._file.opened() as stream:
            data = stream.read1(HEAD)
            while is_blank(data):
                if not (data := stream.read1(HEAD)):
                    raise InputError("is empty", self._file.path)
        try:
            with self._file.opened() as stream:
                window = Window(self._file.path, stream)
                for span in join(runs(window, pattern)):
                    self._add(span)
                self.is_open = window.last not in (b"", b"\n")
        except InputError as error:
            if not self.keys:
                raise
            return error
        return None

    def _add(self, span: Span) -> None:
        self.keys.append(span.key)
        self._begins.append(span.begin)
        self._ends.append(span.end)
        self._lines.append(span.line)

    def places(self) -> Iterator[Place]:
        """Where each item lies. Raises InputError for lines of no item, or of one that comes again."""
        seen: set[str] = set()
        for key, begin, end, line in zip(self.keys, self._begins, self._ends, self._lines, strict=True):
            if key is None or key in seen:
                what = "a line of no item" if key is None else f"{key[:40]!r} again, and not in one place"
                raise InputError(f"{what}: no index finds such items", self._file.path, line + 1)
            seen.add(key)
            yield Place(key, begin, end - begin)

    def piece(self, index: int) -> Piece:
        """The lines of an item."""
        begin, end = self._begins[index], self._ends[index]
        data = self._file.read(begin, end)
        if len(data) < end - begin:
            raise InputError(f"has changed: byte {end} was there before, now there is none", self._file.path)
        is_last = index == len(self.keys) - 1
        return Piece(self._file.path, data, byte=begin, line=self._lines[index], is_end=is_last)

    def pieces(self) -> Iterator[Piece]:
        """The lines of each item."""
        return map(self.piece, range(len(self.keys)))

    def item(self, index: int) -> Item:
        """An item, read; errors as of a whole file, with their places in it."""
        piece, key = self.piece(index), self.keys[index]
        options = self.options if key is None else replace(self.options, known_ids=frozenset({key}))
        items = list(self._read(piece, options))
        if len(items) != 1 or items[0].id != key:
            raise piece.error("white space of a strange kind parts lines or words here", line=1)
        return items[0]


def places(
    file: File, options: ReadOptions, read: Read, pattern: re.Pattern[bytes], join: Join
) -> Iterator[Place]:
    """Where the items of a text file lie that have keys; arguments as of `split`.

    Raises:
        InputError: the file cannot be read, or the lines of an item are not all in one place.
    """
    spans = Spans(file, options, read)
    if lost := spans.find(pattern, join):
        raise lost
    yield from spans.places()


def split(
    file: File,
    options: ReadOptions,
    read: Read,
    pattern: re.Pattern[bytes],
    join: Join,
    *,
    keyed: bool = False,
    settle: Callable[[Iterator[Piece]], object] | None = None,
    order: Order | None = None,
) -> Listing | None:
    """The items of a text file.

    Args:
        file: the file.
        options: what its user says.
        read: the parser of a whole file.
        pattern: as of `runs`.
        join: makes spans of runs.
        keyed: whether items have keys.
        settle: what the first items say about all of them, for `ReadOptions.settled`; it is given all.
        order: as of `Listing`.

    Returns:
        None if the lines of an item are not all in one place, so that the file has to be read at once.

    Raises:
        InputError: the file cannot be read, or is empty.
    """
    spans = Spans(file, options, read)
    lost = spans.find(pattern, join)
    if spans.is_open:
        options.remark(f"{file.path}: {OPEN}")
    if keyed and (None in spans.keys or len(set(spans.keys)) < len(spans.keys)):
        return None
    if settle:
        spans.options = replace(options, settled=settle(spans.pieces()))
    items = [Item(key, Deferred(partial(spans.item, i))) for i, key in enumerate(spans.keys)]
    return Listing((*items, *([Item(None, Deferred.of_rest(lost))] if lost else [])), order)
