"""The least deterministic automaton, against Brzozowski's construction and OpenFst."""

from __future__ import annotations

import random
from collections.abc import Iterable

import numpy as np
import pytest

from fstmetrics._native import Automaton

CASES = 400
Arcs = list[tuple[int, int, int]]


def automaton(states: int, start: int, arcs: Arcs, finals: Iterable[int]) -> Automaton:
    sources, labels, destinations = np.array(arcs, dtype=np.int32).reshape(-1, 3).T.copy()
    return Automaton(states, start, sources, labels, destinations, np.array(sorted(finals), dtype=np.int32))


def random_automaton(seed: int) -> tuple[int, int, Arcs, set[int]]:
    """States, start, arcs (source, label, destination) and ends; epsilons (0), calls (negative), circles, dead ends."""
    rng = random.Random(seed)
    states = rng.randint(1, 9)
    labels = [0, 1, 2, 5, -1][: rng.randint(2, 5)]
    acyclic = rng.random() < 0.5
    arcs = []
    for _ in range(rng.randint(0, 18)):
        source, to = rng.randrange(states), rng.randrange(states)
        if not acyclic or source < to:
            arcs.append((source, rng.choice(labels), to))
    return states, 0, arcs, {s for s in range(states) if rng.random() < 0.4}


def closure(states: Iterable[int], arcs: Arcs) -> frozenset[int]:
    found = set(states)
    while more := {to for source, label, to in arcs if label == 0 and source in found} - found:
        found |= more
    return frozenset(found)


def subsets(starts: set[int], arcs: Arcs, finals: set[int]) -> tuple[set[int], Arcs, set[int]]:
    """Sets of states that some string leads to; the empty set is left out. The start is state 0."""
    sets = [closure(starts, arcs)]
    found: Arcs = []
    for members in sets:  # which grows meanwhile
        for label in sorted({label for source, label, _ in arcs if source in members and label}):
            then = closure((to for source, word, to in arcs if source in members and word == label), arcs)
            if then not in sets:
                sets.append(then)
            found.append((sets.index(members), label, sets.index(then)))
    return {0}, found, {i for i, members in enumerate(sets) if members & finals}


def brzozowski(start: int, arcs: Arcs, finals: set[int]) -> tuple[Arcs, set[int]]:
    """Reversed and made deterministic, twice [Brzozowski 1962]; sets are numbered as a walk meets them, by labels."""
    starts, ends = {start}, finals
    for _ in range(2):
        backwards = [(to, label, source) for source, label, to in arcs]
        starts, arcs, ends = subsets(ends, backwards, starts)
    return sorted(arcs), ends


def rows(found: Automaton) -> tuple[Arcs, set[int]]:
    columns = (found.sources.tolist(), found.labels.tolist(), found.destinations.tolist())
    return list(zip(*columns, strict=True)), set(found.finals.tolist())


@pytest.mark.parametrize("first", range(0, CASES, 100))
def test_minimal_is_brzozowski_s(first: int) -> None:
    for seed in range(first, first + 100):
        states, start, arcs, finals = random_automaton(seed)
        least = automaton(states, start, arcs, finals).minimal(100_000)
        assert least is not None
        assert least.start == 0
        assert rows(least) == brzozowski(start, arcs, finals), seed


def test_minimal_is_openfst_s() -> None:
    """Up to the numbers of the states."""
    pynini = pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")
    from fstmetrics.io.formats.openfst_binary import vector_bytes

    for seed in range(CASES, CASES + 300):
        states, start, arcs, finals = random_automaton(seed)
        given = automaton(states, start, [arc for arc in arcs if arc[1] >= 0], finals)
        least = given.minimal(100_000)
        fst = pynini.determinize(pynini.Fst.read_from_string(vector_bytes(given)).rmepsilon()).minimize()
        if fst.num_states():
            assert least is not None
            assert pynini.isomorphic(fst, pynini.Fst.read_from_string(vector_bytes(least))), seed
        else:
            assert rows(least) == ([], set()), seed


def test_a_deterministic_automaton_that_is_too_large_is_not_made() -> None:
    """(a|b)* a (a|b)^n has 2^(n + 1) states when deterministic."""
    n = 12
    arcs = [(0, 1, 0), (0, 2, 0), (0, 1, 1), *((i, w, i + 1) for i in range(1, n + 1) for w in (1, 2))]
    given = automaton(n + 2, 0, arcs, [n + 1])
    assert given.minimal(2 ** (n + 1) - 1) is None
    least = given.minimal(2 ** (n + 1))
    assert least is not None
    assert least.num_states == 2 ** (n + 1)


def test_a_long_string_and_equal_ends_take_no_square_of_time() -> None:
    """Two strings of 100,000 words that differ in the first: one word apart, then shared."""
    n = 100_000
    arcs = [(0, 1, 1), (0, 2, n + 1)]
    arcs += [(s, 1 + s % 7, s + 1) for s in range(1, n)]
    arcs += [(n + s, 1 + s % 7, n + s + 1) for s in range(1, n)]
    least = automaton(2 * n + 1, 0, arcs, [n, 2 * n]).minimal(2 * n + 1)
    assert least is not None
    assert (least.num_states, least.num_arcs) == (n + 1, n + 1)
