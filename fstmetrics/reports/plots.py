"""Pictures, with matplotlib (the extra `plots`), which is imported when the first one is drawn.

`human_plot`: metrics against human scores. `null_plot`: what a test takes for chance, and the
difference that was found [G14 figs. 5, 6]. `significance_grid`: which system beats which [G14 figs. 7, 8].
`reliability_plot`: confidences against the share of correct words. `variants_plot`: how many orders of a sentence have
its BLEU [CB06 fig. 1]. `latency_plot`: quality against latency. A file's extension says its format: png, pdf, svg.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.support.errors import FstmetricsError, need
from fstmetrics.support.output import write_whole

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus_metric import Table
    from fstmetrics.significance.null_distributions import Distribution

# Size of one panel, in inches, and how many stand side by side.
PANEL, ROW = 3.6, 3
# Up to so many points have room for their names.
NAMED = 15
# Ink for points, for what is marked, and for the shades of a grid from the strictest level on.
BLUE, RED = "#2b6ca3", "#c23b22"
SHADES = ("#11406b", "#4a86b8", "#a9cbe4")
LEVELS = (0.01, 0.05, 0.1)
# A cell of a grid, and the room for its names, in inches.
CELL, MARGIN = 0.3, 1.3


@dataclass(frozen=True, eq=False)
class Points:
    """One panel of `human_plot`.

    Attributes:
        title: of the metric.
        metric, human: scores, shape [points] each, as they are.
        names: of the points, or None.
        remark: one line under the title, such as a coefficient.
        y_title: what the human scores are.
    """

    title: str
    metric: Table
    human: Table
    names: Sequence[str] | None = None
    remark: str = ""
    y_title: str = "human score"


def human_plot(panels: Sequence[Points], path: str) -> None:
    """Metrics against human scores, a panel a metric.

    Raises:
        FstmetricsError: no panel, matplotlib is not installed, or the file cannot be written.
    """
    figure, axes = _panels(len(panels))
    for points, ax in zip(panels, axes, strict=True):
        many = len(points.metric) > NAMED
        ax.scatter(
            points.metric,
            points.human,
            s=8 if many else 24,
            alpha=0.35 if many else 1,
            color=BLUE,
            linewidths=0,
        )
        ax.margins(x=0.1, y=0.1)
        ax.set_xlabel(points.title, parse_math=False)
        ax.set_ylabel(points.y_title, parse_math=False)
        ax.set_title(points.remark, fontsize=9, parse_math=False)
    figure.draw_without_rendering()  # so that it is known where the points are
    for points, ax in zip(panels, axes, strict=True):
        if points.names is not None and len(points.metric) <= NAMED:
            place_names(ax, points.metric, points.human, points.names)
    _save(figure, path)


def separation_plot(found: Sequence[Any], path: str) -> None:
    """Mean distances of people and machines from the perfect score as bars, a panel a metric [H12 table 2].

    Args:
        found: a panel each: `metric`, the means `human` and `machine`, and their `quotient`.
        path: the file.

    Raises:
        FstmetricsError: as `human_plot`.
    """
    figure, axes = _panels(len(found), PANEL * 0.7)
    for each, ax in zip(found, axes, strict=True):
        bars = ax.bar(["people", "machines"], [each.human, each.machine], color=[RED, BLUE], width=0.6)
        ax.bar_label(bars, fmt="{:.4g}", fontsize=9)
        ax.margins(y=0.1)
        ax.set_title(f"{each.metric}\nm/h {each.quotient:.2f}", fontsize=9, parse_math=False)
    axes[0].set_ylabel("distance from perfect")
    _save(figure, path)


def null_plot(panels: Sequence[Distribution], path: str, x_title: str = "score difference") -> None:
    """Histograms of resampled differences side by side, the actual one marked and the count printed [G14 figs. 5, 6].

    Args:
        panels: what `significance.distributions` finds.
        path: the file.
        x_title: what the differences are.

    Raises:
        FstmetricsError: as `human_plot`.
    """
    figure, axes = _panels(len(panels))
    for null, ax in zip(panels, axes, strict=True):
        ax.hist(null.differences, bins=50, color=BLUE, alpha=0.75)
        for line in [null.line, -null.line] if null.two_sided and null.line else [null.line]:
            ax.axvline(line, color=RED, linewidth=1.2)
        ax.set_title(f"{null.test}\nc = {null.count} of {len(null.differences)}", fontsize=9)
        ax.set_xlabel(x_title)
        ax.set_ylabel("resamples")
    _save(figure, path)


def significance_grid(
    systems: Sequence[str],
    grids: Mapping[str, Mapping[tuple[str, str], tuple[float, float]]],
    path: str,
) -> None:
    """Which system beats which: a cell is dark where its row is better than its column, and significantly so.

    Args:
        systems: names, the best first.
        grids: by title (of a metric, a test or people), the difference second minus first, positive where the second
            is better, and p of each pair: what `pairwise_tests` finds.
        path: the file.

    Raises:
        FstmetricsError: as `human_plot`.
    """
    colours = need("matplotlib.colors", "a plot", "plots")
    patches = need("matplotlib.patches", "a plot", "plots")
    figure, axes = _panels(len(grids), CELL * len(systems) + MARGIN, CELL * len(systems) + MARGIN)
    shades = colours.ListedColormap([*SHADES[: len(LEVELS)], "white"])
    for (title, tests), ax in zip(grids.items(), axes, strict=True):
        ax.imshow(_cells(systems, tests), cmap=shades, vmin=-0.5, vmax=len(LEVELS) + 0.5)
        ax.set_xticks(range(len(systems)), systems, rotation=90, fontsize=7, parse_math=False)
        ax.set_yticks(range(len(systems)), systems, fontsize=7, parse_math=False)
        ax.set_xticks(np.arange(len(systems)) - 0.5, minor=True)
        ax.set_yticks(np.arange(len(systems)) - 0.5, minor=True)
        ax.grid(which="minor", color="#cccccc", linewidth=0.6)
        ax.tick_params(which="both", length=0)
        ax.set_title(title, fontsize=9, parse_math=False)
    keys = [patches.Patch(facecolor=SHADES[i], label=f"p < {level:g}") for i, level in enumerate(LEVELS)]
    title = "row better than column"
    figure.legend(
        handles=keys, loc="outside lower center", ncols=3, fontsize=7, title=title, title_fontsize=7
    )
    _save(figure, path)


def _cells(systems: Sequence[str], tests: Mapping[tuple[str, str], tuple[float, float]]) -> Table:
    """The number of the strictest level at which the row beats the column; that of levels where it does not."""
    cells = np.full((len(systems), len(systems)), float(len(LEVELS)))
    place = {name: i for i, name in enumerate(systems)}
    for (one, other), (delta, p) in tests.items():
        better, worse = (other, one) if delta > 0 else (one, other)
        cells[place[better], place[worse]] = next(
            (i for i, level in enumerate(LEVELS) if p < level), len(LEVELS)
        )
    return cells


def variants_plot(points: Sequence[tuple[int, int]], path: str) -> None:
    """How many orders of each sentence have the same BLEU or better, against its length [CB06 fig. 1].

    Args:
        points: words, and the number of orders, of each sentence. The numbers are exact and may be of any size:
            it is their logarithms that are drawn.
        path: the file.

    Raises:
        FstmetricsError: as `human_plot`, or a number of orders below 1.
    """
    if any(orders < 1 for _, orders in points):
        raise FstmetricsError("a sentence has at least one order, its own")
    if not points:
        raise FstmetricsError("there is nothing to draw")
    ticker = need("matplotlib.ticker", "a plot", "plots")
    figure, (ax,) = _panels(1, width=1.5 * PANEL)
    words, orders = zip(*points, strict=True)
    ax.scatter(words, [math.log10(number) for number in orders], s=10, alpha=0.5, color=BLUE, linewidths=0)
    ax.yaxis.set_major_locator(ticker.MaxNLocator(integer=True))
    ax.yaxis.set_major_formatter(lambda exponent, position: f"$10^{{{exponent:.0f}}}$")
    ax.set_xlim(left=0)
    ax.set_ylim(bottom=min(-0.5, -0.02 * ax.get_ylim()[1]))
    ax.set_xlabel("sentence length (words)")
    ax.set_ylabel("orders of equal or better BLEU")
    _save(figure, path)


@dataclass(frozen=True)
class LatencyPoint:
    """A system of `latency_plot`.

    Attributes:
        system: what it is called.
        measure: the latency: `yaal`, or `yaal_ca` with the time of computing.
        latency: its value.
        metric: the quality.
        quality: its value.
        latency_interval, quality_interval: the ends of their intervals, or None.
    """

    system: str
    measure: str
    latency: float
    metric: str
    quality: float
    latency_interval: tuple[float, float] | None
    quality_interval: tuple[float, float] | None


def latency_plot(points: Sequence[LatencyPoint], path: str) -> None:
    """Quality against latency, with intervals; hollow points count the time of computing.

    Raises:
        FstmetricsError: as `human_plot`.
    """
    if not points:
        raise FstmetricsError("there is nothing to draw")
    figure, (ax,) = _panels(1, width=1.5 * PANEL)
    for point in points:
        computed = point.measure.endswith("_ca")
        ax.errorbar(
            point.latency,
            point.quality,
            xerr=_arms(point.latency, point.latency_interval),
            yerr=_arms(point.quality, point.quality_interval),
            fmt="o",
            color=RED if computed else BLUE,
            markerfacecolor="white" if computed else BLUE,
            elinewidth=0.8,
        )
    ax.margins(x=0.15, y=0.15)
    ax.set_xlabel("YAAL (hollow: with the time of computing)")
    ax.set_ylabel(points[0].metric, parse_math=False)
    figure.draw_without_rendering()
    x, y = (np.array(values) for values in zip(*((p.latency, p.quality) for p in points), strict=True))
    place_names(ax, x, y, [point.system for point in points])
    _save(figure, path)


def _arms(value: float, interval: tuple[float, float] | None) -> Table | None:
    """How far an interval goes to both sides of a value, shape [2, 1]."""
    return (
        None
        if interval is None
        else np.array([[max(0.0, value - interval[0])], [max(0.0, interval[1] - value)]])
    )


def reliability_plot(found: Any, path: str) -> None:
    """The share of correct words in each bin of confidences, the diagonal of perfect confidences, and how many words.

    Args:
        found: what `calibration` finds.
        path: the file.

    Raises:
        FstmetricsError: there are no words; or as `human_plot`.
    """
    if not found.words:
        raise FstmetricsError("there is nothing to draw: no hypothesis has a word")
    figure, (curve, counts) = _panels(2)
    some = [each for each in found.bins if each.words]
    curve.plot([0, 1], [0, 1], color=RED, linewidth=1)
    curve.plot(
        [each.confidence for each in some],
        [each.accuracy for each in some],
        color=BLUE,
        marker="o",
        markersize=4,
    )
    curve.set_xlim(0, 1)
    curve.set_ylim(0, 1.02)
    curve.set_xlabel("mean confidence")
    curve.set_ylabel("share of correct words")
    curve.set_title(f"NCE {found.nce:.3f}, ECE {found.ece:.4f}", fontsize=9)
    width = 1 / len(found.bins)
    counts.bar(
        [each.low for each in found.bins],
        [each.words for each in found.bins],
        width,
        align="edge",
        color=BLUE,
    )
    counts.set_xlim(0, 1)
    counts.set_xlabel("confidence")
    counts.set_ylabel("words")
    counts.set_title(f"{found.words} words, {found.accuracy:.1%} correct", fontsize=9, parse_math=False)
    _save(figure, path)


def _panels(number: int, width: float = PANEL, height: float = PANEL) -> tuple[Any, list[Any]]:
    """A figure that belongs to no window, and so many panels of this size, in rows."""
    if not number:
        raise FstmetricsError("there is nothing to draw")
    figures = need("matplotlib.figure", "a plot", "plots")
    columns = min(number, ROW)
    rows = -(-number // columns)
    figure = figures.Figure(figsize=(width * columns, height * rows), layout="constrained")
    axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    for ax in axes[number:]:
        ax.set_axis_off()
    for ax in axes[:number]:
        ax.spines[["top", "right"]].set_visible(False)
    return figure, axes[:number]


def check_pictures(*paths: str | None) -> None:
    """Raise an FstmetricsError for a path whose ending names no picture, or if none can be drawn."""
    for path in filter(None, paths):
        picture_kind(path)


def picture_kind(path: str) -> str:
    """The format that a file's extension says: `png`, `pdf`, `svg` or another that matplotlib knows.

    Raises:
        FstmetricsError: it says none, or matplotlib is not installed.
    """
    known = need("matplotlib.backend_bases", "a plot", "plots").FigureCanvasBase.get_supported_filetypes()
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in known:
        raise FstmetricsError(f"{path}: a picture's extension says its format: .png, .pdf or .svg")
    return kind


def _save(figure: Any, path: str) -> None:
    """Draw it all before anything is written."""
    kind = picture_kind(path)
    drawn = io.BytesIO()
    # Without the date, the same picture is the same file.
    dated = {"pdf": "CreationDate", "svg": "Date"}.get(kind)
    figure.savefig(drawn, format=kind, dpi=150, metadata={dated: None} if dated else None)
    write_whole(path, drawn.getvalue())


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
            for step, side in product(DISTANCES, SIDES)  # in the order in which they are liked
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
