"""What comes out of a reader, held to the limits: one check for every format, before anything is done with an item.

A parser's own memory is bounded by the file's bytes, whatever the format: no count in a file is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from fstmetrics.lattice import Lattice
from fstmetrics.limits import Limits, limits
from fstmetrics.nbest import NBest
from fstmetrics.readers.deferred import Deferred
from fstmetrics.readers.unpacking import within_memory
from fstmetrics.segments import TimedWords
from fstmetrics.transcripts import Transcript

if TYPE_CHECKING:
    from fstmetrics.readers.base import Item, ReadOptions, Source
    from fstmetrics.readers.feed import Feed
    from fstmetrics.readers.listing import Listing
    from fstmetrics.readers.store import Store

# No character takes more bytes in UTF-8.
WIDEST = 4


def held(
    read: Callable[[Source, ReadOptions], Iterator[Item]],
) -> Callable[[Source, ReadOptions], Iterator[Item]]:
    """A format's `read` whose items are held to the limits.

    Raises:
        InputError: an item is beyond one; it names the item, the limit and the option.
    """

    def checked(source: Source, options: ReadOptions) -> Iterator[Item]:
        with within_memory(source.path):
            for item in read(source, options):
                check_item(item, source.path)
                yield item

    checked.__doc__ = read.__doc__
    return checked


def held_stream(
    stream: Callable[[Feed, ReadOptions], Iterator[Item]],
) -> Callable[[Feed, ReadOptions], Iterator[Item]]:
    """The same of a format's `stream`; deferred values are held when they are read."""

    def checked(feed: Feed, options: ReadOptions) -> Iterator[Item]:
        return (_checked(item, feed.path) for item in stream(feed, options))

    checked.__doc__ = stream.__doc__
    return checked


def held_listing(
    listing: Callable[[Store, ReadOptions], Listing | None],
) -> Callable[[Store, ReadOptions], Listing | None]:
    """The same of a format's `listing`."""

    def checked(store: Store, options: ReadOptions) -> Listing | None:
        found = listing(store, options)
        return found and replace(found, items=tuple(_checked(item, store.path) for item in found.items))

    checked.__doc__ = listing.__doc__
    return checked


def _checked(item: Item, path: str) -> Item:
    """The item if it is within the limits; a deferred one looks when it is read."""
    if not isinstance(item.given, Deferred):
        check_item(item, path)
        return item
    if item.given.is_rest:
        return item
    return replace(item, given=Deferred(partial(_later, item.given, path)))


def _later(deferred: Deferred, path: str) -> Item:
    with within_memory(path):
        item = deferred.item()
        check_item(item, path)
    return item


def check_item(item: Item, path: str) -> None:
    """Hold one item to the limits; errors as of `held`."""
    bounds, value = limits(), item.given
    name = "" if item.id is None else f" {item.id[:40]!r}"
    if item.id is not None:
        _check_words((item.id,), bounds, path, "an id")
    if value is None or isinstance(value, tuple):
        _check_sentence(item, bounds, path, name)
    elif isinstance(value, NBest):
        bounds.check("arcs", sum(map(len, value.entries)), f"n-best list{name} has", "words", path)
        for words, text in zip(value.entries, value.texts, strict=True):
            if len(text) * WIDEST > bounds.label:
                _check_words(words, bounds, path, f"a word of n-best list{name}")
    elif isinstance(value, TimedWords):
        bounds.check("arcs", len(value.texts), f"channel{name} has", "words", path)
        _check_words((timed.text for timed in value.texts), bounds, path, f"a word of channel{name}")
    elif isinstance(value, Transcript):
        bounds.check("nesting", value.depth, f"sentence{name} has choices nested", "deep", path)
        _check_graph(value.lattice, bounds, path, f"sentence{name}")
    elif isinstance(value, Lattice):
        _check_graph(value, bounds, path, f"lattice{name}")
    else:
        _check_network(value, bounds, path, f"network{name}")


def _check_sentence(item: Item, bounds: Limits, path: str, name: str) -> None:
    # A text is cut into words only where it is long enough to be beyond a limit: there may be millions.
    if item.text is not None and len(item.text) < min(bounds.arcs, bounds.label // WIDEST):
        return
    words = item.value
    bounds.check("arcs", len(words), f"sentence{name} has", "words", path)
    _check_words(words, bounds, path, f"a word of sentence{name}")


def _check_graph(lattice: Lattice, bounds: Limits, path: str, what: str) -> None:
    bounds.check("states", lattice.num_states, f"{what} has", "states", path)
    bounds.check("arcs", lattice.num_arcs, f"{what} has", "arcs", path)
    _check_words(lattice.symbols.words, bounds, path, f"a word of {what}")


def _check_network(value: Any, bounds: Limits, path: str, what: str) -> None:
    from fstmetrics.network import Network

    if not isinstance(value, Network):  # what a format of its own brings, it bounds itself
        return
    rtn = value.rtn
    bounds.check("states", rtn.num_states, f"{what} has", "states", path)
    bounds.check("arcs", rtn.num_arcs, f"{what} has", "arcs", path)
    bounds.check("nesting", rtn.depth, f"{what} has cards that call one another", "deep", path)
    _check_words(value.symbols.words, bounds, path, f"a word of {what}")


def _check_words(words: Iterable[str], bounds: Limits, path: str, what: str) -> None:
    for word in words:
        if len(word) * WIDEST > bounds.label:  # only then are its bytes counted
            size = len(word.encode("utf-8", "surrogatepass"))
            bounds.check("label", size, f"{what} has", f"bytes ({word[:20]!r}...)", path)
