"""GTM: maximum matchings against all matchings, the greedy search against one that looks at everything, references."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics.metrics.gtm import match_size, runs

Words = Sequence[str]
Pairs = tuple[tuple[int, int], ...]


def text_of(references: Sequence[Words]) -> list[str]:
    """All references, with a border after each that equals no word."""
    return [word for k, ref in enumerate(references) for word in (*ref, f"<border {k}>")]


def matchings(words: Words, text: Words, i: int = 0, used: frozenset[int] = frozenset()) -> Iterator[Pairs]:
    """Every set of pairs of equal words in which each word is at most once."""
    if i == len(words):
        yield ()
        return
    yield from matchings(words, text, i + 1, used)
    for j, word in enumerate(text):
        if word == words[i] and j not in used:
            for rest in matchings(words, text, i + 1, used | {j}):
                yield ((i, j), *rest)


def run_lengths(matching: Pairs) -> list[int]:
    pairs = set(matching)
    found = []
    for i, j in matching:
        if (i - 1, j - 1) not in pairs:
            length = 1
            while (i + length, j + length) in pairs:
                length += 1
            found.append(length)
    return found


def size(lengths: Sequence[int], exponent: float) -> float:
    return float(sum(length**exponent for length in lengths) ** (1 / exponent))


def slow_greedy(words: Words, text: Words) -> list[int]:
    """The longest run of free words, looked for among all places, again and again."""
    here, there = set(range(len(words))), set(range(len(text)))
    found = []
    while True:
        best = (0, 0, 0)
        for i in here:
            for j in there:
                length = 0
                while i + length in here and j + length in there and words[i + length] == text[j + length]:
                    length += 1
                best = min(best, (-length, i, j))
        length, i, j = -best[0], best[1], best[2]
        if not length:
            return found
        here -= set(range(i, i + length))
        there -= set(range(j, j + length))
        found.append(length)


@cache
def cases(seed: int, longest: int, count: int) -> list[tuple[list[str], list[list[str]]]]:
    rng = random.Random(seed)

    def sentence() -> list[str]:
        return rng.choices("abc", k=rng.randint(0, longest))

    return [(sentence(), [sentence() for _ in range(rng.randint(1, 2))]) for _ in range(count)]


def test_exponent_one_is_the_maximum_over_all_matchings() -> None:
    for words, references in cases(1, 5, 150):
        best = max(len(matching) for matching in matchings(words, text_of(references)))
        assert match_size(words, references, 1) == best


def test_greedy_runs_are_those_of_a_search_through_everything() -> None:
    longer = 0
    for words, references in cases(2, 14, 300):
        found = runs(words, references)
        assert found == slow_greedy(words, text_of(references))
        longer += len(found) > 2
    assert longer > 50


def test_the_greedy_matching_is_a_matching_and_mostly_the_largest() -> None:
    equal = 0
    for words, references in cases(3, 5, 150):
        best = max(size(run_lengths(m), 2) for m in matchings(words, text_of(references)))
        found = match_size(words, references, 2)
        assert found <= best + 1e-9
        equal += found == pytest.approx(best)
    assert equal > 140


@pytest.mark.parametrize(
    ("hypothesis", "reference", "lengths"),
    [
        ("a b c d", "a b c d", [4]),
        ("c d a b", "a b c d", [2, 2]),
        ("d c b a", "a b c d", [1, 1, 1, 1]),
        ("a b x c d", "a b c d", [2, 2]),
        ("a a a", "a a", [2]),
        ("", "a", []),
    ],
)
def test_sizes_by_hand(hypothesis: str, reference: str, lengths: list[int]) -> None:
    """Turian et al. 2003: the size is the root of the sum of powers of run lengths."""
    sides = hypothesis.split(), [reference.split()]
    assert runs(*sides) == lengths
    for exponent in (1, 2, 3, 1.5):
        assert match_size(*sides, exponent) == pytest.approx(size(lengths, exponent) if lengths else 0)


def test_f_is_the_harmonic_mean_of_precision_and_recall() -> None:
    words, ref = ["c", "d", "a", "b", "x"], ["a", "b", "c", "d"]
    matched = math.sqrt(8)
    precision, recall = matched / 5, matched / 4
    expected = 2 * precision * recall / (precision + recall)
    assert fm.score([words], [ref], fm.GTM(2)).score == pytest.approx(expected)
    both = fm.score([words, ["a"]], [ref, ["a"]], fm.GTM(2))
    assert both.score == pytest.approx(2 * (matched + 1) / (6 + 5))
    assert both.item_scores == pytest.approx([expected, 1.0])


def test_no_run_crosses_the_border_of_two_references() -> None:
    words = ["a", "b", "c", "d"]
    assert runs(words, [["a", "b", "c", "d"]]) == [4]
    assert runs(words, [["a", "b"], ["c", "d"]]) == [2, 2]
    found = fm.score([words], [fm.Alternatives(["a b", "c d"])], fm.GTM(2))
    assert found.values[0].tolist() == [2.0, 4.0, 2.0]  # matched in full: recall is at most 1
    assert found.score == pytest.approx(2 * 2 / (4 + 2))
    assert fm.score([words], [fm.Alternatives(["a b c d", "x y"])], "gtm").score == pytest.approx(6 / 7)


def test_empty_sides() -> None:
    assert [fm.score([h], [r], "gtm").score for h, r in (("", ""), ("", "a"), ("a", ""))] == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("exponent", [0.5, 21, "2", True, float("nan")])
def test_exponents_that_are_none(exponent: object) -> None:
    with pytest.raises(fm.FstmetricsError, match="exponent of GTM is 1 to 20, not"):
        fm.GTM(exponent)  # type: ignore[arg-type]


def test_the_command_has_the_exponent(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "ref", "a b c d\n"), written(tmp_path / "hyp", "c d a b\n")
    found = fstmetrics("score", ref, hyp, "--metric", "gtm", "--gtm-exponent", "2", "--json").summary
    assert found["score"] == pytest.approx(math.sqrt(8) / 4)
    assert "|metric:gtm|exponent:2|" in found["signature"]
