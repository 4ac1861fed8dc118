"""Files and folders read item by item: `open_stream`, which gives a `Listed` or a `Stream`.

- `Listed`: which items there are is known beforehand; each is read when its turn comes.
- `Stream`: the items come one after the other. It can be read again from the beginning, also where it comes through a
  pipe, until `once` is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path

from fstmetrics.readers.bytes import Feed, Pipe, Store
from fstmetrics.readers.items import Deferred, Format, Item, Items, ReadOptions
from fstmetrics.readers.listing import Listing
from fstmetrics.readers.recognise import by_beginning, by_name
from fstmetrics.readers.registry import folder_plan
from fstmetrics.support.errors import InputError
from fstmetrics.support.source import Source, stem

# Ids of the first items tell whether lines of text on the other side begin with ids.
FIRST_IDS = 100


@dataclass(frozen=True)
class Listed:
    """The items of a file or folder, found without reading them.

    Attributes:
        path: the folder or file.
        formats: names of the formats.
        listings: the items of each file, with its path.
        remarks: what is read and yet may not be what its maker meant; more may come as items are read.
    """

    path: str
    formats: tuple[str, ...]
    listings: Sequence[tuple[str, Listing]] = field(repr=False)
    remarks: Sequence[str] = ()

    def items(self, known: frozenset[str] = frozenset()) -> Items:
        """All items, with values deferred.

        Args:
            known: ids of the other side.

        Raises:
            InputError: an id in two files, or numbers of sentences that are left out.
        """
        files = ((path, listing.knowing(known)) for path, listing in self.listings)
        return Items(tuple(_up_to_the_rest(_all_once(files))), self.formats, self.path)

    def __iter__(self) -> Iterator[Item]:
        """The items, where no ids are known."""
        return iter(self.items().items)


def _up_to_the_rest(items: Iterable[Item]) -> Iterator[Item]:
    """Where the rest of a file is lost, no order tells what the items behind it are."""
    is_lost = False
    for item in items:
        is_lost |= item.is_rest
        if is_lost and not item.is_rest and item.id is None:
            return
        yield item


@dataclass(frozen=True)
class Stream:
    """The items of a folder or archive, in order, read when they are asked for.

    Attributes:
        path: the folder, file or pipe.
        plan: its files and their formats.
        options: what the caller says about them.
    """

    path: str
    plan: list[tuple[Feed, Format]] = field(repr=False)
    options: ReadOptions

    @property
    def formats(self) -> tuple[str, ...]:
        """Names of the formats."""
        return _names(self.plan)

    def first_ids(self) -> frozenset[str]:
        """Ids of the first items."""
        return frozenset(item.id for item in islice(self, FIRST_IDS) if item.id is not None)

    def __iter__(self) -> Iterator[Item]:
        """The items, with values deferred; what cannot be read, to the end of its file, is an item without an id.

        Raises:
            InputError: an id in two files.
        """
        return _all_once((feed.path, file_items(feed, format, self.options)) for feed, format in self.plan)

    def once(self) -> Iterator[Item]:
        """The same for the last time: what comes through a pipe is not kept any more."""
        for feed, _ in self.plan:
            if isinstance(feed, Pipe):
                feed.is_last = True
        return iter(self)


def _all_once(files: Iterable[tuple[str, Iterable[Item]]]) -> Iterator[Item]:
    """The items of all files; InputError: an id in two of them."""
    homes: dict[str, str] = {}
    for path, items in files:
        for item in items:
            if item.id is not None and homes.setdefault(item.id, path) != path:
                raise InputError(f"id {item.id!r} is already in {homes[item.id]}", path)
            yield item


def open_stream(
    path: str, format: str | None, symbols: str | None, weights: str | None = None
) -> Stream | Listed | Source | None:
    """What a path holds, to be read item by item.

    Args:
        path: a file, a folder, a pipe, or "-" for standard input.
        format, symbols, weights: as of `read_items`.

    Returns:
        None if it is something to be read at once: text, or one lattice. If that came through a pipe, its bytes.

    Raises:
        InputError: as of `read_items`, of what can be seen from names and beginnings.
    """
    chosen = None if format is None else by_name(format)
    remarks: list[str] = []
    options = ReadOptions(symbols, weights=weights, remark=remarks.append)
    if path != "-" and os.path.isdir(path):
        plan = [(Feed(str(file)), found) for file, found in folder_plan(Path(path), chosen, options)]
        return _listed(path, plan, options, remarks) or _streamed(path, plan, options)
    if path == "-" or (os.path.exists(path) and not os.path.isfile(path)):
        return _from_pipe(Pipe(path), chosen, options, remarks)
    found = chosen or (by_beginning(Feed(path).head()) if os.path.isfile(path) else None)
    if found is None:
        return None
    if found.listing and (listing := found.listing(Store(path), options)):
        return Listed(path, (found.name,), [(path, listing)], remarks)
    return Stream(path, [(Feed(path), found)], options) if found.stream else None


def _from_pipe(
    pipe: Pipe, chosen: Format | None, options: ReadOptions, remarks: Sequence[str]
) -> Stream | Listed | Source:
    found = chosen or by_beginning(pipe.head())
    if found and found.stream and not found.listing:
        return Stream(pipe.path, [(pipe, found)], options)
    source = pipe.rest()
    if found and found.listing and (listing := found.listing(Store(pipe.path, source.data), options)):
        return Listed(pipe.path, (found.name,), [(pipe.path, listing)], remarks)
    return source


def _listed(
    path: str, plan: list[tuple[Feed, Format]], options: ReadOptions, remarks: Sequence[str]
) -> Listed | None:
    """A folder whose items can be listed, if so it is."""
    if not all(format.id_of or format.listing for _, format in plan):
        return None
    listings = [(feed.path, _listing_of(feed.path, format, options)) for feed, format in plan]
    found = [(file, listing) for file, listing in listings if listing is not None]
    return Listed(path, _names(plan), found, remarks) if len(found) == len(plan) else None


def _streamed(path: str, plan: list[tuple[Feed, Format]], options: ReadOptions) -> Stream | None:
    """A folder whose files can be read one after the other, if so it is: ids must not depend on the other side."""
    can = all(format.id_of or format.says_id or format.stream for _, format in plan)
    return Stream(path, plan, options) if can else None


def _names(plan: list[tuple[Feed, Format]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(format.name for _, format in plan))


def _listing_of(path: str, format: Format, options: ReadOptions) -> Listing | None:
    """The items of a file of a folder; None where it has to be read to know them."""
    if format.id_of:
        return Listing((Item(format.id_of(path), Deferred(partial(_only, path, format, options))),))
    assert format.listing is not None
    try:
        return format.listing(Store(path), options)
    except InputError as error:
        return Listing((Item(None, Deferred.of_rest(error)),))


def file_items(feed: Feed, format: Format, options: ReadOptions) -> Iterator[Item]:
    """The items of one file, one by one, with values deferred; what cannot be read is one, too."""
    listing = _listing_of(feed.path, format, options) if format.id_of or format.listing else None
    if listing:
        yield from listing.knowing(frozenset())
        return
    try:
        if format.stream:
            yield from format.stream(feed, options)
        else:
            yield from list(format.read(Source.open(feed.path), options))
    except InputError as error:
        yield (
            Item(stem(feed.path), Deferred.raising(error))
            if format.says_id
            else Item(None, Deferred.of_rest(error))
        )


def _only(path: str, format: Format, options: ReadOptions) -> Item:
    (item,) = format.read(Source.open(path), options)
    return item
