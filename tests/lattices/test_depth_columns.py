"""Depths of columns of lattices, found natively, against the depth of one lattice after the other."""

from __future__ import annotations

import math
import random

import pytest

import fstmetrics as fm
from fstmetrics._native import LatticeColumn
from fstmetrics.data.depth import DepthColumn
from fstmetrics.data.times import Durations, Times
from fstmetrics.io.formats import packed_lattices
from fstmetrics.io.items import Item, ReadOptions
from fstmetrics.io.writing import WriteOptions


def lattice(chance: random.Random, kind: str) -> fm.Lattice:
    """One with useless arcs, words and none, and times that may run backwards or be missing."""
    states = chance.randrange(2, 9)
    arcs = [(n, n + 1, chance.choice(["a", "b", ""])) for n in range(states - 1)]
    for _ in range(chance.randrange(12)):
        source = chance.randrange(states - 1)
        arcs.append((source, chance.randrange(source + 1, states), chance.choice(["a", "the", "<s>", ""])))
    arcs.append((0, states, "dead end"))
    sources, destinations, words = zip(*sorted(arcs), strict=True)
    times: Times | Durations | None = None
    if kind == "seconds":
        given = [chance.choice([0.0, chance.uniform(0, 9), n / 3, math.nan]) for n in range(states + 1)]
        times = Times(fm_array(given), "seconds")
    elif kind == "frames":
        times = Durations(fm_array([chance.randrange(5) for _ in arcs]).astype("int64"), "frames")
    return fm.Lattice.from_arrays(
        sources, destinations, words, finals=[states - 1], num_states=states + 1, id=f"u{chance.random()}", times=times
    )  # fmt: skip


def fm_array(values: list[float]):  # type: ignore[no-untyped-def]
    import numpy as np

    return np.array(values, dtype=np.float64)


def column_of(lattices: list[fm.Lattice]) -> LatticeColumn:
    data = b"".join(packed_lattices.write((Item(each.id, each) for each in lattices), WriteOptions()))
    [(column, _)] = packed_lattices._columns(memoryview(data), "packed", ReadOptions())
    assert not column.damaged
    return column


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kind", ["words", "frames", "seconds"])
def test_the_same_depths(kind: str, threads: int) -> None:
    chance = random.Random(kind)
    lattices = [lattice(chance, kind) for _ in range(200)]
    found = column_of(lattices).depths(threads)
    assert found is not None
    column = DepthColumn(found)
    assert [column[row] for row in range(200)] == [each.depth for each in lattices]
    for row, each in enumerate(lattices):
        assert column.most[row] == each.depth.max
        assert column.means[row] == each.depth.mean or math.isnan(each.depth.mean)
        assert column.spans[row] == (each.depth.times[-1] - each.depth.times[0] if each.depth.times else 0)


def test_a_cycle_is_left_to_the_other_way() -> None:
    cyclic = fm.Lattice.from_arcs([(0, 1, "a"), (1, 0, "b")], finals=[1], id="u")
    assert column_of([cyclic]).depths() is None
