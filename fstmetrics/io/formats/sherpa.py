"""What sherpa-onnx prints of each recording: a line with its path, and a line with a JSON object that has its `text`.

What else is printed, as the settings before and `----` between, is left out. The id is the file's name without its
extension. Source: sherpa-onnx, sherpa-onnx-offline.cc.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from fstmetrics.data.fields import Field
from fstmetrics.io.arcs import shown, take_id
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.writing import OF_TURNS
from fstmetrics.support.source import Source, stem

SOUND = r"\S[^\n]*\.(?i:wav|flac|mp3|ogg|opus|m4a|sph|pcm)"
PATH = re.compile(SOUND)
FIELDS = ("lang", "emotion", "event")
NAMES = {"lang": "language"}


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The texts, in order.

    Raises:
        InputError: a result that is no JSON object with a `text`, one without the path of its recording before it, or
            two of recordings with one name; no result at all.
    """
    source.refuse_empty()
    before = ""
    seen: dict[str, int] = {}
    for number, line in source.lines():
        text = line.strip()
        if text.startswith("{"):
            if PATH.fullmatch(before) is None:
                raise source.error(
                    f"expected the path of a recording before the result, found {shown(before)}", number
                )
            id = stem(before)
            take_id(source, id, number, seen)
            yield _item(source, number, id, text)
        before = text
    if not seen:
        raise source.error("no result: expected lines of a path and of a JSON object")


def _item(source: Source, number: int, id: str, text: str) -> Item:
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("text"), str):
        raise source.error(f"expected a JSON object with a `text`, found {shown(text)}", number)
    fields: dict[str, Field] = {
        NAMES.get(name, name): found[name]
        for name in FIELDS
        if isinstance(found.get(name), str) and found[name]
    }
    left_out = OF_TURNS[1:] if found.get("timestamps") else ()
    return Item(id, None, found["text"].strip(), left_out=left_out, fields=fields)


FORMAT = Format(
    "sherpa", "results that sherpa-onnx prints: a path and a JSON object each", read, by_lines=True
)
