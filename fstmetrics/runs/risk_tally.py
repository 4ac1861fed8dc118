"""Sums over the choices of minimum Bayes risk decoding, for runs of any length: `RiskCounts`, `RiskTally`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from fstmetrics.decoding.minimum_risk import MBR
from fstmetrics.runs.oracle_tally import ExactSum

# Evidence that holds less than this share of a lattice's probability says little of the lattice.
MOST = 0.5


@dataclass(frozen=True, slots=True)
class RiskCounts:
    """What one choice adds to the sums.

    Attributes:
        loss: that is expected of it.
        one_best_loss: that is expected of the decoder's first choice.
        differs: whether the two are not the same.
        mass: what share of all probability the evidence holds; None where it is all, by what the item is.
        scored: whether there were scores or costs at all.
        forest: whether it is of a forest.
    """

    loss: float
    one_best_loss: float
    differs: bool
    mass: float | None
    scored: bool
    forest: bool

    @classmethod
    def of(cls, result: MBR, scored: bool, forest: bool) -> RiskCounts:
        """Those of a result."""
        mass = None if result.exact else result.mass
        losses = (result.best[0].expected_loss, result.one_best.expected_loss)
        return cls(*losses, result.words != result.one_best.words, mass, scored, forest)

    def as_json(self) -> list[Any]:
        """What `from_json` takes back."""
        return [self.loss, self.one_best_loss, self.differs, self.mass, self.scored, self.forest]

    @classmethod
    def from_json(cls, value: list[Any]) -> RiskCounts:
        """The counts again; TypeError or ValueError if they are none."""
        loss, one_best_loss, differs, mass, scored, forest = value
        share = None if mass is None else float(mass)
        return cls(float(loss), float(one_best_loss), bool(differs), share, bool(scored), bool(forest))


@dataclass
class RiskTally:
    """All of them. Sums do not depend on the order.

    Attributes:
        items: how many there are.
        loss, one_best_loss: sums.
        differing: choices that are not the decoder's first.
        lattices: items whose evidence is a part of what there is, forests among them.
        forests: how many of them are forests.
        mass: the sum of the shares that it has.
        least_mass: the least of them.
        little: how many of them are below `MOST`.
        unscored: items without scores, of which `unscored_forests` are forests; the others are lists.
    """

    items: int = 0
    loss: ExactSum = field(default_factory=ExactSum)
    one_best_loss: ExactSum = field(default_factory=ExactSum)
    differing: int = 0
    lattices: int = 0
    forests: int = 0
    mass: ExactSum = field(default_factory=ExactSum)
    least_mass: float = 1.0
    little: int = 0
    unscored: int = 0
    unscored_forests: int = 0

    def add(self, counts: RiskCounts) -> None:
        """Count one more."""
        self.items += 1
        self.loss.add(counts.loss)
        self.one_best_loss.add(counts.one_best_loss)
        self.differing += counts.differs
        self.unscored += not counts.scored
        self.unscored_forests += counts.forest and not counts.scored
        self.forests += counts.forest
        if counts.mass is not None:
            self.lattices += 1
            self.mass.add(counts.mass)
            self.least_mass = min(self.least_mass, counts.mass)
            self.little += counts.mass < MOST

    def __len__(self) -> int:
        return self.items
