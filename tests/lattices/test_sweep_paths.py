"""The best path under each of many scales is that of each alone, also where not all fit into memory at once."""

from __future__ import annotations

import random

import pytest
from command import EXAMPLES

import fstmetrics as fm


def test_paths_under_many_scales_are_those_of_each() -> None:
    draw = random.Random(1)
    scales = [
        fm.Scales(draw.random() * 20, draw.choice([0.0, 0.1, 1.0]), draw.uniform(-9, 9)) for _ in range(50)
    ]
    for lattice in fm.Lattice.read_all(EXAMPLES / "oracle" / "lattices"):
        assert lattice.best_path_of_each(scales) == [lattice.best_path(each) for each in scales]
    assert lattice.best_path_of_each([]) == []


def test_scales_are_taken_in_turns_where_a_lattice_is_large() -> None:
    """A chain of 2^20 states leaves room for four scales at a time."""
    states = 2**20
    chain = list(range(states - 1))
    lattice = fm.Lattice.from_arrays(
        [*chain, 0, 0], [*(state + 1 for state in chain), 1, 1], ["", *[""] * (states - 2), "a", "b"],
        finals=[states - 1], costs=[(9.0, 9.0), *[(0.0, 0.0)] * (states - 2), (1.0, 2.0), (2.0, 1.0)],
    )  # fmt: skip
    scales = [fm.Scales(lm=weight) for weight in (0.5, 2, 0.1, 3, 0.2, 4, 0.3, 5, 0.4)]
    found = [path.words for path in lattice.best_path_of_each(scales)]
    assert found == [("b",) if each.lm < 1 else ("a",) for each in scales]


def test_a_cycle_is_refused() -> None:
    loop = fm.Lattice.from_arcs([(0, 0, "a"), (0, 1, "b")], finals=[1])
    with pytest.raises(fm.FstmetricsError, match="cycle"):
        loop.best_path_of_each([fm.Scales()])
