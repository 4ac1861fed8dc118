"""Small random evaluations, as the referee (brute_force) and as fstmetrics see them.

A small alphabet, so that words match; epsilons, empty strings, several finals, parallel arcs, calls, negative
costs, costs by word. `Case` holds both views of one evaluation.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import brute_force as bf
import random_cases as rc

import fstmetrics as fm
from fstmetrics.data.cards import Call

WORDS = ("a", "b", "b", "c")
# Costs by word, in quarters: exact in every representation.
WORD_COSTS = {"a": Fraction(1, 4), "b": Fraction(1), "c": Fraction(3, 2)}


@dataclass(frozen=True)
class MetricPair:
    """One metric for both sides; `referee` is shared, so that its results can be kept by identity."""

    name: str
    referee: bf.Metric
    metric: fm.Metric
    score: bf.ScoreName | None = None

    @property
    def negative(self) -> bool:
        """Whether some operation has a negative cost."""
        return any(cost < 0 for row in self.referee.cost for cost in row)


def _word_cost(op: bf.Op, hypothesis: str | None, reference: str | None) -> Fraction:
    if op is bf.Op.MATCH:
        return Fraction(0)
    return sum((WORD_COSTS[word] for word in (hypothesis, reference) if word), Fraction(0))


def _table(rng: random.Random, memories: int, low: int, high: int, kind: str) -> MetricPair:
    follow = tuple(tuple(rng.randrange(memories) for _ in range(4)) for _ in range(memories))
    cost = tuple(tuple(Fraction(rng.randint(low, high), 2) for _ in range(4)) for _ in range(memories))
    memory = [list(zip(n, c, strict=True)) for n, c in zip(follow, cost, strict=True)]
    referee = bf.Metric(follow, cost)  # type: ignore[arg-type]
    return MetricPair(f"{kind} table {follow} {cost}", referee, fm.EditMetric(memory=memory))


def _plain(name: str, costs: tuple[int, int, int, int]) -> MetricPair:
    """One memory; costs of match, substitution, insertion and deletion, in halves."""
    halves = tuple(Fraction(cost, 2) for cost in costs)
    memory = [[(0, cost) for cost in halves]]
    return MetricPair(name, bf.Metric(((0, 0, 0, 0),), (halves,)), fm.EditMetric(memory=memory))  # type: ignore[arg-type]


def _metrics() -> list[MetricPair]:
    rng = random.Random(11)
    found = [
        MetricPair("wer", bf.levenshtein(), fm.WER(), "wer"),
        MetricPair("wrr", bf.wrr(), fm.WRR(), "wrr"),
        MetricPair("sclite", bf.sclite(), fm.Sclite()),
        _plain("match as dear as a mismatch", (1, 1, 2, 1)),
        MetricPair("words", bf.Metric(((0, 0, 0, 0),), ((Fraction(0),) * 4,), word_cost=_word_cost),
                   fm.EditMetric(cost=lambda op, h, r: float(_word_cost(bf.Op[op.upper()], h, r)))),
    ]  # fmt: skip
    for order in (1, 2, 3, 4):
        for alpha, beta in ((1, 0), ("-0.9", 1), ("0.25", "-0.5"), ("1", "0.7")):
            metric = fm.GRR(order, Fraction(alpha), Fraction(beta))
            found.append(MetricPair(f"grr {order} {alpha} {beta}", bf.grr(order, alpha, beta), metric, "grr"))
    found += [_table(rng, memories, 0, 4, "costs") for memories in (1, 2, 3) for _ in range(3)]
    found += [_table(rng, memories, -2, 4, "gains") for memories in (1, 2, 3) for _ in range(3)]
    return found


METRICS = _metrics()
HYTER = {
    (window, reordering): MetricPair("hyter", bf.levenshtein(), fm.HyTER(window, reordering), "hyter")
    for window in (1, 2, 3, 4)
    for reordering in ("moves", "jumps")
}


@dataclass(frozen=True)
class Side:
    """The strings of one side, and what fstmetrics is given for them."""

    strings: frozenset[bf.Words]
    value: object
    kind: str
    has_epsilons: bool


@dataclass(frozen=True)
class Case:
    """One evaluation."""

    hypothesis: Side
    reference: Side
    pair: MetricPair

    def pairs(self) -> list[bf.Totals]:
        """The referee's best totals of every distinct pair of strings."""
        metric = self.pair.metric
        return [
            _best_of_pair(h, r, self.pair.referee, metric.window, metric.reordering)
            for h in self.hypothesis.strings
            for r in self.reference.strings
        ]


@cache
def _best_of_pair(
    h: bf.Words, r: bf.Words, metric: bf.Metric, window: int, reordering: bf.Reordering
) -> bf.Totals:
    return bf.best_of_pair(h, r, metric, window, reordering)


def random_machine(
    rng: random.Random, states: int, epsilon: float, calls: tuple[str, ...] = ()
) -> bf.Machine:
    """An acyclic machine with at least one path, numbered in no particular order."""
    names = list(range(states))
    rng.shuffle(names)
    spine = sorted(rng.sample(range(1, states), rng.randint(min(1, states - 1), min(4, states - 1))))
    arcs = [_arc(rng, names, a, b, epsilon, calls) for a, b in zip([0, *spine], spine, strict=False)]
    if states > 1:
        for _ in range(rng.randint(1, 5)):
            a, b = sorted(rng.sample(range(states), 2))
            arcs.append(_arc(rng, names, a, b, epsilon, calls))
    rng.shuffle(arcs)
    finals = {names[spine[-1] if spine else 0]} | {s for s in names if rng.random() < 0.15}
    return bf.Machine(names[0], frozenset(finals), tuple(arcs))


def _arc(
    rng: random.Random, names: list[int], a: int, b: int, epsilon: float, calls: tuple[str, ...]
) -> tuple[int, str, int]:
    label = "" if rng.random() < epsilon else rng.choice(WORDS)
    if calls and rng.random() < 0.4:
        label = f"[{rng.choice(calls)}]"
    return names[a], label, names[b]


def random_string(rng: random.Random, longest: int) -> bf.Words:
    """A string of up to `longest` words."""
    words = rng.randint(0, longest) if rng.random() < 0.4 else rng.randint(longest // 2, longest)
    return tuple(rng.choice(WORDS) for _ in range(words))


def string_side(words: bf.Words) -> Side:
    """One string."""
    return Side(frozenset({words}), " ".join(words), "string", False)


def machine_side(rng: random.Random) -> Side:
    """A lattice."""
    machine = random_machine(rng, rng.randint(3, 7) if rng.random() < 0.9 else 1, rng.choice((0, 0.3)))
    arcs = [(a, b, w or rng.choice(("!NULL", "<eps>", "<s>", ""))) for a, w, b in machine.arcs]
    states = 1 + max([machine.start, *machine.finals, *(s for a, _, b in machine.arcs for s in (a, b))])
    sources, destinations, words = zip(*arcs, strict=True) if arcs else ((), (), ())
    lattice = fm.Lattice.from_arrays(
        sources, destinations, words, start=machine.start, finals=sorted(machine.finals), num_states=states
    )
    return Side(frozenset(bf.strings(machine)), lattice, "lattice", any(not w for _, w, _ in machine.arcs))


def network_side(rng: random.Random) -> Side:
    """A network of up to three cards."""
    cards = {"Z": random_machine(rng, rng.randint(1, 4), 0.2)}
    if rng.random() < 0.5:
        cards["Y"] = random_machine(rng, rng.randint(1, 3), 0.2, ("Z",))
    cards["S"] = random_machine(rng, rng.randint(3, 5), 0.2, tuple(cards))
    network = fm.Network([_card(name, machine) for name, machine in cards.items()], "S")
    epsilons = any(not w for machine in cards.values() for _, w, _ in machine.arcs)
    return Side(frozenset(bf.expand(cards, "S")), network, "network", epsilons)


def _card(name: str, machine: bf.Machine) -> fm.Card:
    def token(label: str) -> object:
        return Call(label[1:-1]) if label.startswith("[") else label

    reached = {machine.start}
    for _ in machine.arcs:
        reached |= {b for a, _, b in machine.arcs if a in reached}
    arcs = tuple((a, b, token(w)) for a, w, b in machine.arcs)
    return fm.Card(name, arcs, machine.finals & reached, machine.start)  # type: ignore[arg-type]


def alternatives_side(rng: random.Random, longest: int) -> Side:
    """A list of alternatives of several kinds."""
    makers: list[Callable[[], Side]] = [
        lambda: string_side(random_string(rng, longest)),
        lambda: machine_side(rng),
    ]
    sides = [rng.choice(makers)() for _ in range(rng.randint(1, 3))]
    strings = frozenset().union(*(side.strings for side in sides))
    return Side(strings, fm.Alternatives(side.value for side in sides), "alternatives",
                any(side.has_epsilons for side in sides))  # type: ignore[arg-type]  # fmt: skip


# Pairs of strings in one case: the referee looks at every one.
MOST_PAIRS = 300


def random_case(seed: int) -> Case:
    """The case of this number; the same on every machine."""
    rng = random.Random(seed)
    while True:
        case = _random_case(rng)
        if len(case.hypothesis.strings) * len(case.reference.strings) <= MOST_PAIRS:
            return case


def _random_case(rng: random.Random) -> Case:
    reference = rng.choice(
        (lambda: string_side(random_string(rng, 4)), lambda: machine_side(rng), lambda: network_side(rng),
         lambda: alternatives_side(rng, 4))
    )()  # fmt: skip
    if rng.random() < 0.35:
        return Case(string_side(random_string(rng, 5)), reference, rng.choice(list(HYTER.values())))
    hypothesis = rng.choice(
        (lambda: string_side(random_string(rng, 4)), lambda: machine_side(rng), lambda: machine_side(rng),
         lambda: network_side(rng), lambda: alternatives_side(rng, 4))
    )()  # fmt: skip
    return Case(hypothesis, reference, rng.choice(METRICS))


def totals_of(result: fm.Result) -> bf.Totals:
    """A result as the referee counts it."""
    cost = Fraction(result.totals.units, result.metric.table.scale)
    t = result.totals
    return bf.Totals(cost, t.matches, t.substitutions, t.insertions, t.deletions, t.moves, t.path_length)


def check_path(case: rc.Case, result: fm.Result) -> None:
    """The path is accepted by both sides, and its alignment re-scores to the totals."""
    metric, pairs = result.metric, result.alignment
    assert result.closest in case.reference.strings
    if metric.window == 1:
        assert result.hypothesis in case.hypothesis.strings
        moves = 0
    else:
        (words,) = case.hypothesis.strings
        order = tuple(pair.position for pair in pairs if pair.hypothesis is not None)
        assert order in set(bf.permutations_in_window(words, metric.window))
        assert result.hypothesis == tuple(words[position] for position in order)
        moves = bf.count_moves(order, metric.reordering)
    assert all((pair.op == "=") == (pair.hypothesis == pair.reference) for pair in pairs)
    ops = tuple(bf.Op("=SID".index(pair.op)) for pair in pairs)
    assert bf.measure(ops, result.hypothesis, result.closest, case.pair.referee, moves) == totals_of(result)
