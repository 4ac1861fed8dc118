"""Tests of the difference between two systems [G14 figures 1-4, C08 §3.1]: `TESTS`, by name; of many: `CORRECTIONS`.

Differences d are system minus baseline, turned round for metrics where lower is better, so that a positive one is
in favour of the system. A one-sided test asks about the side on which d lies. Wherever resamples are counted, p =
(c + 1) / (B + 1), c
the count and B the number of resamples: p is never 0, and a test that should be wrong at most once in twenty is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import unknown

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.engine.item_tables import ItemTable
    from fstmetrics.metrics.corpus_metric import CorpusMetric, Table

# Scores that differ by less than this part of them are equal: floating point sums differ that much between machines.
SAME = 1e-12
# Up to this many items the sign test's binomial sum is exact.
EXACT_BINOMIAL = 20_000


@dataclass(frozen=True, slots=True)
class SignCounts:
    """For how many items the system is better, worse or the same."""

    better: int
    worse: int
    equal: int

    @property
    def p(self) -> float:
        """Two-sided binomial test with probability 1/2; items that are equal are dropped."""
        return sign_p(self.better, self.worse)

    @property
    def side(self) -> int:
        """1 where the system is better more often, -1 where it is worse more often, else 0."""
        return (self.better > self.worse) - (self.better < self.worse)


def bootstrap_p(d: float, resampled: Table, one_sided: bool = False) -> float:
    """Bootstrap with the resamples' mean shifted to zero [G14 fig. 1; one-sided fig. 3].

    Args:
        d: the difference on the whole set.
        resampled: differences d_b on resamples of the items, shape [samples].
        one_sided: count d_b - mean >= d rather than |d_b - mean| >= |d|.
    """
    return randomization_p(d, resampled - resampled.mean(), one_sided)


def randomization_p(d: float, exchanged: Table, one_sided: bool = False) -> float:
    """Approximate randomization: |d_r| >= |d| after random exchanges [G14 fig. 2, which is one-sided: d_r >= d]."""
    reached = np.copysign(1.0, d) * exchanged if one_sided else np.abs(exchanged)
    return _p(reached >= abs(d) - SAME * _size(exchanged), len(exchanged))


def paired_bootstrap_p(d: float, resampled: Table) -> float:
    """Paired bootstrap (Koehn 2004) [G14 fig. 4]: the resamples on which the other system is ahead, d_b < 0.

    There is no null distribution, and it is one-sided. Resamples without a difference count for the winner, as in
    the figure; without any difference on the whole set there is no winner, and p is 1.
    """
    if abs(d) <= SAME:
        return 1.0
    return _p(np.copysign(1.0, d) * resampled < -SAME * _size(resampled), len(resampled))


def sacrebleu_bootstrap_p(d: float, resampled: Table) -> float:
    """The rule of sacrebleu and of Moses' script: |d_b| - mean |d_b| > |d|.

    It comes from Riezler and Maxwell (2005). The absolute values lose the sign of d_b before the mean is shifted,
    so that it is in effect one-sided while it is called two-sided [G14 §3]. For comparison only.
    """
    size = np.abs(resampled)
    return _p(size - size.mean() > abs(d) + SAME * _size(resampled), len(resampled))


def _size(differences: Table) -> float:
    """What the tolerance is a part of: scores are of the size of 1 or 100, their differences of this or less."""
    return max(1.0, float(np.abs(differences).max(initial=0)))


def _p(counted: npt.NDArray[np.bool_], samples: int) -> float:
    return (int(np.count_nonzero(counted)) + 1) / (samples + 1)


def plain_signs(metric: CorpusMetric, baseline: ItemTable, system: ItemTable) -> SignCounts:
    """Items by their own scores. For corpus metrics see `composite_signs`."""
    pairs = zip(baseline.parts(), system.parts(), strict=True)
    return _added(
        _signs(metric, metric.scores_of_items(one), metric.scores_of_items(two)) for one, two in pairs
    )


def composite_signs(metric: CorpusMetric, baseline: ItemTable, system: ItemTable) -> SignCounts:
    """Items by what they do to the baseline's corpus score (Collins et al. 2005, as in [C08 §3.1]).

    Item i counts as better if the baseline's output with its i-th item replaced by the system's has a better
    corpus score than the baseline's. The other direction, baseline and system exchanged, may say the opposite.
    """
    sums = baseline.sums
    score = metric.corpus_score(sums)

    def of_part(one: Table, two: Table) -> SignCounts:
        same = np.all(one == two, axis=1)  # exactly so, whatever the rounding of the sums
        before = np.broadcast_to(score, len(one))
        return _signs(metric, before, np.where(same, before, metric.corpus_score(sums + (two - one))))

    return _added(map(of_part, baseline.parts(), system.parts()))


def _added(counts: Iterable[SignCounts]) -> SignCounts:
    """Those of parts together."""
    better = worse = equal = 0
    for part in counts:
        better, worse, equal = better + part.better, worse + part.worse, equal + part.equal
    return SignCounts(better, worse, equal)


def _signs(metric: CorpusMetric, before: Table, after: Table) -> SignCounts:
    with np.errstate(invalid="ignore"):
        gain = np.where(before == after, 0.0, after - before) * (1 if metric.recognition else -1)
        tolerance = SAME * np.maximum(1.0, np.nan_to_num(np.abs(before), posinf=1.0))
    better, worse = int(np.count_nonzero(gain > tolerance)), int(np.count_nonzero(gain < -tolerance))
    return SignCounts(better, worse, len(gain) - better - worse)


def sign_p(better: int, worse: int) -> float:
    """Two-sided sign test: how likely counts as uneven as these are if both signs are equally likely.

    >>> sign_p(91, 52) < 0.0015, sign_p(100, 0) == 2**-99, sign_p(3, 3)
    (True, True, 1.0)
    """
    n, fewer = better + worse, min(better, worse)
    if 2 * fewer >= n - 1:
        return 1.0
    if n <= EXACT_BINOMIAL:
        total = term = 1
        for k in range(fewer):
            term = term * (n - k) // (k + 1)
            total += term
        return float(Fraction(2 * total, 2**n))
    logarithm = math.lgamma(n + 1) - math.lgamma(fewer + 1) - math.lgamma(n - fewer + 1) - n * math.log(2)
    total_ratio = ratio = 1.0
    for k in range(fewer, 0, -1):  # terms from the largest down, as parts of it
        ratio *= k / (n - k + 1)
        total_ratio += ratio
        if ratio < 1e-18:
            break
    return min(1.0, 2 * math.exp(logarithm) * total_ratio)


def holm(p_values: list[float]) -> list[float]:
    """Holm's step-down correction (1979): the p values of a family of tests, so that at level a the chance of any false
    rejection in the family is at most a. A test without a p (nan) is none of the family.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    corrected, largest = [math.nan] * len(p_values), 0.0
    known = [i for i, p in enumerate(p_values) if not math.isnan(p)]
    for rank, i in enumerate(sorted(known, key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(known) - rank) * p_values[i]))
        corrected[i] = largest
    return corrected


class Correction(NamedTuple):
    """How the p values `of` a family of tests are corrected, what tables call these, and whose method it is."""

    of: Callable[[list[float]], list[float]]
    heading: str
    method: str


# By name, which type checkers know, too; JSON has `p_NAME` of each.
CORRECTIONS = {"holm": Correction(holm, "p Holm", "Holm's method")}
CorrectionName = Literal["none", "holm"]


@dataclass(frozen=True, slots=True)
class Test:
    """A test by name.

    Attributes:
        name: what the command line calls it.
        draws: what it resamples: "bootstrap", "poisson", "exchange" or "" for nothing; intervals are of "poisson" if it
            is, else of "bootstrap".
        p: from the difference, the resampled differences, and whether it is to be one-sided; of tests that draw.
        signs: the counts, of sign tests.
        sides: "two", "one", or "either" where one may choose.
        description: one line for help pages and tables.
        compares: what it counts: "items", or as sc_stats does (`sc_stats.py` beside this) "sentences" that are right
            or wrong, "segments" of sentences, or "blocks", which are speakers.
        distribution: of p where nothing is resampled.
    """

    name: str
    draws: str
    description: str
    sides: str = "two"
    p: Callable[[float, Table, bool], float] | None = None
    signs: Callable[[CorpusMetric, ItemTable, ItemTable], SignCounts] | None = None
    compares: Literal["items", "sentences", "segments", "blocks"] = "items"
    distribution: Literal["binomial", "normal"] = "binomial"


TESTS: dict[str, Test] = {
    test.name: test
    for test in (
        Test("bootstrap", "bootstrap", "bootstrap, mean shifted to zero", "either", bootstrap_p),
        Test("paired-bootstrap", "bootstrap", "paired bootstrap, how often the winner changes", "one",
             lambda d, resampled, _: paired_bootstrap_p(d, resampled)),
        Test("randomization", "exchange", "approximate randomization", "either", randomization_p),
        Test("sign", "", "sign test of single items put into the baseline's corpus", signs=composite_signs),
        Test("plain-sign", "", "sign test of item scores", signs=plain_signs),
        Test("sacrebleu-bootstrap", "bootstrap", "sacrebleu's rule", "one",
             lambda d, resampled, _: sacrebleu_bootstrap_p(d, resampled)),
        Test("poisson-bootstrap", "poisson", "Poisson bootstrap, mean shifted to zero", "either", bootstrap_p),
        Test("mapsswe", "", "MAPSSWE, errors of segments as sc_stats cuts them", compares="segments",
             distribution="normal"),
        Test("mcnemar", "", "McNemar's test of sentences that are right or wrong", compares="sentences"),
        Test("wilcoxon", "", "Wilcoxon's signed-rank test", compares="blocks", distribution="normal"),
    )
}  # fmt: skip


def as_test(name: str) -> Test:
    """A test by name.

    Raises:
        FstmetricsError: no test of that name.
    """
    if not isinstance(name, str) or name not in TESTS:
        raise FstmetricsError(unknown("test", str(name), TESTS))
    return TESTS[name]


def tests_of(given: str | Iterable[str]) -> list[str]:
    """The tests of names that commas join, or of a list; one that looks at words comes first, as these are kept then.

    Raises:
        FstmetricsError: no test of that name.

    >>> tests_of("wilcoxon, mapsswe"), tests_of(["sign"])
    (['mapsswe', 'wilcoxon'], ['sign'])
    """
    joined = ",".join(map(str, given if isinstance(given, list | tuple) else [given]))
    names = map(str.strip, joined.split(","))
    return sorted(dict.fromkeys(names), key=lambda name: as_test(name).compares != "segments")
