"""Joined calls, parts in any order and agreement: the same strings as by writing everything, counted by hand."""

from __future__ import annotations

import random
from itertools import permutations, product

import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics.networks.short_forms import Joined, tokens_of
from fstmetrics.networks.text_form import read_text_form, write_text_form


def strings_of(network: fm.Network) -> set[str]:
    return {" ".join(words) for words in fm.networks.Paths(network)}


class ByDefinition:
    """Strings by what the notation means: a choice for each group, texts joined as texts, orders written out."""

    def __init__(
        self, cards: dict[str, list[str]], orders: set[str], agree: list[list[str]], root: str
    ) -> None:
        self.cards, self.orders, self.agree, self.root = cards, orders, agree, root

    def strings(self) -> set[str]:
        sizes = [range(len(self.cards[names[0]])) for names in self.agree]
        found = set()
        for chosen in product(*sizes):
            choice = {name: k for names, k in zip(self.agree, chosen, strict=True) for name in names}
            found |= self.of_card(self.root, choice)
        return found

    def of_card(self, name: str, choice: dict[str, int]) -> set[str]:
        phrases = self.cards[name]
        if name in self.orders:
            phrases = [" ".join(order) for order in permutations(phrases)]
        if name in choice:
            phrases = [phrases[choice[name]]]
        return {text for phrase in phrases for text in self.of_phrase(phrase, choice)}

    def of_phrase(self, phrase: str, choice: dict[str, int]) -> set[str]:
        parts = []
        for token in phrase.split():
            if "[" not in token:
                parts.append({token})
                continue
            before, _, rest = token.partition("[")
            name, _, behind = rest.partition("]")
            parts.append({before + text + behind for text in self.of_card(name, choice)})
        return {" ".join(filter(None, texts)) for texts in product(*parts)}


def random_cards(rng: random.Random) -> ByDefinition:
    """Cards A, B, ... of which each calls only those before it, with joins, orders and agreement."""
    names = ["A", "B", "C", "D"]
    two = rng.sample(names[:3], 2) if rng.random() < 0.7 else []
    cards: dict[str, list[str]] = {}
    orders = set()
    for number, name in enumerate([*names, "S"]):

        def token(number: int = number) -> str:
            if number and rng.random() < 0.5:
                called = rng.choice(names[:number])
                return rng.choice(["[{}]", "[{}]", "[{}]'s", "x-[{}]", "x[{}],"]).format(called)
            return rng.choice("abc")

        count = 2 if name in two else rng.randint(1, 3)
        if name not in two and name != "S" and rng.random() < 0.3:
            orders.add(name)
        cards[name] = [" ".join(token() for _ in range(rng.randint(1, 2))) for _ in range(count)]
    return ByDefinition(cards, orders, [two] if two else [], "S")


@pytest.mark.parametrize("seed", range(60))
def test_networks_have_the_strings_of_the_definition(seed: int) -> None:
    given = random_cards(random.Random(seed))
    lines = [f"[{n}]{' in any order' * (n in given.orders)}: {'; '.join(p)}" for n, p in given.cards.items()]
    lines += [f"agree: {' '.join(names)}" for names in given.agree]
    text = "\n".join(["root: S", *lines])
    network = read_text_form(text)
    assert strings_of(network) == given.strings(), text
    assert strings_of(read_text_form(write_text_form(network))) == given.strings()


def test_choices_that_do_not_meet_are_no_pairs() -> None:
    both = "agree: HE HIS\nagree: A B\n[HE]: he; she\n[HIS]: his; her\n[A]: 1; 2; 3\n[B]: x; y; z\n"
    network = read_text_form(f"{both}[S]: [HE] [A] [HIS] [B]; [HE] left\n")
    expected = {
        f"{he} {a} {his} {b}" for he, his in (("he", "his"), ("she", "her")) for a, b in ("1x", "2y", "3z")
    }
    assert strings_of(network) == expected | {"he left", "she left"}
    assert fm.networks.info(network).paths == 8  # none twice


def test_signs_that_are_escaped_are_no_calls() -> None:
    assert tokens_of(r"\[a\] b\;[C]\\ d") == ["[a]", Joined("b;", "C", "\\"), "d"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[X]: a; \"\"\n[S]: the [X]'s\n", "[X]'s: the card 'X' has an empty phrase"),
        ("agree: X\n[X]: a\n[S]: [X]\n", "agree: expected two or more names of cards"),
        ("agree: X Y\n[X]: a\n[S]: [X]\n", "agree: there is no card 'Y'"),
        ("agree: X S\nroot: S\n[X]: a\n[S]: [X]\n", "agree: 'S' is the root"),
        ("agree: X Y\n[X]: a\n[Y]: b; c\n[S]: [X] [Y]\n", "agree: 'X' has 1 phrases and 'Y' has 2"),
        ("agree: X Y\nagree: X Y\n[X]: a\n[Y]: b\n[S]: [X] [Y]\n", "agree: the card 'X' is named twice"),
        (
            "[S]: [X] [Y]\nagree: X Y\n[X]: a; b\n[Y] 0-1 in any order: b; c\n",
            ":2: agree: all parts of 'Y', a card in any order, are said,",
        ),
        ("[X] in any order: a; b; c; d; e; f; g\n[S]: [X]\n", "card 'X': 7 parts in any order; the most is 6"),
        ("root: S\n[X]: [X]'s a [X]'s\n[S]: [X]'s\n", "cards call each other in a circle: X -> X"),
        ("lowercase: maybe\n[S]: a\n", "lowercase is yes or no, not 'maybe'"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_out_is_refused(text: str, message: str, tmp_path: object) -> None:
    with pytest.raises(fm.InputError) as error:
        read_text_form(text, path="x.cards")
    assert message in str(error.value)
    path = written(tmp_path / "x.cards", text)  # type: ignore[operator]
    for command in (("network", "info", path), ("network", "validate", path)):
        told = fstmetrics(*command)
        assert told.status == 2
        assert message in told.out + told.err


def test_too_many_choices_are_refused() -> None:
    groups = "".join(f"agree: A{i} B{i}\n" for i in range(6))
    cards = "".join(f"[{side}{i}]: {'; '.join('abcdefghij')}\n" for i in range(6) for side in "AB")
    calls = " ".join(f"[A{i}] [B{i}]" for i in range(6))
    with pytest.raises(fm.InputError, match="1000000 phrases or more when all is written out"):
        read_text_form(f"{groups}{cards}[S]: {calls}\n")


@pytest.mark.parametrize("last", ["agree: A B\n[A]: a; b\n[B]: c; d\n[X0]: [A] [B]\n", "[X0]: a\n"])
def test_chains_that_are_too_long_are_refused(last: str) -> None:
    def text(length: int) -> str:
        join = "" if last.startswith("agree") else "'s"
        chain = "".join(f"[X{i + 1}]: x [X{i}]{join}\n" for i in range(length))
        return f"{last}{chain}[S]: [X{length}]{join}\nroot: S\n"

    assert len(strings_of(read_text_form(text(90)))) == (2 if last.startswith("agree") else 1)
    with pytest.raises(fm.InputError, match="more than 100 cards call one another in a chain"):
        read_text_form(text(3000))


def test_cards_that_are_replaced_are_no_remark(tmp_path: object) -> None:
    path = written(tmp_path / "x.cards", "[X]: a; b\n[UNUSED]: c\nroot: S\n[S]: [X]'s end\n")  # type: ignore[operator]
    out = fstmetrics("network", "validate", path).out
    assert "'UNUSED': is on no path" in out
    assert "'X'" not in out
