"""Lattices and forests with one cost an arc, as everything that weighs paths by a decoder's model wants them.

- `scaled_costs`: graph and acoustic costs and word penalty as one number an arc and final state.
- `Weighted`: what is made of lattices, and of forests.
- `WeightedLattice`, `weighted`: the automaton that ends in one state, its words normalised, and its costs.
- `PER_NAT`: costs that are searched for are whole numbers of units, so that sums and ties are exact; so many units
  make one natural log.
- `WeightedForest`, `weighted_forest`: the cards that end in one state each, their words normalised, and their costs.
- `weighed`: either, for whoever weighs the paths of a lattice and the derivations of a forest alike.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from fstmetrics._native import Automaton, Graph, Rtn
from fstmetrics.data.cards import NO_COST, Card, CostPair
from fstmetrics.data.lattice import Lattice, Scales, scales_of
from fstmetrics.data.nbest import NBest
from fstmetrics.data.network import Network
from fstmetrics.data.symbols import SENTENCE_MARKERS
from fstmetrics.engine.renaming import changed_card, keeps_words, renamed
from fstmetrics.support.arguments import described
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import PLAIN, Normalisation

if TYPE_CHECKING:
    import numpy.typing as npt

    Costs = npt.NDArray[np.float64]
    Units = npt.NDArray[np.int64]
    from fstmetrics.data.cards import Token


Machine = TypeVar("Machine", Automaton, Rtn)

# A cost is rounded by at most half a unit, 3e-8 of a natural log: less than single precision, in which lattices are
# written, has left of a cost above 1.
PER_NAT = 2**24
# What a path may add up to, in units: sums of two of them stay within 64 bits.
MOST_UNITS = 2.0**60
# The finest units of `finest`: those of a double between 1 and 2.
FINEST = 2**52


def scaled_costs(lattice: Lattice, scales: Scales | None = None) -> tuple[Costs, Costs]:
    """What arcs and final states cost in all: lm * graph + acoustic * acoustic + word penalty.

    Args:
        lattice: sentence markers on its arcs count as no words.
        scales: by default the lattice's own.

    Returns:
        One cost an arc, shape [arcs]; one a state, of use for final ones only, shape [states]. Infinite costs stand for
        arcs and ends that are not there.

    Raises:
        FstmetricsError: a cost is not a number, or minus infinity.
    """
    scales = scales_of(scales, lattice.scales)
    automaton = lattice.automaton
    penalties = [
        scales.word_penalty if word and word not in SENTENCE_MARKERS else 0.0
        for word in lattice.symbols.words
    ]
    with np.errstate(invalid="ignore", over="ignore"):
        # Term by term, as in native/automata/weighted.cc: products of matrices may be rounded otherwise.
        arcs, finals = (
            scales.lm * costs[:, 0] + scales.acoustic * costs[:, 1]
            for costs in (automaton.arc_costs, automaton.final_costs)
        )
        arcs = arcs + np.array(penalties)[automaton.labels]
        ends = np.zeros(automaton.num_states)
        ends[automaton.finals] = finals
    for costs, what in ((arcs, "arc"), (ends, "final state")):
        if bad := np.flatnonzero(~(costs > -np.inf)).tolist():
            raise FstmetricsError(
                f"lattice {lattice.id or '(no id)'}: {what} {bad[0]} costs {costs[bad[0]]}; "
                "a cost is a number, or inf for what is not there"
            )
    return arcs, ends


@dataclass(frozen=True)
class Weighted(ABC, Generic[Machine]):
    """Paths or derivations with one cost an arc.

    Attributes:
        machine: all of them, ending in one state; see `with_one_end` of `_native.Automaton` and `_native.Rtn`.
        words: the words of its labels, the first for epsilon.
        costs: natural logs, by the origin of arcs.
        id: of the lattice or forest.
    """

    machine: Machine
    words: tuple[str, ...]
    costs: Costs
    id: str = ""

    @abstractmethod
    def units(self, per_nat: float = PER_NAT) -> Units:
        """The costs in whole units, each rounded to the nearest.

        Raises:
            FstmetricsError: costs too large for exact sums.
        """

    @abstractmethod
    def largest_sum(self) -> float:
        """What no path's costs add up to more than, whatever their signs."""

    def finest(self) -> int:
        """As many units a natural log, a power of two, as the largest sum allows."""
        spare = math.floor(math.log2(MOST_UNITS / max(self.largest_sum(), 1.0))) - 1
        return int(max(PER_NAT, min(FINEST, 2**spare)))

    def model_costs(self, sequences: Sequence[Sequence[str]]) -> list[float]:
        """The least cost of a path or derivation with each sequence of words, in natural logs, not rounded to units."""
        return list(self.machine.least_costs(self.costs, self.labels(sequences)))

    def labels(self, sequences: Iterable[Sequence[str]]) -> list[list[int]]:
        """The labels of each sequence of words."""
        label = {word: number for number, word in enumerate(self.words)}
        return [[label[word] for word in words] for words in sequences]

    def shares(self, sequences: Sequence[Sequence[str]], scale: float) -> list[float]:
        """Of each sequence of words, exp(-scale * cost) summed over all paths with its words, divided by the same of
        all paths.
        """
        costs = self.costs * scale
        every = self.machine.log_mass(costs)
        logs = self.machine.log_masses(costs, self.labels(sequences))
        return [math.exp(min(log - every, 0.0)) for log in logs]

    def graph(self, per_nat: float = PER_NAT) -> Graph:
        """What the engine searches, at so many units a natural log; errors as of `units`."""
        return Graph(self.machine, self.words, self.units(per_nat))


class WeightedLattice(Weighted[Automaton]):
    """A lattice with one cost an arc."""

    def largest_sum(self) -> float:
        """As of `Weighted`; the longest path passes every state."""
        most = float(np.abs(self.costs[self.machine.origins]).max(initial=0.0))
        return most * (self.machine.num_states + 1)

    def units(self, per_nat: float = PER_NAT) -> Units:
        """As of `Weighted`; the longest path passes every state."""
        most = float(np.abs(self.costs[self.machine.origins]).max(initial=0.0)) * per_nat
        if not most * (self.machine.num_states + 1) < MOST_UNITS:
            raise too_large(f"lattice {self.id or '(no id)'}", most / per_nat, per_nat)
        with np.errstate(invalid="ignore"):  # of arcs that no path has
            return np.rint(self.costs * per_nat).astype(np.int64)


def too_large(what: str, cost: float, per_nat: float) -> FstmetricsError:
    """The error for costs whose sums would not be exact."""
    return FstmetricsError(
        f"{what}: costs of up to {cost:g}, {per_nat:g} units each, are too large for exact sums; scale them down"
    )


def weighted(
    lattice: Lattice,
    scales: Scales | None = None,
    normalisation: Normalisation = PLAIN,
) -> WeightedLattice:
    """A lattice with one cost an arc, its words normalised as hypotheses are; what costs infinity is left out.

    Raises:
        FstmetricsError: a cost that is not a number, a cycle, or no path at all.
    """
    arcs, ends = scaled_costs(lattice, scales)
    automaton, arcs, ends = without_infinite(lattice.automaton, arcs, ends)
    words = lattice.symbols.words
    if changed := renamed(automaton, lattice.symbols, normalisation.of_hypotheses):
        # The number -1, for arcs and states that were not there, finds the zero at the end.
        arcs, ends = (np.append(arcs, 0.0)[changed.arc_of], np.append(ends, 0.0)[changed.state_of])
        automaton, words = changed.automaton, changed.words
    return one_ended(automaton, words, np.concatenate([arcs, ends]), lattice.id)


def one_ended(automaton: Automaton, words: tuple[str, ...], costs: Costs, id: str) -> WeightedLattice:
    """An automaton that ends in one state; costs are those of its arcs, then those of ending in its states.

    Raises:
        FstmetricsError: a cycle, or no path at all.
    """
    try:
        machine = automaton.with_one_end()
    except ValueError as error:
        raise FstmetricsError(f"lattice {id or '(no id)'}: {error}") from None
    if not machine.has_path:
        raise FstmetricsError(f"lattice {id or '(no id)'}: no path leads from its start to a final state")
    return WeightedLattice(machine, words, costs, id)


def without_infinite(automaton: Automaton, arcs: Costs, ends: Costs) -> tuple[Automaton, Costs, Costs]:
    """Without what costs infinity."""
    finite, finals = np.isfinite(arcs), automaton.finals
    kept: Any = finals[np.isfinite(ends[finals])]
    if finite.all() and kept.size == finals.size:
        return automaton, arcs, ends
    sources, labels, destinations = (
        column[finite] for column in (automaton.sources, automaton.labels, automaton.destinations)
    )
    machine = Automaton(automaton.num_states, automaton.start, sources, labels, destinations, kept)
    return machine, arcs[finite], np.where(np.isfinite(ends), ends, 0.0)


class WeightedForest(Weighted[Rtn]):
    """A forest with one cost an arc; nothing of it is written out."""

    def largest_sum(self) -> float:
        """As of `Weighted`, found card by card; each cost is rounded up by 2^-40 of the largest at most."""
        sizes = np.abs(self.costs)
        unit = 2.0 ** (math.frexp(sizes.max(initial=0.0))[1] - 40)
        return self.machine.largest_sum(np.ceil(sizes / unit).astype(np.int64)) * unit

    def units(self, per_nat: float = PER_NAT) -> Units:
        """As of `Weighted`; the largest sum is found card by card."""
        what, most = f"network {self.id or '(no id)'}", float(np.abs(self.costs).max(initial=0.0))
        if not most * per_nat < MOST_UNITS:
            raise too_large(what, most, per_nat)
        units = np.rint(self.costs * per_nat).astype(np.int64)
        if not self.machine.largest_sum(units) < MOST_UNITS:
            raise too_large(what, most, per_nat)
        return units


def kinds_of_costs(hypotheses: Lattice | Network) -> tuple[bool, bool]:
    """Whether any graph cost, and any acoustic cost is not zero."""
    if isinstance(hypotheses, Lattice):
        return hypotheses.automaton.kinds_of_costs
    pairs = [pair for card in hypotheses.cards.values() for pair in (*card.costs, *card.final_costs)]
    return any(graph for graph, _ in pairs), any(acoustic for _, acoustic in pairs)


def refuse_other_than_weighed(hypotheses: object, what: str) -> None:
    """Refuse what no decoder weighs: all but a Lattice, an NBest and a Network.

    Raises:
        FstmetricsError: it is something else.
    """
    if not isinstance(hypotheses, Lattice | NBest | Network):
        raise FstmetricsError(f"{what} of a Lattice, an NBest or a Network, not {described(hypotheses)}")


def weighed(
    hypotheses: Lattice | Network, scales: Scales | None = None, normalisation: Normalisation = PLAIN
) -> WeightedLattice | WeightedForest:
    """Whichever it is with one cost an arc; a forest by characters is written out.

    Raises:
        FstmetricsError: as of `weighted` and `weighted_forest`.
        InputError: a forest by characters that is too large.
    """
    if isinstance(hypotheses, Lattice):
        return weighted(hypotheses, scales, normalisation)
    if normalisation.unit == "char":
        # Whether a space comes before a word depends on all that came before: cards do not know.
        from fstmetrics.networks.automata import within_the_limit

        return weighted(within_the_limit(hypotheses), scales, normalisation)
    return weighted_forest(hypotheses, scales, normalisation)


def weighted_forest(
    network: Network, scales: Scales | None = None, normalisation: Normalisation = PLAIN
) -> WeightedForest:
    """A forest with one cost an arc, its words normalised as hypotheses are; without costs they are all zero.

    Made once for each scales and normalisation, and kept with the network.

    Raises:
        FstmetricsError: a card with a cycle, or costs that the scales make infinite.
    """
    kept: dict[object, WeightedForest] = network.__dict__.setdefault("_weighted", {})
    key = (scales_of(scales, network.scales), normalisation)
    if key not in kept:
        kept[key] = _weighted(network, *key)
    return kept[key]


def _weighted(network: Network, scales: Scales, normalisation: Normalisation) -> WeightedForest:
    if not keeps_words(network.symbols, normalisation.of_hypotheses):
        cards = (
            changed_card(_weighed_card(card, scales), normalisation.of_hypotheses)
            for card in network.cards.values()
        )
        network, scales = Network(cards, network.root, id=network.id), Scales()
    words = network.symbols.words
    counts = np.array([bool(word) and word not in SENTENCE_MARKERS for word in words], dtype=np.uint8)
    costs = network.rtn.scaled_costs(scales.lm, scales.acoustic, scales.word_penalty, counts)
    what = f"network {network.id or '(no id)'}"
    if not np.isfinite(costs).all():
        raise FstmetricsError(f"{what}: its costs are not finite under these scales")
    try:
        machine = network.rtn.with_one_end()
    except ValueError as error:
        raise FstmetricsError(f"{what}: {error}") from None
    return WeightedForest(machine, words, costs, network.id)


def _weighed_card(card: Card, scales: Scales) -> Card:
    """The card with its weighted costs, word penalties included, as graph costs."""

    def weighed(pair: CostPair) -> float:
        return scales.lm * pair[0] + scales.acoustic * pair[1]

    def penalty(token: Token) -> float:
        counts = isinstance(token, str) and token and token not in SENTENCE_MARKERS
        return scales.word_penalty if counts else 0.0

    pairs = zip(card.arcs, card.costs or (NO_COST,) * len(card.arcs), strict=True)
    costs = tuple((weighed(pair) + penalty(token), 0.0) for (_, _, token), pair in pairs)
    final_costs = tuple((weighed(pair), 0.0) for pair in card.final_costs)
    return replace(card, costs=costs, final_costs=final_costs, phrases=None)
