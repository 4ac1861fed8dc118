"""Tests between two metrics by exchanging their scores: `perm_both`, `perm_inputs`, `perm_systems`.

Deutsch, Dror and Roth (2021, A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods,
section 4.2): if two metrics agree with people equally well, their scores may be exchanged once they are on one scale
(mean 0, standard deviation 1). p is the share of random exchanges after which the difference of the coefficients is at
least the one found. What is exchanged by itself: a system's translation of a segment (PERM-BOTH), all translations of a
segment (PERM-INPUTS), or all of a system (PERM-SYSTEMS). `exchanged` tests many pairs at once.

As in mt-metrics-eval p is one-sided, and permutations stop early: after each block, where p is clearly small or large.
For `acc-eq` metrics have different epsilons, so what is exchanged is whether each has a pair of translations right (its
`PairwisePermutationSigDiff`); all pairs of a segment for PERM-INPUTS.

Random numbers are those of numpy's PCG64: permutation 64 t + i of unit u is bit i of output u of
`PCG64(seed).jumped(t)`. All pairs of metrics have the same permutations.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from fstmetrics import FstmetricsError, _native
from fstmetrics.apps.metaeval.segment_coefficients import Group, checked
from fstmetrics.apps.metaeval.soft_accuracy import SEED, SPA_PERMUTATIONS, Signs, confidences, soft_accuracy
from fstmetrics.apps.metaeval.tie_calibration import calibrations, pair_outcomes, right_together
from fstmetrics.data.exact_means import row_means
from fstmetrics.data.ratings import standardised
from fstmetrics.engine.resampling import Resampling
from fstmetrics.support.arguments import whole_number
from fstmetrics.support.limits import MOST_SAMPLES
from fstmetrics.support.names import unknown

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.apps.metaeval.coefficients import Floats

    Ints = npt.NDArray[np.int32]

Level = Literal["segment", "system"]
Unit = Literal["both", "inputs", "systems"]
UNITS: tuple[Unit, ...] = get_args(Unit)
# Coefficients by level, and what the kernel calls them.
_OF_BOTH = {"pearson": "pearson", "spearman": "spearman", "kendall": "kendall", "kendall-b": "kendall"}
OF_KERNEL: dict[str, dict[str, str]] = {"segment": _OF_BOTH, "system": _OF_BOTH | {"accuracy": "accuracy"}}
# Differences that are equal but for rounding count as equal.
ROUNDING = 1e-12
# Permutations of signs held at once.
MOST_DRAWN = 1000


@dataclass(frozen=True)
class Stopping:
    """How many permutations are made.

    Attributes:
        permutations: at most so many.
        blocks: after so many each, p may be clear; None to make all.
        low, high: p is clear below or above these.
    """

    permutations: int = 1000
    blocks: int | None = 100
    low: float = 0.02
    high: float = 0.5

    def __post_init__(self) -> None:
        whole_number(self.permutations, "permutations", 1, MOST_SAMPLES)
        if self.blocks is not None:
            whole_number(self.blocks, "blocks", 1)

    @property
    def rule(self) -> tuple[int, int, float, float]:
        """As the kernel takes it."""
        return self.permutations, self.blocks or self.permutations, self.low, self.high

    def is_clear(self, exceeding: int, made: int) -> bool:
        """Whether it stops after so many permutations."""
        p = exceeding / made
        return self.blocks is not None and made % self.blocks == 0 and (p < self.low or p > self.high)


class ExchangeTest(NamedTuple):
    """A test between two metrics.

    Attributes:
        p: of a difference as large as the one found, if the metrics are equally good; small where the first is better.
        first, second: the metrics' coefficients; 0 where one is undefined.
        permutations: so many were made.
    """

    p: float
    first: float
    second: float
    permutations: int


def perm_both(
    metric_a: Floats, metric_b: Floats, human: Floats, coefficient: str = "pearson", group: Group = None,
    permutations: int = 1000, seed: int = 1, blocks: int | None = 100, *, level: Level = "segment",
) -> ExchangeTest:  # fmt: skip
    """PERM-BOTH: is the first metric better, where each score may be exchanged by itself?

    Args:
        metric_a, metric_b: scores, shape (systems, segments), higher is better; nan where there is none. What one of
            them or people lack is left out.
        human: people's scores, likewise.
        coefficient: of segments `pearson`, `spearman`, `kendall` (tau-b) or `acc-eq`; of systems the first three,
            `accuracy` (of pairs) or `spa`, whose level may be left out.
        group: of segments: None, "item" or "system".
        permutations: how many at most.
        seed: of the random numbers.
        blocks: after so many permutations each it stops where p is below 0.02 or above 0.5, as the WMT tools do; None
            to make all.
        level: `system` compares the means of the systems' scores.

    Raises:
        FstmetricsError: scores of different shapes, an unknown coefficient, or nothing to compare.

    >>> human = [[5, 4, 5, 3], [3, 4, 4, 2], [1, 2, 2, 3]]
    >>> good, poor = [[9, 7, 8, 5], [6, 7, 6, 4], [2, 4, 3, 6]], [[3, 1, 2, 2], [2, 3, 1, 1], [1, 2, 3, 2]]
    >>> test = perm_both(good, poor, human)
    >>> test.p < 0.05, round(test.first, 3), round(test.second, 3)
    (True, 0.967, 0.286)
    """
    return _test(metric_a, metric_b, human, coefficient, group, permutations, seed, blocks, level, "both")


def perm_inputs(
    metric_a: Floats, metric_b: Floats, human: Floats, coefficient: str = "pearson", group: Group = None,
    permutations: int = 1000, seed: int = 1, blocks: int | None = 100, *, level: Level = "segment",
) -> ExchangeTest:  # fmt: skip
    """PERM-INPUTS: as `perm_both`, where all scores of a segment are exchanged together."""
    return _test(metric_a, metric_b, human, coefficient, group, permutations, seed, blocks, level, "inputs")


def perm_systems(
    metric_a: Floats, metric_b: Floats, human: Floats, coefficient: str = "pearson", group: Group = None,
    permutations: int = 1000, seed: int = 1, blocks: int | None = 100, *, level: Level = "segment",
) -> ExchangeTest:  # fmt: skip
    """PERM-SYSTEMS: as `perm_both`, where all scores of a system are exchanged together; not for `acc-eq`."""
    return _test(metric_a, metric_b, human, coefficient, group, permutations, seed, blocks, level, "systems")


def _test(
    metric_a: Floats, metric_b: Floats, human: Floats, coefficient: str, group: Group, permutations: int, seed: int,
    blocks: int | None, level: Level, unit: Unit,
) -> ExchangeTest:  # fmt: skip
    if coefficient == "spa":
        level = "system"
    stopping = Stopping(permutations, blocks)
    return exchanged([metric_a, metric_b], human, [(0, 1)], coefficient, group, level, unit, stopping, seed)[
        0
    ]


def exchanged(
    metrics: Sequence[Floats],
    human: Floats,
    pairs: Sequence[tuple[int, int]],
    coefficient: str = "pearson",
    group: Group = None,
    level: Level = "segment",
    unit: Unit = "both",
    stopping: Stopping = Stopping(),
    seed: int = 1,
) -> list[ExchangeTest]:
    """The tests of many pairs of metrics in one call, on all processors.

    Args:
        metrics: scores of each; what one of them lacks is left out for all.
        human: people's scores.
        pairs: numbers of the first and the second metric of each test.
        coefficient, group, level: as of `perm_both`.
        unit: what is exchanged together: see above.
        stopping: how many permutations.
        seed: of the random numbers.
    """
    whole_number(seed, "seed", 0)
    known = (*OF_KERNEL.get(level, ()), "spa" if level == "system" else "acc-eq")
    if level not in OF_KERNEL or coefficient not in known:
        raise FstmetricsError(unknown(f"coefficient of {level}s", str(coefficient), known))
    if unit not in UNITS:
        raise FstmetricsError(unknown("unit", str(unit), UNITS))
    arrays = [checked(scores, human, group)[0] for scores in metrics]
    said = checked(human, human)[0]
    there = np.all([np.isfinite(scores) for scores in arrays], axis=0)
    if level == "segment":
        there &= np.isfinite(said)
    if coefficient == "spa":
        there = np.broadcast_to((there & np.isfinite(said)).all(axis=0), there.shape)
    if not there.any():
        raise FstmetricsError("there is no segment with a score of people and of every metric")
    if coefficient == "acc-eq":
        complete = np.array([np.where(there, scores, np.nan) for scores in arrays])
        calibrated = calibrations(complete, said[None], group)
        return outcomes_exchanged(complete, said, calibrated, pairs, group, unit, stopping, seed)
    generator, threads = Resampling(seed=seed).generator(), os.cpu_count() or 1
    numbers = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    by_item = level == "segment" and group == "item"
    kept = _turned(there, by_item)
    scores = np.array([standardised(_turned(array, by_item)[kept]) for array in arrays])
    units = _turned(_units(unit, there.shape), by_item)[kept].astype(np.int32)
    counts = kept.sum(axis=1)
    if level == "segment" and group is None:
        counts = np.array([counts.sum()])
    ends = np.cumsum(counts[counts > 0]).astype(np.int64)
    if coefficient == "spa":
        whole = said[:, there[0]]
        signs = Signs(SPA_PERMUTATIONS, whole.shape[1], SEED)
        of_people = confidences(whole, signs)
        _, counts_made = _native.soft_accuracy_tests(
            scores, ends, units, signs.bits, of_people, numbers, generator,
            stopping.rule, threads,
        )  # fmt: skip
        # The engine rounds scores to whole numbers, so ties may differ; these are the coefficients of `spa`.
        values = {
            i: soft_accuracy(confidences(scores[i].reshape(whole.shape), signs), of_people)
            for i in dict.fromkeys(numbers.ravel().tolist())
        }
        found = np.array([[values[i] for i in pair] for pair in numbers.tolist()]), counts_made
    else:
        of_people = _turned(said, by_item)[kept]
        if level == "system":
            of_people = row_means(said)[counts > 0]
            if not np.isfinite(of_people).all():
                raise FstmetricsError("people judged no segment of a system; leave that system out")
        kind = OF_KERNEL[level][coefficient]
        found = _native.exchange_tests(
            scores,
            of_people,
            ends,
            units,
            level == "system",
            kind,
            numbers,
            generator,
            stopping.rule,
            threads,
        )
    return [
        ExchangeTest(exceeding / made, first, second, made)
        for (first, second), (exceeding, made) in zip(found[0].tolist(), found[1].tolist(), strict=True)
    ]


def _turned(table: npt.NDArray[np.generic], by_item: bool) -> npt.NDArray[np.generic]:
    """Rows are what a coefficient is computed of."""
    return np.ascontiguousarray(table.T) if by_item else table


def _units(unit: Unit, shape: tuple[int, ...]) -> Ints:
    """The number of what each score is exchanged with."""
    systems, segments = np.indices(shape, dtype=np.int32)
    found: Ints = {"both": systems * shape[1] + segments, "inputs": segments, "systems": systems}[unit]
    return found


def outcomes_exchanged(
    metrics: Floats, human: Floats, found: Floats, pairs: Sequence[tuple[int, int]], group: Group, unit: Unit,
    stopping: Stopping, seed: int,
) -> list[ExchangeTest]:  # fmt: skip
    """Of acc-eq, where each metric has pairs of translations right or wrong by its own epsilon.

    Args:
        metrics: scores of each, shape [metrics, systems, segments], nan for the same points of all.
        human: people's scores.
        found: what `calibrations` has found of the metrics.
        pairs, group, unit, stopping, seed: as of `exchanged`.

    Raises:
        FstmetricsError: a unit that is none of pairs of translations.
    """
    if unit == "systems" or (unit == "inputs" and group != "item"):
        raise FstmetricsError(
            "acc-eq exchanges pairs of translations: perm_both does by item, system or all, perm_inputs by item"
        )
    values, epsilons = found[:, 0].tolist(), found[:, 1].tolist()
    if unit == "both":
        together, weights = right_together(metrics, human, group, epsilons)
        drawn = [_pairs_exchanged(together, weights, one, other, stopping, seed) for one, other in pairs]
    else:
        outcomes = [pair_outcomes(s, human, group, each) for s, each in zip(metrics, epsilons, strict=True)]
        weights = outcomes[0][1]
        counts = np.isfinite(np.where(np.isfinite(metrics[0]), human, np.nan)).sum(axis=0)
        rows = np.repeat(np.arange(len(counts)), counts * (counts - 1) // 2)
        drawn = []
        for one, other in pairs:
            gains: Floats = weights * (outcomes[one][0].astype(np.int8) - outcomes[other][0].astype(np.int8))
            drawn.append(_signs_exchanged(np.bincount(rows, gains).astype(np.float64), stopping, seed))
    return [
        ExchangeTest(p, values[one], values[other], made)
        for (one, other), (p, made) in zip(pairs, drawn, strict=True)
    ]


def _pairs_exchanged(
    both_right: Floats, weights: Floats, one: int, other: int, stopping: Stopping, seed: int
) -> tuple[float, int]:
    """p of two metrics that exchange whether they have a pair of translations right, from `right_together`."""
    shared = both_right[:, one, other]
    gained, lost = both_right[:, one, one] - shared, both_right[:, other, other] - shared
    sizes, place = np.unique(weights, return_inverse=True)
    counts = np.bincount(place, gained + lost).astype(np.int64)
    total = float(np.sum(weights * (gained - lost)))
    return _signs_drawn(sizes[counts > 0], counts[counts > 0], total, stopping, seed)


def _signs_exchanged(gains: Floats, stopping: Stopping, seed: int) -> tuple[float, int]:
    """p of a sum of gains, each of which may have the other sign, and how many permutations were made."""
    sizes, counts = np.unique(np.abs(gains[gains != 0]), return_counts=True)
    return _signs_drawn(sizes, counts, float(gains.sum()), stopping, seed)


def _signs_drawn(
    sizes: Floats, counts: npt.NDArray[np.int64], total: float, stopping: Stopping, seed: int
) -> tuple[float, int]:
    """Of gains of one size the number of pluses is binomial."""
    random = np.random.Generator(np.random.PCG64(seed))
    exceeding = made = 0
    while made < stopping.permutations:
        drawn = min(stopping.blocks or stopping.permutations, stopping.permutations - made, MOST_DRAWN)
        pluses = random.binomial(counts, 0.5, size=(drawn, len(counts)))
        exceeding += int(np.count_nonzero((2 * pluses - counts) @ sizes >= total - ROUNDING))
        made += drawn
        if stopping.is_clear(exceeding, made):
            break
    return exceeding / made, made
