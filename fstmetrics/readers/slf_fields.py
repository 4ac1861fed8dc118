"""`NAME=value` lines of HTK's standard lattice format (SLF), with its quotes and escapes."""

from __future__ import annotations

import re

from fstmetrics.readers.arcs import shown

# A name, "=", and a value: in double or single quotes where it begins with one and the quote ends it.
FIELD = re.compile(
    r"""\s*([A-Za-z]\w*)=(?:"((?:[^"\\]|\\.)*)"(?=\s|$)|'((?:[^'\\]|\\.)*)'(?=\s|$)|((?:[^\s\\]|\\.)*))"""
)
# A character after a backslash stands for itself, three octal digits for a byte.
ESCAPE = re.compile(r"\\([0-7]{3}|.)")


def fields_of(line: str) -> dict[str, str]:
    """The fields of a line; none for blank lines and comments.

    Raises:
        ValueError: something that is not `NAME=value`, with a message.
    """
    if '="' in line or "='" in line or "\\" in line:
        return _quoted_fields(line)
    try:
        # No quotes: several times faster, and nearly all lines of large files are like this.
        fields = dict([field.split("=", 1) for field in line.split()])
    except ValueError:
        fields = {"#": ""}
    return _quoted_fields(line) if "#" in fields or "" in fields else fields


def _quoted_fields(line: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    at, end = 0, len(line.rstrip())
    if line.lstrip().startswith("#"):
        return fields
    while at < end:
        match = FIELD.match(line, at)
        # A value runs to white space, so what follows a match without any is a stray backslash.
        if match is None or (match.end() < end and not line[match.end()].isspace()):
            raise ValueError(f"expected NAME=value, not {shown(line[at:].strip())}")
        name, *values = match.groups()
        fields[name] = _unescaped(next((value for value in values if value is not None), ""))
        at = match.end()
    return fields


def _unescaped(value: str) -> str:
    if "\\" not in value:
        return value
    # Octal escapes are bytes, so a word of several of them is put together before it is decoded.
    parts = ESCAPE.split(value)
    raw = b"".join(
        bytes([int(part, 8) & 255]) if odd and len(part) == 3 else part.encode("utf-8", "replace")
        for part, odd in zip(parts, [False, True] * len(parts), strict=False)
    )
    return raw.decode("utf-8", "replace")
