"""A referee for the metric engine: every number by enumeration, from the definition alone.

The definition is "the best path in H ∘ T ∘ R" (design, section 1).  Nothing is composed here: H and R are
sets of strings, Π(x, k) is a list of orders, T is run over every alignment of every pair, and the least
is taken.  Written to be read; nothing in it is fast.  Costs are `Fraction`s, so ties are exact ties.

Sources: [C08] Chiang et al. 2008, section 4.3; [H12] Dreyer & Marcu 2012, eq. 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Literal

Words = tuple[str, ...]
Order = tuple[int, ...]
Reordering = Literal["moves", "jumps"]
ScoreName = Literal["wer", "wrr", "grr", "hyter"]


# Automata and networks (design, section 2)


@dataclass(frozen=True)
class Machine:
    """A small acyclic automaton; an arc is (from, label, to) and the label "" is epsilon."""

    start: int
    finals: frozenset[int]
    arcs: tuple[tuple[int, str, int], ...]


def accepting_paths(machine: Machine) -> Iterator[Words]:
    """The labels of every accepting path, without epsilons: one item per path, so strings may repeat."""

    def walk(state: int) -> Iterator[Words]:
        if state in machine.finals:
            yield ()
        for source, label, target in machine.arcs:
            if source == state:
                for tail in walk(target):
                    yield (label, *tail) if label else tail

    return walk(machine.start)


def strings(machine: Machine) -> set[Words]:
    """The distinct word sequences of an acyclic machine."""
    return set(accepting_paths(machine))


def expand(cards: dict[str, Machine], root: str) -> set[Words]:
    """The distinct strings of a network ([H12] section 2.1): a label "[NAME]" calls the card NAME."""

    def readings(label: str) -> set[Words]:
        is_call = label.startswith("[") and label.endswith("]")
        return expand(cards, label[1:-1]) if is_call else {(label,)}

    found = set()
    for labels in strings(cards[root]):
        for parts in product(*map(readings, labels)):
            found.add(tuple(word for part in parts for word in part))
    return found


# Reordering: Π(x, k) and d(x, x') of [H12] eq. 1 (design, section 1, "Scores")


def permutations_in_window(words: Sequence[str], window: int) -> Iterator[Order]:
    """The orders of Π(x, k): positions in the order taken.

    Each word taken is at most k - 1 positions right of the leftmost word not yet taken.
    """
    if window < 1:
        raise ValueError("a window holds at least one word")

    def extend(order: Order) -> Iterator[Order]:
        free = [position for position in range(len(words)) if position not in order]
        if not free:
            yield order
        for position in free:
            if position - free[0] <= window - 1:
                yield from extend((*order, position))

    return extend(())


def is_paid(position: int, leftmost: int, previous: int | None, reordering: Reordering) -> bool:
    """Is taking `position` charged, when `leftmost` is the leftmost free one and `previous` was taken last?

    "jumps" charges whatever is not leftmost; "moves" lets the right neighbour of the previous word go free.
    """
    follows = previous is not None and position == previous + 1
    return position != leftmost and (reordering == "jumps" or not follows)


def count_moves(order: Order, reordering: Reordering) -> int:
    """The number d(x, x') of charged words in an order."""
    return sum(
        is_paid(position, min(order[step:]), order[step - 1] if step else None, reordering)
        for step, position in enumerate(order)
    )


# The edit automaton (design, section 1)


class Op(IntEnum):
    """The four inputs of an edit automaton, in the order of the columns of its tables."""

    MATCH = 0
    SUBSTITUTION = 1
    INSERTION = 2
    DELETION = 3


WordCost = Callable[[Op, str | None, str | None], Fraction]


@dataclass(frozen=True)
class Metric:
    """An edit automaton: per memory (rows) and operation (columns) the next memory and the cost.

    Memory 0 is the start and all memories are final.  `word_cost(op, hyp_word, ref_word)` is added to the
    table's cost; the word that an insertion or deletion lacks is None.  `kind` decides ties and scores.
    """

    next: tuple[tuple[int, int, int, int], ...]
    cost: tuple[tuple[Fraction, ...], ...]
    move_cost: Fraction = Fraction(1)
    word_cost: WordCost | None = None
    kind: Literal["errors", "gain"] = "errors"

    def price(self, memory: int, op: Op, hyp_word: str | None, ref_word: str | None) -> Fraction:
        """What one operation costs in one memory."""
        extra = self.word_cost(op, hyp_word, ref_word) if self.word_cost else 0
        return self.cost[memory][op] + extra

    def max_gain(self, reference_words: int) -> Fraction:
        """The gain of matching a whole reference: sum over k of max(0, |r| - k + 1) for N-GRR."""
        memory, gain = 0, Fraction(0)
        for _ in range(reference_words):
            gain -= self.cost[memory][Op.MATCH]
            memory = self.next[memory][Op.MATCH]
        return gain


def _one_state(match: int, substitution: int, insertion: int, deletion: int) -> tuple[tuple[Fraction, ...]]:
    return (tuple(map(Fraction, (match, substitution, insertion, deletion))),)


def levenshtein() -> Metric:
    """WER, and HyTER's one-state Levenshtein transducer ([H12] eq. 1)."""
    return Metric(next=((0, 0, 0, 0),), cost=_one_state(0, 1, 1, 1))


def sclite() -> Metric:
    """The weights with which sclite aligns; its errors are counted afterwards."""
    return Metric(next=((0, 0, 0, 0),), cost=_one_state(0, 4, 3, 3))


def wrr() -> Metric:
    """Word recognition rate, gain M - I ([C08] section 4.3, eq. 5)."""
    return Metric(next=((0, 0, 0, 0),), cost=_one_state(-1, 0, 1, 0), kind="gain")


def grr(order: int = 4, alpha: Fraction | float | str = 1, beta: Fraction | float | str = 0) -> Metric:
    """N-GRR, gain sum_k M_k - αI - βD ([C08] section 4.3, eq. 6); memory m = words matched in a row, to N-1.

    α and β are read as decimals: 0.9 means 9/10.
    """
    insertion, deletion = Fraction(str(alpha)), Fraction(str(beta))
    return Metric(
        next=tuple((min(m + 1, order - 1), 0, 0, 0) for m in range(order)),
        cost=tuple((Fraction(-(m + 1)), Fraction(0), insertion, deletion) for m in range(order)),
        kind="gain",
    )


# Alignments and what they add up to


@dataclass(frozen=True)
class Totals:
    """The sums along one path of H ∘ T ∘ R; `cost` includes the cost of the moves."""

    cost: Fraction = Fraction(0)
    matches: int = 0
    substitutions: int = 0
    insertions: int = 0
    deletions: int = 0
    moves: int = 0
    reference_words: int = 0

    @property
    def edits(self) -> int:
        """S + I + D."""
        return self.substitutions + self.insertions + self.deletions

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            self.cost + other.cost,
            self.matches + other.matches,
            self.substitutions + other.substitutions,
            self.insertions + other.insertions,
            self.deletions + other.deletions,
            self.moves + other.moves,
            self.reference_words + other.reference_words,
        )


def alignments(hyp: Sequence[str], ref: Sequence[str]) -> Iterator[tuple[Op, ...]]:
    """All ways to read two strings to their ends; as many as the Delannoy number of the two lengths.

    Two words taken together are a match exactly if they are equal.  ([C08]'s ★ also lets equal words be
    substituted; with its costs that never gains anything, and the design excludes it.)
    """
    if not hyp and not ref:
        yield ()
    if hyp and ref:
        op = Op.MATCH if hyp[0] == ref[0] else Op.SUBSTITUTION
        yield from ((op, *tail) for tail in alignments(hyp[1:], ref[1:]))
    if hyp:
        yield from ((Op.INSERTION, *tail) for tail in alignments(hyp[1:], ref))
    if ref:
        yield from ((Op.DELETION, *tail) for tail in alignments(hyp, ref[1:]))


def measure(
    alignment: tuple[Op, ...], hyp: Sequence[str], ref: Sequence[str], metric: Metric, moves: int = 0
) -> Totals:
    """Run the edit automaton over one alignment; `moves` is what it took to reorder the hypothesis."""
    hyp_words, ref_words = iter(hyp), iter(ref)
    cost, memory = moves * metric.move_cost, 0
    for op in alignment:
        hyp_word = None if op is Op.DELETION else next(hyp_words)
        ref_word = None if op is Op.INSERTION else next(ref_words)
        cost += metric.price(memory, op, hyp_word, ref_word)
        memory = metric.next[memory][op]
    matches, substitutions, insertions, deletions = (alignment.count(op) for op in Op)
    return Totals(cost, matches, substitutions, insertions, deletions, moves, len(ref))


def gain_sign(totals: Totals) -> int:
    """1, 0 or -1 as the gain, which is minus the cost, is positive, zero or negative."""
    return (totals.cost < 0) - (totals.cost > 0)


def rank(totals: Totals, metric: Metric, best_gain_sign: int | None = None) -> tuple[Fraction | int, ...]:
    """The order of design, "Ties"; the least is the best.

    Cost; then score (errors: longest reference; gains: smallest maximum if the gain is >= 0, else largest);
    then fewest edits, fewest moves, most matches, fewest deletions.  Totals that tie in cost have the same
    sign of gain, so it defaults to the totals' own.
    """
    by_score: Fraction | int = -totals.reference_words
    if metric.kind == "gain":
        sign = gain_sign(totals) if best_gain_sign is None else best_gain_sign
        max_gain = metric.max_gain(totals.reference_words)
        by_score = max_gain if sign >= 0 else -max_gain
    return totals.cost, by_score, totals.edits, totals.moves, -totals.matches, totals.deletions


# The best path in H ∘ T ∘ R, by enumeration


def candidates(
    hyp: Words, ref: Words, metric: Metric, window: int = 1, reordering: Reordering = "moves"
) -> Iterator[Totals]:
    """The totals of every permutation and every alignment of one pair of strings."""
    for order in permutations_in_window(hyp, window):
        reordered = tuple(hyp[position] for position in order)
        moves = count_moves(order, reordering)
        for alignment in alignments(reordered, ref):
            yield measure(alignment, reordered, ref, metric, moves)


def best(
    hypotheses: Iterable[Words],
    references: Iterable[Words],
    metric: Metric,
    window: int = 1,
    reordering: Reordering = "moves",
) -> Totals:
    """The best path of H ∘ T ∘ R: the least of everything in the order of `rank`."""
    everything = [
        totals
        for hyp, ref in product(hypotheses, references)
        for totals in candidates(hyp, ref, metric, window, reordering)
    ]
    sign = gain_sign(min(everything, key=lambda totals: totals.cost))
    return min(everything, key=lambda totals: rank(totals, metric, sign))


def k_best(
    hypotheses: Iterable[Words],
    references: Iterable[Words],
    metric: Metric,
    k: int,
    window: int = 1,
    reordering: Reordering = "moves",
) -> list[Totals]:
    """The k best distinct pairs (hypothesis string, reference string), each with its own best alignment.

    The permutations of a hypothesis count as one string.
    """
    pairs = product(set(hypotheses), set(references))
    found = [best([hyp], [ref], metric, window, reordering) for hyp, ref in pairs]
    return sorted(found, key=lambda totals: rank(totals, metric))[:k]


# The same, with shared rests


def best_of_pair(hyp: Words, ref: Words, metric: Metric, window: int, reordering: Reordering) -> Totals:
    """The best of `candidates`, by recursion: `rest` is the best way to finish.

    The reference is fixed, everything in `rank` then adds up along the path, and so the best path has the
    best rest.  Without reordering `taken` and `previous` only say how far the hypothesis has been read.
    """

    def step(op: Op, memory: int, hyp_word: str | None, ref_word: str | None, moved: bool) -> Totals:
        cost = metric.price(memory, op, hyp_word, ref_word) + moved * metric.move_cost
        matches, substitutions, insertions, deletions = (int(op is each) for each in Op)
        read = int(ref_word is not None)
        return Totals(cost, matches, substitutions, insertions, deletions, int(moved), read)

    @cache
    def rest(taken: frozenset[int], previous: int | None, done: int, memory: int) -> Totals:
        free = [position for position in range(len(hyp)) if position not in taken]
        ref_word = ref[done] if done < len(ref) else None
        after = metric.next[memory]
        options = []
        if ref_word is not None:
            tail = rest(taken, previous, done + 1, after[Op.DELETION])
            options.append(step(Op.DELETION, memory, None, ref_word, False) + tail)
        for position in (position for position in free if position - free[0] < window):
            now, word = taken | {position}, hyp[position]
            moved = is_paid(position, free[0], previous, reordering)
            tail = rest(now, position, done, after[Op.INSERTION])
            options.append(step(Op.INSERTION, memory, word, None, moved) + tail)
            if ref_word is not None:
                op = Op.MATCH if word == ref_word else Op.SUBSTITUTION
                tail = rest(now, position, done + 1, after[op])
                options.append(step(op, memory, word, ref_word, moved) + tail)
        return min(options, key=lambda totals: rank(totals, metric), default=Totals())

    return rest(frozenset(), None, 0, 0)


def best_fast(
    hypotheses: Iterable[Words],
    references: Iterable[Words],
    metric: Metric,
    window: int = 1,
    reordering: Reordering = "moves",
) -> Totals:
    """What `best` says, for strings of some twenty words."""
    pairs = product(hypotheses, references)
    found = [best_of_pair(hyp, ref, metric, window, reordering) for hyp, ref in pairs]
    return min(found, key=lambda totals: rank(totals, metric))


# Scores (design, section 1, "Scores")


def ratio(numerator: Fraction, divisor: Fraction, perfect: int) -> Fraction | float:
    """A score; 0/0 is perfect (0 for errors, 1 for recognition), any other zero divisor gives ±inf."""
    if divisor:
        return numerator / divisor
    return Fraction(perfect) if not numerator else math.copysign(math.inf, numerator)


def score(totals: Totals, metric: Metric, name: ScoreName) -> Fraction | float:
    """The score of one sentence, from 0 to 1 where it is a rate.

    WER (S+I+D)/|r|; WRR (M-I)/|r| and N-GRR gain / maximal gain ([C08] section 4.3); HyTER
    uhyter / words of the closest path ([H12] eq. 1).
    """
    words = Fraction(totals.reference_words)
    if name == "wer":
        return ratio(Fraction(totals.edits), words, perfect=0)
    if name == "hyter":
        return ratio(totals.cost, words, perfect=0)
    if name == "wrr":
        return ratio(Fraction(totals.matches - totals.insertions), words, perfect=1)
    return ratio(-totals.cost, metric.max_gain(totals.reference_words), perfect=1)
