"""How the inputs of a run differ from those it began with, in words: `file_changes`, by the state of each file.

`may_hold_the_same` is whether their content has to be compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from fstmetrics.support.printable import counted, have
from fstmetrics.support.source import FileState

# Nanoseconds.
SECOND = 10**9


def file_changes(before: Sequence[Any], now: Sequence[Any]) -> list[str]:
    """What has changed of inputs, each a name with its state: the numbers of a `FileState` of its files, in a row.

    Args:
        before: those of the run that was stopped.
        now: those that are given.

    >>> file_changes([["ref", [10, 0, 0, 7]]], [["ref", [12, 3 * SECOND, 3 * SECOND, 7]]])
    ['ref had 10 bytes of 1970-01-01 00:00:00 and has 12 bytes of 1970-01-01 00:00:03 (UTC)']
    >>> file_changes([["ref", ""], ["hyp", ""]], [["hyp", ""], ["ref", ""]])
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
    one, other = list(_states(before)), list(_states(now))
    if len(one) != len(other):
        were = "was" if len(one) == 1 else "were"
        return f"{were} {counted(len(one), 'file')} and {'is' if len(other) == 1 else 'are'} {len(other)}"
    if len(one) > 1:
        changed = sum(a != b for a, b in zip(one, other, strict=True))
        return f"were {len(one)} files, and {changed} of them {have(changed)} changed"
    was, is_now = one[0], other[0]
    if was.size != is_now.size:
        dates = _date(was.written), _date(is_now.written)
        return f"had {was.size} bytes of {dates[0]} and has {is_now.size} bytes of {dates[1]} (UTC)"
    if was.written == is_now.written:
        when = _date(is_now.changed)
        return f"was changed or replaced on {when} (UTC), {is_now.size} bytes of the same time of writing as before"
    digits = was.written // SECOND == is_now.written // SECOND
    dates = _date(was.written, digits), _date(is_now.written, digits)
    return f"was of {dates[0]} and is of {dates[1]} (UTC), {is_now.size} bytes as before"


def may_hold_the_same(before: Sequence[Any], now: Sequence[Any]) -> bool:
    """Whether inputs are files of the same names and sizes, which other times and inodes do not tell apart.

    >>> may_hold_the_same([["ref", [10, 0, 0, 7]], ["hyp", ""]], [["ref", [10, 5, 5, 8]], ["hyp", ""]])
    True
    """
    return [_but_for_times(*each) for each in before] == [_but_for_times(*each) for each in now]


def _but_for_times(name: str, state: Any) -> list[Any]:
    if not isinstance(state, list) or str in map(type, state):
        return [name, state]
    return [name, [each.size for each in _states(state)]]


def _states(numbers: Sequence[int]) -> Iterator[FileState]:
    width = len(FileState._fields)
    return (FileState(*numbers[at : at + width]) for at in range(0, len(numbers), width))


def _date(nanoseconds: int, digits: bool = False) -> str:
    seconds, rest = divmod(nanoseconds, SECOND)
    whole = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")
    return f"{whole}.{rest:09}" if digits else whole
