"""Cuts of documents against the definition, by both kernels."""

from __future__ import annotations

import random

import numpy as np
import pytest
from slow_segments import Words, all_cuts, table_cuts

from fstmetrics import _native

Segments = list[list[Words]]


def by_strings(hypothesis: Words, segments: Segments) -> tuple[list[int], int]:
    cuts, edits = _native.cuts_of_strings([own[0] for own in segments], [hypothesis])
    return cuts.tolist(), edits


def by_graphs(hypothesis: Words, segments: Segments) -> tuple[list[int], int]:
    firsts, starts, arcs = [0], [], []
    for own in segments:
        start = state = firsts[-1]
        ends = []
        for reference in own:
            last = start
            for word in reference:
                state += 1
                arcs.append((last, ord(word), state))
                last = state
            ends.append(last)
        arcs += [(end, 0, state + 1) for end in ends]
        starts.append(start)
        firsts.append(state + 2)
    columns = np.array(arcs, dtype=np.int32).reshape(-1, 3).T
    words = np.array([ord(word) for word in hypothesis], dtype=np.int32)
    sources, labels, destinations = (np.ascontiguousarray(column) for column in columns)
    integers = [np.array(each, dtype=np.int32) for each in (firsts, starts)]
    cuts, edits = _native.cuts_of_graphs(*integers, sources, labels, destinations, words)
    return cuts.tolist(), edits


def drawn(rng: random.Random, letters: str, most: int) -> Words:
    return tuple(rng.choice(letters) for _ in range(rng.randint(0, most)))


@pytest.mark.parametrize("seed", range(4))
def test_cuts_are_those_of_the_definition(seed: int) -> None:
    rng = random.Random(seed)
    several = 0
    for _ in range(300):
        letters = rng.choice(["ab", "abcd"])
        hypothesis = drawn(rng, letters, 7)
        segments = [[drawn(rng, letters, 3)] for _ in range(rng.randint(1, 4))]
        expected = all_cuts(hypothesis, segments)
        assert by_strings(hypothesis, segments) == expected, (hypothesis, segments)
        assert by_graphs(hypothesis, segments) == expected, (hypothesis, segments)
        segments = [[*own, *(drawn(rng, letters, 3) for _ in range(rng.randint(0, 2)))] for own in segments]
        several += max(map(len, segments)) > 1
        assert by_graphs(hypothesis, segments) == all_cuts(hypothesis, segments), (hypothesis, segments)
    assert several > 100


def test_long_documents_have_the_cuts_of_a_table_and_of_the_other_kernel() -> None:
    rng = random.Random(5)
    for _ in range(25):
        letters = rng.choice(["ab", "abcdefghijklmnop"])
        segments = [[drawn(rng, letters, 6)] for _ in range(rng.randint(1, 6))]
        said = [word for own in segments for word in own[0] if rng.random() < 0.8]
        hypothesis = tuple(rng.choice(letters) if rng.random() < 0.3 else word for word in said)
        assert by_strings(hypothesis, segments) == table_cuts(hypothesis, segments)
    for size in (70, 400):
        for share in (0.0, 0.5, 0.95):
            words = drawn(rng, "abcdefghijklmnop" * 9, size)
            segments = [[words[at : at + 7]] for at in range(0, len(words), 7)] or [[()]]
            said = [word for word in words if rng.random() >= share]
            hypothesis = tuple(rng.choice("abcdefgh") if rng.random() < 0.3 else word for word in said)
            assert by_strings(hypothesis, segments) == by_graphs(hypothesis, segments)
            # The shorter string may be on either side.
            more = tuple(word for word in hypothesis for _ in range(3))
            assert by_strings(more, segments) == by_graphs(more, segments)


def test_equal_cuts_are_the_earliest() -> None:
    # x stands between both; a word more belongs to the later segment.
    assert by_strings(("a", "x", "b"), [[("a",)], [("b",)]]) == ([0, 1, 3], 1)
    assert by_strings(("a", "b"), [[("b",)], [("a",)]]) == ([0, 0, 2], 2)
    assert by_strings(("a",), [[()], [("a",)], [()]]) == ([0, 0, 1, 1], 0)
    assert by_strings((), [[("a",)], [()]]) == ([0, 0, 0], 1)
    assert by_strings(("a", "b"), [[()], [()]]) == ([0, 0, 2], 2)


def test_a_wildcard_takes_words_and_a_cycle_is_refused() -> None:
    def found(arcs: list[tuple[int, int, int]], words: str) -> tuple[list[int], int]:
        integers = [np.array(each, dtype=np.int32) for each in ([0, 3, 5], [0, 3])]
        columns = np.array(arcs, dtype=np.int32).T
        hypothesis = np.array([ord(word) for word in words], dtype=np.int32)
        cuts, edits = _native.cuts_of_graphs(*integers, *map(np.ascontiguousarray, columns), hypothesis)
        return cuts.tolist(), edits

    second = (3, ord("z"), 4)
    anything = [(0, ord("a"), 1), (1, -1, 1), (1, 0, 2), second]
    assert found(anything, "axyz") == ([0, 3, 4], 0)
    assert found(anything, "xyz") == ([0, 2, 3], 1)
    with pytest.raises(ValueError, match="has a cycle"):
        found([(0, ord("a"), 1), (1, ord("b"), 0), (1, 0, 2), second], "a")
    with pytest.raises(ValueError, match="has no path"):
        found([(0, ord("a"), 1), (1, ord("b"), 1), second], "a")
