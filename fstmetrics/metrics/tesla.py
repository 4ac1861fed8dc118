"""TESLA-M [L11 §2.3]: bags of n-grams matched by weight and similarity, as a linear programme."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from fstmetrics.metrics.analysers import Analyser, AnalyserName, OfTokens, analyser_option, discount_option
from fstmetrics.metrics.tokens import Token
from fstmetrics.metrics.transport import best_transport
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

Discount = Literal["subtract", "factor"]

ORDERS = (1, 2, 3)
# What precision and recall weigh in F.
PRECISION, RECALL = 0.8, 0.2
# Weights of n-grams are whole numbers of this part of one, whatever the discount.
WEIGHT_UNIT = 1000


@dataclass(frozen=True)
class TeslaM(OfTokens):
    """The mean of TESLA-M's sentence scores, 0 to 1.

    For n = 1, 2, 3 the n-grams of both sides are linked by amounts w_ij >= 0, no more at an n-gram than its
    weight; S is the largest sum of w_ij s_ij there is. With P and R = S over the weight of hypothesis and
    reference, F_n = PR / (0.8 P + 0.2 R), and the score is the mean of the F_n. An order that neither side has is
    left out, one that only one side has counts 0; of several references the best counts. The paper says neither.

    Args:
        analyser: `wordnet` for plain English words; `factored` for words given as `word|lemma|POS`, without synonyms;
            `factored-wordnet` with WordNet's; or a function from the words of a sentence to their `Token`s.
        discount: what function words do to an n-gram's weight. `subtract`: 1 - 0.1 for each, as the paper has it
            word for word; `factor`: 0.1 to the power of their number, which fits its remark that such n-grams are
            heavily discounted.
    """

    analyser: AnalyserName | Analyser = analyser_option()
    discount: Discount = discount_option()

    name = "tesla-m"

    def __post_init__(self) -> None:
        check_discount(self.discount)
        super().__post_init__()

    def _score_of(self, hypothesis: Sequence[Token], reference: Sequence[Token]) -> float:
        """The mean of F_1, F_2, F_3."""
        return tesla_score(hypothesis, reference, self.discount)


def check_discount(discount: object) -> None:
    """Raise an FstmetricsError if it is no discount."""
    if discount not in ("subtract", "factor"):
        raise FstmetricsError(f"discount is 'subtract' or 'factor', not {discount!r}")


def tesla_score(hypothesis: Sequence[Token], reference: Sequence[Token], discount: Discount) -> float:
    """The mean of F_1, F_2, F_3; 1 for nothing against nothing.

    >>> the, cat, sat, sits = Token("the", function=True), Token("cat"), Token("sit"), Token("sit")
    >>> round(tesla_score([cat, sits], [the, cat, sat], "subtract"), 4)    # F = .7353, .5814, 0
    0.4389
    """
    scores = [f for n in ORDERS if (f := order_score(hypothesis, reference, n, discount)) is not None]
    return sum(scores) / len(scores) if scores else 1.0


def order_score(
    hypothesis: Sequence[Token], reference: Sequence[Token], n: int, discount: Discount
) -> float | None:
    """F_n = PR / (0.8 P + 0.2 R), which is S / (0.8 W_r + 0.2 W_h); None where neither side has an n-gram."""
    sides = [Bag.of(tokens, n, discount) for tokens in (hypothesis, reference)]
    ours, theirs = (int(side.weights.sum()) for side in sides)
    if not ours and not theirs:
        return None
    if not ours or not theirs:
        return 0.0
    matched = best_transport(sides[0].weights, sides[1].weights, similarities(sides[0], sides[1])) / (2 * n)
    return matched / (PRECISION * theirs + RECALL * ours)


@dataclass(frozen=True)
class Bag:
    """Distinct n-grams and how much all occurrences of each weigh together: equal nodes of the programme are one.

    Attributes:
        tokens: distinct tokens.
        ngrams: places in `tokens`, shape [n-grams, n].
        weights: shape [n-grams], in thousandths.
    """

    tokens: tuple[Token, ...]
    ngrams: Ints
    weights: Ints

    @classmethod
    def of(cls, tokens: Sequence[Token], n: int, discount: Discount) -> Bag:
        """The n-grams of a sentence."""
        index: dict[Token, int] = {}
        numbers = [index.setdefault(token, len(index)) for token in tokens]
        weights: dict[tuple[int, ...], int] = {}
        for i in range(len(tokens) - n + 1):
            ngram = tuple(numbers[i : i + n])
            weight = _weight(sum(token.function for token in tokens[i : i + n]), discount)
            weights[ngram] = weights.get(ngram, 0) + weight
        ngrams = np.array(list(weights), dtype=np.int64).reshape(-1, n)
        return cls(tuple(index), ngrams, np.array(list(weights.values()), dtype=np.int64))


def _weight(function_words: int, discount: Discount) -> int:
    if discount == "subtract":
        return WEIGHT_UNIT - WEIGHT_UNIT // 10 * function_words
    return int(WEIGHT_UNIT // 10**function_words)


def similarities(a: Bag, b: Bag) -> Ints:
    """Similarities of n-grams times 2 n, so that they are whole; shape [n-grams of a, n-grams of b].

    Position by position: 0 where any pair of words has 0, otherwise the mean of the pairs (Liu et al. 2010).
    """
    pairs = np.array([[twice_similarity(x, y) for y in b.tokens] for x in a.tokens], dtype=np.int64)
    by_place = [pairs[np.ix_(a.ngrams[:, p], b.ngrams[:, p])] for p in range(a.ngrams.shape[1])]
    return np.where(np.all(by_place, axis=0), np.sum(by_place, axis=0), 0)


def twice_similarity(a: Token, b: Token) -> int:
    """Twice the similarity of words: 2 for equal lemmas, otherwise 1 for synonyms and 1 for the same part of speech."""
    if a.lemma == b.lemma:
        return 2
    return int(not a.synsets.isdisjoint(b.synsets)) + int(a.pos == b.pos != "")
