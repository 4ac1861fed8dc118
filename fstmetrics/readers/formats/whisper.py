"""What Whisper, its relatives and Vosk write of a recording: a JSON object with its `text`, or with parts of it.

OpenAI's whisper, faster-whisper and WhisperX have `segments`, the pipelines of transformers `chunks`, whisper.cpp (-oj)
`transcription`; each is a list of objects with a `text`. Where there is no `text` of the whole, those are joined.
OpenAI's `verbose_json` may have `words` instead, Vosk has `result`. Vosk prints an object for each piece of a
recording, and some of what it has heard so far (`partial`), which is left out. The id is the file's name.

Where there are both, the parts have to say what the `text` says, but for white space: else one of them is damaged, or
was changed without the other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

from fstmetrics.io.json_signs import PARTS, WORDS, parts_of
from fstmetrics.readers.arcs import refuse_empty, shown
from fstmetrics.readers.formats.json_rows import json_values
from fstmetrics.readers.items import Format, Item, ReadOptions
from fstmetrics.support.source import Source, stem
from fstmetrics.values.fields import Field, Fields
from fstmetrics.values.segments import TimedWord, plain_word, shared_time, timed_of

FIELDS = ("language", "duration")
# Lists of parts and words, and what has the text of each.
SAID_BY = (*((name, "text") for name in PARTS), *zip(WORDS, ("word", "word"), strict=True))


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The one text of a file.

    Raises:
        InputError: not JSON (with the line), an object without a text, or one whose parts have another text.
    """
    refuse_empty(source)
    documents = [value for _, value in json_values(source)]
    words = " ".join(filter(None, (_words(source, document) for document in documents)))
    timed = [_timed(document) for document in documents if "partial" not in document or "text" in document]
    whole = None if None in timed else timed_of(source.stem, list(chain.from_iterable(filter(None, timed))))
    yield Item(source.stem, None, words, fields=_fields(documents[0]), timed=whole)


def _timed(document: Mapping[str, Any]) -> list[TimedWord] | None:
    """The words of a document with their times; where segments alone have times, words share them. None: no times."""
    if (parts := parts_of(document)) is None:
        parts = next((document[name] for name in WORDS if isinstance(document.get(name), list)), None)
        return None if parts is None else _timed_words(parts)
    found: list[TimedWord] = []
    for part in parts:
        own = _timed_words(part["words"]) if isinstance(part.get("words"), list) else None
        if own is not None and "".join(plain_word(word) for word in part["text"].split()) == "".join(
            w.word for w in own
        ):
            found += own
        elif (times := _times(part)) is not None:
            found += shared_time(part["text"].split(), *times)
        elif part["text"].strip():
            return None
    return found


def _timed_words(words: Sequence[Any]) -> list[TimedWord] | None:
    """Words with a time each; None where one has none."""
    found = []
    for word in words:
        times = _times(word) if isinstance(word, dict) else None
        said = str(word.get("word", word.get("text", ""))).split() if times else []
        if times is None or len(said) > 1:
            return None
        found += [TimedWord(plain_word(each), times[0], times[1] - times[0]) for each in said]
    return found


def _times(part: Mapping[str, Any]) -> tuple[float, float] | None:
    """Begin and end in seconds: `start` and `end`, `timestamp`, or whisper.cpp's `offsets` in milliseconds."""
    times: list[Any] = [part.get("start"), part.get("end")]
    if isinstance(both := part.get("timestamp"), list) and len(both) == 2:
        times = both
    elif isinstance(offsets := part.get("offsets"), dict):
        times = [offsets.get("from"), offsets.get("to")]
        if all(isinstance(time, int | float) for time in times):
            return float(times[0]) / 1000, float(times[1]) / 1000
    begin, end = times
    if not isinstance(begin, int | float) or not isinstance(end, int | float) or end < begin:
        return None
    return float(begin), float(end)


def _words(source: Source, document: Any) -> str:
    if isinstance(document, dict):
        if isinstance(text := document.get("text"), str):
            _refuse_other_parts(source, document, text)
            return text.strip()
        if (parts := parts_of(document)) is not None:
            _refuse_other_order(source, [part.get("start") for part in parts])
            return _joined([part["text"] for part in parts])
        if "partial" in document:
            return ""
    raise source.error(
        f"expected an object with `text` and `segments`, found {shown(json.dumps(document)[:100])}"
    )


def _refuse_other_parts(source: Source, document: Mapping[str, Any], text: str) -> None:
    """Raise an InputError if a `text` is not that of the parts beside it, or is empty beside words."""
    for name, key in SAID_BY:
        parts = document.get(name)
        if not (isinstance(parts, list) and parts and all(isinstance(part, dict) for part in parts)):
            continue
        said = _joined([str(part.get(key, "")) for part in parts])
        # Words have no punctuation, and may be the first ones alone.
        is_same = bool(text.strip()) if name in WORDS else "".join(said.split()) == "".join(text.split())
        if not is_same:
            raise source.error(
                f"`text` and `{name}` say different things: {shown(text.strip())} and {shown(said)}; take the one that "
                f"is right: jq -r .text FILE, or jq -r '.{name}[].{key}' FILE | paste -sd ' '"
            )


def _refuse_other_order(source: Source, begins: Sequence[Any]) -> None:
    """Raise an InputError if a part begins before the one above it, where all say when."""
    if not all(isinstance(begin, int | float) for begin in begins):
        return
    for number, (before, begin) in enumerate(pairwise(begins), 2):
        if begin < before:
            raise source.error(
                f"part {number} begins at {begin:g} s, before the one above it, at {before:g} s: expected the parts of "
                "a recording in the order of time"
            )


def _joined(texts: Sequence[str]) -> str:
    """The texts of parts; where some begin with a space, as Whisper has it, others go on with a word."""
    if any(text[:1].isspace() for text in texts[1:]):
        return "".join(texts).strip()
    return " ".join(text.strip() for text in texts).strip()


def _fields(document: Mapping[str, Any]) -> Fields:
    found: dict[str, Field] = {}
    if isinstance(result := document.get("result"), dict):  # of whisper.cpp
        document = {**result, **document}
    for name in FIELDS:
        if isinstance(value := document.get(name), str | int | float):
            found[name] = value
    return found


FORMAT = Format(
    "whisper", "JSON of Whisper, whisper.cpp, OpenAI or Vosk, a recording a file", read, "text",
    id_of=stem, has_times=True,
)  # fmt: skip
