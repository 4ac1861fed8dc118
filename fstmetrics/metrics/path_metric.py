"""The shape of a metric: `EditTable`, its automaton over edit operations, and `Metric`, its score; `PathNumbers`, what
a path and a corpus have of one.

Costs are exact: a table holds whole numbers, `scale` of which make 1.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import IntEnum
from fractions import Fraction
from functools import cached_property
from itertools import chain
from numbers import Integral
from operator import add
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import numpy as np

from fstmetrics._native import EditAutomaton
from fstmetrics.metrics.corpus_metric import CorpusMetric, Decomposable, ratio
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import finite

if TYPE_CHECKING:
    import numpy.typing as npt
    import pynini

    from fstmetrics.metrics.corpus_metric import Table

    Integers = npt.NDArray[np.int64]

# What the score of a path divides: edits and moves by words, gain by the largest gain, or other counts.
Quotient = Literal["errors", "gain", "counts"]
# What a cost may be given as.
Number = int | float | str | Decimal | Fraction
# cost(op, hypothesis_word, reference_word) of an operation; None for the word a side does not have.
WordCost = Callable[[str, str | None, str | None], float]
Reordering = Literal["moves", "jumps"]

# More decimals than a float has could only come from arithmetic, and would not leave room for sums.
MAX_SCALE = 10**18


class Op(IntEnum):
    """The four edit operations, as the engine numbers them."""

    MATCH = 0
    SUBSTITUTION = 1
    INSERTION = 2
    DELETION = 3

    @property
    def letter(self) -> str:
        """The letter of alignments: `=`, `S`, `I` or `D`."""
        return "=SID"[self]


def exact(value: Number, name: str) -> Fraction:
    """A number as the decimal it is written as: 0.1 is one tenth.

    Raises:
        FstmetricsError: infinite, not a number, or with more than 18 decimals.
    """
    try:
        fraction = value if isinstance(value, Fraction) else Fraction(Decimal(str(value)))
    except (InvalidOperation, ValueError, OverflowError):
        raise FstmetricsError(f"{name} must be a finite number, not {value!r}") from None
    if fraction.denominator > MAX_SCALE:
        raise FstmetricsError(f"{name} = {value!r} has more than 18 decimals; round it")
    return fraction


def plain(value: Number) -> int | float | str:
    """A number for settings and signatures; as text where a float would not be exactly it.

    >>> plain("0.5"), plain("0.100000000000000001")
    (0.5, '100000000000000001/1000000000000000000')
    """
    if isinstance(value, int):
        return value
    found = exact(value, "the number")
    return float(found) if exact(float(found), "the number") == found else str(found)


@dataclass(frozen=True)
class EditTable:
    """An edit automaton (design §1): memories, memory 0 the start, all final.

    Attributes:
        next: for each memory, the memory after match, substitution, insertion, deletion; shape [memories, 4].
        cost: what each costs, in units; shape [memories, 4].
        scale: units that make 1; all costs are whole numbers of units.
        move_cost: what a reordering move costs, in units.
        longest: whether, at equal cost, the longest reference path scores best; otherwise the tie goes by the
            largest gain (design §1, Ties).
        word_cost: cost by words, in units, added to the table's; or None.
    """

    next: tuple[tuple[int, int, int, int], ...]
    cost: tuple[tuple[int, int, int, int], ...]
    scale: int = 1
    move_cost: int = 0
    longest: bool = True
    word_cost: Callable[[Op, str | None, str | None], int] | None = None

    @classmethod
    def from_costs(
        cls, next: Sequence[Sequence[int]], cost: Sequence[Sequence[Fraction]], **settings: Any
    ) -> EditTable:
        """A table from exact costs, scaled by their least common denominator."""
        scale = math.lcm(*(c.denominator for row in cost for c in row))
        units = tuple(_four([int(c * scale) for c in row]) for row in cost)
        return cls(tuple(_four(row) for row in next), units, scale, **settings)

    def __getstate__(self) -> dict[str, Any]:
        # What the engine has is made again where it is needed.
        return {name: value for name, value in vars(self).copy().items() if name != "native"}

    @cached_property
    def native(self) -> EditAutomaton:
        """The table as the engine has it.

        Raises:
            FstmetricsError: a cost beyond 64 bits, or that is no whole number; or a memory out of range.
        """
        for value in chain(*self.next, *self.cost, (self.move_cost, self.scale)):
            if type(value) is not int:
                whole_units(value)
        if self.scale < 1:
            raise FstmetricsError(f"edit table: {self.scale} units make 1; give scale a whole number from 1")
        try:
            return EditAutomaton(
                np.array(self.next, dtype=np.int64),
                np.array(self.cost, dtype=np.int64),
                self.move_cost,
                self.longest,
            )
        except (OverflowError, ValueError) as error:
            raise FstmetricsError(f"edit table: {error}") from None


def whole_units(value: object) -> int:
    """A number of units.

    Raises:
        FstmetricsError: it is no whole number.
    """
    if not isinstance(value, Integral):
        raise FstmetricsError(
            f"edit table: costs and the scale are whole numbers, and one is {value!r:.80}; count them in "
            "smaller units: with scale=100 a cost of 50 is one half"
        )
    return int(value)


def _four(row: Sequence[int]) -> tuple[int, int, int, int]:
    match, substitution, insertion, deletion = row
    return match, substitution, insertion, deletion


def match_is_best(table: EditTable) -> bool:
    """Whether to match a word is never worse than to let it stand for itself, whatever comes behind.

    That is so where a match costs no more, and leads to the same memory or to one that is at least as good: one in
    which every operation costs no more and leads to one that is.

    >>> from fstmetrics import GRR, EditMetric
    >>> match_is_best(GRR(3).table), match_is_best(EditMetric(3, 1, 1, 1).table)
    (True, False)
    """
    follow, cost = np.array(table.next), np.array(table.cost, dtype=np.int64)
    # By two memories, whether the first is at least as good.
    better = np.all(cost[:, None, :] <= cost[None, :, :], axis=2)
    while True:
        kept = better & np.all([better[np.ix_(follow[:, op], follow[:, op])] for op in Op], axis=0)
        if (kept == better).all():
            break
        better = kept
    costs_no_more = (cost[:, Op.MATCH] <= cost[:, Op.SUBSTITUTION]).all()
    return bool(costs_no_more and better[follow[:, Op.MATCH], follow[:, Op.SUBSTITUTION]].all())


# Floats have all integers up to there.
EXACT = 2.0**53


# Counts of a path or of a corpus, as records name them; likewise in native/formats/record_columns.h.
COUNTS = ("edits", "matches", "substitutions", "insertions", "deletions", "moves", "path_length")


class SearchStats(NamedTuple):
    """What a search did: route, queue entries pushed and popped, product states expanded, states of each side."""

    route: str
    pushed: int
    popped: int
    expanded: int
    hypothesis_states: int
    reference_states: int


class Totals(NamedTuple):
    """Counts of a path or of a corpus, which add up.

    Attributes:
        units: cost in units of the metric's table (`EditTable.scale` of them make 1).
        matches, substitutions, insertions, deletions: edit operations.
        moves: reordering moves.
        denominator: what the score divides by.
    """

    units: int = 0
    matches: int = 0
    substitutions: int = 0
    insertions: int = 0
    deletions: int = 0
    moves: int = 0
    denominator: int = 0

    @property
    def edits(self) -> int:
        """S + I + D; moves are apart."""
        return self.substitutions + self.insertions + self.deletions

    @property
    def path_length(self) -> int:
        """Words of the chosen reference."""
        return self.matches + self.substitutions + self.deletions

    @property
    def hypothesis_length(self) -> int:
        """Words of the chosen hypothesis."""
        return self.matches + self.substitutions + self.insertions

    def __add__(self, other: Totals) -> Totals:  # type: ignore[override]
        return Totals(*map(add, self, other))


def quotient(numerator: Fraction | int, denominator: int, recognition: bool) -> float:
    """The score, with the design's rules for a zero divisor.

    Nothing against nothing gives 0 for errors and 1 for recognition; otherwise inf or -inf by the sign.
    """
    if denominator:
        return numerator.numerator / (numerator.denominator * denominator)  # of integers: rounded once
    if numerator == 0:
        return 1.0 if recognition else 0.0
    return math.inf if numerator > 0 else -math.inf


class Metric(CorpusMetric):
    """What is minimised over H ∘ T ∘ R, and how a path's totals become a score.

    Attributes:
        quotient: what the score divides, where that follows from the counts of its records; else None. It is asked of
            the class alone: one that is made of another, and may count otherwise, says it again.
        has_free_words: whether references may have words that are free to be left out.
    """

    quotient: ClassVar[Quotient | None] = None
    has_free_words: ClassVar[bool] = True
    decomposable: ClassVar[Decomposable] = "with one reference an item"
    columns: ClassVar[tuple[str, ...]] = ("numerator", "denominator")
    # Reordering of the hypothesis; only HyTER has any.
    window: int = 1
    reordering: Reordering = "moves"

    def __getstate__(self) -> dict[str, Any]:
        # What follows from the settings is made again, so that equal metrics have equal pickles, used or not.
        # Another thread may make some of it meanwhile.
        kind, own = type(self), vars(self).copy()
        return {k: v for k, v in own.items() if not isinstance(getattr(kind, k, None), cached_property)}

    @cached_property
    @abstractmethod
    def table(self) -> EditTable:
        """The edit automaton T."""
        raise FstmetricsError(
            f"{type(self).__name__} has no `table`, a cached_property that gives an EditTable"
        )

    def numerator(self, totals: Totals) -> Fraction:
        """What the score divides: the cost, or, for recognition rates, the gain."""
        cost = Fraction(totals.units, self.table.scale)
        return -cost if self.recognition else cost

    def denominator(self, reference_words: int) -> int:
        """What the score divides by, for one chosen reference of this many words."""
        return reference_words

    def divisor(self, totals: Totals) -> int:
        """What the score of these totals, of an item or of many, divides by: by default their denominators' sum."""
        return totals.denominator

    def gain(self, totals: Totals) -> Fraction | None:
        """The gain that was maximised, of recognition rates; None of others."""
        return self.numerator(totals) if self.recognition else None

    def statistics(self, totals: Totals) -> tuple[int, ...]:
        """Numerator, in units of the table so that it is whole, and denominator: they add up over items."""
        return int(self.numerator(totals) * self.table.scale), self.divisor(totals)

    def corpus_score(self, sums: Table) -> Table:
        """Quotients, with the design's rules for a zero divisor."""
        return ratio(sums[..., 0], sums[..., 1] * self.table.scale, empty=float(self.recognition))

    def quotients(self, units: Integers, divisors: Integers) -> tuple[Table, Table | None] | None:
        """Scores of many paths, and gains of recognition rates, where they follow from costs and denominators alone.

        Args:
            units: the cost of each, in units of the table.
            divisors: its denominator.

        Returns:
            None where the metric has rules of its own, or numbers are too large for floats to be exact.

        >>> from fstmetrics import WER
        >>> WER().quotients(np.array([1, 0]), np.array([3, 0]))[0].tolist()
        [0.3333333333333333, 0.0]
        """
        kind, scale = type(self), self.table.scale
        if (kind.numerator, kind.divisor, kind.gain) != (Metric.numerator, Metric.divisor, Metric.gain):
            return None
        largest = max(np.abs(units).max(initial=0), np.abs(divisors).max(initial=0) * float(scale))
        if largest > EXACT:
            return None
        numerators = (-units if self.recognition else units).astype(np.float64)
        scores = ratio(numerators, (divisors * scale).astype(np.float64), empty=float(self.recognition))
        return scores, numerators / scale if self.recognition else None

    def compile(self, reference: str | Sequence[str], symbols: Any = None) -> pynini.Fst:
        """The classical automaton of a reference [C08 §4.3]; see `fstmetrics.openfst.classical.reference_automaton`."""
        from fstmetrics.openfst.classical import reference_automaton

        return reference_automaton(self, reference, symbols)


class PathNumbers:
    """What an item and a corpus have in common."""

    __slots__ = ()

    metric: Metric
    totals: Totals

    @property
    def score(self) -> float:
        """The metric's score; inf or -inf where the divisor is zero and the numerator is not."""
        return score_of(self.metric, self.totals)

    @property
    def numerator(self) -> Fraction:
        """What the score divides: errors, cost or gain."""
        return self.metric.numerator(self.totals)

    @property
    def cost(self) -> float:
        """The cost that was minimised: the metric's own units made 1."""
        return float(Fraction(self.totals.units, self.metric.table.scale))

    @property
    def gain(self) -> float | None:
        """The gain that was maximised, for recognition rates; None for error rates."""
        gain = self.metric.gain(self.totals)
        return None if gain is None else float(gain)

    @property
    def max_gain(self) -> int | None:
        """The largest gain there is, for recognition rates; None for error rates."""
        return None if self.metric.gain(self.totals) is None else self.totals.denominator

    @property
    def edits(self) -> int:
        """Substitutions, insertions and deletions; moves are apart."""
        return self.totals.edits

    @property
    def matches(self) -> int:
        """Words that are equal on both sides."""
        return self.totals.matches

    @property
    def substitutions(self) -> int:
        """Words that stand for other words."""
        return self.totals.substitutions

    @property
    def insertions(self) -> int:
        """Hypothesis words that the reference lacks."""
        return self.totals.insertions

    @property
    def deletions(self) -> int:
        """Reference words that the hypothesis lacks."""
        return self.totals.deletions

    @property
    def moves(self) -> int:
        """Reordering moves."""
        return self.totals.moves

    @property
    def path_length(self) -> int:
        """Words of the chosen reference."""
        return self.totals.path_length

    @property
    def hypothesis_length(self) -> int:
        """Words of the chosen hypothesis, but for those under a wildcard."""
        return self.totals.hypothesis_length

    def numbers(self) -> dict[str, Any]:
        """Score, counts, and the gain of recognition rates, by the names that records have for them.

        A score that is infinite is None.
        """
        counts = {name: getattr(self, name) for name in COUNTS}
        return {"score": finite(self.score), **counts, "gain": self.gain, "max_gain": self.max_gain}


def score_of(metric: Metric, totals: Totals) -> float:
    """A path's or a corpus's score."""
    return quotient(metric.numerator(totals), metric.divisor(totals), metric.recognition)
