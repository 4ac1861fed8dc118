"""Changes of cards: what they put and drop, what is refused, and the network that follows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fstmetrics.apps.annotate.change_history import ChangeHistory
from fstmetrics.apps.annotate.sentence_cards import (
    MOST_NAME,
    MOST_TEXT,
    Cards,
    ChangeRefusedError,
    cards_of,
    changed,
    compiled,
    first_cards,
    network_of,
)
from fstmetrics.apps.annotate.typed_alternatives import typed_phrases
from fstmetrics.data.network import Card, Network
from fstmetrics.networks.paths import Paths

WORDS = 6
# The example of the paper [H12 §2.1].
BERLUSCONI: list[dict[str, Any]] = [
    {"op": "create", "span": [1, 3], "text": "prime minister; PM; premier; head of government"},
    {"op": "create", "span": [3, 4], "text": "Italian"},
    {"op": "create", "span": [4, 6], "text": "Silvio Berlusconi; Berlusconi"},
    {"op": "create", "span": [0, 4], "text": "the [ITALIAN] [PRIME-MINISTER]; the [PRIME-MINISTER] of Italy",
     "name": "PMI"},
    {"op": "text", "card": "root", "text": "[PMI] [SILVIO-BERLUSCONI]"},
]  # fmt: skip


def after(*requests: dict[str, Any], cards: Cards | None = None) -> Cards:
    cards = first_cards(WORDS) if cards is None else cards
    for request in requests:
        cards = changed(cards, request, WORDS).on(cards)
    return cards


def named(cards: Cards, name: str) -> Any:
    return next(card for card in cards.values() if card.name == name)


def names(cards: Cards) -> list[str]:
    return [card.name for card in cards.values()]


def test_the_example_of_the_paper() -> None:
    cards = after(*BERLUSCONI)
    assert names(cards) == ["S", "PRIME-MINISTER", "ITALIAN", "SILVIO-BERLUSCONI", "PMI"]
    network = network_of(cards)
    assert network is not None
    assert Paths(network).count == 16
    assert ("the", "head", "of", "government", "of", "Italy", "Berlusconi") in set(Paths(network))
    assert network.cards["ITALIAN"].span == (3, 4)


def test_order_does_not_matter() -> None:
    backwards = after(*reversed(BERLUSCONI))
    assert set(Paths(network_of(backwards))) == set(Paths(network_of(after(*BERLUSCONI))))  # type: ignore[arg-type]
    assert not any(card.asked for card in backwards.values())


def test_a_card_that_is_called_before_it_is_there_is_made_and_goes_again() -> None:
    cards = after({"op": "text", "card": "root", "text": "the [PM] spoke; we left"})
    assert (named(cards, "PM").asked, named(cards, "PM").text) == (True, "")
    assert network_of(cards).cards["S"].phrases == ("we left",)  # type: ignore[union-attr]
    assert compiled(cards).empty == ("PM",)
    assert names(after({"op": "text", "card": "root", "text": "the [PMS] spoke"}, cards=cards)) == [
        "S",
        "PMS",
    ]
    filled = after({"op": "create", "span": [1, 3], "text": "PM"}, cards=cards)
    assert (named(filled, "PM").asked, named(filled, "PM").span) == (False, (1, 3))
    assert names(after({"op": "text", "card": "root", "text": "x"}, cards=filled)) == ["S", "PM"]


def test_names_follow_the_first_phrase_until_somebody_needs_them() -> None:
    cards = after({"op": "create", "span": [0, 1], "text": "p"})
    assert names(cards) == ["S", "P"]
    cards = after({"op": "text", "card": "c1", "text": "prime minister"}, cards=cards)
    assert names(cards) == ["S", "PRIME-MINISTER"]
    cards = after(
        {"op": "text", "card": "root", "text": "[PRIME-MINISTER]"},
        {"op": "text", "card": "c1", "text": "PM"},
        cards=cards,
    )
    assert names(cards) == ["S", "PRIME-MINISTER"]
    cards = after({"op": "rename", "card": "c1", "name": "P M"}, cards=cards)
    assert named(cards, "S").text == "[P M]"
    assert names(after({"op": "create", "text": "cat"}, {"op": "create", "text": "cat; hat"})) == [
        "S",
        "CAT",
        "CAT~2",
    ]


def test_a_deleted_card_stays_empty_where_it_is_called() -> None:
    cards = after(*BERLUSCONI, {"op": "delete", "card": "c2"})
    assert named(cards, "ITALIAN").asked
    assert Paths(network_of(cards)).count == 8  # type: ignore[arg-type]
    assert "c4" not in after(*BERLUSCONI, {"op": "delete", "card": "root"}, {"op": "delete", "card": "c4"})


CIRCLE = [{"op": "create", "name": "A", "text": "x [B]"}, {"op": "create", "name": "B", "text": "y [C]"}]


def test_circles_are_refused_and_shown() -> None:
    cards = after(*CIRCLE)
    with pytest.raises(ChangeRefusedError, match="A -> B -> C -> A") as refused:
        changed(cards, {"op": "create", "name": "C", "text": "[A]"}, WORDS)
    assert refused.value.circle == ("A", "B", "C", "A")
    with pytest.raises(ChangeRefusedError, match="S -> S"):
        changed(cards, {"op": "text", "card": "root", "text": "a [S]"}, WORDS)


def test_a_card_takes_the_place_of_an_empty_one_that_others_call() -> None:
    cards = after(
        {"op": "text", "card": "root", "text": "the [PM]"},
        {"op": "create", "span": [1, 3], "text": "premier"},
        {"op": "rename", "card": "c2", "name": "PM"},
    )
    assert {card.name: card.text for card in cards.values()} == {"S": "the [PM]", "PM": "premier"}
    found = network_of(cards)
    assert found is not None
    assert set(Paths(found)) == {("the", "premier")}
    with pytest.raises(ChangeRefusedError, match="circle"):  # it calls what calls it
        after(
            {"op": "text", "card": "root", "text": "the [PM]"},
            {"op": "create", "span": [1, 3], "text": "premier [S]"},
            {"op": "rename", "card": "c2", "name": "PM"},
        )


@pytest.mark.parametrize(("request_", "message"), [
    ({}, '"op" is None'), ({"op": "explode"}, '"op" is'), ({"op": "text"}, "no card with the id None"),
    ({"op": "text", "card": "c9", "text": ""}, "no card"), ({"op": "text", "card": "root"}, '"text" is missing'),
    ({"op": "text", "card": "root", "text": "x" * (MOST_TEXT + 1)}, "20001 characters"),
    ({"op": "text", "card": "root", "text": "(a) " * 201}, "more than 200 parentheses"),
    ({"op": ["text"], "card": "root", "text": "a"}, "expected one of"),
    ({"op": "text", "card": "root", "text": "a\ud800"}, "surrogate"),
    ({"op": "text", "card": "root", "text": "\0"}, "zero"),
    ({"op": "create", "span": [2, 2], "text": ""}, '"span"'), ({"op": "create", "span": [0, 7], "text": ""}, '"span"'),
    ({"op": "create", "span": [0, True], "text": ""}, '"span"'), ({"op": "create", "span": "x"}, '"span"'),
    ({"op": "create", "name": " "}, "needs a name"), ({"op": "create", "name": "a\nb"}, "printed"),
    ({"op": "create", "name": "S"}, "already"), ({"op": "create", "name": "x" * (MOST_NAME + 1)}, "most is 100"),
    ({"op": "rename", "card": "root", "name": "x"}, "is called S"),
    ({"op": "rename", "card": "c1", "name": "S"}, "already"),
    ({"op": "rename", "card": "c1"}, "needs a name"),
    ({"op": "span", "card": "root", "span": [0, 1]}, "whole sentence"),
    ({"op": "add", "card": "c1", "phrase": "a; b"}, "is no phrase"),
    ({"op": "add", "card": "c1", "phrase": "(a"}, "no )"),
])  # fmt: skip
def test_what_cannot_be_done_is_refused(request_: dict[str, Any], message: str) -> None:
    cards = after({"op": "create", "text": "a"})
    with pytest.raises(ChangeRefusedError, match=message.replace(")", r"\)")):
        changed(cards, request_, WORDS)


def test_a_phrase_is_added() -> None:
    cards = after(
        {"op": "create", "text": "a;"},
        {"op": "add", "card": "c1", "phrase": "b"},
        {"op": "add", "card": "c1", "phrase": "c"},
    )
    assert cards["c1"].text == "a; b; c"


def test_networks_become_cards_and_networks_again() -> None:
    arcs = Card("X", ((0, 1, "a"), (0, 1, "b"), (1, 2, "(c)")), frozenset({2}), span=(0, 1))
    network = Network(
        [
            Card.from_phrases("ROOT", ["the [X] [S]", ""]),
            Card.from_phrases("S", ["s;".replace(";", "\\;")]),
            arcs,
        ],
        "ROOT",
    )
    cards = cards_of(network)
    assert names(cards) == ["S", "S~2", "X"]
    assert cards["root"].text == 'the [X] [S~2]; ""'
    again = network_of(cards)
    assert again is not None
    assert set(Paths(again)) == {words for words in Paths(network) if words}  # a whole sentence has words


def test_undo_and_redo_go_through_all_states() -> None:
    history = ChangeHistory(first_cards(WORDS))
    states = [history.cards]
    for request in BERLUSCONI:
        history = history.after("change", changed(history.cards, request, WORDS).as_dict())
        states.append(history.cards)
    for cards in reversed(states[:-1]):
        history = history.after("undo", {})
        assert history.cards == cards
    with pytest.raises(ChangeRefusedError, match="nothing to undo"):
        history.after("undo", {})
    for cards in states[1:]:
        history = history.after("redo", {})
        assert history.cards == cards
    with pytest.raises(ChangeRefusedError, match="nothing to redo"):
        history.after("redo", {})
    assert history.revision == 3 * len(BERLUSCONI)


def test_letters_of_a_word_are_undone_together() -> None:
    history = ChangeHistory(first_cards(WORDS))
    for text, continues in (("a", False), ("ab", True), ("abc", True), ("abc d", False)):
        effect = changed(history.cards, {"op": "text", "card": "root", "text": text}, WORDS)
        history = history.after("change", {**effect.as_dict(), "card": effect.card, "continues": continues})
    history = history.after("undo", {})
    assert history.cards["root"].text == "abc"
    assert history.after("undo", {}).cards["root"].text == ""


@pytest.mark.parametrize("call", ["[ PM ]", "[PM ]", "[\tPM]", r"[PM\ ]"])
def test_white_space_within_a_call_is_no_part_of_the_name(call: str) -> None:
    cards = after(
        {"op": "create", "span": [1, 3], "name": "PM", "text": "prime minister; premier"},
        {"op": "text", "card": "root", "text": f"the [PM] said; a {call} said"},
    )
    assert names(cards) == ["S", "PM"]
    assert Paths(network_of(cards)).count == 4  # type: ignore[arg-type]
    renamed = after({"op": "rename", "card": "c1", "name": "HEAD"}, cards=cards)
    assert named(renamed, "S").text == "the [HEAD] said; a [HEAD] said"


def test_a_card_that_is_only_called_gives_way_to_one_of_its_name() -> None:
    """As in projects of an older version, in which the empty one shadowed the other."""
    cards = after({"op": "create", "span": [1, 3], "name": "PM", "text": "premier"})
    cards = {**cards, "c9": replace(cards["c1"], id="c9", text="", span=None, asked=True)}
    assert names(after({"op": "text", "card": "root", "text": "the [PM]"}, cards=cards)) == ["S", "PM"]
    two = {**cards, "c9": replace(cards["c1"], id="c9")}
    with pytest.raises(ChangeRefusedError, match="two cards are called 'PM'"):
        changed(two, {"op": "text", "card": "root", "text": "the [PM]"}, WORDS)
    assert names(after({"op": "rename", "card": "c9", "name": "HEAD"}, cards=two)) == ["S", "PM", "HEAD"]


@pytest.mark.parametrize("text", [r"a \;", r"a \\\;", r"\; ", "a;", "a; ", r"a \\;", r"a \\", "a (b", ""])
def test_an_added_phrase_changes_no_other(text: str) -> None:
    cards = after({"op": "create", "name": "X", "text": text})
    added = after({"op": "add", "card": "c1", "phrase": "new phrase"}, cards=cards)["c1"].text
    assert typed_phrases(added) == (*typed_phrases(text), *typed_phrases("new phrase"))


@pytest.mark.parametrize("text", ["a\\", "a; b\\ ", "\\\\\\"])
def test_nothing_is_added_behind_a_backslash_that_escapes_nothing(text: str) -> None:
    cards = after({"op": "create", "name": "X", "text": text})
    with pytest.raises(ChangeRefusedError, match=r"ends in \\"):
        changed(cards, {"op": "add", "card": "c1", "phrase": "c"}, WORDS)


def test_a_new_name_is_known_to_phrases_that_cannot_be_read_yet() -> None:
    cards = after(
        {"op": "create", "span": [1, 3], "name": "PM", "text": "premier"},
        {"op": "text", "card": "root", "text": "the [PM] (of"},
        {"op": "rename", "card": "c1", "name": "HEAD"},
    )
    assert named(cards, "S").text == "the [HEAD] (of"
    cards = after({"op": "text", "card": "root", "text": f"{named(cards, 'S').text} us)"}, cards=cards)
    assert names(cards) == ["S", "HEAD"]
    assert Paths(network_of(cards)).count == 2  # type: ignore[arg-type]


def test_a_name_stays_that_a_phrase_calls_which_cannot_be_read_yet() -> None:
    cards = after(
        {"op": "create", "span": [1, 3], "text": "premier"},
        {"op": "text", "card": "root", "text": "the [PREMIER] (of"},
        {"op": "text", "card": "c1", "text": "head"},
    )
    assert names(cards) == ["S", "PREMIER"]


@pytest.mark.parametrize("text", ['""', "(the cat sat)", "(a|)", "(a) (b|(c))", "[X]", "[X] (a)", "[Y]"])
def test_a_whole_sentence_has_words(text: str) -> None:
    cards = after(
        {"op": "create", "name": "X", "text": 'a; ""'},
        {"op": "create", "name": "Y", "text": "(a) [X]"},
        {"op": "text", "card": "root", "text": f"{text}; the [X]"},
    )
    assert set(Paths(network_of(cards))) == {("the", "a"), ("the",)}  # type: ignore[arg-type]


def test_cards_of_a_network_have_names_that_can_be_called() -> None:
    names_given = ("PM", " PM ", " ")
    called = " ".join(f"[{name}]" for name in names_given)
    network = Network(
        [Card.from_phrases("S", [called]), *(Card.from_phrases(n, [f"a{len(n)}"]) for n in names_given)], "S"
    )
    again = network_of(cards_of(network))
    assert again is not None
    assert set(Paths(again)) == set(Paths(network))
    assert len(again.cards) == 4
