"""How well people and tests agree: `kappa`, `clopper_pearson`, `separation`, and conclusions about pairs of systems.

A conclusion about two systems is 1 where the second is significantly better, -1 where the first is, and 0 where the
test sees no difference.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics import FstmetricsError
from fstmetrics.apps.metaeval.coefficients import ranks
from fstmetrics.significance import Design, compare_statistics
from fstmetrics.support.arguments import NUMBER, WHOLE, numbers_of

if TYPE_CHECKING:
    from fstmetrics import Statistics
    from fstmetrics.apps.metaeval.coefficients import Floats

Pair = tuple[str, str]
# Of two systems the difference, second minus first, positive where the second is better, and p.
Tests = dict[Pair, tuple[float, float]]
# Of two systems what a test says about them.
Conclusions = dict[Pair, int]


def kappa(agreement: float, chance: float = 1 / 3) -> float:
    """(P(A) - P(E)) / (1 - P(E)) [L11 §4]; by chance, one of better, worse and equal is said one time in three.

    Args:
        agreement: P(A), the share of pairs of judgments that agree.
        chance: P(E).

    >>> round(kappa(0.6846), 3)
    0.527
    """
    NUMBER.check(agreement, "agreement")
    NUMBER.check(chance, "chance")
    if not 0 <= agreement <= 1 or not 0 <= chance < 1:
        raise FstmetricsError(f"shares lie between 0 and 1, not at {agreement} and {chance}")
    return (agreement - chance) / (1 - chance)


@dataclass(frozen=True, slots=True)
class Proportion:
    """A share and its exact interval.

    Attributes:
        count, total: so many of so many.
        low, high: the Clopper-Pearson interval, 0 to 1.
    """

    count: int
    total: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """The share, 0 to 1; nan of nothing."""
        return self.count / self.total if self.total else math.nan


def clopper_pearson(count: int, total: int, confidence: float = 0.95) -> Proportion:
    """The exact interval of a binomial share, as in [G14 tables 1, 2].

    scipy's are the same within 1e-12, and would make the whole of scipy a requirement for two lines.

    low is the share under which `count` or more of `total` come up with probability (1 - confidence) / 2, high the
    one under which `count` or fewer do.

    >>> found = clopper_pearson(54, 66)
    >>> round(100 * found.value, 1), round(100 * found.low, 1), round(100 * found.high, 1)
    (81.8, 70.4, 90.2)
    """
    WHOLE.check(count, "count")
    WHOLE.check(total, "total")
    NUMBER.check(confidence, "confidence")
    if not 0 <= count <= total or not 0 < confidence < 1:
        raise FstmetricsError(f"{count} of {total} at confidence {confidence} has no interval")
    tail = (1 - confidence) / 2
    low = 0.0 if count == 0 else _root(lambda p: _at_most(total - count, total, 1 - p) - tail)
    high = 1.0 if count == total else _root(lambda p: tail - _at_most(count, total, p))
    return Proportion(count, total, low, high)


def _at_most(count: int, total: int, p: float) -> float:
    """The probability that at most `count` of `total` come up, each with probability p."""
    if p <= 0 or p >= 1:
        return float(p <= 0 or count == total)
    start = math.lgamma(total + 1)
    logs = (
        start
        - math.lgamma(k + 1)
        - math.lgamma(total - k + 1)
        + k * math.log(p)
        + (total - k) * math.log1p(-p)
        for k in range(count + 1)
    )
    return math.fsum(map(math.exp, logs))


def _root(rising: Callable[[float], float]) -> float:
    """Where a function that rises from below zero to above it between 0 and 1 is zero; bisection to the last bit."""
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return low


def separation(humans: Sequence[float], machines: Sequence[float], perfect: float = 0.0) -> float:
    """How far a metric keeps machines from people: m/h, the means of machines over that of people [H12 table 2].

    Args:
        humans: scores of human translations; at least one.
        machines: scores of machines.
        perfect: the score that cannot be better; scores are turned into their distance from it ([100-0] in the table).

    Raises:
        FstmetricsError: no scores, or scores on both sides of the perfect one.

    >>> round(separation([18.42], [34.94]), 2)
    1.9
    >>> round(separation([100 - 59.90], [100 - 69.14], perfect=100), 2)
    1.15
    """
    means = []
    for name, given in (("humans", humans), ("machines", machines)):
        scores = numbers_of(given, name)
        if not len(scores):
            raise FstmetricsError("m/h needs scores of people and of machines")
        losses = [perfect - score for score in scores]
        means.append(math.fsum(losses) / len(losses))
    human, machine = means
    if human * machine < 0:
        raise FstmetricsError(f"scores lie on both sides of the perfect score {perfect}")
    return machine / human if human else math.inf


def rank_sum_p(x: Sequence[float] | Floats, y: Sequence[float] | Floats) -> float:
    """Wilcoxon's rank-sum test of two samples, two-sided: the test of [G14 §4] on human scores.

    By the normal distribution with the correction for ties and without one for continuity.

    Raises:
        FstmetricsError: a score is missing.
    """
    one, other = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    n, m = len(one), len(other)
    everything = np.concatenate([one, other])
    rank = ranks(everything)
    _, counts = np.unique(everything, return_counts=True)
    total = n + m
    ties = float((counts.astype(float) ** 3 - counts).sum())
    variance = n * m / 12 * ((total + 1) - ties / (total * (total - 1))) if total > 1 else 0.0
    if variance <= 0:
        return 1.0
    u = float(rank[:n].sum()) - n * (n + 1) / 2
    return math.erfc(abs(u - n * m / 2) / math.sqrt(variance) / math.sqrt(2))


def human_tests(scores: Mapping[str, Sequence[float] | Floats]) -> Tests:
    """The rank-sum test of people's scores for each pair of systems, higher is better.

    Args:
        scores: of each system's segments; not the same segments, nor as many, of each.

    Returns:
        For each pair by how much of all ranks the second's mean rank is higher, and p.
    """
    found = {}
    for one, other in itertools.combinations(scores, 2):
        x, y = np.asarray(scores[one], dtype=np.float64), np.asarray(scores[other], dtype=np.float64)
        rank = ranks(np.concatenate([x, y])) / (len(x) + len(y))
        delta = float(rank[len(x) :].mean() - rank[: len(x)].mean()) if len(x) and len(y) else 0.0
        found[one, other] = (delta, rank_sum_p(x, y))
    return found


def pairwise_tests(systems: Mapping[str, Statistics], design: Design) -> Tests:
    """Test each pair of systems under one metric.

    Args:
        systems: the statistics of each.
        design: what to test.

    Returns:
        For each pair the difference, second minus first, positive where the second is better, and p. p is 1 where the
        test finds for the system with the worse score, as a sign test may: the pair is undecided.
    """
    names = list(systems)
    design = replace(design, both_ways=False)
    found = {}
    for i, baseline in enumerate(names[:-1]):
        given = {name: {systems[name].metric.name: systems[name]} for name in names[i:]}
        comparison = compare_statistics(given, design)
        for result in comparison.tests:
            better = 1 if systems[baseline].metric.recognition else -1
            p = 1.0 if comparison.contradicts(result) else result.p
            found[baseline, result.system] = (better * result.delta, p)
    return found


def conclusions(tests: Mapping[Pair, tuple[float, float]], level: float = 0.05) -> Conclusions:
    """What tests say about each pair, where p is below the level.

    >>> conclusions({("a", "b"): (0.3, 0.01), ("a", "c"): (-2.0, 0.04), ("b", "c"): (9.0, 0.06)})
    {('a', 'b'): 1, ('a', 'c'): -1, ('b', 'c'): 0}
    """
    return {pair: (int(np.sign(delta)) if p < level else 0) for pair, (delta, p) in tests.items()}


def combined_tests(
    first: Mapping[Pair, tuple[float, float]], second: Mapping[Pair, tuple[float, float]], level: float = 0.05
) -> Tests:
    """Two tests as one: a pair is decided by the first, or where that is not significant by the second [G14 §4].

    Args:
        first: of each pair the difference and p, of adequacy.
        second: the same of fluency.
        level: below it, p is significant.

    Raises:
        FstmetricsError: tests of different pairs.

    >>> adequacy = {("a", "b"): (0.3, 0.01), ("a", "c"): (0.1, 0.2)}
    >>> combined_tests(adequacy, {("a", "b"): (-0.2, 0.01), ("a", "c"): (-0.4, 0.03)})
    {('a', 'b'): (0.3, 0.01), ('a', 'c'): (-0.4, 0.03)}
    """
    if first.keys() != second.keys():
        raise FstmetricsError(f"{len(first)} and {len(second)} pairs of systems, which are not the same")
    return {pair: found if found[1] < level else second[pair] for pair, found in first.items()}


def chi_square(one: Proportion, other: Proportion) -> tuple[float, float]:
    """Whether two metrics' shares of right verdicts differ [G14 §4]: Pearson's chi-square test with Yates' correction.

    The shares are taken as independent samples, though both metrics judge the same pairs of systems.

    Returns:
        The statistic, and p with one degree of freedom; 0 and 1 where nothing or everything is right.

    >>> statistic, p = chi_square(clopper_pearson(54, 66), clopper_pearson(48, 66))
    >>> round(statistic, 4), round(p, 4)
    (1.0784, 0.299)
    """
    table = np.array([[each.count, each.total - each.count] for each in (one, other)], dtype=np.float64)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / max(table.sum(), 1)
    if not expected.all():
        return 0.0, 1.0
    distances = np.abs(table - expected)
    statistic = float(((distances - np.minimum(0.5, distances)) ** 2 / expected).sum())
    return statistic, math.erfc(math.sqrt(statistic / 2))


def conclusion_accuracy(
    found: Mapping[Pair, int], human: Mapping[Pair, int], confidence: float = 0.95
) -> Proportion:
    """How often a test says of two systems what people say, with its exact interval [G14 tables 1, 2].

    Raises:
        FstmetricsError: conclusions about different pairs.

    >>> conclusion_accuracy({("a", "b"): 1, ("a", "c"): 0}, {("b", "a"): -1, ("a", "c"): 1}).value
    0.5
    """
    turned = {(b, a): -said for (a, b), said in human.items()} | dict(human)
    if missing := [pair for pair in found if pair not in turned]:
        raise FstmetricsError(f"no human conclusion about {missing[0][0]} and {missing[0][1]}")
    if len(found) != len(human):
        raise FstmetricsError(f"{len(found)} pairs of systems tested, but {len(human)} human conclusions")
    return clopper_pearson(sum(said == turned[pair] for pair, said in found.items()), len(found), confidence)
