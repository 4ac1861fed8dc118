"""How well two rows of scores agree: `pearson`, `spearman`, `kendall` (tau-b), `pairwise_accuracy`, and WMT's taus.

The first three are those of scipy within 1e-15. They are our own because scipy would replace some twenty lines of
these, takes 0.7 s to import and 140 MB on disk, and has neither the counts of pairs, which accuracy and levels need and
which give Kendall's tau at once, nor WMT's taus.

All return nan where they are undefined: fewer than two points, or a side that is constant. Scores are equal when
their numbers are; nothing is rounded first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from fstmetrics import FstmetricsError, _native
from fstmetrics.data.exact_means import power_of_two, refuse_large
from fstmetrics.support.arguments import NUMBER, numbers_of, refuse_other_labels

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.intp]

WmtVariant = Literal["wmt12", "wmt13", "wmt14"]
# Segments whose pairs are compared at the same time.
TOGETHER = 1 << 14
WMT_VARIANTS: tuple[WmtVariant, ...] = get_args(WmtVariant)


def pearson(x: Floats, y: Floats) -> float:
    """Pearson's r, shape [points] each.

    >>> pearson([1, 2, 3], [2, 4, 6.0])
    1.0
    """
    x, y = _pair(x, y)
    if not _varies(x) or not _varies(y):
        return math.nan
    x, y = _centred(x), _centred(y)
    r = float(x @ y) / math.sqrt(float(x @ x) * float(y @ y))
    return min(1.0, max(-1.0, r))


def spearman(x: Floats, y: Floats) -> float:
    """Spearman's rho: Pearson's r of ranks; points of the same score share the mean of their ranks.

    >>> spearman([1, 2, 30], [1, 20, 21])
    1.0
    """
    x, y = _pair(x, y)
    return pearson(ranks(x), ranks(y))


def kendall(x: Floats, y: Floats) -> float:
    """Kendall's tau-b: (C - D) / sqrt((C + D + X) (C + D + Y)), X and Y the pairs tied in y or in x only.

    >>> kendall([1, 2, 3, 4], [1, 3, 2, 4])
    0.6666666666666666
    """
    return kendall_of_counts(pair_counts(x, y), "b")


# The variants of `kendall_of_counts`.
TAUS = ("a", "b", "c", "12", "13", "14", "23")


def kendall_of_counts(
    counts: PairCounts, variant: str, points: int = 0, fewest: int = 0, accuracy: bool = False
) -> float:
    """A variant of Kendall's tau from the pairs of points, x the metric's and y people's scores; nan where undefined.

    Args:
        counts: of the pairs.
        variant: of `TAUS`; what each is, `segment_coefficients.correlation` says.
        points: how many, for tau-c.
        fewest: for tau-c, different scores of the side that has fewer.
        accuracy: for variant 23, the share of pairs on which both sides agree, instead of that minus the others.
    """
    above = float(counts.concordant - counts.discordant)
    if variant == "b":
        untied_x, untied_y = counts.untied + counts.tied_y, counts.untied + counts.tied_x
        return above / math.sqrt(untied_x * untied_y) if untied_x and untied_y else math.nan
    if variant == "c":
        return 2 * above / (points**2 * (fewest - 1) / fewest) if fewest > 1 else math.nan
    if variant == "23":
        agreeing = counts.concordant + counts.tied_both
        above = agreeing if accuracy else 2 * agreeing - counts.all
    elif variant == "12":
        above -= counts.tied_x
    below = {"a": counts.all, "23": counts.all, "13": counts.untied}.get(
        variant, counts.untied + counts.tied_x
    )
    return above / below if below else math.nan


def pairwise_accuracy(x: Floats, y: Floats) -> float:
    """The share of pairs that both sides put into the same order, among those that y does not tie.

    Of systems, it is the accuracy of Kocmi et al. (2021); a pair that x ties is wrong.

    >>> pairwise_accuracy([1, 2, 3], [1, 3, 2])
    0.6666666666666666
    """
    counts = pair_counts(x, y)
    decided = counts.untied + counts.tied_x
    return counts.concordant / decided if decided else math.nan


def segment_kendall(
    metric: Floats, human: Floats, variant: WmtVariant = "wmt14", threshold: float = 0.0
) -> float:
    """Kendall's tau as WMT has it for segments: translations of one segment are compared, counts summed over segments.

    tau = (C - D) / (C + D), where pairs that the human ties do not count. A pair that only the metric ties is
    discordant (`wmt12`, and the daRR of 2017 to 2020), left out (`wmt13`), or counts in the denominator only
    (`wmt14`): Macháček and Bojar (2014), table 3 and section 4.2.

    Args:
        metric: scores, higher is better, shape [systems, segments]; nan where there is none.
        human: the same.
        variant: what to do with ties of the metric.
        threshold: human scores that differ by less are tied; daRR takes 25 on raw scores of 0 to 100.

    Raises:
        FstmetricsError: no such variant, or scores that are too large.

    >>> metric, human = [[1.0, 5.0], [2.0, 5.0]], [[0.0, 3.0], [1.0, 4.0]]
    >>> [segment_kendall(metric, human, variant) for variant in ("wmt12", "wmt13", "wmt14")]
    [0.0, 1.0, 0.5]
    """
    if not isinstance(variant, str) or variant not in WMT_VARIANTS:
        raise FstmetricsError(
            f"unknown variant {variant!r} of Kendall's tau; known are {', '.join(WMT_VARIANTS)}"
        )
    refuse_other_segments({"metric": metric, "human": human})
    metric, human = numbers_of(metric, "the metric's scores", 2), numbers_of(human, "people's scores", 2)
    if metric.shape != human.shape:
        raise FstmetricsError(
            f"scores of shapes {metric.shape} and {human.shape} cannot be correlated: equal ones are"
        )
    NUMBER.check(threshold, "threshold")
    for scores, whose in ((metric, "the metric"), (human, "people")):
        refuse_large(whose, scores)
    # As of a score that is missing, nothing is said of pairs with an infinite one.
    metric, human = (np.where(np.isinf(scores), np.nan, scores) for scores in (metric, human))
    total = PairCounts(0, 0, 0, 0, 0)
    for begin in range(0, metric.shape[1], TOGETHER):
        some = slice(begin, begin + TOGETHER)
        total += decided_counts(metric[:, some], human[:, some], threshold)
    return kendall_of_counts(total, variant.removeprefix("wmt"))


def ranks(x: Floats) -> Floats:
    """Ranks from 1; equal scores share the mean of theirs.

    >>> ranks([30, 10, 10]).tolist()
    [3.0, 1.5, 1.5]
    """
    x = numbers_of(x, "scores")
    if np.isnan(x).any():
        raise FstmetricsError("missing scores have no rank; leave them out")
    return _native.mean_ranks(np.ascontiguousarray(x))


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Pairs of points by how the two sides order them.

    Attributes:
        concordant, discordant: both sides say the same, or the opposite.
        tied_x, tied_y: only this side ties them.
        tied_both: both do.
    """

    concordant: int
    discordant: int
    tied_x: int
    tied_y: int
    tied_both: int

    @property
    def untied(self) -> int:
        """Pairs that neither side ties."""
        return self.concordant + self.discordant

    @property
    def all(self) -> int:
        """All pairs."""
        return self.untied + self.tied_x + self.tied_y + self.tied_both

    def __add__(self, other: PairCounts) -> PairCounts:
        """Both together."""
        return PairCounts(
            self.concordant + other.concordant,
            self.discordant + other.discordant,
            self.tied_x + other.tied_x,
            self.tied_y + other.tied_y,
            self.tied_both + other.tied_both,
        )


def pair_counts(x: Floats, y: Floats) -> PairCounts:
    """Count the pairs of points in O(n log n) (Knight 1966)."""
    return PairCounts(*_native.sorted_pair_counts(*map(np.ascontiguousarray, _pair(x, y))).tolist())


def decided_counts(x: Floats, y: Floats, threshold: float) -> PairCounts:
    """Count the pairs of points whose y differ, by so much at least; those that x ties are `tied_x`.

    Of tables, the points of a column are compared.
    """
    concordant = discordant = tied = 0
    for i in range(len(x) - 1):
        by_x, by_y = x[i] - x[i + 1 :], y[i] - y[i + 1 :]
        signs = (np.sign(by_x) * np.sign(by_y))[(np.abs(by_y) >= threshold) & (by_y != 0)]
        concordant += int(np.count_nonzero(signs > 0))
        discordant += int(np.count_nonzero(signs < 0))
        tied += int(np.count_nonzero(signs == 0))
    return PairCounts(concordant, discordant, tied, 0, 0)


def _pair(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    refuse_other_labels({"x": x, "y": y})
    x, y = numbers_of(x, "scores"), numbers_of(y, "scores")
    if x.shape != y.shape:
        raise FstmetricsError(
            f"scores of shapes {x.shape} and {y.shape} cannot be correlated: two equal rows are"
        )
    if not np.isfinite(x).all() or not np.isfinite(y).all():
        raise FstmetricsError(
            "scores that are infinite or missing cannot be correlated; leave them out of both rows"
        )
    return x, y


def refuse_other_segments(sides: Mapping[str, object]) -> None:
    """Refuse sides whose systems are columns of pandas with different labels.

    Raises:
        FstmetricsError: the segments of two systems are others, or in another order.
    """
    systems = {name: side for name, side in sides.items() if isinstance(side, list | tuple)}
    refuse_other_labels({f"{name}[{n}]": row for name, side in systems.items() for n, row in enumerate(side)})


def _varies(x: Floats) -> bool:
    return len(x) > 1 and bool((x != x[0]).any())


def _centred(x: Floats) -> Floats:
    """With mean 0 and largest size 1, so that squares neither overflow nor vanish."""
    x = x / power_of_two(_largest(x))
    x -= x.mean()
    x -= x.mean()  # what rounding has left, of numbers that hardly differ
    x /= _largest(x)
    return x


def _largest(x: Floats) -> Floats:
    """The largest absolute value."""
    largest: Floats = np.maximum(x.max(), -x.min())
    return largest


Coefficient = Callable[["Floats", "Floats"], float]
# Of points, by the names that are asked for; another one is a row here. Taus have names by their variants.
OF_POINTS: dict[str, Coefficient] = {"pearson": pearson, "spearman": spearman}
# Those that are found where none is asked for.
USUAL_OF_POINTS: dict[str, Coefficient] = {"pearson": pearson, "spearman": spearman, "kendall": kendall}
