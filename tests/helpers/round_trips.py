"""Random lattices and networks for conversions, and their paths by enumeration, which knows nothing of the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
from hypothesis import strategies as st

import fstmetrics as fm
from fstmetrics._native import Automaton
from fstmetrics.data.cards import Call, Card

# What formats could stumble over; none of these means no word, is a number, or holds white space.
WORDS = [
    "a", "the", "don't", "naïve", "東京", "e\u0301", '"quoted"', "back\\slash", "'s", "x=y", "a,b", "a|b", "#", "@-@",
    "[noise]", "I=1", "J=0", "1,2,3_4", "0.5", "-", "<s>", "(uh)", "{", "/", "x\ufeff", "🙂", "\\", "W=", ";;",
    "*EPS*!",
]  # fmt: skip
# Costs that formats could stumble over, beside any others.
EXTREME = [0.0, 1.0, -2.5, 0.1, 12345.678, -1e-7, 3e8, -3e37, 1e-38]

words = st.sampled_from(["", "", *WORDS])
ids = st.sampled_from(["utt-1", "b", "weather_001.x", "é-2"])
single = st.one_of(st.sampled_from(EXTREME), st.floats(-1e6, 1e6)).map(lambda c: float(np.float32(c)) + 0.0)
double = st.one_of(
    single, st.floats(-1e300, 1e300, allow_nan=False), st.sampled_from([5e-324, 1e308, 0.1])
).map(lambda c: c + 0.0)


@st.composite
def lattices(
    draw: st.DrawFn,
    costs: st.SearchStrategy[float] = double,
    acoustic: bool = True,
    vocabulary: st.SearchStrategy[str] = words,
) -> fm.Lattice:
    """An acyclic lattice of up to six states in any order, with several finals, useless states and a path."""
    size = draw(st.integers(1, 6))
    names = draw(st.permutations(range(size)))
    ends = draw(st.lists(st.sampled_from(list(combinations(range(size), 2))), max_size=8)) if size > 1 else []
    spine = draw(st.integers(0, size - 1))  # a path, so that there is one
    ends += [(i, i + 1) for i in range(spine)]
    arcs = [(names[a], names[b], draw(vocabulary)) for a, b in ends]
    finals = sorted({names[spine], *draw(st.lists(st.sampled_from(names), max_size=2))})
    some = draw(st.booleans())
    weights = [
        (draw(costs), draw(costs) if acoustic else 0.0) if some else (0.0, 0.0) for _ in [*arcs, *finals]
    ]
    return fm.Lattice.from_arrays(
        [a for a, _, _ in arcs], [b for _, b, _ in arcs], [w for *_, w in arcs], finals=finals, start=names[0],
        num_states=size, costs=weights[: len(arcs)] or None, final_costs=weights[len(arcs) :], id=draw(ids),
    )  # fmt: skip


@st.composite
def meshes(draw: st.DrawFn, vocabulary: st.SearchStrategy[str] = words, least: int = 0) -> fm.Lattice:
    """A confusion network: columns of words with costs of posteriors."""
    vocabulary = vocabulary.filter(lambda word: "|" not in word)
    columns = draw(
        st.lists(
            st.lists(st.tuples(vocabulary, st.floats(0, 700)), min_size=1, max_size=3),
            min_size=least,
            max_size=4,
        )
    )
    arcs = [(i, i + 1, word, (cost, 0.0)) for i, column in enumerate(columns) for word, cost in column]
    return fm.Lattice.from_arrays(
        [a for a, *_ in arcs], [b for _, b, *_ in arcs], [w for *_, w, _ in arcs], finals=[len(columns)],
        costs=[c for *_, c in arcs] or None,
    )  # fmt: skip


Costs = tuple[float, float]


def paths(lattice: fm.Lattice) -> list[tuple[tuple[str, ...], list[Costs]]]:
    """The words and the costs of every accepting path of an acyclic lattice, a list of costs a path."""
    automaton = lattice.automaton
    columns = (automaton.sources, automaton.destinations, automaton.labels, automaton.arc_costs)
    leaving: dict[int, list[tuple[int, str, Costs]]] = {}
    for a, b, label, cost in zip(*(column.tolist() for column in columns), strict=True):
        leaving.setdefault(a, []).append((b, lattice.symbols.words[label], tuple(cost)))
    ends = dict(zip(automaton.finals.tolist(), map(tuple, automaton.final_costs.tolist()), strict=True))

    def walk(state: int) -> Iterator[tuple[tuple[str, ...], list[Costs]]]:
        if state in ends:
            yield (), [ends[state]]
        for after, word, cost in leaving.get(state, ()):
            for said, rest in walk(after):
                yield ((word, *said) if word else said), [cost, *rest]

    return list(walk(automaton.start))


def apart(lattice: fm.Lattice) -> Counter[tuple[tuple[str, ...], tuple[Costs, ...]]]:
    """Every path with its words and its costs other than zero, graph and acoustic apart: what must come back."""
    return Counter((said, tuple(c for c in costs if c != (0.0, 0.0))) for said, costs in paths(lattice))


# Names of cards that formats could stumble over.
NAMES = [
    "X",
    "a",
    "NULL",
    "!NULL",
    "a b",
    "x(duration=3)",
    "x",
    "'q",
    '"q"',
    "back\\slash",
    "main lattice",
    ".",
    "東京",
    "X_",
]


@st.composite
def networks(draw: st.DrawFn, costs: st.SearchStrategy[float] = double, acoustic: bool = True) -> fm.Network:
    """Up to three cards and one that nobody needs: acyclic, with useless states; some of their arcs call others."""
    names = draw(st.permutations(NAMES))[:4]
    cards: list[Card] = []
    for name in names:
        lattice = draw(lattices(costs, acoustic))
        automaton = lattice.automaton
        tokens: list[str | Call] = [lattice.symbols.words[label] for label in automaton.labels.tolist()]
        if tokens and cards[:3]:
            for place in draw(st.sets(st.integers(0, len(tokens) - 1), max_size=2)):
                tokens[place] = Call(draw(st.sampled_from([card.name for card in cards[:3]])))
        ends = zip(automaton.sources.tolist(), automaton.destinations.tolist(), tokens, strict=True)
        made = Card(
            name, tuple(ends), useful_finals(automaton), automaton.start,
            costs=tuple(map(tuple, automaton.arc_costs.tolist())),
        )  # fmt: skip
        of_final = dict(
            zip(automaton.finals.tolist(), map(tuple, automaton.final_costs.tolist()), strict=True)
        )
        cards.append(replace(made, final_costs=tuple(of_final[state] for state in sorted(made.finals))))
    return fm.Network(draw(st.permutations(cards)), names[draw(st.integers(1, 3))], id="n")


def useful_finals(automaton: Automaton) -> frozenset[int]:
    """The final states that can be reached, of which cards may have no others."""
    reached, arcs = (
        {automaton.start},
        list(zip(automaton.sources.tolist(), automaton.destinations.tolist(), strict=True)),
    )
    for _ in arcs:
        reached |= {b for a, b in arcs if a in reached}
    return frozenset(automaton.finals.tolist()) & reached


def network_paths(network: fm.Network) -> Counter[tuple[tuple[str, ...], tuple[Costs, ...]]]:
    """As `apart`, of a network whose calls are spelled out: every path with its words and its costs other than zero."""
    done: dict[str, list[tuple[tuple[str, ...], tuple[Costs, ...]]]] = {}

    def of(name: str) -> list[tuple[tuple[str, ...], tuple[Costs, ...]]]:
        if name in done:
            return done[name]
        card = network.cards[name]
        costs = card.costs or ((0.0, 0.0),) * len(card.arcs)
        ends = dict(
            zip(sorted(card.finals), card.final_costs or ((0.0, 0.0),) * len(card.finals), strict=True)
        )

        def walk(state: int) -> Iterator[tuple[tuple[str, ...], tuple[Costs, ...]]]:
            if state in ends:
                yield (), (ends[state],)
            for (a, b, token), cost in zip(card.arcs, costs, strict=True):
                if a == state:
                    heads = of(token.name) if isinstance(token, Call) else [((token,) if token else (), ())]
                    for after, rest in walk(b):
                        for said, inner in heads:
                            yield said + after, (cost, *inner, *rest)

        done[name] = list(walk(card.start))
        return done[name]

    return Counter((said, tuple(c for c in costs if c != (0.0, 0.0))) for said, costs in of(network.root))


def network_strings(network: fm.Network) -> set[tuple[str, ...]]:
    """The word sequences of a network, each call spelled out."""

    def of(name: str) -> set[tuple[str, ...]]:
        card = network.cards[name]

        def walk(state: int) -> Iterator[tuple[str, ...]]:
            if state in card.finals:
                yield ()
            for a, b, token in card.arcs:
                if a == state:
                    heads = of(token.name) if isinstance(token, Call) else {(token,) if token else ()}
                    for head in heads:
                        for rest in walk(b):
                            yield head + rest

        return set(walk(card.start))

    return of(network.root)
