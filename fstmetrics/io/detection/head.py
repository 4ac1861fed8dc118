"""What a file begins with: `Head`, which the rules of `detect` look at; `Json`, where that is JSON."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fstmetrics.io.column_roles import plain_name
from fstmetrics.support.json_text import MAX_DIGITS
from fstmetrics.support.source import Source

# So many lines tell what a text is.
LINES = 100
# No first object of rows is longer; a document may be.
LONGEST = 1 << 20
# Of such bytes there are none in text.
CONTROL = re.compile(rb"[\x00-\x08]")
# An object with a key, or a list of something; `{ a / b }` and `[noise]` are words.
BEGINS = re.compile(r'\{\s*"(?:[^"\\]|\\.)*"\s*:|\[\s*(?:\{\s*"|\[|"(?:[^"\\\n]|\\.)*"\s*[,\]]|\Z|\n)')
_SPACE = re.compile(r"[ \t\r\n]*")


class Head:
    """The beginning of a file, and what is asked of it more than once.

    Args:
        source: the file, or its first `HEAD` bytes.
        is_whole: whether nothing of it is missing.
        known: names that columns of tables usually have.
        columns: those that the caller names; None where he names none.
        is_named: whether the file's name tells something.

    Attributes:
        name: the file's name without `.gz`.
        data: the first bytes.
    """

    def __init__(
        self,
        source: Source,
        is_whole: bool = True,
        known: frozenset[str] = frozenset(),
        columns: frozenset[str] | None = None,
        is_named: bool = True,
    ) -> None:
        self.source, self.is_whole, self.known, self.columns = source, is_whole, known, columns
        self.data = source.beginning
        self.name = source.name if is_named else ""

    def knows(self, column: str) -> bool:
        """Whether a column has such a name, in any case and however its words are parted, as in `Audio File Name`."""
        return plain_name(column) in self.known

    @cached_property
    def is_utf16(self) -> bool:
        """Whether a text is in UTF-16, as PowerShell writes it: by its mark, or as JSON that begins so."""
        return self.data.startswith((BOM_UTF16_LE, BOM_UTF16_BE, b"{\0", b"[\0", b"\0{", b"\0["))

    @cached_property
    def is_text(self) -> bool:
        """Whether the beginning has no control characters other than white space."""
        return CONTROL.search(self.data) is None

    @cached_property
    def text(self) -> str:
        """The beginning as text, without a line that is cut off there and white space before the first."""
        return self.untrimmed.lstrip()

    @cached_property
    def untrimmed(self) -> str:
        """The same with it."""
        encoding = "utf-16" if self.data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8"
        text = self.data.removeprefix(BOM_UTF8).decode(encoding, errors="replace").lstrip("\ufeff")
        if (len(self.data) < len(self.source.content) or not self.is_whole) and "\n" in text:
            text = text[: text.rindex("\n")]
        return text

    @cached_property
    def lines(self) -> list[str]:
        """The first lines that are not blank."""
        return [line for line in self.text.splitlines() if line.strip()][:LINES]

    @property
    def numbered_lines(self) -> Iterator[tuple[int, str]]:
        """All lines of the beginning, with their numbers in the file."""
        return enumerate(self.untrimmed.split("\n"), 1)

    @cached_property
    def transcript_lines(self) -> list[str]:
        """The same without comments of NIST's formats."""
        return [line for line in self.lines if not line.lstrip().startswith(";;")]

    @cached_property
    def json(self) -> Json | None:
        """What the file is as JSON; None where it does not begin so."""
        begin = self.source.content[:256].removeprefix(BOM_UTF8).lstrip()
        if not begin.startswith((b"{", b"[")) or not BEGINS.match(self.text):
            return None
        return Json.of(self)


@dataclass
class Json:
    """JSON, as far as it is there.

    Attributes:
        is_list: whether the file is one list; then the others are of its elements.
        first: the first value; of an object that is damaged or goes on, the members that are there.
        is_cut: whether the first value is not there to its end, or is no JSON.
        begun: the member at which it ends then: its key, and the beginning of its value.
        has_more: whether another value follows.
        is_known: whether more bytes could change all that.
    """

    is_list: bool = False
    first: Any = None
    is_cut: bool = False
    begun: tuple[str, str] = ("", "")
    has_more: bool = False
    is_known: bool = True

    @classmethod
    def of(cls, head: Head) -> Json:
        """That of a file which begins so."""
        source = head.source
        size = min(LONGEST, len(source.content))
        found = cls._of_text(
            source.content[:size].decode("utf-8-sig", errors="replace"), size == len(source.content)
        )
        if not found.is_known and size < len(source.content):
            found = cls._of_text(source.data.decode("utf-8-sig", errors="replace"), True)
        if not head.is_whole and (found.is_cut or not found.has_more):
            found.is_known = False
        return found

    @classmethod
    def _of_text(cls, text: str, is_all: bool) -> Json:
        found = cls()
        at = _space(text, 0)
        if text[at] == "[":
            found.is_list, at = True, _space(text, at + 1)
            if text[at : at + 1] == "]":
                found.first = []
                return found
        try:
            found.first, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            found.is_cut, found.is_known = True, is_all
            if text[at : at + 1] == "{":
                found._read_members(text, at)
            return found
        rest = text[_space(text, end) :][:2]
        found.has_more = rest[:1] == "," if found.is_list else rest[:1] in ("{", "[", ",")
        found.is_known = is_all or bool(rest)
        return found

    def _read_members(self, text: str, at: int) -> None:
        """The members of an object that cannot be read to its end."""
        members: dict[str, Any] = {}
        at = _space(text, at + 1)
        key = ""
        try:
            while text[at] == '"':
                key, at = json.decoder.scanstring(text, at + 1, True)  # type: ignore[attr-defined]
                at = _space(text, at)
                if text[at] != ":":
                    break
                at = _space(text, at + 1)
                value, end = _DECODER.raw_decode(text, at)
                members[key], key = value, ""
                at = _space(text, end)
                if text[at] != ",":
                    break
                at = _space(text, at + 1)
        except (ValueError, RecursionError, IndexError):
            pass
        self.first, self.begun = members, (key, text[at : at + 256])


def values_in(source: Source) -> Iterator[Any]:
    """The values of JSON in a file, one after the other, or the elements of its one list; up to what is damaged."""
    size = min(LONGEST, len(source.content))
    text, is_all = source.content[:size].decode("utf-8-sig", errors="replace"), size == len(source.content)
    at = _space(text, 0)
    at = _space(text, at + 1) if text[at : at + 1] == "[" else at
    while text[at : at + 1] in ("{", "[", '"'):
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            if is_all:
                return
            text, is_all = source.data.decode("utf-8-sig", errors="replace"), True
            continue
        yield value
        at = _space(text, end)
        at = _space(text, at + 1) if text[at : at + 1] == "," else at
        if at == len(text) and not is_all:
            text, is_all = source.data.decode("utf-8-sig", errors="replace"), True
            at = _space(text, at)


def _space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def whole_number(digits: str) -> int | float:
    """An integer of JSON; one of more digits than Python takes is a float."""
    return int(digits) if len(digits) <= MAX_DIGITS else float(digits)


_DECODER = json.JSONDecoder(parse_int=whole_number)
