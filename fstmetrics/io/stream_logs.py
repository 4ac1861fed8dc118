"""What systems write of a stream, and where its segments lie: `read_log`, `read_segments`, `read_partials` and
`read_ends`.

Logs of systems that translate a stream are JSON Lines of three kinds:

- SimulEval's `instances.log`: `prediction`, `delays`, `elapsed`, `source`, `source_length`, `reference`; milliseconds,
  or words of a source that is text.
- SimulStream's log: `id` and `metadata` with `wav_name`, then a line a step with `total_audio_processed` and
  `computation_time` (seconds), `generated_tokens` and `deleted_tokens`.
- OmniSTEval's `instances.resegmented.jsonl`: a segment a line, with `emission_cu`, `emission_ca`, `source_length` and
  `time_to_recording_end` in milliseconds from its beginning.

Segments of recordings are in the YAML files of MuST-C, IWSLT and OmniSTEval: a list of mappings, one a segment, with
`wav`, `offset` and `duration` (seconds), in the order of the references:

    - {duration: 9.05, offset: 2.433, wav: talk.wav}

or a key a line, or a list of JSON objects. Further keys are left alone. Of YAML this much is read, and no more: what is
something else is refused.

Partial results of recognisers are JSON Lines with `id`, `time` (seconds), `text` and `final`.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, Literal

from fstmetrics.data.segments import TimedWord, TimedWords
from fstmetrics.data.symbols import SENTENCE_MARKERS
from fstmetrics.io.arcs import NUMBER, shown
from fstmetrics.io.ids import recording_name
from fstmetrics.io.reading import read_items
from fstmetrics.streams.latency import fault_of_times
from fstmetrics.streams.partials import EndOfWord, Partial
from fstmetrics.support.errors import InputError
from fstmetrics.support.json_text import json_parser, parsed_json
from fstmetrics.support.names import listed
from fstmetrics.support.printable import counted
from fstmetrics.support.source import Source

# Numbers beyond it are a slip: 30,000 years in milliseconds.
MOST = 1e15


@dataclass(frozen=True)
class JsonRow:
    """A line of JSON.

    Attributes:
        source: the file.
        line: its number.
        values: the fields.
    """

    source: Source
    line: int
    values: Mapping[str, Any]

    def error(self, message: str) -> InputError:
        """An error at this line."""
        return self.source.error(message, self.line)

    def text(self, name: str) -> str:
        """A field that is text.

        Raises:
            InputError: it is missing, or something else.
        """
        value = self._value(name)
        if not isinstance(value, str):
            raise self.error(f"{name} is {shown(str(value))}; expected text")
        return value

    def number(self, name: str) -> float:
        """A field that is a finite number; errors as of `text`."""
        value = self._value(name)
        if not _is_number(value):
            raise self.error(f"{name} is {shown(str(value))}; expected a number")
        return float(value)

    def numbers(self, name: str) -> tuple[float, ...]:
        """A field that is a list of finite numbers; errors as of `text`."""
        value = self._value(name)
        if not isinstance(value, list):
            raise self.error(f"{name} is {shown(str(value))}; expected a list of numbers")
        if (
            fault := next((place for place, each in enumerate(value) if not _is_number(each)), None)
        ) is not None:
            raise self.error(f"{name} has {shown(str(value[fault]))} at place {fault + 1}; expected a number")
        return tuple(map(float, value))

    def texts(self, name: str) -> list[str]:
        """A field that is a list of texts; errors as of `text`."""
        value = self._value(name)
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.error(f"{name} is {shown(str(value))}; expected a list of tokens")
        return value

    def has(self, name: str) -> bool:
        """Whether the field is there, and neither null nor an empty list."""
        return self.values.get(name) not in (None, [])

    def _value(self, name: str) -> Any:
        if name not in self.values:
            raise self.error(f"there is no {name!r}; there are {listed(list(self.values), 8) or 'no fields'}")
        return self.values[name]


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < MOST and math.isfinite(value)


def json_rows(source: Source) -> Iterator[JsonRow]:
    """The objects of JSON Lines; blank lines are left out.

    Raises:
        InputError: a line that is no object, or has a field twice.
    """
    parsed: Callable[[str], Any] = json_parser(object_pairs_hook=_without_twins)
    for number, line in source.lines():
        text = line.removeprefix("\ufeff") if number == 1 else line
        if not text.strip():
            continue
        try:
            values = parsed(text)
        except json.JSONDecodeError as error:
            raise source.error(
                f"no JSON: {error.msg} at column {error.colno}; expected an object a line", number
            ) from None
        except ValueError as error:
            raise source.error(f"no JSON: {error}", number) from None
        if not isinstance(values, dict):
            raise source.error(f"{shown(text.strip())} is no JSON object; expected one a line", number)
        yield JsonRow(source, number, values)


def _without_twins(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the field {name!r} stands twice")
        found[name] = value
    return found


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


Kind = Literal["SimulEval", "SimulStream", "segments"]
# What a word is: what white space separates, or a character.
Unit = Literal["word", "char"]
EXPECTED = "expected SimulEval's instances.log, SimulStream's log or OmniSTEval's re-segmented instances"
# Fields that tell which log it is; the first that a line has.
SIGNS: tuple[tuple[str, Kind], ...] = (
    ("emission_cu", "segments"),
    ("emission_ca", "segments"),
    ("delays", "SimulEval"),
    ("generated_tokens", "SimulStream"),
    ("metadata", "SimulStream"),
    ("model_loading_time", "SimulStream"),
)
# What begins a word in pieces of words, and signs of other pieces, which are not put together here.
BEGINNING = "\u2581"
OTHER_PIECES = ("\u0120", "@@", "##")


@dataclass(frozen=True)
class Output:
    """What a system wrote of a recording or of a segment of one, and when.

    Attributes:
        line: where it stands in its file.
        recording: what the recording is called, as of `recording_name`; of a segment, the number of its document.
        words: in order; characters without white space where these are counted.
        delays: how much of the source had been heard when each word came; one a word.
        elapsed: the same with the time of computing; None where the log has none.
        source_length: of the source; None where the log does not say.
        reference: what should have been written; None where the log does not say.
        recording_end: of a segment, the end of its recording, from its own beginning on.
    """

    line: int
    recording: str
    words: tuple[str, ...]
    delays: tuple[float, ...]
    elapsed: tuple[float, ...] | None
    source_length: float | None = None
    reference: str | None = None
    recording_end: float | None = None


@dataclass(frozen=True)
class StreamLog:
    """All of a log.

    Attributes:
        path: the file.
        kind: whose log it is.
        outputs: a recording or segment each, in order.
        markers: sentence markers that were among words, which are left out with their delays.
    """

    path: str
    kind: Kind
    outputs: tuple[Output, ...]
    markers: tuple[str, ...] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is said of what was left out."""
        left_out = f"{self.path}: sentence markers ({' '.join(self.markers)}) are left out, with their delays"
        return (left_out,) if self.markers else ()


def read_log(path: str, unit: Unit = "word") -> StreamLog:
    """The log of a system.

    Args:
        path: the file.
        unit: whose delays the log has.

    Raises:
        InputError: no such file, or another one; a line without a field; more or fewer delays than words, delays that
            go back, negative or endless numbers, an instance or recording that comes twice, or instances whose `index`
            does not count them.
    """
    found = _read_log(path, unit)
    markers = sorted(SENTENCE_MARKERS.intersection(word for each in found.outputs for word in each.words))
    if not markers:
        return found
    return replace(found, outputs=tuple(map(_without_markers, found.outputs)), markers=tuple(markers))


def _without_markers(output: Output) -> Output:
    kept = [word not in SENTENCE_MARKERS for word in output.words]
    words, delays = tuple(compress(output.words, kept)), tuple(compress(output.delays, kept))
    elapsed = None if output.elapsed is None else tuple(compress(output.elapsed, kept))
    return replace(output, words=words, delays=delays, elapsed=elapsed)


def _read_log(path: str, unit: Unit) -> StreamLog:
    source = Source.open(path)
    rows = list(json_rows(source))
    if not rows:
        raise source.error(f"there is nothing in it; {EXPECTED}")
    kinds = dict.fromkeys(kind for row in rows for sign, kind in SIGNS if sign in row.values)
    if not kinds:
        raise rows[0].error(f"the fields are {listed(list(rows[0].values), 8) or 'none'}; {EXPECTED}")
    if len(kinds) > 1:
        raise source.error(f"there are lines of {listed(list(kinds))} in it; expected those of one log")
    kind = next(iter(kinds))
    if kind == "SimulStream":
        return StreamLog(path, kind, tuple(_of_simulstream(rows, unit)))
    read = _of_omnisteval if kind == "segments" else _of_simuleval
    outputs = _in_order(rows, [read(row, unit) for row in rows])
    have = [output.elapsed is not None for output in outputs if output.words]
    if any(have) and not all(have):
        bare = next(output.line for output in outputs if output.words and output.elapsed is None)
        raise source.error(
            "this line has no times of computing, and others have; expected all, or none", bare
        )
    # What SimulEval writes of a source that is text.
    if all(not any(output.elapsed or ()) for output in outputs):
        outputs = tuple(replace(output, elapsed=None) for output in outputs)
    if kind == "SimulEval":
        _refuse_early(source, outputs)
    return StreamLog(path, kind, outputs)


def log_kind(source: Source) -> Kind | None:
    """Whose log a file seems to be, by its first line: SimulEval's or SimulStream's; None where it is no such log."""
    first = next((line for _, line in source.lines() if line.strip()), "")
    try:
        values = json.loads(first)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, dict):
        return None
    kind = next((kind for sign, kind in SIGNS if sign in values), None)
    needed = {"SimulEval": "prediction", "SimulStream": "id"}
    return kind if kind in needed and needed[kind] in values else None


def _refuse_early(source: Source, outputs: Sequence[Output]) -> None:
    """Refuse words that are there before their source has been heard."""
    for output in outputs:
        for place, (elapsed, delay) in enumerate(zip(output.elapsed or (), output.delays, strict=False), 1):
            if elapsed < delay:
                raise source.error(
                    f"elapsed of word {place} is {elapsed:g}, and its delay {delay:g}; expected elapsed to be the "
                    "delay and the time of computing",
                    output.line,
                )


def _in_order(rows: Sequence[JsonRow], outputs: Sequence[Output]) -> tuple[Output, ...]:
    """What lines say, in the order of their `index` if they have one, which then counts all of them from 0 on."""
    if not any("index" in row.values for row in rows):
        return tuple(outputs)
    found: dict[int, Output] = {}
    for row, output in zip(rows, outputs, strict=True):
        index = row.values.get("index")
        if not isinstance(index, int) or isinstance(index, bool):
            raise row.error(
                f"index is {shown(json.dumps(index))}; expected a whole number in each line, or in none"
            )
        if index in found:
            raise row.error(f"index {index} is also in line {found[index].line}; expected each once")
        found[index] = output
    if (lacking := next((index for index in range(len(rows)) if index not in found), None)) is not None:
        raise rows[0].error(
            f"no line has index {lacking}; expected 0 to {len(rows) - 1} in any order; if the lines are all there are, "
            "and in their order: jq -c 'del(.index)' FILE"
        )
    return tuple(found[index] for index in range(len(rows)))


def words_of(text: str, unit: Unit) -> tuple[str, ...]:
    """What has a delay each: words, or characters without white space."""
    return tuple(text.split() if unit == "word" else "".join(text.split()))


def words_counted(text: str, unit: Unit) -> int:
    """How many words or characters a reference has, as OmniSTEval counts: a no-break space is part of a word.

    >>> words_counted("wie z.\u00a0B. hier", "word"), words_counted("wie z.\u00a0B. hier", "char")
    (3, 12)
    """
    words = [word for word in re.findall("[^ \t]+", text) if word not in SENTENCE_MARKERS]
    return len(words) if unit == "word" else sum(map(len, words))


def _of_simuleval(row: JsonRow, unit: Unit) -> Output:
    words = words_of(row.text("prediction"), unit)
    delays = row.numbers("delays") if words or row.has("delays") else ()
    elapsed = row.numbers("elapsed") if row.has("elapsed") else None
    _check_times(row, words, "delays", delays, unit)
    if elapsed is not None:
        _check_times(row, words, "elapsed", elapsed, unit)
    given = row.values.get("source")
    name = given[0] if isinstance(given, list) and given else given
    length = row.number("source_length") if row.has("source_length") else None
    if length is not None and length <= 0:
        raise row.error(f"source_length is {length:g}; expected a length above 0")
    reference = row.text("reference") if row.has("reference") else None
    return Output(
        row.line,
        recording_name(name) if isinstance(name, str) else "",
        words,
        delays,
        elapsed,
        length,
        reference,
    )


def _of_omnisteval(row: JsonRow, unit: Unit) -> Output:
    words = words_of(row.text("prediction"), unit)
    times: list[tuple[float, ...] | None] = []
    for name in ("emission_cu", "emission_ca"):
        found = row.numbers(name) if row.has(name) else None
        if found is not None:
            _check_times(row, words, name, found, unit, -math.inf)
        times.append(found)
    delays, elapsed = times
    if words and delays is None:
        raise row.error("there is no 'emission_cu', and the prediction has words; expected a time for each")
    length = row.number("source_length")
    if length <= 0:
        raise row.error(f"source_length is {length:g}; expected a length above 0")
    end = row.number("time_to_recording_end") if words else None
    document = str(row.values.get("docid", 0))
    return Output(row.line, document, words, delays or (), elapsed, length, row.text("reference"), end)


def _check_times(
    row: JsonRow, words: Sequence[str], name: str, times: Sequence[float], unit: Unit, least: float = 0
) -> None:
    """Refuse another number of times than of words, and times that are negative or go back."""
    if len(times) != len(words):
        given = counted(len(words), "word" if unit == "word" else "character")
        text = row.text("prediction")
        other: Unit = "char" if unit == "word" else "word"
        advice = f"; --unit {other} has as many" if len(words_of(text, other)) == len(times) else ""
        raise row.error(f"prediction has {given}, and {name} {counted(len(times), 'number')}{advice}")
    if fault := fault_of_times(name, times, least):
        raise row.error(fault)


def _of_simulstream(rows: Sequence[JsonRow], unit: Unit) -> Iterator[Output]:
    """What is left of the tokens of each recording; a word came when its last token did, or lost one behind it."""
    names: dict[str, str] = {}
    first: dict[str, JsonRow] = {}
    steps: dict[str, list[JsonRow]] = {}
    for row in rows:
        if "id" not in row.values:
            if "model_loading_time" not in row.values:
                raise row.error("there is no 'id'; expected one in each line of SimulStream's log")
            continue
        id = json.dumps(row.values["id"])
        if "metadata" in row.values:
            name = _wav_name(row)
            if id in names or name in names.values():
                raise row.error(f"the recording {name!r}, or its id {id}, comes twice; expected each once")
            names[id], first[id] = name, row
        elif id not in names:
            raise row.error(f"no line above says which recording {id} is; expected metadata with wav_name")
        else:
            steps.setdefault(id, []).append(row)
    have_pieces = _have_pieces([row for each in steps.values() for row in each], unit)
    for id, name in names.items():
        yield _stream(first[id], name, steps.get(id, []), unit, have_pieces)


def _wav_name(row: JsonRow) -> str:
    metadata = row.values["metadata"]
    name = metadata.get("wav_name") if isinstance(metadata, dict) else None
    if not isinstance(name, str) or not recording_name(name):
        raise row.error("metadata has no wav_name; expected the name of the recording")
    return recording_name(name)


def _have_pieces(rows: Sequence[JsonRow], unit: Unit) -> bool:
    """Whether tokens are pieces of words, of which some begin with a mark; otherwise they are words."""
    have = False
    for row in rows:
        for token in row.texts("generated_tokens"):
            have = have or BEGINNING in token
            sign = next(
                (sign for sign in OTHER_PIECES if token.startswith(sign) or token.endswith(sign)), None
            )
            if sign:
                raise row.error(
                    f"the token {shown(token)} has {sign!r}; pieces of words are put together only where {BEGINNING} "
                    "begins a word: write words, or such pieces"
                )
            if unit == "word" and any(map(str.isspace, token)):
                raise row.error(
                    f"the token {shown(token)} has white space in it; expected words, or pieces of words of which "
                    f"{BEGINNING} begins a word"
                )
    return have


def _stream(head: JsonRow, name: str, rows: Sequence[JsonRow], unit: Unit, have_pieces: bool) -> Output:
    tokens: list[str] = []
    times: list[tuple[float, float]] = []
    heard = 0.0
    for row in rows:
        now, computing = row.number("total_audio_processed"), row.number("computation_time")
        if now < heard or computing < 0:
            raise row.error(
                f"total_audio_processed is {now:g} after {heard:g}, and computation_time {computing:g}; expected "
                "seconds that do not go back, from 0 on"
            )
        heard, time = now, (now * 1000, (now + computing) * 1000)
        if deleted := row.texts("deleted_tokens"):
            if tokens[len(tokens) - len(deleted) :] != deleted or len(deleted) > len(tokens):
                raise row.error("deleted_tokens are not the last ones of those that were generated")
            del tokens[-len(deleted) :], times[-len(deleted) :]
            is_within_word = unit == "word" and have_pieces and not deleted[0].startswith(BEGINNING)
            if tokens and is_within_word:
                times[-1] = time
        generated = row.texts("generated_tokens")
        tokens += generated
        times += [time] * len(generated)
    words, came = _words(tokens, times, unit, have_pieces)
    delays, elapsed = (tuple(each[side] for each in came) for side in (0, 1))
    return Output(head.line, name, words, delays, elapsed, heard * 1000)


def _words(
    tokens: Sequence[str], times: Sequence[tuple[float, float]], unit: Unit, have_pieces: bool
) -> tuple[tuple[str, ...], list[tuple[float, float]]]:
    """Words, and the time of the last token of each."""
    signs = [
        (sign, time)
        for token, time in zip(tokens, times, strict=True)
        for sign in (
            token.replace(BEGINNING, " ") if have_pieces else token if unit == "char" else f" {token}"
        )
    ]
    words: list[str] = []
    came: list[tuple[float, float]] = []
    is_open = False
    for sign, time in signs:
        if sign.isspace():
            is_open = False
        elif is_open and unit == "word":
            words[-1] += sign
            came[-1] = time
        else:
            words.append(sign)
            came.append(time)
            is_open = True
    return tuple(words), came


EXPECTED_RESULTS = 'expected lines {"id": "u1", "time": 0.8, "text": "the cat", "final": false}'


def read_partials(path: str) -> dict[str, list[Partial]]:
    """The results of each utterance, in order of time; the last one is final.

    Lines of several utterances may stand among each other. `final` may be left out where it is false.

    Raises:
        InputError: no such file, or another one; a line without a field; times that go back; a result after the final
            one, or an utterance without a final one.
    """
    source = Source.open(path)
    found: dict[str, list[Partial]] = {}
    finals: dict[str, int] = {}
    last: dict[str, int] = {}
    for row in json_rows(source):
        id, time, text = _id(row), row.number("time"), row.text("text")
        if id in finals:
            raise row.error(f"the final result of {id!r} is in line {finals[id]}; expected none after it")
        results = found.setdefault(id, [])
        if time < (results[-1].time if results else 0):
            raise row.error(
                f"time is {time:g}; expected seconds from {results[-1].time if results else 0:g} on"
            )
        results.append(Partial(time, text))
        last[id] = row.line
        final = row.values.get("final", False)
        if not isinstance(final, bool):
            raise row.error(f"final is {final!r}; expected true or false")
        if final:
            finals[id] = row.line
    if not found:
        raise source.error(f"there is nothing in it; {EXPECTED_RESULTS}")
    if lacking := [id for id in found if id not in finals]:
        raise source.error(
            f'this is the last result of {lacking[0]!r}, and has no "final": true', last[lacking[0]]
        )
    return found


def _id(row: JsonRow) -> str:
    id = row.values.get("id")
    if isinstance(id, bool) or not isinstance(id, str | int) or id == "":
        raise row.error(f"there is no id; {EXPECTED_RESULTS}")
    return str(id)


def read_ends(path: str, utterances: Collection[str]) -> dict[str, list[EndOfWord]]:
    """The words of the references and when they end, from ctm.

    Args:
        path: the file.
        utterances: those of the partial results.

    Raises:
        InputError: no such file, or no ctm; a choice, of which nobody knows what was said; an utterance with several
            channels, of which the partial results name none.
    """
    found: dict[str, list[EndOfWord]] = {}
    items = list(read_items(path, format="ctm").items)
    files = Counter(item.value.file for item in items)
    for item in items:
        value = item.value
        assert isinstance(value, TimedWords)
        name = item.id or value.file
        if name not in utterances and value.file in utterances:
            if files[value.file] > 1:
                raise InputError(
                    f"{value.file!r} has several channels there, and the partial results do not say which: call the "
                    f"utterance {name!r} there, or keep the words of one channel in this file",
                    path,
                )
            name = value.file
        words = found.setdefault(name, [])
        for word in value.texts:
            if not isinstance(word, TimedWord):
                raise InputError(f"{item.id} leaves a choice; expected one word at a time", path)
            words.append(EndOfWord(word.word, word.begin + word.duration))
    return found
