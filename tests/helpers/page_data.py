"""The data of a page, read back as a browser reads it: `unpacked`."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import numpy as np

from fstmetrics.apps.pages.packed import ALIGNED, ARRAYS


def unpacked(text: str) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """What `packed_pieces` made a text of."""
    content = gzip.decompress(base64.b64decode(text))
    begin = ALIGNED + int.from_bytes(content[:ALIGNED], "little")
    head = json.loads(content[ALIGNED:begin])
    types = {array: f"<{name}" for name, array in ARRAYS.items()}
    columns = {
        name: np.frombuffer(content, types[array], length, begin + at)
        for name, (array, at, length) in head["columns"].items()
    }
    return head["data"], columns
