"""Beams, best paths and depth of lattices against enumeration."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from weighted_lattices import costly

import fstmetrics as fm
from fstmetrics.data.times import Times
from fstmetrics.lattices.weighted import weighted


@pytest.mark.parametrize("seed", range(150))
def test_a_beam_keeps_the_arcs_and_ends_of_good_paths(seed: int) -> None:
    rng = random.Random(seed)
    case, scales = costly(rng), fm.Scales(*rng.choice(((1.0, 1.0), (0.5, 2.0), (3.0, 0.0))))
    lm, acoustic = Fraction(scales.lm), Fraction(scales.acoustic)
    costs = [path.cost(lm, acoustic) for path in case.paths]
    beam = rng.choice((0.0, 0.5, 2.0, 5.0, math.inf))
    most = min(costs) + Fraction(min(beam, 10**6))
    good = [path for path, cost in zip(case.paths, costs, strict=True) if cost <= most]
    arcs = sorted({arc for path in good for arc in path.arcs})
    old, pruned = case.lattice.automaton, case.lattice.pruned(beam, scales)
    new = pruned.automaton
    assert new.arc_costs.tolist() == old.arc_costs[arcs].tolist()
    words = np.array(case.lattice.symbols.words, dtype=object)
    assert words[new.labels].tolist() == words[old.labels[arcs]].tolist()
    # Every path of the beam is there, with its cost.
    assert pruned.best_path(scales) == case.lattice.best_path(scales)._replace(
        arcs=pruned.best_path(scales).arcs
    )
    best: dict[tuple[str, ...], Fraction] = {}
    for path in good:
        best[path.words] = min(path.cost(lm, acoustic), best.get(path.words, path.cost(lm, acoustic)))
    found = {each.words: each.cost for each in pruned.best_paths(200, scales)}
    assert {words: found[words] for words in best} == {words: float(cost) for words, cost in best.items()}
    assert pruned.pruned(beam, scales).num_arcs == pruned.num_arcs


@pytest.mark.parametrize("seed", range(150))
def test_best_paths_are_distinct_exact_and_in_order(seed: int) -> None:
    case = costly(random.Random(seed))
    best = case.best_by_words()
    found = case.lattice.best_paths(5)
    assert len({path.words for path in found}) == len(found) == min(5, len(best))
    assert [path.cost for path in found] == sorted(map(float, best.values()))[:5]
    assert all(best[path.words] == path.cost for path in found)


def test_what_cannot_be_pruned_is_refused() -> None:
    line = fm.Lattice.from_arrays([0], [1], ["a"], finals=[1], costs=[(1, 0)])
    for beam in (-1.0, math.nan):
        with pytest.raises(fm.FstmetricsError, match="a beam is"):
            line.pruned(beam)
    for cost in (math.nan, -math.inf, math.inf):
        with pytest.raises(fm.FstmetricsError, match="lattice u1: arc 0 costs"):
            fm.Lattice.from_arrays([0], [1], ["a"], finals=[1], costs=[(cost, 0)], id="u1")
    loop = fm.Lattice.from_arcs([(0, 0, "a"), (0, 1, "a")], finals=[1])
    with pytest.raises(fm.FstmetricsError, match="cycle"):
        loop.pruned(1)
    with pytest.raises(fm.FstmetricsError, match="cycle"):
        _ = loop.depth
    with pytest.raises(fm.FstmetricsError, match="no path"):
        fm.Lattice.from_arcs([(0, 1, "a")], finals=[2]).pruned(1)
    with pytest.raises(fm.FstmetricsError, match="at least 1"):
        line.best_paths(0)


def test_masses_are_sums_over_paths() -> None:
    for seed in range(60):
        case = costly(random.Random(seed))
        whole = weighted(case.lattice)
        masses: Counter[tuple[str, ...]] = Counter()
        for path in case.paths:
            masses[path.words] += math.exp(-path.cost())  # type: ignore[assignment]
        assert whole.machine.log_mass(whole.costs) == pytest.approx(math.log(sum(masses.values())))
        label = {word: number for number, word in enumerate(whole.words)}
        sequences = [[label[word] for word in words] for words in masses]
        found = whole.machine.log_masses(whole.costs, [*sequences, [99] * 9])
        assert found[:-1] == pytest.approx([math.log(mass) for mass in masses.values()])
        assert found[-1] == -math.inf


def test_depth_counts_the_arcs_at_each_time() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        lattice = costly(rng).lattice
        useful = lattice.pruned(math.inf).automaton
        at = np.array([rng.choice((math.nan, *range(6))) for _ in range(lattice.num_states)])
        timed = fm.Lattice(lattice.automaton, lattice.symbols, times=Times(at, "frames")).pruned(math.inf)
        assert timed.times is not None
        of_state = timed.times.of_state  # type: ignore[union-attr]
        ends = zip(useful.sources, useful.destinations, strict=True)
        spans = [(of_state[a], of_state[b]) for a, b in ends]
        depth = timed.depth
        assert depth.untimed == sum(not a <= b for a, b in spans)
        for begin, end, arcs in zip(depth.times[:-1], depth.times[1:], depth.arcs, strict=True):
            assert arcs == sum(a <= begin and b >= end for a, b in spans)
        durations = sum(b - a for a, b in spans if a <= b)
        if depth.arcs:
            assert depth.mean == pytest.approx(durations / (depth.times[-1] - depth.times[0]))


def test_depth_by_words_where_there_are_no_times() -> None:
    arcs = [(0, 1, "a"), (0, 2, "b"), (1, 2, "c"), (2, 3, "d"), (0, 3, ""), (0, 9, "x")]
    lattice = fm.Lattice.from_arcs(arcs, finals=[3])
    depth = lattice.depth
    # "b" stands beside both "a" and "c"; the epsilon has no place, and "x" leads nowhere.
    assert (depth.unit, depth.times, depth.arcs, depth.max) == ("words", (0, 1, 2, 3), (2, 2, 1), 2)
    assert depth.mean == pytest.approx(5 / 3)
    with pytest.raises(fm.FstmetricsError, match="times for"):
        fm.Lattice(lattice.automaton, lattice.symbols, times=Times(np.zeros(3), "seconds"))
    silent = fm.Lattice.from_arcs([(0, 1, "")], finals=[1]).depth
    assert silent.arcs == ()
    assert math.isnan(silent.mean)
    assert silent.max == 0
