"""What `oracle` says of the 1-best: which scales it was found with, and what there was to scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from fstmetrics.lattice import Lattice, Scales

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
        """A lattice under the scales asked for; anything else as it is."""
        if not isinstance(hypothesis, Lattice):
            return hypothesis
        scales = replace(hypothesis.scales, **self.asked)
        self.scales.add(scales)
        if hypothesis.automaton.has_costs and not all(self.costs):
            both = (hypothesis.automaton.arc_costs, hypothesis.automaton.final_costs)
            self.costs = tuple(  # type: ignore[assignment]
                seen or any(bool(costs[:, i].any()) for costs in both) for i, seen in enumerate(self.costs)
            )
        if not self.asked:
            return hypothesis
        return Lattice(hypothesis.automaton, hypothesis.symbols, id=hypothesis.id, scales=scales)

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
