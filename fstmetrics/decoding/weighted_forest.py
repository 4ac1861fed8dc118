"""Forests with one cost an arc, beside the lattices of fstmetrics/decoding/weighted.py.

- `WeightedForest`, `weighted_forest`: the cards that end in one state each, their words normalised, and their costs.
- `weighed`: either, for whoever weighs the paths of a lattice and the derivations of a forest alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics._native import Rtn
from fstmetrics.arguments import described
from fstmetrics.cards import NO_COST, Card, CostPair
from fstmetrics.decoding.weighted import MOST_UNITS, PER_NAT, Weighted, WeightedLattice, too_large, weighted
from fstmetrics.errors import FstmetricsError
from fstmetrics.lattice import SENTENCE_MARKERS, Lattice
from fstmetrics.nbest import NBest
from fstmetrics.network import Network
from fstmetrics.normalisation import PLAIN, Normalisation
from fstmetrics.renaming import changed_card, keeps_words
from fstmetrics.scales import Scales, scales_of

if TYPE_CHECKING:
    from fstmetrics.decoding.weighted import Units
    from fstmetrics.phrases import Token


class WeightedForest(Weighted[Rtn]):
    """A forest with one cost an arc; nothing of it is written out."""

    def units(self, per_nat: float = PER_NAT) -> Units:
        """As of `Weighted`; the largest sum is found card by card."""
        what, most = f"network {self.id or '(no id)'}", float(np.abs(self.costs).max(initial=0.0))
        if not most * per_nat < MOST_UNITS:
            raise too_large(what, most, per_nat)
        units = np.rint(self.costs * per_nat).astype(np.int64)
        if not self.machine.largest_sum(units) < MOST_UNITS:
            raise too_large(what, most, per_nat)
        return units

    def model_costs(self, sequences: Sequence[Sequence[int]]) -> list[float]:
        """Of the best derivation of each sequence."""
        return list(self.machine.least_costs(self.costs, sequences))


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
        from fstmetrics.networks.spelling import within_the_limit

        return weighted(within_the_limit(hypotheses, "to be weighed by characters"), scales, normalisation)
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
