"""Which of several systems people prefer, from rankings of their outputs [L11 §4]: `preferences`.

`agreeing_judgments` counts how often judgments of one segment say the same of two systems.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics import FstmetricsError
from fstmetrics.significance.p_values import SignCounts

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True)
class Preferences:
    """What rankings say of systems.

    Attributes:
        judgments: how many rankings there are.
        best: for each system the share of rankings in which none is better, ties shared: shares may add up to more
            than 1 [L11 table 6].
        pairs: for two systems, in how many rankings the first is better, worse or equal to the second, of those that
            rank both; `p` is that of the two-sided sign test without ties [L11 table 7].

    Judgments of one sentence by several people are not independent of one another, which the sign test takes them for:
    its p is then too small.
    """

    judgments: int
    best: dict[str, float]
    pairs: dict[tuple[str, str], SignCounts]

    def rows(self) -> list[dict[str, Any]]:
        """The pairs as rows of a table: names, shares of all judgments preferred, counts, and p."""
        return [
            {
                "a": a,
                "b": b,
                "a_preferred": counts.better / self.judgments,
                "b_preferred": counts.worse / self.judgments,
                "better": counts.better,
                "worse": counts.worse,
                "equal": counts.equal,
                "p": counts.p,
            }
            for (a, b), counts in self.pairs.items()
        ]


def preferences(ranks: Mapping[str, npt.ArrayLike]) -> Preferences:
    """Best-of shares and pairwise preferences with a sign test.

    Args:
        ranks: for each system its rank in each judgment (one person, one sentence), 1 is best; equal ranks are ties,
            nan is not ranked. Scores are turned round first: a lower number is better here.

    Raises:
        FstmetricsError: fewer than two systems, columns of different lengths, or no judgment.

    >>> found = preferences({"bleu": [2, 2, 1, 1], "ter": [1, 1, 1, 2], "tesla-m": [1, 3, 2, 3]})
    >>> found.best
    {'bleu': 0.5, 'ter': 0.75, 'tesla-m': 0.25}
    >>> found.pairs["bleu", "ter"], found.pairs["bleu", "ter"].p
    (SignCounts(better=1, worse=2, equal=1), 1.0)
    """
    if not isinstance(ranks, Mapping) or len(ranks) < 2:
        raise FstmetricsError("preferences: give the ranks of two systems or more, as {name: ranks}")
    try:
        columns = {name: np.asarray(values, dtype=np.float64) for name, values in ranks.items()}
    except (TypeError, ValueError):
        raise FstmetricsError("preferences: a rank is a number, or nan for what was not ranked") from None
    shapes = {column.shape for column in columns.values()}
    if len(shapes) > 1 or len(next(iter(shapes))) != 1:
        raise FstmetricsError("preferences: every system has one rank a judgment; here they are not as many")
    table = np.array(list(columns.values()))
    kept = table[:, ~np.isnan(table).all(axis=0)]
    judgments = kept.shape[1]
    if not judgments:
        raise FstmetricsError("preferences: there is no judgment")
    least = np.nanmin(kept, axis=0)
    best = {name: float((row == least).sum() / judgments) for name, row in zip(columns, kept, strict=True)}
    pairs = {(a, b): _signs(columns[a] - columns[b]) for a, b in combinations(columns, 2)}
    return Preferences(judgments, best, pairs)


def _signs(differences: npt.NDArray[np.float64]) -> SignCounts:
    """Below 0 the first is better; nan is no comparison."""
    better, worse, equal = ((differences < 0).sum(), (differences > 0).sum(), (differences == 0).sum())
    return SignCounts(int(better), int(worse), int(equal))


def agreeing_judgments(ranks: npt.ArrayLike, segments: Sequence[str]) -> tuple[int, int]:
    """How often two judgments of a segment say the same of two systems, and how many such pairs there are [L11 §4].

    Their quotient is P(A) of `kappa`. Of two systems a judgment says that the first is better, worse or equal.

    Args:
        ranks: shape [judgments, systems], lower is better; nan is not ranked.
        segments: of each judgment.

    >>> agreeing_judgments([[1, 2, 3], [1, 2, 2], [2, 1, 3]], ["s1", "s1", "s2"])
    (2, 3)
    """
    table = np.asarray(ranks, dtype=np.float64)
    numbers = {name: place for place, name in enumerate(dict.fromkeys(segments))}
    places = np.array([numbers[name] for name in segments], dtype=np.intp)
    agreeing = total = 0
    for one, other in combinations(range(table.shape[1]), 2):
        said = np.sign(table[:, one] - table[:, other])
        there = ~np.isnan(said)
        cells = 3 * places[there] + said[there].astype(np.intp) + 1
        counts = np.bincount(cells, minlength=3 * len(numbers)).reshape(-1, 3)
        agreeing += int((counts * (counts - 1) // 2).sum())
        judged = counts.sum(axis=1)
        total += int((judged * (judged - 1) // 2).sum())
    return agreeing, total
