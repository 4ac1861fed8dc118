"""Soft re-segmentation against a slow, obvious version, and against what OmniSTEval printed."""

from __future__ import annotations

import math
import random
import re
from importlib.util import find_spec
from itertools import pairwise

import pytest
from long_form import OMNISTEVAL, instances, lines, recordings, resegmented

from fstmetrics import FstmetricsError
from fstmetrics.streams import soft
from fstmetrics.streams.soft import similarity, soft_cuts, soft_tokens

needs_sacremoses = pytest.mark.skipif(find_spec("sacremoses") is None, reason="needs sacremoses")


def slow_cuts(references: list[list[str]], hypothesis: list[str]) -> list[int]:
    """By the whole table, and a step back at a time."""
    cut = soft_tokens()
    ref = [(k, piece) for k, words in enumerate(references) for word in words for piece in cut(word)]
    hyp = [(n, piece) for n, word in enumerate(hypothesis) for piece in cut(word)]
    sums = [[0.0] * (len(hyp) + 1) for _ in range(len(ref) + 1)]
    for i in range(1, len(ref) + 1):
        for j in range(1, len(hyp) + 1):
            pair = sums[i - 1][j - 1] + similarity(ref[i - 1][1], hyp[j - 1][1])
            sums[i][j] = max(pair, sums[i - 1][j], sums[i][j - 1])
    i, j = len(ref), len(hyp)
    columns: list[tuple[int | None, int | None]] = []
    while i or j:
        pair = sums[i - 1][j - 1] + similarity(ref[i - 1][1], hyp[j - 1][1]) if i and j else -math.inf
        if i and j and pair == sums[i][j]:
            i, j = i - 1, j - 1
            columns.append((i, j))
        elif i and (not j or sums[i - 1][j] == sums[i][j]):
            i -= 1
            columns.append((i, None))
        else:
            j -= 1
            columns.append((None, j))
    columns.reverse()
    owner: dict[int, int] = {}
    last = None
    for place, (i_or_none, j_or_none) in enumerate(columns):
        if j_or_none is not None:
            following = next((i for i, _ in columns[place:] if i is not None), None)
            chosen = i_or_none if i_or_none is not None else last
            if i_or_none is None and following is not None:
                piece = hyp[j_or_none][1]
                if last is None or similarity(piece, ref[following][1]) > similarity(piece, ref[last][1]):
                    chosen = last = following
            owner.setdefault(hyp[j_or_none][0], -1 if chosen is None else ref[chosen][0])
        last = i_or_none if i_or_none is not None else last
    segments = [max(0, owner[n]) for n in range(len(hypothesis))]
    return [0] + [sum(s < k for s in segments) for k in range(1, len(references))] + [len(hypothesis)]


def some_words(draw: random.Random, most: int) -> list[str]:
    return ["".join(draw.choices("abcd.,-", k=draw.randint(1, 3))) for _ in range(draw.randint(0, most))]


@pytest.mark.parametrize("held", [1, 40, soft.HELD])
def test_is_what_the_whole_table_says(held: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soft, "HELD", held)
    draw = random.Random(held)
    moved = 0
    for _ in range(250):
        references = [some_words(draw, 6) for _ in range(draw.randint(1, 5))]
        hypothesis = some_words(draw, 16)
        found = soft_cuts(references, hypothesis)
        assert found == slow_cuts(references, hypothesis), (references, hypothesis)
        moved += found[1:-1] != [0] * (len(references) - 1)
    assert moved > 100


@pytest.mark.parametrize(
    ("references", "hypothesis", "cuts"),
    [
        ([["a"]], [], [0, 0]),
        ([[], []], ["a", "b"], [0, 2, 2]),
        ([[], ["a"], []], ["x", "a", "y"], [0, 0, 3, 3]),
        # A full stop goes with its word; one that stands alone stays with the word before.
        ([["cat"], ["dog"]], ["cat", ".", "dog"], [0, 2, 3]),
        ([["cat."], ["dog."]], ["cat.", "dog", "."], [0, 1, 3]),
        # What stands alone goes on to the next segment as soon as it is more like it, and what follows with it.
        ([["aaa"], ["bbb"]], ["a", "ab", "bc", "c", "b"], [0, 2, 5]),
        ([["ｃａｔ"], ["DOG"]], ["CAT", "dog"], [0, 1, 2]),
    ],
)
def test_cuts(references: list[list[str]], hypothesis: list[str], cuts: list[int]) -> None:
    assert soft_cuts(references, hypothesis) == cuts


def test_refuses_no_segments_and_unknown_languages() -> None:
    with pytest.raises(FstmetricsError, match="no segment"):
        soft_cuts([], ["a"])
    with pytest.raises(FstmetricsError, match=r"no rules for the language 'xx'|needs sacremoses"):
        soft_cuts([["a"]], ["a"], "xx")


@OMNISTEVAL
def test_cuts_of_the_text_example() -> None:
    names = list(recordings())
    texts = dict(zip(names, lines("text.hypotheses.txt"), strict=True))
    assert cut(texts, "en") == [each["prediction"] for each in resegmented("text")]


@OMNISTEVAL
@needs_sacremoses
def test_cuts_of_the_speech_example() -> None:
    texts = {each["source"][0].rpartition("/")[2]: each["prediction"] for each in instances()}
    assert cut(texts, "de") == [each["prediction"] for each in resegmented("speech")]


def cut(texts: dict[str, str], language: str) -> list[str]:
    """The segments of all recordings."""
    found = []
    for name, references in recordings().items():
        words = texts[name].split()
        cuts = soft_cuts([each.split() for each in references], words, language)
        found += [" ".join(words[a:b]) for a, b in pairwise(cuts)]
    return found


@OMNISTEVAL
@needs_sacremoses
def test_english_pieces_are_those_of_sacremoses() -> None:
    """Of all words of the example."""
    from sacremoses import MosesTokenizer

    moses, ours = MosesTokenizer(lang="en"), soft_tokens()
    words = {word for line in lines("speech.references.txt") for word in line.split()}
    words |= {word for each in instances() for word in each["prediction"].split()}
    assert len(words) > 4000
    different = [
        word
        for word in words
        # Newer rules than those of OmniSTEval cut a comma off a number.
        if not re.fullmatch(r"\d+,", word)
        and moses.tokenize(word.lower(), aggressive_dash_splits=True, escape=False) != list(ours(word))
    ]
    assert not different
