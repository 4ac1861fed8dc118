"""What `oracle` says of the 1-best: which scales it was found with, and what there was to scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fstmetrics._native import Automaton
from fstmetrics.cli.lattice_options import scaled
from fstmetrics.lattice import Lattice, Scales
from fstmetrics.network import Network

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
        for automaton in _automata(hypothesis):
            if automaton.has_costs and not all(self.costs):
                both = (automaton.arc_costs, automaton.final_costs)
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


def _automata(hypothesis: Lattice | Network) -> Sequence[Automaton]:
    return [hypothesis.automaton] if isinstance(hypothesis, Lattice) else hypothesis.rtn.cards
