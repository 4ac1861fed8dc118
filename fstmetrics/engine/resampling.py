"""Resamples as sums of statistics: `Resampling`, `bootstrap_sums`, `chosen_sums` and `poisson_sums`; and the
confidence intervals of scores and of differences that they give: `interval_of`.

A resample is a row of weights, one an item, and its statistics are weights @ statistics: a matrix product for many
resamples, systems and metrics at once. Text is never looked at again.

Random numbers are those of numpy's PCG64: row b of the weights takes the outputs of `PCG64(seed).jumped(b)`. So a row
depends on the seed, on b and on the number of items, and on nothing else: neither on the other systems and metrics, nor
on the number of resamples, on threads or on the machine. Whole-numbered statistics are summed exactly.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics import _native
from fstmetrics.engine.item_tables import ItemTable
from fstmetrics.support.arguments import whole_number
from fstmetrics.support.limits import MOST_SAMPLES

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus_metric import Table

    Weights = npt.NDArray[np.uint8]
    Numbers = npt.NDArray[Any]
    Kind = type[np.float32] | type[np.float64]

Draw = Callable[..., None]
Progress = Callable[[int], None]

# Weights held at once, a byte each; and of many items at least so many resamples, as long as these fit.
BLOCK = 4_000_000
TOGETHER, MOST = 12, 128_000_000
# Up to so many items are multiplied with their weights at once. Of more, whole numbers are in tiles of so many items,
# columns and resamples, few enough for one thread, as several would wait for each other; other numbers so many at once.
FEW_ITEMS, MANY_ITEMS = 1 << 14, 1 << 18
TILE_ITEMS, TILE_COLUMNS, TILE_SAMPLES = 512, 32, 16
# Statistics that are floating-point numbers at the same time.
CELLS = 1 << 20
# Weights of a Poisson bootstrap that are drawn at once.
POISSON_ITEMS, POISSON_SAMPLES = 1 << 14, 1 << 8
# A Poisson resample of more items has one; with so many, none is drawn with a probability of e^-64.
SURELY_DRAWN = 64
# Whole numbers up to here are exact in single precision.
EXACT_SINGLE = 2**24
# More than an item is ever drawn, nearly.
USUAL_WEIGHT = 12
# The share of resamples that lies within an interval.
CONFIDENCE = 0.95
# Items, or speakers, below which the bootstrap tells no difference from chance. An exact test of five pairs cannot have
# a p below 2 / 2^5 = .0625, while resamples of a few differences of one sign all have that sign.
FEWEST_RESAMPLED = 6


@dataclass(frozen=True)
class Resampling:
    """How many resamples, and of which seed.

    Raises:
        FstmetricsError: fewer than one resample, or a negative seed.
    """

    samples: int = 10_000
    seed: int = 1
    threads: int = 0

    def __post_init__(self) -> None:
        for name, least, most in (("samples", 1, MOST_SAMPLES), ("seed", 0, None), ("threads", 0, None)):
            object.__setattr__(self, name, whole_number(getattr(self, name), name, least, most))

    @property
    def all_threads(self) -> int:
        """As many as are asked for; otherwise one for each CPU."""
        return self.threads or os.cpu_count() or 1

    @property
    def key(self) -> int:
        """The key of Philox4x32-10, from the seed: a number of 64 bits."""
        return int(np.random.SeedSequence(self.seed).generate_state(1, np.uint64)[0])

    def generator(self) -> npt.NDArray[np.uint64]:
        """State and increment of PCG64, high and low halves."""
        state = np.random.PCG64(self.seed).state["state"]
        words = [half for name in ("state", "inc") for half in divmod(int(state[name]), 2**64)]
        return np.array(words, dtype=np.uint64)


def bootstrap_sums(
    tables: Sequence[ItemTable | Table], resampling: Resampling, progress: Progress = lambda samples: None
) -> list[Table]:
    """Sums of statistics over resamples of items with replacement, the same items in every table.

    Args:
        tables: shape [items, columns] each, the same items in the same order.
        resampling: how many, and the seed.
        progress: told the number of resamples done, block by block.

    Returns:
        Shape [samples, columns] for each table.
    """
    return _weighted_sums(_native.draw_with_replacement, tables, resampling, progress)


def chosen_sums(
    tables: Sequence[ItemTable | Table], resampling: Resampling, progress: Progress = lambda samples: None
) -> list[Table]:
    """Sums of statistics of the items that are exchanged between two systems, each with probability 1/2.

    What a system gains from another one by the exchanges is the difference of their sums, so that all pairs of systems
    need no more products than there are systems.

    Args:
        tables: shape [items, columns] each, the same items in the same order.
        resampling: how many, and the seed.
        progress: told the number of resamples done, block by block.

    Returns:
        Shape [samples, columns] for each table.
    """
    return _weighted_sums(_native.toss_coins, tables, resampling, progress)


def _weighted_sums(
    draw: Draw, tables: Sequence[ItemTable | Table], resampling: Resampling, progress: Progress
) -> list[Table]:
    if not tables:
        return []
    known = _as_item_tables(tables)
    items = len(known[0])
    groups = _by_precision(known)
    sums = [np.zeros((resampling.samples, group.width)) for group in groups]
    rows = max(BLOCK // max(items, 1), min(TOGETHER, MOST // max(items, 1)), 1)
    weights: Weights = np.empty((min(rows, resampling.samples), items), dtype=np.uint8)
    for first in range(0, resampling.samples, len(weights)):
        block = weights[: resampling.samples - first]
        draw(resampling.generator(), first, resampling.all_threads, block)
        for found, group in zip(sums, groups, strict=True):
            group.add(block, 0, found[first : first + len(block)])
        progress(len(block))
    return _in_order(known, groups, sums)


def poisson_sums(
    tables: Sequence[ItemTable | Table],
    resampling: Resampling,
    progress: Progress = lambda samples: None,
    places: range | None = None,
    items: int | None = None,
) -> list[Table]:
    """Sums of statistics over resamples in which each item comes as often as a Poisson number of mean 1 says.

    The Poisson bootstrap (Hanley and MacGibbon 2006; Chamandy et al. 2012): the number of items of a resample varies
    around that of all items. A weight depends on the seed, the number of the resample and the place of the item alone,
    so that the sums of parts of a corpus, each found apart, add up to those of all of it. A resample without any item
    has no score: it is left out, and another one drawn.

    Args:
        tables: shape [items, columns] each, the same items in the same order.
        resampling: how many, and the seed.
        progress: told the number of resamples done, as far as the items go.
        places: of the items in the whole corpus; None: they are all of it.
        items: how many the whole corpus has, with `places`; None: enough that each resample has one.

    Returns:
        Shape [samples, columns] for each table.

    >>> table = np.array([[1.0, 4.0], [0.0, 5.0], [2.0, 3.0]])
    >>> [whole] = poisson_sums([table], Resampling(50))
    >>> [one], [rest] = (poisson_sums([table[n::2]], Resampling(50), places=range(n, 3, 2), items=3) for n in (0, 1))
    >>> bool((one + rest == whole).all())
    True
    """
    if not tables:
        return []
    known = _as_item_tables(tables)
    numbers = range(len(known[0])) if places is None else places
    groups = _by_precision(known)
    everything = len(numbers) if places is None else items
    kept = None if everything is None else _with_items(resampling, everything)
    samples, told = resampling.samples if kept is None else int(kept[-1]) + 1, 0
    sums = [np.zeros((samples, group.width)) for group in groups]
    for begin in range(0, len(numbers), POISSON_ITEMS):
        some = numbers[begin : begin + POISSON_ITEMS]
        for first in range(0, samples, POISSON_SAMPLES):
            weights: Weights = np.empty((min(POISSON_SAMPLES, samples - first), len(some)), dtype=np.uint8)
            _native.draw_poisson(
                resampling.key, first, some.start, some.step, resampling.all_threads, weights
            )
            for found, group in zip(sums, groups, strict=True):
                group.add(weights, begin, found[first : first + len(weights)])
        done = resampling.samples * (begin + len(some)) // len(numbers)
        progress(done - told)
        told = done
    return _in_order(known, groups, sums if kept is None else [found[kept] for found in sums])


def _with_items(resampling: Resampling, items: int) -> npt.NDArray[np.intp] | None:
    """The numbers of the first Poisson resamples that have an item, as many as are wanted; None: all have one."""
    if not 0 < items <= SURELY_DRAWN:
        return None
    kept: list[npt.NDArray[np.intp]] = []
    wanted, first = resampling.samples, 0
    while wanted > 0:
        weights: Weights = np.empty((POISSON_SAMPLES, items), dtype=np.uint8)
        _native.draw_poisson(resampling.key, first, 0, 1, resampling.all_threads, weights)
        kept.append(first + np.flatnonzero(weights.any(axis=1))[:wanted])
        wanted, first = wanted - len(kept[-1]), first + POISSON_SAMPLES
    return np.concatenate(kept)


def _as_item_tables(tables: Sequence[ItemTable | Table]) -> list[ItemTable]:
    return [table if isinstance(table, ItemTable) else ItemTable(table) for table in tables]


def _in_order(tables: Sequence[ItemTable], groups: Sequence[_Group], sums: Sequence[Table]) -> list[Table]:
    """The sums of each table, from those of groups."""
    parts: list[Table] = [np.empty(0)] * len(tables)
    for found, group in zip(sums, groups, strict=True):
        ends = np.cumsum([tables[i].width for i in group.members])
        for i, part in zip(group.members, np.split(found, ends[:-1], axis=1), strict=True):
            parts[i] = part
    return parts


class _Group:
    """Tables side by side, whose products are of one precision.

    Args:
        tables: the tables, by their places among all.
        kind: what their numbers become; single precision is twice as fast.
        size: items that are multiplied at once.
        largest: in single precision, no number of theirs is larger.

    Attributes:
        members: the places.
        width: columns of all.
    """

    def __init__(self, tables: Mapping[int, ItemTable], kind: Kind, size: int, largest: float) -> None:
        self.members = list(tables)
        self.width = sum(table.width for table in tables.values())
        self._tables, self._kind, self._size, self._largest = list(tables.values()), kind, size, largest
        self._items = len(self._tables[0])
        together = max(CELLS // max(self.width, 1) // size, 1) * size
        self._read: Numbers = np.empty((min(together, self._items), self.width), dtype=kind)
        self._is_read = False

    def add(self, weights: Weights, first: int, sums: Table) -> None:
        """Add some items by weight.

        Args:
            weights: of each item, shape [samples, items].
            first: the place of the first one.
            sums: what they are added to, shape [samples, columns].
        """
        end = first + weights.shape[1]
        for begin in range(first, end, max(len(self._read), 1)):
            rows = self._rows(begin, min(begin + len(self._read), end))
            of_rows = weights[:, begin - first : begin - first + len(rows)]
            most = int(of_rows.max(initial=0)) * min(self._size, self._items) * self._largest
            # Products of whole numbers are exact in it.
            kind = np.float64 if most >= EXACT_SINGLE else self._kind
            rows = rows.astype(kind, copy=False)
            tiled = len(rows) - len(rows) % TILE_ITEMS if self._size == TILE_ITEMS else 0
            if tiled:
                _add_tiles(of_rows[:, :tiled], rows[:tiled], sums)
            for at in range(tiled, len(rows), self._size):
                part = slice(at, at + self._size)
                sums += np.asarray(of_rows[:, part].astype(kind) @ rows[part], dtype=np.float64)

    def _rows(self, begin: int, end: int) -> Numbers:
        """Some rows; all of them are read once, where there is room for them."""
        are_kept = len(self._read) == self._items
        first, last = (0, self._items) if are_kept else (begin, end)
        column = 0
        for table in self._tables if not self._is_read else ():
            self._read[: last - first, column : column + table.width] = table.raw(first, last)
            column += table.width
        self._is_read = are_kept
        return self._read[begin - first : end - first]


def _add_tiles(weights: Weights, rows: Numbers, sums: Table) -> None:
    """Add products of whole numbers, whose order is all the same."""
    count = len(rows) // TILE_ITEMS
    columns = rows.reshape(count, TILE_ITEMS, -1)
    for first in range(0, len(weights), TILE_SAMPLES):
        some = weights[first : first + TILE_SAMPLES]
        tiles = np.ascontiguousarray(some.reshape(-1, count, TILE_ITEMS).swapaxes(0, 1), dtype=rows.dtype)
        for column in range(0, rows.shape[1], TILE_COLUMNS):
            part = slice(column, column + TILE_COLUMNS)
            products = np.matmul(tiles, columns[:, :, part])
            sums[first : first + len(some), part] += products.sum(axis=0, dtype=np.float64)


def _by_precision(tables: Sequence[ItemTable]) -> list[_Group]:
    """Tables side by side: those whose sums are exact in single precision, other whole numbers, and the rest."""
    items = len(tables[0])
    size = FEW_ITEMS if items <= FEW_ITEMS else TILE_ITEMS
    single: dict[int, ItemTable] = {}
    double: dict[int, ItemTable] = {}
    broken: dict[int, ItemTable] = {}
    for i, table in enumerate(tables):
        fits = USUAL_WEIGHT * min(items, size) * table.extent.largest < EXACT_SINGLE
        (broken if not table.extent.is_whole else single if fits else double)[i] = table
    largest = max([table.extent.largest for table in single.values()], default=0.0)
    kinds: tuple[tuple[dict[int, ItemTable], Kind, int], ...] = (
        (single, np.float32, size), (double, np.float64, size), (broken, np.float64, MANY_ITEMS),
    )  # fmt: skip
    return [_Group(some, kind, size, largest) for some, kind, size in kinds if some]


def interval_of(
    resampled: Sequence[float] | npt.NDArray[np.float64], confidence: float = CONFIDENCE
) -> tuple[float, float] | None:
    """The percentile interval: as many resamples lie below as above (Efron and Tibshirani 1993, 13.3).

    Another kind of interval is another function of the same numbers. To let users choose one: a field of `Design`
    (significance/comparison.py), its option in commands/compare.py, and what `describe` of
    reports/comparison_report.py says of it. A kind that needs the items, too, has to be given their scores by its
    callers: significance/compare_statistics, engine/breakdown, scoring/stream_scores and apps/metaeval/resampled.

    Args:
        resampled: a score, or a difference, of each resample; at least one.
        confidence: the share of resamples that lies within.

    Returns:
        The two ends; None where a resample has no score, or an infinite one.

    >>> interval_of([1.0, 2.0, 3.0, 4.0, 5.0], 0.5)
    (2.0, 4.0)
    """
    if not np.isfinite(resampled).all():
        return None
    outside = (1 - confidence) / 2
    low, high = np.quantile(resampled, [outside, 1 - outside])
    return float(low), float(high)
