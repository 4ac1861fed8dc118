"""What a format is made of: `Source` (a file's bytes), `Format` (sniff and read), `Item` (what comes out)."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fstmetrics.errors import InputError
from fstmetrics.notations import Notation
from fstmetrics.readers.deferred import Deferred
from fstmetrics.readers.encodings import advice
from fstmetrics.readers.held import held, held_listing, held_stream
from fstmetrics.readers.names import file_name, stem
from fstmetrics.readers.unpacking import opened, read_bytes
from fstmetrics.segments import Segment

if TYPE_CHECKING:
    from fstmetrics.readers.feed import Feed
    from fstmetrics.readers.listing import Listing
    from fstmetrics.readers.store import Store
    from fstmetrics.readers.writing import Writer

# As many bytes as the formats of lattices are recognised by.
HEAD = 1 << 16


@dataclass(frozen=True)
class Source:
    """A file's bytes, after gzip.

    Attributes:
        path: the file, or "-" for standard input; only for messages and for the stem.
        data: the decompressed content.
        compressed: whether the file itself is gzip.
    """

    path: str
    data: bytes
    compressed: bool = False

    @classmethod
    def open(cls, path: str | Path) -> Source:
        """Read a file, or standard input for "-". gzip is recognised by its first bytes.

        Raises:
            InputError: no such file, damaged gzip, or more bytes than the limit.
        """
        return cls(str(path), *read_bytes(path))

    @classmethod
    def head(cls, path: str | Path) -> Source:
        """The first `HEAD` bytes of a file; errors as of `open`."""
        with opened(path) as stream:
            return cls(str(path), stream.read(HEAD))

    @property
    def name(self) -> str:
        """The file's name without `.gz`."""
        return file_name(self.path)

    @property
    def stem(self) -> str:
        """The file's name without `.gz` and the extension: the id of a lattice or network file."""
        return stem(self.path)

    @cached_property
    def text(self) -> str:
        """The content as UTF-8.

        Raises:
            InputError: invalid UTF-8, or a zero byte, with the byte offset.
        """
        return self._decoded()

    @property
    def utf8(self) -> bytes:
        """The content as checked UTF-8, without byte order mark, for parsers of bytes; errors as of `text`.

        Unlike `text` it keeps no copy of the content.
        """
        if not self.data.isascii() or b"\0" in self.data:
            self._decoded()
        return self.data.removeprefix(self.mark)

    @property
    def is_whole(self) -> bool:
        """Whether this is all of a file."""
        return True

    @property
    def is_end(self) -> bool:
        """Whether nothing follows in the file."""
        return True

    @property
    def is_open(self) -> bool:
        """Whether the last line has no line end, as in a file that was cut off in the middle of a line."""
        return bool(self.data) and not self.data.endswith(b"\n")

    @property
    def origin(self) -> int:
        """Where in the file the content begins."""
        return 0

    @property
    def mark(self) -> bytes:
        """What may stand before the content: a byte order mark."""
        return BOM_UTF8

    def _decoded(self) -> str:
        if (zero := self.data.find(b"\0")) >= 0:
            raise self.error(f"not UTF-8 text (a zero byte); {advice(self.data, zero)}", byte=zero)
        content = self.data.removeprefix(self.mark)
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            place = error.start + len(self.data) - len(content)
            found = f"{error.reason}, byte 0x{self.data[place]:02x}"
            raise self.error(f"not UTF-8 text ({found}); {advice(self.data, place)}", byte=place) from None

    def lines(self) -> Iterator[tuple[int, str]]:
        """Numbered lines, from 1, without line ends; only LF and CRLF end a line."""
        text = self.text
        lines = text.split("\n")
        if lines and lines[-1] == "":
            lines.pop()
        for number, line in enumerate(lines, 1):
            yield number, line.removesuffix("\r")

    def lines_of_items(self) -> Iterator[tuple[int, str]]:
        """The same without the blank lines at a file's end, for formats that have no others."""
        blank: list[tuple[int, str]] = []
        for number, line in self.lines():
            if line.strip() or not self.is_end:
                yield from blank
                blank.clear()
                yield number, line
            else:
                blank.append((number, line))

    def error(self, message: str, line: int | None = None, byte: int | None = None) -> InputError:
        """An error at a place in this file."""
        return InputError(message, self.path, line, byte)


# What is said of a file that may have been cut off in the middle of a line.
OPEN = "the last line has no line end: make sure that the file is whole"


def _unheard(remark: str) -> None:
    """Nobody is told."""


@dataclass(frozen=True)
class ReadOptions:
    """What a caller may say about a file.

    Attributes:
        symbols: a symbol table file, for formats that hold numbers.
        known_ids: ids of the other side: a text file whose lines begin with some of them has ids.
        alternations: how plain and Kaldi text write choices; None: they have none.
        weights: a file of feature weights, by which hypergraphs have costs; None: they have none.
        format_option: what the caller's user would say the format with, for messages.
        tell_left_out: whether items are to say what they leave out of the file, which may take a second look at it.
        settled: what the beginning of a file says about all of it, where this is a piece; the format's own.
        remark: told, in a line that names the file, what is read and yet may not be what its maker meant.
    """

    symbols: str | None = None
    known_ids: frozenset[str] = field(default_factory=frozenset)
    alternations: Notation | None = None
    weights: str | None = None
    format_option: str = "--format"
    tell_left_out: bool = False
    settled: object = None
    remark: Callable[[str], None] = _unheard


@dataclass(frozen=True, slots=True)
class Item:
    """One hypothesis or reference.

    Attributes:
        id: what pairs with the other side; None where the file has no ids and order decides.
        given: a Transcript, TimedWords, a Lattice, a Network, an NBest, or Deferred; None where the text is all.
        text: the line as written, where the value is plain text: tokenizers want it whole.
        segment: when it was spoken, where the file says so.
        left_out: what the file says of it and no value here has room for ("times"), where the caller wants to know.
    """

    id: str | None
    given: Any
    text: str | None = None
    segment: Segment | None = None
    left_out: tuple[str, ...] = ()

    @property
    def value(self) -> Any:
        """What was given, or the words of the text: a tuple of them would take ten times the memory."""
        return tuple(self.text.split()) if self.given is None and self.text is not None else self.given

    @property
    def is_rest(self) -> bool:
        """Whether this stands for the rest of a file that cannot be told apart any more; it has no id then."""
        return isinstance(self.given, Deferred) and self.given.is_rest


@dataclass(frozen=True)
class Items:
    """The items of a file or folder, in order.

    Attributes:
        items: the items.
        formats: names of the formats they were in.
        path: where they come from.
        remarks: what is read and yet may not be what the file's maker meant.
    """

    items: tuple[Item, ...]
    formats: tuple[str, ...]
    path: str = ""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Format:
    """One file format.

    Attributes:
        name: what `--format` takes.
        description: one line for the help page.
        extensions: file name endings that suggest it, with the dot, without `.gz`.
        sniff: whether a file's content looks like this format; cheap, and never raises.
        read: the items of a file, in order, held to the limits. Raises InputError with the line or byte of the fault.
        writers: how it is written, the usual way first; none where it is only read.
        id_of: where a file holds one item: its id, by the file's path alone.
        says_id: whether a file holds one item, and its id.
        listing: where files hold several items: which ones, values deferred. It may say None of a file.
        stream: the items of a file that is read piece by piece, values deferred.
        by_lines: whether nothing but a line end closes a file, so that one cut off in the middle of a line may be read;
            readers of such a file are told.
    """

    name: str
    description: str
    extensions: tuple[str, ...]
    sniff: Callable[[Source], bool]
    read: Callable[[Source, ReadOptions], Iterator[Item]]
    writers: tuple[Writer, ...] = ()
    id_of: Callable[[str], str] | None = None
    says_id: bool = False
    listing: Callable[[Store, ReadOptions], Listing | None] | None = None
    stream: Callable[[Feed, ReadOptions], Iterator[Item]] | None = None
    by_lines: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "read", held(_telling(self.read) if self.by_lines else self.read))
        if self.stream:
            object.__setattr__(self, "stream", held_stream(self.stream))
        if self.listing:
            object.__setattr__(self, "listing", held_listing(self.listing))


def _telling(
    read: Callable[[Source, ReadOptions], Iterator[Item]],
) -> Callable[[Source, ReadOptions], Iterator[Item]]:
    """A format's `read` that tells of a file without a final line end."""

    def told(source: Source, options: ReadOptions) -> Iterator[Item]:
        if source.is_whole and source.is_open:
            options.remark(f"{source.path}: {OPEN}")
        return read(source, options)

    told.__doc__ = read.__doc__
    return told
