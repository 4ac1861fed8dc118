"""Does one metric agree with people better than another? `compare_metrics`, of every pair; `rank_clusters`.

Permutation tests (Deutsch, Dror and Roth 2021, A Statistical Analysis of Summarization Evaluation Metrics): if two
metrics are equally good, their standardised scores may be exchanged. `perm-both` exchanges each score by itself,
`perm-inputs` all scores of a segment, `perm-systems` all of a system. p is the share of exchanges after which the
difference of the coefficients is at least the one found. As in mt-metrics-eval, they stop early, after a block of which
p is clear.

For `acc-eq`, each metric has its own epsilon, so not scores but outcomes are exchanged: whether a metric has a pair of
translations right (`perm-both`), or all pairs of a segment (`perm-inputs`).

Williams' test (Graham and Baldwin 2014) is of two correlations with the same human scores, where the metrics correlate.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from fstmetrics import FstmetricsError
from fstmetrics.apps.metaeval.coefficients import pearson
from fstmetrics.apps.metaeval.exchanges import (
    OF_KERNEL,
    ROUNDING,
    ExchangeTest,
    Stopping,
    exchanged,
    outcomes_exchanged,
)
from fstmetrics.apps.metaeval.segment_coefficients import NAMES, Group, checked, correlation
from fstmetrics.apps.metaeval.soft_accuracy import SEED, SPA_PERMUTATIONS, Signs, confidences, soft_accuracy
from fstmetrics.apps.metaeval.tie_calibration import calibrations
from fstmetrics.data.exact_means import row_means
from fstmetrics.data.ratings import standardised
from fstmetrics.support.arguments import whole_number
from fstmetrics.support.limits import MOST_SAMPLES
from fstmetrics.support.names import unknown

if TYPE_CHECKING:
    from fstmetrics.apps.metaeval.coefficients import Floats

Test = Literal["perm-both", "perm-inputs", "perm-systems", "williams"]
TESTS: tuple[Test, ...] = get_args(Test)
Statistic = Callable[["Floats"], float]


@dataclass(frozen=True)
class Permutations:
    """How permutations are drawn.

    Attributes:
        number: at most so many for a pair.
        seed: of the random numbers.
        block: after so many each, a pair may be done.
        low, high: it is done where p is below or above these; 0 and 1 for never.
    """

    number: int = 1000
    seed: int = 1
    block: int = 100
    low: float = 0.02
    high: float = 0.5

    def __post_init__(self) -> None:
        whole_number(self.number, "permutations", 1, MOST_SAMPLES)
        whole_number(self.seed, "seed", 0)
        whole_number(self.block, "block", 1)
        if not 0 <= self.low <= self.high <= 1:
            raise FstmetricsError(f"low and high lie between 0 and 1, not at {self.low} and {self.high}")

    @property
    def stopping(self) -> Stopping:
        """As the engine takes them."""
        return Stopping(self.number, self.block, self.low, self.high)


@dataclass(frozen=True, slots=True)
class MetricTest:
    """One pair of metrics.

    Attributes:
        better, other: the metrics; the first has the higher coefficient.
        delta: the difference of their coefficients.
        p: of a difference as large as this, if they are equally good; one-sided.
        permutations: so many were drawn; 0 for Williams' test.
    """

    better: str
    other: str
    delta: float
    p: float
    permutations: int


def compare_metrics(
    metrics: Mapping[str, Floats], human: Floats, coefficient: str = "acc-eq", group: Group = "item", *,
    level: Literal["system", "segment"] = "segment", test: Test = "perm-both",
    permutations: Permutations = Permutations(),
) -> list[MetricTest]:  # fmt: skip
    """Test every pair of metrics, the best first.

    Args:
        metrics: scores by name, shape [systems, segments], higher is better. Those without a score of every metric are
            left out for all.
        human: people's scores, likewise; nan where nobody judged.
        coefficient: as of `correlation`, or `acc-eq`, or `spa`, which is of systems.
        group: as of `correlation`, for segments.
        level: `system` takes means of segments.
        test: see above. `williams` is for Pearson's r of systems, or of all segments together.
        permutations: how many, and when to stop.

    Raises:
        FstmetricsError: an unknown test or coefficient, one that does not go with the other, or unequal shapes.

    >>> human = [[5, 4, 5, 3], [3, 4, 4, 2], [1, 2, 2, 3]]
    >>> good = [[0.9, 0.7, 0.8, 0.5], [0.6, 0.7, 0.6, 0.4], [0.2, 0.4, 0.3, 0.6]]
    >>> poor = [[3, 1, 2, 2], [2, 3, 1, 1], [1, 2, 3, 2]]
    >>> (found,) = compare_metrics({"poor": poor, "good": good}, human, "pearson", None)
    >>> found.better, round(found.delta, 3), found.p < 0.05
    ('good', 0.68, True)
    """
    _check(test, coefficient, group, level)
    arrays = {name: checked(scores, human)[0] for name, scores in metrics.items()}
    said = checked(human, human)[0]
    complete = np.all([np.isfinite(scores) for scores in arrays.values()], axis=0)
    if level == "segment":
        complete &= np.isfinite(said)
        said = np.where(complete, said, np.nan)
    if arrays and not complete.any():
        raise FstmetricsError(_nothing(arrays))
    arrays = {name: np.where(complete, scores, np.nan) for name, scores in arrays.items()}
    if test == "williams":
        return _williams(arrays, said, level)
    tables = list(arrays.values())
    own: Any = test.removeprefix("perm-"), permutations.stopping, permutations.seed
    if coefficient == "acc-eq":
        every = np.array(tables)
        found = calibrations(every, said[None], group)
        values = dict(zip(arrays, found[:, 0].tolist(), strict=True))
        return _of_pairs(values, lambda pairs: outcomes_exchanged(every, said, found, pairs, group, *own))
    statistic, prepared = _statistic(arrays, said, coefficient, group, level)
    values = {name: statistic(scores) for name, scores in prepared.items()}
    if coefficient in OF_KERNEL[level] or coefficient == "spa":
        return _of_pairs(
            values, lambda pairs: exchanged(tables, said, pairs, coefficient, group, level, *own)
        )
    both = said.shape if level == "segment" else next(iter(prepared.values())).shape
    # What is exchanged by itself.
    shape = {"perm-both": both, "perm-inputs": (1, both[1]), "perm-systems": (both[0], 1)}[test]
    tests = []
    for one, other in itertools.combinations(ranked(values), 2):
        p, drawn = _permuted(statistic, prepared[one], prepared[other], shape, permutations)
        tests.append(MetricTest(one, other, values[one] - values[other], p, drawn))
    return tests


def _of_pairs(
    values: Mapping[str, float], exchange: Callable[[list[tuple[int, int]]], list[ExchangeTest]]
) -> list[MetricTest]:
    """Every pair, the best first, by what tests pairs of numbers of the metrics."""
    numbers = {name: number for number, name in enumerate(values)}
    pairs = list(itertools.combinations(ranked(values), 2))
    tests = exchange([(numbers[one], numbers[other]) for one, other in pairs])
    return [
        MetricTest(one, other, values[one] - values[other], each.p, each.permutations)
        for (one, other), each in zip(pairs, tests, strict=True)
    ]


def _nothing(arrays: Mapping[str, Floats]) -> str:
    """Why there is nothing to test."""
    empty = [name for name, scores in arrays.items() if not np.isfinite(scores).any()]
    if empty:
        return f"there are no scores of segments of {', '.join(empty)}, so metrics cannot be tested by them"
    return "there is no segment with a score of people and of every metric"


def ranked(values: Mapping[str, float]) -> list[str]:
    """Names by value, the highest first, then by name; those of nan last."""
    return sorted(values, key=lambda name: (math.isnan(values[name]), -values[name], name))


def rank_clusters(names: Sequence[str], tests: Sequence[MetricTest], level: float = 0.05) -> dict[str, int]:
    """The rank of each metric, from 1: a cluster ends before the first that some metric in it beats significantly.

    Args:
        names: the metrics, the best first.
        tests: of every pair.
        level: p up to which a difference is significant.

    >>> tests = [MetricTest("a", "b", 0.1, 0.3, 100), MetricTest("a", "c", 0.2, 0.01, 100)]
    >>> rank_clusters(["a", "b", "c"], tests)
    {'a': 1, 'b': 1, 'c': 2}
    """
    p = {(test.better, test.other): test.p for test in tests}
    found: dict[str, int] = {}
    cluster: list[str] = []
    rank = 1
    for name in names:
        if any(p.get((other, name), 1.0) <= level for other in cluster):
            rank, cluster = rank + 1, []
        cluster.append(name)
        found[name] = rank
    return found


def _check(test: str, coefficient: str, group: Group, level: str) -> None:
    if test not in TESTS:
        raise FstmetricsError(unknown("test", str(test), TESTS))
    known = (*NAMES, "acc-eq", "spa")
    if coefficient not in known:
        raise FstmetricsError(unknown("coefficient", str(coefficient), known))
    if level not in ("system", "segment"):
        raise FstmetricsError(f"level is system or segment, not {level!r:.40}")
    if (coefficient == "spa") != (level == "system") and coefficient in ("spa", "acc-eq"):
        raise FstmetricsError(
            f"{coefficient} is a coefficient of {'systems' if coefficient == 'spa' else 'segments'}"
        )
    if test == "williams" and (coefficient != "pearson" or (level == "segment" and group is not None)):
        raise FstmetricsError(
            "williams tests Pearson's r of systems, or of all segments together (group None)"
        )
    if coefficient == "acc-eq" and test == "perm-systems":
        raise FstmetricsError("perm-systems exchanges scores of one system, and acc-eq compares two")
    if coefficient == "acc-eq" and test == "perm-inputs" and group != "item":
        raise FstmetricsError(
            "perm-inputs exchanges scores of one segment, which acc-eq compares by item only"
        )


def _statistic(
    arrays: Mapping[str, Floats], human: Floats, coefficient: str, group: Group, level: str
) -> tuple[Statistic, dict[str, Floats]]:
    """A function of a metric's standardised scores, and the scores that it takes."""
    if coefficient == "spa":
        there = [np.isfinite(scores) for scores in (human, *arrays.values())]
        judged = np.all(there, axis=(0, 1))
        if not judged.any():
            raise FstmetricsError(
                "spa takes segments of which all systems have scores of people and of every metric, and there is none"
            )
        signs = Signs(SPA_PERMUTATIONS, int(judged.sum()), SEED)
        of_people = confidences(human[:, judged], signs)
        prepared = {name: standardised(scores[:, judged]) for name, scores in arrays.items()}
        return lambda scores: soft_accuracy(confidences(scores, signs), of_people), prepared
    prepared = {name: standardised(scores) for name, scores in arrays.items()}
    if level == "segment":
        return lambda scores: _or_zero(correlation(scores, human, coefficient, group)), prepared
    whole = row_means(human)[None]
    return lambda scores: _or_zero(correlation(row_means(scores)[None], whole, coefficient)), prepared


def _or_zero(value: float) -> float:
    """What is undefined counts as no correlation, also after an exchange that makes a side constant."""
    return 0.0 if math.isnan(value) else value


def _permuted(
    statistic: Statistic, one: Floats, other: Floats, shape: tuple[int, ...], permutations: Permutations
) -> tuple[float, int]:
    """p, and how many permutations were drawn."""
    random = np.random.Generator(np.random.PCG64(permutations.seed))
    delta = statistic(one) - statistic(other)
    stopping, count = permutations.stopping, 0
    for drawn in range(1, permutations.number + 1):
        kept = random.random(shape) < 0.5
        exchanged = statistic(np.where(kept, one, other)) - statistic(np.where(kept, other, one))
        count += exchanged >= delta - ROUNDING
        if stopping.is_clear(count, drawn):
            break
    return count / drawn, drawn


def _williams(arrays: Mapping[str, Floats], human: Floats, level: str) -> list[MetricTest]:
    rows = {
        name: row_means(scores) if level == "system" else scores.ravel() for name, scores in arrays.items()
    }
    said = row_means(human) if level == "system" else human.ravel()
    there = np.isfinite(said) & np.all([np.isfinite(row) for row in rows.values()], axis=0)
    rows, said = {name: row[there] for name, row in rows.items()}, said[there]
    values = {name: pearson(row, said) for name, row in rows.items()}
    return [
        MetricTest(
            one, other, values[one] - values[other],
            williams_p(values[one], values[other], pearson(rows[one], rows[other]), len(said)), 0,
        )
        for one, other in itertools.combinations(ranked(values), 2)
    ]  # fmt: skip


def williams_p(first: float, second: float, between: float, points: int) -> float:
    """Williams' test, one-sided: p of the difference between two correlations with the same human scores.

    Args:
        first, second: each metric's Pearson's r.
        between: that of the metrics with each other.
        points: how many were correlated.

    >>> round(williams_p(0.9, 0.8, 0.7, 20), 4)
    0.0939
    """
    if points < 4 or math.isnan(first + second + between):
        return math.nan
    k = max(0.0, 1 - first**2 - second**2 - between**2 + 2 * first * second * between)
    above = (first - second) * math.sqrt((points - 1) * (1 + between))
    below = math.sqrt(2 * (points - 1) / (points - 3) * k + ((first + second) / 2) ** 2 * (1 - between) ** 3)
    if not below:
        return 0.5 if not above else 0.0
    return student_tail(abs(above / below), points - 3)


def student_tail(t: float, freedom: int) -> float:
    """The probability that Student's t exceeds a number >= 0 (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4).

    >>> round(student_tail(2.0, 10), 5)
    0.03669
    """
    angle = math.atan2(t, math.sqrt(freedom))
    cosine, sine = math.cos(angle), math.sin(angle)
    odd = freedom % 2
    term, total = (cosine, cosine) if odd else (1.0, 1.0)
    if odd and freedom == 1:
        total = 0.0
    for k in range(2 + odd, freedom - 1, 2):
        term *= (k - 1) / k * cosine**2
        total += term
    within = 2 / math.pi * (angle + sine * total) if odd else sine * total
    return max(0.0, (1 - within) / 2)
