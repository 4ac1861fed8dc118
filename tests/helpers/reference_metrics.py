"""Slow and obvious versions of the metrics of strings, from the papers' definitions alone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

Words = Sequence[str]


def bag(words: Words, n: int) -> Counter[tuple[str, ...]]:
    """g_n: the bag of n-grams."""
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def matches(hypothesis: Words, references: Sequence[Words], n: int) -> int:
    """|g_n(c) ∩ ∪_j g_n(r_j)| [C08 §2]."""
    union: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        union |= bag(reference, n)
    return (bag(hypothesis, n) & union).total()


def length(hypothesis: Words, references: Sequence[Words], kind: str) -> Fraction:
    """The effective reference length [C08 §2]."""
    lengths = sorted(map(len, references))
    if kind == "shortest":
        return Fraction(lengths[0])
    if kind == "average":
        return Fraction(sum(lengths), len(lengths))
    return Fraction(min(lengths, key=lambda r: abs(r - len(hypothesis))))


def bleu(
    hypotheses: Sequence[Words],
    references: Sequence[Sequence[Words]],
    kind: str = "closest",
    strict: bool = False,
) -> float:
    """BLEU, or with the strict brevity penalty BLEU-SBP [C08 eq. 4], 0 to 1, without smoothing."""
    pairs = list(zip(hypotheses, references, strict=True))
    precisions = []
    for n in range(1, 5):
        found = sum(matches(h, refs, n) for h, refs in pairs)
        total = sum(bag(h, n).total() for h, _ in pairs)
        if not found:
            return 0.0
        precisions.append(found / total)
    wanted = [length(h, refs, kind) for h, refs in pairs]
    have = [Fraction(len(h)) for h in hypotheses]
    clipped = sum(map(min, have, wanted)) if strict else min(sum(have), sum(wanted))
    ratio = clipped / sum(wanted)
    return math.prod(precisions) ** 0.25 * (math.exp(1 - 1 / ratio) if ratio else 0.0)


def transport(supply: Sequence[int], demand: Sequence[int], profit: Sequence[Sequence[int]]) -> int:
    """The best whole-numbered transport, by trying all of them."""
    cells = [(i, j) for i in range(len(supply)) for j in range(len(demand))]
    best = 0
    for amounts in product(*(range(min(supply[i], demand[j]) + 1) for i, j in cells)):
        sent, got = [0] * len(supply), [0] * len(demand)
        for (i, j), amount in zip(cells, amounts, strict=True):
            sent[i] += amount
            got[j] += amount
        if all(map(int.__le__, sent, supply)) and all(map(int.__le__, got, demand)):
            best = max(best, sum(a * profit[i][j] for (i, j), a in zip(cells, amounts, strict=True)))
    return best


def nist(hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> float:
    """NIST as mteval-v13a counts it: information of n-grams from all references, matches in the union of an item's."""
    counts: Counter[tuple[str, ...]] = Counter()
    for refs in references:
        for ref in refs:
            for n in range(1, 6):
                counts.update(bag(ref, n))
    words = sum(len(ref) for refs in references for ref in refs)
    score = 0.0
    for n in range(1, 6):
        gained, tried = 0.0, 0
        for hypothesis, refs in zip(hypotheses, references, strict=True):
            for ngram, times in bag(hypothesis, n).items():
                tried += times
                most = max(bag(ref, n)[ngram] for ref in refs)
                if most:
                    context = counts[ngram[:-1]] if n > 1 else words
                    gained += min(times, most) * -math.log(counts[ngram] / context) / math.log(2)
        score += gained / max(tried, 1)
    ratio = sum(map(len, hypotheses)) / sum(sum(map(len, refs)) / len(refs) for refs in references)
    beta = -math.log(0.5) / math.log(1.5) ** 2
    return score * (1 if ratio >= 1 else 0 if ratio <= 0 else math.exp(-beta * math.log(ratio) ** 2))
