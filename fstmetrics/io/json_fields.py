"""JSON Lines whose fields are checked one by one: `json_rows`, and the fields of a `JsonRow`."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fstmetrics.io.arcs import shown
from fstmetrics.support.errors import InputError
from fstmetrics.support.json_text import json_parser
from fstmetrics.support.names import listed
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
