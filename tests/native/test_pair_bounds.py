"""Lower bounds of the edits between texts, and edits within a limit."""

from __future__ import annotations

import random

import numpy as np
import pytest

import fstmetrics as fm
from fstmetrics._native import PairBounds
from fstmetrics.engine.search import COUNTS_ONLY, SearchOptions, searched
from fstmetrics.metrics import as_metric

WER = as_metric("wer")


def changed(chance: random.Random, words: list[str], text: list[str], share: float) -> list[str]:
    """A text with errors, and now and then with a stretch moved or repeated."""
    found = []
    for word in text:
        what = chance.random() / share if share else 3
        found += [chance.choice(words)] * (what < 0.7) + [word] * (what > 0.4)
    for _ in range(chance.choice([0, 0, 1, 3])):
        begin, place = chance.randrange(len(text)), chance.randrange(len(text))
        stretch = found[begin : begin + chance.randrange(300)]
        if chance.random() < 0.5:
            del found[begin : begin + len(stretch)]
        found[place:place] = stretch
    return found


def texts(seed: int, most: int) -> tuple[list[str], list[str]]:
    chance = random.Random(seed)
    words = [f"w{number}" for number in range(chance.choice([1, 3, 30, 3000]))]
    text = chance.choices(words, k=chance.randint(1, most))
    if chance.random() < 0.3:
        text = (text[: chance.randint(1, 40)] * most)[: len(text)]
    other = changed(chance, words, text, chance.choice([0, 0.02, 0.1, 0.4, 1]))
    return (text, other) if chance.random() < 0.5 else (other, text)


@pytest.mark.parametrize("most", [3, 60, 200, 2500])
@pytest.mark.parametrize("seed", range(25))
def test_bounds_are_right(most: int, seed: int) -> None:
    hypothesis, reference = texts(seed, most)
    edits = searched(None, [hypothesis], [reference], WER, 1, COUNTS_ONLY).counts(0, 0)[0]
    bounds = PairBounds([hypothesis], [reference])
    assert (bounds.hypothesis_words[0], bounds.reference_words[0]) == (len(hypothesis), len(reference))
    assert abs(len(hypothesis) - len(reference)) <= bounds.least(np.array([[0, 0]]))[0] <= edits
    for limit in {0, 1, edits // 2, max(edits - 1, 0), edits, edits + 1, len(hypothesis), 10 * most}:
        least, expected = bounds.within(np.array([[0, 0, limit]]))[0]
        if edits <= limit:
            assert (least, expected) == (edits, edits)
        else:
            assert limit < least <= edits
            assert expected > limit


def test_words_that_the_other_text_lacks_are_edits() -> None:
    bounds = PairBounds(["a b c d e f g h", ""], [["a", "b", "x", "c", "d", "f", "e", "h"], "u v"])
    pairs = [(hypothesis, reference) for hypothesis in range(2) for reference in range(2)]
    assert bounds.least(np.array(pairs)).tolist() == [3, 8, 8, 2]


def test_pairs_are_those_of_the_lists() -> None:
    bounds = PairBounds(["a"], ["a", "b"])
    for wrong in ([[1, 0]], [[0, 2]], [[-1, 0]], [[0, 0, 1]]):
        with pytest.raises(ValueError, match="a row has 2 numbers"):
            bounds.least(np.array(wrong))
    with pytest.raises(TypeError, match="bounds are of texts"):
        PairBounds([(("a",), ("b",))], ["a"])


@pytest.mark.parametrize("seed", range(40))
def test_long_strings_have_the_counts_of_rows(seed: int) -> None:
    """Those that are searched within a limit, which words that one of them lacks make narrow."""
    chance = random.Random(seed)
    words = [f"w{number}" for number in range(chance.choice([2, 10, 100, 3000]))]
    text = chance.choices(words, k=chance.randint(1200, 2500))
    other = changed(chance, words, text, chance.choice([0.01, 0.1, 0.4]))
    sides = [" ".join(text)], [" ".join(other)]
    expected = searched(None, *sides, WER, 1, SearchOptions("unit-rows", alignment=False)).counts(0, 0)
    for alignment in (False, True):
        options = SearchOptions("string-pair", alignment=alignment)
        assert searched(None, *sides, WER, 1, options).counts(0, 0) == expected
    result = fm.align(*(side[0] for side in sides))
    assert [pair.hypothesis for pair in result.alignment if pair.hypothesis is not None] == text
    assert [pair.reference for pair in result.alignment if pair.reference is not None] == other
    assert sum(pair.op != "=" for pair in result.alignment) == result.edits
