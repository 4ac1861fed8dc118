"""Metrics of one's own: a table of costs, and a function of the words where that is not enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Real
from operator import index

from fstmetrics.metrics.corpus_metric import name_of_function
from fstmetrics.metrics.path_metric import EditTable, Metric, Number, Op, WordCost, exact, plain
from fstmetrics.support.errors import FstmetricsError

# Costs that a function returns are rounded to this many units to 1. It is the tolerance of ties: costs that
# differ by less than half of it are equal.
WORD_COST_SCALE = 10**9


@dataclass(frozen=True)
class EditMetric(Metric):
    """A weighted word error rate: the least cost of edits divided by the words of the chosen reference.

    The cost of an operation is the table's plus, where `cost` is given, the function's. The table's numbers are
    those of Levenshtein without a function, and zero with one, unless they are given.

    Args:
        match: cost of a match; may be negative, a gain.
        substitution: cost of a substitution.
        insertion: cost of a hypothesis word that the reference lacks.
        deletion: cost of a reference word that the hypothesis lacks.
        cost: `cost(op, hypothesis_word, reference_word)`, op being "match", "substitution", "insertion" or
            "deletion" and None standing for the word a side does not have. Called once for each distinct
            word or pair of words, never in the search; rounded to 1e-9, and sums are exact from there.
        memory: a whole table instead of the four numbers: for each memory, (next memory, cost) of match,
            substitution, insertion and deletion. Memory 0 is the start.
        label: the name in signatures.

    Raises:
        FstmetricsError: numbers that are none, a function that is none, or a memory of another shape.

    >>> fillers = {"uh", "um"}
    >>> metric = EditMetric(cost=lambda op, hyp, ref: 0 if op == "match" else 0.1 if hyp in fillers else 1)
    """

    match: Number | None = None
    substitution: Number | None = None
    insertion: Number | None = None
    deletion: Number | None = None
    cost: WordCost | None = None
    memory: Sequence[Sequence[tuple[int, Number]]] | None = None
    label: str = "custom"

    name = "edit"

    def __post_init__(self) -> None:
        given = [self.match, self.substitution, self.insertion, self.deletion]
        if self.memory is not None and any(number is not None for number in given):
            raise FstmetricsError(
                "an EditMetric takes either memory or match, substitution, insertion and deletion"
            )
        if self.cost is not None and not callable(self.cost):
            raise FstmetricsError(
                f"cost is a function cost(op, hypothesis_word, reference_word), not {self.cost!r}; "
                "numbers go to match, substitution, insertion and deletion"
            )
        if self.memory is not None and not _is_memory(self.memory):
            raise FstmetricsError("memory needs at least one row of four (next memory, cost) pairs")
        EditTable.from_costs(*self._costs()).native  # noqa: B018 (what cannot be a table is refused here)

    def _costs(self) -> tuple[list[list[int]], list[list[Fraction]]]:
        """The table as it was given, or by default: next memories and costs."""
        if self.memory is not None:
            follow = [[n for n, _ in row] for row in self.memory]
            return follow, [[exact(c, "a cost in memory") for _, c in row] for row in self.memory]
        default = (0, 1, 1, 1) if self.cost is None else (0, 0, 0, 0)
        given = (self.match, self.substitution, self.insertion, self.deletion)
        numbers = [d if g is None else g for g, d in zip(given, default, strict=True)]
        return [[0, 0, 0, 0]], [[exact(n, op.name.lower()) for n, op in zip(numbers, Op, strict=True)]]

    @cached_property
    def table(self) -> EditTable:
        """The table in units of their least common denominator, or of 1e-9 with a function."""
        table = EditTable.from_costs(*self._costs())
        return table if self.cost is None else self._with_function(table)

    def _with_function(self, table: EditTable) -> EditTable:
        function = self.cost
        assert function is not None
        scale = math.lcm(table.scale, WORD_COST_SCALE)
        factor = scale // table.scale

        def units(op: Op, hypothesis: str | None, reference: str | None) -> int:
            call = f"cost({op.name.lower()!r}, {hypothesis!r}, {reference!r})"
            try:
                cost = function(op.name.lower(), hypothesis, reference)
            except Exception as error:
                error.add_note(f"in {call}, the function of an EditMetric")
                raise
            if not isinstance(cost, Real) or not math.isfinite(cost):
                raise FstmetricsError(f"{call} is {cost!r}, not a finite number")
            number = Fraction(cost if isinstance(cost, int | Fraction) else float(cost))
            return round(number * WORD_COST_SCALE) * (scale // WORD_COST_SCALE)

        scaled = tuple((m * factor, s * factor, i * factor, d * factor) for m, s, i, d in table.cost)
        return EditTable(table.next, scaled, scale, word_cost=units)

    def settings(self) -> dict[str, object]:
        """The label, the numbers and the memory's table; a function is named only: tell two apart by the label."""
        numbers = {op.name.lower(): getattr(self, op.name.lower()) for op in Op}
        given = super().settings() | {
            key: plain(value) for key, value in numbers.items() if value is not None
        }
        if self.memory is not None:
            given["memory"] = ";".join(
                " ".join(f"{follow},{plain(cost)}" for follow, cost in row) for row in self.memory
            )
        return {"label": self.label, **given, **({"cost": name_of_function(self.cost)} if self.cost else {})}


def _is_memory(memory: object) -> bool:
    """Whether it has the shape of a table: rows of four pairs of a whole number and a cost."""
    try:
        rows = [[(index(following), cost) for following, cost in row] for row in memory]  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        return False
    return bool(rows) and all(len(row) == 4 for row in rows)
