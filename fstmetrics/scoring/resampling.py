"""Resamples as sums of statistics: `Resampling`, `bootstrap_sums`, `exchanged_sums` and `chosen_sums`.

A resample is a row of weights, one an item, and its statistics are weights @ statistics: a matrix product for many
resamples, systems and metrics at once. Text is never looked at again.

Random numbers are those of numpy's PCG64: row b of the weights takes the outputs of `PCG64(seed).jumped(b)`. So a row
depends on the seed, on b and on the number of items, and on nothing else: neither on the other systems and metrics, nor
on the number of resamples, on threads or on the machine. Whole-numbered statistics are summed exactly.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics import _native
from fstmetrics.support.arguments import whole_number
from fstmetrics.support.limits import MOST_SAMPLES

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus import Table

    Weights = npt.NDArray[np.float32]

Draw = Callable[..., None]
Progress = Callable[[int], None]

# Weights held at once, 4 bytes each.
BLOCK = 4_000_000
# Whole numbers up to here are exact in single precision.
EXACT_SINGLE = 2**24


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
    tables: Sequence[Table], resampling: Resampling, progress: Progress = lambda samples: None
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
    tables: Sequence[Table], resampling: Resampling, progress: Progress = lambda samples: None
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
    draw: Draw, tables: Sequence[Table], resampling: Resampling, progress: Progress
) -> list[Table]:
    if not tables:
        return []
    items = len(tables[0])
    groups = _by_precision(tables)
    sums = {kind: np.empty((resampling.samples, table.shape[1])) for kind, (table, _) in groups.items()}
    rows = max(1, min(resampling.samples, BLOCK // max(items, 1)))
    weights: Weights = np.empty((rows, items), dtype=np.float32)
    for first in range(0, resampling.samples, rows):
        block = weights[: resampling.samples - first]
        draw(resampling.generator(), first, resampling.threads or os.cpu_count() or 1, block)
        for kind, (table, _) in groups.items():
            sums[kind][first : first + len(block)] = block.astype(kind, copy=False) @ table
        progress(len(block))
    found: list[Table] = [np.empty(0)] * len(tables)
    for kind, (_, members) in groups.items():
        ends = np.cumsum([tables[i].shape[1] for i in members])
        for i, part in zip(members, np.split(sums[kind], ends[:-1], axis=1), strict=True):
            found[i] = part
    return found


def _by_precision(tables: Sequence[Table]) -> dict[type, tuple[Table, list[int]]]:
    """Tables side by side: those whose sums are exact in single precision, which is twice as fast, and the others."""
    groups: dict[type, list[int]] = {}
    for i, table in enumerate(tables):
        whole = np.array_equal(table, np.rint(table))
        small = len(table) * np.abs(table).max(initial=0) < EXACT_SINGLE
        groups.setdefault(np.float32 if whole and small else np.float64, []).append(i)
    return {
        kind: (np.concatenate([tables[i] for i in members], axis=1).astype(kind), members)
        for kind, members in groups.items()
    }
