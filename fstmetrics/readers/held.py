"""What comes out of a reader, held to the limits: one check for every format, before anything is done with an item.

A parser's own memory is bounded by the file's bytes, whatever the format: no count in a file is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from fstmetrics.lattice import Lattice
from fstmetrics.limits import Limits, limits
from fstmetrics.nbest import NBest
from fstmetrics.segments import TimedWords
from fstmetrics.transcripts import Transcript

if TYPE_CHECKING:
    from fstmetrics.readers.base import Item, ReadOptions, Source

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
        for item in read(source, options):
            check_item(item, source.path)
            yield item

    checked.__doc__ = read.__doc__
    return checked


def check_item(item: Item, path: str) -> None:
    """Hold one item to the limits; errors as of `held`."""
    bounds, value = limits(), item.value
    if item.text is not None and isinstance(value, tuple):  # a text has no more words than characters
        characters = max(len(item.text), 0 if item.id is None else len(item.id))
        if characters * WIDEST <= bounds.label and characters <= bounds.arcs:
            return
    name = "" if item.id is None else repr(item.id[:40])
    if item.id is not None:
        _check_words((item.id,), bounds, path, "an id")
    if isinstance(value, tuple):
        bounds.check("arcs", len(value), f"sentence {name} has {{}} words", path)
        if item.text is None or len(item.text) * WIDEST > bounds.label:
            _check_words(value, bounds, path, f"a word of sentence {name}")
    elif isinstance(value, NBest):
        bounds.check("arcs", sum(map(len, value.entries)), f"n-best list {name} has {{}} words", path)
        for words, text in zip(value.entries, value.texts, strict=True):
            if len(text) * WIDEST > bounds.label:
                _check_words(words, bounds, path, f"a word of n-best list {name}")
    elif isinstance(value, TimedWords):
        bounds.check("arcs", len(value.texts), f"channel {name} has {{}} words", path)
        _check_words((timed.text for timed in value.texts), bounds, path, f"a word of channel {name}")
    elif isinstance(value, Transcript):
        bounds.check("nesting", value.depth, f"sentence {name} has choices nested {{}} deep", path)
        _check_graph(value.lattice, bounds, path, f"sentence {name}")
    elif isinstance(value, Lattice):
        _check_graph(value, bounds, path, f"lattice {name}")
    else:
        _check_network(value, bounds, path, f"network {name}")


def _check_graph(lattice: Lattice, bounds: Limits, path: str, what: str) -> None:
    bounds.check("states", lattice.num_states, f"{what} has {{}} states", path)
    bounds.check("arcs", lattice.num_arcs, f"{what} has {{}} arcs", path)
    _check_words(lattice.symbols.words, bounds, path, f"a word of {what}")


def _check_network(value: Any, bounds: Limits, path: str, what: str) -> None:
    from fstmetrics.network import Network

    if not isinstance(value, Network):  # what a format of its own brings, it bounds itself
        return
    rtn = value.rtn
    bounds.check("states", rtn.num_states, f"{what} has {{}} states", path)
    bounds.check("arcs", rtn.num_arcs, f"{what} has {{}} arcs", path)
    bounds.check("nesting", rtn.depth, f"{what} has cards that call one another {{}} deep", path)
    _check_words(value.symbols.words, bounds, path, f"a word of {what}")


def _check_words(words: Iterable[str], bounds: Limits, path: str, what: str) -> None:
    for word in words:
        if len(word) * WIDEST > bounds.label:  # only then are its bytes counted
            size = len(word.encode("utf-8", "surrogatepass"))
            bounds.check("label", size, f"{what} has {{}} bytes ({word[:20]!r}...)", path)
