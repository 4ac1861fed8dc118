"""Checks of single fields of records, that each is there and is what is expected. They raise KeyError or ValueError."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from fstmetrics.support.json_text import written_json

# Counts of the engine are below this.
MOST = 2**53
# Characters of a value that an error shows.
SHOWN = 60

Check = Callable[[Mapping[str, Any], str], None]
Checked = TypeVar("Checked")
_NONE = type(None)


def within(name: str, check: Callable[..., Checked], *arguments: Any) -> Checked:
    """A check of a part of a record; errors name the part."""
    try:
        return check(*arguments)
    except KeyError as error:
        raise ValueError(f"{name}: no field {error}") from None
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def check_all(record: Mapping[str, Any], fields: Mapping[str, Check]) -> None:
    """Check fields of an object, each by its own check."""
    for name, checks in fields.items():
        checks(record, name)


def unexpected(name: str, expected: str, found: object) -> ValueError:
    """The error of a field that is not what was expected."""
    shown = written_json(found)
    return ValueError(
        f"{name}: expected {expected}, found {shown if len(shown) <= SHOWN else shown[:SHOWN] + '...'}"
    )


def are_fields(value: object) -> bool:
    """Whether a value is what a record may say of its item, by name."""
    return type(value) is dict and all(type(one) in (str, int, float, bool, _NONE) for one in value.values())


def is_text(value: object) -> bool:
    """Whether a value is a text."""
    return type(value) is str


def is_number(value: object) -> bool:
    """Whether a value is a number that floating point has exactly, or a fraction."""
    return type(value) is float or (type(value) is int and abs(value) < MOST)


def is_count(value: object) -> bool:
    """Whether a value is a whole number from 0 up."""
    return type(value) is int and 0 <= value < MOST


def is_words(value: object) -> bool:
    """Whether a value is a list of texts."""
    return type(value) is list and all(map(is_text, value))


def field_check(expected: str, holds: Callable[[Any], bool], or_null: bool = False) -> Check:
    """A check of one field of an object: that it is there, and is what is expected."""

    def check(record: Mapping[str, Any], name: str) -> None:
        value = record[name]
        if not (holds(value) or (or_null and value is None)):
            raise unexpected(name, expected + (" or null" if or_null else ""), value)

    return check


def list_of(expected: str, holds: Callable[[Any], bool]) -> Check:
    """A check that a field is a list, of values that hold."""
    return field_check(f"a list of {expected}", lambda value: type(value) is list and all(map(holds, value)))


def object_in(record: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A field that is an object."""
    field_check("an object", lambda value: type(value) is dict)(record, name)
    found: Mapping[str, Any] = record[name]
    return found


def objects_in(record: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
    """A field that is a list of objects."""
    list_of("objects", lambda value: type(value) is dict)(record, name)
    found: Sequence[Mapping[str, Any]] = record[name]
    return found


def each_of(fields: Mapping[str, Check]) -> Check:
    """A check of a list of objects."""

    def check(record: Mapping[str, Any], name: str) -> None:
        for part in objects_in(record, name):
            within(name, check_all, part, fields)

    return check


TEXT = field_check("a text", is_text)
NUMBER = field_check("a number", is_number)
NUMBER_OR_NULL = field_check("a number", is_number, or_null=True)
COUNT = field_check("a whole number from 0 up", is_count)
WORDS = field_check("a list of words", is_words)
TRUE_OR_FALSE = field_check("true or false", lambda value: type(value) is bool)
