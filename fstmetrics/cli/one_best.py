"""What `oracle` says of the 1-best: which scales it was found with, and what there was to scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from fstmetrics.cli.lattice_options import scaled
from fstmetrics.lattice import Lattice, Scales
from fstmetrics.network import Network

Costs = npt.NDArray[np.float64]

# By (graph costs, acoustic costs), of any lattice.
COSTS = {
    (True, True): "",
    (True, False): "the lattices have graph scores only",
    (False, True): "the lattices have acoustic scores only",
    (False, False): "the lattices have no scores, so the 1-best is any path",
}


@dataclass
class OneBest:
    """Weighs lattices as they pass, and remembers what it saw.

    Args:
        asked: the scales that the user named; the others are those of the lattice's file.
    """

    asked: dict[str, float]
    scales: set[Scales] = field(default_factory=set)
    costs: tuple[bool, bool] = (False, False)

    def scaled(self, hypothesis: Any) -> Any:
        """A lattice or forest under the scales asked for; anything else as it is."""
        if not isinstance(hypothesis, Lattice | Network):
            return scaled(hypothesis, self.asked)
        scales = replace(hypothesis.scales, **self.asked)
        self.scales.add(scales)
        for both in _costs(hypothesis):
            if not all(self.costs):
                self.costs = tuple(  # type: ignore[assignment]
                    seen or any(bool(costs[:, i].any()) for costs in both)
                    for i, seen in enumerate(self.costs)
                )
        return hypothesis.weighed(scales) if self.asked else hypothesis

    def remarks(self) -> Iterator[str]:
        """One line, once all lattices have passed; none if there was none."""
        if self.scales:
            named = ", ".join(self._named(name) for name in ("lm", "acoustic", "word_penalty"))
            yield "; ".join(filter(None, (f"1-best with {named}", COSTS[self.costs])))

    def _named(self, name: str) -> str:
        """A scale, or its least and greatest value."""
        values = sorted({getattr(scales, name) for scales in self.scales})
        shown = f"{values[0]:g}" if len(values) == 1 else f"{values[0]:g} to {values[-1]:g}"
        return f"{name.replace('_', ' ')} {shown}"


def _costs(hypothesis: Lattice | Network) -> Iterator[Sequence[Costs]]:
    """Costs of arcs and of final states, shape [arcs, 2] and [states, 2]; none where there are none."""
    if isinstance(hypothesis, Lattice):
        if hypothesis.automaton.has_costs:
            yield hypothesis.automaton.arc_costs, hypothesis.automaton.final_costs
    elif hypothesis.has_costs:
        for card in hypothesis.cards.values():
            pairs = (card.costs, card.final_costs)
            yield [np.array(each, dtype=np.float64).reshape(-1, 2) for each in pairs]
