"""Phrases proposed for cards: what they save is checked by enumerating all strings, and trying all pairs."""

from __future__ import annotations

import gzip
import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import brute_force as bf
import pytest
import random_cases as rc
import random_networks as rn
from small_networks import network

import fstmetrics as fm
from fstmetrics.data.cards import parse_phrase
from fstmetrics.networks.building import from_references
from fstmetrics.networks.distances import HeldBack, held_back
from fstmetrics.networks.new_phrases import Phrase, accept, check, has
from fstmetrics.networks.proposals import FORMAT, Proposal, phrases_of, propose


def distance(words: bf.Words, strings: Iterable[bf.Words], window: int = 1) -> int:
    """Edits and moves to the nearest string, by the referee."""
    return int(bf.best_fast([words], strings, bf.levenshtein(), window).cost)


def case(seed: int) -> tuple[fm.Network, fm.Network, dict[str, str]]:
    """A network by arcs, the same by phrases, and outputs."""
    rng = random.Random(seed)
    cards = rn.random_network(rng, 30)
    outputs = {name: " ".join(rc.random_string(rng, 5)) for name in "abc"}
    return rn.as_network(cards), rn.as_network(cards, phrases=True), outputs


@pytest.mark.parametrize("seed", range(60))
def test_what_is_saved_is_what_all_distances_computed_again_say(seed: int) -> None:
    window = 1 + 2 * (seed % 2)
    by_arcs, by_phrases, outputs = case(seed)
    given = by_phrases if seed % 3 else by_arcs
    words = {name: tuple(text.split()) for name, text in outputs.items()}
    held = rn.strings_of(given)
    before = {name: distance(text, held, window) for name, text in words.items()}
    found = propose(given, outputs, metric=fm.HyTER(window=window))
    for one in found:
        wider = rn.strings_of(accept(given, [one.phrase]))
        assert held <= wider
        after = {name: distance(text, wider, window) for name, text in words.items()}
        changed = {name: (before[name], after[name]) for name in words if after[name] != before[name]}
        assert {each.name: (each.before, each.after) for each in one.evidence} == changed
        assert all(after[name] <= before[name] for name in words)
        assert one.saved == sum(before.values()) - sum(after.values()) > 0
        assert one.closer == len(changed)
    assert [one.saved for one in found] == sorted((one.saved for one in found), reverse=True)
    assert len({one.id for one in found}) == len(found)


@pytest.mark.parametrize("seed", range(40))
def test_every_output_that_differs_comes_closer_by_all_together(seed: int) -> None:
    """A run of words that differ is always some proposal, so with all of them accepted nobody is as far as before."""
    given, _, outputs = case(seed)
    found = propose(given, outputs, longest=0)
    wider = accept(given, [one.phrase for one in found])
    strings, more = rn.strings_of(given), rn.strings_of(wider)
    for text in outputs.values():
        words = tuple(text.split())
        before, after = distance(words, strings), distance(words, more)
        assert after < before or before == 0 or words == ()


@pytest.mark.parametrize("seed", range(40))
def test_a_phrase_is_added_and_nothing_else(seed: int) -> None:
    """Cards by arcs and by phrases have the same strings afterwards, and the card has its old ones and the phrase."""
    by_arcs, by_phrases, _ = case(seed)
    rng = random.Random(seed)
    for card in by_arcs.cards:
        words = rc.random_string(rng, 3)
        phrase = Phrase("", card, " ".join(words))
        if not words:
            continue
        one, other = accept(by_arcs, [phrase]), accept(by_phrases, [phrase])
        assert rn.strings_of(one) == rn.strings_of(other)
        old = rn.strings_of(fm.Network(by_arcs.cards.values(), card))
        assert rn.strings_of(fm.Network(one.cards.values(), card)) == old | {words}
        assert has(one.cards[card], words)
        assert accept(one, [phrase]) == one  # it is there already


def test_an_empty_phrase_and_a_card_with_a_way_back_to_its_start() -> None:
    looped = fm.Card("X", ((0, 1, "x"), (1, 0, "y")), frozenset({1}))
    root = fm.Card.from_phrases("S", ["a [X] b"])
    wider = accept(fm.Network([root, looped], "S"), [Phrase("", "X", "z"), Phrase("", "X", "")])
    lattice = wider.cards["X"]
    assert has(lattice, ("z",))
    assert has(lattice, ())
    assert has(lattice, ("x", "y", "x"))
    assert not has(lattice, ("z", "y", "x"))
    assert not has(lattice, ("x", "y", "z"))
    assert fm.align("a b", wider).edits == fm.align("a z b", wider).edits == 0


def spoke() -> fm.Network:
    return network(id="s1", source="der ministerpräsident sprach", S=((0, 3), ["the [PM] spoke"]),
                   PM=((1, 2), ["prime minister", "PM of [LAND]"]), LAND=["Italy"])  # fmt: skip


def test_the_smallest_card_gets_the_phrase_and_calls_are_kept() -> None:
    found = propose(
        spoke(), {"a": "the premier spoke", "b": "the premier talked", "c": "the PM in Italy spoke"}
    )
    assert [(one.phrase.card, one.phrase.phrase, one.saved) for one in found] == [
        ("PM", "premier", 4),
        ("PM", "PM in [LAND]", 1),
        ("S", "the [PM] talked", 1),
    ]
    first = found[0]
    assert (first.span, first.source, first.instead) == ((1, 2), ("ministerpräsident",), "prime minister")
    assert (first.left, first.removed, first.added, first.right) == (
        ("the",), ("prime", "minister"), ("premier",), ("spoke",),
    )  # fmt: skip


def test_references_count_and_rejected_phrases_do_not_come_back() -> None:
    outputs, references = (
        {"a": "the premier spoke"},
        {"r": "the premier spoke", "q": "the PM of France spoke"},
    )
    found = propose(spoke(), outputs, references)
    assert [(one.phrase.phrase, one.saved) for one in found] == [("premier", 4), ("France", 1)]
    assert [(each.name, each.kind) for each in found[0].evidence] == [("a", "system"), ("r", "reference")]
    again = propose(spoke(), outputs, references, rejected=[found[0].phrase])
    assert [one.phrase.phrase for one in again] == ["France"]
    with pytest.raises(fm.FstmetricsError, match="a system and a reference are both called 'a'"):
        propose(spoke(), outputs, {"a": "x"})


def test_words_are_proposed_as_they_were_written() -> None:
    folded = fm.Normalisation(lowercase=True)
    (one,) = propose(spoke(), {"a": "The Premier spoke"}, normalisation=folded)
    assert one.phrase.phrase == "Premier"
    (one,) = propose(spoke(), {"a": "the [sic] spoke"})
    assert one.phrase.phrase == r"\[sic\]"
    assert fm.align("the [sic] spoke", accept(spoke(), [one.phrase])).edits == 0


def test_long_differences_are_left_out() -> None:
    outputs = {"a": "PM one two three four five six"}
    two = network(S=["PM spoke"])
    assert propose(two, outputs) == []
    assert [one.saved for one in propose(two, outputs, longest=6)] == [6]
    assert [one.saved for one in propose(two, outputs, longest=0)] == [6]


def test_a_part_of_long_differences_that_several_outputs_have() -> None:
    outputs = {"a": "PM one two three four five six", "b": "PM one 2 3 4 5 6"}
    found = propose(network(S=["PM spoke"]), outputs)
    assert [(one.phrase.phrase, one.closer) for one in found] == [("PM one", 2)]


def test_what_others_propose_is_ranked_with_the_rest() -> None:
    given = [
        Proposal(Phrase("s1", "PM", "head of government"), by="Ann"),
        Proposal(Phrase("s1", "S", "[PM] spoke"), note="optional the"),
    ]
    outputs = {"a": "premier spoke", "b": "head of government spoke"}
    found = propose(spoke(), outputs, given=given)
    theirs = {one.phrase.phrase: one for one in found if one.by or one.note}
    assert theirs["head of government"].saved == 2
    assert theirs["[PM] spoke"].saved == 2
    assert theirs["[PM] spoke"].note == "optional the"


@pytest.mark.parametrize(
    ("card", "phrase", "message"),
    [
        ("PMM", "x", "network s1: there is no card 'PMM'; did you mean PM?"),
        (
            "PM",
            "the [X]",
            r"calls 'X', which is not among the cards; a bracket that is a word is written \\\[",
        ),
        ("PM", "the[LAND]", "cannot read"),
        ("PM", "the [", "cannot read"),
        ("LAND", "land of [PM]", r"would make a circle: LAND -> PM -> LAND"),
        ("LAND", "[LAND] x", r"would make a circle: LAND -> LAND"),
        ("S", "", "the phrase of a whole sentence is empty"),
        ("PM", "x " * 1001, "a phrase of 1001 words; the most is 1000"),
    ],
)
def test_phrases_that_no_card_can_have(card: str, phrase: str, message: str) -> None:
    with pytest.raises(fm.FstmetricsError, match=message):
        check(Phrase("s1", card, phrase), spoke())
    with pytest.raises(fm.FstmetricsError, match=message):
        accept(spoke(), [Phrase("s1", card, phrase)])
    with pytest.raises(fm.FstmetricsError, match=message):
        propose(spoke(), {"a": "x"}, given=[Proposal(Phrase("s1", card, phrase))])


def test_two_phrases_that_make_a_circle_together() -> None:
    two = network(S=["[A] [B]"], A=["a"], B=["b"])
    phrases = [Phrase("", "A", "x [B]"), Phrase("", "B", "y [A]")]
    for one in phrases:
        check(one, two)
    with pytest.raises(fm.FstmetricsError, match="would make a circle: B -> A -> B"):
        accept(two, phrases)


def test_what_is_no_distance_is_refused() -> None:
    for metric in (fm.WRR(), fm.GRR()):
        with pytest.raises(fm.FstmetricsError, match="counts no edits to a closest path"):
            propose(spoke(), {"a": "x"}, metric=metric)
    with pytest.raises(fm.FstmetricsError, match="phrases of cards are words"):
        propose(spoke(), {"a": "x"}, normalisation=fm.Normalisation(unit="char"))
    dear = fm.Card("S", ((0, 1, "a"),), frozenset({1}), costs=((1.0, 0.0),))
    with pytest.raises(fm.FstmetricsError, match="carry costs"):
        propose(fm.Network([dear], "S"), {"a": "x"})


def test_held_back_outputs() -> None:
    phrases = [Phrase("s1", "PM", "premier"), Phrase("s1", "LAND", "France")]
    wider = accept(spoke(), phrases)
    outputs = {"a": "the premier spoke", "b": "the PM of Italy spoke", "c": "no word"}
    found = held_back(spoke(), wider, phrases, outputs)
    assert [(one.before, one.after, one.closer, one.used) for one in found.values()] == [
        (2, 0, 1, 1),
        (0, 0, 0, 0),
        (4, 3, 1, 1),
    ]
    assert sum(found.values(), start=type(found["a"])()).as_dict() == {
        "outputs": 3, "words": 10, "before": 6, "after": 3, "closer": 2, "through": 2, "used": 2, "added": 6,
    }  # fmt: skip


def test_json_goes_there_and_back() -> None:
    found = propose(spoke(), {"a": "the premier talked"})
    data = {"format": FORMAT, "proposals": [one.as_dict() for one in found]}
    assert [one.phrase for one in phrases_of(data)] == [one.phrase for one in found]
    for one in found:
        parse_phrase(one.as_dict()["phrase"])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], 'expected an object with "format": "fstmetrics-proposals/1"'),
        ({"format": FORMAT}, '"proposals" must be a list of objects'),
        ({"format": FORMAT, "proposals": ["x"]}, "proposal 1 must be an object, not 'x'"),
        ({"format": FORMAT, "proposals": [{"network": "n", "card": "c"}]}, "proposal 1 has no 'phrase'"),
        ({"format": FORMAT, "proposals": [{"network": "n", "card": "c", "phrase": 1}]}, "'phrase' must be a string"),
        (
            {"format": FORMAT, "proposals": [{"network": "n", "card": "c", "phrase": "x", "why": "y"}]},
            "proposal 1: unknown key 'why'",
        ),
        ({"format": FORMAT, "proposals": [{"network": "n", "card": "c", "phrase": "x]"}]}, "proposal 1: phrase 'x]'"),
    ],
)  # fmt: skip
def test_answers_in_another_form(data: object, message: str) -> None:
    with pytest.raises(fm.FstmetricsError, match=message):
        list(phrases_of(data))


def test_real_outputs_that_were_held_back(shared: Path) -> None:
    """References of a test set, one run of a system, and what its phrases do for another run and for a person."""
    names = ("ref0", "ref1", "ref2", "ref3", "out.0", "out.1")
    folder = shared / "mt-multeval"
    columns = [
        gzip.decompress((folder / f"set1.{n}.gz").read_bytes()).decode().split("\n")[:8] for n in names
    ]
    sums: dict[str, HeldBack] = {}
    slow = Counter[str]()
    for row in zip(*columns, strict=True):
        one = from_references(row[:3]).network
        phrases = [each.phrase for each in propose(one, {"out.0": row[4]})]
        wider = accept(one, phrases)
        outputs = dict(zip(names[3:], row[3:], strict=True))
        for name, found in held_back(one, wider, phrases, outputs).items():
            sums[name] = sums.get(name, HeldBack()) + found
            slow[f"{name} before"] += min(fm.align(outputs[name], ref).edits for ref in row[:3])
            slow[f"{name} after"] += fm.align(outputs[name], wider).edits
    for name, found in sums.items():
        assert (found.before, found.after) == (slow[f"{name} before"], slow[f"{name} after"])
        assert found.after <= found.before
    gains = {name: 1 - found.after / found.before for name, found in sums.items()}
    assert gains["out.0"] > gains["out.1"] > gains["ref3"] >= 0
