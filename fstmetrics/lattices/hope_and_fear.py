"""Hope and fear: hypotheses that a model and a metric weigh together, for discriminative training.

With M(h) the model cost of a hypothesis h (a weighted negative natural log), D(h) the metric's cost of its best
alignment with its best reference (edits, or minus the gain), and a weight W >= 0,

    hope = argmin over h of  W M(h) + D(h)        good for the metric, and within the model's reach
    fear = argmin over h of  W M(h) - D(h)        bad for the metric, and what the model is drawn to

as hope and fear derivations in the training of translation models [Chiang, "Hope and Fear for Discriminative Training
of Statistical Translation Models", JMLR 13, 2012], where scores are maximised; the metric here is as [C08 §4.3] has
it, and exact. Fear is a least of a most, and so no best path: native/search/fear/fear.h says how it is found.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fstmetrics.data.lattice import Lattice, Scales
from fstmetrics.data.nbest import NBest
from fstmetrics.data.network import Network
from fstmetrics.engine.oracle_results import Weighed
from fstmetrics.engine.search import DEFAULT, SearchOptions, search
from fstmetrics.engine.sides import Input, check_numbers, line
from fstmetrics.lattices.weighted import PER_NAT, refuse_other_than_weighed, weighed
from fstmetrics.metrics import Metric
from fstmetrics.metrics.cost_units import at_least_as_fine, in_units_of
from fstmetrics.support.arguments import NUMBER, check_pair, instance, whole_number
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import MOST_PATHS
from fstmetrics.text.normalisation import PLAIN, Normalisation

if TYPE_CHECKING:
    from fstmetrics.grammars.library import Grammars
    from fstmetrics.grammars.widening import Widening


@dataclass(frozen=True)
class Weighing:
    """How a model and a metric are weighed together, item by item.

    Attributes:
        metric: a finite-state metric.
        weight: what a natural log of model cost weighs against 1 of the metric's cost.
        scales: weights of a lattice's costs; by default the lattice's own.
        nbest: how many of either; distinct pairs of hypothesis and reference (hope), distinct hypotheses (fear).
        normalisation: changes to the words of both sides.
        grammars: what widens the references.
        options: limits of the search; its route is for the oracle.
    """

    metric: Metric
    weight: float
    scales: Scales | None = None
    nbest: int = 1
    normalisation: Normalisation = PLAIN
    grammars: Grammars = ()
    options: SearchOptions = DEFAULT

    def __post_init__(self) -> None:
        instance(Metric).check(self.metric, "metric")
        whole_number(self.nbest, "nbest", 1, MOST_PATHS)
        if not (NUMBER.holds(self.weight) and math.isfinite(self.weight) and self.weight >= 0):
            raise FstmetricsError(f"the model's weight is a number from 0 up, not {self.weight!r}")
        if self.metric.window > 1:
            raise FstmetricsError("hope and fear are not for reordering in a window; use window 1")

    def hope(
        self, hypotheses: Lattice | NBest | Network, reference: Input, id: str | None = None
    ) -> tuple[Weighed, ...]:
        """The best by both, best first.

        Raises:
            FstmetricsError: costs that are no numbers, a cycle, no path, or an n-best list without scores.
            SearchError: a limit was reached.
        """
        return self._paths(hypotheses, reference, id, fear=False)

    def fear(
        self, hypotheses: Lattice | NBest | Network, reference: Input, id: str | None = None
    ) -> tuple[Weighed, ...]:
        """The worst by the metric and best by the model, worst first; errors as of `hope`."""
        return self._paths(hypotheses, reference, id, fear=True)

    @property
    def _finer(self) -> Metric:
        """The metric in units fine enough for model costs, and for what grammars cost."""
        metric = in_units_of(self.metric, self._widening.scale) if self.grammars else self.metric
        return at_least_as_fine(metric, PER_NAT)

    @property
    def _widening(self) -> Widening:
        from fstmetrics.grammars.library import widening_of

        return widening_of(self.grammars, self.normalisation)

    def _paths(
        self, hypotheses: Lattice | NBest | Network, reference: Input, id: str | None, fear: bool
    ) -> tuple[Weighed, ...]:
        pairs = self.nbest > 1 and not fear
        if pairs and self.grammars and self._widening.has_costs:
            raise FstmetricsError(
                "the k best hopes are not for references rewritten at a cost; use nbest 1, or rewrite at no cost"
            )
        if self.grammars and (name := self._widening.of_hits):
            raise FstmetricsError(
                f"grammar {name} has rules of hits alone, which hope and fear do not take; leave it out"
            )
        refuse_other_than_weighed(hypotheses, "hope and fear are")
        check_pair(hypotheses, reference)
        if isinstance(hypotheses, NBest):
            hypotheses = hypotheses.scored_lattice()
        check_numbers(hypotheses, reference, self.normalisation)
        whole, metric = weighed(hypotheses, self.scales, self.normalisation), self._finer
        graph = whole.graph(self.weight * metric.table.scale)
        # Words are needed here, whatever is shown of them.
        options = replace(self.options, route="auto", alignment=True)
        batch = search(
            [id], [graph], [reference], metric, self.nbest, self.normalisation, options, self.grammars, fear
        )
        best = batch[0].nbest or (batch[0],)
        # The metric's own view of each hypothesis; hope's pairs of hypothesis and reference stay pairs.
        lines = [line(path.hypothesis) for path in best]
        references = [line(path.closest) if pairs else reference for path in best]
        grammars = () if pairs else self.grammars
        results = search(
            [id] * len(best), lines, references, self.metric, 1, self.normalisation, options, grammars
        )
        combined = [path.totals.units / metric.table.scale for path in best]
        model = whole.model_costs([result.hypothesis for result in results])
        return tuple(map(Weighed, results, model, combined))
