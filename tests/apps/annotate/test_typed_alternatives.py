"""What is typed into a card: phrases, calls, choices, optional words, signs, and what cannot be read yet."""

from __future__ import annotations

import random
from itertools import chain

import pytest

from fstmetrics.apps.annotate.target_units import TARGET_UNITS, TargetUnit, units
from fstmetrics.apps.annotate.typed_alternatives import (
    MOST_PHRASES,
    card_of_phrases,
    expansions,
    in_words,
    renamed_calls,
    typed_phrases,
    typed_text,
)
from fstmetrics.data.cards import Call, write_phrase
from fstmetrics.data.network import Network
from fstmetrics.networks.paths import Paths
from fstmetrics.text.normalisation import Normalisation

MEANINGS = {
    "a b; c": ["a b", "c"],
    "a;; b ;": ["a", "b"],
    '""; a': ["", "a"],
    '(x|"") y': ["x y", "y"],
    'x "" y': ["x y"],
    "the (very) big cat": ["the very big cat", "the big cat"],
    "(a|b) c": ["a c", "b c"],
    "(a|b|) c": ["a c", "b c", "c"],
    "(a (b|c)|d)": ["a b", "a c", "d"],
    "( a | b c ) d": ["a d", "b c d"],
    "(a|a) b; b; b": ["a b", "b"],
    r"\(sic\) a\;b \[x\] \| \\": [r"(sic) a\;b \[x\] | \\"],
    "[PM] [A B]": ["[PM] [A B]"],
    "総理;首相": ["総理", "首相"],
    "\ta\n b ": ["a b"],
}


@pytest.mark.parametrize("text", MEANINGS)
def test_phrases_mean_what_they_say(text: str) -> None:
    rows = [phrase.row for phrase in typed_phrases(text)]
    assert None not in rows
    assert list(card_of_phrases("X", rows).phrases or ()) == MEANINGS[text]  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "error"), [
    ("the (very", "( has no )"), ("a) b", ") without ("), ("a | b", "| without ("), ("a [PM", "cannot read '[PM'"),
    ("PM] a", "cannot read '] a'"), ("a(b) c", "needs white space before"), ("[] a", "needs the name"),
    ("a\\", "cannot read"),
    ("(" * 60 + "a" + ")" * 60, "more than 50"), ("(a)b", "needs white space before"),
])  # fmt: skip
def test_what_cannot_be_read_says_why_and_leaves_the_rest(text: str, error: str) -> None:
    found = typed_phrases(f"fine; {text}")
    assert found[0].row == ("fine",)
    assert found[1].row is None
    assert error in found[1].error


def test_calls_are_found_within_choices() -> None:
    (phrase,) = typed_phrases("[A] (x [B]|(y [A]) [C])")
    assert phrase.calls == ("A", "B", "C")


def test_many_choices_become_arcs_with_the_same_strings() -> None:
    rng, compared = random.Random(1), 0
    for _ in range(100):
        row = typed_phrases(_random_phrase(rng, 2))[0].row
        assert row is not None
        listed = expansions(row, 2_000)
        if listed is None:
            continue
        compared += len(listed) > MOST_PHRASES
        card = card_of_phrases("X", [row])
        if len(listed) > MOST_PHRASES:
            assert card.phrases is None
        found = {write_phrase(words) for words in Paths(Network([card], "X"))}
        assert found == {write_phrase(words) for words in listed}
    assert compared > 3


def _random_phrase(rng: random.Random, depth: int) -> str:
    parts = ["w"]
    for _ in range(rng.randrange(1, 5)):
        if depth and rng.random() < 0.5:
            parts.append(
                "(" + "|".join(_random_phrase(rng, depth - 1) for _ in range(rng.randrange(1, 4))) + ")"
            )
        else:
            parts.append(rng.choice("abc"))
    return " ".join(parts)


def test_twenty_choices_are_no_million_phrases() -> None:
    row = typed_phrases(" ".join(["(a|b|c)"] * 20))[0].row
    assert row is not None
    card = card_of_phrases("X", [row])
    assert len(card.arcs) == 60
    assert Paths(Network([card], "X")).count == 3**20


@pytest.mark.parametrize(
    "phrases", [["a [X Y] (b)", "c|d", "", "\\[ \\; \\\\"], ['\\"\\"'.replace("\\", "")]]
)
def test_written_phrases_are_read_again(phrases: list[str]) -> None:
    rows = [phrase.row for phrase in typed_phrases(typed_text(phrases))]
    assert list(card_of_phrases("X", rows).phrases or ()) == phrases  # type: ignore[arg-type]


@pytest.mark.parametrize("unit", TARGET_UNITS)
def test_written_words_are_cut_into_the_same_units_again(unit: TargetUnit) -> None:
    """Of Han, kana, Thai and other scripts, in each unit; calls keep their names."""
    rng = random.Random(5)
    for _ in range(500):
        tokens: list[str | Call] = ["".join(rng.choices("意大々カナひกิาーaG。;\\[(", k=rng.randint(1, 3)))]
        tokens += rng.choices(["意", "总理", "カ", "カナ", "ไทย", "GPS", Call("总 理")], k=rng.randint(0, 5))
        (phrase,) = typed_phrases(typed_text([write_phrase(tokens)], unit))
        assert phrase.row is not None
        expected = [[t] if isinstance(t, Call) else units(t, unit) for t in tokens]
        assert in_words(phrase.row, Normalisation(unit=unit)) == tuple(chain(*expected))


def test_calls_are_renamed_and_nothing_else() -> None:
    names = {"A": "B [x]", "B": "A"}
    text = renamed_calls(r"[A]  a [B]; (A|[A]) \[A\]; [A", names.get)
    assert text == r"[B \[x\]]  a [A]; (A|[B \[x\]]) \[A\]; [A"
    assert typed_phrases(text)[0].row == (Call("B [x]"), "a", Call("A"))
