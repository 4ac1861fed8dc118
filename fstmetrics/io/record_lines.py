"""Lines of records as objects of JSON, unchecked: `read_objects`; what is said of a line that is none."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from fstmetrics.support.json_text import json_parser
from fstmetrics.support.source import Source

# Characters of a value that an error shows.
SHOWN = 60
# What errors advise.
MAKE = "score, hyter and oracle write records with --alignment --output FILE"
EDITED = "the record was damaged or edited; score again with --output FILE"


def read_objects(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON objects of a file, one a line, with the numbers of their lines; blank lines are passed over.

    Raises:
        InputError: a line that is no JSON object, or nothing at all.
    """
    refuse_empty(source)
    parsed = record_parser()
    for number, line in source.lines():
        if line and not line.isspace():
            yield number, object_in_line(source, number, line, parsed)


def refuse_empty(source: Source) -> None:
    """Raise InputError for a file without anything."""
    if source.is_blank:
        raise source.error("is empty: scoring writes records with --alignment --output FILE")


def record_parser() -> Callable[[str], Any]:
    """JSON as records have it: finite numbers."""
    return json_parser(parse_float=_finite)


def object_in_line(source: Source, number: int, line: str, parsed: Callable[[str], Any]) -> dict[str, Any]:
    """The object of a line.

    Raises:
        InputError: it is none.
    """
    try:
        value = parsed(line)
    except ValueError as error:
        why = f"not JSON: {error}" if line.lstrip()[:1] in "{[" else "the line is not JSON"
        raise source.error(f"no record: {why}; {MAKE}", number) from None
    if not isinstance(value, dict):
        raise source.error(f"no record: expected a JSON object, found {type(value).__name__}; {MAKE}", number)
    return value


def _finite(digits: str) -> float:
    if math.isfinite(number := float(digits)):
        return number
    raise ValueError(f"the number {digits[:SHOWN]} is too large")
