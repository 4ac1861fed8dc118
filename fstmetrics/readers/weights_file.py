"""Files of feature weights: `name value` lines as cdec has them, `name= value value ...` lines as Moses has them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from fstmetrics.readers.arcs import shown
from fstmetrics.support.source import Source

NO_WEIGHTS: Mapping[str, float] = MappingProxyType({})


def read_weights(path: str | None) -> Mapping[str, float]:
    """Read a file of weights: the weight of each feature. No path, no weights.

    Of `name= ...`, which may stand on several lines, one value is the weight of the feature `name`, more are those of
    `name_1`, `name_2`, ... Lines that begin with `#` are comments.

    Raises:
        InputError: the file cannot be read, a line that is neither of the two, or a feature that has two weights.
    """
    if path is None:
        return NO_WEIGHTS
    try:
        status = Path(path).stat()
    except OSError:
        return _parsed(path, 0, 0)
    return _parsed(path, status.st_mtime_ns, status.st_size)


# A folder of hypergraphs asks for the same weights once a file. Time and size make a changed file a new one.
@lru_cache(maxsize=4)
def _parsed(path: str, _time: int, _size: int) -> Mapping[str, float]:
    source = Source.open(path)
    named: dict[str, float] = {}
    listed: dict[str, list[float]] = {}
    for number, line in source.lines():
        name, *values = line.split() or ["#"]
        if name.startswith("#"):
            continue
        weights = [_weight(source, number, value) for value in values]
        if name.endswith("=") and weights:
            listed.setdefault(name[:-1], []).extend(weights)
        elif len(weights) != 1:
            raise source.error(f"expected `name weight` or `name= weight ...`, found {shown(line)}", number)
        elif name in named:
            raise source.error(f"the feature {shown(name)} has a weight already", number)
        else:
            named[name] = weights[0]
    for name, weights in listed.items():
        parts = (
            {name: weights[0]} if len(weights) == 1 else {f"{name}_{i}": w for i, w in enumerate(weights, 1)}
        )
        if twice := parts.keys() & named.keys():
            raise source.error(f"the feature {shown(min(twice))} has two weights")
        named |= parts
    return MappingProxyType(named)


def _weight(source: Source, number: int, text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not math.isfinite(weight):
        raise source.error(f"a weight is a finite number, not {shown(text)}", number)
    return weight
