"""Names beside the points of a plot, where they meet neither one another nor the points: `place_names`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus import Table

# Where a name may stand: right, left, above, below of its point and between; and how far from it, in points.
SIDES = ((1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1))
DISTANCES = (4, 9, 15, 22, 30)
# Half the width of a point, with some air, in points.
POINT = 3
FONT = 7
ALIGNED = {-1: ("right", "top"), 0: ("center", "center"), 1: ("left", "bottom")}

# Left, bottom, right, top in pixels.
Box = tuple[float, float, float, float]


def place_names(ax: Any, x: Table, y: Table, names: Sequence[str]) -> None:
    """Write a name beside every point, in the first free place; where none is free, in the least crowded one.

    The layout of the figure must be settled. Points with the fewest free places near them come first; a name that
    stands far from its point is joined to it by a line.

    Args:
        ax: the axes.
        x, y: of the points.
        names: theirs.
    """
    pixels = ax.figure.dpi / 72
    centres = ax.transData.transform(np.column_stack([x, y]))
    taken = [_around(centre, POINT * pixels) for centre in centres]
    frame = ax.get_window_extent()
    bounds = (frame.x0, frame.y0, frame.x1, frame.y1)
    for i in _crowded_first(centres):
        text = ax.annotate(
            names[i], (x[i], y[i]), xytext=(0, 0), textcoords="offset points", fontsize=FONT, parse_math=False,
            in_layout=False,
        )  # fmt: skip
        extent = text.get_window_extent()
        places = [
            (_box(centres[i], side, step * pixels, extent.width, extent.height), side, step)
            for step, side in _tried()
        ]
        box, side, step = min(places, key=lambda place: _cost(place[0], taken, bounds))
        taken.append(box)
        text.set(position=(side[0] * step, side[1] * step), ha=ALIGNED[side[0]][0], va=ALIGNED[side[1]][1])
        if step > DISTANCES[0]:
            ax.annotate(
                "", (x[i], y[i]), xytext=(side[0] * step, side[1] * step), textcoords="offset points",
                arrowprops={"arrowstyle": "-", "linewidth": 0.4, "color": "#888888", "shrinkA": 0, "shrinkB": POINT},
                in_layout=False,
            )  # fmt: skip


def _tried() -> Iterator[tuple[int, tuple[int, int]]]:
    """Distances and sides, in the order in which they are liked."""
    return ((step, side) for step in DISTANCES for side in SIDES)


def _crowded_first(centres: Any) -> Sequence[int]:
    """Points by the distance to their nearest neighbour."""
    gaps = np.linalg.norm(centres[:, None] - centres[None], axis=-1)
    np.fill_diagonal(gaps, np.inf)
    nearest: Sequence[int] = np.argsort(gaps.min(axis=1), kind="stable").tolist()
    return nearest


def _around(centre: Any, half: float) -> Box:
    return (centre[0] - half, centre[1] - half, centre[0] + half, centre[1] + half)


def _box(centre: Any, side: tuple[int, int], step: float, width: float, height: float) -> Box:
    """Where a text of this size is, so many pixels to that side of a point."""
    left = centre[0] + side[0] * step - width * (1 - side[0]) / 2
    bottom = centre[1] + side[1] * step - height * (1 - side[1]) / 2
    return (left, bottom, left + width, bottom + height)


def _cost(box: Box, taken: Sequence[Box], bounds: Box) -> float:
    """Square pixels of it that are taken, or outside."""
    inside = _overlap(box, bounds)
    return sum(_overlap(box, other) for other in taken) + (box[2] - box[0]) * (box[3] - box[1]) - inside


def _overlap(one: Box, other: Box) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(width, 0.0) * max(height, 0.0)
