"""The answer by OpenFst alone beside the engine's: `refereed`, `Refereed`, and `judged` for an answer that is there.

Items of a run solved again by OpenFst: `Check`, and `DisagreementError` where the answers differ.

The tie order of the design is followed by pruning: compose, leave the shortest paths only, weigh their arcs by the next
criterion, and again. Each is a number of arcs of a kind, so that weights stay whole.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fstmetrics.engine.results import Result
from fstmetrics.engine.search import DEFAULT, SETTINGS, SearchOptions, all_grammars, named, search
from fstmetrics.engine.sides import Input
from fstmetrics.metrics import Metric, as_metric
from fstmetrics.metrics.path_metric import Op, Totals
from fstmetrics.openfst.folder import folder_of_item, write_machines
from fstmetrics.openfst.machines import Machines, composed
from fstmetrics.openfst.problem import Problem, parts, problem_of
from fstmetrics.openfst.pynini_objects import Columns, import_pynini
from fstmetrics.support.arguments import by_name, check_pair
from fstmetrics.support.errors import FstmetricsError, SearchError
from fstmetrics.text.normalisation import PLAIN, Normalisation

if TYPE_CHECKING:
    import numpy.typing as npt
    import pynini

    from fstmetrics.grammars.library import Grammars
    from fstmetrics.openfst.pynini_objects import Floats

    Flags = npt.NDArray[np.bool_]

# What is compared of two answers.
COMPARED = ("cost", "path_length", "edits", "moves", "matches", "deletions")


@dataclass(frozen=True)
class Refereed:
    """An answer of the engine, and that of OpenFst to the same question.

    Attributes:
        result: what the engine found.
        totals: what OpenFst found: cost and counts of the best path.
        machines: H, T and R, in whole units.
    """

    result: Result
    totals: Totals
    machines: Machines

    @property
    def engine(self) -> float:
        """The cost that the engine found."""
        return self.result.cost

    @property
    def openfst(self) -> float:
        """The cost that OpenFst found."""
        return self.totals.units / self.result.metric.table.scale

    @property
    def differences(self) -> tuple[str, ...]:
        """What is not the same: of cost, path_length, edits, moves, matches and deletions."""
        one, other = self.result.totals, self.totals
        found = [name for name in COMPARED[1:] if getattr(one, name) != getattr(other, name)]
        return (*(["cost"] if one.units != other.units else []), *found)

    @property
    def agree(self) -> bool:
        """Whether nothing differs."""
        return not self.differences

    def __str__(self) -> str:
        if self.agree:
            return f"agreed: cost {self.engine:g}"
        both = []
        for name in self.differences:
            one, other = (
                (self.engine, self.openfst)
                if name == "cost"
                else (getattr(self.result.totals, name), getattr(self.totals, name))
            )
            both.append(f"{name} {one:g} by the engine, {other:g} by OpenFst")
        return "; ".join(both)


@by_name(SETTINGS)
def refereed(
    hypothesis: Input,
    reference: Input,
    metric: str | Metric = "wer",
    *,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
    options: SearchOptions = DEFAULT,
) -> Refereed:
    """The best path of `hypothesis` and `reference` twice: by the engine, and by OpenFst alone. Needs pynini.

    Args:
        hypothesis, reference, metric, normalisation, grammars, options: as of `fstmetrics.align`.

    Raises:
        FstmetricsError: as of `fstmetrics.align` and `fstmetrics.compile`; references with a cycle, where words may be
            left out at no cost.

    >>> from fstmetrics import HyTER
    >>> found = refereed("where train station is", "where is the train station", HyTER(3))
    >>> found.agree, found.engine, found.openfst
    (True, 2.0, 2.0)
    """
    import_pynini()
    check_pair(hypothesis, reference)
    wider = all_grammars(grammars, normalisation)
    found = search(None, [hypothesis], [reference], as_metric(metric), 1, normalisation, options, wider)[0]
    return judged(found, hypothesis, reference, as_metric(metric), normalisation, wider)


def judged(
    result: Result,
    hypothesis: Input,
    reference: Input,
    metric: Metric,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
) -> Refereed:
    """What OpenFst says of an item that the engine has an answer to; arguments and errors as of `refereed`."""
    problem = problem_of(hypothesis, reference, metric, normalisation, grammars)
    machines = Machines(problem, units=True)
    return Refereed(result, _totals(problem, machines), machines)


def _totals(problem: Problem, machines: Machines) -> Totals:
    """The totals of the best path of H ∘ T ∘ R."""
    _refuse_free_cycles(problem)
    hypothesis, shift = machines.tagged()
    left, right = (factor.copy() for factor in machines.factors)
    reference = machines.reference.copy()
    for machine in (hypothesis, left, right, reference):
        machine.set_input_symbols(None).set_output_symbols(None)
    best = composed(hypothesis, left, right, reference)
    cost = _distance(best)
    totals = []
    for weights in _criteria(problem, shift, cost):
        best = import_pynini().prune(best, weight=0)  # what is on no shortest path
        columns = Columns.of(best)
        best = columns._replace(
            weights=weights(columns), finals=np.where(np.isinf(columns.finals), np.inf, 0)
        ).fst()
        totals.append(abs(_distance(best)))
    length, edits, moves, matches, deletions = totals
    substitutions = length - matches - deletions
    insertions = edits - substitutions - deletions
    units = cost * problem.unit
    if problem.is_credited:
        from fstmetrics.engine.left_out_words import credited

        units, matches, substitutions, insertions, deletions = credited(
            units, matches, substitutions, insertions, deletions
        )
    denominator = problem.metric.denominator(length)
    return Totals(units, matches, substitutions, insertions, deletions, moves, denominator)


def _refuse_free_cycles(problem: Problem) -> None:
    """Raise SearchError where a cycle of R may cost nothing: no path is the longest then."""
    table, cost, words = problem.table, problem.word_cost, problem.words
    if not any(machine.is_cyclic for machine in parts(problem.reference)):
        return
    dearest = min(row[Op.DELETION] for row in table.cost)
    if cost is not None:
        dearest += min((cost(Op.DELETION, None, r) for r in words.reference), default=0)
    if dearest <= 0:
        raise SearchError(
            "the references have a cycle, and a word that is left out may cost nothing: OpenFst cannot compare paths "
            "of any length; give references without a cycle"
        )


def _criteria(problem: Problem, shift: int, cost: int) -> Iterator[Callable[[Columns], Floats]]:
    """Weights of arcs by each criterion behind the cost, by design's order ("Ties")."""
    words, hits = problem.words, problem.labels.only_hits
    longest = problem.table.longest or cost > 0
    word_of = np.arange(shift + 1)
    for label, word in hits.items():
        word_of[label] = word

    def flags(arcs: Columns) -> dict[str, Flags]:
        said, given = arcs.inputs % shift, arcs.outputs
        is_said, is_given = said != 0, given != 0
        # Under a wildcard nothing counts.
        is_counted = given != (-1 if words.wildcard is None else words.wildcard)
        is_match = is_said & (said == word_of[given])
        return {
            "words of R": is_given & is_counted,
            "edits": (is_said | is_given) & is_counted & ~is_match,
            "moves": arcs.inputs >= shift,
            "matches": is_match & is_counted,
            "deletions": is_given & ~is_said & is_counted,
        }

    def weights(kind: str, sign: int, arcs: Columns) -> Floats:
        return sign * flags(arcs)[kind].astype(np.float64)

    signs = {"words of R": -1 if longest else 1, "edits": 1, "moves": 1, "matches": -1, "deletions": 1}
    for kind, sign in signs.items():
        yield partial(weights, kind, sign)


def _distance(fst: pynini.Fst) -> int:
    """The weight of a shortest path."""
    found = import_pynini().shortestdistance(fst, reverse=True)[fst.start()]
    return round(float(str(found)))


# Where machines of answers that differ are written.
CHECK_FOLDER = "fstmetrics-check"
# The folders of items, and where this process has written them.
_WRITTEN: dict[str, str] = {}


class DisagreementError(FstmetricsError):
    """OpenFst has another answer to an item than the engine."""

    exit_status: ClassVar[int] = 1


@dataclass(frozen=True)
class Check:
    """Every so-manyth item of a run is solved again by OpenFst.

    Args:
        every: 1 is every item, 10 the first of ten.
        folder: where machines of an item are written whose answers differ, in a folder of their own.
    """

    every: int = 1
    folder: str = CHECK_FOLDER

    def results(
        self,
        results: Sequence[Result],
        places: Sequence[int],
        ids: Sequence[str | None] | None,
        sides: Callable[[int], tuple[Input, Input]],
        metric: Metric,
        normalisation: Normalisation = PLAIN,
        grammars: Grammars = (),
    ) -> None:
        """Solve those again that it is the turn of.

        Args:
            results: of some items.
            places: of each among the items of the run, from 0.
            ids: of each.
            sides: the hypothesis and reference of each, by its number among these.
            metric, normalisation, grammars: what the results were found with.

        Raises:
            DisagreementError: an answer differs; the machines are in the folder that it names.
            FstmetricsError: an item too large for OpenFst, or other machines that cannot be built, by its name.
        """
        for number, place in enumerate(places):
            if place % self.every:
                continue
            id = ids[number] if ids else None
            try:
                found = judged(results[number], *sides(number), metric, normalisation, grammars)
            except FstmetricsError as error:
                raise type(error)(f"{named([id], 0, 1)}--check openfst: {error}") from None
            if found.agree:
                continue
            it = f"item {id}" if id else f"item {place} (from 0)"
            told = self._kept(found, folder_of_item(self.folder, id, place), f"{it}, {metric.signature()}")
            raise DisagreementError(f"{it}: OpenFst has another answer: {found}; {told}")

    def _kept(self, found: Refereed, folder: str, what: str) -> str:
        """Write the machines of an item, once in a run: a batch that fails is scored again, item by item."""
        where = _WRITTEN.get(folder)
        if where is None:
            free = (f"{folder}-{number}" if number > 1 else folder for number in count(1))
            where = next(path for path in free if not os.path.lexists(path))
            try:
                os.makedirs(self.folder, exist_ok=True)
                write_machines(found.machines, where, what)
            except (FstmetricsError, OSError) as error:
                return f"its machines are not written: {error}"
            _WRITTEN[folder] = where
        return f"the machines are in {where}"
