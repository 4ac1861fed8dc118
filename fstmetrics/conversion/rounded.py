"""Whether a format rounds the costs of an item: `is_rounded`."""

from __future__ import annotations

from typing import Any

import numpy as np

from fstmetrics.lattice import Lattice
from fstmetrics.network import Network
from fstmetrics.readers.rounding import Rounding


def is_rounded(value: Any, rounding: Rounding | None) -> bool:
    """Whether costs of a lattice or network, as it is to be written, come back with other digits."""
    if rounding is None or not isinstance(value, Lattice | Network) or not _has_costs(value):
        return False
    return not all(rounding.keeps(np.asarray(costs)) for costs in _costs(value))


def _has_costs(value: Lattice | Network) -> bool:
    return (value if isinstance(value, Network) else value.automaton).has_costs


def _costs(value: Lattice | Network) -> list[Any]:
    if isinstance(value, Network):
        return [costs for card in value.cards.values() for costs in (card.costs, card.final_costs)]
    return [value.automaton.arc_costs, value.automaton.final_costs]
