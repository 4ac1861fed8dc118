"""Utterances assigned to streams, and words aligned by time: the quick ways against the plain ones."""

from __future__ import annotations

import random

import numpy as np
import pytest

import fstmetrics as fm
from fstmetrics import _native
from fstmetrics._native import Automaton

MOST = 10**8


def string(words: list[int]) -> Automaton:
    arcs = [(number, number + 1, word) for number, word in enumerate(words)]
    return graph(arcs, len(words))


def graph(arcs: list[tuple[int, int, int]], last: int) -> Automaton:
    sources, destinations, labels = (
        np.array([arc[i] for arc in sorted(arcs)], dtype=np.int32) for i in range(3)
    )
    return Automaton(last + 1, 0, sources, labels, destinations, np.array([last], dtype=np.int32)).prepared()


def random_graph(rng: random.Random, most: int) -> Automaton:
    """A string, or a graph with epsilons; label 0 is no word."""
    if rng.random() < 0.6:
        return string([rng.randint(1, 3) for _ in range(rng.randint(0, most))])
    last = rng.randint(1, most)
    arcs = [(state, state + 1, rng.choice([0, 1, 1, 2, 3])) for state in range(last)]
    for _ in range(rng.randint(0, 4)):
        source = rng.randrange(last)
        arcs.append((source, rng.randint(source + 1, last), rng.choice([0, 1, 2, 3, 3])))
    return graph(arcs, last)


@pytest.mark.parametrize("seed", range(20))
def test_bounded_search_finds_what_tables_have(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(40):
        utterances = [random_graph(rng, 4) for _ in range(rng.randint(0, 5))]
        streams = [random_graph(rng, 6) for _ in range(rng.randint(1, 3))]
        for are_references in (True, False):
            ways = [
                _native.combine(utterances, streams, are_references, MOST, how)
                for how in ("tables", "bounded", "auto")
            ]
            assert ways[0][0] == ways[1][0] == ways[2][0]
            assert {len(way[1]) for way in ways} == {len(utterances)}


def meeting(rng: random.Random, utterances: int, streams: int) -> tuple[list[Automaton], list[Automaton]]:
    """Utterances, and the streams of a system that hears a fifth of the words wrongly."""
    said = [[rng.randint(1, 60) for _ in range(rng.randint(1, 8))] for _ in range(utterances)]
    heard: list[list[int]] = [[] for _ in range(streams)]
    for words in said:
        stream = heard[rng.randrange(streams)]
        for word in words:
            chance = rng.random()
            stream += (
                [word] if chance > 0.2 else [] if chance > 0.13 else [rng.randint(1, 60)] * rng.randint(1, 2)
            )
    return [string(words) for words in said], [string(words) for words in heard]


@pytest.mark.parametrize("seed", range(4))
def test_they_agree_on_meetings(seed: int) -> None:
    utterances, streams = meeting(random.Random(seed), 40, 2)
    tables, bounded = (_native.combine(utterances, streams, True, MOST, how) for how in ("tables", "bounded"))
    assert tables[0] == bounded[0]


def test_more_streams_than_tables_have_room_for() -> None:
    utterances, streams = meeting(random.Random(1), 60, 6)
    with pytest.raises(RuntimeError, match="needs tables of"):
        _native.combine(utterances, streams, True, MOST, "tables")
    (edits, length, matches, deletions), to = _native.combine(utterances, streams, True, MOST)
    assert 0 < edits < length
    assert matches + deletions <= length
    assert set(to) <= set(range(6))


def test_tables_that_are_not_all_kept_give_the_same_answer() -> None:
    utterances, streams = meeting(random.Random(2), 40, 2)
    cells = (streams[0].num_states) * (streams[1].num_states)
    whole = _native.combine(utterances, streams, True, MOST, "tables")
    assert _native.combine(utterances, streams, True, cells * 15, "tables")[0] == whole[0]
    with pytest.raises(RuntimeError, match=r"the limit is .* cells in all"):
        _native.combine(utterances, streams, True, cells * 3, "tables")


def test_the_bounded_search_keeps_to_the_limit() -> None:
    said = ["a b", "b a", "a a", "b b"] * 5
    for cells, limit in ((30, "30 cells"), (1, "1 cell")):
        with (
            fm.limited(cells=cells),
            pytest.raises(fm.SearchError, match=f"needs more than {limit}, the limit"),
        ):
            fm.orcwer({"A": "b b a a b", "B": "a b b a", "C": "b a"}, said)


def timed(rng: random.Random, most: int, spread: float) -> tuple[Automaton, np.ndarray, np.ndarray]:
    words = [rng.randint(1, 3) for _ in range(rng.randint(0, most))]
    begins = np.array(sorted(rng.randint(0, 20) for _ in words), dtype=float)
    if rng.random() < 0.3:
        rng.shuffle(begins)
    return string(words), begins, begins + np.array([rng.randint(0, 4) for _ in words]) + spread


def slow(reference: tuple, hypothesis: tuple) -> int:
    """The whole table."""
    (r, rb, re), (h, hb, he) = reference, hypothesis
    table = np.zeros((len(rb) + 1, len(hb) + 1), dtype=int)
    table[0], table[:, 0] = range(len(hb) + 1), range(len(rb) + 1)
    for i in range(len(rb)):
        for j in range(len(hb)):
            best = min(table[i, j + 1], table[i + 1, j]) + 1
            if rb[i] < he[j] and re[i] > hb[j]:
                best = min(best, table[i, j] + (r.labels[i] != h.labels[j]))
            table[i + 1, j + 1] = best
    return int(table[-1, -1])


@pytest.mark.parametrize("seed", range(10))
def test_the_part_of_a_table_near_overlaps_is_enough(seed: int) -> None:
    rng = random.Random(seed)
    pairs = [(timed(rng, 12, 0), timed(rng, 12, rng.choice([0, 1, 5]))) for _ in range(60)]
    found = _native.time_constrained([p[0] for p in pairs], [p[1] for p in pairs], MOST)
    assert found[:, 0].tolist() == [slow(*pair) for pair in pairs]
