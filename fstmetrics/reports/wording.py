"""Numbers in lines of text: `counted`, `in_full`."""

from __future__ import annotations

# From here up six digits do not have all of a whole number.
MILLION = 10**6


def counted(number: int, what: str) -> str:
    """A number of things.

    >>> counted(1, "item"), counted(2, "item")
    ('1 item', '2 items')
    """
    return f"{number} {what}{'' if number == 1 else 's'}"


def in_full(number: float) -> str:
    """A number in six digits, or where it is larger without an exponent.

    >>> in_full(28.41), in_full(10677100.0), in_full(1067710.25)
    ('28.41', '10677100', '1067710.25')
    """
    return f"{number:g}" if abs(number) < MILLION else f"{number:.2f}".removesuffix(".00")
