"""Seeded inputs: networks as annotators write them, lattices as recognisers write them, strings and their errors."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

Arc = tuple[int, int, str]

VOCABULARY = 2000
# Of the alternatives of a card, how many call another card; networks of human alternatives nest two to four deep.
CALL_RATE = 0.3


class Zipf:
    """Words w0, w1, ... with frequencies 1, 1/2, 1/3 ..."""

    def __init__(self, rng: random.Random, size: int = VOCABULARY) -> None:
        self._rng = rng
        self._words = [f"w{i}" for i in range(size)]
        self._until = list(accumulate(1 / (i + 1) for i in range(size)))

    def words(self, count: int) -> list[str]:
        """Words drawn independently."""
        return self._rng.choices(self._words, cum_weights=self._until, k=count)


def corrupted(rng: random.Random, words: Sequence[str], rate: float, fresh: Zipf) -> list[str]:
    """The words with substitutions, insertions and deletions, together about `rate` a word."""
    out: list[str] = []
    for word in words:
        draw = rng.random()
        if draw < rate * 0.3:
            continue
        out.append(fresh.words(1)[0] if draw < rate * 0.7 else word)
        if rate * 0.7 <= draw < rate:
            out += fresh.words(1)
    return out


def with_swaps(rng: random.Random, words: Sequence[str], swaps: int) -> list[str]:
    """The words with neighbours changed over, `swaps` times."""
    out = list(words)
    for _ in range(swaps if len(out) > 1 else 0):
        i = rng.randrange(len(out) - 1)
        out[i], out[i + 1] = out[i + 1], out[i]
    return out


def string_pairs(seed: int, count: int, words: int, rate: float) -> tuple[list[str], list[str]]:
    """References and hypotheses of a corpus."""
    rng = random.Random(seed)
    zipf = Zipf(rng)
    references = [zipf.words(words) for _ in range(count)]
    hypotheses = [corrupted(rng, reference, rate, zipf) for reference in references]
    return [" ".join(r) for r in references], [" ".join(h) for h in hypotheses]


def network(seed: int, segments: int, alternatives: int, depth: int) -> dict[str, Any]:
    """Network JSON: a root of `segments` cards in a row, each with alternatives that may call deeper cards."""
    rng = random.Random(seed)
    zipf = Zipf(rng)
    cards: dict[str, Any] = {}

    def card(level: int) -> str:
        name = f"C{len(cards)}"
        cards[name] = None  # its place in the order
        phrases: set[str] = set()
        while len(phrases) < alternatives:
            phrase = zipf.words(rng.randint(1, 3))
            if level < depth and rng.random() < CALL_RATE:
                phrase.insert(rng.randrange(len(phrase) + 1), f"[{card(level + 1)}]")
            phrases.add(" ".join(phrase))
        cards[name] = {"phrases": sorted(phrases)}
        return name

    root = " ".join(f"[{card(1)}]" for _ in range(segments))
    return {"format": "fstmetrics-network/1", "root": "S", "cards": {**cards, "S": {"phrases": [root]}}}


def forest(seed: int, words: int, readings: int = 2) -> dict[str, Any]:
    """Network JSON of a forest over all binary trees of a source sentence: a card a span, a phrase a split."""
    rng = random.Random(seed)
    zipf = Zipf(rng)
    cards: dict[str, Any] = {f"{i}-{i + 1}": {"phrases": zipf.words(readings)} for i in range(words)}
    for width in range(2, words + 1):
        for begin in range(words - width + 1):
            end = begin + width
            halves = ([f"[{begin}-{middle}]", f"[{middle}-{end}]"] for middle in range(begin + 1, end))
            phrases = [" ".join(pair if rng.random() < 0.7 else pair[::-1]) for pair in halves]
            cards[f"{begin}-{end}"] = {"phrases": phrases}
    return {"format": "fstmetrics-network/1", "root": f"0-{words}", "cards": cards}


def sampled_path(rng: random.Random, net: dict[str, Any]) -> list[str]:
    """The words of one path of a generated network."""

    def spoken(name: str) -> list[str]:
        phrase = rng.choice(net["cards"][name]["phrases"])
        words = [spoken(token[1:-1]) if token.startswith("[") else [token] for token in phrase.split()]
        return [word for part in words for word in part]

    return spoken(net["root"])


def lattice(seed: int, words: Sequence[str], arcs: int) -> tuple[list[Arc], int]:
    """Arcs, each to a higher state, and the final state: competing words around each of `words`.

    Each word has a layer of states; an arc goes to the next layer, or now and then within one or past one, and
    carries the right word of its place as often as a competitor does.
    """
    rng = random.Random(seed)
    zipf = Zipf(rng)
    width = max(1, arcs // (4 * len(words)))
    layers = [range(1 + i * width, 1 + (i + 1) * width) for i in range(len(words) - 1)]
    final = 1 + (len(words) - 1) * width
    places = [range(0, 1), *layers, range(final, final + 1)]
    competitors = [[word, *zipf.words(11)] for word in words]
    made: dict[Arc, None] = {}
    for i, sources in enumerate(places[:-1]):  # every state goes on, and is reached
        targets = places[i + 1]
        for j in range(max(len(sources), len(targets))):
            source, target = sources[j % len(sources)], targets[j % len(targets)]
            made[source, target, rng.choice(competitors[i])] = None
    tries = 0
    while len(made) < arcs and (tries := tries + 1) < 20 * arcs:
        i = rng.randrange(len(words))
        step = rng.choices((0, 1, 2), (1, 17, 2))[0]
        source, target = rng.choice(places[i]), rng.choice(places[min(i + step, len(words))])
        if source < target:
            made[source, target, rng.choice(competitors[i])] = None
    return sorted(made), final
