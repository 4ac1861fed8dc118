"""NIST's tests of speech recognisers as its program sc_stats computes them: `Verdict` is what each finds.

MAPSSWE (on segments), McNemar (on sentences), and the sign and Wilcoxon tests (on speakers) [Pallett et al. 1990; SCTK
2.4.10]. `TABLED` values are p as that version prints it. It looks up the normal distribution in a table, with z cut to
two decimals. And beyond 20 counts its normal approximation of the binomial distribution is wrong (SCTK pull request
46), so that McNemar and sign tests say "significant" far too often; p here is the exact binomial one.

For MAPSSWE, the matched pairs test, `segments` cuts and `matched_pairs` tests. A segment is a stretch with errors of
either system between two words (`BOUNDARY`) that both systems have right [Gillick and Cox, "Some statistical issues in
the comparison of speech recognition algorithms", ICASSP 1989; Pallett, Fisher and Fiscus, "Tools for the analysis of
benchmark speech recognition tests", ICASSP 1990]. Errors in different segments are taken as independent of each other.
Alignments are sclite's (`engine.program_alignments`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.engine.aligned_paths import Paths
from fstmetrics.engine.program_alignments import PAIR, Errors, errors_of_pairs
from fstmetrics.significance.p_values import SignCounts, sign_p
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus_metric import CorpusMetric, Table

    Integers = npt.NDArray[np.int64]

# So many words in a row that both systems have right end a segment, as in sc_stats.
BOUNDARY = 2
# What the value is called that sc_stats 2.4.10 prints.
TABLED = "p_sc_stats"
# Speakers' scores that differ by no more, in percentage points, are equal.
SAME_PERCENTAGE = 0.005
# Up to this n / 4 sc_stats sums the binomial distribution.
SUMMED = 5.0
# What the number of speakers is called whose scores have nothing to divide by.
LEFT_OUT = "left_out"
# Differences are compared after rounding to so many decimals: equal ones are equal.
DECIMALS = 9


@dataclass(frozen=True, slots=True)
class MatchedPairs:
    """Errors of two systems by segment.

    Attributes:
        segments: how many.
        baseline_errors, system_errors: of both, in all of them.
        mean, std_dev: of the differences of errors a segment, system minus baseline; the standard deviation divides by
            the number of segments minus one.
        z: mean / (std_dev / sqrt(segments)): negative where the system has fewer errors. 0 without any difference; nan
            where all segments differ by the same amount, which leaves nothing to divide by.
        z_sc_stats: the same with the rounding errors of sc_stats, which may lie below a number of two decimals; 0 where
            `z` is nan.
    """

    segments: int
    baseline_errors: int
    system_errors: int
    mean: float
    std_dev: float
    z: float
    z_sc_stats: float

    @property
    def p(self) -> float:
        """Two-sided, of the normal distribution; nan where `z` is."""
        return normal_p(self.z)


def matched_pairs(baseline: Paths, system: Paths, one: Errors, two: Errors) -> MatchedPairs:
    """The test on segments of two systems, whose errors are `one` and `two`."""
    return pairs_of_segments(segments(baseline, system, one, two))


def pairs_of_segments(table: Integers) -> MatchedPairs:
    """The same of the errors of both in every segment, which is what `segments` finds of some or all items."""
    differences = table[:, 1] - table[:, 0]
    n = len(table)
    sums = table.sum(axis=0)
    mean = float(differences.mean()) if n else 0.0
    # Whole numbers: n * variance is exact before it is divided.
    spread = n * int((differences**2).sum()) - int(differences.sum()) ** 2
    std_dev = math.sqrt(spread / (n * (n - 1))) if spread else 0.0
    z = mean / (std_dev / math.sqrt(n)) if spread else math.nan if mean else 0.0
    z_sc_stats = 0.0
    if spread:
        # One after the other, as cumsum adds; sum adds in pairs.
        variance = float(np.cumsum((differences - mean) ** 2)[-1]) / (n - 1)
        z_sc_stats = mean / (math.sqrt(variance) / math.sqrt(n))
    return MatchedPairs(n, int(sums[0]), int(sums[1]), mean, std_dev, z, z_sc_stats)


def segments(baseline: Paths, system: Paths, one: Errors, two: Errors) -> Integers:
    """Errors of both systems in every segment that has any; shape [segments, 2].

    Where two systems were compared with different paths through the choices of a reference, places are those of the
    baseline's; words that the two paths do not share are no boundary.
    """
    two, unshared = _on_the_same_words(baseline, system, two)
    items = np.concatenate([one.items, two.items, unshared.items])
    places = np.concatenate([one.places, two.places, unshared.places])
    who = np.repeat([0, 1, 2], [len(one.items), len(two.items), len(unshared.items)])
    if not len(items):
        return np.zeros((0, 2), dtype=np.int64)
    order = np.lexsort((places, items))
    items, places, who = items[order], places[order], who[order]
    # Words strictly between two places: those of a reference word are even, those of insertions odd.
    between = (places[1:] + 1) // 2 - places[:-1] // 2 - 1
    starts = np.concatenate([[True], (items[1:] != items[:-1]) | (between >= BOUNDARY)])
    segment = np.cumsum(starts) - 1
    counts = [np.bincount(segment[who == side], minlength=segment[-1] + 1) for side in (0, 1)]
    table: Integers = np.stack(counts, axis=1)
    return table[table.any(axis=1)]


def _on_the_same_words(baseline: Paths, system: Paths, errors: Errors) -> tuple[Errors, Errors]:
    """The system's errors at places of the baseline's references, and the words that the references do not share."""
    others = []
    if not baseline.references.is_same(system.references):
        pairs = zip(baseline.references, system.references, strict=True)
        others = [item for item, (one, two) in enumerate(pairs) if one != two]
    if not others:
        nothing = np.zeros(0, dtype=np.int64)
        return errors, Errors(nothing, nothing, nothing)
    found = errors_of_pairs([system.references[i] for i in others], [baseline.references[i] for i in others])
    unshared = found._replace(items=np.array(others, dtype=np.int64)[found.items])
    places = errors.places.copy()
    for number, item in enumerate(others):
        mine = found.items == number
        table = _places(len(system.references[item]), found.places[mine], found.operations[mine])
        theirs = errors.items == item
        places[theirs] = table[errors.places[theirs] + 1]
    order = np.lexsort((places, errors.items))
    return Errors(errors.items[order], places[order], errors.operations[order]), unshared


def _places(words: int, differences: Integers, operations: Integers) -> Integers:
    """By place in another reference of so many words (plus 1, as the first place is -1): the place in the baseline's.

    Args:
        words: of the other reference.
        differences, operations: how that reference, as a hypothesis, differs from the baseline's.
    """
    table = np.empty(2 * words + 2, dtype=np.int64)
    word = other = 0  # the next word of the baseline's, and of the other
    changes = list(zip(differences.tolist(), operations.tolist(), strict=True))
    while other < words or changes:
        gap = 2 * word - 1
        at, operation = changes[0] if changes else (2 * words + 2 * word + 2, PAIR)
        table[2 * other] = gap
        if at > 2 * word:  # a word that both have
            table[2 * other + 1] = 2 * word
            word, other = word + 1, other + 1
            continue
        changes.pop(0)
        if at == gap:  # only the other has it
            table[2 * other + 1] = gap
            other += 1
        elif operation == PAIR:
            table[2 * other + 1] = 2 * word
            word, other = word + 1, other + 1
        else:
            word += 1
    table[2 * words] = table[2 * words + 1] = 2 * word - 1
    return table


def normal_p(z: float) -> float:
    """Two-sided p of a standard normal variable.

    >>> round(normal_p(1.96), 4), normal_p(0.0)
    (0.05, 1.0)
    """
    return math.erfc(abs(z) / math.sqrt(2))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a test found.

    Attributes:
        statistic: Z of MAPSSWE (negative where the system has fewer errors) and of Wilcoxon; the smaller count of
            McNemar and of the sign test.
        p: two-sided; nan where the test has none.
        side: 1 where the test finds for the system, -1 for the baseline, 0 for neither.
        details: what it counted, by name.
        signs: for how many sentences or speakers the system is better, worse or the same.
    """

    statistic: float
    p: float
    side: int
    details: Mapping[str, float] = field(default_factory=dict)
    signs: SignCounts | None = None


def segment_verdict(found: MatchedPairs) -> Verdict:
    """MAPSSWE."""
    details = {
        "segments": found.segments,
        "baseline_errors": found.baseline_errors,
        "system_errors": found.system_errors,
        "mean": found.mean,
        "std_dev": found.std_dev,
        TABLED: tabled_normal(found.z_sc_stats),
    }
    side = (found.mean < 0) - (found.mean > 0)
    return Verdict(found.z, found.p, side, details)


def sentence_verdict(baseline_errors: npt.NDArray[Any], system_errors: npt.NDArray[Any]) -> Verdict:
    """McNemar's test on sentences that are right or wrong.

    Args:
        baseline_errors, system_errors: of each sentence, how many or whether any; none is right. Shape [items].

    >>> verdict = sentence_verdict(np.array([0, 1, 2, 0, 3]), np.array([0, 0, 0, 1, 0]))
    >>> verdict.signs, verdict.statistic, verdict.p
    (SignCounts(better=3, worse=1, equal=1), 1.0, 0.625)
    """
    one, two = baseline_errors > 0, system_errors > 0
    better, worse = int(np.count_nonzero(one & ~two)), int(np.count_nonzero(two & ~one))
    signs = SignCounts(better, worse, len(one) - better - worse)
    details = {
        "both_right": int(np.count_nonzero(~one & ~two)),
        "both_wrong": int(np.count_nonzero(one & two)),
        TABLED: tabled_binomial(better, worse),
    }
    return Verdict(float(min(better, worse)), sign_p(better, worse), signs.side, details, signs)


def sign_verdict(metric: CorpusMetric, baseline: Table, system: Table) -> Verdict:
    """The sign test on speakers.

    Speakers without a difference are shared out: half of them to either side, an odd one to the worse side. Those whose
    scores have nothing to divide by are left out.

    Args:
        metric: whose scores are compared.
        baseline, system: statistics of each speaker, shape [speakers, columns].
    """
    one, two, ahead = percentages(metric, baseline, system)
    gain = (one - two) * ahead
    equal = int(np.count_nonzero(np.abs(gain) <= SAME_PERCENTAGE))
    plus, minus = (int(np.count_nonzero(side > SAME_PERCENTAGE)) for side in (gain, -gain))
    signs = SignCounts(plus, minus, equal) if ahead > 0 else SignCounts(minus, plus, equal)
    plus, minus = plus + equal // 2, minus + (equal + 1) // 2
    details = {"speakers": len(one), LEFT_OUT: len(baseline) - len(one), TABLED: tabled_binomial(plus, minus)}
    return Verdict(float(min(plus, minus)), sign_p(plus, minus), signs.side, details, signs)


def wilcoxon_verdict(metric: CorpusMetric, baseline: Table, system: Table) -> Verdict:
    """Wilcoxon's signed-rank test on speakers, by its normal approximation; arguments as of `sign_verdict`.

    Equal differences have their mean rank. Speakers without a difference are ranked with the others and go to the two
    sides in turn. W is the rank sum of the side with fewer speakers; of equally many, of the worse system's.
    """
    one, two, ahead = percentages(metric, baseline, system)
    gain = (one - two) * ahead
    plus, minus, z = _signed_ranks(np.round(gain, DECIMALS))
    better, worse = (plus, minus) if ahead > 0 else (minus, plus)
    # sc_stats ranks differences that are equal but for the error of binary fractions as if they were not.
    tabled = tabled_normal(_signed_ranks(gain)[2])
    left_out = len(baseline) - len(gain)
    details = {
        "speakers": len(gain),
        LEFT_OUT: left_out,
        "ranks_better": better,
        "ranks_worse": worse,
        TABLED: tabled,
    }
    side = (better > worse) - (better < worse)
    return Verdict(z, normal_p(z), side, details)


def _signed_ranks(gain: Table) -> tuple[float, float, float]:
    """The rank sums of gains and of losses, and Z."""
    ranks = mean_ranks(np.abs(gain))
    is_plus = gain > 0
    equal = np.flatnonzero(np.abs(gain) <= SAME_PERCENTAGE)
    is_plus[equal] = np.arange(len(equal)) % 2 == 0
    n, pluses = len(gain), int(np.count_nonzero(is_plus))
    plus, minus = float(ranks[is_plus].sum()), float(ranks[~is_plus].sum())
    w = plus if pluses < n - pluses else minus
    return plus, minus, (w - n * (n + 1) / 4) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24)


def percentages(metric: CorpusMetric, baseline: Table, system: Table) -> tuple[Table, Table, int]:
    """Scores of speakers in percent, lower ones better; and 1 where the system's are lower in sum, else -1.

    Speakers without a word in the references, and with words in an output, have no rate and are left out.

    Raises:
        FstmetricsError: no speaker is left.
    """
    both = [metric.corpus_score(table) for table in (baseline, system)]
    there = np.isfinite(both).all(axis=0)
    if not there.any():
        raise FstmetricsError(
            f"{metric.name} by speaker cannot be tested: no speaker has a score, as none has a word in the references"
        )
    scale = (1 if metric.percent else 100) * (-1 if metric.recognition else 1)
    one, two = (scale * scores[there] for scores in both)
    return one, two, 1 if one.sum() > two.sum() else -1


def mean_ranks(values: Table) -> Table:
    """Ranks from 1, the mean of them where values are equal.

    >>> mean_ranks(np.array([3.0, 1.0, 3.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Table = (last - (counts - 1) / 2)[which.reshape(-1)]
    return ranks


def tabled_normal(z: float) -> float:
    """Two-sided p of the normal distribution as sc_stats has it: z is cut to two decimals."""
    hundredths = math.floor(abs(z) * 100 + 1e-9)
    # The table has numbers of two decimals; what lies below one by a rounding error is cut to the one before.
    return normal_p((hundredths - (hundredths / 100 > abs(z))) / 100)


def tabled_binomial(one: int, two: int) -> float:
    """Two-sided p of two counts as sc_stats 2.4.10 has it; beyond 20 counts it is wrong.

    >>> round(tabled_binomial(2, 13), 3), round(sign_p(10, 11), 3), round(tabled_binomial(10, 11), 3)
    (0.007, 1.0, 0.016)
    """
    n, fewer = one + two, min(one, two)
    if one == two:
        return 1.0
    if n / 4 <= SUMMED:
        return float(2 * sum(math.comb(n, k) for k in range(fewer + 1)) / 2**n)
    # Half the count, where the approximation has the count and a half.
    z = (fewer / 2 - n / 2) / math.sqrt(n / 4)
    return tabled_normal(z)
