"""JSON: `parsed_json` and `json_parser` read what may be hostile, `written_json` writes all that the program writes,
`json_pieces` what is long.

Neither knows NaN and Infinity, which JSON has not: a reader that keeps to the standard refuses the whole of it.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

# Python's own guard: reading an integer takes time by the square of its digits, minutes for some millions of them.
MAX_DIGITS = 4300


def parsed_json(text: str, **options: Any) -> Any:
    """`json.loads`, with Python's guard against endless integers on, also where the process has it off to print some.

    Raises:
        json.JSONDecodeError: not JSON; it has the line.
        ValueError: an integer of more than `MAX_DIGITS` digits, brackets nested too deeply, or NaN or Infinity.

    >>> parsed_json('{"a": [1, 2]}')
    {'a': [1, 2]}
    """
    return json_parser(**options)(text)


@lru_cache(maxsize=16)
def json_parser(**options: Any) -> Callable[[str], Any]:
    """`parsed_json` for many texts: its decoder is made once.

    Args:
        options: of `json.JSONDecoder`.
    """
    import json

    decoder = json.JSONDecoder(parse_constant=_no_constant, **options)

    def parsed(text: str) -> Any:
        digits = sys.get_int_max_str_digits()
        if digits != MAX_DIGITS:
            sys.set_int_max_str_digits(MAX_DIGITS)
        try:
            value, end = decoder.raw_decode(text)  # as `decode` does, without looking for white space
            if end == len(text):
                return value
        except (ValueError, RecursionError):
            pass  # what is wrong, `decode` says
        try:
            if text.startswith("\ufeff"):
                raise json.JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", text, 0)
            return decoder.decode(text)
        except RecursionError:
            raise ValueError("brackets are nested too deeply") from None
        except json.JSONDecodeError:
            raise
        except ValueError as error:
            if "integer string conversion" not in str(error):
                raise
            raise ValueError(f"an integer has more than {MAX_DIGITS} digits") from None
        finally:
            if digits != MAX_DIGITS:
                sys.set_int_max_str_digits(digits)

    return parsed


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number; null means infinite or unknown")


def finite(number: float) -> float | None:
    """The number, or None where JSON has none for it: for inf, -inf and nan."""
    return number if math.isfinite(number) else None


def written_json(value: Any, compact: bool = False) -> str:
    """A value as JSON on one line; null for numbers that are infinite or none.

    Args:
        value: of dicts with text keys, lists, tuples, texts, numbers, booleans and None.
        compact: whether to leave out the spaces after commas and colons.

    >>> written_json({"score": float("inf"), "words": ["naïve"]})
    '{"score": null, "words": ["naïve"]}'
    """
    import json

    separators = (",", ":") if compact else None
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=separators)
    except ValueError:
        return json.dumps(_finite(value), ensure_ascii=False, allow_nan=False, separators=separators)


# Items of a list that are written together.
TOGETHER = 1000


def json_pieces(value: Mapping[str, Any], compact: bool = False) -> Iterator[str]:
    """An object as `written_json` has it, in pieces: few items of lists are written at a time; what is an iterator in
    it is a list, too, of which few items are made at a time.

    >>> "".join(json_pieces({"items": 2, "words": iter(["a", "b"])}))
    '{"items": 2, "words": ["a", "b"]}'
    """
    comma, colon = (",", ":") if compact else (", ", ": ")
    yield "{"
    for number, (key, inner) in enumerate(value.items()):
        yield f"{comma if number else ''}{written_json(key)}{colon}"
        if not isinstance(inner, Iterator | list):
            yield written_json(inner, compact)
            continue
        before, items = "[", iter(inner)
        while some := list(islice(items, TOGETHER)):
            yield before + written_json(some, compact)[1:-1]
            before = comma
        yield "[]" if before == "[" else "]"
    yield "}"


def _finite(value: Any) -> Any:
    """The value with None for every number that is infinite or none."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    return list(map(_finite, value)) if isinstance(value, list | tuple) else value
