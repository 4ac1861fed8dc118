"""MAPSSWE, the matched pairs test of NIST's sc_stats on segments of sentences: `segments` cuts, `matched_pairs` tests.

A segment is a stretch with errors of either system between two words (`BOUNDARY`) that both systems have right
[Gillick and Cox, "Some statistical issues in the comparison of speech recognition algorithms", ICASSP 1989; Pallett,
Fisher and Fiscus, "Tools for the analysis of benchmark speech recognition tests", ICASSP 1990]. Errors in different
segments are taken as independent of each other. Alignments are sclite's (`engine.program_alignments`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.engine.aligned_paths import Paths
from fstmetrics.engine.program_alignments import PAIR, Errors, errors_of_pairs

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]

# So many words in a row that both systems have right end a segment, as in sc_stats.
BOUNDARY = 2


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
