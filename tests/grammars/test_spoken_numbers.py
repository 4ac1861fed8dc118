"""Numbers of German, French and Spanish as num2words says them, and the notation of their rules."""

from __future__ import annotations

import random

import pytest

import fstmetrics as fm
from fstmetrics import Grammar, Normalisation
from fstmetrics.grammars.number_rules import NumberRules
from fstmetrics.support.errors import FstmetricsError

num2words = pytest.importorskip("num2words").num2words
draw = random.Random(39)
# All of few digits; of more, whose words are put together of those, some of every kind.
SMALL = [*range(1100), *range(1100, 10_000, 11), *range(2000, 10_001, 1000)]
LARGE = [draw.randrange(10**digits) for digits in range(5, 10) for _ in range(60)] + [10**6, 10**9]


@pytest.mark.parametrize("language", ["de", "es", "fr"])
def test_every_number_is_read_and_written_as_num2words_says_it(language: str) -> None:
    number = Grammar.load(f"{language}.numbers").opens["N"]
    assert number.read_words
    for value in [*SMALL, *LARGE]:
        said = num2words(value, lang=language)
        assert number.read_words(said.lower().split()) == value, said
        if value % 7 == 0 or value > 10_000:
            forms = number.write(value, 3)
            assert said in forms
            assert {number.read_words(form.lower().split()) for form in forms} == {value}


@pytest.mark.parametrize("language", ["de", "es", "fr"])
def test_a_speech_grammar_of_a_language_takes_numbers_in_words_for_digits(language: str) -> None:
    bare = Normalisation(lowercase=True, remove_punctuation=True)
    for value in [3, 16, 71, 99, 201, 1999, *LARGE[::60]]:
        said = num2words(value, lang=language)
        pair = f"x {value}, y".split(), f"x {said}. y".split()
        for hypothesis, reference in (pair, pair[::-1]):
            found = fm.align(hypothesis, reference, grammars=f"{language}.speech", normalisation=bare)
            assert found.edits == 0, (hypothesis, reference)
        assert fm.align(pair[0], f"x {said} {said} y", grammars=f"{language}.speech").edits > 0


def test_what_is_said_is_one_number_or_none() -> None:
    rules = NumberRules("N", {})
    rules.add("0: zero; one; two; three")
    rules.add("10: ten[>] | ty>")
    rules.add("20: <ty[ >]")
    rules.add("40:")
    assert [rules.read(text) for text in ("two", "ten", "tenone", "twoty three", "twoty-three")] == [
        2, 10, 11, 23, 23,
    ]  # fmt: skip
    assert [rules.read(text) for text in ("tenzero", "twotythree", "fourty", "", "ty", "threety twoty")] == [
        None
    ] * 6
    assert (rules.write(12), rules.write(30), rules.write(40)) == (("tentwo", "tytwo"), ("threety",), ())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("numbers N: 1: one; two\n    2: two", "2 stands behind 2"),
        ("numbers N: one", "expected NUMBER: WORDS, found 'one'"),
        ("numbers N: 20: >M>ty", "there are no numbers M above"),
        ("numbers N: 20/0: >ty", "cannot be divided by 0"),
        ("numbers N: 20: >>ty", "has < or > more than once"),
        ("list N: a\nnumbers N: 1: one", "N is defined twice"),
        ("numbers N: 1: one\n{N.4} = a", "N has 3 columns"),
    ],
)
def test_wrong_rules_are_refused(line: str, message: str) -> None:
    with pytest.raises(FstmetricsError, match=message):
        Grammar.parse(f"{line}\na = b")
