"""Partial results against slow counts, and by hand."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

import fstmetrics as fm


def fewest(one: list[str], other: list[str]) -> tuple[int, int]:
    """The fewest edits, and the most matches among the alignments that have so few."""
    rows = [[(j, 0) for j in range(len(other) + 1)]]
    for i, word in enumerate(one, 1):
        row = [(i, 0)]
        for j, with_word in enumerate(other, 1):
            edits, matches = rows[-1][j - 1]
            pair = (edits, matches - 1) if word == with_word else (edits + 1, matches)
            row.append(min(pair, (rows[-1][j][0] + 1, rows[-1][j][1]), (row[-1][0] + 1, row[-1][1])))
        rows.append(row)
    return rows[-1][-1][0], -rows[-1][-1][1]


def test_counts_are_those_of_a_slow_table() -> None:
    draw = random.Random(8)
    texts = [
        [draw.choices("abc", k=draw.randint(0, 6)) for _ in range(draw.randint(1, 6))] for _ in range(300)
    ]
    given = {
        str(n): [(float(time), " ".join(words)) for time, words in enumerate(each)]
        for n, each in enumerate(texts)
    }
    found = fm.partials(given)
    changed = 0
    for item, each in zip(found.items, texts, strict=True):
        steps = [fewest(one, other) for one, other in pairwise(each)]
        assert item.edits == sum(edits for edits, _ in steps)
        gone = sum(len(one) - matches for one, (_, matches) in zip(each, steps, strict=False))
        assert (item.words, item.changed, item.shown) == (len(each[-1]), gone, gone + len(each[-1]))
        changed += gone
    shown, words = sum(item.shown for item in found.items), sum(len(each[-1]) for each in texts)
    assert changed > 500
    assert found.unstable_word_ratio == changed / shown
    assert found.edit_overhead == sum(item.edits for item in found.items) / words


def test_a_recogniser_that_never_changes() -> None:
    found = fm.partials(
        {"u": [(1, "a"), (2, "a b"), (3, "a b c"), (4, "a b c")]}, {"u": [("b", 1.5), ("c", 3.5)]}
    )
    assert (found.unstable_word_ratio, found.edit_overhead, found.unneeded_edits) == (0, 2 / 3, 0)
    assert found.delays == (0.5, -0.5)


@pytest.mark.parametrize(
    ("results", "delays"),
    [
        # A word that goes and comes again is there from then on.
        (["a", "", "a"], [3]),
        (["a", "b", "a"], [3]),
        # What moves because of words before it stays; of equal words the first ones stay.
        (["b", "a b"], [2, 1]),
        (["a", "a a"], [1, 2]),
        (["x a y", "z a w", "a"], [1]),
    ],
)
def test_when_words_stay(results: list[str], delays: list[int]) -> None:
    given = [(time, text) for time, text in enumerate(results, 1)]
    reference = [(word, 0) for word in results[-1].split()]
    assert list(fm.partials({"u": given}, {"u": reference}).delays) == delays


def test_normalised_words_count() -> None:
    given = {"u": [(1, "The"), (2, "the cat")]}
    plain = fm.partials(given)
    folded = fm.partials(
        given, {"u": [("THE", 0), ("-", 0.5), ("Cat!", 1)]}, fm.Normalisation(lowercase=True)
    )
    clean = fm.Normalisation(lowercase=True, remove_punctuation=True)
    bare = fm.partials(given, {"u": [("THE", 0), ("-", 0.5), ("Cat!", 1)]}, clean)
    assert (plain.items[0].changed, folded.items[0].changed) == (1, 0)
    assert (folded.delays, bare.delays) == ((1,), (1, 1))


@pytest.mark.parametrize(
    ("results", "references", "message"),
    [
        ({"u": []}, None, "'u' has no result"),
        ({"u": [(2, "a"), (1, "b")]}, None, "at 1 after 2"),
        ({"u": [(float("nan"), "a")]}, None, "at nan"),
        ({"u": [("a", 1)]}, None, r"'u' has a result that is \('a', 1\); expected a time and a text"),
        ({"u": [(1, "a", 2)]}, None, "expected a time and a text"),
        (
            {"u": [(1, "a")]},
            {"u": [(1, "a")]},
            r"'u' has a word that is \(1, 'a'\); expected a word and its end",
        ),
        ({"u": [(1, "a")]}, {"u": ["ab"]}, "expected a word and its end"),
        ({"u": [(1, "a b")]}, {"u": [("b", 0.7), ("a", 0.3)]}, "'u' has a word at 0.3 after 0.7"),
        ({"u": [(1, "a")]}, {"u": [("a", float("inf"))]}, "'u' has a word at inf"),
        ({"u": [(1, "a")]}, {"v": [("a", 1)]}, "'u' has no reference"),
        ({"u": [(1, "a")]}, {"u": [("a", 1)], "v": []}, "'v' has no results"),
    ],
)
def test_what_is_refused(
    results: dict[str, list[tuple[float, str]]], references: object, message: str
) -> None:
    with pytest.raises(fm.FstmetricsError, match=message):
        fm.partials(results, references)  # type: ignore[arg-type]


def test_nothing_at_all() -> None:
    found = fm.partials({"u": [(1, "")]})
    assert (found.unstable_word_ratio, found.edit_overhead, found.unneeded_edits) == (None, None, None)
