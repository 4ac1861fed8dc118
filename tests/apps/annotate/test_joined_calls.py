"""What is joined to a call, `[PM]'s`: the same strings as in the text form of networks, also with a tokenizer."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics.apps.annotate.annotation_import import new_sentence
from fstmetrics.apps.annotate.annotation_service import AnnotationService
from fstmetrics.apps.annotate.project_export import annotated_networks, networks_of
from fstmetrics.apps.annotate.project_store import Project
from fstmetrics.apps.annotate.sentence_cards import Cards, cards_of, changed, first_cards, network_of
from fstmetrics.apps.annotate.typed_alternatives import expansions, typed_phrases, typed_row
from fstmetrics.data.cards import Call
from fstmetrics.networks.short_forms import Joined, tokens_of
from fstmetrics.networks.text_form import read_text_form
from fstmetrics.text.normalisation import PLAIN, Normalisation

RULES = [PLAIN, Normalisation("13a"), Normalisation("13a", lowercase=True), Normalisation("char")]
JOINS = ["[{}]", "[{}]", "[{}]'s", "[{}]-based", "[{}],", "ex-[{}]", '"[{}]".', "x[{}]y,"]


def annotated(texts: dict[str, str]) -> Cards:
    """Cards of some names and texts, that of the whole sentence under `S`."""
    cards: Cards = first_cards(4)
    for name, text in texts.items():
        whole = {"op": "text", "card": "root", "text": text}
        own = {"op": "create", "name": name, "text": text}
        cards = changed(cards, whole if name == "S" else own, 4).on(cards)
    return cards


def strings(network: fm.Network | None) -> set[tuple[str, ...]]:
    assert network is not None
    return set(fm.Paths(network))


def text_form(texts: dict[str, str]) -> fm.Network:
    return read_text_form("root: S\n" + "".join(f"[{name}]: {text}\n" for name, text in texts.items()))


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_joined_calls_are_those_of_the_text_form(rules: Normalisation) -> None:
    rng = random.Random(str(rules))
    for _ in range(150):
        texts: dict[str, str] = {}
        for number, name in enumerate(["A", "B", "C", "S"]):

            def token(number: int = number) -> str:
                if number and rng.random() < 0.6:
                    return rng.choice(JOINS).format(rng.choice("ABC"[:number]))
                return rng.choice(["a", "Rome", "U.S.", "1998", "b-c"])

            phrases = [" ".join(token() for _ in range(rng.randint(1, 2))) for _ in range(rng.randint(1, 3))]
            texts[name] = "; ".join(phrases)
        meant = {tuple(rules.words(" ".join(words))) for words in fm.Paths(text_form(texts))}
        assert strings(network_of(annotated(texts), normalisation=rules)) == meant, texts


@pytest.mark.parametrize("phrase", [
    "the [PM]'s plan", "ex-[PM]", "[A B]-based, [PM].", r"\[sic\] \;[PM]\\", "[PM]", 'x[PM]"" b', "[ PM ]'s",
])  # fmt: skip
def test_a_phrase_has_the_tokens_of_the_text_form(phrase: str) -> None:
    (typed,) = typed_phrases(phrase)
    assert typed.row is not None
    tokens = [Joined("", each.name, "") if isinstance(each, Call) else each for each in typed.row]
    named = [
        each._replace(name=each.name.strip()) if isinstance(each, Joined) else each
        for each in tokens_of(phrase)
    ]
    assert tokens == named
    assert typed_phrases(typed_row(typed.row))[0].row == typed.row


def test_choices_are_joined_to_as_if_each_phrase_were_written() -> None:
    """Choices and words that can be left out, at the ends of cards and within one another."""
    rng = random.Random(3)

    def row(depth: int) -> str:
        parts = []
        for _ in range(rng.randint(1, 3)):
            inner = [row(depth - 1) for _ in range(rng.randint(1, 3))] if depth else []
            parts.append(
                f"({'|'.join(inner)}{rng.choice(['', '|'])})"
                if inner and rng.random() < 0.6
                else rng.choice("abc")
            )
        return " ".join(parts)

    compared = 0
    for _ in range(200):
        text = f"{row(2)}; d"
        listed = [expansions(each.row, 60) for each in typed_phrases(text) if each.row is not None]
        if None in listed or () in [words for each in listed for words in each or ()]:
            continue
        compared += 1
        phrases = ["".join(f" {word}" for word in words).strip() for each in listed for words in each or ()]
        cards = annotated({"X": text, "S": "ex-[X]'s (end|[X],)"})
        expected = {
            tuple(f"ex-{one}'s {two}".split())
            for one, two in product(phrases, ["end", *(f"{p}," for p in phrases)])
        }
        assert strings(network_of(cards)) == expected, text
    assert compared > 60


def looked(service: AnnotationService, texts: dict[str, str]) -> dict[str, Any]:
    """What is shown after the first annotator has typed cards into the first sentence."""
    ann = service._project.annotators()[0]
    for name, text in texts.items():
        whole = {"op": "text", "card": "root", "text": text}
        change = whole if name == "S" else {"op": "create", "name": name, "text": text, "span": [0, 2]}
        revision = service._project.history(1, ann).revision
        found = service.change(ann, 1, {"revision": revision, "change": change, "look": {}})
    return found


@pytest.fixture
def project(tmp_path: Path) -> Any:
    rules = Normalisation("13a", lowercase=True)
    with Project.open(tmp_path / "p", create=True) as opened:
        opened.add_annotator("ann")
        texts = {
            "s": ["The", "chancellor's", "deputy,", "of", "Rome."],
            "t": ["The", "premier's", "deputy,", "in", "Rome."],
        }
        sentence = new_sentence(
            "0",
            "el a b c",
            "auto",
            {"r": ["The", "premier's", "deputy,", "from", "Rome."]},
            texts,
            normalisation=rules,
        )
        opened.add("news", [sentence], normalisation=rules)
        yield opened


TEXTS = {"PM": "premier; Prime Minister", "CITY": "Rome", "S": "The [PM]'s deputy, from [CITY]."}


def test_distances_strings_and_exports_are_of_what_is_joined(project: Project, tmp_path: Path) -> None:
    service = AnnotationService(project)
    look = looked(service, TEXTS)["look"]
    assert {row["name"]: row["distance"] for row in look["distances"]} == {"r": 0, "s": 2, "t": 1}
    assert look["sizes"]["root"]["strings"] == "2"
    assert [phrase["error"] for phrase in look["phrases"]] == [""]
    (one,) = annotated_networks(project)
    meant = {tuple(project.normalisation.words(" ".join(words))) for words in fm.Paths(text_form(TEXTS))}
    assert (
        strings(one.network)
        == meant
        == {tuple(f"the {pm}'s deputy , from rome .".split()) for pm in ("premier", "prime minister")}
    )
    assert "PM's" in one.network.cards
    again = network_of(cards_of(one.network), normalisation=project.normalisation)
    assert strings(again) == meant
    assert strings(networks_of([*annotated_networks(project)])[0]) == meant
    for to in ("json", "cards"):
        assert fstmetrics("annotate", project.path, "--export", tmp_path / to, "--to", to).status == 0
        assert strings(fm.Network.read(tmp_path / to / "ann" / f"0.{to}")) == meant
    hyp = written(tmp_path / "hyp.txt", "The chancellor's deputy, of Rome.\n")
    assert fstmetrics("hyter", project.path, hyp, "--json").summary["edits"] == 2


def test_paths_and_proposals_are_of_the_cards_that_were_typed(project: Project) -> None:
    service = AnnotationService(project)
    state = looked(service, TEXTS)
    ids = {card["name"]: card["id"] for card in state["cards"]}
    assert set(ids) == {"S", "PM", "CITY"}
    ann = project.annotators()[0]
    taken = {
        (each["card"], each["typed"])
        for path in service.paths(ann, 1, "", 0)["paths"]
        for each in path["taken"]
    }
    assert taken == {
        ("root", TEXTS["S"]), (ids["PM"], "premier"), (ids["PM"], "Prime Minister"), (ids["CITY"], "Rome"),
    }  # fmt: skip
    for one in service.proposals(ann, 1)["proposals"]:
        revision = project.history(1, ann).revision
        before = sum(row["distance"] for row in service.look(ann, 1, {})["distances"])
        given = {
            "revision": revision,
            "action": "accept",
            "card": one["card"],
            "phrase": one["phrase"],
            "look": {},
        }
        if one["choice"]:
            given["instead"] = one["instead"]
        after = service.answer_proposal(ann, 1, given)
        assert before - sum(row["distance"] for row in after["look"]["distances"]) == one["saved"], one
        service.undo(ann, 1, {"revision": after["revision"]})
    wanted = next(one for one in service.proposals(ann, 1)["proposals"] if one["card"] == ids["PM"])
    assert (wanted["phrase"], wanted["saved"]) == ("chancellor", 1)
    service.answer_proposal(ann, 1, {"action": "reject", "card": ids["PM"], "phrase": "chancellor"})
    assert not [one for one in service.proposals(ann, 1)["proposals"] if one["phrase"] == "chancellor"]


def test_drawings_show_calls_as_they_were_typed(project: Project) -> None:
    """Also where labels are cut."""
    service = AnnotationService(project)
    looked(service, {"PM": "premier", "S": "the [PM]'s ex-[PRIME-MINISTER-OF-ITALY-AND-ROME]'s"})
    change = {"op": "create", "name": "PRIME-MINISTER-OF-ITALY-AND-ROME", "text": "premier"}
    ann = project.annotators()[0]
    revision = project.history(1, ann).revision
    state = service.change(ann, 1, {"revision": revision, "change": change, "look": {}})
    labels = [line for _, _, lines in state["look"]["drawing"]["labels"] for line in lines]
    assert labels == ["the", "[PM]'s", "ex-[PRIME-MINISTER-OF-IT…"]


@pytest.mark.parametrize(("text", "error"), [
    ("the [X]'s", "[X]'s: the card 'X' has an empty phrase, which nothing can be joined to"),
    ("the [X][Y]", "two calls cannot be joined: put a space before [Y]"),
    ("the [X]'s[Y]", "'[Y]' needs white space before it"),
    ("the (a|b)[Y]", "'[Y]' needs white space before it"),
])  # fmt: skip
def test_what_cannot_be_joined_is_said_and_does_not_count(text: str, error: str, project: Project) -> None:
    service = AnnotationService(project)
    state = looked(service, {"X": 'a; ""', "Y": "b", "S": f"{text}; the [Y]."})
    assert [phrase["error"] for phrase in state["look"]["phrases"]] == [error, ""]
    assert next(card["unread"] for card in state["cards"] if card["id"] == "root") == 1
    (one,) = annotated_networks(project)
    assert strings(one.network) == {("the", "b", ".")}


def test_what_is_joined_to_an_empty_card_waits_for_it() -> None:
    cards = annotated({"S": "the [PM]'s plan; a plan"})
    assert [card.name for card in cards.values() if card.asked] == ["PM"]
    assert strings(network_of(cards)) == {("a", "plan")}


@pytest.mark.parametrize("length", [8, 60])
def test_a_chain_that_doubles_ends(length: int) -> None:
    """Each card joins two things to the one before it: at most so many rows are made."""
    texts = {"X0": "a"} | {f"X{n}": f"[X{n - 1}]b; [X{n - 1}]c" for n in range(1, length + 1)}
    texts["S"] = f"[X{length}]; x"
    lines = "root: S\n" + "".join(f"[{name}]: {text}\n" for name, text in texts.items())
    found = strings(network_of(annotated(texts)))
    if length == 8:
        assert len(found) == 2**8 + 1
        assert found == strings(read_text_form(lines))
    else:
        assert ("x",) in found
        with pytest.raises(fm.InputError, match="phrases or more when all is written out"):
            read_text_form(lines)


def test_words_that_can_be_left_out_on_both_sides_stay_few_arcs() -> None:
    """Not a row for each of the 40 * 40 places where a phrase can begin and end."""
    count = 40
    before, behind = (" ".join(f"({side}{n})" for n in range(count)) for side in "ab")
    network = network_of(annotated({"X": f"{before} z {behind}", "S": "ex-[X]'s"}))
    assert network is not None
    assert fm.networks.info(network).paths == 2 ** (2 * count)
    assert len(network.cards["ex-X's"].arcs) < 4 * count**2
