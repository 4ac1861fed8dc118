"""MaxSim: n-grams matched by lemma and part of speech, then by lemma, then by a best bipartite matching."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.metrics.analysers import Analyser, AnalyserName, OfTokens, analyser_option
from fstmetrics.metrics.transport import best_transport
from fstmetrics.support.arguments import NUMBER
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.options import option, real

if TYPE_CHECKING:
    from fstmetrics.metrics.tokens import Token

    Ngram = tuple[Token, ...]

ORDERS = (1, 2, 3)


@dataclass(frozen=True)
class MaxSim(OfTokens):
    """The mean of MaxSim's sentence scores, 0 to 1 (Chan and Ng 2008, without dependency relations).

    Words without a letter or digit are left out. For n = 1, 2, 3 each n-gram of the hypothesis is matched with at most
    one of the reference: first those equal in lemmas and parts of speech, then, of the rest, those equal in lemmas.
    Both count 1. What is left is matched so that the sum of similarities is largest: the similarity of two n-grams is
    the mean over their words of (same part of speech + synonyms) / 2, each 0 or 1, and 0 if that is 0 for any word.
    With P and R = the sum over the n-grams of hypothesis and reference, F = PR / (0.9 P + 0.1 R); the score is the
    mean of the three F.

    An order that neither side has is left out, one that only one side has counts 0. Equally good matches by lemma
    alone are made from left to right. Of several references the best counts. These three are conventions of this
    module.

    Args:
        analyser: `wordnet` for plain English words; `factored` for words given as `word|lemma|POS`, without synonyms;
            `factored-wordnet` with WordNet's; or a function from the words of a sentence to their `Token`s.
        recall_weight: what recall weighs in F, as METEOR's alpha: 0 to 1.
    """

    analyser: AnalyserName | Analyser = analyser_option()
    recall_weight: float = option(
        0.9, real(0, 1), "maxsim: what recall weighs in F.", "A", name="maxsim_recall_weight"
    )

    name = "maxsim"

    def __post_init__(self) -> None:
        super().__post_init__()
        NUMBER.check(self.recall_weight, "recall_weight")
        if not 0 <= self.recall_weight <= 1:
            raise FstmetricsError(f"recall_weight is 0 to 1, not {self.recall_weight!r}")

    def _score_of(self, hypothesis: Sequence[Token], reference: Sequence[Token]) -> float:
        """The mean of F_1, F_2, F_3."""
        return maxsim_score(hypothesis, reference, self.recall_weight)


def maxsim_score(
    hypothesis: Sequence[Token], reference: Sequence[Token], recall_weight: float = 0.9
) -> float:
    """The mean of F_1, F_2, F_3; 1 for nothing against nothing.

    >>> from fstmetrics.metrics.tokens import Token
    >>> cat, sat, dog = Token("cat", "NN"), Token("sit", "VBD"), Token("dog", "NN")
    >>> maxsim_score([cat, sat], [dog, sat])    # F = 1.5 / 2, .75 / 1
    0.75
    """
    sides = [
        [token for token in side if any(map(str.isalnum, token.lemma))] for side in (hypothesis, reference)
    ]
    scores = []
    for n in ORDERS:
        ours, theirs = ([tuple(side[i : i + n]) for i in range(len(side) - n + 1)] for side in sides)
        if ours and theirs:
            divisor = recall_weight * len(theirs) + (1 - recall_weight) * len(ours)
            scores.append(matched(ours, theirs) / divisor)
        elif ours or theirs:
            scores.append(0.0)
    return sum(scores) / len(scores) if scores else 1.0


def matched(ours: Sequence[Ngram], theirs: Sequence[Ngram]) -> float:
    """How much of two lists of n-grams of one length matches, in three stages."""
    before = len(ours)
    for key in (_lemmas_and_pos, _lemmas):
        ours, theirs = _without_equal(ours, theirs, key)
    equal = before - len(ours)
    if not ours or not theirs:
        return float(equal)
    sides = [Counter(side) for side in (ours, theirs)]
    profit = np.array([[twice_similarity(a, b) for b in sides[1]] for a in sides[0]], dtype=np.int64)
    supply, demand = (np.array(list(side.values()), dtype=np.int64) for side in sides)
    return equal + best_transport(supply, demand, profit) / (2 * len(ours[0]))


def _lemmas_and_pos(ngram: Ngram) -> Hashable:
    return tuple((token.lemma, token.pos) for token in ngram)


def _lemmas(ngram: Ngram) -> Hashable:
    return tuple(token.lemma for token in ngram)


def _without_equal(
    ours: Sequence[Ngram], theirs: Sequence[Ngram], key: Callable[[Ngram], Hashable]
) -> tuple[list[Ngram], list[Ngram]]:
    """What is left when n-grams of equal keys are paired off from left to right."""
    equal = Counter(map(key, ours)) & Counter(map(key, theirs))
    return _without(ours, equal, key), _without(theirs, equal, key)


def _without(
    ngrams: Sequence[Ngram], equal: Mapping[Hashable, int], key: Callable[[Ngram], Hashable]
) -> list[Ngram]:
    """N-grams but for the first ones of each key, of which there are so many."""
    waiting, left = Counter(equal), []
    for ngram in ngrams:
        name = key(ngram)
        waiting[name] -= 1
        if waiting[name] < 0:
            left.append(ngram)
    return left


def twice_similarity(a: Ngram, b: Ngram) -> int:
    """The similarity of two n-grams times 2 n, so that it is whole; a word is a synonym of itself.

    Unknown parts of speech are the same where the lemmas are.
    """
    by_word = [_twice_similarity_of_words(x, y) for x, y in zip(a, b, strict=True)]
    return sum(by_word) if all(by_word) else 0


def _twice_similarity_of_words(a: Token, b: Token) -> int:
    if a.lemma == b.lemma:
        return 1 + int(a.pos == b.pos)
    return int(a.pos == b.pos != "") + int(not a.synsets.isdisjoint(b.synsets))
