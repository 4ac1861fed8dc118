"""Proposed phrases as choices in long ones: what the card holds then, over random phrases."""

from __future__ import annotations

import random

import pytest

from fstmetrics.apps.annotate.placed_choices import LONG, MOST_MIDDLE, placed_choice
from fstmetrics.apps.annotate.typed_alternatives import expansions, worded_phrases
from fstmetrics.data.cards import write_phrase
from fstmetrics.text.normalisation import PLAIN, Normalisation

LONG_ONE = "a b c d e f g h i j k l"


@pytest.mark.parametrize(
    ("text", "instead", "phrase", "wanted"),
    [
        (LONG_ONE, LONG_ONE, "a b X d e f g h i j k l", "a b (c|X) d e f g h i j k l"),
        (f"x; {LONG_ONE} ; [A", LONG_ONE, "a b d e f g h i j k l", "x; a b (c) d e f g h i j k l; [A"),
        (LONG_ONE, LONG_ONE, f"{LONG_ONE} m", "a b c d e f g h i j k l (m)"),
        ("[A] b (c|y) d e f g h i j k", "[A] b c d e f g h i j k", "[A] b X d e f g h i j k",
         "[A] b (c|y|X) d e f g h i j k"),
        ("a (b) c d e f g h i j k", "a c d e f g h i j k", "a c X e f g h i j k", "a (b) c (d|X) e f g h i j k"),
        # Two words of a choice are one row of it: the whole row differs.
        ("a (b c|y) d e f g h i j", "a b c d e f g h i j", "a b X d e f g h i j", "a (b c|y|b X) d e f g h i j"),
        # What differs begins before a choice, and ends in it: both are a choice of their own.
        ("a b c d e f g (h i|j k) l", "a b c d e f g h i l", "a b c d e f X i l", "a b c d e f (g (h i|j k)|X i) l"),
        (r"a \(b\) c d e f g h i j", r"a (b) c d e f g h i j", r"a (b) c d e f g h (i) j",
         r"a \(b\) c d e f g h (i|\(i\)) j"),
    ],
)  # fmt: skip
def test_the_difference_is_a_choice(text: str, instead: str, phrase: str, wanted: str) -> None:
    placed = placed_choice(text, instead, phrase)
    assert placed is not None
    assert placed.text == wanted


def test_what_has_no_place_is_none() -> None:
    assert placed_choice("a b c", "a b c", "a X c") is None, "it is short"
    assert placed_choice("z; y", LONG_ONE, "a b X d e f g h i j k l") is None, "the phrase is gone"
    assert placed_choice(LONG_ONE, LONG_ONE, " ".join("zyxwvutsrqpo")) is None, "all of it differs"
    assert placed_choice(f"({LONG_ONE}", LONG_ONE, "a b X d e f g h i j k l") is None, "it cannot be read"


@pytest.mark.parametrize("letters", [["a", "b", "c"], ["A,", "b", "it's."]])
@pytest.mark.parametrize("seed", range(200))
def test_the_card_holds_what_it_did_and_the_phrase(seed: int, letters: list[str]) -> None:
    """Also where a tokenizer cuts what was typed; what stays is as it was typed."""
    rng = random.Random(seed)
    rules = PLAIN if "a" in letters else Normalisation("13a", lowercase=True)
    items = []
    for _ in range(rng.randint(LONG + 1, 12)):
        word = rng.choice(letters)
        items.append(
            rng.choice([word, word, f"({word})", f"({word}|{rng.choice(letters)} d)", f"[{word[0].upper()}]"])
        )
    text = " ".join(items)
    before = phrases_of(text, rules)
    instead = rng.choice(sorted(before))
    tokens = instead.split()
    at = rng.randrange(len(tokens) + 1)
    changed = [*tokens[:at], *rng.choices("xyz", k=rng.randint(0, 2)), *tokens[at + rng.randint(0, 2) :]]
    phrase = " ".join(changed)
    placed = placed_choice(text, instead, phrase, normalisation=rules)
    if len(changed) <= LONG:
        assert placed is None
        return
    # Within choices, the words that differ may be more than are placed.
    assert placed is not None or len(tokens) - at <= MOST_MIDDLE or "|" in text or "(" in text
    if placed is not None:
        assert phrases_of(placed.text, rules) >= before | {phrase}
        assert set("".join(letters)) & set(placed.text) == set("".join(letters)) & set(text)
        again = placed_choice(text, instead, phrase, "q r", normalisation=rules)
        assert again is not None
        assert again.text.count("q r") == 1


def phrases_of(text: str, rules: Normalisation) -> set[str]:
    """The phrases of a card, without choices."""
    rows = [expansions(typed.row, 10**6) for typed in worded_phrases(text, rules) if typed.row is not None]
    return {write_phrase(tokens) for row in rows for tokens in row or ()}
