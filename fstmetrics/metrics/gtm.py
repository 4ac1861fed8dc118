"""GTM: the F measure of a maximum matching of words, in which long runs count more."""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.metrics.corpus_metric import TextMetric, Words, ratio
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.options import option, real

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus_metric import Table

# Powers of the longest runs stay within what floats hold.
MOST_EXPONENT = 20


@dataclass(frozen=True)
class GTM(TextMetric):
    """The F measure of the General Text Matcher, 0 to 1 (Melamed, Green, Turian 2003; Turian, Shen, Melamed 2003).

    A matching pairs words of the hypothesis with equal words of the reference, each at most once. A run is a longest
    stretch of pairs that are neighbours, in the same order, on both sides. The size of a matching is
    (sum over its runs of length^e)^(1/e), and MMS is the largest size there is. Precision is MMS / words of the
    hypothesis, recall MMS / words of the reference, and the score their harmonic mean, which is
    2 MMS / (words of hypothesis + words of reference); a corpus has the sums of the three.

    MMS is exact for e = 1: the number of words that match. For larger e the problem is NP-hard; as in the original
    program the longest run that is left is taken, again and again, of equally long ones the first in the hypothesis,
    then in the reference.

    Several references are one text, in which no run crosses a border; its length is the mean of theirs. A hypothesis
    that matches more than that is matched in full (recall is at most 1), which the papers leave open.

    Args:
        exponent: e, 1 to 20. With 1 the order of words does not count; 2 is the papers' other choice.

    >>> hypothesis, reference = ["b c a".split()], [["a b c".split()]]
    >>> [round(float(GTM(e).corpus_score(GTM(e).statistics(hypothesis, reference))[0]), 3) for e in (1, 2)]
    [1.0, 0.745]
    """

    exponent: float = option(
        1, real(1, MOST_EXPONENT),
        "gtm: a run of L words counts as L to the power of E; with 1 the order of words does not count.", "E",
        name="gtm_exponent",
    )  # fmt: skip

    name = "gtm"
    columns = ("matched", "hypothesis_length", "reference_length")

    def __post_init__(self) -> None:
        given = self.exponent
        if isinstance(given, bool) or not isinstance(given, Real) or not 1 <= given <= MOST_EXPONENT:
            raise FstmetricsError(f"exponent of GTM is 1 to {MOST_EXPONENT}, not {given!r}")

    def settings(self) -> dict[str, object]:
        """The exponent, as 2 whether 2 or 2.0 was given."""
        whole = self.exponent == int(self.exponent)
        return {**super().settings(), "exponent": int(self.exponent) if whole else self.exponent}

    def statistics(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """MMS, and the lengths of both sides."""
        rows = np.empty((len(hypotheses), len(self.columns)))
        for row, words, refs in zip(rows, hypotheses, references, strict=True):
            length = sum(map(len, refs)) / len(refs)
            row[:] = min(match_size(words, refs, self.exponent), length), len(words), length
        return rows

    def corpus_score(self, sums: Table) -> Table:
        """F of the sums; 1 for nothing against nothing."""
        return ratio(2 * sums[..., 0], sums[..., 1] + sums[..., 2], empty=1.0)


def match_size(words: Words, references: Sequence[Words], exponent: float) -> float:
    """The size of the matching with all references as one text.

    >>> match_size("a b x c d".split(), ["c d a b".split()], 2) == math.sqrt(2**2 + 2**2)
    True
    """
    if exponent == 1:
        there = Counter(word for ref in references for word in ref)
        return (Counter(words) & there).total()
    lengths = runs(words, references)
    # Powers of parts of the longest, so that none is too large.
    longest = max(lengths, default=1)
    return float(longest * math.fsum((length / longest) ** exponent for length in lengths) ** (1 / exponent))


def runs(words: Words, references: Sequence[Words]) -> list[int]:
    """The lengths of the runs, the longest first, taken greedily.

    A run that has lost words to another is cut into what is left of it when its turn comes: it is never longer than it
    was, so no longer run is missed.
    """
    queue = [(-length, i, j) for i, j, length in _diagonals(words, references)]
    heapq.heapify(queue)
    free_here, free_there = [True] * len(words), [True] * sum(len(ref) + 1 for ref in references)
    found = []
    while queue:
        negative, i, j = heapq.heappop(queue)
        parts = list(_free(free_here[i : i - negative], free_there[j : j - negative]))
        if parts == [(0, -negative)]:
            free_here[i : i - negative] = free_there[j : j - negative] = [False] * -negative
            found.append(-negative)
        else:
            for start, length in parts:
                heapq.heappush(queue, (-length, i + start, j + start))
    return found


def _diagonals(words: Words, references: Sequence[Words]) -> Iterator[tuple[int, int, int]]:
    """All longest common runs, as place in the words, place in the references, length; a border is a place, too."""
    places = defaultdict(list)
    text = [word for ref in references for word in (*ref, None)]
    for j, word in enumerate(text):
        places[word].append(j)
    ending: dict[int, int] = {}  # the length of the run that ends at a place, in the row before
    for i, word in enumerate(words):
        here = {j: ending.pop(j - 1, 0) + 1 for j in places.get(word, ())}
        yield from ((i - length, j + 1 - length, length) for j, length in ending.items())
        ending = here
    yield from ((len(words) - length, j + 1 - length, length) for j, length in ending.items())


def _free(here: Sequence[bool], there: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Start and length of each longest stretch where both sides are free."""
    start = None
    for k, free in enumerate([*map(bool.__and__, here, there), False]):
        if free and start is None:
            start = k
        elif not free and start is not None:
            yield start, k - start
            start = None
