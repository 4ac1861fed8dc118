"""JSON from files that may be hostile: `parsed_json`."""

from __future__ import annotations

import sys
from typing import Any

# Python's own guard: reading an integer takes time by the square of its digits, minutes for some millions of them.
MAX_DIGITS = 4300


def parsed_json(text: str, **options: Any) -> Any:
    """`json.loads`, with Python's guard against endless integers on, also where the process has it off to print some.

    Raises:
        json.JSONDecodeError: not JSON; it has the line.
        ValueError: an integer of more than `MAX_DIGITS` digits, or brackets nested too deeply.

    >>> parsed_json('{"a": [1, 2]}')
    {'a': [1, 2]}
    """
    import json

    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(MAX_DIGITS)
    try:
        return json.loads(text, **options)
    except RecursionError:
        raise ValueError("brackets are nested too deeply") from None
    except json.JSONDecodeError:
        raise
    except ValueError as error:
        if "integer string conversion" not in str(error):
            raise
        raise ValueError(f"an integer has more than {MAX_DIGITS} digits") from None
    finally:
        sys.set_int_max_str_digits(digits)
