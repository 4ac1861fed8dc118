"""Lines on logarithmic scales as SVG: `log_log`, for pictures of growth."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

# In pixels: a panel's drawing, and the room left of it, right of it (for names), above and below; a line of text.
WIDTH, HEIGHT = 250, 210
LEFT, RIGHT, TOP, BOTTOM = 52, 128, 46, 48
LEADING = 14
# A colour and a mark a series, in order.
COLOURS = ("#1f5fa8", "#c04f15", "#2e7d4f", "#7a4a9e", "#5b6470")
INK, FAINT = "#1c1e21", "#d9dde2"
DIGITS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Series(NamedTuple):
    """A line: its name and its points."""

    name: str
    points: Sequence[tuple[float, float]]


class Panel(NamedTuple):
    """Series on one scale: a title, what is across, what is upwards."""

    title: str
    x: str
    y: str
    series: Sequence[Series]


def log_log(panels: Sequence[Panel], columns: int = 2) -> str:
    """The panels side by side, each with decades as its grid and the names of its lines at their ends.

    Points are above 0.
    """
    names = list(dict.fromkeys(series.name for panel in panels for series in panel.series))
    colours = {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(names)}
    rows = -(-len(panels) // columns)
    wide, high = LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide * columns} {high * rows}" '
        f'width="{wide * columns}" height="{high * rows}" font-family="sans-serif" font-size="12" fill="{INK}">',
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    for number, panel in enumerate(panels):
        row, column = divmod(number, columns)
        parts.append(f'<g transform="translate({wide * column + LEFT} {high * row + TOP})">')
        parts += _panel(panel, colours)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(panel: Panel, colours: dict[str, str]) -> Iterator[str]:
    points = [point for series in panel.series for point in series.points]
    across, upwards = (_decades([point[axis] for point in points]) for axis in (0, 1))

    def x(value: float) -> float:
        return WIDTH * (math.log10(value) - across[0]) / (across[-1] - across[0])

    def y(value: float) -> float:
        return HEIGHT - HEIGHT * (math.log10(value) - upwards[0]) / (upwards[-1] - upwards[0])

    yield f'<text x="0" y="-22" font-size="13" font-weight="bold">{escape(panel.title)}</text>'
    yield f'<text x="0" y="-7" fill="#5b6470">{escape(panel.y)}</text>'
    for decade in across:
        at = x(10.0**decade)
        yield f'<path d="M{at:.1f} 0V{HEIGHT}" stroke="{FAINT}"/>'
        yield f'<text x="{at:.1f}" y="{HEIGHT + 17}" text-anchor="middle">{_power(decade)}</text>'
    for decade in upwards:
        at = y(10.0**decade)
        yield f'<path d="M0 {at:.1f}H{WIDTH}" stroke="{FAINT}"/>'
        yield f'<text x="-6" y="{at + 4:.1f}" text-anchor="end">{_seconds(decade)}</text>'
    yield f'<text x="{WIDTH / 2}" y="{HEIGHT + 36}" text-anchor="middle">{escape(panel.x)}</text>'
    names = _apart([(y(series.points[-1][1]), series) for series in panel.series if series.points])
    for at, series in names:
        colour = colours[series.name]
        places = [(x(a), y(b)) for a, b in series.points]
        line = "L".join(f"{a:.1f} {b:.1f}" for a, b in places)
        yield f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="2"/>'
        yield from (f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.2" fill="{colour}"/>' for a, b in places)
        end = places[-1]
        if end[0] < WIDTH - 1 or abs(at - end[1]) > 1:  # a line that stops earlier, or whose name had to move
            line = f"{end[0]:.1f} {end[1]:.1f}L{WIDTH + 6} {at:.1f}"
            yield f'<path d="M{line}" stroke="{colour}" stroke-dasharray="2 3"/>'
        yield f'<text x="{WIDTH + 9}" y="{at + 4:.1f}" fill="{colour}">{escape(series.name)}</text>'


def _apart(names: list[tuple[float, Series]]) -> list[tuple[float, Series]]:
    """Heights of names, moved so that none is on another and all are within the panel."""
    found: list[tuple[float, Series]] = []
    for at, series in sorted(names, key=lambda each: each[0]):
        found.append((max(at, found[-1][0] + LEADING) if found else max(at, 0.0), series))
    below = float(HEIGHT)
    for number in range(len(found) - 1, -1, -1):
        at, series = found[number]
        found[number] = (min(at, below), series)
        below = found[number][0] - LEADING
    return found


def _decades(values: Sequence[float]) -> list[int]:
    low, high = math.floor(math.log10(min(values)) + 1e-9), math.ceil(math.log10(max(values)) - 1e-9)
    return list(range(low, max(high, low + 1) + 1))


def _power(decade: int) -> str:
    return f"10{str(decade).translate(DIGITS)}"


def _seconds(decade: int) -> str:
    return f"{10.0**decade:g}"
