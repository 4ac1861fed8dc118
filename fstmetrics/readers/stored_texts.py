"""Texts that stay in their files: `Stored`, the file, of which all lines are looked at once; `StoredColumn`, its lines
or their ids, read again as they are asked for. What they take in memory does not grow with the file.

- `open_text`, `keep_text`: the text of a path, and of a pipe, which comes only once and is kept in a temporary file.
- `StoredLines`: what a parser makes of a text's lines; also in the order of the ids of another text, found by an index
  that has sixteen bytes a line.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property
from io import BufferedIOBase, BytesIO, FileIO
from pathlib import Path
from typing import cast, overload

import numpy as np
import numpy.typing as npt

from fstmetrics._native import FieldRows, LineForm, LineIndex, LineSurvey, TextColumn, TrnForm, lines_at
from fstmetrics.readers.stored_bytes import PackedBytes, PlainBytes, temporary_file, write_all
from fstmetrics.support.equal_rows import EqualRows, TextRows
from fstmetrics.support.errors import InputError
from fstmetrics.support.gunzip import GZIP_MAGIC, MEMBER, PIECE, check_size
from fstmetrics.support.source import CONTROLS, HEAD, Source, read_stream, readable
from fstmetrics.values.fields import Fields

# A smaller file is read at once.
LEAST = 1 << 20
# Bytes that are looked at at a time; more where a line is longer.
WINDOW = 1 << 18
# So many lines are read at least where one is asked for.
TOGETHER = 1 << 10
# So many lines are read together where they are wanted in turn.
READ_AHEAD = 1 << 12
# A smaller text is kept where its lines are wanted in any order.
HELD = 1 << 24
# Bytes of lines that are read together where they are in another order.
AHEAD = 1 << 22
# What JSON begins with, which is read at once unless it has an object a line.
JSON = (b"{", b"[")
OBJECTS = re.compile(rb"\}\s*\n\s*\{")
# Lines of sclite's form.
TRN = TrnForm()


class Stored(Source):
    """A file of text that is read piece by piece; all of it only where somebody asks for `data`.

    Args:
        path: the file.
        content: its bytes, after gzip.
        is_in_place: whether they are those of the file itself.
    """

    is_in_place: bool
    _content: PlainBytes | PackedBytes

    def __init__(self, path: str, content: PlainBytes | PackedBytes, is_in_place: bool) -> None:
        object.__setattr__(self, "path", path)
        object.__setattr__(self, "compressed", isinstance(content, PackedBytes))
        object.__setattr__(self, "is_in_place", is_in_place)
        object.__setattr__(self, "_content", content)

    @cached_property
    def data(self) -> bytes:
        """All of it."""
        return self._content.read(0, self.size)

    @cached_property
    def beginning(self) -> bytes:
        """As of `Source`."""
        return self._content.read(0, min(HEAD, self.size))

    def first(self, size: int) -> bytes:
        """As of `Source`."""
        return self._content.read(0, min(size, self.size))

    def has(self, part: bytes) -> bool:
        """As of `Source`; what is longer than a window is not found."""
        begin, size = 0, self.size
        while begin < size:
            data = self._content.read(begin, begin + WINDOW + len(part))
            if part in data:
                return True
            begin, size = begin + WINDOW, self.size
        return False

    @property
    def size(self) -> int:
        """As of `Source`."""
        return self._content.size

    @cached_property
    def is_open(self) -> bool:
        """As of `Source`."""
        return self.size > 0 and self._content.read(self.size - 1, self.size) != b"\n"

    @property
    def is_blank(self) -> bool:
        """As of `Source`."""
        return not self.beginning.strip() and not self.survey.filled and super().is_blank

    @property
    def has_words(self) -> bool:
        """As of `Source`."""
        return (self.is_text and self.survey.filled > 0) or super().has_words

    @property
    def is_text(self) -> bool:
        """As of `Source`."""
        return self.survey.is_text

    @property
    def survey(self) -> LineSurvey:
        """What all lines have in common."""
        return self.surveyed(None)

    def line_survey(self) -> LineSurvey:
        """As of `Source`."""
        return self.survey if self.is_text else super().line_survey()

    def line_index(self) -> LineIndex | None:
        """As of `Source`."""
        return self.index(None) if self.is_text and self.have_different_ids() else None

    def surveyed(self, form: LineForm | None) -> LineSurvey:
        """The same of lines of a form; None: of words."""
        if form not in self._surveys:
            begin = self._begin(form)
            survey = LineSurvey(begin, self.size, form)
            self._show(survey, begin)
            self._surveys[form] = survey
        return self._surveys[form]

    def have_different_ids(self, form: LineForm | None = None) -> bool:
        """Whether it is certain that no id comes twice, and that no line but the last ones is blank."""
        survey = self.surveyed(form)
        if survey.filled < survey.up_to_words or survey.repeated:
            return False
        return survey.is_ascending or self.index(form) is not None

    def index(self, form: LineForm | None) -> LineIndex | None:
        """Where the line of every id is; None where two ids may be the same, or a line is too long for an index."""
        if form not in self._indexes:
            begin = self._begin(form)
            index = LineIndex(begin, self.surveyed(form).filled, form)
            self._show(index, begin)
            self._indexes[form] = index if index.close() and index.is_whole else None
        return self._indexes[form]

    def forget_indexes(self) -> None:
        """Free their memory: nobody needs them any more."""
        self._indexes.clear()

    @cached_property
    def _surveys(self) -> dict[LineForm | None, LineSurvey]:
        return {}

    @cached_property
    def _indexes(self) -> dict[LineForm | None, LineIndex | None]:
        return {}

    @cached_property
    def _first(self) -> int:
        return len(BOM_UTF8) if self.beginning.startswith(BOM_UTF8) else 0

    def _begin(self, form: LineForm | None) -> int:
        """Where the first item may be."""
        return self._first + (form.head_bytes if form else 0)

    def _show(self, looking: LineSurvey | LineIndex, begin: int) -> None:
        """Show all lines from a byte on to what looks at them piece by piece."""
        window, is_last = WINDOW, False
        while not is_last:
            data = self._content.read(begin, begin + window)
            is_last = begin + len(data) >= self.size
            used = looking.look(data, is_last)
            begin += used
            window = WINDOW if used else 2 * window

    def between(self, survey: LineSurvey, begin: int, end: int) -> tuple[bytes, int]:
        """Bytes of whole lines, the ones from `begin` up to `end` among them; and how many are before them."""
        (line, byte), (_, behind) = survey.before(begin), survey.behind(end)
        return self._content.read(byte, behind), begin - line

    def in_any_order(self) -> PlainBytes | None:
        """The content where any piece of it can be read at once; None where no file has room for it."""
        with suppress(OSError):
            return self._content.in_any_order()
        return None

    def changed(self) -> InputError:
        """The error of a file that is not what it was."""
        return PlainBytes.changed(cast(PlainBytes, self._content))

    def pieces(self) -> Iterator[bytes]:
        """As of `Source`, of about as many bytes as a file that is read at once may have."""
        if not self.is_text:
            yield from super().pieces()
            return
        begin, size = self._first, LEAST
        while begin < self.size:
            data = self._content.read(begin, begin + size)
            end = len(data) if begin + len(data) >= self.size else data.rfind(b"\n") + 1
            if end:
                yield data[:end]
            begin += end
            size = LEAST if end else 2 * size

    def lines(self) -> Iterator[tuple[int, str]]:
        """As of `Source`."""
        if not self.is_text:
            yield from super().lines()
            return
        for first in range(0, self.survey.lines, TOGETHER):
            data, before = self.between(self.survey, first, first + TOGETHER)
            texts = data.decode().split("\n")
            for place in range(min(TOGETHER, self.survey.lines - first)):
                yield first + place + 1, texts[before + place].removesuffix("\r")


def open_text(path: str | Path) -> Source:
    """A file, or standard input for "-"; one that is large stays where it is.

    Raises:
        InputError: as of `Source.open`.
    """
    with readable(path):
        if str(path) == "-":
            return keep_text(cast(BufferedIOBase, sys.stdin.buffer), "-")
        if "://" not in str(path) and stat.S_ISREG(os.stat(path).st_mode):
            stream = open(path, "rb", buffering=0)  # noqa: SIM115
            size = os.fstat(stream.fileno()).st_size
            check_size(size, path)
            if size >= LEAST and (stored := _stored(str(path), stream, True)):
                return stored
            stream.close()
    return Source.open(path)


def keep_text(stream: BufferedIOBase, path: str) -> Source:
    """What comes through a pipe or device; more than a little of it is kept in a temporary file.

    Raises:
        InputError: as of `Source.open`.
    """
    begun = stream.read(LEAST) or b""
    if len(begun) < LEAST:
        return Source(path, *read_stream(BytesIO(begun), path))
    temporary, size, piece = temporary_file(), 0, begun
    while piece:
        size += len(piece)
        check_size(size, path)
        try:
            write_all(temporary, piece)
        except OSError as error:
            raise InputError(
                f"cannot be kept in a temporary file: {error.strerror}; TMPDIR=FOLDER names a folder with room",
                path,
            ) from None
        piece = stream.read(PIECE)
    if stored := _stored(path, temporary, False):
        return stored
    temporary.seek(0)
    return Source(path, *read_stream(cast(BufferedIOBase, temporary), path))


def _stored(path: str, stream: FileIO, is_in_place: bool) -> Stored | None:
    """The text of an open file; None for gzip of something else, or that is damaged, of which its reader tells."""
    plain = PlainBytes(path, stream)
    if plain.read(0, len(GZIP_MAGIC)) != GZIP_MAGIC:
        return Stored(path, plain, is_in_place)
    if MEMBER.match(plain.read(0, HEAD)) is None:
        return None
    stream.seek(0)
    # Whoever reads gzip closes what it reads from.
    stored = Stored(path, PackedBytes(plain, FileIO(os.dup(stream.fileno()))), False)
    with suppress(InputError):
        head = stored.beginning
        is_other = head.startswith(JSON) and not OBJECTS.search(head)
        if not is_other and not any(control in head for control in CONTROLS) and stored.is_text:
            return stored
    return None


# Ids, if there are any, texts, and fields, if there are any.
Part = tuple["TextColumn | None", TextColumn, "FieldRows | None"]
# Makes that of whole lines.
Parser = Callable[[bytes], Part]


class StoredLines:
    """What a parser makes of the lines of a stored text.

    Args:
        source: the text.
        parse: what it is read by.
        form: of the lines; None: words.
        lines: how many lines count; all, by default.
    """

    def __init__(
        self, source: Stored, parse: Parser, lines: int | None = None, form: LineForm | None = None
    ) -> None:
        self.source, self.form = source, form
        self.survey = source.surveyed(form)
        self.size = self.survey.lines if lines is None else lines
        self.parse = parse
        self._place = (0, 0)
        self._part: Part | None = None
        self._ahead_place = (0, 0)
        self._ahead: Part = None, TextColumn(()), None

    def part(self, begin: int, end: int) -> Part:
        """Ids, texts and fields of some lines."""
        if self._part is None or self._place != (begin, end):
            self._part, self._place = self._read(begin, end), (begin, end)
        return self._part

    def _read(self, begin: int, end: int) -> Part:
        data, before = self.source.between(self.survey, begin, end)
        return some_of(self.parse(data), slice(before, before + end - begin))

    def at(self, places: npt.NDArray[np.int64], ids: TextColumn) -> tuple[TextColumn, FieldRows | None]:
        """The texts and fields of the lines at some places, which have these ids.

        Raises:
            InputError: the file is not what it was.
        """
        begin, end = (int(places[0]), int(places[-1]) + 1) if len(places) else (0, 0)
        if (np.diff(places) == 1).all():
            first, last = self._ahead_place
            if begin < first or end > last:
                first, last = begin, min(max(end, begin + READ_AHEAD), self.size)
                self._ahead, self._ahead_place = self._read(first, last), (first, last)
            found, texts, fields = some_of(self._ahead, slice(begin - first, end - first))
        else:
            found, texts, fields = self._somewhere(places, ids)
        if found != ids:
            raise self.source.changed()
        return texts, fields

    def _somewhere(self, places: npt.NDArray[np.int64], ids: TextColumn) -> Part:
        """Lines in any order; all are kept where they are few, or no file has room for that."""
        is_large = self.source.size > HELD
        index = self.source.index(self.form) if is_large else None
        content = self.source.in_any_order() if index else None
        if index is None or content is None:
            if self._ahead_place != (0, self.size):
                self._ahead, self._ahead_place = self._read(0, self.size), (0, self.size)
            return some_of(self._ahead, places)
        content.check()
        there = index.places(ids)
        data = None if (there < 0).any() else lines_at(there, content.number)
        content.check()
        if data is None:
            raise self.source.changed()
        return self.parse(data)

    @property
    def texts(self) -> StoredColumn:
        """The texts."""
        return StoredColumn(self, False)

    @property
    def ids(self) -> StoredColumn:
        """The ids."""
        return StoredColumn(self, True)

    @property
    def fields(self) -> StoredFields | None:
        """The fields; None where no item has any."""
        return StoredFields(self) if self.survey.fields else None

    def may_lack(self, other: StoredLines) -> bool:
        """Whether it is not certain that it has the ids of another text, and no others."""
        ours, theirs = self.survey, other.survey
        told = ours.has_digests and theirs.has_digests
        return not told or self.size != other.size or ours.set_digest != theirs.set_digest

    def in_order_of(self, ids: StoredColumn) -> StoredLines | None:
        """The lines of the ids of another text; None where it is not certain that it has all of them and no others.

        Ids are compared by numbers made of them, and themselves where lines are read.
        """
        theirs, ours = ids.lines.survey, self.survey
        if self.size != ids.lines.size or not (ours.has_digests and theirs.has_digests):
            return None
        if ours.digest == theirs.digest:
            self.source.forget_indexes()
            ids.lines.source.forget_indexes()
            return _LinesInStep(self, ids)
        if ours.set_digest != theirs.set_digest:
            return None
        # The ids are read ahead of the other texts, so that there is a way back in both files.
        can_go_back = ids.lines.source.in_any_order() is not None
        index = self.source.index(self.form) if can_go_back else None
        content = self.source.in_any_order() if index else None
        return LinesByIds(self, ids, index, content) if index and content else None


def some_of(part: Part, there: slice | npt.NDArray[np.int64]) -> Part:
    """Some lines of a part: those of a slice, or with these numbers."""
    ids, texts, fields = part
    if isinstance(there, slice):
        return None if ids is None else ids[there], texts[there], None if fields is None else fields[there]
    return (
        None if ids is None else ids.taken(there), texts.taken(there), None if fields is None else fields.taken(there)
    )  # fmt: skip


class _LinesInStep(StoredLines):
    """The lines of a text whose ids have to be the given ones wherever they are read."""

    def __init__(self, lines: StoredLines, wanted: StoredColumn) -> None:
        super().__init__(lines.source, lines.parse, len(wanted), lines.form)
        self._wanted = wanted

    def _read(self, begin: int, end: int) -> Part:
        part = self._found(begin, end)
        if part[0] != self._wanted[begin:end]:
            raise self.source.changed()
        return part

    def _found(self, begin: int, end: int) -> Part:
        return super()._read(begin, end)


class LinesByIds(_LinesInStep):
    """The lines of a text that have the given ids, wherever they are in their file.

    Args:
        lines: as they are in their file.
        wanted: the ids, in the order in which they are wanted.
        index: where each line is.
        content: the file.
    """

    def __init__(
        self, lines: StoredLines, wanted: StoredColumn, index: LineIndex, content: PlainBytes
    ) -> None:
        super().__init__(lines, wanted)
        self._index, self._content = index, content
        self._read_ahead = max(TOGETHER, AHEAD * lines.size // max(content.size, 1))
        self._found_at = (0, 0)
        self._found_part: Part = None, TextColumn(()), None

    def _found(self, begin: int, end: int) -> Part:
        first, last = self._found_at
        if begin < first or end > last:
            first, last = begin, min(max(end, begin + self._read_ahead), self.size)
            self._found_part = self.parse(self._gathered(first, last))
            self._found_at = first, last
        return some_of(self._found_part, slice(begin - first, end - first))

    def _gathered(self, begin: int, end: int) -> bytes:
        """The lines of these ids, one after the other."""
        self._found_at, self._found_part = (0, 0), (None, TextColumn(()), None)
        steps = range(begin, end, TOGETHER)
        places = [self._index.places(self._wanted[at : min(at + TOGETHER, end)]) for at in steps]
        together = np.concatenate(places) if places else np.zeros(0, dtype=np.int64)
        self._content.check()
        data = None if (together < 0).any() else lines_at(together, self._content.number)
        self._content.check()
        if data is None:
            raise self.source.changed()
        return data


class StoredColumn(TextRows):
    """A text for every line of a file, read when it is asked for. Parts of it are in memory.

    Args:
        lines: the lines.
        are_ids: whether it is their ids.
    """

    __slots__ = ("_are_ids", "lines")

    def __init__(self, lines: StoredLines, are_ids: bool) -> None:
        self.lines, self._are_ids = lines, are_ids

    def line_survey(self) -> LineSurvey:
        """What the lines have in common."""
        return self.lines.survey

    def line_index(self) -> LineIndex | None:
        """Where the line of every id is; None where nobody knows without reading all."""
        return self.lines.source.index(self.lines.form)

    def __len__(self) -> int:
        return self.lines.size

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> TextColumn: ...
    def __getitem__(self, index: int | slice) -> str | TextColumn:
        if isinstance(index, slice):
            begin, end, step = index.indices(len(self))
            if step != 1:
                return TextColumn([self[place] for place in range(begin, end, step)])
            return self._part(begin, max(begin, end))
        place = range(len(self))[index]
        begin = place - place % TOGETHER
        return self._part(begin, min(begin + TOGETHER, len(self)))[place - begin]

    def __iter__(self) -> Iterator[str]:
        for begin in range(0, len(self), TOGETHER):
            yield from self._part(begin, min(begin + TOGETHER, len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StoredColumn | TextColumn):
            return NotImplemented
        if len(self) != len(other):
            return False
        ends = range(0, len(self), TOGETHER)
        return all(self[begin : begin + TOGETHER] == other[begin : begin + TOGETHER] for begin in ends)

    __hash__ = None  # type: ignore[assignment]

    def _part(self, begin: int, end: int) -> TextColumn:
        ids, texts, _ = self.lines.part(begin, end)
        if not self._are_ids:
            return texts
        assert ids is not None
        return ids

    def held(self) -> TextColumn:
        """All of them in memory, and nothing else of the file."""
        ends = range(0, len(self), READ_AHEAD)
        parts = (self._part(begin, min(begin + READ_AHEAD, len(self))) for begin in ends)
        return TextColumn.of_parts([TextColumn.of_buffers(*part.joined()) for part in parts])

    def longest(self) -> int:
        """No text takes more bytes."""
        return self.lines.survey.longest


class StoredFields(EqualRows[Fields]):
    """The fields of the item of every line of a table, read when they are asked for. Parts of them are in memory.

    Args:
        lines: the lines.
    """

    __slots__ = ("lines",)

    def __init__(self, lines: StoredLines) -> None:
        self.lines = lines

    def __len__(self) -> int:
        return self.lines.size

    @overload
    def __getitem__(self, index: int) -> Fields: ...
    @overload
    def __getitem__(self, index: slice) -> FieldRows | list[Fields]: ...
    def __getitem__(self, index: int | slice) -> Fields | FieldRows | list[Fields]:
        if isinstance(index, slice):
            begin, end, step = index.indices(len(self))
            if step != 1:
                return [self[place] for place in range(begin, end, step)]
            return self._part(begin, max(begin, end))
        place = range(len(self))[index]
        begin = place - place % TOGETHER
        return self._part(begin, min(begin + TOGETHER, len(self)))[place - begin]

    def __iter__(self) -> Iterator[Fields]:
        for begin in range(0, len(self), TOGETHER):
            yield from self._part(begin, min(begin + TOGETHER, len(self)))

    def _part(self, begin: int, end: int) -> FieldRows:
        _, _, fields = self.lines.part(begin, end)
        assert fields is not None
        return fields

    def names(self) -> list[str]:
        """Those that items have."""
        return self.lines.survey.fields
