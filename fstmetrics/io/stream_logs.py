"""What systems that translate a stream write of it: `read_log`, of three kinds of JSON Lines.

- SimulEval's `instances.log`: `prediction`, `delays`, `elapsed`, `source`, `source_length`, `reference`; milliseconds,
  or words of a source that is text.
- SimulStream's log: `id` and `metadata` with `wav_name`, then a line a step with `total_audio_processed` and
  `computation_time` (seconds), `generated_tokens` and `deleted_tokens`.
- OmniSTEval's `instances.resegmented.jsonl`: a segment a line, with `emission_cu`, `emission_ca`, `source_length` and
  `time_to_recording_end` in milliseconds from its beginning.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Literal

from fstmetrics.data.symbols import SENTENCE_MARKERS
from fstmetrics.io.arcs import shown
from fstmetrics.io.file_names import recording_name
from fstmetrics.io.json_fields import JsonRow, json_rows
from fstmetrics.streams.latency import fault_of_times
from fstmetrics.support.names import listed
from fstmetrics.support.printable import counted
from fstmetrics.support.source import Source

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
    read = _segment if kind == "segments" else _instance
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


def _instance(row: JsonRow, unit: Unit) -> Output:
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


def _segment(row: JsonRow, unit: Unit) -> Output:
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
