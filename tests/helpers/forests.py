"""Forests for tests: what the referee derives from one, and large ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import fstmetrics as fm
from fstmetrics.data.cards import NO_COST, Call


def forest(length: int, seed: int = 0, vocabulary: int = 20, readings: int = 2) -> fm.Network:
    """A forest as CKY leaves it behind: a card a span of source words, an edge a split of it, some turned round.

    Every word has `readings` translations, so it has readings^length times as many derivations as there are binary
    trees, a Catalan number.
    """
    rng = random.Random(seed)
    cards = []
    for width in range(1, length + 1):
        for begin in range(length - width + 1):
            end = begin + width
            words = (f"w{rng.randrange(vocabulary)}" for _ in range(readings))
            arcs: list[tuple[int, int, str | Call]] = [(0, 1, word) for word in words] if width == 1 else []
            for state, middle in enumerate(range(begin + 1, end), 2):
                halves = [Call(f"{begin}-{middle}"), Call(f"{middle}-{end}")]
                first, second = halves if rng.random() < 0.7 else halves[::-1]
                arcs += [(0, state, first), (state, 1, second)]
            cards.append(fm.Card(f"{begin}-{end}", tuple(arcs), frozenset({1}), span=(begin, end)))
    return fm.Network(cards, f"0-{length}", id=f"forest-{length}")


def some_string(network: fm.Network, rng: random.Random) -> list[str]:
    """The words of some derivation."""

    def of(name: str) -> list[str]:
        card, state, words = network.cards[name], 0, []
        while state not in card.finals:
            _, state, token = rng.choice([arc for arc in card.arcs if arc[0] == state])
            words += of(token.name) if isinstance(token, Call) else [token] * bool(token)
        return words

    return of(network.root)


def sentence(length: int, seed: int, vocabulary: int = 20) -> str:
    """Words that such forests have."""
    rng = random.Random(seed)
    return " ".join(f"w{rng.randrange(vocabulary)}" for _ in range(length))


def with_costs(rng: random.Random, network: fm.Network) -> fm.Network:
    """Random costs, halves so that sums are exact, on some cards."""

    def some(number: int) -> tuple[tuple[float, float], ...]:
        pairs = tuple((rng.randint(-4, 9) / 2, rng.choice((0.0, 1.5))) for _ in range(number))
        return pairs if rng.random() < 0.7 and any(pair != NO_COST for pair in pairs) else ()

    cards = [
        replace(card, costs=some(len(card.arcs)), final_costs=some(len(card.finals)))
        for card in network.cards.values()
    ]
    return fm.Network(cards, network.root, id=network.id)


def derivations(
    network: fm.Network, scales: fm.Scales, name: str
) -> Iterator[tuple[float, tuple[str, ...], tuple[tuple[str, int], ...]]]:
    """Cost, words and arcs of every derivation of a card, by the definition."""
    card = network.cards[name]

    def weighed(pair: tuple[float, float]) -> float:
        return scales.lm * pair[0] + scales.acoustic * pair[1]

    def walk(state: int) -> Iterator[tuple[float, tuple[str, ...], tuple[tuple[str, int], ...]]]:
        if state in card.finals:
            final = card.final_costs[sorted(card.finals).index(state)] if card.final_costs else NO_COST
            yield weighed(final), (), ()
        for i, (source, destination, token) in enumerate(card.arcs):
            if source != state:
                continue
            own = weighed(card.costs[i] if card.costs else NO_COST)
            if isinstance(token, Call):
                taken = list(derivations(network, scales, token.name))
            else:
                taken = [(scales.word_penalty if token else 0.0, (token,) if token else (), ())]
            for (c, w, a), (rest, words, arcs) in product(taken, walk(destination)):
                yield own + c + rest, w + words, ((name, i), *a, *arcs)

    yield from walk(card.start)
