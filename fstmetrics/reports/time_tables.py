"""How far times of words differ, as tables: `time_lines`, `time_tables`, and as rows of data, `time_records`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fstmetrics.data.groupings import keyed, labels
from fstmetrics.engine.time_differences import ENDS, WITHIN, End, TimesOfWords, WordTimes
from fstmetrics.reports.field_tables import MOST_VALUES
from fstmetrics.reports.summary import Row, Table, table_lines
from fstmetrics.support.printable import counted

HEAD = ("words", "mean", "median", "bias", *(f"<= {most}" for most in WITHIN))
# What rows of positions are called.
PLACES = {"first": "first word", "last": "last word", "others": "other words"}
NOTE = "mean and median without signs, bias with them: above zero, the hypothesis is late"


def time_lines(times: TimesOfWords) -> Iterator[str]:
    """The tables as text, behind an empty line each, and what their columns are."""
    for table in time_tables(times):
        yield ""
        yield from table_lines(table.rows, table.names)
    yield NOTE
    for name, rows in times.by.items():
        if (rest := len(rows) - MOST_VALUES) > 0:
            yield f"and {counted(rest, 'more value')} of {name} with fewer words; --json has all"


def time_tables(times: TimesOfWords) -> Iterator[Table]:
    """A table of onsets and one of offsets, in milliseconds."""
    for end in ENDS:
        rows = [_row(title, found, end) for title, found in _titled(times)]
        yield Table([(f"{end}, ms", *HEAD), *rows])


def _titled(times: TimesOfWords) -> Iterator[tuple[str, WordTimes]]:
    """The rows of a table."""
    yield "all", times.every
    yield from ((f"{name} characters", found) for name, found in times.by_length.items())
    yield from ((PLACES[name], found) for name, found in times.by_position.items())
    for name, rows in times.by.items():
        titles = labels([keyed(value) for value, _ in rows])
        most = sorted(range(len(rows)), key=lambda place: -len(rows[place][1]))[:MOST_VALUES]
        yield from ((f"{name} {titles[place]}", rows[place][1]) for place in sorted(most))


def _row(title: str, times: WordTimes, end: End) -> Row:
    found = times.of(end)
    sizes = [_number(value, "") for value in (found.mean_absolute, found.median_absolute)]
    shares = [found.within(most) for most in WITHIN]
    return (
        title,
        str(len(times)),
        *sizes,
        _number(found.bias, "+"),
        *("-" if share is None else f"{share:.2%}" for share in shares),
    )


def _number(value: float | None, sign: str) -> str:
    """Milliseconds with one decimal; what rounds to zero has no minus."""
    return "-" if value is None else f"{round(value, 1) + 0.0:{sign}.1f}"


def time_records(times: TimesOfWords) -> Iterator[dict[str, Any]]:
    """The rows of both tables as data."""
    kinds: list[tuple[str, Any, WordTimes]] = [("all", None, times.every)]
    kinds += [("length", name, found) for name, found in times.by_length.items()]
    kinds += [("position", name, found) for name, found in times.by_position.items()]
    kinds += [(name, value, found) for name, rows in times.by.items() for value, found in rows]
    for kind, value, found in kinds:
        for end in ENDS:
            numbers = {
                f"{name}_ms" if "within" not in name else name: n
                for name, n in found.of(end).as_dict().items()
            }
            yield {"times": end, "by": kind, "value": value, "words": len(found), **numbers}
