"""What is read: a `File`, any piece of it; and its bytes after gzip, with lines and places for errors: `Source`.

- A `Pipe` is a `File` that comes only once, a `Held` one whose bytes are here.
- `open_text`, `keep_text`: a text of a path, or of a pipe, which comes only once; a large one stays in its file, or is
  kept in a temporary one (`OpenBytes`), and what it takes in memory does not grow with it.
- `file_name`, `stem`: what the name of a file says; `named_path` parts NAME=FILE.
- `encoding_advice`: for the end of an error, what encoding a file may be in that is not UTF-8.
"""

from __future__ import annotations

import mmap
import os
import re
import stat
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import cached_property
from io import BufferedIOBase, BufferedReader, BytesIO, FileIO, RawIOBase
from os import PathLike
from pathlib import Path
from tempfile import TemporaryFile
from typing import ClassVar, TypeVar, cast
from weakref import finalize, ref

from fstmetrics._native import LineForm, LineSurvey, StoredLines, TextIndex
from fstmetrics.support.errors import InputError
from fstmetrics.support.file_bytes import (
    BUFFER,
    DAMAGE,
    GZIP_MAGIC,
    MEMBER,
    PIECE,
    FileState,
    Gunzipped,
    OpenBytes,
    Watched,
    has_changed,
    opened_file,
    read_bytes,
    read_stream,
    readable,
    standard_input,
    state_of,
    unpacked,
)
from fstmetrics.support.limits import check_size, limits

# A byte that no white space in UTF-8 has, nor a byte order mark.
_NO_SPACE = re.compile(rb"[^\x09-\x0d\x1c-\x20\xc2\xe1-\xe3\x80-\x8a\x9a\x9f\xa0\xa8\xa9\xaf\xef\xbb\xbf]")


def file_name(path: str | PathLike[str]) -> str:
    """A file's name without `.gz`.

    >>> file_name("lattices/utt.1.slf.gz")
    'utt.1.slf'
    """
    # A Path takes ten times as long, and a folder may have a million files.
    return (os.path.basename(path) or Path(path).name).removesuffix(".gz")


def named_path(argument: str) -> tuple[str | None, str]:
    """The name and the path of NAME=FILE; None and the path where there is no name, or a file is called just so."""
    name, _, path = argument.partition("=")
    return (name, path) if name and path and not os.path.exists(argument) else (None, argument)


def stem(path: str | PathLike[str]) -> str:
    """A file's name without `.gz` and the extension: the id that most formats of one item a file give it.

    >>> stem("lattices/utt.1.slf.gz")
    'utt.1'
    """
    return Path(file_name(path)).stem


def item_name(path: str | PathLike[str]) -> str:
    """The same of one of several files in a folder, where numbers tell files apart.

    >>> item_name("hyps/a1.txt"), item_name("ref.1"), item_name("ref.2.gz")
    ('a1', 'ref.1', 'ref.2')
    """
    name = file_name(path)
    return name if Path(name).suffix[1:].isdecimal() else Path(name).stem


Read = TypeVar("Read")
# The content of a file that is open, and its state where that may not change.
Opened = AbstractContextManager[tuple[BufferedIOBase, "FileState | None"]]
# Of gzip, the way to an earlier piece is from the beginning. After so many bytes of such ways all of it is kept.
PATIENCE = 1 << 26
# A folder may have more files than a process may have open.
MOST_OPEN = 16
# As many bytes as the formats of lattices are recognised by.
HEAD = 1 << 16
# Characters that no text has.
CONTROLS = (b"\x00", b"\x01", b"\x02", b"\x03", b"\x04", b"\x08")


# A smaller file is read at once.
LEAST = 1 << 20
# Bytes that are looked at at a time; more where a line is longer.
WINDOW = 1 << 18
# So many lines are read together where they are wanted in turn.
AHEAD = 1 << 12
# What JSON begins with, which is read at once unless it has an object a line.
JSON = (b"{", b"[")
OBJECTS = re.compile(rb"\}\s*\n\s*\{")


@dataclass(frozen=True)
class Source:
    """A file's bytes, after gzip.

    Attributes:
        path: the file, or "-" for standard input; only for messages and for the stem.
        content: the decompressed content, in memory or where it is.
        byte: where in the file the content begins; other than 0 of a piece.
        line: lines before it.
        is_whole: whether this is all of the file.
        is_end: whether nothing follows in the file.
    """

    path: str
    content: bytes | OpenBytes
    byte: int = 0
    line: int = 0
    is_whole: bool = True
    is_end: bool = True
    _known: dict[object, object] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def open(cls, path: str | PathLike[str]) -> Source:
        """Read a file, or standard input for "-". gzip is recognised by its first bytes.

        Raises:
            InputError: no such file, damaged gzip, or more bytes than the limit.
        """
        return cls(str(path), read_bytes(path))

    @cached_property
    def name(self) -> str:
        """The file's name without `.gz`."""
        return file_name(self.path)

    @cached_property
    def stem(self) -> str:
        """The file's name without `.gz` and the extension: the id of a lattice or network file."""
        return stem(self.path)

    @cached_property
    def data(self) -> bytes:
        """All of the content."""
        return self.content if isinstance(self.content, bytes) else self.content[:]

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
        return self.data[self.begin :]

    def pieces(self) -> Iterator[bytes]:
        """The same in pieces of whole lines, none of them empty; all at once where it is in memory."""
        if isinstance(self.content, bytes) or not self.is_text:
            if text := self.utf8:
                yield text
            return
        begin, size = self.begin, LEAST
        while begin < len(self.content):
            data = self.content[begin : begin + size]
            end = len(data) if begin + len(data) >= len(self.content) else data.rfind(b"\n") + 1
            if end:
                yield data[:end]
            begin += end
            size = LEAST if end else 2 * size

    def survey(self, form: LineForm | None = None) -> LineSurvey:
        """What all lines of a form have in common; without a form, of words."""
        if ("survey", form) not in self._known:
            head = form.head_bytes if form else 0
            self._known["survey", form] = LineSurvey(self.content, self.begin + head, form, WINDOW)
        return cast(LineSurvey, self._known["survey", form])

    @cached_property
    def line_survey(self) -> LineSurvey:
        """The same of a text; errors as of `text`."""
        if not self.is_text:
            self._decoded()
        return self.survey()

    def stored_lines(self, form: LineForm | None = None, has_ids: bool = False) -> StoredLines | None:
        """The lines of a text that stays where it is; None of others.

        Args:
            form: of the lines; None: they are words.
            has_ids: whether their first words are ids.
        """
        if not isinstance(self.content, OpenBytes) or not self.is_text or not self.survey(form).is_plain:
            return None
        if (has_ids, form) not in self._known:
            survey = self.survey(form)
            lines = survey.up_to_words if has_ids else survey.lines
            self._known[has_ids, form] = StoredLines(self.content, survey, form, has_ids, lines, AHEAD)
        return cast(StoredLines, self._known[has_ids, form])

    def index(self, form: LineForm | None = None) -> TextIndex | None:
        """Where the ids of such lines are; None where one comes twice, a line has none, or all are in memory."""
        if ("index", form) not in self._known:
            lines = self.stored_lines(form, form is None)
            index = None if lines is None or self.survey(form).repeated else TextIndex(lines.ids)
            is_whole = index is not None and lines is not None and len(index) == len(lines)
            self._known["index", form] = index if is_whole else None
        return cast("TextIndex | None", self._known["index", form])

    def have_different_ids(self, form: LineForm | None = None) -> bool:
        """Whether it is certain of a text that stays where it is that no id comes twice, and no line lacks one."""
        survey = self.survey(form)
        if not isinstance(self.content, OpenBytes) or survey.filled < survey.up_to_words:
            return False
        return survey.is_ascending or self.index(form) is not None

    @cached_property
    def beginning(self) -> bytes:
        """The first `HEAD` bytes."""
        return self.content[:HEAD]

    @cached_property
    def begin(self) -> int:
        """Where the text begins: behind a byte order mark, which only the beginning of a file has."""
        return len(BOM_UTF8) if self.byte == 0 and self.beginning.startswith(BOM_UTF8) else 0

    def has(self, sign: bytes) -> bool:
        """Whether a byte is anywhere in it."""
        return any(sign in self.content[at : at + PIECE] for at in range(0, len(self.content), PIECE))

    @cached_property
    def is_blank(self) -> bool:
        """Whether there is nothing, or nothing but white space and a byte order mark."""
        return is_blank(self.beginning) and is_blank(self.data)

    def refuse_empty(self) -> None:
        """Raise an InputError if the file holds nothing but white space and a byte order mark; a piece of one may."""
        if self.is_whole and self.is_blank:
            raise self.error("is empty")

    @cached_property
    def is_text(self) -> bool:
        """Whether it is UTF-8 without control characters other than white space."""
        return self.survey().is_text and self.beginning != BOM_UTF8

    @property
    def is_open(self) -> bool:
        """Whether the last line has no line end, as in a file that was cut off in the middle of a line."""
        return self.content[-1:] not in (b"", b"\n")

    def _decoded(self) -> str:
        if (zero := self.data.find(b"\0")) >= 0:
            raise self._not_text("a zero byte", zero)
        try:
            return self.data[self.begin :].decode()
        except UnicodeDecodeError as error:
            place = error.start + self.begin
            found = f"{error.reason}, byte 0x{self.data[place]:02x}"
            raise self._not_text(found, place) from None

    def _not_text(self, found: str, place: int) -> InputError:
        return self.error(f"not UTF-8 text ({found}); {encoding_advice(self.data, place)}", byte=place)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Numbered lines, from 1, without line ends; only LF and CRLF end a line."""
        first = 1
        for piece in self.pieces():
            lines = piece.decode().split("\n")
            if lines[-1] == "":
                lines.pop()
            for number, line in enumerate(lines, first):
                yield number, line.removesuffix("\r")
            first += len(lines)

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
        """An error at a place in the content, which names that in the file."""
        return InputError(
            message,
            self.path,
            None if line is None else line + self.line,
            None if byte is None else byte + self.byte,
        )


@dataclass(eq=False)
class File:
    """The content of a file, after gzip: from its beginning, or any piece of it, as often as one likes.

    Attributes:
        path: the file.
        is_short: whether its head is known to be all of it.
        kept: all of it, where `head` has kept that for `source`.
        id: that of its one item, where its content has told it.

    Methods raise an InputError if the file cannot be read, or is damaged gzip.
    """

    # Those of which pieces were read last stay open.
    _recent: ClassVar[deque[ref[File]]] = deque()

    path: str
    is_short: bool = field(default=False, init=False)
    kept: bytes | None = field(default=None, init=False, repr=False)
    id: str | None = field(default=None, init=False, repr=False)
    _pieces: BufferedIOBase | None = field(default=None, init=False, repr=False)
    # A folder may have a million files, of which few are open.
    _files: ExitStack | None = field(default=None, init=False, repr=False)
    _detours: int = field(default=0, init=False, repr=False)
    # When it was opened first.
    _state: FileState | None = field(default=None, init=False, repr=False)

    @contextmanager
    def opened(self, again: bool = False) -> Iterator[BufferedIOBase]:
        """The content from its beginning, piece by piece; a file that has changed since the first time is refused.

        Args:
            again: whether it is certain that the content will be read once more.
        """
        with self._opened(again) as (content, self._state):
            yield content

    def _opened(self, again: bool) -> Opened:
        return opened_file(self.path, self._state)

    def unchanged(self, found: Iterator[Read]) -> Iterator[Read]:
        """What was read of the file where it is mapped, as long as that has not changed."""
        for each in found:
            if self._state is not None and state_of(self.path) != self._state:
                raise has_changed(self.path)
            yield each

    def head(self, keep: int = 0) -> Source:
        """The first bytes, `HEAD` of them, or those before some damage; all of a file of so few bytes is kept."""
        data = b""
        with self._opened(again=True) as (stream, self._state):
            try:
                while len(data) < HEAD and (block := stream.read1(HEAD - len(data))):
                    data += block
                self.is_short = len(data) < HEAD
                self.kept = data if self.is_short and len(data) <= keep else None
            except DAMAGE:
                if not data:
                    raise
        return Source(self.path, data)

    def source(self) -> Source:
        """All of it."""
        return Source(self.path, read_bytes(self.path) if self.kept is None else self.kept)

    def placed(self) -> Source:
        """The same; a large file that is not compressed stays where it is."""
        return open_text(self.path)

    def is_packed(self) -> bool:
        """Whether it is gzip, which has no way back."""
        return isinstance(self._opened_for_pieces(), Gunzipped)

    def mapped(self) -> memoryview:
        """All of it, as the system maps it into memory; what is no plain file is read."""
        with readable(self.path):
            if not os.path.isfile(self.path) or self.is_packed() or not os.path.getsize(self.path):
                return memoryview(self.source().data)
            with Watched(self.path, self._state) as stream:
                return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))

    def size(self) -> int:
        """How many bytes there are; gzip is kept from then on."""
        if self.is_packed():
            self._keep()
        return self._opened_for_pieces().seek(0, 2)

    def read(self, begin: int, end: int) -> bytes:
        """The bytes from one place to another, or to the end of the file."""
        with readable(self.path):
            if self.is_packed() and begin < self._opened_for_pieces().tell():
                self._detours += begin
                if self._detours > PATIENCE:
                    self._keep()
            stream = self._opened_for_pieces()
            stream.seek(begin)
            return stream.read(end - begin)

    def _opened_for_pieces(self) -> BufferedIOBase:
        if self._pieces is None:
            if self._files is None:
                self._files = ExitStack()
                finalize(self, self._files.close)
            self._pieces = self._files.enter_context(self.opened())
            self._recent.append(ref(self))
            if len(self._recent) > MOST_OPEN and (oldest := self._recent.popleft()()) is not None:
                oldest._close()
        return self._pieces

    def _keep(self) -> None:
        content = self.source().data
        self._close()
        self._pieces = BytesIO(content)

    def _close(self) -> None:
        if not isinstance(self._pieces, BytesIO):
            self._pieces = None
            if self._files is not None:
                self._files.close()


class Held(File):
    """A file whose bytes are here.

    Args:
        source: the file.
    """

    def __init__(self, source: Source) -> None:
        super().__init__(source.path)
        self._source = source

    def _opened(self, again: bool) -> Opened:
        return nullcontext((BytesIO(self._source.data), None))

    def source(self) -> Source:
        """All of it."""
        return self._source

    placed = source


class Pipe(File):
    """What comes through a pipe, a device, or standard input ("-"), and comes only once.

    What has been read is kept, so that it can be read again from the beginning; before the last time, the pipe is told
    so, and lets go of what it gives. Where pieces are wanted, all of it is kept, unpacked.

    Attributes:
        is_last: whether the next time that it is opened is the last time, so that nothing is kept.
    """

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.is_last = False
        self._kept = bytearray()
        self._lost = 0  # bytes that were given and not kept
        self._all: Source | None = None
        with readable(path):
            stream = standard_input() if path == "-" else open(path, "rb")  # noqa: SIM115
            self._raw = cast(BufferedReader, stream)

    @contextmanager
    def _opened(self, again: bool) -> Iterator[tuple[BufferedIOBase, None]]:
        """Where this is the last time, what is read is let go."""
        if self._all is not None:
            yield BytesIO(self._all.data), None
            return
        kept = again or not self.is_last
        with readable(self.path), self._again(kept) as stream, unpacked(stream, self.path) as content:
            yield content, None

    def source(self) -> Source:
        """All of it, which is kept from then on."""
        if self._all is None:
            with readable(self.path):
                self._all = Source(self.path, read_stream(self._again(False), self.path))
            self._kept.clear()
        return self._all

    def placed(self) -> Source:
        """All of it, which is kept from then on; what is large in a temporary file."""
        if self._all is None:
            with readable(self.path):
                self._all = keep_text(self._again(False), self.path)
            self._kept.clear()
        return self._all

    def _opened_for_pieces(self) -> BufferedIOBase:
        if self._pieces is None:
            self._pieces = BytesIO(self.source().data)
        return self._pieces

    def _again(self, kept: bool) -> BufferedReader:
        if self._lost:
            raise InputError("comes through a pipe and can be read only once", self.path)
        return BufferedReader(_Again(self, kept), BUFFER)

    def take(self, size: int, at: int, kept: bool) -> bytes:
        """Some bytes from a place; no more than have come."""
        if at < len(self._kept):
            return bytes(self._kept[at : at + size])
        data = self._raw.read1(size)
        if kept:
            self._kept += data
            limits().check("bytes", len(self._kept), "holds", "bytes or more", self.path)
        else:
            self._lost += len(data)
        return data


class _Again(RawIOBase):
    """A pipe from its beginning."""

    def __init__(self, pipe: Pipe, kept: bool) -> None:
        self._pipe = pipe
        self._kept = kept
        self._at = 0

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._pipe.take(len(buffer), self._at, self._kept)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def open_text(path: str | Path) -> Source:
    """A file, or standard input for "-"; one that is large stays where it is.

    Raises:
        InputError: as of `Source.open`.
    """
    with readable(path):
        if str(path) == "-":
            return keep_text(standard_input(), "-")
        if (
            "://" not in str(path)
            and stat.S_ISREG((found := os.stat(path)).st_mode)
            and found.st_size >= LEAST
        ):
            check_size(found.st_size, path)
            stream = open(path, "rb", buffering=0)  # noqa: SIM115
            if stored := _stored(str(path), stream, True):
                return stored
            stream.close()
    return Source(str(path), read_bytes(path))


def keep_text(stream: BufferedIOBase, path: str) -> Source:
    """What comes through a pipe or device; more than a little of it is kept in a temporary file.

    Raises:
        InputError: as of `Source.open`.
    """
    begun = stream.read(LEAST) or b""
    if len(begun) < LEAST:
        return Source(path, read_stream(BytesIO(begun), path))
    try:
        temporary = _kept(begun, stream, path)
    except OSError as error:
        raise InputError(
            f"cannot be kept in a temporary file: {error.strerror}; TMPDIR=FOLDER names a folder with room",
            path,
        ) from None
    if stored := _stored(path, temporary, False):
        return stored
    temporary.seek(0)
    return Source(path, read_stream(cast(BufferedIOBase, temporary), path))


def _kept(begun: bytes, stream: BufferedIOBase, path: str) -> FileIO:
    """A file without a name, of which nothing is left however the command ends; OSError where there is no room."""
    temporary, size, piece = TemporaryFile(buffering=0), 0, begun  # noqa: SIM115
    while piece:
        size += len(piece)
        check_size(size, path)
        rest = memoryview(piece)
        while rest:
            rest = rest[temporary.write(rest) :]
        piece = stream.read(PIECE)
    return temporary


def _stored(path: str, stream: FileIO, is_in_place: bool) -> Source | None:
    """The text of an open file; None for gzip of something else, or that is damaged, of which its reader tells."""
    plain = OpenBytes(path, stream, is_in_place)
    if plain[: len(GZIP_MAGIC)] != GZIP_MAGIC:
        return Source(path, plain)
    if MEMBER.match(plain[:HEAD]) is None:
        return None
    stream.seek(0)
    with suppress(InputError, OSError, *DAMAGE):
        # Whoever reads gzip closes what it reads from.
        with Gunzipped(BufferedReader(FileIO(os.dup(stream.fileno())), PIECE), path) as content:
            stored = Source(path, OpenBytes(path, _kept(content.read(PIECE), content, path)))
        plain.check()
        head = stored.beginning
        is_other = head.startswith(JSON) and not OBJECTS.search(head)
        if not is_other and not any(control in head for control in CONTROLS) and stored.is_text:
            return stored
    return None


# As many bytes as a guess is made from.
SAMPLE = 1 << 16
# Of 16-bit text that is mostly ASCII, every other byte is zero; this share of a half is enough.
MOSTLY = 0.7
UNKNOWN_ENCODING = (
    "; bytes do not tell whether it is windows-1252, windows-1250, windows-1251, gb18030, shift_jis or another: ask "
    "who wrote it"
)


def is_blank(data: bytes) -> bool:
    """Whether this is nothing but white space, and perhaps a byte order mark before it."""
    if _NO_SPACE.search(data):
        return False
    try:
        return not data.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        return False


def encoding_advice(data: bytes, fault: int) -> str:
    """How to make UTF-8 of a file: UTF-16 and UTF-32 are named, others look alike by their bytes.

    Args:
        data: the file.
        fault: where it ceases to be UTF-8.

    >>> encoding_advice("a caf\u00e9".encode("utf-16"), 0)
    'it looks like utf-16; iconv -f utf-16 -t utf-8 converts it'
    """
    if not data[:fault].isascii() and not data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "what comes before is UTF-8, so the file is damaged, or parts of it are in another encoding"
    name = wide_encoding(data[:SAMPLE])
    if name is None:
        return "convert it with iconv -f ENCODING -t utf-8" + UNKNOWN_ENCODING * (b"\0" not in data[:SAMPLE])
    return f"it looks like {name}; iconv -f {name} -t utf-8 converts it"


def wide_encoding(sample: bytes) -> str | None:
    """UTF-16 or UTF-32; None of other bytes.

    >>> wide_encoding("a b".encode("utf-16-le"))
    'utf-16le'
    """
    # The wider ones first, as one of their marks begins with one of the others.
    if sample.startswith((BOM_UTF32_LE, BOM_UTF32_BE)):
        return "utf-32"
    if sample.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16"
    for name, half in (("utf-16le", sample[1::2]), ("utf-16be", sample[::2])):
        if half.count(0) > MOSTLY * len(half) > 0:
            return name
    return None
