"""Costs of a lattice or network as a file should have them: `weighed` by scales, `summed` in one column.

What is no cost, though it stands in its place: `weights_remark`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from fstmetrics._native import Automaton
from fstmetrics.data.cards import NO_COST, Call, Card, CostPair, Token, some_costs
from fstmetrics.data.lattice import Lattice, Scales
from fstmetrics.data.network import Network
from fstmetrics.data.symbols import SENTENCE_MARKERS
from fstmetrics.support.errors import FstmetricsError

# So many lattices tell what their weights are, by sums this near to 1.
FIRST, NEAR = 20, 0.005
LOGARITHMS = (
    "no weight is above 0, as of logarithms of probabilities, and costs are minus these: --lm-scale -1 "
    "turns them"
)
PROBABILITIES = (
    "the weights out of every state sum to 1, as probabilities do, and costs are minus logarithms of these: of AT&T "
    "text (convert --to att) awk 'NF > 3 || NF == 2 { $NF = -log($NF) } 1' FILE writes them"
)


def weights_remark(lattices: Iterable[Lattice], lm_scale: float) -> str:
    """What to say of lattices of `MACHINES` whose weights are probabilities, or logarithms of some; else empty.

    Args:
        lattices: the first ones; no more than one is asked for where that tells it.
        lm_scale: what their graph costs are multiplied by.

    >>> lattice = Lattice.from_arrays([0, 0], [1, 1], ["a", "b"], finals=[1], costs=[(0.9, 0), (0.1, 0)])
    >>> weights_remark([lattice], 1)[:39], weights_remark([lattice], -1)
    ('the weights out of every state sum to 1', '')
    """
    said, has_forks = {LOGARITHMS, PROBABILITIES} if lm_scale >= 0 else set(), False
    for lattice in lattices if said else ():
        machine = lattice.automaton
        forks = np.bincount(machine.sources)[machine.sources] > 1
        costs = np.concatenate([machine.arc_costs, machine.final_costs])
        if costs[:, 1].any() or (costs[:, 0] > 0).any() or (machine.arc_costs[forks, 0] == 0).any():
            said.discard(LOGARITHMS)
        if costs[:, 1].any() or (costs[:, 0] < 0).any() or not _sum_to_one(machine):
            said.discard(PROBABILITIES)
        if not said:
            return ""
        # Weights of 0 and 1 alone are costs: an arc of probability 0 would be none.
        has_forks = has_forks or not np.isin(machine.arc_costs[forks, 0], (0, 1)).all()
    return said.pop() if has_forks and len(said) == 1 else ""


def _sum_to_one(automaton: Automaton) -> bool:
    """Whether the weights of each state do; those of states where paths end, and nothing goes on, may be left out."""
    sums = np.bincount(automaton.sources, automaton.arc_costs[:, 0], automaton.num_states)
    goes_on = np.bincount(automaton.sources, minlength=automaton.num_states) > 0
    sums += np.bincount(automaton.finals, automaton.final_costs[:, 0], automaton.num_states)
    return bool(((abs(sums - 1) < NEAR) | (~goes_on & (sums == 0))).all())


def weighed(lattice: Lattice, scales: Scales) -> Automaton:
    """The automaton with its costs multiplied, the word penalty among the graph costs."""
    automaton = lattice.automaton
    weights = np.array([scales.lm, scales.acoustic])
    counted = [word != "" and word not in SENTENCE_MARKERS for word in lattice.symbols.words]
    penalties = scales.word_penalty * np.array(counted, dtype=np.float64)[automaton.labels]
    with np.errstate(over="ignore"):  # an infinite cost is refused
        costs = automaton.arc_costs * weights
        costs[:, 0] += penalties
        return _with_costs(automaton, costs, automaton.final_costs * weights)


def summed(automaton: Automaton) -> Automaton:
    """The automaton with graph and acoustic cost added up as graph cost."""
    arcs, finals = (
        np.stack([costs.sum(axis=1), np.zeros(len(costs))], axis=1)
        for costs in (automaton.arc_costs, automaton.final_costs)
    )
    return _with_costs(automaton, arcs, finals)


def _with_costs(automaton: Automaton, costs: Any, final_costs: Any) -> Automaton:
    if not (np.isfinite(costs).all() and np.isfinite(final_costs).all()):
        raise FstmetricsError(
            "a cost becomes too large for a number; --scale with smaller factors keeps it small"
        )
    return Automaton(
        automaton.num_states, automaton.start, automaton.sources, automaton.labels, automaton.destinations,
        automaton.finals, costs, final_costs,
    )  # fmt: skip


# What becomes of the cost of an arc with this token, or of a final state.
Change = Callable[[CostPair, Token], CostPair]


def weighed_network(network: Network, scales: Scales) -> Network:
    """The network with its costs multiplied, the word penalty among the graph costs, and no scales of its own.

    Raises:
        FstmetricsError: a cost becomes too large.

    >>> card = Card("S", ((0, 1, "a"),), frozenset({1}), costs=((2.0, 3.0),))
    >>> weighed_network(Network([card], "S"), Scales(2.0, 1.0, 0.5)).cards["S"].costs
    ((4.5, 3.0),)
    """

    def change(cost: CostPair, token: Token) -> CostPair:
        counted = not isinstance(token, Call) and token != "" and token not in SENTENCE_MARKERS
        penalty = scales.word_penalty if counted else 0.0
        return scales.lm * cost[0] + penalty, scales.acoustic * cost[1]

    return _changed(network, change)


def summed_network(network: Network) -> Network:
    """The network with graph and acoustic cost added up as graph cost; errors as of `weighed_network`."""
    return _changed(network, lambda cost, _: (cost[0] + cost[1], 0.0))


def _changed(network: Network, change: Change) -> Network:
    cards = [_card(card, change) for card in network.cards.values()]
    return network.changed(cards)


def _card(card: Card, change: Change) -> Card:
    costs = card.costs or (NO_COST,) * len(card.arcs)
    final_costs = card.final_costs or (NO_COST,) * len(card.finals)
    return replace(
        card,
        costs=some_costs([change(cost, arc[2]) for cost, arc in zip(costs, card.arcs, strict=True)]),
        final_costs=some_costs([change(cost, "") for cost in final_costs]),
    )
