"""Costs of a lattice as a file should have them: `weighed` by scales, `summed` in one column."""

from __future__ import annotations

from typing import Any

import numpy as np

from fstmetrics._native import Automaton
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.values.lattice import Lattice
from fstmetrics.values.scales import Scales
from fstmetrics.values.symbols import SENTENCE_MARKERS


def has_acoustic(automaton: Automaton) -> bool:
    """Whether there are acoustic costs."""
    return bool(
        automaton.has_costs and (automaton.arc_costs[:, 1].any() or automaton.final_costs[:, 1].any())
    )


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
