"""Proposals that compete for a place: which do, by cards, spans and words, and how they are put together."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import fstmetrics as fm
from fstmetrics.networks.new_phrases import Phrase
from fstmetrics.networks.proposals import Proposal, side_by_side, with_rivals

CARDS = [
    fm.Card.from_phrases("S", ["the [PM] spoke loudly at home", "loudly [PM] spoke"], (0, 4)),
    fm.Card.from_phrases("PM", ["prime minister", "head of government"], (1, 2)),
    fm.Card.from_phrases("HEAD", ["chief"], (1, 2)),
    fm.Card.from_phrases("OTHER", ["x"], (2, 3)),
]
NETWORK = fm.Network(CARDS, "S", id="n")
LONG, SHORT = "the [PM] spoke loudly at home", "loudly [PM] spoke"


def rivals(*given: tuple[str, str, str]) -> list[tuple[int, ...]]:
    """Which of the proposals, card, phrase and phrase in whose place it is, compete with each."""
    proposals = [Proposal(Phrase("n", card, phrase), instead=instead) for card, phrase, instead in given]
    ids = [one.id for one in proposals]
    return [tuple(ids.index(id) for id in one.rivals) for one in with_rivals(NETWORK, proposals)]


@pytest.mark.parametrize(
    ("one", "other", "compete"),
    [
        (("PM", "premier", "prime minister"), ("PM", "chief", "prime minister"), True),
        (("PM", "premier", "prime minister"), ("PM", "boss", "head of government"), True),
        (("PM", "first minister", "prime minister"), ("PM", "prime mover", "prime minister"), False),
        (("PM", "premier", "prime minister"), ("HEAD", "boss", "chief"), True),  # one span
        (("PM", "premier", "prime minister"), ("OTHER", "y", "x"), False),
        (("S", "the [PM] talked loudly at home", LONG), ("S", "the [PM] said loudly at home", LONG), True),
        (("S", "the [PM] talked loudly at home", LONG), ("S", "the [PM] spoke loudly at work", LONG), False),
        (("S", "the [PM] talked loudly at home", LONG), ("S", "the [PM] talked at home", LONG), True),
        (("S", "the [PM] talked loudly at home", LONG), ("S", "softly [PM] spoke", SHORT), False),
        (("S", "a b", LONG), ("S", "softly [PM] spoke", SHORT), True),
        (("S", "then the [PM] spoke loudly at home", LONG), ("S", "and the [PM] spoke loudly at home", LONG), True),
        (("S", "the [PM] now spoke loudly at home", LONG), ("S", "the [PM] talked loudly at home", LONG), False),
        (("PM", "premier", ""), ("PM", "chief", ""), True),  # of people, who name no phrase
    ],
)  # fmt: skip
def test_which_proposals_compete(
    one: tuple[str, str, str], other: tuple[str, str, str], compete: bool
) -> None:
    assert rivals(one, other) == ([(1,), (0,)] if compete else [(), ()])
    assert rivals(other, one) == ([(1,), (0,)] if compete else [(), ()])


def test_groups_have_each_proposal_once_and_the_best_first() -> None:
    words: Sequence[str] = ("first minister", "prime mover", "premier")
    proposals = with_rivals(
        NETWORK, [Proposal(Phrase("n", "PM", word), instead="prime minister") for word in words]
    )
    assert [len(one.rivals) for one in proposals] == [1, 1, 2]
    groups = [[one.phrase.phrase for one in some] for some in side_by_side(proposals)]
    assert groups == [["first minister", "premier"], ["prime mover"]]
    assert [len(some) for some in side_by_side(proposals[2:] + proposals[:2])] == [3]
