"""One path of a command's inputs: `Side`, and `read_side`, which opens it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from fstmetrics.cli.options import Request
from fstmetrics.cli.progress import spinner
from fstmetrics.errors import InputError
from fstmetrics.lattice import Lattice
from fstmetrics.notations import Notation
from fstmetrics.pairing import has_ids
from fstmetrics.readers import Items, Listed, Stream, open_stream, read_items
from fstmetrics.readers.base import Source
from fstmetrics.readers.deferred import Deferred
from fstmetrics.readers.recognise import TEXT_FORMATS
from fstmetrics.readers.specifier import resolve
from fstmetrics.transcripts import Transcript

# Networks of references; those of hypotheses, forests, have formats of their own.
NETWORKS = frozenset({"network", "cards"})
TEXT = frozenset(format.name for format in TEXT_FORMATS)
NOTHING = Items((), ())


@dataclass(frozen=True)
class Side:
    """One path, and what was in it.

    Attributes:
        path: the file or folder.
        source: the path of a folder; the bytes of a file, as a pipe gives them only once; or its items, listed.
        option: what names its format on the command line.
        format, symbols, weights, alternations: as of `read_items`.
        items: what was read, or in a folder is to be read.
        stream: what is to be read item by item, instead of items.
    """

    path: str
    source: str | Source | Listed
    option: str
    format: str | None
    symbols: str | None
    weights: str | None
    alternations: Notation | None
    items: Items = NOTHING
    stream: Stream | None = None

    def read(self, known: frozenset[str] = frozenset()) -> Side:
        """The side, read at once, now that ids of other sides are known."""
        if self.stream:
            return self
        if isinstance(self.source, Listed):
            return replace(self, items=self.source.items(known))
        items = read_items(
            self.source,
            format=self.format,
            symbols=self.symbols,
            weights=self.weights,
            known_ids=known,
            alternations=self.alternations,
            format_option=self.option,
        )
        return replace(self, items=items)

    @property
    def formats(self) -> tuple[str, ...]:
        """Names of the formats that were found."""
        return (self.stream or self.items).formats

    @property
    def is_text(self) -> bool:
        """Whether it holds plain sentences."""
        return TEXT.issuperset(self.formats)

    @property
    def holds_networks(self) -> bool:
        """Whether it holds networks of references."""
        return not NETWORKS.isdisjoint(self.formats)

    @property
    def is_guessed(self) -> bool:
        """Whether its lines were taken to begin with ids."""
        return self.format is None and "kaldi-text" in self.formats

    @property
    def has_ids(self) -> bool:
        """Whether all items have ids."""
        return self.stream is not None or has_ids(self.items)

    @cached_property
    def ids(self) -> frozenset[str]:
        """Those that tell whether another side has any: of a stream, the first ones."""
        if self.stream:
            return self.stream.first_ids()
        return frozenset(item.id for item in self.items.items if item.id is not None)

    @property
    def has_choices(self) -> bool:
        """Whether a text leaves a choice, or a stretch open."""
        return any(
            isinstance(item.given, Transcript) and item.given.words is None for item in self.items.items
        )

    @property
    def is_blank(self) -> bool:
        """Whether it is a file of text without a word."""
        return self.is_text and isinstance(self.source, Source) and not self.source.data.strip()

    @property
    def is_numbers(self) -> bool:
        """Whether the first item's words are all integers, as in lattices that leave words to a symbol table."""
        value = self.first()
        words = (
            value.symbols.words if isinstance(value, Lattice) else value if isinstance(value, tuple) else ()
        )
        written = [word for word in words if word]
        return bool(written) and all(map(str.isdecimal, written))

    def first(self) -> Any:
        """The first value; None if it cannot be read."""
        for item in islice(self.stream or self.items.items, 1):
            try:
                return item.value.item().value if isinstance(item.value, Deferred) else item.value
            except InputError:
                return None
        return None


def read_side(request: Request, path: str, is_hypothesis: bool, may_stream: bool) -> Side:
    """Open a path: read it, or find that it is to be read item by item.

    Raises:
        FstmetricsError: it cannot be read.
    """
    option, format, symbols, weights, alternations = (
        ("--format", request.format, request.symbols, request.weights, None)
        if is_hypothesis
        else ("--ref-format", request.ref_format, None, None, request.alternations)
    )
    path, format = resolve(path, format)
    with spinner(f"reading {path}"):
        stream = open_stream(path, format, symbols, weights) if may_stream else None
        if isinstance(stream, Stream):
            return Side(path, path, option, format, symbols, weights, alternations, stream=stream)
        source = stream or (path if path != "-" and Path(path).is_dir() else Source.open(path))
        return Side(path, source, option, format, symbols, weights, alternations).read()
