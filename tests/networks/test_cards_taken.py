"""Which phrases of a network's cards a path took: `cards_taken`, checked by spelling the derivation out again."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
import random_cases as rc
from command import HYTER, written
from command import fstmetrics as command

import fstmetrics as fm
from fstmetrics.data.cards import Call, parse_phrase
from fstmetrics.networks.cards_used import taken_in


def check(network: fm.Network, words: Sequence[str], taken: Sequence[fm.CardTaken]) -> None:
    """The first card is the root; each phrase is a path of its card, and spells its words with what it calls."""
    rest = iter(taken)

    def spell(name: str) -> list[str]:
        used = next(rest)
        assert used.card == name
        tokens = parse_phrase(used.phrase)
        assert tokens in phrases_of(network.cards[name])
        spelled = [w for token in tokens for w in (spell(token.name) if isinstance(token, Call) else [token])]
        assert spelled == list(words[used.start : used.end])
        return spelled

    assert spell(network.root) == list(words)
    assert next(rest, None) is None


def phrases_of(card: fm.Card) -> set[tuple[object, ...]]:
    """All paths of an acyclic card, one by one."""

    def walk(state: int) -> set[tuple[object, ...]]:
        found: set[tuple[object, ...]] = {()} if state in card.finals else set()
        for source, destination, token in card.arcs:
            if source == state:
                found |= {((token,) if token else ()) + rest for rest in walk(destination)}
        return found

    return walk(card.start)


@pytest.mark.parametrize("block", range(4))
def test_every_string_of_random_networks(block: int) -> None:
    for seed in range(100 * block, 100 * block + 100):
        rng = random.Random(seed)
        side = rc.network_side(rng)
        network = side.value
        assert isinstance(network, fm.Network)
        for words in side.strings:
            check(network, words, fm.cards_taken(network, words))
        other = rc.random_string(rng, 5)
        if other not in side.strings:
            with pytest.raises(fm.FstmetricsError, match="are no path of network"):
                fm.cards_taken(network, other)


def test_an_ambiguous_and_an_empty_phrase() -> None:
    cards = {"S": ["[A] [A] b"], "A": ["", "a", "a a"]}
    network = fm.Network([fm.Card.from_phrases(*card) for card in cards.items()], "S")
    for length in range(5):
        check(network, ("a",) * length + ("b",), fm.cards_taken(network, ["a"] * length + ["b"]))
    assert fm.cards_taken(network, ["b"])[1:] == (("A", "", 0, 0), ("A", "", 0, 0))


def test_deep_nesting_does_not_recurse() -> None:
    depth = 20_000
    cards = [fm.Card.from_phrases(f"C{i}", [f"[C{i + 1}]"]) for i in range(depth)]
    network = fm.Network([*cards, fm.Card.from_phrases(f"C{depth}", ["x"])], "C0")
    taken = fm.cards_taken(network, ["x"])
    assert len(taken) == depth + 1
    assert taken[-1] == (f"C{depth}", "x", 0, 1)


def test_words_that_were_changed_and_alternatives() -> None:
    cards = {"S": ["The [PM] , spoke"], "PM": ["Prime Minister", "PM"]}
    network = fm.Network([fm.Card.from_phrases(*card) for card in cards.items()], "S")
    changed = fm.Normalisation(lowercase=True, remove_punctuation=True, ignore_reference=frozenset({"spoke"}))
    reference = fm.Alternatives(["another sentence", network])
    result = fm.align("the pm", reference, normalisation=changed)
    assert result.closest == ("the", "pm")
    assert taken_in(reference, result.closest, changed) == [
        ("S", "The [PM] , spoke", 0, 2),
        ("PM", "PM", 1, 2),
    ]
    assert taken_in(reference, ["another", "sentence"], changed) == []
    assert taken_in("text", ["text"], changed) == []


def test_records_tables_and_page(tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    assert command("hyter", *HYTER, "--window", 3, "--nbest", 2, "--alignment", "--output", out).status == 0
    networks = {n.id: n for n in fm.Network.read_all(HYTER[0])}
    records = [json.loads(line) for line in out.read_text().splitlines()]
    for record in records:
        for path in (record, *record["nbest"]):
            check(networks[record["id"]], path["closest"], [fm.CardTaken(*used) for used in path["cards"]])
    every = [tuple(used[:2]) for record in records for used in record["cards"]]
    found = json.loads(command("errors", out, "--json").out)["cards"]
    assert {(row["card"], row["phrase"]): row["count"] for row in found} == {
        key: every.count(key) for key in every
    }
    assert "cards taken" in command("errors", out).out


def test_whole_sentences_leave_room_for_their_counts(tmp_path: Path) -> None:
    """A card of a network built from references holds sentences; --json has all of them."""
    sentence = " ".join(["word"] * 60)
    ref = written(tmp_path / "r.txt", sentence + "\n")
    assert command("network", "build", ref, "-o", tmp_path / "n.json").status == 0
    out = tmp_path / "o.jsonl"
    assert command("hyter", tmp_path / "n.json", ref, "--alignment", "--output", out).status == 0
    (row,) = [line for line in command("errors", out).out.splitlines() if "…" in line]
    assert row.split() == ["S", *["word"] * 11, "word…", "1"]
    assert command("errors", out, "--json").summary["cards"][0]["phrase"] == sentence
