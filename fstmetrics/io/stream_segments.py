"""Where the segments of recordings lie: `read_segments`, of the YAML files of MuST-C, IWSLT and OmniSTEval.

A list of mappings, one a segment, with `wav`, `offset` and `duration` (seconds), in the order of the references:

    - {duration: 9.05, offset: 2.433, wav: talk.wav}

or a key a line, or a list of JSON objects. Further keys are left alone. Of YAML this much is read, and no more: what is
something else is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fstmetrics.io.arcs import NUMBER, shown
from fstmetrics.io.file_names import recording_name
from fstmetrics.support.errors import InputError
from fstmetrics.support.json_text import parsed_json
from fstmetrics.support.names import listed
from fstmetrics.support.source import Source

# A key and what stands behind it, and the forms of a value: quoted in two ways, or plain.
KEY = r"[A-Za-z_][\w.-]*"
VALUE = r"""'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[^\s'"\[\]{},&*!|>%@`#][^\[\]{},#]*?"""
PAIR = re.compile(rf"\s*({KEY})\s*:(?:\s+({VALUE}))?\s*(?:,|$)")
LINE = re.compile(rf"\s*({KEY})\s*:\s+({VALUE})\s*(?:\s#.*)?$")
FORM = "`- {duration: 9.05, offset: 2.433, wav: talk.wav}`"


@dataclass(frozen=True)
class StreamSegment:
    """A segment of a recording.

    Attributes:
        recording: what the recording is called, as of `recording_name`.
        offset, duration: where it begins and how long it is, in milliseconds.
        line: where it stands in its file.
    """

    recording: str
    offset: float
    duration: float
    line: int


def read_segments(path: str) -> list[StreamSegment]:
    """The segments of a file, in order.

    Raises:
        InputError: no such file, or something else in it; a segment without a key, with a negative or endless number,
            or before the one above it of the same recording; two recordings of one name.
    """
    source = Source.open(path)
    whole = source.text.lstrip("\ufeff")
    rows = list(_of_json(source, whole) if whole.lstrip().startswith("[") else _of_yaml(source))
    if not rows:
        raise source.error(f"there is no segment in it; expected a line each, {FORM}")
    found: list[StreamSegment] = []
    files: dict[str, str] = {}
    last: dict[str, float] = {}
    for line, values in rows:
        segment = _segment(source, line, values)
        file = files.setdefault(segment.recording, str(values["wav"]))
        if file != values["wav"]:
            raise source.error(
                f"two recordings are called {segment.recording!r}: {file} and {values['wav']}", line
            )
        if segment.offset < last.get(segment.recording, 0):
            raise source.error(
                f"the segment begins before the one above it of {shown(file)}; expected segments in order of time",
                line,
            )
        last[segment.recording] = segment.offset
        found.append(segment)
    return found


def _segment(source: Source, line: int, values: dict[str, Any]) -> StreamSegment:
    if lacking := [key for key in ("wav", "offset", "duration") if key not in values]:
        raise source.error(
            f"the segment has no {lacking[0]!r}; there are {listed(list(values), 8) or 'no keys'}; expected {FORM}",
            line,
        )
    wav = values["wav"]
    if not (isinstance(wav, str) and recording_name(wav)):
        raise source.error(f"wav is {shown(str(wav))}, not the name of a recording", line)
    offset, duration = (_seconds(source, line, key, values[key]) for key in ("offset", "duration"))
    if duration == 0:
        raise source.error("duration is 0; expected seconds above 0", line)
    return StreamSegment(recording_name(wav), offset * 1000, duration * 1000, line)


def _seconds(source: Source, line: int, key: str, value: Any) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number and not (isinstance(value, str) and NUMBER.fullmatch(value)):
        raise source.error(f"{key} is {shown(str(value))}, no number of seconds", line)
    found = float(value)
    if not 0 <= found < 1e9:
        raise source.error(f"{key} is {value}; expected seconds from 0 on", line)
    return found


def _of_json(source: Source, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        rows = parsed_json(text)
    except json.JSONDecodeError as error:
        raise source.error(f"no JSON: {error.msg}", error.lineno) from None
    except ValueError as error:
        raise source.error(f"no JSON: {error}") from None
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise source.error(f"entry {number} of the list is no object; expected wav, offset and duration")
        yield number, row


def _of_yaml(source: Source) -> Iterator[tuple[int, dict[str, str]]]:
    for line, texts in _entries(source):
        first = texts[0][1:].strip()
        yield line, (_flow if first.startswith("{") else _block)(source, line, texts)


def _entries(source: Source) -> Iterator[tuple[int, list[str]]]:
    """The lines of each entry of the list, and the number of the first."""
    entry: list[str] = []
    begun = 0
    for number, text in source.lines():
        text = text.removeprefix("\ufeff") if number == 1 else text
        if not text.strip() or text.lstrip().startswith("#") or (text.rstrip() == "---" and not begun):
            continue
        if re.match(r"-\s", text):
            if entry:
                yield begun, entry
            entry, begun = [text], number
        elif entry and text[0] == " ":
            entry.append(text)
        else:
            raise source.error(f"{shown(text)} is no segment; expected {FORM}", number)
    if entry:
        yield begun, entry


def _flow(source: Source, line: int, texts: list[str]) -> dict[str, str]:
    """The pairs of `- {key: value, ...}`, which may go on in further lines."""
    text = " ".join([texts[0][1:].strip(), *map(str.strip, texts[1:])])
    if not text.endswith("}"):
        raise source.error(f"the segment has no }} at its end; expected {FORM}", line)
    inner, place = text[1:-1].rstrip(), 0
    found: dict[str, str] = {}
    while place < len(inner):
        match = PAIR.match(inner, place)
        if match is None:
            raise source.error(f"{shown(inner[place:].strip())} is no `key: value`; expected {FORM}", line)
        _put(source, line, found, match)
        place = match.end()
    return found


def _block(source: Source, line: int, texts: list[str]) -> dict[str, str]:
    """The pairs of an entry with a key a line, one below the other."""
    lines = [" " + texts[0][1:], *texts[1:]]
    found: dict[str, str] = {}
    for number, text in enumerate(lines):
        match = LINE.match(text)
        if match is None or len(text) - len(text.lstrip()) != len(lines[0]) - len(lines[0].lstrip()):
            raise source.error(f"{shown(text.strip())} is no `key: value`; expected {FORM}", line + number)
        _put(source, line + number, found, match)
    return found


def _put(source: Source, line: int, found: dict[str, str], match: re.Match[str]) -> None:
    key, value = match[1], match[2] or ""
    if key in found:
        raise source.error(f"the key {key!r} stands twice in a segment", line)
    if value.startswith("'"):
        value = value[1:-1].replace("''", "'")
    elif value.startswith('"'):
        try:
            value = str(json.loads(value))
        except ValueError:
            raise InputError(
                f"{shown(value)} has escapes that are not read here", source.path, line
            ) from None
    found[key] = value
