"""Resamples as sums of statistics: `Resampling`, `bootstrap_sums`, `exchanged_sums` and `chosen_sums`.

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
from fstmetrics.scoring.item_tables import ItemTable
from fstmetrics.support.arguments import whole_number
from fstmetrics.support.limits import MOST_SAMPLES

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus import Table

    Weights = npt.NDArray[np.uint8]

Draw = Callable[..., None]
Progress = Callable[[int], None]

# Weights held at once, a byte each; and of many items at least so many resamples, as long as these fit.
BLOCK = 4_000_000
TOGETHER, MOST = 12, 128_000_000
# Items of which products of weights and statistics are made at once. Of whole numbers, whose products are exact, any
# number will do: so many that single precision is enough, from the fewest to the most.
FEWEST_ITEMS, FEW_ITEMS, MANY_ITEMS = 1 << 10, 1 << 14, 1 << 18
# Statistics that are floating-point numbers at the same time.
CELLS = 1 << 21
# Whole numbers up to here are exact in single precision.
EXACT_SINGLE = 2**24
# More than an item is ever drawn, nearly.
USUAL_WEIGHT = 12


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
        whole_number(self.samples, "samples", 1, MOST_SAMPLES)
        whole_number(self.seed, "seed", 0)
        whole_number(self.threads, "threads", 0)

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


def exchanged_sums(
    pairs: Sequence[tuple[Table, Table]],
    resampling: Resampling,
    progress: Progress = lambda samples: None,
) -> list[tuple[Table, Table]]:
    """Sums for both systems of a pair after each item is exchanged between them with probability 1/2.

    Args:
        pairs: tables of the two, shape [items, columns] each; the coins are the same for every pair.
        resampling: how many, and the seed.
        progress: told the number of resamples done, block by block.

    Returns:
        For each pair the sums of both after the exchanges, shape [samples, columns].
    """
    changes = [two - one for one, two in pairs]
    gained = _weighted_sums(_native.toss_coins, changes, resampling, progress)
    return [
        (one.sum(axis=0) + gain, two.sum(axis=0) - gain)
        for (one, two), gain in zip(pairs, gained, strict=True)
    ]


def chosen_sums(
    tables: Sequence[ItemTable | Table], resampling: Resampling, progress: Progress = lambda samples: None
) -> list[Table]:
    """Sums of statistics of those items that `exchanged_sums` exchanges, for each of many systems.

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
    known = [table if isinstance(table, ItemTable) else ItemTable(table) for table in tables]
    items = len(known[0])
    groups = _by_precision(known)
    sums = [np.empty((resampling.samples, group.width)) for group in groups]
    rows = max(BLOCK // max(items, 1), min(TOGETHER, MOST // max(items, 1)), 1)
    weights: Weights = np.empty((min(rows, resampling.samples), items), dtype=np.uint8)
    for first in range(0, resampling.samples, len(weights)):
        block = weights[: resampling.samples - first]
        draw(resampling.generator(), first, resampling.threads or os.cpu_count() or 1, block)
        for found, group in zip(sums, groups, strict=True):
            group.multiply(block, found[first : first + len(block)])
        progress(len(block))
    parts: list[Table] = [np.empty(0)] * len(known)
    for found, group in zip(sums, groups, strict=True):
        ends = np.cumsum([known[i].width for i in group.members])
        for i, part in zip(group.members, np.split(found, ends[:-1], axis=1), strict=True):
            parts[i] = part
    return parts


class _Group:
    """Tables side by side, whose products are of one precision.

    Args:
        tables: the tables.
        kind: what their numbers become; single precision is twice as fast.
        size: items of which products are made at once.
        largest: in single precision, no number of theirs is larger.

    Attributes:
        members: their places among all tables.
        width: columns of all.
    """

    def __init__(
        self, tables: Mapping[int, ItemTable], kind: type[np.floating[Any]], size: int, largest: float
    ) -> None:
        self.members = list(tables)
        self.width = sum(table.width for table in tables.values())
        self._tables, self._kind, self._largest, self._size = list(tables.values()), kind, largest, size
        self._items = len(self._tables[0])
        together = max(CELLS // max(self.width, 1) // size, 1) * size
        self._read: npt.NDArray[Any] = np.empty((min(together, self._items), self.width), dtype=kind)
        self._is_read = False

    def multiply(self, weights: Weights, sums: Table) -> None:
        """Sums of the items by weight.

        Args:
            weights: of each item, shape [samples, items].
            sums: what becomes the sums, shape [samples, columns].
        """
        sums[:] = 0.0
        for begin in range(0, self._items, max(len(self._read), 1)):
            rows = self._rows(begin)
            for at in range(0, len(rows), self._size):
                part = rows[at : at + self._size]
                of_part = weights[:, begin + at : begin + at + len(part)]
                sums += self._product(of_part, part)

    def _rows(self, begin: int) -> npt.NDArray[Any]:
        rows = self._read[: self._items - begin]
        if not self._is_read:
            column = 0
            for table in self._tables:
                rows[:, column : column + table.width] = table.raw(begin, begin + len(rows))
                column += table.width
            self._is_read = len(rows) == self._items
        return rows

    def _product(self, weights: Weights, rows: npt.NDArray[Any]) -> Table:
        kind = self._kind
        if kind is np.float32:
            heaviest = int(weights.max(initial=0))
            if heaviest * len(rows) * self._largest >= EXACT_SINGLE:
                kind, rows = np.float64, rows.astype(np.float64)
        found: Table = weights.astype(kind) @ rows
        return found


def _by_precision(tables: Sequence[ItemTable]) -> list[_Group]:
    """Tables side by side: those whose sums are exact in single precision, other whole numbers, and the rest."""
    single: dict[int, ItemTable] = {}
    double: dict[int, ItemTable] = {}
    broken: dict[int, ItemTable] = {}
    for i, table in enumerate(tables):
        fits = _items_fitting(table.largest) >= min(len(table), FEWEST_ITEMS)
        (broken if not table.is_whole else single if fits else double)[i] = table
    largest = max((table.largest for table in single.values()), default=0.0)
    few = min(FEW_ITEMS, max(_items_fitting(largest), 1))
    kinds = (single, np.float32, few), (double, np.float64, FEW_ITEMS), (broken, np.float64, MANY_ITEMS)
    return [_Group(some, kind, size, largest) for some, kind, size in kinds if some]


def _items_fitting(largest: float) -> int:
    """Of how many items with usual weights sums are exact in single precision."""
    return int((EXACT_SINGLE - 1) // (USUAL_WEIGHT * max(largest, 1.0))) if largest < EXACT_SINGLE else 0
