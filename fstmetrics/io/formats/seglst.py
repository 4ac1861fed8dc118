"""SegLST, MeetEval's JSON: segments {"session_id", "speaker", "words", "start_time", "end_time"}, a list or one a line.

Where no session comes twice, a segment's id is its session's. Otherwise it is session, speaker, begin and end, as
written and as far as they are there; the same segment twice is an error, and so are two of the same times but where
sessions are read, which have them in the order of the file. Words are not joined over segments: how
speakers and overlaps are to be put together is a decision that belongs to a meeting scorer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from fstmetrics.data.fields import Field, Fields
from fstmetrics.data.segments import MICROSECONDS, seconds
from fstmetrics.io.arcs import shown
from fstmetrics.io.formats.json_rows import json_fault
from fstmetrics.io.items import SPOKEN_TIMES, Format, Item, ReadOptions
from fstmetrics.io.writing import OF_TURNS, Carries, WriteOptions, Writer
from fstmetrics.io.written_words import checked_line
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.source import Source

LEFT_OUT = dict(zip(("speaker", "start_time"), OF_TURNS, strict=True))
TIMES = {"start_time": "start", "end_time": "end"}
PARTS = ("session_id", "speaker", "start_time", "end_time")


class Written(str):
    """A number as it is written: ids have it so."""

    __slots__ = ()


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the segments, in the order of the file.

    Raises:
        InputError: not JSON (with the line), not a list of segments, a segment twice, or a speaker of a session who
            is a number in one segment and a text in another.
    """
    source.refuse_empty()
    if source.text.lstrip().startswith("{"):
        segments = [_decoded(source, line, number) for number, line in source.lines() if line.strip()]
    else:
        segments = _decoded(source, source.text)
    if not isinstance(segments, list) or not segments:
        raise source.error('expected a list of segments, `[{"session_id": ..., "words": ...}, ...]`')
    for number, segment in enumerate(segments):
        _check(source, number, segment, options.in_sessions == (SPOKEN_TIMES,))
    sessions = [segment["session_id"] for segment in segments]
    alone = len(set(sessions)) == len(sessions)
    _check_speakers(source, segments)
    seen: dict[str, list[int]] = {}
    for number, segment in enumerate(segments):
        id = segment["session_id"] if alone else "_".join(segment[part] for part in PARTS if part in segment)
        same = seen.setdefault(id, [])
        if same and (not options.in_sessions or any(segments[other] == segment for other in same)):
            raise source.error(f"segment {number} has the id {shown(id)}, and so has segment {same[0]}")
        same.append(number)
        id = f"{id}_{number}" if len(same) > 1 else id
        left_out = tuple(what for part, what in LEFT_OUT.items() if part in segment)
        words = segment.get("words", "")
        yield Item(id, tuple(words.split()), words, left_out=left_out, fields=_fields(segment))


def _decoded(source: Source, text: str, line: int | None = None) -> Any:
    """The JSON of a file, or of one of its lines."""
    try:
        return json.loads(text, parse_float=Written, parse_int=Written)
    except (ValueError, RecursionError) as error:
        raise json_fault(source, error, line, "no list of segments: ") from None


def _fields(segment: dict[str, Any]) -> Fields:
    """Those of a segment; times in seconds, or as written where they are no numbers; lists and objects are left out."""
    found: dict[str, Field] = {"session": segment["session_id"]}
    if "speaker" in segment:
        found["speaker"] = segment["speaker"]
    for part, name in TIMES.items():
        if part in segment:
            time = seconds(segment[part])
            found[name] = segment[part] if time is None else time
    start, end = found.get("start"), found.get("end")
    if isinstance(start, float) and isinstance(end, float):
        found["duration"] = round(end - start, MICROSECONDS)
    for name, value in segment.items():
        if name not in (*PARTS, "words") and (value is None or isinstance(value, str | bool)):
            found.setdefault(name, _number(value) if isinstance(value, Written) else value)
    return found


def _number(written: str) -> float:
    """An integer where it is written as one."""
    return int(written) if written.lstrip("-").isdecimal() else float(written)


def _check(source: Source, number: int, segment: Any, may_lack_words: bool) -> None:
    if not isinstance(segment, dict):
        raise source.error(f"segment {number} is no object, but {shown(json.dumps(segment))}")
    for name in ("session_id", "words"):
        if not isinstance(segment.get(name, "" if may_lack_words and name == "words" else None), str):
            raise source.error(f'segment {number} has no text "{name}"')
    for name in PARTS:
        if not isinstance(segment.get(name, ""), str):
            raise source.error(f'segment {number}: "{name}" is neither text nor a number')


def _check_speakers(source: Source, segments: list[dict[str, Any]]) -> None:
    first: dict[tuple[str, str], int] = {}
    for number, segment in enumerate(segments):
        if "speaker" in segment:
            who = segment["speaker"]
            other = first.setdefault((segment["session_id"], who), number)
            if isinstance(segments[other]["speaker"], Written) != isinstance(who, Written):
                raise source.error(
                    f"the speaker {shown(who)} is a number in one of segments {other} and {number} and a text in the "
                    "other; write both alike, or give one of them another name"
                )


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """A segment a line, with the speaker and the times that its fields say; without a session the id is one.

    Raises:
        FstmetricsError: a word with white space in it, or times without a session; as of `Turns`.
    """
    before = "["
    for item in items:
        turn = options.turns.turn_of(item)
        if turn.session is None:
            raise FstmetricsError("SegLST has a session of each segment with times, and here is none")
        parts = (turn.session, turn.speaker, turn.begin, turn.end)
        segment = {name: part for name, part in zip(PARTS, parts, strict=True) if part is not None}
        segment |= {"channel": turn.channel} if turn.channel else {}
        segment["words"] = checked_line(item.value, item.text)
        text = options.turns.written(item, json.dumps(segment, ensure_ascii=False))
        yield f"{before}\n{text}".encode(errors="backslashreplace")
        before = ","
    yield b"\n]\n"


WRITER = Writer("seglst", (".seglst.json",), Carries("text", several=True, ids=True, turns=True), write)
FORMAT = Format("seglst", "SegLST, JSON segments of MeetEval", read, writers=(WRITER,), ids_from_times=True)
