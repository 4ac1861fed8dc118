"""What Whisper and its relatives write of a recording: a JSON object with `text`, and `segments` or `chunks` of it.

OpenAI's whisper, faster-whisper and WhisperX have `segments`, the pipelines of transformers `chunks`; each is a list of
objects with a `text`. Where there is no `text` of the whole, those are joined. The id is the file's name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from fstmetrics.readers.arcs import refuse_empty, shown
from fstmetrics.readers.items import Format, Item, ReadOptions
from fstmetrics.support.source import Source, stem
from fstmetrics.values.fields import Field, Fields

SIGNATURE = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?:text|segments|chunks|language|language_probability|duration)"'
)
# A longer object is read at once.
LONGEST = 1 << 20
PARTS = ("segments", "chunks")
FIELDS = ("language", "duration")


def sniff(source: Source) -> bool:
    """Whether it is one such object."""
    try:
        first = source.first(LONGEST).decode("utf-8-sig", errors="replace").lstrip()
        if first[json.JSONDecoder().raw_decode(first)[1] :].strip():
            return False  # another object follows
    except (ValueError, RecursionError):
        pass  # it may be longer
    try:
        found = json.loads(source.data)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and _parts(found) is not None


def _parts(document: Mapping[str, Any]) -> list[Any] | None:
    """The segments or chunks; None where there are none."""
    parts = next((document[name] for name in PARTS if isinstance(document.get(name), list)), None)
    if parts is None or not all(
        isinstance(part, dict) and isinstance(part.get("text"), str) for part in parts
    ):
        return None
    return parts if parts or isinstance(document.get("text"), str) else None


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The one text of a file.

    Raises:
        InputError: not JSON (with the line), or an object without such parts.
    """
    refuse_empty(source)
    try:
        document = json.loads(source.text)
    except json.JSONDecodeError as error:
        raise source.error(f"not JSON: {error.msg} (column {error.colno})", error.lineno) from None
    except RecursionError:
        raise source.error("brackets are nested too deeply") from None
    parts = _parts(document) if isinstance(document, dict) else None
    if parts is None:
        raise source.error(
            f"expected an object with `text` and `segments`, found {shown(json.dumps(document)[:100])}"
        )
    text = document.get("text")
    words = text if isinstance(text, str) else " ".join(part["text"].strip() for part in parts)
    yield Item(source.stem, None, words.strip(), fields=_fields(document))


def _fields(document: Mapping[str, Any]) -> Fields:
    found: dict[str, Field] = {}
    for name in FIELDS:
        if isinstance(value := document.get(name), str | int | float):
            found[name] = value
    return found


FORMAT = Format(
    "whisper", "JSON of Whisper, a recording a file, with segments", read, "text", signature=SIGNATURE, sniff=sniff,
    before=("jsonl", "nbest-json"), id_of=stem,
)  # fmt: skip
