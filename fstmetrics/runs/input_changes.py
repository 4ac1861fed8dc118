"""How the inputs of a run differ from those it began with, in words: `input_changes`, by size and time of each file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

# Nanoseconds.
SECOND = 10**9


def input_changes(before: Sequence[Any], now: Sequence[Any]) -> list[str]:
    """What has changed of inputs, each a name with its state: size and time of its files, one after the other.

    Args:
        before: those of the run that was stopped.
        now: those that are given.

    >>> input_changes([["ref", [10, 0]], ["hyp", [20, 0]]], [["ref", [12, 3 * SECOND]], ["hyp", [20, 0]]])
    ['ref had 10 bytes of 1970-01-01 00:00:00 and has 12 bytes of 1970-01-01 00:00:03 (UTC)']
    >>> input_changes([["ref", ""], ["hyp", ""]], [["hyp", ""], ["ref", ""]])
    ['the inputs were ref, hyp and are hyp, ref']
    """
    names, others = ([name for name, _ in inputs] for inputs in (before, now))
    if names != others:
        return [f"the inputs were {', '.join(names)} and are {', '.join(others)}"]
    return [
        f"{name} {_change(was, has)}" for (name, was), (_, has) in zip(before, now, strict=True) if was != has
    ]


def _change(before: Sequence[Any] | str, now: Sequence[Any] | str) -> str:
    if isinstance(before, str) and isinstance(now, str):
        return "has changed"  # a URL
    if not (isinstance(before, list) and isinstance(now, list)):
        kinds = ["a file" if isinstance(state, list) else "a folder or pipe" for state in (before, now)]
        return f"was {kinds[0]} and is {kinds[1]}"
    if str in map(type, [*before, *now]):
        return "are files by URL, and some have changed"
    if len(before) != len(now):
        return f"were {len(before) // 2} files and are {len(now) // 2}"
    if len(before) > 2:
        changed = sum(a != b for a, b in zip(_states(before), _states(now), strict=True))
        return f"were {len(before) // 2} files, and {changed} of them {'has' if changed == 1 else 'have'} changed"
    (was, then), (size, time) = before, now
    digits = then // SECOND == time // SECOND
    if was == size:
        return f"was of {_date(then, digits)} and is of {_date(time, digits)} (UTC), {size} bytes as before"
    written = f" of {_date(then)}", f" of {_date(time)}"
    return f"had {was} bytes{written[0]} and has {size} bytes{written[1]} (UTC)"


def _states(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(numbers[::2], numbers[1::2], strict=True)


def _date(nanoseconds: int, digits: bool = False) -> str:
    seconds, rest = divmod(nanoseconds, SECOND)
    whole = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")
    return f"{whole}.{rest:09}" if digits else whole
