"""`Listing`: the items of a file, found without reading them, and what an item of one is read from.

- `listed`: takes a text file apart by lines that belong together: `lines`, `lists` (lines of one key), `paragraphs`.

What is in memory is where each item lies. It is read by the parser that reads a whole file, given a piece of it.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from fstmetrics.readers.arcs import is_blank
from fstmetrics.readers.bytes import Piece, Store, Window
from fstmetrics.readers.items import OPEN, Deferred, Item, ReadOptions
from fstmetrics.support.errors import InputError
from fstmetrics.support.source import HEAD, Source

Read = Callable[[Source, ReadOptions], Iterator[Item]]
# The numbers of sentences, in their order, if a file's ids are no more than that; given its ids, and known ones.
Order = Callable[[list[str], frozenset[str]], "Iterable[str] | None"]
LINE = re.compile(rb"[^\n]*+(?:\n|\Z)")
PARAGRAPH = re.compile(rb"((?:[^\S\n]*+\S[^\n]*+(?:\n|\Z))++)|[^\n]*+(?:\n|\Z)")


@dataclass(frozen=True)
class Listing:
    """The items of a file, in its order, with values deferred.

    Attributes:
        items: the items; one without an id whose value is lost stands for what cannot be told apart.
        order: says whether ids are numbers of sentences.
    """

    items: tuple[Item, ...]
    order: Order | None = None

    def knowing(self, known: frozenset[str]) -> tuple[Item, ...]:
        """The items where the other side has these ids: without ids, and in the order of their numbers, if so it is."""
        if self.order is None:
            return self.items
        items: dict[str, Item] = {item.id: item for item in self.items if item.id is not None}
        order = self.order(list(items), known)
        if order is None:
            return self.items
        numbered = (Deferred(partial(_without_id, items[number].given)) for number in order)
        return (*(Item(None, given) for given in numbered), *(item for item in self.items if item.id is None))


def _without_id(given: Deferred) -> Item:
    return replace(given.item(), id=None)


class Run(NamedTuple):
    """Whole lines that belong together: what the pattern's group holds, where they lie, and the lines before them."""

    mark: bytes | None
    begin: int
    end: int
    line: int


class Part(NamedTuple):
    """Where an item lies: its key, from byte to byte, and the lines before it."""

    key: str | None
    begin: int
    end: int
    line: int


def runs(window: Window, pattern: re.Pattern[bytes]) -> Iterator[Run]:
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
                yield Run(mark, match.start() + window.byte, match.end() + window.byte, window.line)
                window.line += window.data.count(b"\n", *match.span())
        window.at = end


Join = Callable[[Iterable[Run]], Iterator[Part]]


def lines(runs: Iterable[Run]) -> Iterator[Part]:
    """Every line is an item."""
    return (Part(None, run.begin, run.end, run.line) for run in runs)


def lists(runs: Iterable[Run], key_of: Callable[[str], str]) -> Iterator[Part]:
    """Lines of the same key are an item, and so are lines without a key, which are damaged, with those before them.

    Args:
        runs: by a pattern whose group names the item.
        key_of: the key in what the group holds; "" if there is none.
    """
    part: Part | None = None
    for run in runs:
        key = _key(run, key_of)
        if part is not None and (key is None or part.key in (None, key)):
            part = Part(part.key or key, part.begin, run.end, part.line)
        else:
            if part is not None:
                yield part
            part = Part(key, run.begin, run.end, run.line)
    if part is not None:
        yield part


def _key(run: Run, key_of: Callable[[str], str]) -> str | None:
    if run.mark is None:
        return None
    try:
        return key_of(run.mark.decode("utf-8" if run.begin else "utf-8-sig")) or None
    except UnicodeDecodeError:  # said when the item is read
        return None


def paragraphs(runs: Iterable[Run], path: str) -> Iterator[Part]:
    """Lines up to a blank one are an item.

    Raises:
        InputError: a blank line that ends nothing.
    """
    part: Part | None = None
    for run in runs:
        if run.mark is None and part is None:
            raise InputError("a blank line ends a sentence, but there is none before it", path, run.line + 1)
        part = Part(
            None, run.begin if part is None else part.begin, run.end, run.line if part is None else part.line
        )
        if run.mark is None:
            yield part
            part = None
    if part is not None:
        yield part


class Parts:
    """Where the items of a file lie, and how to read them.

    Args:
        store: the file.
        options: what its user says.
        read: the parser of a whole file.

    Attributes:
        options: the same, with what the first items settle.
        keys: of the items; None where there are none.
        is_open: whether the last line has no line end.
    """

    def __init__(self, store: Store, options: ReadOptions, read: Read) -> None:
        self.options = options
        self.keys: list[str | None] = []
        self.is_open = False
        self._store = store
        self._read = read
        self._begins, self._ends, self._lines = array("q"), array("q"), array("q")

    def find(self, pattern: re.Pattern[bytes], join: Join) -> InputError | None:
        """Find the items; returns why the file cannot be told apart to its end, if so it is."""
        with self._store.opened() as stream:
            data = stream.read1(HEAD)
            while is_blank(data):
                if not (data := stream.read1(HEAD)):
                    raise InputError("is empty", self._store.path)
        try:
            with self._store.opened() as stream:
                window = Window(self._store.path, stream)
                for part in join(runs(window, pattern)):
                    self._add(part)
                self.is_open = window.last not in (b"", b"\n")
        except InputError as error:
            if not self.keys:
                raise
            return error
        return None

    def _add(self, part: Part) -> None:
        self.keys.append(part.key)
        self._begins.append(part.begin)
        self._ends.append(part.end)
        self._lines.append(part.line)

    def piece(self, index: int) -> Piece:
        """The lines of an item."""
        begin, end = self._begins[index], self._ends[index]
        data = self._store.read(begin, end)
        if len(data) < end - begin:
            raise InputError(f"has changed: byte {end} was there before, now there is none", self._store.path)
        is_last = index == len(self.keys) - 1
        return Piece(self._store.path, data, byte=begin, line=self._lines[index], is_last=is_last)

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


def listed(
    store: Store,
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
        store: the file.
        options: what its user says.
        read: the parser of a whole file.
        pattern: as of `runs`.
        join: makes parts of runs.
        keyed: whether items have keys.
        settle: what the first items say about all of them, for `ReadOptions.settled`; it is given all.
        order: as of `Listing`.

    Returns:
        None if the lines of an item are not all in one place, so that the file has to be read at once.

    Raises:
        InputError: the file cannot be read, or is empty.
    """
    parts = Parts(store, options, read)
    lost = parts.find(pattern, join)
    if parts.is_open:
        options.remark(f"{store.path}: {OPEN}")
    if keyed and (None in parts.keys or len(set(parts.keys)) < len(parts.keys)):
        return None
    if settle:
        parts.options = replace(options, settled=settle(parts.pieces()))
    items = [Item(key, Deferred(partial(parts.item, i))) for i, key in enumerate(parts.keys)]
    return Listing((*items, *([Item(None, Deferred.of_rest(lost))] if lost else [])), order)
