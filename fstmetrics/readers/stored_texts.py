"""Texts that stay in their files: `Stored`, the file, of which all lines are looked at once; `StoredColumn`, its lines
or their ids, read again as they are asked for. What they take in memory does not grow with the file.

- `open_text`, `keep_text`: the text of a path, and of a pipe, which comes only once and is kept in a temporary file.
- `StoredLines`: what a parser makes of a text's lines; also in the order of the ids of another text, found by an index
  that has sixteen bytes a line.
"""

from __future__ import annotations

import os
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

from fstmetrics._native import LineIndex, LineSurvey, TextColumn, lines_at
from fstmetrics.readers.stored_bytes import PackedBytes, PlainBytes, temporary_file, write_all
from fstmetrics.support.equal_rows import TextRows
from fstmetrics.support.errors import InputError
from fstmetrics.support.gunzip import GZIP_MAGIC, MEMBER, PIECE, check_size
from fstmetrics.support.source import CONTROLS, HEAD, Source, read_stream, readable

# A smaller file is read at once.
LEAST = 1 << 20
# Bytes that are looked at at a time; more where a line is longer.
WINDOW = 1 << 18
# So many lines are read at least where one is asked for.
TOGETHER = 1 << 10
# Bytes of lines that are read together where they are in another order.
AHEAD = 1 << 22
# What JSON begins with, which is read at once.
JSON = (b"{", b"[")


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

    @cached_property
    def survey(self) -> LineSurvey:
        """What all lines have in common."""
        survey = LineSurvey(self._first, self.size)
        self._show(survey)
        return survey

    @cached_property
    def survey_of_trn(self) -> LineSurvey:
        """The same of lines in sclite's form."""
        survey = LineSurvey(self._first, self.size, is_trn=True)
        self._show(survey)
        return survey

    def have_different_ids(self, is_trn: bool = False) -> bool:
        """Whether it is certain that no id comes twice, and that no line but the last ones is blank."""
        survey = self.survey_of_trn if is_trn else self.survey
        if survey.filled < survey.up_to_words or survey.repeated:
            return False
        return survey.is_ascending or self.index(is_trn) is not None

    def index(self, is_trn: bool) -> LineIndex | None:
        """Where the line of every id is; None where two ids may be the same, or a line is too long for an index."""
        if is_trn not in self._indexes:
            survey = self.survey_of_trn if is_trn else self.survey
            index = LineIndex(self._first, survey.filled, is_trn)
            self._show(index)
            self._indexes[is_trn] = index if index.close() and index.is_whole else None
        return self._indexes[is_trn]

    def forget_indexes(self) -> None:
        """Free their memory: nobody needs them any more."""
        self._indexes.clear()

    @cached_property
    def _indexes(self) -> dict[bool, LineIndex | None]:
        return {}

    @cached_property
    def _first(self) -> int:
        return len(BOM_UTF8) if self.beginning.startswith(BOM_UTF8) else 0

    def _show(self, looking: LineSurvey | LineIndex) -> None:
        """Show all lines to what looks at them piece by piece."""
        begin, window, is_last = self._first, WINDOW, False
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
        is_other = head.startswith(JSON) or any(control in head for control in CONTROLS)
        if not is_other and stored.is_text:
            return stored
    return None


def survey_of(source: Source) -> LineSurvey:
    """What all lines of a text have in common; errors as of `Source.text`."""
    if isinstance(source, Stored) and source.is_text:
        return source.survey
    text = source.utf8
    survey = LineSurvey(0, len(text))
    survey.look(text, True)
    return survey


# Makes ids, if there are any, and texts of whole lines.
Parser = Callable[[bytes], "tuple[TextColumn | None, TextColumn]"]
Part = tuple["TextColumn | None", TextColumn]


class StoredLines:
    """What a parser makes of the lines of a stored text.

    Args:
        source: the text.
        parse: what it is read by.
        is_trn: whether lines are those of sclite's form.
        lines: how many lines count; all, by default.
    """

    def __init__(self, source: Stored, parse: Parser, lines: int | None = None, is_trn: bool = False) -> None:
        self.source, self.is_trn = source, is_trn
        self.survey = source.survey_of_trn if is_trn else source.survey
        self.size = self.survey.lines if lines is None else lines
        self.parse = parse
        self._place = (0, 0)
        self._part: Part | None = None

    def part(self, begin: int, end: int) -> Part:
        """Ids and texts of some lines."""
        if self._part is None or self._place != (begin, end):
            self._part, self._place = self._read(begin, end), (begin, end)
        return self._part

    def _read(self, begin: int, end: int) -> Part:
        data, before = self.source.between(self.survey, begin, end)
        ids, texts = self.parse(data)
        there = slice(before, before + end - begin)
        return None if ids is None else ids[there], texts[there]

    @property
    def texts(self) -> StoredColumn:
        """The texts."""
        return StoredColumn(self, False)

    @property
    def ids(self) -> StoredColumn:
        """The ids."""
        return StoredColumn(self, True)

    def in_order_of(self, ids: StoredColumn) -> StoredLines | None:
        """The lines of the ids of another text; None where it is not certain that it has all of them and no others.

        Ids are compared by numbers made of them, and themselves where lines are read.
        """
        theirs, ours = ids.lines.survey, self.survey
        if self.size != ids.lines.size or not (ours.looks.all_fit and theirs.looks.all_fit):
            return None
        if ours.digest == theirs.digest:
            self.source.forget_indexes()
            return _LinesInStep(self, ids)
        if ours.set_digest != theirs.set_digest:
            return None
        # The ids are read ahead of the other texts, so that there is a way back in both files.
        can_go_back = ids.lines.source.in_any_order() is not None
        index = self.source.index(self.is_trn) if can_go_back else None
        content = self.source.in_any_order() if index else None
        return _LinesByIds(self, ids, index, content) if index and content else None


class _LinesInStep(StoredLines):
    """The lines of a text whose ids have to be the given ones wherever they are read."""

    def __init__(self, lines: StoredLines, wanted: StoredColumn) -> None:
        super().__init__(lines.source, lines.parse, lines.size, lines.is_trn)
        self._wanted = wanted

    def _read(self, begin: int, end: int) -> Part:
        ids, texts = self._found(begin, end)
        if ids != self._wanted[begin:end]:
            raise self.source.changed()
        return ids, texts

    def _found(self, begin: int, end: int) -> Part:
        return super()._read(begin, end)


class _LinesByIds(_LinesInStep):
    """The same where they are in another order in their file.

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
        self._read_ahead = max(TOGETHER, AHEAD * self.size // max(content.size, 1))
        self._found_at = (0, 0)
        self._found_part: Part = None, TextColumn(())

    def _found(self, begin: int, end: int) -> Part:
        first, last = self._found_at
        if begin < first or end > last:
            first, last = begin, min(max(end, begin + self._read_ahead), self.size)
            self._found_part = self.parse(self._gathered(first, last))
            self._found_at = first, last
        ids, texts = self._found_part
        there = slice(begin - first, end - first)
        return None if ids is None else ids[there], texts[there]

    def _gathered(self, begin: int, end: int) -> bytes:
        """The lines of these ids, one after the other."""
        self._found_at, self._found_part = (0, 0), (None, TextColumn(()))
        steps = range(begin, end, TOGETHER)
        places = [self._index.places(self._wanted[at : min(at + TOGETHER, end)]) for at in steps]
        together = np.concatenate(places) if places else np.zeros(0, dtype=np.int64)
        self._content.check()
        data = None if (together < 0).any() else lines_at(together, self._content.number)
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
        ids, texts = self.lines.part(begin, end)
        if not self._are_ids:
            return texts
        assert ids is not None
        return ids

    def longest(self) -> int:
        """No text takes more bytes."""
        return self.lines.survey.longest
