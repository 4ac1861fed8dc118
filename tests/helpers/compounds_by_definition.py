"""Compounds from their definition alone, by enumeration: every respelling of every reference, every alignment.

A reference is read from left to right: a word is copied, 2 to 16 adjacent words are written as one, or one word is
written as 2 to 16. Words that are written so can be taken by a match alone, and each rewrite costs its price.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, product

from brute_force import (
    Metric,
    Op,
    Reordering,
    Totals,
    Words,
    alignments,
    count_moves,
    gain_sign,
    measure,
    permutations_in_window,
    rank,
)

MOST = 16
# A respelling: its words, for each whether only a match can take it, and how many rewrites were made.
Respelling = tuple[Words, tuple[bool, ...], int]


def respellings(words: Words, spoken: Words) -> Iterator[Respelling]:
    """All of them, the words as they are among them. Words that are not spoken are no hits, and left out."""
    if not words:
        yield (), (), 0
        return
    first = words[0]
    beginnings: list[tuple[Words, bool, int]] = [((first,), False, 1)]
    beginnings += [(("".join(words[:n]),), True, n) for n in range(2, min(len(words), MOST) + 1)]
    for cuts in range(1, min(len(first), MOST)):
        for places in combinations(range(1, len(first)), cuts):
            ends = zip((0, *places), (*places, len(first)), strict=True)
            beginnings.append((tuple(first[a:b] for a, b in ends), True, 1))
    for written, only_hits, read in beginnings:
        if only_hits and not set(written) <= set(spoken):
            continue
        for others, flags, rewrites in respellings(words[read:], spoken):
            yield (*written, *others), ((only_hits,) * len(written)) + flags, rewrites + only_hits


def candidates(
    hypothesis: Words, reference: Words, metric: Metric, price: Fraction, window: int, reordering: Reordering
) -> Iterator[Totals]:
    """The totals of every order of the hypothesis, respelling of the reference and alignment of the two."""
    for order, (words, only_hits, rewrites) in product(
        list(permutations_in_window(hypothesis, window)), respellings(reference, hypothesis)
    ):
        ordered = tuple(hypothesis[position] for position in order)
        for alignment in alignments(ordered, words):
            ops = (op for op in alignment if op is not Op.INSERTION)
            if all(op is Op.MATCH for op, only in zip(ops, only_hits, strict=True) if only):
                totals = measure(alignment, ordered, words, metric, count_moves(order, reordering))
                yield totals + Totals(cost=price * rewrites)


def best(
    hypotheses: Iterable[Words],
    references: Iterable[Words],
    metric: Metric,
    price: Fraction = Fraction(0),
    window: int = 1,
    reordering: Reordering = "moves",
) -> Totals:
    """The best of everything, by the order of ties."""
    everything = [
        totals
        for hypothesis, reference in product(hypotheses, references)
        for totals in candidates(hypothesis, reference, metric, price, window, reordering)
    ]
    sign = gain_sign(min(everything, key=lambda totals: totals.cost))
    return min(everything, key=lambda totals: rank(totals, metric, sign))
