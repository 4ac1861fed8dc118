"""`fstmetrics.jiwer`: the cases of jiwer's own tests, random texts beside jiwer, and what it does without jiwer.

The cases are those of test_measures.py, test_cer.py, test_empty_ref.py, test_count_errors.py and test_alignment.py in
the tests of jiwer 4.0.0 (Apache-2.0), as data.
"""

from __future__ import annotations

import copy
import pickle
import random
import sys
from dataclasses import asdict
from typing import Any

import pytest
from other_programs import client

import fstmetrics
import fstmetrics.apps.jiwer as ours
from fstmetrics import jiwer as again

Text = str | list[str]


# Reference, hypothesis: WER, MER, WIL.
WORDS: list[tuple[Text, Text, tuple[float, float, float]]] = [
    ("This is a test", "This is a test", (0, 0, 0)),
    ("This is a test", "", (1, 1, 1)),
    ("This is a test", "This test", (0.5, 0.5, 0.5)),
    ("This is a test", ["This test"], (0.5, 0.5, 0.5)),
    (["This is a test"], "This test", (0.5, 0.5, 0.5)),
    (["This is a test"], ["This test"], (0.5, 0.5, 0.5)),
    ("X", "X", (0, 0, 0)),
    ("X", "X X Y Y", (3, 0.75, 0.75)),
    ("X Y X", "X Z", (2 / 3, 2 / 3, 5 / 6)),
    ("X", "Y", (1, 1, 1)),
    ("X", "Y Z", (2, 1, 1)),
    (["i", "am i good"], ["i am", "i good"], (0.5, 0.4, 7 / 16)),
    (["am i good", "i"], ["i good", "i am"], (0.5, 0.4, 7 / 16)),
    ("", "", (0, 0, 0)),
    (["", ""], ["", ""], (0, 0, 0)),
    ("", "hello", (1, 1, 1)),
    ("", "0 1 2", (3, 1, 1)),
    ("hello", "", (1, 1, 1)),
    (["hello world", ""], ["hello world", "done"], (1 / 2, 1 / 3, 1 / 3)),
    (["hello world", ""], ["hello world", ""], (0, 0, 0)),
    (["same"] * 50 + ["ref_only"] * 50, ["same"] * 50 + ["hyp_only"] * 50, (0.5, 0.5, 0.75)),
]
CHARACTERS: list[tuple[Text, Text, float]] = [
    ("This is a test", "This is a test", 0),
    ("This is a test", "", 1),
    ("This is a test", ["This test"], 5 / 14),
    ("X", "X X Y Y", 6),
    ("X Y X", "X Z", 3 / 5),
    ("X", "Y Z", 3),
    (["i", "am i good"], ["i am", "i good"], 0.6),
    ("", "", 0),
    ("", "abd", 3),
    ("abc", "", 1),
]
COUNTED = (
    ["sub", "sub", "sub", "sub", "sub", "this was", "del", "hit"],
    ["bus", "bus", "bus", "usb", "bsu", "this was ins", "", "hit"],
)
SHOWN = [
    ("this is a", "this is a test", {}, "this is a ****", "this is a test", "             I"),
    ("this is a test", "this was a test", {}, "this  is a test", "this was a test", "       S       "),
    (
        "this is a test of skill", "this was a messy test", {},
        "this  is a ***** test of skill", "this was a messy test ** *****", "       S       I       D     D",
    ),
    ("", "inserted", {}, "********", "inserted", "       I"),
]  # fmt: skip


@pytest.mark.parametrize(("reference", "hypothesis", "rates"), WORDS)
def test_rates_of_words_are_those_of_jiwers_tests(
    reference: Text, hypothesis: Text, rates: tuple[float, float, float]
) -> None:
    output = ours.process_words(reference, hypothesis)
    assert (output.wer, output.mer, output.wil) == pytest.approx(rates, abs=1e-15)
    assert output.wil == 1 - output.wip
    for name in ("wer", "mer", "wil", "wip"):
        assert getattr(ours, name)(reference=reference, hypothesis=hypothesis) == getattr(output, name)


@pytest.mark.parametrize(("reference", "hypothesis", "rate"), CHARACTERS)
def test_rates_of_characters_are_those_of_jiwers_tests(
    reference: Text, hypothesis: Text, rate: float
) -> None:
    assert ours.cer(reference=reference, hypothesis=hypothesis) == pytest.approx(rate, abs=1e-15)
    assert ours.process_characters(reference, hypothesis).cer == ours.cer(reference, hypothesis)


@pytest.mark.parametrize(("reference", "hypothesis", "options", "first", "second", "letters"), SHOWN)
def test_alignments_look_as_in_jiwers_tests(
    reference: str, hypothesis: str, options: dict[str, Any], first: str, second: str, letters: str
) -> None:
    shown = ours.visualize_alignment(ours.process_words(reference, hypothesis), False, **options)
    assert shown == f"=== SENTENCE 1 ===\n\nREF: {first}\nHYP: {second}\n     {letters}\n"


def test_error_counts_look_as_in_jiwers_tests() -> None:
    words = ours.visualize_error_counts(ours.process_words(*COUNTED))
    assert words.split("\n\n") == [
        "=== SUBSTITUTIONS ===\nsub --> bus = 3x\nsub --> usb = 1x\nsub --> bsu = 1x",
        "=== INSERTIONS ===\nins = 1x",
        "=== DELETIONS ===\ndel = 1x",
    ]
    characters = ours.visualize_error_counts(ours.process_characters(*COUNTED))
    assert characters.split("\n\n") == [
        "=== SUBSTITUTIONS ===\ns --> b = 3x\nb --> s = 3x",
        "=== INSERTIONS ===\nu    = 1x\nb    = 1x\n ins = 1x",
        "=== DELETIONS ===\nu   = 1x\nb   = 1x\ndel = 1x",
    ]


PIECES = ["a", "b", "c", " ", " ", "  ", "\t", "\n", "\x1c", "é", "x", "*", " <s> ", "🙂"]


@pytest.mark.parametrize("seed", range(4))
def test_all_is_as_jiwer_has_it_on_random_texts(seed: int) -> None:
    theirs = client("jiwer")
    draw = random.Random(seed)
    for _ in range(150):
        sentences = draw.randint(1, 4)
        reference, hypothesis = (
            ["".join(draw.choices(PIECES, k=draw.randint(0, 14))) for _ in range(sentences)] for _ in range(2)
        )
        for name in ("wer", "mer", "wil", "wip", "cer"):
            assert getattr(ours, name)(reference, hypothesis) == pytest.approx(
                getattr(theirs, name)(reference, hypothesis), abs=1e-12
            )
        for name in ("process_words", "process_characters"):
            mine, other = (getattr(module, name)(reference, hypothesis) for module in (ours, theirs))
            for field, value in asdict(other).items():
                same = pytest.approx(value, abs=1e-12) if isinstance(value, float) else value
                assert asdict(mine)[field] == same
            for options in ({}, {"show_measures": False, "skip_correct": False, "line_width": 12}):
                if not any(
                    "*" in text for text in (*reference, *hypothesis)
                ):  # jiwer widens a word that is a star
                    shown = theirs.visualize_alignment(other, **options)
                    assert ours.visualize_alignment(mine, **options) == shown
            assert ours.visualize_error_counts(mine, top_k=3) == theirs.visualize_error_counts(other, top_k=3)


def test_long_pairs_are_aligned_as_jiwer_aligns_them() -> None:
    theirs = client("jiwer")
    draw = random.Random(5)
    for words, sizes in ((3, 300), (500, 1000)):
        reference = " ".join(f"w{draw.randrange(words)}" for _ in range(sizes))
        kept = [w if draw.random() > 0.3 else f"w{draw.randrange(words)}" for w in reference.split()]
        hypothesis = " ".join(word for word in kept if draw.random() > 0.1)
        mine, other = (m.process_words(reference, hypothesis) for m in (ours, theirs))
        assert asdict(mine)["alignments"] == asdict(other)["alignments"]


def test_jiwers_transforms_are_taken() -> None:
    theirs = client("jiwer")
    reference, hypothesis = ["The CAT, sat", "a dog"], "the cat sat a dog"
    for transform in (theirs.wer_contiguous, theirs.wer_standardize_contiguous, ours.wer_contiguous):
        for name in ("wer", "mer", "wil", "wip"):
            arguments = reference, hypothesis, transform, transform
            assert getattr(ours, name)(*arguments) == pytest.approx(getattr(theirs, name)(*arguments))
    upper = ours.Compose([ours.ToUpperCase(), ours.ReduceToListOfListOfWords()])
    assert ours.wer("the cat", "THE CAT", reference_transform=upper) == 0


def test_a_transform_may_be_any_function() -> None:
    def letters(texts: list[str]) -> list[list[str]]:
        return [[c for c in text if c.isalpha()] for text in texts]

    assert ours.wer("a-b c", "abx", reference_transform=letters, hypothesis_transform=letters) == 1 / 3
    with pytest.raises(
        ValueError, match="the transform of the hypothesis must give a list of lists of strings"
    ):
        ours.wer("a", "a", hypothesis_transform=lambda texts: texts)  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize("name", ["wer", "mer", "wil", "wip", "cer", "process_words", "process_characters"])
def test_what_jiwer_refuses_is_a_value_error(name: str) -> None:
    function = getattr(ours, name)
    with pytest.raises(ValueError, match="4 references and 1 hypotheses"):
        function(["hello", "this", "sentence", "is fractured"], ["this sentence"])
    with pytest.raises(ValueError, match="expected to be a string or list of strings"):
        function(["a", None], ["a", "b"])


def test_outputs_are_plain_objects() -> None:
    output = ours.process_words(["a b", "c"], ["a x", "c d"])
    other = ours.process_words(["a b", "c"], ["a x", "c d"])
    assert output == other
    assert pickle.loads(pickle.dumps(output)) == copy.deepcopy(other) == output
    assert output.alignments[1][1] == ours.AlignmentChunk("insert", 1, 1, 1, 2)
    assert ours.AlignmentChunk("replace", 0, 1, 0, 1).type == "substitute"
    with pytest.raises(ValueError, match="ref_start_idx=2 is larger than ref_end_idx=1"):
        ours.AlignmentChunk("equal", 2, 1, 0, 0)
    with pytest.raises(AttributeError, match="no attribute 'cer'"):
        output.cer  # noqa: B018


def test_both_ways_to_import_it_give_one_module() -> None:
    assert again is ours is fstmetrics.jiwer


def test_white_space_is_all_that_python_knows() -> None:
    assert set(ours.OTHER_SPACE) == {
        chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()
    } - {" "}


def test_without_jiwer_only_its_transforms_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jiwer", None)
    assert ours.wer("a b", "a") == 0.5
    with pytest.raises(AttributeError, match="transforms are taken from jiwer, which is not installed"):
        ours.ToUpperCase  # noqa: B018
