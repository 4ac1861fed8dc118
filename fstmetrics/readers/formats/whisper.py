"""What Whisper and its relatives write of a recording: a JSON object with `text`, and `segments` or `chunks` of it.

OpenAI's whisper, faster-whisper and WhisperX have `segments`, the pipelines of transformers `chunks`; each is a list of
objects with a `text`. Where there is no `text` of the whole, those are joined. The id is the file's name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from fstmetrics.io.json_signs import parts_of
from fstmetrics.readers.arcs import refuse_empty, shown
from fstmetrics.readers.items import Format, Item, ReadOptions
from fstmetrics.support.source import Source, stem
from fstmetrics.values.fields import Field, Fields

FIELDS = ("language", "duration")


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
    parts = parts_of(document) if isinstance(document, dict) else None
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
    "whisper", "JSON of Whisper, a recording a file, with segments", read, "text",
    id_of=stem,
)  # fmt: skip
