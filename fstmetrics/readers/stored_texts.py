"""Texts that stay in their files: `Stored`, the file, of which all lines are looked at once; `StoredColumn`, its lines
or their ids, read again as they are asked for. What they take in memory does not grow with the file.
"""

from __future__ import annotations

import os
import stat
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from functools import cached_property
from io import FileIO
from pathlib import Path
from typing import overload

from fstmetrics._native import LineSurvey, TextColumn
from fstmetrics.support.equal_rows import TextRows
from fstmetrics.support.gunzip import GZIP_MAGIC, check_size
from fstmetrics.support.source import HEAD, Source, readable

# A smaller file is read at once.
LEAST = 1 << 20
# Bytes that are looked at at a time; more where a line is longer.
WINDOW = 1 << 18
# So many lines are read at least where one is asked for.
TOGETHER = 1 << 10


class Stored(Source):
    """A plain file of text that is read piece by piece; all of it only where somebody asks for `data`.

    Args:
        path: the file.
        stream: the same, open.
    """

    _stream: FileIO
    _state: tuple[int, int]

    def __init__(self, path: str, stream: FileIO) -> None:
        object.__setattr__(self, "path", path)
        object.__setattr__(self, "compressed", False)
        self.__dict__["_stream"] = stream
        self.__dict__["_state"] = self._now()

    @cached_property
    def data(self) -> bytes:
        """All of it."""
        return self._read(0, self.size)

    @cached_property
    def beginning(self) -> bytes:
        """As of `Source`."""
        return self._read(0, min(HEAD, self.size))

    @property
    def size(self) -> int:
        """As of `Source`."""
        return self._state[0]

    @property
    def is_open(self) -> bool:
        """As of `Source`."""
        return self._read(self.size - 1, self.size) != b"\n"

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
        return self._surveyed()

    @cached_property
    def are_different(self) -> bool:
        """Whether it is certain that no first word comes twice, and that no line but the last ones is blank."""
        survey = self.survey
        if survey.filled < survey.up_to_words or survey.repeated:
            return False
        if survey.is_ascending:
            return True
        hashes = self._surveyed(hashes=True).hashes()[: survey.up_to_words]
        hashes.sort()
        return not (hashes[1:] == hashes[:-1]).any()

    def _surveyed(self, hashes: bool = False) -> LineSurvey:
        begin = len(BOM_UTF8) if self.beginning.startswith(BOM_UTF8) else 0
        survey, window = LineSurvey(begin, self.size, hashes), WINDOW
        while begin < self.size:
            end = min(begin + window, self.size)
            used = survey.look(self._read(begin, end), end == self.size)
            begin += used
            window = WINDOW if used else 2 * window
        return survey

    def between(self, begin: int, end: int) -> tuple[bytes, int]:
        """Bytes of whole lines, the ones from `begin` up to `end` among them; and how many are before them."""
        (line, byte), (_, behind) = self.survey.before(begin), self.survey.behind(end)
        return self._read(byte, behind), begin - line

    def _read(self, begin: int, end: int) -> bytes:
        with readable(self.path):
            self._stream.seek(begin)
            data = self._stream.read(end - begin)
            while len(data) < end - begin and (more := self._stream.read(end - begin - len(data))):
                data += more
            if self._now() != self._state or len(data) < end - begin:
                raise self.changed()
        return data

    def _now(self) -> tuple[int, int]:
        status = os.fstat(self._stream.fileno())
        return status.st_size, status.st_mtime_ns

    def changed(self) -> Exception:
        """The error of a file that is not what it was."""
        return self.error(
            "has changed while it was being read; run the command again when nothing writes to it"
        )

    def lines(self) -> Iterator[tuple[int, str]]:
        """As of `Source`."""
        if not self.is_text:
            yield from super().lines()
            return
        for first in range(0, self.survey.lines, TOGETHER):
            data, before = self.between(first, first + TOGETHER)
            texts = data.decode().split("\n")
            for place in range(min(TOGETHER, self.survey.lines - first)):
                yield first + place + 1, texts[before + place].removesuffix("\r")


def open_text(path: str | Path) -> Source:
    """A file; one that is large and not compressed stays where it is.

    Raises:
        InputError: as of `Source.open`.
    """
    with readable(path):
        if str(path) != "-" and "://" not in str(path) and stat.S_ISREG(os.stat(path).st_mode):
            stream = open(path, "rb", buffering=0)  # noqa: SIM115
            size = os.fstat(stream.fileno()).st_size
            check_size(size, path)
            if size >= LEAST and stream.read(len(GZIP_MAGIC)) != GZIP_MAGIC:
                return Stored(str(path), stream)
            stream.close()
    return Source.open(path)


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
        lines: how many lines count.
    """

    def __init__(self, source: Stored, parse: Parser, lines: int) -> None:
        self.source, self.size = source, lines
        self._parse = parse
        self._place = (0, 0)
        self._part: Part | None = None

    def part(self, begin: int, end: int) -> Part:
        """Ids and texts of some lines."""
        if self._part is None or self._place != (begin, end):
            data, before = self.source.between(begin, end)
            ids, texts = self._parse(data)
            there = slice(before, before + end - begin)
            self._part = (None if ids is None else ids[there], texts[there])
            self._place = (begin, end)
        return self._part

    @property
    def texts(self) -> StoredColumn:
        """The texts."""
        return StoredColumn(self, False)

    @property
    def ids(self) -> StoredColumn:
        """The ids."""
        return StoredColumn(self, True)


class StoredColumn(TextRows):
    """A text for every line of a file, read when it is asked for. Parts of it are in memory.

    Args:
        lines: the lines.
        are_ids: whether it is their ids.
        beside: ids of another file, which those of every line have to be.
    """

    __slots__ = ("_are_ids", "_beside", "_lines")

    def __init__(self, lines: StoredLines, are_ids: bool, beside: StoredColumn | None = None) -> None:
        self._lines, self._are_ids, self._beside = lines, are_ids, beside

    def __len__(self) -> int:
        return self._lines.size

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
        if self._beside is not None and self._lines.part(begin, end)[0] != self._beside[begin:end]:
            raise self._lines.source.changed()
        ids, texts = self._lines.part(begin, end)
        if not self._are_ids:
            return texts
        assert ids is not None
        return ids

    def longest(self) -> int:
        """No text takes more bytes."""
        return self._lines.source.survey.longest

    def same_as(self, other: StoredColumn) -> bool:
        """Whether ids that look like ids are, but for an accident of numbers, the same in the same order."""
        ours, theirs = (column._lines.source.survey for column in (self, other))
        looks_told = ours.looks.all_fit and theirs.looks.all_fit
        return len(self) == len(other) and looks_told and ours.digest == theirs.digest

    def beside(self, ids: StoredColumn) -> StoredColumn:
        """The same, whose ids have to be these wherever they are read."""
        return StoredColumn(self._lines, self._are_ids, ids)
