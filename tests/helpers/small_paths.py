"""Small files read: every path with its cost; whether two items are the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from written import rows

import fstmetrics as fm
from fstmetrics.data.lattice import Lattice
from fstmetrics.io import FORMATS, Item, ReadOptions, Source


def read(format: str, text: str, name: str = "f", symbols: Path | None = None) -> list[Item]:
    options = ReadOptions(None if symbols is None else str(symbols))
    return list(FORMATS[format].read(Source(name, text.encode()), options))


def paths(lattice: Lattice) -> Counter[tuple[tuple[str, ...], float]]:
    """Every accepting path of a small lattice: its words and its cost, both kinds added."""
    start, arcs, finals = rows(lattice)

    def walk(state: int, said: tuple[str, ...], cost: float) -> Iterator[tuple[tuple[str, ...], float]]:
        if state in finals:
            yield said, round(cost + sum(finals[state]), 6)
        for source, destination, word, *costs in arcs:
            if source == state:
                yield from walk(destination, (*said, word) if word else said, cost + sum(costs))

    return Counter(walk(start, (), 0.0))


def one(format: str, text: str, **more: Path) -> Counter[tuple[tuple[str, ...], float]]:
    (item,) = read(format, text, **more)
    return paths(item.value)


def same(one: Item, other: Item) -> bool:
    if one.id != other.id or type(one.value) is not type(other.value):
        return False
    if not isinstance(one.value, fm.Lattice):
        return bool(one.value == other.value)
    a, b = one.value.automaton, other.value.automaton
    columns = ("sources", "destinations", "labels", "finals", "arc_costs", "final_costs")
    return (
        one.value.symbols.words == other.value.symbols.words
        and (a.num_states, a.start) == (b.num_states, b.start)
        and all(np.array_equal(getattr(a, name), getattr(b, name)) for name in columns)
    )
