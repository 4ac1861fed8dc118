"""Costs on cards: what has no place for them says so."""

from __future__ import annotations

from collections.abc import Iterable

from fstmetrics.errors import FstmetricsError
from fstmetrics.network import Network


def refuse_costs(networks: Iterable[Network], what: str) -> None:
    """Raise an FstmetricsError for a network whose cards carry costs: `what` would lose them."""
    for network in networks:
        if network.has_costs:
            raise FstmetricsError(
                f"network {network.id or '(no id)'}: its cards carry costs, which {what} would lose; "
                "take them off first (Network.without_costs)"
            )
