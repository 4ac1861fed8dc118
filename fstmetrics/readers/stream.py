"""Folders and archives read item by item: `open_stream`, `Stream`.

What is in memory is the item that is being read, and the names of a folder's files. A stream can be read again from the
beginning, so pipes are none.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path

from fstmetrics.errors import InputError
from fstmetrics.readers import cards, cdec, cicada, network, target_graph
from fstmetrics.readers.base import Format, Item, Items, ReadOptions, Source
from fstmetrics.readers.deferred import Deferred
from fstmetrics.readers.recognise import by_head, by_name
from fstmetrics.readers.registry import folder_plan

# Ids of the first items tell whether lines of text on the other side begin with ids.
FIRST_IDS = 100
# Formats that are read file by file in a folder; the ids are in the files.
FILE_BY_FILE = (network.FORMAT, cards.FORMAT, cdec.FORMAT, cicada.FORMAT, target_graph.FORMAT)


@dataclass(frozen=True)
class Stream:
    """The items of a folder or archive, in order, read when they are asked for.

    Attributes:
        path: the folder or file.
        plan: its files and their formats.
        options: what the caller says about them.
    """

    path: str
    plan: list[tuple[Path, Format]] = field(repr=False)
    options: ReadOptions

    @property
    def formats(self) -> tuple[str, ...]:
        """Names of the formats."""
        return tuple(dict.fromkeys(format.name for _, format in self.plan))

    @property
    def ids_are_names(self) -> bool:
        """Whether the names of the files say all ids."""
        return all(format.id_of for _, format in self.plan)

    def first_ids(self) -> frozenset[str]:
        """Ids of some items: all of a folder, the first ones of an archive."""
        if self.ids_are_names:
            return frozenset(_id(path, format) for path, format in self.plan)
        return frozenset(item.id for item in islice(self, FIRST_IDS) if item.id is not None)

    def items(self) -> Items:
        """All items, with values deferred; only where the names of the files are their ids."""
        return Items(tuple(self), self.formats, self.path)

    def __iter__(self) -> Iterator[Item]:
        """The items, with values deferred.

        Raises:
            InputError: an id in two files, or an archive that is so damaged that the next item cannot be found.
        """
        homes: dict[str, Path] = {}
        for path, format in self.plan:
            for item in _items_of(path, format, self.options):
                if item.id is not None and homes.setdefault(item.id, path) != path:
                    raise InputError(f"id {item.id!r} is already in {homes[item.id]}", path)
                yield item


def open_stream(
    path: str, format: str | None, symbols: str | None, weights: str | None = None
) -> Stream | None:
    """What a path holds as a stream; None if it is something to be read at once: text, one lattice, a pipe.

    Raises:
        InputError: as of `read_items`, of what can be seen from names and beginnings.
    """
    chosen = None if format is None else by_name(format)
    options = ReadOptions(symbols, weights=weights)
    if path != "-" and os.path.isdir(path):
        plan = folder_plan(Path(path), chosen, options)
        return Stream(path, plan, options) if all(_is_streamed(format) for _, format in plan) else None
    if path == "-" or not os.path.isfile(path):
        return None
    found = chosen or by_head(Path(path))
    return Stream(path, [(Path(path), found)], options) if found and found.stream else None


def _is_streamed(format: Format) -> bool:
    """Whether a folder of such files is read item by item: ids must not depend on the other side."""
    return bool(format.id_of or format.stream) or format in FILE_BY_FILE


def _items_of(path: Path, format: Format, options: ReadOptions) -> Iterator[Item]:
    """The items of one file; those that cannot be read have values that say so."""
    if format.id_of:
        yield Item(_id(path, format), Deferred(partial(_only, path, format, options)))
    elif format.stream:
        yield from format.stream(path, options)
    else:
        try:
            yield from list(format.read(Source.open(path), options))
        except InputError as error:
            yield Item(Source(str(path), b"").stem, Deferred.raising(error))


def _only(path: Path, format: Format, options: ReadOptions) -> Item:
    (item,) = format.read(Source.open(path), options)
    return item


def _id(path: Path, format: Format) -> str:
    assert format.id_of is not None
    return format.id_of(Source(str(path), b""))
