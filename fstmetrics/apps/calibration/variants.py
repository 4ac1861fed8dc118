"""How much BLEU cannot see: orders of a hypothesis, and other words in it, that it scores the same or better [CB06 §3].

`variants` is the count for one hypothesis, `permuted` draws one such order, `substituted` such words.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from fstmetrics import BLEU, FstmetricsError
from fstmetrics.metrics.bleu import ORDER, ngram_matches

Words = Sequence[str]
Pieces = tuple[tuple[str, ...], ...]
# Places in orders that are looked at, at most, to count different strings: a second or two.
MOST_PLACES = 200_000


@dataclass(frozen=True, slots=True)
class Variants:
    """What BLEU sees of a hypothesis, and what it does not.

    Attributes:
        words: the hypothesis' words.
        matches, totals: n-grams that match (clipped) and all n-grams, n = 1..4.
        pieces: the hypothesis cut at its mismatch sites, first to last.
        bleu: BLEU of the hypothesis, 0 to 100, closest reference length, not smoothed; of n-grams that it is too short
            for, nothing is asked, as of item scores.
        unmatched: places of words that no reference has; other such words may stand there.
    """

    words: tuple[str, ...]
    matches: tuple[int, ...]
    totals: tuple[int, ...]
    pieces: tuple[tuple[str, ...], ...]
    bleu: float
    unmatched: tuple[int, ...] = ()

    def substitutions(self, vocabulary: int) -> int:
        """Different sentences, this one among them, of which the words that no reference has are replaced [CB06 §3.2].

        Each has the same n-gram matches and the same length, so the same BLEU.

        Args:
            vocabulary: how many words there are that no reference of this sentence has.

        >>> variants("a x b y", ["a b"]).substitutions(10)
        100
        """
        return math.prod([vocabulary] * len(self.unmatched))

    @property
    def precisions(self) -> tuple[float, ...]:
        """Matches divided by totals, n = 1..4; 0 where there is no n-gram."""
        return tuple(m / t if t else 0.0 for m, t in zip(self.matches, self.totals, strict=True))

    @property
    def mismatch_sites(self) -> int:
        """Places between two words whose bigram occurs in no reference."""
        return max(len(self.pieces) - 1, 0)

    @property
    def permutations(self) -> int:
        """Orders of the pieces, (k - b)!: none has fewer n-gram matches of any order, so none has a lower BLEU.

        k is the number of words, and b that of positions whose bigram occurs in some reference. [CB06] counts clipped
        matches, with which the claim fails on repeated bigrams. Orders are counted, as in the paper: equal pieces make
        several orders of one string, which `strings` counts once.
        """
        return math.factorial(len(self.pieces))

    @property
    def strings(self) -> int | None:
        """Different strings among the orders; None where finding out would take too long.

        Equal pieces make one string of several orders, and so do `a b`, `a` and `b`: `a b|a|b` is `a|b|a b`.
        """
        return _strings(self.pieces)


def variants(hypothesis: str | Words, references: Sequence[str | Words]) -> Variants:
    """Cut a hypothesis where its bigrams are in no reference [CB06 §3.1].

    Args:
        hypothesis: a string, split at white space, or its words; the command tokenizes both sides first, by `13a`.
        references: one or several of the same.

    Raises:
        FstmetricsError: no reference.

    >>> found = variants("a b c x a b d", ["a b c", "a b d"])
    >>> found.pieces, found.permutations
    ((('a', 'b', 'c'), ('x',), ('a', 'b', 'd')), 6)
    >>> found = variants("x a x a x", ["b"])
    >>> found.permutations, found.strings
    (120, 10)
    """
    if not references:
        raise FstmetricsError("there is no reference to find bigrams in")
    words, refs = tuple(_words(hypothesis)), [_words(reference) for reference in references]
    matches, totals = ngram_matches([words], [refs], ORDER)
    return Variants(
        words,
        tuple(map(int, matches[0])),
        tuple(map(int, totals[0])),
        _pieces(words, refs),
        _bleu(words, refs),
        tuple(place for place, word in enumerate(words) if not any(word in ref for ref in refs)),
    )


def permuted(found: Variants, references: Sequence[str | Words], seed: int) -> tuple[tuple[str, ...], float]:
    """An order of the pieces, drawn at random, and its BLEU, which is never lower.

    Returns:
        Its words, and BLEU as of `Variants.bleu`: higher where pieces that meet happen to match.

    >>> references = ["a b c", "a b d"]
    >>> words, bleu = permuted(variants("a b c x a b d", references), references, seed=1)
    >>> sorted(words)
    ['a', 'a', 'b', 'b', 'c', 'd', 'x']
    """
    pieces = list(found.pieces)
    random.Random(seed).shuffle(pieces)
    words = tuple(word for piece in pieces for word in piece)
    return words, _bleu(words, [_words(reference) for reference in references])


def substituted(
    found: Variants, references: Sequence[str | Words], vocabulary: Collection[str], seed: int
) -> tuple[tuple[str, ...], float]:
    """The hypothesis with other words at the places of those that no reference has, drawn at random [CB06 §3.2].

    Args:
        found: of the hypothesis.
        references: as of `variants`.
        vocabulary: words to draw from; those that a reference has are left out. Without any, the hypothesis stays.
        seed: of the random draw.

    Returns:
        Its words, and its BLEU, which is that of the hypothesis.

    >>> references = ["the cat sat down"]
    >>> substituted(variants("the dog sat down", references), references, ["the", "cat", "sink"], seed=1)[0]
    ('the', 'sink', 'sat', 'down')
    """
    refs = [_words(reference) for reference in references]
    others = sorted(set(vocabulary).difference(*refs))
    words, chance = list(found.words), random.Random(seed)
    for place in found.unmatched if others else ():
        words[place] = chance.choice(others)
    return tuple(words), _bleu(words, refs)


def _words(text: str | Words) -> Words:
    return text.split() if isinstance(text, str) else text


def _pieces(words: Words, references: Sequence[Words]) -> tuple[tuple[str, ...], ...]:
    known = {bigram for reference in references for bigram in pairwise(reference)}
    pieces: list[list[str]] = []
    for i, word in enumerate(words):
        if i and (words[i - 1], word) in known:
            pieces[-1].append(word)
        else:
            pieces.append([word])
    return tuple(map(tuple, pieces))


def _bleu(words: Words, references: Sequence[Words]) -> float:
    metric = BLEU(smoothing="none")
    return float(metric.scores_of_items(metric.statistics([words], [references])[0]))


def _strings(pieces: Pieces) -> int | None:
    """How many different strings the orders of the pieces are; None where it takes too long to find out.

    Two orders of different pieces are one string only where the joint of two pieces is inside another. Pieces that no
    such joint concerns are read off any string: for counting the others, one of them is as good as another.
    """
    kinds = Counter(pieces)
    inside = {bigram for piece in kinds for bigram in pairwise(piece)}
    joints = inside & {(one[-1], other[0]) for one in kinds for other in kinds}
    before, after = {one for one, _ in joints}, {other for _, other in joints}
    concerned = {
        piece
        for piece in kinds
        if piece[-1] in before or piece[0] in after or not joints.isdisjoint(pairwise(piece))
    }
    apart = [n for piece, n in kinds.items() if piece not in concerned]
    orders = math.factorial(sum(apart)) // math.prod(map(math.factorial, apart))
    if not concerned:
        return orders
    of_concerned = _looked_at({**{piece: kinds[piece] for piece in concerned}, APART: sum(apart)})
    return None if of_concerned is None else orders * of_concerned


# Stands for every piece that can be told apart in any string; no word is called so.
APART = ("",)


def _looked_at(kinds: dict[tuple[str, ...], int]) -> int | None:
    """Different strings of so many pieces of each kind, word by word; None beyond `MOST_PLACES`.

    A place is the pieces that are left and the rest of the piece that is being read. All places that the same words
    lead to are one set, so that every string is counted once.
    """
    names, counts = list(kinds), tuple(kinds.values())
    start: frozenset[Place] = frozenset([(counts, ())])
    ways: dict[frozenset[Place], int] = {start: 1}
    looked_at = 0
    for _ in range(sum(len(piece) * n for piece, n in kinds.items())):
        following: Counter[frozenset[Place]] = Counter()
        for places, n in ways.items():
            looked_at += len(places)
            if looked_at > MOST_PLACES:
                return None
            for reached in _following(places, names):
                following[reached] += n
        ways = following
    return sum(ways.values())


# How many pieces of each kind are left, and the rest of the one that is being read.
Place = tuple[tuple[int, ...], tuple[str, ...]]


def _following(places: frozenset[Place], names: Sequence[tuple[str, ...]]) -> list[frozenset[Place]]:
    """The sets of places after every next word."""
    reached: dict[str, set[Place]] = {}
    for left, rest in places:
        if rest:
            reached.setdefault(rest[0], set()).add((left, rest[1:]))
            continue
        for i, piece in enumerate(names):
            if left[i]:
                fewer = (*left[:i], left[i] - 1, *left[i + 1 :])
                reached.setdefault(piece[0], set()).add((fewer, piece[1:]))
    return list(map(frozenset, reached.values()))
