"""Fields of items on a page: `item_fields`, as what one may choose, as ranges of a number, or as texts to search.

Absolute paths stay off a page, which may be sent to others, unless they are asked for: `without_folders`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

# A field of more values than this is searched, not chosen from.
MOST_CHOICES = 300
# A number of more values than this is shown in ranges, about as many items in each.
MOST_NUMBERS = 12
RANGES = 5
# Integers from here on are not all floating point has.
MOST_EXACT = 2**53
# Digits of the ends of ranges.
DIGITS = 2


@dataclass(frozen=True)
class ItemField:
    """One field of all items.

    Attributes:
        name: the field's.
        kind: `choice`, `number` or `text`.
        values: of a choice, what there is; of a number, its ranges; of texts, that of every item.
        groups: of every item, which of `values` it has, from 1; 0 is none. Of texts, nothing.
        numbers: of a number, that of every item, nan where it has none.
    """

    name: str
    kind: str
    values: Sequence[str]
    groups: Any
    numbers: Any = None


def item_fields(columns: Mapping[str, Sequence[Any]], asked: Sequence[str] = ()) -> list[ItemField]:
    """The fields of items, from a column each; of those whose tables were asked for no texts to search."""
    return [
        _field(name, values, name in asked)
        for name, values in columns.items()
        if any(v is not None for v in values)
    ]


def _field(name: str, values: Sequence[Any], asked: bool) -> ItemField:
    if all(value is None or _is_quantity(value) for value in values):
        known = sorted({value for value in values if value is not None})
        if len(known) > MOST_NUMBERS:
            return _ranges(name, values)
        return ItemField(name, "choice", [written(value) for value in known], _groups(known, values))
    texts = [None if value is None else written(value) for value in values]
    names = sorted({text for text in texts if text is not None})
    present = sum(text is not None for text in texts)
    is_text = len(names) > MOST_CHOICES or (len(names) > RANGES and len(names) > present / 2)
    if is_text and not asked:
        return ItemField(name, "text", [text or "" for text in texts], np.zeros(0, dtype=np.int64))
    return ItemField(name, "choice", names, _groups(names, texts))


def _is_quantity(value: Any) -> bool:
    """Whether it is a number that floating point has: a larger integer, as a hash is, is a name."""
    return type(value) is float or (type(value) is int and abs(value) < MOST_EXACT)


def _groups(known: Sequence[Any], values: Sequence[Any]) -> Any:
    """Of every value, which of the known ones it is, from 1; 0 is none."""
    order = {value: i for i, value in enumerate(known, 1)}
    return np.array([0 if value is None else order[value] for value in values])


def _ranges(name: str, values: Sequence[Any]) -> ItemField:
    """A number in ranges: from its low end up to below the next one's."""
    numbers = np.array([np.nan if value is None else float(value) for value in values])
    present = ~np.isnan(numbers)
    # Values themselves, so that nothing overflows between two of them.
    inner = np.quantile(numbers[present], np.linspace(0, 1, RANGES + 1)[1:-1], method="lower")
    ends = sorted({float(f"{end:.{DIGITS}g}") for end in inner})
    groups = np.where(present, np.searchsorted(ends, numbers, side="right") + 1, 0)
    shown = [written(end) for end in ends]
    names = [f"< {shown[0]}", *(f"{a} to < {b}" for a, b in pairwise(shown)), f">= {shown[-1]}"]
    return ItemField(name, "number", names, groups, numbers)


def written(value: Any) -> str:
    """A value in a few letters.

    >>> written(12.0), written(0.1 + 0.2), written(True), written("ann")
    ('12', '0.3', 'true', 'ann')
    """
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def without_folders(texts: Sequence[Any]) -> Sequence[Any]:
    """Absolute paths without the folder that all of them are in; other values as they are.

    >>> without_folders(["/data/set/a/1.wav", "/data/set/b/2.wav"]), without_folders(["u1", None])
    (['a/1.wav', 'b/2.wav'], ['u1', None])
    """
    absolute = {text for text in texts if isinstance(text, str) and os.path.isabs(text)}
    if not absolute:
        return texts
    shared = os.path.commonpath({os.path.dirname(text) for text in absolute})
    shown = {text: _below(shared, text) for text in absolute}
    return [shown.get(text, text) for text in texts]


def _below(folder: str, path: str) -> str:
    """The path from a folder that it is in."""
    begin = os.path.join(folder, "")
    rest = path.removeprefix(begin)
    # Most paths need no tidying, which takes most of the time.
    is_tidy = len(rest) < len(path) and os.sep == "/" and not {"", ".", ".."} & {*rest.split("/")}
    return rest if is_tidy else os.path.relpath(path, folder)
