"""The paths of a command's inputs: `Side`, `read_side`, which opens one, and `settled`, which gives all their ids."""

from __future__ import annotations

from collections.abc import Sequence
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
from fstmetrics.readers.base import ReadOptions, Source
from fstmetrics.readers.deferred import Deferred
from fstmetrics.readers.line_ids import Lines, settle
from fstmetrics.readers.recognise import TEXT_FORMATS, recognised
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
        doubt: what to say where its ids are not certain.
        lines: a text of which other sides tell whether its lines begin with ids, until `settled` has asked them.
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
    lines: Lines | None = None
    doubt: str = ""

    def read(self, known: frozenset[str] = frozenset()) -> Side:
        """The side, read at once, now that ids of other sides are known."""
        if self.stream:
            return self
        if isinstance(self.source, Listed):
            return replace(self, items=self.source.items(known))
        return self._read(self.format, known)

    def read_lines(self, have_ids: bool) -> Side:
        """The text, now that it is settled whether its lines begin with ids.

        Raises:
            InputError: as of reading; it says what was assumed.
        """
        try:
            return replace(self._read("kaldi-text" if have_ids else "plain"), lines=None)
        except InputError as error:
            if not have_ids:
                raise
            raise InputError(
                f"{error}; read as lines that begin with ids: {self.option} plain to change that"
            ) from None

    def _read(self, format: str | None, known: frozenset[str] = frozenset()) -> Side:
        items = read_items(
            self.source,  # type: ignore[arg-type]
            format=format,
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
    def is_empty(self) -> bool:
        """Whether it is a file of text without items, or of blank lines."""
        return self.is_text and self.lines is None and (not self.items.items or self.is_blank)

    @property
    def remarks(self) -> Sequence[str]:
        """What is read and yet may not be what its maker meant."""
        listed = self.source.remarks if isinstance(self.source, Listed) else ()
        return (*listed, *self.items.remarks, *filter(None, [self.doubt]))

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


def read_side(
    request: Request, path: str, is_hypothesis: bool, may_stream: bool, name: str = "--ref-format"
) -> Side:
    """Open a path: read it, or find that it is to be read item by item, or when others are known.

    Args:
        request: how to read.
        path: a file or folder.
        is_hypothesis: which side it is on.
        may_stream: whether it may be read item by item.
        name: the option that names the format of references.

    Raises:
        FstmetricsError: it cannot be read.
    """
    option, format, symbols, weights, alternations = (
        ("--format", request.format, request.symbols, request.weights, None)
        if is_hypothesis
        else (name, request.ref_format, None, None, request.alternations)
    )
    path, format = resolve(path, format)
    with spinner(f"reading {path}"):
        stream = open_stream(path, format, symbols, weights) if may_stream else None
        if isinstance(stream, Stream):
            return Side(path, path, option, format, symbols, weights, alternations, stream=stream)
        source = stream or (path if path != "-" and Path(path).is_dir() else Source.open(path))
        side = Side(path, source, option, format, symbols, weights, alternations)
        options = ReadOptions(format_option=option)
        if format is not None or not isinstance(source, Source) or recognised(source, options):
            return side.read()
        if not source.data.isspace() and source.utf8:
            return replace(side, lines=Lines(source, option))
        if not is_hypothesis and not source.data:
            raise source.error("is empty")
        return side.read_lines(False)


def settled(sides: Sequence[Side]) -> list[Side]:
    """Sides that are read, with ids where they have any.

    A text does not say whether its lines begin with ids, nor an n-best list whether its numbers are ids or an order;
    the names of lattices and networks say it best, the ids of other texts second best.

    Raises:
        FstmetricsError: it cannot be settled, or a text cannot be read.
    """
    sure = [side for side in sides if side.lines is None and side.has_ids and not side.is_empty]
    telling = [side for side in sure if not side.is_text] or sure
    known = frozenset().union(*(side.ids for side in telling))
    texts = [side.lines for side in sides if side.lines]
    guessed = known or frozenset().union(*(lines.ids for lines in texts if lines.look_like_ids))
    found = [side if side.lines or side.has_ids or not guessed else side.read(guessed) for side in sides]
    others = [side.path for side in found if not (side.lines or side.has_ids or side.is_empty)]
    partial = any(side.stream for side in telling)
    have, doubt = settle(texts, known, partial, others)
    verdicts = iter(have)
    return [replace(side.read_lines(next(verdicts)), doubt=doubt) if side.lines else side for side in found]
